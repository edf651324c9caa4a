#pragma once

#include <memory>

#include "lithe/dynamics/formulation.h"

namespace lithe {

/// Returns the arm; throws UnsupportedError if its tips turn by 1 + [θ]×, which the recursion cannot represent,
/// or if a beam slides through a guide.
const Arm& demand_finite_tips(const Arm& arm);

/// How the root frame moves, in its own axes; a is minus gravity.
struct RootAcceleration {
  Vector3d omega, alpha, a;
};
RootAcceleration root_acceleration(const Arm& arm, Instant t);

/// The articulated-body recursion: forward, inverse and hybrid dynamics in O(n_links), trees included; the default.
///
/// After R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, ch. 7, in the form docs/articulated.md derives; numbers of
/// equations here and beside the code are that page's. Forward and hybrid dynamics are in forward_recursion.h. This file has
/// inverse dynamics and the mass matrix, which share almost no code with it and are based on the same two choices:
///
///   - Accelerations are classical: A = [α; a − g] with a the true acceleration of the frame's origin. Then linear
///     velocities appear nowhere, the outward pass carries only ω, and gravity is an acceleration of the root.
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
/// Tip rotations are finite; `small` is not a motion of rigid bodies and is rejected.
///
/// The gyroscopic couple of a spinning rotor is neglected; its spin inertia is included (docs/model.md).
///
/// Takes an arm, which it copies. Memory is sized once, in the constructor: evaluations allocate nothing. One per thread.
class Articulated final : public Formulation {
 public:
  static constexpr RunFormulation kind = RunFormulation::articulated;

  explicit Articulated(const Arm& arm);
  ~Articulated() override;

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
  struct Work;  // bodies and memory of the recursions (articulated.cpp)
  std::unique_ptr<Work> work_;
};

}  // namespace lithe
