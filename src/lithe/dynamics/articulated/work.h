#pragma once

#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/articulated/block_inertia.h"
#include "lithe/dynamics/articulated/flex_body.h"
#include "lithe/dynamics/articulated/forward_recursion.h"
#include "lithe/dynamics/articulated/passive_plan.h"

namespace lithe {

/// The data of evaluations, separate so that users of the header do not need them.
struct Articulated::Work {
  explicit Work(const Arm& arm);

  static constexpr int z = 2;                          // the joint's axis in N
  enum class Kind { fixed, turning, sliding, block };  // a block joint has any directions H

  /// A moving body: constants first, then intermediate results of one evaluation.
  struct Body {
    Kind kind = Kind::fixed;
    int parent = -1;
    int flex = -1;   // index of its FlexBody
    int block = -1;  // of a block joint: index of its directions
    int q0 = 0, v0 = 0, nv = 0;
    double rotor_inertia = 0;
    Matrix3d R_PF;  // joint frame (z on the axis) in the parent's N
    Vector3d p_PF;
    double mass = 0;
    Vector3d first_moment;
    Matrix3d J;
    BlockInertia own;  // the same as blocks

    // set by outward()
    Matrix3d R;      // R_PN
    Vector3d p;      // p_PN
    Vector3d omega;  // of N, in N
    Vector3d zeta_angular, zeta_linear;
    Vector3d bias_moment, bias_force;  // (8); children add theirs on the way in
    // set by the inward pass
    BlockInertia P;
    // set by the way out
    Vector3d alpha, a;
    // set by mass_matrix()
    Matrix3d R_RN;  // N in the root frame
    Vector3d p_RN;
    Vector3d S_angular, S_linear;  // its joint's direction at the root's origin; a block joint has more than one
  };

  /// A block joint's directions: in N by outward(), and at the root's origin in its axes by mass_matrix(). Separate from the bodies,
  /// which are traversed often and should stay close together in memory.
  struct Block {
    const Joint* joint = nullptr;
    JointDirections H, S;
  };

  struct Root {
    Vector3d omega, alpha, a;  // of the root frame in its own axes; a is minus gravity
  };

  /// The frame on which a body's joint is mounted: the parent's N, its tip frame T where it bends, or the root.
  struct Carrier {
    const Vector3d &omega, &alpha, &a;
  };
  Carrier carrier(const Body& body, const Root& root) const;
  /// Adds a body's wrench to its carrier's.
  void pass_on(const Body& body);

  /// Placement, ω, ζ and velocity forces of every body, root first; starts the sums of the inward pass.
  template <bool with_velocity>
  Root outward(const State& state, bool with_gravity);
  /// Sets the entries of M: the projections of the wrench of a column (root frame, root's origin) on every coordinate from body i inwards.
  void read_off(int i, int column, const Vector3d& moment, const Vector3d& force, Eigen::Ref<MatrixXd> M) const;
  void accelerate(Body& body, const Root& root) const;  // X A_P + ζ of (1) into alpha, a
  void set_root(Instant t);
  void demand_regular(int singular) const;
  void solve(const State& state, const std::vector<bool>* driven, const double* tau, double* driven_tau, double* vdot);
  void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot);
  void hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau, Eigen::Ref<VectorXd> vdot);
  void solve_mass_matrix(const State& state, const Eigen::Ref<const VectorXd>& force, Eigen::Ref<VectorXd> vdot);
  void inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau);
  void bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h);
  void mass_matrix(const State& state, Eigen::Ref<MatrixXd> M);
  double root_power(const State& state) const;
  void recursive_newton_euler(const State& state, bool with_velocity, bool with_gravity, const double* vdot,
                              Eigen::Ref<VectorXd> tau);

  const Arm& arm() const { return arm_; }

  const Arm& arm_;  // the formulation's
  ForwardRecursion<double> recursion_;
  ForwardRecursion<double>::Root root_;  // at the time being solved
  PassivePlan forces_;
  std::vector<Body> bodies_;
  std::vector<Block> blocks_;
  std::vector<FlexBody> flex_;
  VectorXd passive_;             // passive forces of joints and links, at the state being solved
  VectorXd at_rest_;             // zero rates
  bool wrenches_known_ = false;  // whether the bodies' wrenches are those of an `inverse`
};

}  // namespace lithe
