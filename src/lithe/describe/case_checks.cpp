#include "lithe/describe/case_checks.h"

#include <fmt/format.h>

#include <set>

#include "lithe/describe/bodies.h"
#include "lithe/describe/field.h"
#include "lithe/describe/spelling.h"

namespace lithe {
namespace {

class Checker {
 public:
  std::vector<Problem> problems;

  void check(const Case& data) {
    base(data.arm.base);
    names(data.arm);
    for (size_t i = 0; i < data.arm.links.size(); ++i) link(data.arm.links[i], fmt::format("arm.links[{}]", i));
    for (const auto& [name, torque] : data.torque)
      if (data.motion.contains(name)) error("torque." + name, fmt::format("joint '{}' has a motion already", name));
  }

 private:
  void error(const std::string& path, std::string message) {
    problems.push_back({Problem::Severity::error, {}, path, std::move(message)});
  }
  void warning(const std::string& path, std::string message) {
    problems.push_back({Problem::Severity::warning, {}, path, std::move(message)});
  }

  void names(const ArmSpec& arm) {
    std::vector<std::string> links{"base"};
    std::set<std::string> used{"base", "tip", "tip_error", "energy", "t", "deformation"};
    for (size_t i = 0; i < arm.links.size(); ++i) {
      const std::string path = fmt::format("arm.links[{}]", i);
      const LinkSpec& link = arm.links[i];
      if (link.parent && std::find(links.begin(), links.end(), *link.parent) == links.end())
        error(path + ".parent", fmt::format("no link '{}' before this one{} Links so far: {}", *link.parent,
                                            guess_in_sentence(*link.parent, links), comma_list(links)));
      unique(used, link.name, path + ".name");
      unique(used, link.joint.name, path + ".joint.name");
      links.push_back(link.name);
    }
  }
  void unique(std::set<std::string>& used, const std::string& name, const std::string& path) {
    if (!used.insert(name).second) error(path, fmt::format("the name '{}' is taken", name));
  }

  void base(const BaseSpec& base) {
    const bool has_body = base.type == BaseType::planar || base.type == BaseType::free;
    if (base.body && !has_body)
      error("arm.base.rigid", fmt::format("a {} base has no body of its own", word(base.type)));
    if (!base.body && base.type == BaseType::free)
      error("arm.base", "a free base needs a body: {type: free, rigid: {mass: …, inertia: …}}");
    if (base.body) body(*base.body, "arm.base.rigid");
    if (base.motion && base.type != BaseType::moving)
      error("arm.base.motion", fmt::format("only a moving base has a given motion, this one is {}", word(base.type)));
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
    if (link.beam) section(link.beam->section, path + ".beam.section");
    if (link.rigid) body(*link.rigid, path + ".rigid");
    if (link.payload) inertia(link.payload->inertia.matrix(), link.payload->mass, path + ".payload");
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
    if (!moves && (joint.damping != 0 || joint.friction || joint.spring || joint.limits || joint.motor))
      error(path, "a fixed joint takes no damping, friction, spring, limits or motor");
  }

  void section(const Section& section, const std::string& path) {
    if (const auto* tube = std::get_if<Tube>(&section.shape); tube && !(tube->inner_diameter < tube->outer_diameter))
      error(path + ".tube.inner_diameter", fmt::format("expected less than the outer diameter {:g} m, got {:g} m",
                                                       tube->outer_diameter, tube->inner_diameter));
    if (const auto* box = std::get_if<Box>(&section.shape);
        box && !(2 * box->thickness < std::min(box->width_y, box->height_z)))
      error(path + ".box.thickness", fmt::format("expected less than half the smaller side, {:g} m, got {:g} m",
                                                 std::min(box->width_y, box->height_z) / 2, box->thickness));
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
};

}  // namespace

std::vector<Problem> check_case(const Case& data) {
  Checker checker;
  checker.check(data);
  return std::move(checker.problems);
}

}  // namespace lithe
