#include "lithe/derive/denavit_hartenberg.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "lithe/describe/bodies.h"

namespace lithe::derive {
namespace {

Pose turn(int axis, double angle) {
  return {Eigen::AngleAxisd(angle, Vector3d::Unit(axis)).toRotationMatrix(), Vector3d::Zero()};
}
Pose shift(double x, double z) { return {Matrix3d::Identity(), {x, 0, z}}; }

/// 0.15005 where `150.05 mm` came out as 0.15005000000000002 m.
double rounded(double value) { return std::stod(fmt::format("{:.15g}", value)); }

/// A turn by one of the parameters: its number where that is a multiple of 90°, as everywhere in these equations.
void add_turn(Way& way, int axis, const std::string& letter, const std::string& joint, double angle,
              const char* meaning, const std::string& token, const std::string& latex, Names& names) {
  const double quarters = angle / (std::numbers::pi / 2);
  if (std::abs(quarters - std::round(quarters)) < 1e-12 || names.numbers()) {
    way.push_back(ConstantTurn{turn(axis, angle).R});
    return;
  }
  const ex named = names.parameter(letter, joint, "", angle, meaning);
  if (!named.is_zero()) way.push_back(Turn{axis, 1, token, latex, named});  // else neglected
}

}  // namespace

Way DhLink::to_joint(int number, Names& names) const {
  const std::string& joint = spec.joint.name;
  Way way;
  if (dh.convention == DhConvention::modified) way = to_frame(number, names);
  way.push_back(Shift{{0, 0, names.parameter("d", joint, "", rounded(dh.d), "Denavit-Hartenberg d")}});
  // Last, so that a joint that turns adds its coordinate to it.
  add_turn(way, 2, "theta", joint, dh.theta, "Denavit-Hartenberg theta, at zero of the joint",
           fmt::format("t{}", number), fmt::format("\\vartheta_{{{}}}", number), names);
  // A beam spans a and has the axes of its frame, so that alpha comes before it.
  if (spec.beam && dh.convention == DhConvention::standard) way.push_back(ConstantTurn{turn(0, dh.alpha).R});
  return way;
}

Way DhLink::to_frame(int number, Names& names) const {
  const std::string& joint = spec.joint.name;
  Way way{Shift{{names.parameter("a", joint, "", rounded(dh.a), "Denavit-Hartenberg a"), 0, 0}}};
  add_turn(way, 0, "alpha", joint, dh.alpha, "Denavit-Hartenberg alpha", fmt::format("a{}", number),
           fmt::format("\\alpha_{{{}}}", number), names);
  return way;
}

Pose DhLink::joint_pose() const {
  const Pose along_axis = turn(2, dh.theta) * shift(0, dh.d);
  if (dh.convention == DhConvention::modified) return turn(0, dh.alpha) * shift(dh.a, 0) * along_axis;
  return spec.beam ? along_axis * turn(0, dh.alpha) : along_axis;
}

Pose DhLink::frame_pose() const { return ends_in_its_frame() ? shift(dh.a, 0) * turn(0, dh.alpha) : Pose{}; }

RigidInertia DhLink::body_in_frame(const RigidInertia& M_B) const {
  const BodyProperties given = body_properties(*spec.rigid);
  const RigidInertia body = RigidInertia::about_com(given.mass, given.com, given.inertia_com),
                     seen = M_B.seen_from(frame_pose().inverse());
  const double tolerance = 1e-12;
  const bool same =
      std::abs(seen.mass - body.mass) <= tolerance * seen.mass &&
      (seen.first_moment - body.first_moment).norm() <= tolerance * (seen.mass + seen.first_moment.norm()) &&
      (seen.J - body.J).norm() <= tolerance * (seen.mass + seen.J.norm());
  return same ? body : seen;
}

std::optional<DhLink> dh_link(const Case* data, const Link& link) {
  if (data == nullptr || link.i_case < 0 || link.role != LinkRole::body) return std::nullopt;
  const LinkSpec& spec = data->arm.links[size_t(link.i_case)];
  if (!spec.joint.dh || !(spec.rigid || spec.beam)) return std::nullopt;
  if (stands_on_axis(spec))
    throw UnsupportedError(
        fmt::format("arm.links[{}].joint.dh", link.i_case),
        "closed-form equations take a beam along the joint's axis from `origin` and `axis`, not from `dh`");
  return DhLink{spec, *spec.joint.dh};
}

}  // namespace lithe::derive
