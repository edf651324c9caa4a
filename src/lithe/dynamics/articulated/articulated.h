#pragma once

#include "lithe/dynamics/articulated/block_inertia.h"
#include "lithe/dynamics/articulated/flex_body.h"
#include "lithe/dynamics/articulated/forward_recursion.h"
#include "lithe/dynamics/articulated/passive_plan.h"
#include "lithe/dynamics/formulation.h"

namespace lithe {

/// The same arm; throws UnsupportedError where its tips turn by 1 + [θ]×, which no articulated body can follow,
/// or where a beam slides through a guide.
const Arm& demand_finite_tips(const Arm& arm);

/// How the root frame moves, in its own axes; a is minus gravity.
struct RootAcceleration {
  Vector3d omega, alpha, a;
};
RootAcceleration root_acceleration(const Arm& arm, Instant t);

/// The articulated-body recursion: forward, inverse and hybrid dynamics in O(n_links), trees included; the default.
///
/// After R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, ch. 7, in the form docs/articulated.md derives; numbers of
/// equations here and beside the code are that page's. Forward and hybrid dynamics are in forward_recursion.h. What is here,
/// inverse dynamics and the mass matrix, shares next to no code with it and rests on the same two choices:
///
///   - Accelerations are classical: A = [α; a − g] with a the true acceleration of the frame's origin. Then linear
///     velocities appear nowhere, the outward pass carries ω alone, and gravity is an acceleration of the root.
///   - Each link is described in a frame N of its own: the link frame B turned, at assembly, so that z lies along its joint's
///     axis. The joint's direction is then a coordinate axis and its products single entries.
///
/// In frames P (the parent's N, or the tip frame T of one that bends) and N, with R = R_PN(q), p = p_PN(q),
/// X = [[Rᵀ, 0], [−Rᵀ[p]×, Rᵀ]] and e the axis:
///
///   motion     A = X A_P + H q̈ + ζ                                                                          (1)
///   turning    H = [e; 0],  ζ = [Rᵀω_P × e q̇ ;  Rᵀ(ω_P×(ω_P×p))]                                            (2)
///   sliding    H = [0; e],  ζ = [0 ;  Rᵀ(ω_P×(ω_P×p)) + 2 ω×e q̇]                                            (3)
///   any other  [w; s] = H v, ζ = [Rᵀω_P × w ;  Rᵀ(ω_P×(ω_P×p)) + 2 Rᵀω_P × s + w×s] + Ḣv                    (17)
///   body       F = M_N A + [ω×Jω ; ω×(ω×h)]                                                                 (7), (8)
///
/// Tip rotations are finite; `small` is not a motion of rigid bodies and is refused.
///
/// The gyroscopic couple of a spinning rotor is left out; its spin inertia counts fully (docs/model.md).
class Articulated final : public Formulation {
 public:
  explicit Articulated(const Arm& arm);
  std::string_view name() const override { return "articulated"; }

  void mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) override;
  void bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) override;
  void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) override;
  void inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) override;
  void hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
              Eigen::Ref<VectorXd> vdot) override;

  /// M⁻¹ f and M a at a position, without forming M: O(n_links).
  void solve_mass_matrix(const State& state, const Eigen::Ref<const VectorXd>& force, Eigen::Ref<VectorXd> vdot);
  void multiply_mass_matrix(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> force);

  /// Power that the root frame's given motion puts into the arm, at the state of the last `inverse`.
  double root_power(const State& state) const;

 private:
  enum class Kind { fixed, turning, sliding, block };  // a block joint has any directions H

  /// A moving body: constants first, then what one evaluation leaves on its way.
  struct Body {
    Kind kind = Kind::fixed;
    int parent = -1;
    int flex = -1;  // index of its FlexBody
    int q0 = 0, v0 = 0, nv = 0;
    const Link* link = nullptr;
    double rotor_inertia = 0;
    Matrix3d R_PF;  // joint frame (z on the axis) in the parent's N
    Vector3d p_PF;
    double mass = 0;
    Vector3d first_moment;
    Matrix3d J;
    BlockInertia own;  // the same as blocks

    // set by outward()
    Matrix3d R;         // R_PN
    Vector3d p;         // p_PN
    JointDirections H;  // of a block joint
    Vector3d omega;     // of N, in N
    Vector3d zeta_angular, zeta_linear;
    Vector3d bias_moment, bias_force;  // (8); children add theirs on the way in
    // set by the inward pass
    BlockInertia P;
    // set by the way out
    Vector3d alpha, a;
    // set by mass_matrix()
    Matrix3d R_RN;  // N in the root frame
    Vector3d p_RN;
    Vector3d S_angular, S_linear;  // its joint's direction at the root's origin; of a block joint it has S
    JointDirections S;
  };

  struct Root {
    Vector3d omega, alpha, a;  // of the root frame in its own axes; a is minus gravity
  };

  /// The frame that a body's joint stands on: the parent's N, its tip frame T where it bends, or the root.
  struct Carrier {
    const Vector3d &omega, &alpha, &a;
  };
  Carrier carrier(const Body& body, const Root& root) const;
  /// Adds a body's wrench to its carrier's.
  void pass_on(const Body& body);

  template <bool with_velocity>
  Root outward(const State& state, bool with_gravity);
  /// Enters in M what every coordinate from body i inwards reads off the wrench (root frame, root's origin) of a column.
  void read_off(int i, int column, const Vector3d& moment, const Vector3d& force, Eigen::Ref<MatrixXd> M) const;
  void accelerate(Body& body, const Root& root) const;  // X A_P + ζ of (1) into alpha, a
  void set_root(Instant t);
  void demand_regular(int singular) const;
  void solve(const State& state, const std::vector<bool>* driven, const double* tau, double* driven_tau, double* vdot);
  void recursive_newton_euler(const State& state, bool with_velocity, bool with_gravity, const double* vdot,
                              Eigen::Ref<VectorXd> tau);

  ForwardRecursion<double> recursion_;
  ForwardRecursion<double>::Root root_;  // at the time being solved
  PassivePlan forces_;
  std::vector<Body> bodies_;
  std::vector<FlexBody> flex_;
  VectorXd passive_;             // what joints and links do by themselves, at the state being solved
  VectorXd at_rest_;             // zero rates
  bool wrenches_known_ = false;  // whether the bodies' wrenches are those of an `inverse`
};

}  // namespace lithe
