#include "lithe/simulate/newmark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "lithe/spatial/demand.h"

namespace lithe {

Newmark::Newmark(SecondOrderSystem& system, const NewmarkOptions& options) : system_(system), options_(options) {
  LITHE_DEMAND(options.step > 0);
  if (options.rho_infinity) {
    const double rho = *options.rho_infinity;
    LITHE_DEMAND(rho >= 0 && rho <= 1);
    alpha_m_ = (2 * rho - 1) / (rho + 1);
    alpha_f_ = rho / (rho + 1);
    gamma_ = 0.5 - alpha_m_ + alpha_f_;
    beta_ = std::pow(1 - alpha_m_ + alpha_f_, 2) / 4;
  }
  for (VectorXd* x : {&z_, &v_, &a_, &z_next_, &v_next_, &a_next_, &z_mid_, &v_mid_, &a_mid_, &force_, &correction_,
                      &permuted_, &increment_})
    x->setZero(system.size());
  residuals_.reserve(options.most_iterations);
}

void Newmark::factorise(double t, double mass, double damping, double stiffness) {
  const SparseMatrixd& sum = system_.weighted_sum(t, z_, v_, mass, damping, stiffness);
  if (!analysed_) solver_.analyzePattern(sum);
  analysed_ = true;
  solver_.factorize(sum);
  ++work_.factorisations;
  inverse_diagonal_ = solver_.vectorD().cwiseInverse();
  if (solver_.info() != Eigen::Success || !inverse_diagonal_.allFinite())
    throw StepError(t, "the matrix of the iteration is singular: some coordinate has neither inertia nor stiffness");
}

/// correction = K*⁻¹ force; step by step, because Eigen's own solve permutes in place and allocates for it.
void Newmark::solve() {
  permuted_ = solver_.permutationP() * force_;
  solver_.matrixL().solveInPlace(permuted_);
  permuted_.array() *= inverse_diagonal_.array();
  solver_.matrixU().solveInPlace(permuted_);
  correction_ = solver_.permutationPinv() * permuted_;
}

void Newmark::restart(double t, const VectorXd& z, const VectorXd& v) {
  LITHE_DEMAND_EQUAL(z.size(), system_.size());
  LITHE_DEMAND_EQUAL(v.size(), system_.size());
  t_ = t;
  z_ = z;
  v_ = v;
  // F_u is linear in the accelerations with matrix −M, so a second pass only takes away rounding.
  a_.setZero();
  factorise(t, 1, 0, 0);
  for (int pass = 0; pass < 2; ++pass) {
    system_.unbalanced(t_, z_, v_, a_, force_);
    solve();
    a_ += correction_;
  }
  factorised_dt_ = 0;
}

void Newmark::advance(double t_out) {
  const double span = t_out - t_, start = t_;
  const long n = std::max(1L, long(std::ceil(span / options_.step * (1 - 1e-9))));
  for (long k = 1; k <= n && span > 0; ++k)
    step(k == n ? t_out : start + span * double(k) / double(n), options_.most_halvings);
}

void Newmark::step(double t_end, int halvings_left) {
  const double dt = t_end - t_;
  // Steps of a row differ by rounding; the matrix serves them all.
  bool fresh = false;
  if (std::abs(dt - factorised_dt_) > 1e-6 * dt) {
    factorised_dt_ = 0;
    fresh = true;
  }
  bool done = iterate(dt);
  if (!done && !fresh) {
    factorised_dt_ = 0;
    done = iterate(dt);
  }
  if (done) {
    t_ = t_end;
    z_.swap(z_next_);
    v_.swap(v_next_);
    a_.swap(a_next_);
    ++work_.steps;
    if (int(residuals_.size()) > options_.slow_iterations) factorised_dt_ = 0;
    return;
  }
  if (halvings_left == 0) give_up(dt);
  ++work_.halvings;
  const double middle = t_ + dt / 2;
  step(middle, halvings_left - 1);
  step(t_end, halvings_left - 1);
}

/// Position, acceleration and rate at the end of the step, by the increment and (1).
void Newmark::finish_step(double dt) {
  z_next_ = z_ + increment_;
  a_next_ = (increment_ - dt * v_) / (beta_ * dt * dt) - (0.5 / beta_ - 1) * a_;
  v_next_ = v_ + dt * ((1 - gamma_) * a_ + gamma_ * a_next_);
}

bool Newmark::iterate(double dt) {
  const double c0 = 1 / (beta_ * dt * dt), c1 = gamma_ / (beta_ * dt);
  if (factorised_dt_ == 0) {
    factorise(t_ + (1 - alpha_f_) * dt, (1 - alpha_m_) * c0, (1 - alpha_f_) * c1, 1 - alpha_f_);
    factorised_dt_ = dt;
  }
  residuals_.clear();
  // Start from accelerations that stay: the guess is then of second order, and the relations (1) hold from the beginning.
  // The increment is what is iterated: as a difference of positions it would carry their rounding, times 4/Δt².
  increment_ = dt * v_ + dt * dt / 2 * a_;
  double first_energy = 0, least_energy = 0;
  int since_least = 0;
  for (int k = 0; k < options_.most_iterations; ++k) {
    finish_step(dt);
    z_mid_ = z_ + (1 - alpha_f_) * increment_;
    v_mid_ = (1 - alpha_f_) * v_next_ + alpha_f_ * v_;
    a_mid_ = (1 - alpha_m_) * a_next_ + alpha_m_ * a_;
    system_.unbalanced(t_ + (1 - alpha_f_) * dt, z_mid_, v_mid_, a_mid_, force_);
    residuals_.push_back(force_.norm());
    ++work_.iterations;
    if (!std::isfinite(residuals_.back())) return false;
    solve();
    increment_ += correction_;
    const double energy = std::abs(correction_.dot(force_));
    if (k == 0) first_energy = energy;
    since_least = k == 0 || energy < least_energy ? 0 : since_least + 1;
    if (since_least == 0) least_energy = energy;
    // Past the criterion it goes on for as long as that still helps; where nothing moves any more, that was rounding.
    const bool balanced = energy <= options_.energy_tolerance * first_energy;
    const bool still = correction_.lpNorm<Eigen::Infinity>() <= 1e-13 * z_next_.lpNorm<Eigen::Infinity>();
    if (energy <= options_.energy_goal * first_energy || ((balanced || still) && since_least >= 2)) {
      finish_step(dt);
      return true;
    }
  }
  return false;
}

void Newmark::give_up(double dt) const {
  const size_t shown = std::min<size_t>(residuals_.size(), 8);
  throw StepError(
      t_, fmt::format("equilibrium iteration does not converge with steps down to {:.3g} s; unbalanced force by "
                      "iteration {:.2e}{}. Try a smaller step, a motion without jumps in its acceleration, or "
                      "generalised-alpha",
                      dt, fmt::join(residuals_.begin(), residuals_.begin() + long(shown), ", "),
                      shown < residuals_.size() ? fmt::format(", ..., {:.2e}", residuals_.back()) : ""));
}

}  // namespace lithe
