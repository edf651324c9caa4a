#include "lithe/dynamics/recursive_lagrangian/chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/dynamics/recursive_lagrangian/matrix4.h"

namespace lithe::book83 {
namespace {

std::string path_of(const Link& link, const char* field) { return fmt::format("arm.links[{}].{}", link.i_case, field); }

/// Rejects a link that is outside book83's domain; `previous` is the one before it in the chain.
void demand_inside(const Arm& arm, const Link& link, int previous) {
  if (link.parent == previous) return;
  throw UnsupportedError(path_of(link, "parent"),
                         fmt::format("expected '{}': recursive-lagrangian is for chains, but joint '{}' branches off",
                                     previous < 0 ? "base" : arm.link(previous).name, link.joint_name));
}

/// ½∫h hᵀ dm = ½[m sᵀ; s Σ]: book83's inertia matrices carry the ½. Σ = ½(tr J) 1 − J, whether or not any real body has
/// that J.
Eigen::Matrix4d half_moments(const RigidInertia& body) {
  Eigen::Matrix4d C;
  C << body.mass, body.first_moment.transpose(), body.first_moment, body.J.trace() / 2 * Matrix3d::Identity() - body.J;
  return C / 2;
}

using Kind = ElementaryMotion::Kind;

/// Joins one more elementary motion to what a link's joint matrix is so far, without a coordinate of its own or with the same.
///
///   a turn about the unit vector a:  aaᵀ + [a]× sin q + (1 − aaᵀ) cos q      a slide along it:  q a
void add_motion(ChainLink& link, const ElementaryMotion& motion) {
  const Vector3d& a = motion.axis;
  const Matrix3d R = link.A_0.bottomRightCorner<3, 3>();
  if (motion.kind == Kind::turn) {
    const Matrix3d along = a * a.transpose();
    link.turns = true;
    rotation(link.A_0) = R * along;
    rotation(link.A_sin) = R * skew(a);
    rotation(link.A_cos) = R * (Matrix3d::Identity() - along);
  } else {
    // On the axis of a turn by the same coordinate R aaᵀ a = R a still: a screw.
    link.slides = true;
    link.A_slide.bottomLeftCorner<3, 1>() = motion.factor * (R * a);
  }
}

/// Whether a motion goes on with the coordinate of the one before it, along the same axis: the slide of a screw.
bool continues(const ElementaryMotion& motion, const ElementaryMotion& before) {
  return motion.index == before.index && before.kind == Kind::turn && motion.kind == Kind::slide &&
         motion.axis == before.axis;
}

/// Whether a joint is a product of turns and slides, each by a coordinate of its own (both of them by one along a screw), whose
/// rates are those of z: what Lagrange's equations with A_j(q_j) take.
bool is_product(const Joint& joint, const std::vector<ElementaryMotion>& steps) {
  if (joint.nv() == 0) return true;
  if (!joint.rates_are_coordinates() || joint.nq() != joint.nv()) return false;
  std::vector<int> uses(size_t(joint.nv()), 0);
  for (size_t i = 0; i < steps.size(); ++i) {
    const ElementaryMotion& step = steps[i];
    if (step.kind != Kind::turn && step.kind != Kind::slide) return false;
    if (step.kind == Kind::turn && step.factor != 1) return false;
    if (i > 0 && continues(step, steps[i - 1])) continue;
    if (++uses[size_t(step.index)] > 1) return false;
  }
  return std::find(uses.begin(), uses.end(), 0) == uses.end();
}

/// The joint of a link: all but the last entry are links without mass and extent.
std::vector<ChainLink> joints_of(const Link& link) {
  const std::vector<ElementaryMotion> steps = link.joint->steps();
  if (!is_product(*link.joint, steps)) {
    const bool base = link.role == LinkRole::base;
    throw UnsupportedError(
        base ? "arm.base" : path_of(link, "joint.type"),
        fmt::format("expected {}: recursive-lagrangian has a matrix A(q) for each coordinate, but '{}' is {}; "
                    "articulated, kane and lagrange cover it",
                    base ? "fixed, planar or moving" : "a joint made of turns about axes and slides along them",
                    base ? "base" : link.joint_name, link.joint->word()));
  }
  std::vector<ChainLink> joints(1);
  joints[0].A_0 = transformation(link.X_PF.R, link.X_PF.p);
  for (size_t i = 0; i < steps.size(); ++i) {
    if (i > 0 && !continues(steps[i], steps[i - 1])) joints.emplace_back();
    joints.back().q = link.v0 + steps[i].index;
    add_motion(joints.back(), steps[i]);
  }
  return joints;
}

/// The section's own inertia along a bending link: ½∫ wᵀ j w dx with w = ω + θ̇ in link axes, j constant there (docs/model.md).
/// With A = ∫ρρᵀ dm of sections, where j = tr A − A, this is
///
///   Tr{Ẇ ½A Ẇᵀ} + 2 Σ_k δ̇_k Tr{Ẇ C'_k Wᵀ} + ½ δ̇ᵀ M' δ̇      C'_k = −¼[H_k]×,  H_k = ∫j ψ_k dx,  M'_kl = ∫ψ_kᵀ j ψ_l dx
///
/// as long as W turns: the paper's kinetic energy (eq 22) with ½A among C and C'_k among C_k. C'_k is antisymmetric, so it
/// leaves B_3 alone; M', which would be the trace of C_kl, is kept by itself. With `small` the same is taken as the definition.
void add_rotary(ChainLink& link) {
  const FlexBasis& flex = *link.flex;
  link.has_rotary = !flex.j0.isZero(0) || !flex.H.isZero(0);
  if (!link.has_rotary) return;
  link.rotary_moments = flex.j0.trace() / 2 * Matrix3d::Identity() - flex.j0;
  link.rotary_mass = flex.M - SparseMatrixd(flex.P[0] + flex.P[4] + flex.P[8]);
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
    std::vector<ChainLink> joints = joints_of(link);
    links.insert(links.end(), joints.begin(), joints.end() - 1);
    ChainLink here = joints.back();
    here.H = transformation(link.X_BT.R, link.X_BT.p);
    if (!link.flex) {
      here.C = half_moments(link.whole_inertia());
      links.push_back(here);
      continue;
    }
    here.flex = link.flex.get();
    here.delta = link.flex_v0();
    add_rotary(here);
    links.push_back(here);
    if (link.payload_T.mass == 0 && link.payload_T.J.isZero(0)) continue;
    ChainLink payload;
    payload.C = half_moments(link.payload_T);
    links.push_back(payload);
  }
}

}  // namespace lithe::book83
