#pragma once

#include <Eigen/SparseCholesky>
#include <optional>
#include <vector>

#include "lithe/dynamics/second_order_system.h"
#include "lithe/simulate/integrator.h"

namespace lithe {

/// Which member of the family, and how hard to iterate.
struct NewmarkOptions {
  double step = 1e-3;
  /// Spectral radius ρ∞ at infinite frequency of the generalised-α method: 0 kills the fastest modes in one step, 1 keeps
  /// them. Without it Newmark's constant average acceleration (naganathan86 eqs 2.32–2.33): no damping, no overshoot.
  std::optional<double> rho_infinity;
  double energy_tolerance = 1e-10;  // ε_E of (2.41): ΔUᵀF_u against its first value in the step
  double energy_goal = 1e-22;       // where to stop; before it only where rounding lets nothing more be gained
  int most_iterations = 25;
  int most_halvings = 6;
  int slow_iterations = 6;  // a step that took more gets its matrix factorised anew
};

struct NewmarkWork {
  long steps = 0, halvings = 0, iterations = 0, factorisations = 0;
};

/// Marches a second-order system by Newmark's method or generalised-α, iterating each step to equilibrium.
///
///   U₊ = U + Δt U̇ + Δt²[(½−β) Ü + β Ü₊]        U̇₊ = U̇ + Δt[(1−γ) Ü + γ Ü₊]                              (1)
///   F_u(t*, U*, U̇*, Ü*) = 0,   x* = (1−α_f) x₊ + α_f x for t, U, U̇;   Ü* with α_m                          (2)
///   K* ΔU = F_u,   K* = (1−α_m)/(βΔt²) M + (1−α_f)γ/(βΔt) C + (1−α_f) K                                   (3)
///
/// α_m = α_f = 0, γ = ½, β = ¼ is the average acceleration; then (3) is naganathan86 eqs 2.37–2.39. Generalised-α has
/// α_m = (2ρ−1)/(ρ+1), α_f = ρ/(ρ+1), γ = ½ − α_m + α_f, β = ¼(1 − α_m + α_f)². Both are of second order. K* is kept while
/// the iteration does well with it. A step has converged by (2.41), ΔUᵀF_u ≤ ε_E of its first value; iterations go on to
/// rounding all the same, because what is left over comes back through 4/Δt², and at small steps a run would grow from it.
///
/// A step that does not converge is done in halves, those in halves again; then StepError with the residuals and advice.
/// Steps allocate nothing unless the matrix is factorised anew. [Chung & Hulbert 1993] J. Applied Mechanics 60, 371.
class Newmark {
 public:
  Newmark(SecondOrderSystem& system, const NewmarkOptions& options);

  /// Starts at (t, z, v) with the accelerations that equilibrium asks for. To be called again wherever these jump.
  void restart(double t, const VectorXd& z, const VectorXd& v);
  /// Equal steps no longer than the chosen one, the last of which ends at t_out. Throws StepError.
  void advance(double t_out);

  double t() const { return t_; }
  const VectorXd& z() const { return z_; }
  const VectorXd& v() const { return v_; }
  const VectorXd& a() const { return a_; }
  const NewmarkWork& work() const { return work_; }

 private:
  void step(double t_end, int halvings_left);
  bool iterate(double dt);
  void factorise(double t, double mass, double damping, double stiffness);
  void finish_step(double dt);
  void solve();
  [[noreturn]] void give_up(double dt) const;

  SecondOrderSystem& system_;
  NewmarkOptions options_;
  double alpha_m_ = 0, alpha_f_ = 0, gamma_ = 0.5, beta_ = 0.25;
  double t_ = 0;
  VectorXd z_, v_, a_;
  VectorXd z_next_, v_next_, a_next_, z_mid_, v_mid_, a_mid_, force_, correction_, permuted_, inverse_diagonal_,
      increment_;
  Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower> solver_;
  bool analysed_ = false;
  double factorised_dt_ = 0;       // 0: not at all
  std::vector<double> residuals_;  // |F_u| of the iterations of the last step tried
  NewmarkWork work_;
};

}  // namespace lithe
