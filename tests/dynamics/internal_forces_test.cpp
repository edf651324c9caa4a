// What joints and sections bear, against the torques of inverse dynamics (another algorithm), equilibrium of the whole, and
// closed forms of beams.
#include "lithe/dynamics/internal_forces.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/spatial/dense_eigen.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

struct Moving {
  Arm arm;
  State state;
  VectorXd vdot;
};

/// Turns the links of shapes into exact ones.
void bend_exactly(Case& data) {
  for (LinkSpec& link : data.arm.links) {
    if (!link.beam) continue;
    if (const auto* modes = std::get_if<Modes>(&link.beam->flexibility))
      link.beam->flexibility =
          StrainTerms{modes->bending_y, modes->bending_z, modes->torsion, modes->axial, modes->axial, modes->torsion};
  }
}

Moving any_motion() {
  const auto seed = any_seed();
  FlexibleArmOptions options;
  options.arm.drive_line = *rc::gen::arbitrary<bool>();
  options.arm.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  Case data = random_flexible_case(any_link_count(8), seed, options);
  if (*rc::gen::arbitrary<bool>()) bend_exactly(data);
  Arm arm = Arm::assemble(data);
  State state = random_state(arm, seed);
  state.t = 0.2;
  VectorXd vdot = random_vector(arm.nv(), seed + 1, 3);
  return {std::move(arm), std::move(state), std::move(vdot)};
}

RC_GTEST_PROP(InternalForces, ReactionAboutAnAxisIsTheTorque, ()) {
  const Moving moving = any_motion();
  const Arm& arm = moving.arm;
  VectorXd tau = VectorXd::Zero(arm.nv()), passive = VectorXd::Zero(arm.nv());
  Articulated(arm).inverse(moving.state, moving.vdot, tau);
  add_passive_forces(arm, moving.state, true, true, passive);
  InternalForces internal(arm);
  internal.update(moving.state, moving.vdot, {});
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    const Vector6d& reaction = internal.reaction(i);
    const double scale = 1 + reaction.cwiseAbs().maxCoeff();
    JointDirections H;
    link.joint->directions(moving.state.q.data() + link.q0, H);
    for (int k = 0; k < link.nv(); ++k) {
      double along = H.col(k).dot(reaction);
      if (link.nv() == 1) along += link.rotor_inertia * moving.vdot[link.v0];
      RC_ASSERT(std::abs(along - (tau - passive)[link.v0 + k]) < 1e-11 * scale);
    }
  }
}

RC_GTEST_PROP(InternalForces, TheRootSectionBearsWhatTheJointExerts, ()) {
  const Moving moving = any_motion();
  InternalForces internal(moving.arm);
  internal.update(moving.state, moving.vdot, {});
  for (int i = 0; i < moving.arm.n_links(); ++i) {
    if (!moving.arm.link(i).flex) continue;
    const InternalForces::Along& along = internal.along(i);
    const Vector6d& reaction = internal.reaction(i);
    // The sum along a beam of shapes is by parabolas through 21 stations (worst of many arms 2e-4), the reaction by exact integrals; along an
    // exact link both are of the same masses.
    const double scale = reaction.cwiseAbs().maxCoeff(), error = moving.arm.link(i).flex->exact ? 1e-11 : 1e-3;
    RC_ASSERT((along.moment.col(0) + reaction.head<3>()).norm() < error * scale);
    RC_ASSERT((along.force.col(0) + reaction.tail<3>()).norm() < error * scale);
  }
}

/// A cantilever: one link on a fixed joint, no gravity.
Case cantilever() {
  Case data;
  data.arm.gravity.setZero();
  LinkSpec link;
  link.name = "beam";
  link.joint.name = "root";
  link.joint.type = "fixed";
  link.beam = Beam{2.0, {"", 70e9, 0.3, 2700, {}}, {.shape = Circle{0.02}}, Modes{3, 3, 1, 1}};
  data.arm.links.push_back(link);
  return data;
}

TEST(InternalForces, CantileverUnderATipLoad) {
  const Arm arm = Arm::assemble(cantilever());
  const FlexBasis& flex = *arm.link(0).flex;
  const Vector6d load = (Vector6d() << 3, 0, 0, 40, 5, -7).finished();  // torsion; stretch, two bendings
  State state = State::zero(arm);
  const MatrixXd K = flex.K;
  state.q = solve_symmetric(K, flex.tip_psi.transpose() * load.head<3>() + flex.tip_phi.transpose() * load.tail<3>());
  InternalForces internal(arm);
  const std::vector<Vector6d> on_tips{load};
  internal.update(state, VectorXd::Zero(arm.nv()), on_tips);
  const InternalForces::Along& along = internal.along(0);
  const double L = 2, EI = 70e9 * M_PI / 4 * std::pow(0.01, 4);
  EXPECT_NEAR(along.u(1, 20), 5 * L * L * L / (3 * EI), 1e-9);
  EXPECT_NEAR(along.u(2, 20), -7 * L * L * L / (3 * EI), 1e-9);
  const VectorXd curvature = flex.stations.curvature * state.q;
  for (int k = 0; k < 21; ++k) {
    const double x = flex.stations.x[k];
    EXPECT_LT((along.force.col(k) - Vector3d(load.tail<3>())).norm(), 1e-12);
    // Equilibrium about the deflected section; and by curvature, which three shapes hold exactly under tip loads.
    const Vector3d place = Vector3d(x, 0, 0) + along.u.col(k), tip = Vector3d(L, 0, 0) + along.u.col(20);
    const Vector3d moment = load.head<3>() + (tip - place).cross(Vector3d(load.tail<3>()));
    EXPECT_LT((along.moment.col(k) - moment).norm(), 1e-12);
    EXPECT_NEAR(EI * curvature[3 * k + 2], 5 * (L - x), 1e-9);
    EXPECT_NEAR(EI * curvature[3 * k + 1], 7 * (L - x), 1e-9);
  }
}

TEST(InternalForces, NothingIsAllocatedAfterTheFirst) {
  const Arm arm = Arm::assemble(cantilever());
  InternalForces internal(arm);
  const State state = State::zero(arm);
  const VectorXd vdot = VectorXd::Zero(arm.nv());
  internal.update(state, vdot, {});
  const long before = allocations();
  internal.update(state, vdot, {});
  EXPECT_EQ(allocations(), before);
}

// At rest and without weight a section bears what acts outboard of it, and the joint all of it.
TEST(InternalForces, ForcesAlongABeamAreBorneInboardOfThem) {
  Case data = two_bending_links_case();
  data.arm.gravity.setZero();
  const Arm arm = Arm::assemble(data);
  int i = 0;
  while (!arm.link(i).flex) ++i;
  const State state = State::zero(arm);
  const Kinematics kin = kinematics_of(arm, state);
  const double length = arm.link(i).X_BT.p.x();
  std::vector<AlongLoad> loads;
  for (const double share : {0.2, 0.55, 0.9, 1.0}) {
    const unsigned seed = unsigned(100 * share);
    const Vector3d offset(share * length, 0.1 * share, -0.05);
    loads.push_back({i, share * length, kin.X_WB[i] * offset, random_vector(3, seed, 10)});
  }
  InternalForces internal(arm);
  internal.update(state, VectorXd::Zero(arm.nv()), {}, loads);
  const Matrix3d R = kin.X_WB[i].R.transpose();
  const InternalForces::Along& along = internal.along(i);
  const auto& x = arm.link(i).flex->stations.x;
  for (size_t k = 0; k < x.size(); ++k) {
    const Vector3d here = kin.X_WB[i] * Vector3d(x[k], 0, 0);
    Vector3d force = Vector3d::Zero(), moment = force;
    for (const AlongLoad& load : loads) {
      if (load.x <= x[k]) continue;
      force += R * load.force;
      moment += R * (load.place - here).cross(load.force);
    }
    EXPECT_LT((along.force.col(Eigen::Index(k)) - force).norm(), 1e-11) << k;
    EXPECT_LT((along.moment.col(Eigen::Index(k)) - moment).norm(), 1e-11) << k;
  }
  Vector3d force = Vector3d::Zero(), moment = force;
  for (const AlongLoad& load : loads) {
    force -= R * load.force;
    moment -= R * (load.place - kin.X_WB[i].p).cross(load.force);
  }
  EXPECT_LT((internal.reaction(i).tail<3>() - force).norm(), 1e-11);
  EXPECT_LT((internal.reaction(i).head<3>() - moment).norm(), 1e-11);
}

}  // namespace
}  // namespace lithe::testing
