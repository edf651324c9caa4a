#include "lithe/simulate/newmark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "lithe/describe/limits.h"
#include "lithe/spatial/demand.h"
#include "lithe/spatial/whole_number.h"

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
                      &permuted_, &increment_, &a_previous_})
    x->setZero(system.size());
  step_ = options.step;
  int n_groups = 0;
  for (int k = 0; k < system.size(); ++k) {
    group_.push_back(system.group_of(k));
    n_groups = std::max(n_groups, group_.back() + 1);
  }
  largest_.setZero(n_groups);
  scale_.setZero(n_groups);
  residuals_.reserve(options.most_iterations);
}

void Newmark::factorise(double t, const VectorXd& z, const VectorXd& v, double mass, double damping, double stiffness) {
  const SparseMatrixd& sum = system_.weighted_sum(t, z, v, mass, damping, stiffness);
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
  factorise(t, z_, v_, 1, 0, 0);
  for (int pass = 0; pass < 2; ++pass) {
    system_.unbalanced(t_, z_, v_, a_, force_);
    solve();
    a_ += correction_;
  }
  factorised_dt_ = 0;
  previous_dt_ = 0;
  note_largest(z_, largest_);
}

void Newmark::note_largest(const VectorXd& z, VectorXd& largest) const {
  for (int k = 0; k < z.size(); ++k) largest[group_[k]] = std::max(largest[group_[k]], std::abs(z[k]));
}

void Newmark::advance(double t_out) {
  paused_ = false;
  while (t_ < t_out && !paused_) {
    const double longest = options_.tolerance ? step_ : options_.step, start = t_, span = t_out - t_;
    const auto asked = whole_number(std::ceil(span / longest * (1 - 1e-9)), 0, limits::steps);
    if (!asked)
      throw StepError(t_, fmt::format("more than {} steps of {:.3g} s to the next row", limits::steps, longest));
    const long n = std::max(1L, *asked);
    for (long k = 1; k <= n && !paused_; ++k) {
      const double t_end = k == n ? t_out : start + span * double(k) / double(n);
      if (!options_.tolerance)
        step(t_end, options_.most_halvings);
      else if (!controlled_step(t_end))
        break;  // another step from here on
    }
  }
}

/// Whether it ends at an equilibrium: from a guess and with the matrix there is, if there is one for this step; else from where
/// it stands, by Newton's method proper.
bool Newmark::converge(double dt) {
  if (system_.recentre(z_, v_, a_)) factorised_dt_ = previous_dt_ = 0;
  // Steps of a row differ by rounding; the matrix serves them all.
  if (std::abs(dt - factorised_dt_) > 1e-6 * dt) factorised_dt_ = 0;
  if (iterate(dt, Way::kept_matrix)) return true;
  factorised_dt_ = 0;
  return iterate(dt, Way::newton);
}

void Newmark::accept(double t_end) {
  z_.swap(z_next_);
  v_.swap(v_next_);
  a_previous_.swap(a_);
  a_.swap(a_next_);
  previous_dt_ = t_end - t_;
  t_previous_ = t_;
  t_ = t_end;
  ++work_.steps;
  if (int(residuals_.size()) > options_.slow_iterations) factorised_dt_ = 0;
  if (after_step_) after_step_();
}

void Newmark::go_back() {
  z_.swap(z_next_);
  v_.swap(v_next_);
  a_.swap(a_previous_);
  t_ = t_previous_;
  previous_dt_ = 0;
  --work_.steps;
}

void Newmark::step(double t_end, int halvings_left) {
  const double dt = t_end - t_;
  if (converge(dt)) return accept(t_end);
  if (halvings_left == 0) give_up(dt);
  ++work_.halvings;
  const double middle = t_ + dt / 2;
  step(middle, halvings_left - 1);
  if (!paused_) step(t_end, halvings_left - 1);
}

/// Whether the next step may be as long as this one was planned to be.
bool Newmark::controlled_step(double t_end) {
  const double dt = t_end - t_;
  const bool converged = converge(dt);
  const double error = converged ? error_of_step() : 0;
  if (!converged || !(error <= 1)) {
    ++(converged ? work_.rejected : work_.halvings);
    step_ = dt / 2;
    since_change_ = 0;
    if (step_ < 1e-9 * options_.step) give_up(dt);
    return false;
  }
  accept(t_end);
  largest_ = scale_;
  // A doubled step has eight times the error.
  if (++since_change_ < 3 || error > 0.05 || step_ >= options_.step) return true;
  step_ = std::min(2 * step_, options_.step);
  since_change_ = 0;
  return false;
}

/// (4) against the tolerance, as a mean square of the unknowns.
double Newmark::error_of_step() {
  if (z_.size() == 0) return 0;
  const double dt = factorised_dt_, t = t_ + (1 - alpha_f_) * dt;
  system_.unbalanced(t, z_mid_, v_mid_, a_, force_);
  ++work_.iterations;
  solve();
  const double factor = std::abs(beta_ - 1.0 / 6) / beta_;
  scale_ = largest_;
  note_largest(z_next_, scale_);
  double sum = 0;
  for (int k = 0; k < correction_.size(); ++k) {
    const double weighted =
        factor * correction_[k] / (options_.tolerance->relative * scale_[group_[k]] + options_.tolerance->absolute);
    sum += weighted * weighted;
  }
  return std::sqrt(sum / double(correction_.size()));
}

/// Position, acceleration and rate at the end of the step, by the increment and (1).
void Newmark::finish_step(double dt) {
  z_next_ = z_ + increment_;
  a_next_ = (increment_ - dt * v_) / (beta_ * dt * dt) - (0.5 / beta_ - 1) * a_;
  v_next_ = v_ + dt * ((1 - gamma_) * a_ + gamma_ * a_next_);
}

/// K* of a step of this length, about a place in it.
void Newmark::factorise_step(double dt, const VectorXd& z, const VectorXd& v) {
  const double c0 = 1 / (beta_ * dt * dt), c1 = gamma_ / (beta_ * dt);
  factorise(t_ + (1 - alpha_f_) * dt, z, v, (1 - alpha_m_) * c0, (1 - alpha_f_) * c1, 1 - alpha_f_);
  factorised_dt_ = dt;
}

/// F_u of the step by its increment. False where it has no finite value.
bool Newmark::evaluate(double dt) {
  if (options_.stop != nullptr && *options_.stop) throw StepError(t_, "interrupted");
  finish_step(dt);
  z_mid_ = z_ + (1 - alpha_f_) * increment_;
  v_mid_ = (1 - alpha_f_) * v_next_ + alpha_f_ * v_;
  a_mid_ = (1 - alpha_m_) * a_next_ + alpha_m_ * a_;
  system_.unbalanced(t_ + (1 - alpha_f_) * dt, z_mid_, v_mid_, a_mid_, force_);
  ++work_.iterations;
  return force_.allFinite();
}

/// The increment has just gone along the correction too far, from work g > 0 per correction to less than −g/2: back to where no
/// more than half of it is left either way. Forces that turn over within a small part of the correction, as friction does, need
/// this; Newton's method alone would go to and fro across them.
bool Newmark::search(double dt, double g) {
  double low = 0, high = 1, g_low = g, g_high = correction_.dot(force_), at = 1;
  constexpr int most = 40;
  for (int k = 0; k < most; ++k) {
    const double part = std::isfinite(g_high) ? std::clamp(g_low / (g_low - g_high), 0.1, 0.9) : 0.1;
    const double next = std::lerp(low, high, part);
    increment_ += (next - at) * correction_;
    at = next;
    const double g_next = evaluate(dt) ? correction_.dot(force_) : -INFINITY;
    if (std::abs(g_next) <= g / 2) return true;
    if (g_next > 0) {
      low = next;
      g_low = g_next;
    } else {
      high = next;
      g_high = g_next;
    }
  }
  return force_.allFinite();
}

bool Newmark::iterate(double dt, Way way) {
  if (factorised_dt_ == 0) factorise_step(dt, z_, v_);
  residuals_.clear();
  // The guess: accelerations go on as they did, or stay where there is no step before of the same length. Good for motions that
  // the step resolves, but Δt²/2 times the acceleration of much faster ones may be far off; without a guess, as in the thesis,
  // the first iteration treats these rightly. The increment is what is iterated: as a difference of positions it would carry
  // their rounding, times 4/Δt².
  increment_.setZero();
  if (way == Way::kept_matrix) {
    increment_ = dt * v_ + dt * dt / 2 * a_;
    if (std::abs(dt - previous_dt_) <= 1e-6 * dt) increment_ += beta_ * dt * dt * (a_ - a_previous_);
  }
  double first_energy = 0, last_energy = 0, least_energy = 0, first_move = 0, whole = 0;
  int since_least = 0;
  bool balanced = false;
  if (!evaluate(dt)) return false;
  for (int k = 0; k < options_.most_iterations; ++k) {
    residuals_.push_back(force_.norm());
    solve();
    double energy = std::abs(correction_.dot(force_));
    if (way == Way::newton && k > 0 && energy > options_.slow_energy * last_energy) {
      factorise_step(dt, z_mid_, v_mid_);
      solve();
      energy = std::abs(correction_.dot(force_));
    }
    last_energy = energy;
    increment_ += correction_;
    const double move = correction_.lpNorm<Eigen::Infinity>();
    if (k == 0) {
      first_energy = energy;
      first_move = move;
      whole = increment_.lpNorm<Eigen::Infinity>();
    } else if (way == Way::newton) {
      whole = increment_.lpNorm<Eigen::Infinity>();  // the first correction may have gone far too far
    }
    if (energy > 1e6 * first_energy) return false;
    since_least = k == 0 || energy < least_energy ? 0 : since_least + 1;
    if (since_least == 0) least_energy = energy;
    // (2.41) against its first value without the guess, when all of the increment was still to come; energies go as squares.
    // Beyond that the iteration continues while corrections matter; if nothing changes any more, the rest is rounding.
    balanced = energy * first_move * first_move <= options_.energy_tolerance * first_energy * whole * whole;
    const bool settled = balanced && move <= options_.increment_tolerance * whole;
    const bool still = move <= 1e-13 * z_next_.lpNorm<Eigen::Infinity>();
    if (energy == 0 || settled || ((balanced || still) && since_least >= 2)) {
      finish_step(dt);
      return true;
    }
    const bool finite = evaluate(dt);
    if (way == Way::newton) {
      if ((!finite || correction_.dot(force_) < -energy / 2) && !search(dt, energy)) return false;
    } else if (!finite || since_least >= 4) {
      return false;
    }
  }
  // Convergence is too slow to reach rounding: the criterion decides.
  finish_step(dt);
  return balanced;
}

void Newmark::give_up(double dt) const {
  const size_t shown = std::min<size_t>(residuals_.size(), 8);
  Eigen::Index worst = 0;
  if (force_.size() > 0) force_.cwiseAbs().maxCoeff(&worst);
  throw StepError(t_, fmt::format("the equilibrium iteration does not converge with steps down to {:.3g} s; unbalanced "
                                  "force by iteration {:.2e}{}, most of it on {}. Try a smaller step, a motion without "
                                  "jumps in its acceleration, or generalised-alpha",
                                  dt, fmt::join(residuals_.begin(), residuals_.begin() + long(shown), ", "),
                                  shown < residuals_.size() ? fmt::format(", ..., {:.2e}", residuals_.back()) : "",
                                  system_.name_of(int(worst))));
}

}  // namespace lithe
