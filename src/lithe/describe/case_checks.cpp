#include "lithe/describe/case_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "lithe/describe/bodies.h"
#include "lithe/describe/case.h"
#include "lithe/describe/case_limits.h"
#include "lithe/describe/checked_problems.h"
#include "lithe/describe/density_formula.h"
#include "lithe/describe/field.h"
#include "lithe/describe/imported_link.h"
#include "lithe/describe/joint_checks.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/whole_file.h"

namespace lithe {
namespace {

class Checker : CheckBase {
 public:
  explicit Checker(CheckedProblems& problems) : CheckBase(problems) {}

  void check(const Case& data) {
    for (const auto& [path, message] : limit_problems(data)) error(path, message);
    base(data.arm.base);
    names(data.arm);
    for (size_t i = 0; i < data.arm.links.size(); ++i) {
      const std::string path = fmt::format("arm.links[{}]", i);
      link(data.arm.links[i], path);
      if (data.arm.links[i].joint.guide) guide(data, data.arm.links[i], path);
      shear(data.arm, data.arm.links[i], path + ".beam.flexibility.strains");
    }
    if (problems_.too_much()) return;  // others ask for bodies again
    air(data);
    for (auto& [path, message] : joint_map_problems(data)) error(path, std::move(message));
    for (const auto& [name, torque] : data.torque)
      if (data.motion.contains(name)) error("torque." + name, fmt::format("joint '{}' already has a motion", name));
    check_run(data, problems_);
    check_events(data, problems_);
    check_gauges(data, problems_);
  }

  void payload(const LinkSpec& link, const Payload& payload, const std::string& path) {
    inertia(payload.inertia.matrix(), payload.mass, path);
    if (!payload.at || link.imported) return;  // places on an imported link are its nodes, which Arm::assemble checks
    if (link.rigid && fault_of(*link.rigid)) return;  // which is reported
    const double length = length_of(link);
    if (!(*payload.at >= 0 && *payload.at <= length))
      error(path + ".at",
            fmt::format("expected a place on the link, from 0 to its tip at {:g} m, got {:g} m", length, *payload.at));
    else if (link.joint.guide && *payload.at < length)
      error(path + ".at", "a beam in a guide carries payloads on its tip only: leave out `at`");
  }

 private:
  void names(const ArmSpec& arm) {
    std::vector<std::string> links{"base"};
    std::set<std::string> so_far{"base"}, used;
    size_t next_mount = 0;
    for (size_t i = 0; i < arm.links.size(); ++i) {
      const std::string path = fmt::format("arm.links[{}]", i);
      const LinkSpec& link = arm.links[i];
      if (i > 0 && next_mount < arm.mounts.size() && link.name == arm.mounts[next_mount].link) {
        mounted_on(arm, i, next_mount);
        links = {"base"};  // a carried arm: its links see only their own base
        so_far = {"base"};
        ++next_mount;
      }
      if (link.parent && !so_far.contains(*link.parent))
        error(path + ".parent", fmt::format("no link '{}' before this one{} Links so far: {}", shortened(*link.parent),
                                            guess_in_sentence(*link.parent, links), comma_list(links)));
      if (link.name.empty()) continue;  // could not be read
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
  void mounted_on(const ArmSpec& arm, size_t first, size_t i_mount) {
    const std::optional<std::string>& onto = arm.mounts[i_mount].onto;
    if (!onto) return;
    std::vector<std::string> before;
    for (size_t i = 0; i < first; ++i) before.push_back(arm.links[i].name);
    if (std::find(before.begin(), before.end(), *onto) == before.end())
      error(fmt::format("arm.mounts[{}].onto", i_mount),
            fmt::format("no link '{}' before the carried arm{} Links so far: {}", shortened(*onto),
                        guess_in_sentence(*onto, before), comma_list(before)));
  }
  void unique(std::set<std::string>& used, const std::string& name, const std::string& path) {
    const std::vector<std::string>& reserved = reserved_names();
    if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
      return error(path, fmt::format("the name '{}' is reserved", name));
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
      error("arm.base.motion", fmt::format("only a moving base has a given motion; this base is {}", word(base.type)));
    if (base.axle && base.type != BaseType::planar)
      error("arm.base.axle", fmt::format("only a planar base has wheels; this base is {}", word(base.type)));
    if (base.type == BaseType::free && !(base.origin == Origin{}))
      error("arm.base.origin", "a free base starts from the pose in `initial.base`: leave out `origin`");
    if (base.motion) {
      const Vector3d &w = base.motion->angular_velocity, &a = base.motion->angular_acceleration;
      if (w.cross(a).norm() > 1e-12 * w.norm() * a.norm())
        error("arm.base.motion.angular_acceleration", "expected a vector parallel to angular_velocity");
      given_profiles(*base.motion);
    }
  }

  void given_profiles(const GivenMotion& motion) {
    const bool constant = !motion.velocity.isZero(0) || !motion.acceleration.isZero(0) ||
                          !motion.angular_velocity.isZero(0) || !motion.angular_acceleration.isZero(0);
    bool said = !constant;
    for (const auto& [name, given] : motion.profiles()) {
      if (!*given) continue;
      const std::string path = fmt::format("arm.base.motion.{}", name);
      check_profile(**given, path, problems_);
      if (!said)
        error(path, "expected either profiles (x, y, z, roll, pitch, yaw), or velocities and constant accelerations");
      said = true;
    }
  }

  void link(const LinkSpec& link, const std::string& path) {
    for (auto& [field, message] : joint_problems(link.joint)) error(path + ".joint" + field, std::move(message));
    if (link.beam) check_beam(*link.beam, path + ".beam", problems_);
    if (link.imported && !link.imported->file.empty()) {
      try {
        imported(link.imported->file, path + ".imported.file");
      } catch (const std::system_error& failure) {
        error(path + ".imported.file", fmt::format("cannot read {}: {}", in_quotes(link.imported->file, 300),
                                                   why_unread(failure.code(), limits::data_file_bytes)));
      }
    }
    if (link.rigid && (link.rigid->mass || link.rigid->density || !link.rigid->density_formula.empty()))
      body(*link.rigid, path + ".rigid");
    if (problems_.too_much()) return;
    for (size_t k = 0; k < link.payloads.size(); ++k)
      payload(link, link.payloads[k], item_path(path + ".payload", link.payloads.size(), k));
  }

  /// Checks each file once, even where several links use it, but counts its bytes every time.
  void imported(const std::string& file, const std::string& path) {
    const auto known = imported_bytes_.find(file);
    if (known != imported_bytes_.end()) return problems_.count_data(known->second, path);
    const std::string text = whole_file(file, limits::data_file_bytes);
    imported_bytes_.emplace(file, text.size());
    problems_.count_data(text.size(), path);
    if (!problems_.too_much_data()) read_imported_link(text, file, problems_.list());
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
        error(path + ".trailing", "expected a vector perpendicular to the link's x axis, along which the span runs");
      if (link.rigid && !(length_of(link) > 0) && !fault_of(*link.rigid))
        error(path, "a rigid link that carries a surface needs its length");
      if (link.imported) error(path, "only beams and rigid links carry surfaces");
      if (link.joint.guide) error(path, "a beam in a guide carries no surface");
    }
    if (!data.wind) return;
    const WindSpec& wind = *data.wind;
    if (!any) error("wind", "no link has a surface for the wind to act on");
    if (!(wind.direction.norm() > 0)) return error("wind.direction", "expected a vector other than zero");
    if (!(wind.up.cross(wind.direction).norm() > 1e-9 * wind.up.norm() * wind.direction.norm()))
      return error("wind.up", "expected a vector that is not along the wind's direction");
    if (wind.mirror) {
      const Vector3d& n = *wind.mirror;
      if (!(n.norm() > 0)) return error("wind.mirror", "expected a vector other than zero");
      const Vector3d velocity = wind_velocity(wind);
      if (std::abs(n.dot(velocity)) > 1e-9 * n.norm() * velocity.norm())
        error("wind.mirror", "expected the normal of a plane parallel to the wind, which must not blow through it");
      else if (wind.incidence_over_time && std::abs(n.dot(wind.up)) > 1e-9 * n.norm() * wind.up.norm())
        error("wind.mirror", "expected the normal of a plane parallel to `up`, towards which the wind turns");
    }
    if (wind.speed_over_time) check_profile(*wind.speed_over_time, "wind.speed_over_time", problems_);
    if (wind.incidence_over_time) check_profile(*wind.incidence_over_time, "wind.incidence_over_time", problems_);
    for (size_t i = 0; i < wind.gusts.size(); ++i) gust(wind, i);
  }

  void gust(const WindSpec& wind, size_t i) {
    const bool smooth = std::holds_alternative<OneMinusCosine>(wind.gusts[i].gust);
    const std::string path = fmt::format("wind.gusts[{}].{}", i, smooth ? "one_minus_cosine" : "sharp_edged");
    const Vector3d direction =
        std::visit([&](const auto& gust) { return gust.direction.value_or(wind.up); }, wind.gusts[i].gust);
    if (!(direction.norm() > 0)) return error(path + ".direction", "expected a vector other than zero");
    if (wind.mirror && std::abs(wind.mirror->dot(direction)) > 1e-9 * wind.mirror->norm() * direction.norm())
      error(path + ".direction", "expected a direction in the plane of `mirror`, through which no air blows");
    if (wind.speed_over_time || wind.incidence_over_time)
      error(path, "a gust comes with a constant wind: leave out speed_over_time and incidence_over_time");
  }

  /// Shear moves sections without turning the axis: only rotary inertia makes that a motion of its own.
  void shear(const ArmSpec& arm, const LinkSpec& link, const std::string& path) {
    const auto* strains = link.beam ? std::get_if<StrainTerms>(&link.beam->flexibility) : nullptr;
    if (strains == nullptr || arm.rotary_inertia || strains->shear_y + strains->shear_z == 0) return;
    error(path + (strains->shear_y > 0 ? ".shear_y" : ".shear_z"),
          "shear needs the sections' rotary inertia: leave out `rotary_inertia: false`, or the terms of shear");
  }

  /// A guide needs a uniform beam of linear elements that slides along its own axis, and holds a part of the beam.
  void guide(const Case& data, const LinkSpec& link, const std::string& path) {
    const JointSpec& joint = link.joint;
    const std::string where = path + ".joint.guide";
    if (coordinate_count(joint.type) != 1 || joint_unit(joint.type) != CoordinateUnit::metres)
      return error(where,
                   fmt::format("only a sliding joint moves a beam through a guide; this joint is {}", joint.type));
    if (joint.dh || !joint.axis || joint.axis->normalized().x() < 1 - 1e-12)
      error(joint.axis ? path + ".joint.axis" : where, "a guide needs the axis along the beam: [1, 0, 0]");
    if (!link.beam) return error(where, "only a beam slides through a guide");
    const Beam& beam = *link.beam;
    const auto* elements = std::get_if<Elements>(&beam.flexibility);
    if (elements == nullptr || elements->element != ElementKind::linear || elements->keep)
      error(path + ".beam.flexibility", "a beam in a guide must have {elements: N, element: linear} without `keep`");
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
                               "(joint) - {:g} m (exit) = {:g} m at the start",
                               beam.length, beam.length, q, joint.guide->exit, free));
  }

  void body(const RigidBody& body, const std::string& path) {
    if (body.density && (!body.shape || std::holds_alternative<Rod>(*body.shape)))
      return error(path + ".density", "a density needs a shape with a volume: block, cylinder, sphere or mesh");
    if (const auto* mesh = body.shape ? std::get_if<Mesh>(&*body.shape) : nullptr) {
      if (mesh->file.empty()) return;  // could not be read
      std::error_code none;
      const auto bytes = std::filesystem::file_size(mesh->file, none);
      if (!none) problems_.count_data(size_t(bytes), path + ".shape.mesh.file");
    }
    if (problems_.too_much()) return;
    if (!body.density_formula.empty() && body.shape) {
      const DensityCost cost = density_cost(body.density_formula, *body.shape);
      problems_.count_formula(cost.key, cost.operations, path + ".density_formula");
    }
    if (const auto fault = fault_of(body)) return error(path + fault->field, fault->message);
    const BodyProperties properties = body_properties(body);
    // By definition, a thin rod has no inertia about its own axis.
    if (body.shape && std::holds_alternative<Rod>(*body.shape) && !body.inertia) return;
    inertia(properties.inertia_com, properties.mass, path);
  }

  /// The principal moments of a real body are positive, and none exceeds the sum of the other two.
  void inertia(const Matrix3d& I, double mass, const std::string& path) {
    const std::string where = path + ".inertia";
    const Vector3d principal = Eigen::SelfAdjointEigenSolver<Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
    const double small = 1e-12 * principal.cwiseAbs().maxCoeff();
    if (principal[0] < -small)
      return error(where, fmt::format("expected no negative principal moment, got {:g}, {:g}, {:g} kg.m^2",
                                      principal[0], principal[1], principal[2]));
    if (mass == 0) warning(path + ".mass", "zero mass");
    if (principal[2] == 0) return;  // a point mass, which is fine
    if (principal[2] > (principal[0] + principal[1]) * (1 + 1e-9))
      warning(where,
              fmt::format(
                  "no body has principal moments {:g}, {:g}, {:g} kg.m^2: the largest exceeds the sum of the others",
                  principal[0], principal[1], principal[2]));
    else if (principal[0] <= small)
      warning(where, fmt::format("singular: principal moments {:g}, {:g}, {:g} kg.m^2", principal[0], principal[1],
                                 principal[2]));
  }

  std::map<std::string, size_t> imported_bytes_;
};

}  // namespace

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names{"base",   "tip", "tip_error",   "tip_turn",
                                              "energy", "t",   "deformation", "loads"};
  return names;
}

void check_payload(const LinkSpec& link, const Payload& payload, const std::string& path, CheckedProblems& problems) {
  Checker(problems).payload(link, payload, path);
}

std::vector<Problem> check_case(const Case& data) {
  CheckedProblems problems;
  Checker(problems).check(data);
  return problems.finished();
}

}  // namespace lithe
