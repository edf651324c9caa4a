#include "lithe/describe/case_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "lithe/describe/bodies.h"
#include "lithe/describe/case_limits.h"
#include "lithe/describe/field.h"
#include "lithe/describe/imported_link.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/whole_file.h"

namespace lithe {
namespace {

class Checker {
 public:
  std::vector<Problem> problems;

  void check(const Case& data) {
    for (const auto& [path, message] : limit_problems(data)) error(path, message);
    base(data.arm.base);
    names(data.arm);
    for (size_t i = 0; i < data.arm.links.size(); ++i) {
      const std::string path = fmt::format("arm.links[{}]", i);
      link(data.arm.links[i], path);
      if (data.arm.links[i].joint.guide) guide(data, data.arm.links[i], path);
    }
    air(data);
    for (const auto& [name, torque] : data.torque)
      if (data.motion.contains(name)) error("torque." + name, fmt::format("joint '{}' has a motion already", name));
    run(data);
    if (unlisted_ > 0)
      problems.push_back({unlisted_errors_ ? Problem::Severity::error : Problem::Severity::warning,
                          {},
                          "",
                          fmt::format("and {} more mistakes or doubts", unlisted_)});
  }

 private:
  void error(const std::string& path, std::string message) {
    list({Problem::Severity::error, {}, path, std::move(message)});
  }
  void warning(const std::string& path, std::string message) {
    list({Problem::Severity::warning, {}, path, std::move(message)});
  }
  void list(Problem problem) {
    if (problems.size() < limits::problems_listed) {
      problems.push_back(std::move(problem));
      return;
    }
    ++unlisted_;
    unlisted_errors_ |= problem.severity == Problem::Severity::error;
  }

  void names(const ArmSpec& arm) {
    std::vector<std::string> links{"base"};
    std::set<std::string> so_far{"base"}, used;
    size_t next_mount = 0;
    for (size_t i = 0; i < arm.links.size(); ++i) {
      const std::string path = fmt::format("arm.links[{}]", i);
      const LinkSpec& link = arm.links[i];
      if (i > 0 && next_mount < arm.mounts.size() && link.name == arm.mounts[next_mount].link) {
        links = {"base"};  // an arm of its own: it stands on its base alone
        so_far = {"base"};
        ++next_mount;
      }
      if (link.parent && !so_far.contains(*link.parent))
        error(path + ".parent", fmt::format("no link '{}' before this one{} Links so far: {}", shortened(*link.parent),
                                            guess_in_sentence(*link.parent, links), comma_list(links)));
      if (link.name.empty()) continue;  // not read
      unique(used, link.name, path + ".name");
      unique(used, link.joint.name, path + ".joint.name");
      links.push_back(link.name);
      so_far.insert(link.name);
    }
    if (next_mount < arm.mounts.size() && !arm.mounts[next_mount].link.empty())
      error(fmt::format("arm.mounts[{}].link", next_mount),
            fmt::format("no link '{}' after {}", shortened(arm.mounts[next_mount].link),
                        next_mount == 0 ? "the first" : "the mount before"));
  }
  void unique(std::set<std::string>& used, const std::string& name, const std::string& path) {
    // Words that columns of results and keys of a case begin with.
    static const std::set<std::string> reserved{"base", "tip", "tip_error", "energy", "t", "deformation", "loads"};
    if (reserved.contains(name)) return error(path, fmt::format("the name '{}' is reserved", name));
    if (!used.insert(name).second) error(path, fmt::format("the name '{}' is taken", shortened(name)));
  }

  void base(const BaseSpec& base) {
    const bool has_body = base.type == BaseType::planar || base.type == BaseType::free;
    if (base.body && base.body->length)
      error("arm.base.rigid.length", "a base carries its links on its own frame: it has no length");
    if (base.body && !has_body)
      error("arm.base.rigid", fmt::format("a {} base has no body of its own", word(base.type)));
    if (!base.body && base.type == BaseType::free)
      error("arm.base", "a free base needs a body: {type: free, rigid: {mass: …, inertia: …}}");
    if (base.body) body(*base.body, "arm.base.rigid");
    if (base.motion && base.type != BaseType::moving)
      error("arm.base.motion", fmt::format("only a moving base has a given motion, this one is {}", word(base.type)));
    if (base.axle && base.type != BaseType::planar)
      error("arm.base.axle", fmt::format("only a planar base has wheels, this one is {}", word(base.type)));
    if (base.type == BaseType::free && !(base.origin == Origin{}))
      error("arm.base.origin", "a free base takes its pose from the state");
    if (base.motion) {
      const Vector3d &w = base.motion->angular_velocity, &a = base.motion->angular_acceleration;
      if (w.cross(a).norm() > 1e-12 * w.norm() * a.norm())
        error("arm.base.motion.angular_acceleration", "expected a vector parallel to angular_velocity");
    }
  }

  void link(const LinkSpec& link, const std::string& path) {
    joint(link.joint, path + ".joint");
    if (link.beam) beam(*link.beam, path + ".beam");
    if (link.imported && !link.imported->file.empty()) {
      try {
        imported(link.imported->file, path + ".imported.file");
      } catch (const std::system_error& failure) {
        error(path + ".imported.file", fmt::format("cannot read {}: {}", in_quotes(link.imported->file, 300),
                                                   why_unread(failure.code(), limits::data_file_bytes)));
      }
    }
    if (link.rigid && (link.rigid->mass || link.rigid->density)) body(*link.rigid, path + ".rigid");
    if (link.payload) inertia(link.payload->inertia.matrix(), link.payload->mass, path + ".payload");
  }

  /// Each file once, however many links are made of it; counted as often as it will be read.
  void imported(const std::string& file, const std::string& path) {
    const auto known = imported_bytes_.find(file);
    if (known != imported_bytes_.end()) return count_data(known->second, path);
    const std::string text = whole_file(file, limits::data_file_bytes);
    imported_bytes_.emplace(file, text.size());
    count_data(text.size(), path);
    if (data_bytes_ <= limits::data_bytes) read_imported_link(text, file, problems);
  }
  void count_data(size_t bytes, const std::string& path) {
    const bool enough = data_bytes_ <= limits::data_bytes;
    data_bytes_ += bytes;
    if (enough && data_bytes_ > limits::data_bytes)
      error(path, fmt::format("more than {} in tables and imported links, counted as often as they are named: fewer or "
                              "smaller ones",
                              shown_bytes(limits::data_bytes)));
  }

  void air(const Case& data) {
    bool any = false;
    for (size_t i = 0; i < data.arm.links.size(); ++i) {
      const LinkSpec& link = data.arm.links[i];
      if (!link.surface) continue;
      any = true;
      const std::string path = fmt::format("arm.links[{}].surface", i);
      const Vector3d& trailing = link.surface->trailing;
      if (!(trailing.norm() > 0) || std::abs(trailing.x()) > 1e-9 * trailing.norm())
        error(path + ".trailing", "expected a vector across the link's x axis, along which the span runs");
      // A shape has its own extent along x; all but a ball's, which is about the link frame.
      const bool reaches =
          link.rigid && (link.rigid->length ? *link.rigid->length > 0
                                            : link.rigid->shape && !std::holds_alternative<Sphere>(*link.rigid->shape));
      if (link.rigid && !reaches) error(path, "a rigid link that carries a surface needs its length");
      if (link.imported) error(path, "only beams and rigid links carry surfaces");
      if (link.joint.guide) error(path, "a beam in a guide carries no surface");
    }
    if (!data.wind) return;
    const WindSpec& wind = *data.wind;
    if (!any) error("wind", "no link has a surface that would feel it");
    if (!(wind.direction.norm() > 0)) return error("wind.direction", "expected a vector other than zero");
    if (!(wind.up.cross(wind.direction).norm() > 1e-9 * wind.up.norm() * wind.direction.norm()))
      return error("wind.up", "expected a vector that is not along the wind's direction");
    if (wind.mirror) {
      const Vector3d& n = *wind.mirror;
      if (!(n.norm() > 0)) return error("wind.mirror", "expected a vector other than zero");
      const Vector3d velocity = wind_velocity(wind);
      if (std::abs(n.dot(velocity)) > 1e-9 * n.norm() * velocity.norm())
        error("wind.mirror", "expected the normal of a plane along the wind, which must not blow through it");
    }
  }

  void joint(const JointSpec& joint, const std::string& path) {
    const bool moves = joint.type != JointType::fixed;
    if (joint.dh && (joint.origin || joint.axis))
      error(path + (joint.origin ? ".origin" : ".axis"), "expected either dh, or origin and axis");
    if (moves && !joint.axis && !joint.dh)
      error(path + ".axis", fmt::format("missing; a {} joint needs an axis", word(joint.type)));
    if (!moves && joint.axis) error(path + ".axis", "a fixed joint has no axis");
    if (joint.axis && joint.axis->norm() < 1e-9) error(path + ".axis", "expected a vector other than zero");
    if (joint.limits && !(joint.limits->lower < joint.limits->upper))
      error(path + ".limits",
            fmt::format("expected lower < upper, got {:g} and {:g}", joint.limits->lower, joint.limits->upper));
    if (joint.motor && !joint.motor->stiffness && (joint.motor->hardening != 0 || joint.motor->bearing != 0))
      error(path + ".motor", "hardening and bearing belong to an elastic transmission: give its stiffness");
    if (joint.motor && joint.motor->stiffness && !(joint.motor->inertia > 0))
      error(path + ".motor.inertia", "expected more than zero behind a spring");
    if (joint.motor && joint.motor->turns_a_slide() && joint.type != JointType::prismatic)
      error(path + (joint.motor->lead ? ".motor.lead" : ".motor.pinion_radius"),
            fmt::format("only of a rotary motor on a prismatic joint, this one is {}", word(joint.type)));
    if (joint.motor && joint.motor->lead && joint.motor->pinion_radius)
      error(path + ".motor.pinion_radius", "expected either lead or pinion_radius");
    if (!moves && (joint.damping != 0 || joint.friction || joint.spring || joint.limits || joint.motor))
      error(path, "a fixed joint takes no damping, friction, spring, limits or motor");
  }

  /// A guide is for uniform beams of linear elements that slide along themselves, and holds some of the beam but not all.
  void guide(const Case& data, const LinkSpec& link, const std::string& path) {
    const JointSpec& joint = link.joint;
    const std::string where = path + ".joint.guide";
    if (joint.type != JointType::prismatic)
      return error(
          where, fmt::format("only a prismatic joint slides a beam through a guide, this one is {}", word(joint.type)));
    if (joint.dh || !joint.axis || joint.axis->normalized().x() < 1 - 1e-12)
      error(joint.axis ? path + ".joint.axis" : where, "a guide needs the axis along the beam: [1, 0, 0]");
    if (!link.beam) return error(where, "only a beam slides through a guide");
    const Beam& beam = *link.beam;
    const auto* elements = std::get_if<Elements>(&beam.flexibility);
    if (elements == nullptr || elements->element != ElementKind::linear || elements->keep)
      error(path + ".beam.flexibility", "a beam in a guide must have {elements: N, element: linear}, none reduced");
    if (beam.tip_section || !beam.steps.empty())
      error(path + (beam.tip_section ? ".beam.tip_section" : ".beam.steps"),
            "a beam in a guide must have one section throughout");
    const auto* rayleigh = beam.damping ? std::get_if<RayleighDamping>(&*beam.damping) : nullptr;
    if (beam.damping && (rayleigh == nullptr || rayleigh->alpha > 0))
      error(path + ".beam.damping",
            "a beam in a guide is damped in proportion to stiffness only: {rayleigh: {beta: ...}}");
    const auto start = data.initial.joints.find(joint.name);
    const double q = start == data.initial.joints.end() ? 0 : start->second.position;
    const double free = beam.length + q - joint.guide->exit;
    if (beam.length > 0 && !(free > 0 && free <= beam.length * (1 + 1e-12)))
      error(where, fmt::format("expected a free length above zero and up to the beam's {:g} m, got {:g} m + {:g} m "
                               "(joint) - {:g} m (exit) "
                               "= {:g} m at the start",
                               beam.length, beam.length, q, joint.guide->exit, free));
  }

  void run(const Case& data) {
    for (const auto& [name, motion] : data.motion) profile(motion, "motion." + name, false);
    for (const auto& [name, torque] : data.torque)
      std::visit([&, path = "torque." + name](const auto& law) { this->law(law, path); }, torque.law);
    loads(data.arm, data.loads, "loads");
    loads(data.arm, data.initial.loads, "initial.loads");
    for (size_t i = 0; i < data.forces.size(); ++i)
      std::visit([&, path = fmt::format("forces[{}]", i)](const auto& f) { this->force(data.arm, f, path); },
                 data.forces[i].force);
    for (size_t i = 0; i < data.initial.loads.size(); ++i)
      if (data.initial.loads[i].scale)
        error(fmt::format("initial.loads[{}].scale", i), "the start is one moment: give the force itself");
    if (data.initial.base && data.arm.base.type != BaseType::free && data.arm.base.type != BaseType::planar)
      error("initial.base", fmt::format("a {} base has no state of its own", word(data.arm.base.type)));
    if (!data.simulate) return;
    const Simulate& simulate = *data.simulate;
    for (const auto& [path, message] : method_problems(simulate)) error(path, message);
    if (simulate.method == Method::midpoint && data.arm.base.type == BaseType::free)
      error("simulate.method", "midpoint takes no free base: its six rates are not rates of coordinates");
  }

  void force(const ArmSpec& arm, const SpringDamper& spring, const std::string& path) {
    const std::string where = path + ".spring_damper";
    std::vector<std::string> names;
    for (const LinkSpec& link : arm.links) names.push_back(link.name);
    auto end = [&](const Attachment& at, const char* key) {
      if (at.link && std::find(names.begin(), names.end(), *at.link) == names.end())
        error(where + key + ".link", fmt::format("no link '{}'{} Links: {}", shortened(*at.link),
                                                 guess_in_sentence(*at.link, names), comma_list(names)));
    };
    end(spring.from, ".from");
    end(spring.to, ".to");
    if (spring.from.link == spring.to.link)
      error(where, "both ends are on the same body: nothing would move between them");
    if (spring.stiffness == 0 && spring.damping == 0) error(where, "expected a stiffness, a damping, or both");
    if (spring.stiffness > 0 && !spring.length)
      error(where + ".length", "missing; expected the length at which the spring is without force");
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
      if (list[i].scale) profile(*list[i].scale, path + ".scale", false);
    }
  }

  void law(const ConstantTorque&, const std::string&) {}
  void law(const Profile& p, const std::string& path) { profile(p, path + ".profile", false); }
  void law(const Pd& c, const std::string& path) {
    command(c.command, path + ".pd");
    if (c.gravity_of != GravityOf::state && !c.gravity_compensation)
      error(path + ".pd.gravity_of", "says whose weight to hold: give gravity_compensation: true");
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
      error(where + ".tracking_time", "only of anti_windup: back-calculation");
    if (c.integral_limit && c.anti_windup != AntiWindup::clamping)
      error(where + ".integral_limit", "only of anti_windup: clamping");
    const bool limited = c.actuation.saturation || c.actuation.envelope;
    if (c.anti_windup == AntiWindup::back_calculation && limited && !c.tracking_time && c.ki > 0 && c.kp == 0 &&
        c.kd == 0)
      error(where + ".tracking_time", "missing; without kp and kd there is none to choose by");
    if (c.anti_windup == AntiWindup::clamping && !c.integral_limit && !c.actuation.saturation)
      error(where + ".integral_limit", "missing; without a saturation there is none to choose by");
  }
  void law(const InputTorque&, const std::string&) {}
  void command(const Command& c, const std::string& path) {
    if (c.follow) profile(*c.follow, path + ".follow", false);
  }

  /// `followed`: another part comes after this one, so it must end.
  void profile(const Profile& profile, const std::string& path, bool followed) {
    if (const auto* p = std::get_if<TrapezoidalVelocity>(&profile.shape); p && p->ramp && *p->ramp > p->in / 2)
      error(path + ".trapezoidal_velocity.ramp",
            fmt::format("expected at most half the move, {:g} s, got {:g} s", p->in / 2, *p->ramp));
    if (const auto* p = std::get_if<TrapezoidalAcceleration>(&profile.shape); p && p->ramp && *p->ramp > p->in / 4)
      error(path + ".trapezoidal_acceleration.ramp",
            fmt::format("expected at most a quarter of the move, {:g} s, got {:g} s", p->in / 4, *p->ramp));
    if (const auto* p = std::get_if<Sinusoid>(&profile.shape); p && followed && !p->duration)
      error(path + ".sinusoid.for", "missing; another part follows, so this one must end");
    if (const auto* p = std::get_if<Lines>(&profile.shape))
      for (size_t i = 1; i < p->points.size(); ++i)
        if (!(p->points[i].at > p->points[i - 1].at))
          error(fmt::format("{}.lines[{}].at", path, i),
                fmt::format("expected a time after the point before, {:g} s, got {:g} s", p->points[i - 1].at,
                            p->points[i].at));
    if (const auto* p = std::get_if<Table>(&profile.shape)) {
      std::error_code unknown;  // then it is for the reader of the table to say why
      const auto bytes = std::filesystem::file_size(p->file, unknown);
      if (!unknown) count_data(bytes, path + ".table.file");
    }
    if (const auto* p = std::get_if<Sequence>(&profile.shape))
      for (size_t i = 0; i < p->parts.size(); ++i)
        this->profile(p->parts[i], fmt::format("{}.sequence[{}]", path, i), followed || i + 1 < p->parts.size());
  }

  void beam(const Beam& beam, const std::string& path) {
    section(beam.section, path + ".section");
    if (beam.tip_section) {
      section(*beam.tip_section, path + ".tip_section");
      if (beam.tip_section->shape.index() != beam.section.shape.index())
        error(path + ".tip_section", "expected a section of the same kind as at the root");
      if (!beam.steps.empty()) error(path + ".steps", "expected either tip_section or steps");
    }
    double previous = 0;
    for (size_t i = 0; i < beam.steps.size(); ++i) {
      const std::string step = fmt::format("{}.steps[{}]", path, i);
      section(beam.steps[i].section, step + ".section");
      const double at = beam.steps[i].at;
      if (beam.length > 0 && at > 0 && !(at > previous && at < beam.length))
        error(step + ".at", fmt::format("expected a place between {:g} m and the tip at {:g} m, got {:g} m", previous,
                                        beam.length, at));
      previous = at;
    }
    if (const auto* elements = std::get_if<Elements>(&beam.flexibility)) mesh(beam, *elements, path + ".flexibility");
    if (const auto* pieces = std::get_if<Segments>(&beam.flexibility)) segments(*pieces, path + ".flexibility");
    damping(beam, path + ".damping");
  }

  /// One stiffness for every hinge or one for all, and none for hinges that do not turn.
  void segments(const Segments& s, const std::string& path) {
    auto count = [&](const std::vector<double>& list, const char* key) {
      if (!list.empty() && list.size() != 1 && int(list.size()) != s.count)
        error(path + ".springs." + key,
              fmt::format("expected {} stiffnesses, one for each hinge, or one for all, got {}", s.count, list.size()));
    };
    auto lock = [&](bool locked, const std::vector<double>& list, const char* key) {
      if (locked && !list.empty())
        error(path + ".locked", fmt::format("{} has springs and cannot be locked too: leave out one of both", key));
    };
    const HingeSprings& given = s.given;
    if (given.bending_y == given.bending_z) {
      count(given.bending_y, "bending");
    } else {
      count(given.bending_y, "bending_y");
      count(given.bending_z, "bending_z");
    }
    count(given.torsion, "torsion");
    if (s.locked.bending_y && s.locked.bending_z && s.locked.torsion)
      return error(path + ".locked", "nothing is left that bends: expected flexibility: rigid");
    lock(s.locked.bending_y, given.bending_y, "bending_y");
    lock(s.locked.bending_z, given.bending_z, "bending_z");
    lock(s.locked.torsion, given.torsion, "torsion");
  }

  void mesh(const Beam& beam, const Elements& elements, const std::string& path) {
    const long n = elements.count, per_node = elements.plane == BendingPlane::both ? 6 : 3;
    if (elements.mesh.empty() && n <= long(beam.steps.size()))
      error(path + ".elements", fmt::format("expected at least one for each of the {} parts between steps, got {}",
                                            beam.steps.size() + 1, n));
    if (!elements.mesh.empty()) {
      double sum = 0;
      std::vector<double> nodes;
      for (double part : elements.mesh) nodes.push_back(sum += part);
      if (n > limits::elements) return;  // said already
      if (long(elements.mesh.size()) != n)
        error(path + ".mesh", fmt::format("expected {} lengths, one per element, got {}", n, elements.mesh.size()));
      else if (std::abs(sum - 1) > 1e-9)
        error(path + ".mesh", fmt::format("expected fractions that sum to 1, got {:.9g}", sum));
      if (beam.steps.size() > size_t(limits::elements) || long(nodes.size()) > limits::elements) return;
      for (const SectionStep& step : beam.steps) {
        auto at_step = [&](double node) { return std::abs(node * beam.length - step.at) <= 1e-9 * beam.length; };
        if (std::none_of(nodes.begin(), nodes.end(), at_step))
          error(path + ".mesh", fmt::format("expected a node at the step at {:g} m", step.at));
      }
    }
    if (!elements.keep) {
      if (elements.reduction != Reduction::craig_bampton)
        error(path + ".reduction", "says how to keep some: give keep");
      return;
    }
    const long least = elements.reduction == Reduction::craig_bampton ? per_node : 1;
    if (*elements.keep < least)
      error(path + ".keep", fmt::format("expected at least {}, the motions of the tip, got {}", least, *elements.keep));
    if (*elements.keep > per_node * n)
      error(path + ".keep", fmt::format("expected at most {}, all there are, got {}", per_node * n, *elements.keep));
  }

  void damping(const Beam& beam, const std::string& path) {
    if (!beam.damping) return;
    if (std::holds_alternative<NoFlexibility>(beam.flexibility)) error(path, "a rigid beam has no damping of its own");
    if (const auto* rayleigh = std::get_if<RayleighDamping>(&*beam.damping);
        rayleigh && rayleigh->alpha > 0 && std::holds_alternative<Segments>(beam.flexibility))
      error(path + ".rayleigh.alpha",
            "springs between segments are damped in proportion to stiffness only: expected 0");
  }

  void section(const Section& section, const std::string& path) {
    if (const auto* numbers = std::get_if<GeneralSection>(&section.shape)) outer_fibres(*numbers, path);
    if (const auto* tube = std::get_if<Tube>(&section.shape); tube && !(tube->inner_diameter < tube->outer_diameter))
      error(path + ".tube.inner_diameter", fmt::format("expected less than the outer diameter {:g} m, got {:g} m",
                                                       tube->outer_diameter, tube->inner_diameter));
    if (const auto* box = std::get_if<Box>(&section.shape);
        box && !(2 * box->thickness < std::min(box->width_y, box->height_z)))
      error(path + ".box.thickness", fmt::format("expected less than half the smaller side, {:g} m, got {:g} m",
                                                 std::min(box->width_y, box->height_z) / 2, box->thickness));
  }

  /// ∫z² dA is at most the area times the square of the largest z.
  void outer_fibres(const GeneralSection& section, const std::string& path) {
    if (section.outer_y.has_value() != section.outer_z.has_value())
      error(path + (section.outer_y ? ".outer_y" : ".outer_z"), "expected both outer_y and outer_z, or neither");
    auto check = [&](const std::optional<double>& outer, double moment, const char* key) {
      const double least = std::sqrt(moment / section.area);
      if (outer && *outer < least)
        error(path + key, fmt::format("expected at least the radius of gyration, {:g} m, got {:g} m", least, *outer));
    };
    check(section.outer_y, section.Iz, ".outer_y");
    check(section.outer_z, section.Iy, ".outer_z");
  }

  void body(const RigidBody& body, const std::string& path) {
    if (body.density && (!body.shape || std::holds_alternative<Rod>(*body.shape)))
      return error(path + ".density", "a density needs a shape with a volume: block, cylinder or sphere");
    const BodyProperties properties = body_properties(body);
    // A thin rod has no inertia about itself by definition: nothing to doubt.
    if (body.shape && std::holds_alternative<Rod>(*body.shape) && !body.inertia) return;
    inertia(properties.inertia_com, properties.mass, path);
  }

  /// A real body's principal moments are positive and none exceeds the sum of the other two.
  void inertia(const Matrix3d& I, double mass, const std::string& path) {
    const std::string where = path + ".inertia";
    const Vector3d principal = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
    const double small = 1e-12 * principal.cwiseAbs().maxCoeff();
    if (principal[0] < -small)
      return error(where, fmt::format("expected no negative principal moment, got {:g}, {:g}, {:g} kg.m^2",
                                      principal[0], principal[1], principal[2]));
    if (mass == 0) warning(path + ".mass", "zero mass");
    if (principal[2] == 0) return;  // a point mass: common, and sound
    if (principal[2] > (principal[0] + principal[1]) * (1 + 1e-9))
      warning(where,
              fmt::format("no body has principal moments {:g}, {:g}, {:g} kg.m^2: the largest exceeds the sum of the "
                          "others",
                          principal[0], principal[1], principal[2]));
    else if (principal[0] <= small)
      warning(where, fmt::format("singular: principal moments {:g}, {:g}, {:g} kg.m^2", principal[0], principal[1],
                                 principal[2]));
  }

  size_t unlisted_ = 0;           // beyond those that are listed
  bool unlisted_errors_ = false;  // some of them are errors
  std::map<std::string, size_t> imported_bytes_;
  size_t data_bytes_ = 0;  // of imported links and tables
};

}  // namespace

std::vector<Problem> check_case(const Case& data) {
  Checker checker;
  checker.check(data);
  return std::move(checker.problems);
}

std::vector<std::pair<std::string, std::string>> method_problems(const Simulate& simulate) {
  std::vector<std::pair<std::string, std::string>> problems;
  auto add = [&](const char* field, const std::string& message) {
    problems.emplace_back(std::string("simulate.") + field, message);
  };
  const bool elements = simulate.formulation == RunFormulation::finite_element;
  const Method method = simulate.method.value_or(elements ? Method::newmark : Method::cvode);
  const bool marches_elements = method == Method::newmark || method == Method::generalised_alpha;
  if (elements && !marches_elements)
    add("method", fmt::format("finite-element marches by newmark or generalised-alpha, not by {}", word(method)));
  if (!elements && marches_elements)
    add("method", fmt::format("{} is a method of the formulation finite-element; the formulation here is {}",
                              word(method), word(simulate.formulation)));
  if (!elements && simulate.model) add("model", "only of the formulation finite-element");
  if (simulate.rho_infinity && method != Method::generalised_alpha) add("rho_infinity", "only of generalised-alpha");
  const bool fixed_step = method == Method::rk4 || method == Method::midpoint;
  if (fixed_step && !simulate.step) add("step", fmt::format("missing; {} takes a fixed step", word(method)));
  if (!fixed_step && !marches_elements && simulate.step)
    add("step", fmt::format("{} chooses its steps by rtol and atol", word(method)));
  return problems;
}

}  // namespace lithe
