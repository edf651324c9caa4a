// Articulated against MuJoCo: two implementations of the rigid equations of motion that share no code.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "lithe/dynamics/articulated/articulated.h"
#include "peers/mujoco_peer.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

// Both sides round in every link, over at most nine links and a base. Worst of 40 000 random arms: 30 roundings of the
// largest force, 20 of the largest entry of M.
constexpr double tolerance = 100 * std::numeric_limits<double>::epsilon();

/// Trees and chains of one to nine links with revolute, prismatic and fixed joints, on each kind of base at rest.
Case draw_case(std::uint32_t seed) {
  RandomArmOptions options;
  options.tree = *rc::gen::arbitrary<bool>();
  options.base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free);
  return random_case(any_link_count(9), seed, options);
}

double largest(const MatrixXd& A) { return A.cwiseAbs().maxCoeff(); }

/// Both sides of one comparison, at a random state of a random arm.
struct Pair {
  Pair(const Case& data, std::uint32_t seed)
      : arm(Arm::assemble(data)), ours(arm), theirs(arm), state(random_state(arm, seed)) {}

  MatrixXd mass_matrix() {
    MatrixXd M(arm.nv(), arm.nv());
    ours.mass_matrix(state, M);
    return M;
  }
  VectorXd bias() {
    VectorXd h(arm.nv());
    ours.bias(state, Terms::coriolis | Terms::gravity, h);
    return h;
  }
  VectorXd forward(const VectorXd& tau) {
    VectorXd vdot(arm.nv());
    ours.forward(state, tau, vdot);
    return vdot;
  }
  VectorXd inverse(const VectorXd& vdot) {
    VectorXd tau(arm.nv());
    ours.inverse(state, vdot, tau);
    return tau;
  }

  Arm arm;
  Articulated ours;
  MujocoPeer theirs;
  State state;
};

void check_mass_matrix(Pair& pair) {
  const MatrixXd M = pair.theirs.mass_matrix(pair.state);
  RC_ASSERT(largest(pair.mass_matrix() - M) < tolerance * largest(M));
}

void check_inverse(Pair& pair, std::uint32_t seed) {
  const VectorXd vdot = random_vector(pair.arm.nv(), seed, 5);
  const VectorXd difference = pair.inverse(vdot) - pair.theirs.inverse(pair.state, vdot);
  RC_ASSERT(largest(difference) < tolerance * pair.theirs.largest_force(pair.state, vdot));
}

void check_forward(Pair& pair, std::uint32_t seed) {
  const VectorXd tau = random_vector(pair.arm.nv(), seed, 20);
  const VectorXd vdot = pair.theirs.forward(pair.state, tau);
  // As torques, so that the condition of M does not enter. Even to write v̇ down as doubles moves them by roundings of
  // |M||v̇|, in which large accelerations no longer cancel; that can be thousands of times the largest force.
  const MatrixXd M = pair.theirs.mass_matrix(pair.state);
  const VectorXd difference = M * (pair.forward(tau) - vdot);
  const double force = pair.theirs.largest_force(pair.state, vdot);
  RC_ASSERT(largest(difference) < tolerance * std::max(force, largest(M.cwiseAbs() * vdot.cwiseAbs())));
}

RC_GTEST_PROP(AgainstMujoco, MassMatrix, ()) {
  const auto seed = any_seed();
  Pair pair(draw_case(seed), seed);
  RC_PRE(pair.arm.nv() > 0);
  check_mass_matrix(pair);
}

RC_GTEST_PROP(AgainstMujoco, Bias, ()) {
  const auto seed = any_seed();
  Pair pair(draw_case(seed), seed);
  RC_PRE(pair.arm.nv() > 0);
  const double force = pair.theirs.largest_force(pair.state, VectorXd::Zero(pair.arm.nv()));
  RC_ASSERT(largest(pair.bias() - pair.theirs.bias(pair.state)) < tolerance * force);
}

RC_GTEST_PROP(AgainstMujoco, InverseDynamics, ()) {
  const auto seed = any_seed();
  Pair pair(draw_case(seed), seed);
  RC_PRE(pair.arm.nv() > 0);
  check_inverse(pair, seed);
}

RC_GTEST_PROP(AgainstMujoco, ForwardDynamics, ()) {
  const auto seed = any_seed();
  Pair pair(draw_case(seed), seed);
  RC_PRE(pair.arm.nv() > 0);
  check_forward(pair, seed);
}

/// Balls in place of some joints that move: the same quaternions, and rates in the axes of what they carry.
RC_GTEST_PROP(AgainstMujoco, BallJointsAreTheSame, ()) {
  const auto seed = any_seed();
  Case data = draw_case(seed);
  bool any = false;
  for (size_t i = 0; i < data.arm.links.size(); ++i) {
    JointSpec& joint = data.arm.links[i].joint;
    if ((seed >> i) % 2 == 0 && any) continue;
    joint = {.name = joint.name, .type = "spherical", .origin = joint.origin};
    any = true;
  }
  Pair pair(data, seed);
  check_mass_matrix(pair);
  check_inverse(pair, seed);
  check_forward(pair, seed);
}

/// A motor's rotor, seen from the joint, is what MuJoCo calls armature.
RC_GTEST_PROP(AgainstMujoco, RotorsAreArmature, ()) {
  const auto seed = any_seed();
  Case data = draw_case(seed);
  for (LinkSpec& link : data.arm.links)
    if (link.joint.type != "fixed") link.joint.motor = Motor{.inertia = 1e-3, .gear_ratio = -50};
  Pair pair(data, seed);
  RC_PRE(pair.arm.nv() > 0);
  check_mass_matrix(pair);
  check_inverse(pair, seed);
  check_forward(pair, seed);
}

/// What the benchmarks time is the same answer as the whole pipeline's.
RC_GTEST_PROP(MujocoPeer, FastSequencesGiveTheSameAnswers, ()) {
  const auto seed = any_seed();
  const Arm arm = Arm::assemble(chain_case(any_link_count(9), seed));
  MujocoPeer peer(arm);
  const State state = random_state(arm, seed);
  const VectorXd input = random_vector(arm.nv(), seed, 5);
  MatrixXd M(arm.nv(), arm.nv());
  VectorXd vdot(arm.nv()), tau(arm.nv());
  peer.mass_matrix_fast(state, M);
  peer.forward_fast(state, input, vdot);
  peer.inverse_fast(state, input, tau);
  // The same operations in the same order: not a bit of difference.
  RC_ASSERT(M == peer.mass_matrix(state));
  RC_ASSERT(vdot == peer.forward(state, input));
  RC_ASSERT(tau == peer.inverse(state, input));
}

}  // namespace
}  // namespace lithe::testing
