#pragma once

#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/kane/bodies.h"

namespace lithe::kane {

/// Kane's equations F_r + F*_r = 0 (abdelaziz04 eq 8) of an arm as M u̇ + h = τ.
///
/// In the letters of its appendix A: F* = A u̇ + B, so −A u̇ = F + B (printed as F_r = A u̇ + B, against eq 8); here M = −A and
/// h = −B minus all active forces except τ. S is double or `Counted`.
template <class S>
class Equations {
 public:
  using Vector = Eigen::VectorX<S>;
  using Matrix = Eigen::MatrixX<S>;
  using State = Eigen::Ref<const Vector>;

  explicit Equations(const Arm& arm);

  /// Sets M.
  void evaluate_mass(const State& q, Instant t);
  /// Sets the chosen terms of h.
  void evaluate_bias(const State& q, const State& v, Instant t, Terms terms);
  /// Sets both.
  void evaluate(const State& q, const State& v, Instant t, Terms terms = Terms::all);

  const Matrix& M() const { return M_; }
  const Vector& h() const { return h_; }

 private:
  void update_bodies(const State& q);
  void assemble_mass();
  void assemble_bias(const State& q, const State& v, Terms terms);

  const Arm& arm_;
  Frames<S> frames_;
  std::vector<RigidBody<S>> rigid_;
  std::vector<FlexibleBody<S>> flexible_;
  Matrix M_;
  Vector h_, rest_;
};

}  // namespace lithe::kane
