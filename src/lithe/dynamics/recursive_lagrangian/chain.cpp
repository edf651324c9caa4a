#include "lithe/dynamics/recursive_lagrangian/chain.h"

#include <fmt/format.h>

#include "lithe/dynamics/recursive_lagrangian/matrix4.h"

namespace lithe::book83 {
namespace {

std::string path_of(const Link& link, const char* field) { return fmt::format("arm.links[{}].{}", link.i_case, field); }

/// Rejects a link that is outside book83's domain; `previous` is the one before it in the chain.
void demand_inside(const Arm& arm, const Link& link, int previous) {
  if (link.role == LinkRole::base)
    throw UnsupportedError(
        "arm.base",
        fmt::format(
            "expected fixed or moving: recursive-lagrangian does not support coordinates of the base, such as '{}'",
            link.joint_name));
  const auto axis = link.joint->single_axis();
  if (link.nv() > 0 && !(axis && axis->turns))
    throw UnsupportedError(path_of(link, "joint.type"),
                           fmt::format("expected a joint that turns about one axis, or a fixed one: "
                                       "recursive-lagrangian supports no others, but '{}' is {}",
                                       link.joint_name, link.joint->word()));
  if (link.parent != previous)
    throw UnsupportedError(path_of(link, "parent"),
                           fmt::format("expected '{}': recursive-lagrangian is for chains, but joint '{}' branches off",
                                       previous < 0 ? "base" : arm.link(previous).name, link.joint_name));
  if (!link.flex) return;
  // Mass on the neutral axis alone: the modal masses are then the traces of the C_kj, and no section turns.
  for (const AlongBody& body : link.along)
    if (!body.body.inertia_com.isZero(0))
      throw UnsupportedError(body.path + ".inertia",
                             fmt::format("expected none: recursive-lagrangian has no rotary inertia, but a body along "
                                         "the bending link '{}' turns with its section",
                                         link.name));
  const FlexBasis& flex = *link.flex;
  const MatrixXd M = flex.M, trace = MatrixXd(flex.P[0]) + MatrixXd(flex.P[4]) + MatrixXd(flex.P[8]);
  const double largest = M.cwiseAbs().maxCoeff();
  if (!flex.j0.isZero(0) || !flex.H.isZero(0) || (M - trace).cwiseAbs().maxCoeff() > 1e-12 * largest)
    throw UnsupportedError("arm.rotary_inertia",
                           fmt::format("expected false: recursive-lagrangian has the mass of a bending link on its "
                                       "neutral axis, but the sections of '{}' have rotary inertia",
                                       link.name));
}

/// ½∫h hᵀ dm = ½[m sᵀ; s Σ]: book83's inertia matrices carry the ½. Σ = ½(tr J) 1 − J, whether or not any real body has
/// that J.
Eigen::Matrix4d half_moments(const RigidInertia& body) {
  Eigen::Matrix4d C;
  C << body.mass, body.first_moment.transpose(), body.first_moment, body.J.trace() / 2 * Matrix3d::Identity() - body.J;
  return C / 2;
}

ChainLink joint_of(const Link& link) {
  ChainLink result;
  result.A_0 = transformation(link.X_PF.R, link.X_PF.p);
  if (const auto joint = link.joint->single_axis()) {
    // Turning about the unit vector a: aaᵀ + [a]× sin q + (1 − aaᵀ) cos q.
    result.q = link.v0;
    const Vector3d& a = joint->axis;
    const Matrix3d along = a * a.transpose();
    result.A_0 = transformation<double>(link.X_PF.R * along, link.X_PF.p);
    rotation(result.A_sin) = link.X_PF.R * skew(a);
    rotation(result.A_cos) = link.X_PF.R * (Matrix3d::Identity() - along);
  }
  return result;
}

}  // namespace

Chain::Chain(const Arm& arm)
    : links(1),
      g(arm.gravity()),
      base_moves(arm.root_moves()),
      small_tip_rotation(arm.tip_rotation() == TipRotation::small),
      shortcuts(small_tip_rotation && arm.inertia_order() == InertiaOrder::first_order) {
  int previous = -1;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (link.role == LinkRole::rotor) continue;
    demand_inside(arm, link, previous);
    previous = i;
    ChainLink here = joint_of(link);
    here.H = transformation(link.X_BT.R, link.X_BT.p);
    if (!link.flex) {
      here.C = half_moments(link.whole_inertia());
      links.push_back(here);
      continue;
    }
    here.flex = link.flex.get();
    here.delta = link.flex_v0();
    links.push_back(here);
    if (link.payload_T.mass == 0 && link.payload_T.J.isZero(0)) continue;
    ChainLink payload;
    payload.C = half_moments(link.payload_T);
    links.push_back(payload);
  }
}

}  // namespace lithe::book83
