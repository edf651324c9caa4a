#pragma once

#include "lithe/dynamics/dense_solve.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/recursive_lagrangian/inertia_matrix.h"
#include "lithe/dynamics/recursive_lagrangian/right_hand_side.h"

namespace lithe::book83 {

/// How to solve them: without its δ² terms J may fail to be positive definite, even at bends of a twentieth of the length.
inline DenseMethod solution_of(const Arm& arm) {
  return arm.inertia_order() == InertiaOrder::complete ? DenseMethod::cholesky : DenseMethod::lu;
}

/// J z̈ = R (eq 82) of an arm as M z̈ + h = τ: M = J, and h = −R without the joint torques F_j, which are τ. S is double or
/// `Counted`.
template <class S>
class Equations {
 public:
  using Vector = Eigen::VectorX<S>;
  using Matrix = Eigen::MatrixX<S>;
  using State = Eigen::Ref<const Vector>;

  /// Throws UnsupportedError for an arm outside the domain. The arm must outlive the equations.
  explicit Equations(const Arm& arm);

  /// Sets M.
  void evaluate_mass(const State& q, Instant t);
  /// Sets the chosen terms of h.
  void evaluate_bias(const State& q, const State& v, Instant t, Terms terms);
  /// Sets both.
  void evaluate(const State& q, const State& v, Instant t, Terms terms = Terms::all);

  const Matrix& M() const { return J_; }
  const Vector& h() const { return h_; }

  /// K (eq 22) of the links, and the energy of rotors.
  S kinetic_energy(const State& q, const State& v, Instant t);
  /// The power input by a base of given motion at accelerations v̇.
  S base_power(const State& q, const State& v, const State& vdot, Instant t);

 private:
  void assemble_mass();
  void update(const State& q, const State& v, const State& vdot, Instant t);

  const Arm& arm_;
  Chain chain_;
  Letters<S> letters_;
  InertiaMatrix<S> inertia_;
  RightHandSide<S> right_;
  Matrix J_;
  Vector h_;
  const Vector rest_;  // z̈ = 0
};

}  // namespace lithe::book83
