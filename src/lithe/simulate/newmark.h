#pragma once

#include <Eigen/SparseCholesky>
#include <atomic>
#include <functional>
#include <optional>
#include <vector>

#include "lithe/dynamics/second_order_system.h"
#include "lithe/simulate/integrator.h"

namespace lithe {

/// Local errors of the unknowns stay below relative·(largest of their group so far) + absolute.
struct NewmarkTolerance {
  double relative = 1e-6, absolute = 1e-10;
};

/// The member of the family of methods, and the limits of the iteration.
struct NewmarkOptions {
  double step = 1e-3;                         // fixed, or with a tolerance the largest
  std::optional<NewmarkTolerance> tolerance;  // chooses the step by its error
  /// Spectral radius ρ∞ at infinite frequency of the generalised-α method: 0 removes the fastest modes in one step, 1 keeps
  /// them. Without it Newmark's constant average acceleration (naganathan86 eqs 2.32–2.33): no damping, no overshoot.
  std::optional<double> rho_infinity;
  double energy_tolerance = 1e-10;    // ε_E of (2.41): ΔUᵀF_u against its first value in the step
  double increment_tolerance = 1e-8;  // of a step's largest increment: what the last iteration may change
  int most_iterations = 25;
  int most_halvings = 6;
  int slow_iterations = 4;    // after a step that took more, the matrix is factorised again
  double slow_energy = 0.01;  // of the energy before: an iteration of Newton's that leaves more gets a new matrix
  const std::atomic<bool>* stop = nullptr;  // set to end the integration, also within a step, with a StepError
};

struct NewmarkWork {
  long steps = 0, halvings = 0, iterations = 0, factorisations = 0;
  long rejected = 0;  // steps that were repeated because of their error
};

/// Integrates a second-order system by Newmark's method or generalised-α, iterating each step to equilibrium.
///
///   U₊ = U + Δt U̇ + Δt²[(½−β) Ü + β Ü₊]        U̇₊ = U̇ + Δt[(1−γ) Ü + γ Ü₊]                              (1)
///   F_u(t*, U*, U̇*, Ü*) = 0,   x* = (1−α_f) x₊ + α_f x for t, U, U̇;   Ü* with α_m                          (2)
///   K* ΔU = F_u,   K* = (1−α_m)/(βΔt²) M + (1−α_f)γ/(βΔt) C + (1−α_f) K                                   (3)
///
/// α_m = α_f = 0, γ = ½, β = ¼ is the average acceleration; then (3) is naganathan86 eqs 2.37–2.39. Generalised-α has
/// α_m = (2ρ−1)/(ρ+1), α_f = ρ/(ρ+1), γ = ½ − α_m + α_f, β = ¼(1 − α_m + α_f)². Both are of second order. K* is kept while
/// the iteration converges well with it. A step has converged by (2.41), ΔUᵀF_u ≤ ε_E of its first value (the one it would have
/// without a guess), and when the last iteration changed the increment by no more than a small part: what remains is amplified
/// by 4/Δt², and at small steps a run would grow because of it.
///
/// A step that does not converge in this way is iterated by the full Newton method: K* at the present iterate, and a search along each
/// correction that goes too far. That is for forces with corners or steep places: friction, stops, saturation.
///
/// A step that does not converge by either is halved, if necessary several times; then StepError with the residuals, where they are
/// largest, and advice. Steps allocate nothing unless the matrix is factorised again. [Chung & Hulbert 1993] J. Applied
/// Mechanics 60, 371.
///
/// With a tolerance, steps halve and double. The error of a step is (β − 1/6) Δt² (Ü₊ − Ü), the first term that (1) leaves out
/// [Zienkiewicz & Xie 1991, Earthquake Eng. Struct. Dyn. 20, 871]; modes far too fast for the step would make that as large as
/// (ωΔt)² times what they are, so it is measured as
///
///   e = |β − 1/6|/β · K*⁻¹ F_u(t*, U*, U̇*, Ü)                                                              (4)
///
/// which is the same for slow modes, since F_u with the old accelerations is (1−α_m) M (Ü₊ − Ü), and no more than the modes
/// themselves for fast ones.
class Newmark {
 public:
  Newmark(SecondOrderSystem& system, const NewmarkOptions& options);

  /// Starts at (t, z, v) with the accelerations that equilibrium requires. To be called again wherever these jump.
  void restart(double t, const VectorXd& z, const VectorXd& v);
  /// Equal steps no longer than the chosen one, the last of which ends at t_out. Throws StepError.
  void advance(double t_out);

  double t() const { return t_; }
  const VectorXd& z() const { return z_; }
  const VectorXd& v() const { return v_; }
  const VectorXd& a() const { return a_; }
  const NewmarkWork& work() const { return work_; }

  /// Called after every step, including halved ones. May throw StepError to end the integration.
  void after_step(std::function<void()> call) { after_step_ = std::move(call); }
  /// From there: `advance` returns after this step, wherever it ends.
  void pause() { paused_ = true; }
  /// Takes back the last step, once.
  void go_back();

 private:
  void step(double t_end, int halvings_left);
  bool converge(double dt);
  void accept(double t_end);
  bool controlled_step(double t_end);
  double error_of_step();
  void note_largest(const VectorXd& z, VectorXd& largest) const;
  enum class Way { kept_matrix, newton };
  bool iterate(double dt, Way way);
  bool evaluate(double dt);
  bool search(double dt, double g);
  void factorise(double t, const VectorXd& z, const VectorXd& v, double mass, double damping, double stiffness);
  void factorise_step(double dt, const VectorXd& z, const VectorXd& v);
  void finish_step(double dt);
  void solve();
  [[noreturn]] void give_up(double dt) const;

  SecondOrderSystem& system_;
  NewmarkOptions options_;
  double alpha_m_ = 0, alpha_f_ = 0, gamma_ = 0.5, beta_ = 0.25;
  double t_ = 0, t_previous_ = 0;
  bool paused_ = false;
  VectorXd z_, v_, a_, a_previous_;
  VectorXd z_next_, v_next_, a_next_, z_mid_, v_mid_, a_mid_, force_, correction_, permuted_, inverse_diagonal_,
      increment_;
  Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower> solver_;
  bool analysed_ = false;
  double factorised_dt_ = 0;       // 0: not at all
  double previous_dt_ = 0;         // of the step before; 0 after a restart
  std::vector<double> residuals_;  // |F_u| of the iterations of the last step tried
  double step_ = 0;                // the present one, under a tolerance
  int since_change_ = 0;           // steps since it changed
  std::vector<int> group_;         // of the unknowns
  VectorXd largest_, scale_;       // |U| so far, by group; with the step that is being tried
  std::function<void()> after_step_;
  NewmarkWork work_;
};

}  // namespace lithe
