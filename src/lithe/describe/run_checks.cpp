#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "lithe/describe/bodies.h"
#include "lithe/describe/case.h"
#include "lithe/describe/case_checks.h"
#include "lithe/describe/checked_problems.h"
#include "lithe/describe/field.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"
#include "lithe/joint/kinds.h"

namespace lithe {
namespace {

/// Checks profiles, laws and loads, and that the method fits the formulation.
class RunChecker : CheckBase {
 public:
  explicit RunChecker(CheckedProblems& problems) : CheckBase(problems) {}

  void run(const Case& data) {
    for (const auto& [name, motion] : data.motion) check_profile(motion, "motion." + name, problems_);
    laws(data.torque, "torque.");
    for (size_t i = 0; i < data.events.size(); ++i) laws(data.events[i].torque, fmt::format("events[{}].torque.", i));
    loads(data.arm, data.loads, "loads");
    loads(data.arm, data.initial.loads, "initial.loads");
    for (size_t i = 0; i < data.forces.size(); ++i)
      std::visit([&, path = fmt::format("forces[{}]", i)](const auto& f) { this->force(data.arm, f, path); },
                 data.forces[i].force);
    for (size_t i = 0; i < data.initial.loads.size(); ++i) {
      if (data.initial.loads[i].scale)
        error(fmt::format("initial.loads[{}].scale", i),
              "an initial load does not change over time: leave out `scale`");
      if (!data.initial.loads[i].active)
        error(fmt::format("initial.loads[{}].active", i), "no event can switch an initial load: leave the load out");
    }
    if (data.initial.base && data.arm.base.type != BaseType::free && data.arm.base.type != BaseType::planar)
      error("initial.base", fmt::format("a {} base has no state of its own", word(data.arm.base.type)));
    if (!data.simulate) return;
    const Simulate& simulate = *data.simulate;
    for (const auto& [path, message] : method_problems(simulate)) error(path, message);
    if (simulate.method == Method::midpoint) midpoint(data.arm);
  }

 private:
  /// It integrates positions and momenta of coordinates.
  void midpoint(const ArmSpec& arm) {
    if (arm.base.type == BaseType::free)
      error("simulate.method",
            "midpoint cannot integrate a free base: its six rates are not derivatives of coordinates");
    for (const LinkSpec& link : arm.links) {
      const JointKind* kind = find_joint_kind(link.joint.type);
      if (kind == nullptr) continue;
      const bool rates_alone = std::any_of(kind->coordinates.begin(), kind->coordinates.end(),
                                           [](const JointCoordinate& one) { return !one.has_position; });
      if (rates_alone)
        error("simulate.method",
              fmt::format("midpoint cannot integrate joint '{}', which is {}: its rates are not derivatives of "
                          "coordinates; use another method",
                          joint_name(link), kind->word));
    }
  }

  void laws(const std::map<std::string, Torque>& torques, const std::string& path) {
    for (const auto& [name, torque] : torques)
      std::visit([&, where = path + name](const auto& law) { this->law(law, where); }, torque.law);
  }

  void known_link(const ArmSpec& arm, const std::string& link, const std::string& path) {
    std::vector<std::string> names;
    for (const LinkSpec& one : arm.links) names.push_back(one.name);
    if (std::find(names.begin(), names.end(), link) == names.end())
      error(path, fmt::format("no link '{}'{} Links: {}", shortened(link), guess_in_sentence(link, names),
                              comma_list(names)));
  }

  void force(const ArmSpec& arm, const Contact& contact, const std::string& path) {
    known_link(arm, contact.link, path + ".contact.link");
    if (!(contact.plane.normal.norm() > 0)) error(path + ".contact.plane.normal", "expected a vector other than zero");
  }

  void force(const ArmSpec& arm, const SpringDamper& spring, const std::string& path) {
    const std::string where = path + ".spring_damper";
    if (spring.from.link) known_link(arm, *spring.from.link, where + ".from.link");
    if (spring.to.link) known_link(arm, *spring.to.link, where + ".to.link");
    if (spring.from.link == spring.to.link)
      error(where, "both ends are on the same body, so their distance cannot change");
    if (spring.stiffness == 0 && spring.damping == 0) error(where, "expected a stiffness, a damping, or both");
    if (spring.stiffness > 0 && !spring.length)
      error(where + ".length", "missing; expected the length at which the spring has no force");
  }

  void loads(const ArmSpec& arm, const std::vector<Load>& list, const std::string& where) {
    std::vector<std::string> names;
    for (const LinkSpec& link : arm.links) names.push_back(link.name);
    const std::set<std::string> known(names.begin(), names.end());
    for (size_t i = 0; i < list.size(); ++i) {
      const std::string path = fmt::format("{}[{}]", where, i);
      if (!known.contains(list[i].link))
        error(path + ".link", fmt::format("no link '{}'{} Links: {}", shortened(list[i].link),
                                          guess_in_sentence(list[i].link, names), comma_list(names)));
      if (list[i].scale) check_profile(*list[i].scale, path + ".scale", problems_);
      if (list[i].spread) spread(arm, list[i], path);
    }
  }

  void spread(const ArmSpec& arm, const Load& load, const std::string& path) {
    const Spread& spread = *load.spread;
    const std::string where = path + ".distributed";
    const char* const one_of_two = "expected either `distributed`, or `point`, `force` and `moment`";
    if (load.point) error(path + ".point", one_of_two);
    if (!load.force.isZero(0)) error(path + ".force", one_of_two);
    if (!load.moment.isZero(0)) error(path + ".moment", one_of_two);
    if (spread.force.isZero(0) && spread.moment.isZero(0))
      error(where, "expected a force, a moment, or both, per length and other than zero");
    bool any = spread.shape.empty();
    for (size_t k = 0; k < spread.shape.size(); ++k) {
      any |= spread.shape[k].factor != 0;
      if (k > 0 && !(spread.shape[k].at > spread.shape[k - 1].at))
        error(fmt::format("{}.shape[{}].at", where, k),
              fmt::format("expected more than {:g} m, where the point before is, got {:g} m", spread.shape[k - 1].at,
                          spread.shape[k].at));
    }
    if (!any) error(where + ".shape", "expected a factor other than zero");
    const auto link =
        std::find_if(arm.links.begin(), arm.links.end(), [&](const LinkSpec& one) { return one.name == load.link; });
    if (link != arm.links.end()) spread_on(*link, spread, where);
  }

  void spread_on(const LinkSpec& link, const Spread& spread, const std::string& where) {
    if (link.imported)
      return error(where, fmt::format("the imported link '{}' has sections at its nodes only: expected loads with a "
                                      "`point` at nodes",
                                      link.name));
    if (link.joint.guide)
      return error(where, fmt::format("joint '{}' slides the beam through a guide, so no section stays in place; "
                                      "expected a load at its tip frame",
                                      link.joint.name));
    const double length = length_of(link), from = spread.from.value_or(0), to = spread.to.value_or(length);
    if (!(length > 0)) {
      if (link.rigid && !fault_of(*link.rigid))
        error(where, fmt::format("the rigid link '{}' has no length: expected a `point`", link.name));
      return;
    }
    const auto outside = [&](const char* field, double x) {
      if (x >= 0 && x <= length) return false;
      error(where + field,
            fmt::format("expected a place on the link, from 0 to its tip at {:g} m, got {:g} m", length, x));
      return true;
    };
    const bool from_outside = spread.from && outside(".from", from), to_outside = spread.to && outside(".to", to);
    if (!from_outside && !to_outside && !(from < to))
      error(where + (spread.from ? ".from" : ".to"),
            fmt::format("expected from < to, got {:g} m and {:g} m", from, to));
  }

  void law(const ConstantTorque&, const std::string&) {}
  void law(const Profile& p, const std::string& path) { check_profile(p, path + ".profile", problems_); }
  void law(const Pd& c, const std::string& path) {
    command(c.command, path + ".pd");
    if (c.gravity_of != GravityOf::state && !c.gravity_compensation)
      error(path + ".pd.gravity_of", "needs gravity_compensation: true");
  }
  void law(const ComputedTorque& c, const std::string& path) { command(c.command, path + ".computed_torque"); }
  void law(const Servo& c, const std::string& path) {
    command(c.command, path + ".servo");
    if (!((c.kp && c.kv && !c.structural_frequency) || (!c.kp && !c.kv && c.structural_frequency)))
      error(path + ".servo", "expected either kp and kv, or structural_frequency");
  }
  void law(const Pid& c, const std::string& path) {
    const std::string where = path + ".pid";
    command(c.command, where);
    if (c.tracking_time && c.anti_windup != AntiWindup::back_calculation)
      error(where + ".tracking_time", "only for anti_windup: back-calculation");
    if (c.integral_limit && c.anti_windup != AntiWindup::clamping)
      error(where + ".integral_limit", "only for anti_windup: clamping");
    const bool limited = c.actuation.saturation || c.actuation.envelope;
    if (c.anti_windup == AntiWindup::back_calculation && limited && !c.tracking_time && c.ki > 0 && c.kp == 0 &&
        c.kd == 0)
      error(where + ".tracking_time", "missing; it has no default without kp and kd");
    if (c.anti_windup == AntiWindup::clamping && !c.integral_limit && !c.actuation.saturation)
      error(where + ".integral_limit", "missing; it has no default without a saturation");
  }
  void law(const InputTorque&, const std::string&) {}
  void command(const Command& c, const std::string& path) {
    if (c.follow) check_profile(*c.follow, path + ".follow", problems_);
  }
};

}  // namespace

void check_run(const Case& data, CheckedProblems& problems) { RunChecker(problems).run(data); }

std::vector<std::pair<std::string, std::string>> method_problems(const Simulate& simulate) {
  std::vector<std::pair<std::string, std::string>> problems;
  auto add = [&](const char* field, const std::string& message) {
    problems.emplace_back(std::string("simulate.") + field, message);
  };
  const bool elements = simulate.formulation == RunFormulation::finite_element;
  const Method method = simulate.chosen_method();
  const bool marches_elements = method == Method::newmark || method == Method::generalised_alpha;
  if (elements && !marches_elements)
    add("method",
        fmt::format("expected newmark or generalised-alpha for the formulation finite-element, got {}", word(method)));
  if (!elements && marches_elements)
    add("method", fmt::format("{} is a method of the formulation finite-element; the formulation here is {}",
                              word(method), word(simulate.formulation)));
  if (!elements && simulate.model) add("model", "only for the formulation finite-element");
  if (simulate.rho_infinity && method != Method::generalised_alpha) add("rho_infinity", "only for generalised-alpha");
  const bool may_fix_step = method == Method::rk4 || method == Method::midpoint;
  if (method == Method::midpoint && !simulate.step)
    add("step", fmt::format("missing; {} needs a fixed step", word(method)));
  if (!may_fix_step && !marches_elements && simulate.step)
    add("step", fmt::format("{} chooses its steps from rtol and atol: leave out `step`", word(method)));
  return problems;
}

}  // namespace lithe
