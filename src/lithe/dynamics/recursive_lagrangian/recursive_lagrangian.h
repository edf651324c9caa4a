#pragma once

#include "lithe/dynamics/dense_formulation.h"
#include "lithe/dynamics/recursive_lagrangian/equations.h"

namespace lithe {

/// J z̈ = R by recursions on 4×4 matrices: W. J. Book, "Recursive Lagrangian Dynamics of Flexible Manipulator Arms via
/// Transformation Matrices", CMU-RI-TR-83-23 (1983), called book83 below. Equation numbers are the paper's; "corrected" marks
/// a departure from the print.
///
///   chain.h             the arm as the paper sees it, and what lies outside
///   letters.h           §2, §3: A, E, W, Ŵ and their rates; M, D, G, r
///   inertia_matrix.h    §5.2:   F̃, F, Φ and the coefficients of J                  66–81
///   right_hand_side.h   §5.3:   Q, P and R                                          83–90
///   equations.h         all of it as M z̈ + h = τ
///   at_rest.h           weight and its slopes under `tip_rotation: small`
///
/// Two options of the arm belong to the paper. `tip_rotation: small` takes the tip's rotation as 1 + [θ]× (eq 5); `finite`
/// takes the true rotation, which changes nothing in the recursions but M_jf (now ∂E_j/∂δ_jf, a function of δ) and Ë_j.
/// `inertia: first-order` drops δ² from G (eq 37) and, with `small`, takes the rotations in eqs 72–73 for orthogonal, as
/// printed; no kinetic energy has these equations, so energy drifts. `complete` conserves it.
///
/// Chains of joints that turn and slide by coordinates, on a fixed or planar base or one of given motion. Links that do not bend
/// have no M, D, F or Φ, and a fixed joint no U. Cost O(n²) products of 4×4 matrices, and nv³/6 for the solution.
class RecursiveLagrangian final : public DenseFormulation<book83::Equations<double>> {
 public:
  static constexpr RunFormulation kind = RunFormulation::recursive_lagrangian;

  /// Throws UnsupportedError for an arm outside the domain.
  explicit RecursiveLagrangian(const Arm& arm);

  /// K (eq 22) and the energy of rotors. With `small` this is the kinetic energy; that of rigid kinematics has no meaning then.
  double kinetic_energy(const State& state);

  /// The power input by a base of given motion.
  double base_power(const State& state, const Eigen::Ref<const VectorXd>& vdot);
};

}  // namespace lithe
