// What sections of exact links bear: against the strains that the recursion's equations of motion give them (weak equilibrium), against
// closed forms of bent cantilevers, and against the joint's reaction, which comes from the link's blocks of inertia.
#include "lithe/dynamics/exact_sections.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "lithe/beam/exact/strain_basis.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/gauges.h"
#include "lithe/dynamics/internal_forces.h"
#include "lithe/dynamics/link_stress.h"
#include "lithe/spatial/quadrature.h"
#include "support/allocation_count.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

constexpr double length = 2, EI = 30;

constexpr double body_at = 0.7 * length;  // where resultants jump

std::vector<QuadraturePoint> test_points() {
  std::vector<QuadraturePoint> points = gauss_points(0, body_at, 10);
  for (const QuadraturePoint& point : gauss_points(body_at, length, 8)) points.push_back(point);
  return points;
}

/// One link on a joint, with stations at the points above beside the usual ones.
Case bent_case(const StrainTerms& terms, bool hinged, bool body) {
  Case data;
  data.arm.gravity = {3, -4, -7};
  LinkSpec link;
  link.name = "beam";
  link.joint.name = "root";
  link.joint.type = hinged ? "revolute" : "fixed";
  if (hinged) link.joint.axis = Vector3d(0.6, 0, 0.8);
  const double E = EI / (0.1 * std::pow(0.2, 3) / 12);
  link.beam = Beam{length, {"", E, 0.3, 100, {}}, {.shape = Rectangle{0.2, 0.1}}, terms};
  if (body) link.payloads.push_back({0.4, {0.03, -0.05, 0.02}, {0.004, 0.006, 0.005, 0.001, 0, 0}, body_at});
  data.arm.links.push_back(link);
  int n = 0;
  for (const QuadraturePoint& point : test_points())
    data.gauges.push_back({.name = "g" + std::to_string(++n), .link = "beam", .at = point.x});
  return data;
}

/// Higher terms are smaller, as those of smooth motions are; strains of the axis smaller than curvatures.
State smoothly_bent(const Arm& arm, std::uint32_t seed) {
  const Link& link = arm.link(0);
  const StrainBasis& basis = *link.flex->exact;
  State state = State::zero(arm);
  state.q.head(link.nq()).setConstant(0.4);
  state.v.head(link.nv()).setConstant(1.3);
  for (int k = 0; k < basis.size(); ++k) {
    const double share = std::pow(0.15, basis.terms[size_t(k)].k) * (basis.turns[size_t(k)] ? 1 : 0.1);
    state.q[link.flex_q0() + k] = share * random_vector(1, seed + unsigned(k), 1)[0];
    state.v[link.flex_v0() + k] = share * random_vector(1, seed + unsigned(k) + 100, 1)[0];
  }
  return state;
}

/// The work of resultants on the strains of coordinate k, ∫ (strain shape of k) · (resultants) dx, is that of the inertia forces: what
/// inverse dynamics asks of k without elastic forces, from its own blocks and without sections. The worst difference over the largest.
double weak_residual(const StrainTerms& terms, bool hinged, bool body) {
  const Arm arm = Arm::assemble(bent_case(terms, hinged, body));
  const Link& link = arm.link(0);
  const FlexBasis& flex = *link.flex;
  const State state = smoothly_bent(arm, 7);
  const VectorXd vdot = 5 * smoothly_bent(arm, 11).v;
  VectorXd asked(arm.nv()), passive = VectorXd::Zero(arm.nv());
  Articulated(arm).inverse(state, vdot, asked);
  add_passive_forces(arm, state, true, true, passive);
  const VectorXd inertia = (asked - passive).segment(link.flex_v0(), flex.size());
  InternalForces internal(arm);
  internal.update(state, vdot, {});
  const InternalForces::Along& along = internal.along(0);
  VectorXd work = VectorXd::Zero(flex.size());
  for (const QuadraturePoint& point : test_points()) {
    const auto& x = flex.stations.x;
    const auto station = std::ranges::min_element(x, {}, [&](double at) { return std::abs(at - point.x); }) - x.begin();
    Vector6d resultant;
    resultant << along.moment.col(station), along.force.col(station);
    work += point.weight * flex.exact->strain_shapes(point.x / length).transpose() * resultant;
  }
  return (work + inertia).cwiseAbs().maxCoeff() / inertia.cwiseAbs().maxCoeff();
}

TEST(ExactSections, ResultantsDoTheWorkOfInertiaForcesOnStrains) {
  for (const bool hinged : {false, true})
    for (const bool body : {false, true}) {
      SCOPED_TRACE(::testing::Message() << "hinged " << hinged << ", body " << body);
      // Rotations in space are of order 4 in the length of an interval, a fifth to a ninth of the link: 1e-4 and 1e-5 here.
      EXPECT_LT(weak_residual({2, 2, 2}, hinged, body), 2e-4);
      EXPECT_LT(weak_residual({6, 6, 6}, hinged, body), 2e-5);
      EXPECT_LT(weak_residual({2, 2, 2, 2, 2, 2}, hinged, body), 2e-4);
      EXPECT_LT(weak_residual({6, 6, 6, 6, 6, 6}, hinged, body), 2e-5);
    }
  // In a plane they are exact, and the rest is spectral.
  EXPECT_LT(weak_residual({6}, false, false), 1e-8);
  EXPECT_LT(weak_residual({0, 6, 0, 3}, true, false), 1e-8);
}

/// δ in equilibrium with a force at the tip, by Newton's method with slopes by differences.
VectorXd balanced(const StrainBasis& basis, const Vector3d& force) {
  RodState rod(std::make_shared<const StrainBasis>(basis));
  VectorXd delta = VectorXd::Zero(basis.size());
  const auto out_of_balance = [&](const VectorXd& at) {
    rod.place(at.data());
    VectorXd residual = basis.K * at;
    for (int k = 0; k < basis.size(); ++k) residual[k] -= rod.tip_slide(k).dot(force);
    return residual;
  };
  for (int i = 0; i < 20; ++i) {
    const VectorXd residual = out_of_balance(delta);
    MatrixXd slopes(basis.size(), basis.size());
    for (int k = 0; k < basis.size(); ++k) {
      VectorXd beside = delta;
      beside[k] += 1e-6;
      slopes.col(k) = (out_of_balance(beside) - residual) / 1e-6;
    }
    delta -= slopes.partialPivLu().solve(residual);
  }
  EXPECT_LT(out_of_balance(delta).norm(), 1e-9);
  return delta;
}

/// A cantilever bent by a tip force: the moment that equilibrium gives against EI κ of the strains, over the largest moment.
double moment_against_curvature(int terms, double& tip_turn) {
  Case data = bent_case({.bending_y = terms}, false, false);
  data.arm.gravity.setZero();
  const Arm arm = Arm::assemble(data);
  const FlexBasis& flex = *arm.link(0).flex;
  const Vector3d force(0, 3 * EI / (length * length), 0);
  State state = State::zero(arm);
  state.q = balanced(*flex.exact, force);
  const VectorXd still = VectorXd::Zero(arm.nv());
  InternalForces internal(arm);
  const std::vector<Vector6d> on_tips{stacked(Vector3d::Zero(), force)};
  internal.update(state, still, on_tips);
  const InternalForces::Along& along = internal.along(0);
  const int n = int(flex.stations.x.size());
  const Vector3d tip(length + along.u(0, n - 1), along.u(1, n - 1), 0);
  double worst = 0;
  for (int k = 0; k < n; ++k) {
    // In section axes, turned by θ about z, the force is what the tip carries.
    const double turn = along.theta(2, k), s = flex.stations.x[size_t(k)];
    EXPECT_LT((along.force.col(k) - Vector3d(force.y() * std::sin(turn), force.y() * std::cos(turn), 0)).norm(), 1e-12);
    EXPECT_NEAR(along.moment(2, k), (tip.x() - s - along.u(0, k)) * force.y(), 1e-11);
    const double curvature = flex.exact->strain_shapes(s / length).row(2) * state.q;
    worst = std::max(worst, std::abs(along.moment(2, k) - EI * curvature));
  }
  tip_turn = along.theta(2, n - 1);
  return worst / (force.y() * length);
}

TEST(ExactSections, MomentsOfABentCantileverApproachItsCurvature) {
  double turn = 0;
  EXPECT_LT(moment_against_curvature(2, turn), 0.06);
  EXPECT_LT(moment_against_curvature(4, turn), 0.005);
  EXPECT_LT(moment_against_curvature(8, turn), 5e-6);
  EXPECT_GT(turn, 0.9);  // far enough to see section axes and moved places
}

TEST(ExactSections, AMomentOnTheTipWindsTheLinkIntoACircle) {
  Case data = bent_case({.bending_z = 3}, false, false);
  data.arm.gravity.setZero();
  const Arm arm = Arm::assemble(data);
  const double EI_y = arm.link(0).flex->stations.bending[0].y(), turns = 1.25 * 2 * M_PI;
  const Vector6d couple = stacked(Vector3d(0, EI_y * turns / length, 0), Vector3d::Zero());
  State state = State::zero(arm);
  state.q[0] = -turns;  // bending along +z is κ_y < 0
  InternalForces internal(arm);
  internal.update(state, VectorXd::Zero(arm.nv()), std::vector<Vector6d>{couple});
  const InternalForces::Along& along = internal.along(0);
  const auto& x = arm.link(0).flex->stations.x;
  for (size_t k = 0; k < x.size(); ++k) {
    EXPECT_LT((along.moment.col(Eigen::Index(k)) - Vector3d(couple.head<3>())).norm(), 1e-12 * couple.norm());
    EXPECT_LT(along.force.col(Eigen::Index(k)).norm(), 1e-12 * couple.norm());
    // Sections turn on beyond half a turn and a whole one.
    EXPECT_NEAR(along.theta(1, Eigen::Index(k)), turns * x[k] / length, 1e-9);
  }
  // What gauges on the outermost fibre and the stress see: κ h/2 at the half height of 5 cm.
  const double strain = 0.05 * turns / length;
  std::vector<double> gauges(data.gauges.size());
  Gauges(data, arm).strains(arm, internal, gauges.data());
  for (const double gauge : gauges) EXPECT_NEAR(gauge, strain, 1e-12);
  EXPECT_NEAR(largest_stress(arm, internal, 0).stress, data.arm.links[0].beam->material.E * strain,
              1e-9 * couple.norm());
}

// At rest and without weight a section bears what acts outboard of it.
TEST(ExactSections, ForcesAlongTheLinkAreBorneInboardOfThem) {
  Case data = bent_case({3, 2, 2, 1, 1, 1}, true, false);
  data.arm.gravity.setZero();
  const Arm arm = Arm::assemble(data);
  State state = smoothly_bent(arm, 3);
  state.v.setZero();
  const Kinematics kin = kinematics_of(arm, state);
  std::vector<AlongLoad> loads;
  for (const double share : {0.2, 0.55, 0.9, 1.0}) {
    const auto seed = unsigned(100 * share);
    loads.push_back(
        {0, share * length, random_vector(3, seed, 1), random_vector(3, seed + 1, 10), random_vector(3, seed + 2, 2)});
  }
  InternalForces internal(arm);
  internal.update(state, VectorXd::Zero(arm.nv()), {}, loads);
  const InternalForces::Along& along = internal.along(0);
  const auto& x = arm.link(0).flex->stations.x;
  for (size_t k = 0; k < x.size(); ++k) {
    const auto i = Eigen::Index(k);
    const Vector3d here = kin.X_WB[0] * Vector3d(Vector3d(x[k], 0, 0) + along.u.col(i));
    const Matrix3d R = (kin.X_WB[0].R * exp_rotation(along.theta.col(i))).transpose();
    Vector3d force = Vector3d::Zero(), moment = force;
    for (const AlongLoad& load : loads) {
      if (k > 0 && load.x <= x[k]) continue;
      force += R * load.force;
      moment += R * ((load.place - here).cross(load.force) + load.moment);
    }
    EXPECT_LT((along.force.col(i) - force).norm(), 1e-11) << k;
    EXPECT_LT((along.moment.col(i) - moment).norm(), 1e-11) << k;
  }
}

TEST(ExactSections, NothingIsAllocatedAfterTheFirst) {
  const Arm arm = Arm::assemble(bent_case({3, 3, 2, 1, 1, 1}, true, true));
  const State state = smoothly_bent(arm, 5);
  const VectorXd vdot = random_vector(arm.nv(), 3);
  const std::vector<AlongLoad> loads{{0, 1, {1, 2, 3}, {4, 5, 6}}};
  InternalForces internal(arm);
  internal.update(state, vdot, {}, loads);
  const long before = allocations();
  internal.update(state, vdot, {}, loads);
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace lithe::testing
