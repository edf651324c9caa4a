#include "lithe/simulate/sundials_base.h"

#include <arkode/arkode.h>
#include <fmt/format.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/simulate/state_vector.h"

namespace lithe {

SundialsBase::SundialsBase(System& system, const Simulate& options, const std::atomic<bool>* stop)
    : system_(system), options_(options), rtol_(options.rtol), atol_(options.atol), stop_(stop) {
  SUNContext_Create(nullptr, &context_);
  y_ = new_state_vector(system.size(), context_);
}
SundialsBase::~SundialsBase() {
  N_VDestroy(y_);
  SUNContext_Free(&context_);
}

IntegratorWork SundialsBase::work() const {
  IntegratorWork total = done_;
  const IntegratorWork now = current();
  total.steps += now.steps;
  total.failed_steps += now.failed_steps;
  total.jacobians += now.jacobians;
  return total;
}

int SundialsBase::rates(realtype t, N_Vector y, N_Vector ydot, void* self) {
  auto* base = static_cast<SundialsBase*>(self);
  if (base->stopped()) return -1;
  return base->system_.rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot)) ? 0 : 1;
}

int SundialsBase::corners(realtype t, N_Vector y, realtype* values, void* self) {
  static_cast<SundialsBase*>(self)->system_.switches(t, N_VGetArrayPointer(y), values);
  return 0;
}

int SundialsBase::weights(N_Vector y, N_Vector weights, void* self) {
  const auto* base = static_cast<SundialsBase*>(self);
  error_weights(base->rtol_, base->atol_, y, weights);
  if (base->look_) base->look_(base->time_reached(), N_VGetArrayPointer(y));
  return 0;
}

void SundialsBase::fail_arkode(int code, double t, double step) const {
  if (stopped()) throw StepError(t, "interrupted");
  const char* why = code == ARK_TOO_MUCH_WORK  ? "too many steps between two rows: the motion is stiff or very fast"
                    : code == ARK_TOO_MUCH_ACC ? "rtol and atol ask for more accuracy than double precision has"
                    : code == ARK_ERR_FAILURE  ? "the steps became too short: some force jumps or grows without bound"
                    : code == ARK_CONV_FAILURE ? "the implicit stages do not converge: the step is too long"
                    : code == ARK_RHSFUNC_FAIL || code == ARK_REPTD_RHSFUNC_ERR || code == ARK_FIRST_RHSFUNC_ERR ||
                            code == ARK_UNREC_RHSFUNC_ERR
                        ? "the accelerations are not finite"
                        : "the integrator failed";
  throw StepError(t, fmt::format("{} (last step {:.3g} s)", why, step));
}

double equal_step(double t, double t_out, double asked) {
  return (t_out - t) / std::max(1.0, std::ceil((t_out - t) / asked * (1 - 1e-12)));
}

// ------------------------------------------------------------------------------------------- implicit steps

void NewtonBase::make_newton(Slopes slopes) {
  if (slopes == Slopes::analytic && NewtonMatrix::covers(system_)) {
    newton_ = std::make_unique<NewtonMatrix>(system_);
    stand_before_newton();
  } else {
    scale_.setZero(system_.size());
    matrix_ = SUNDenseMatrix(system_.size(), system_.size(), context_);
    linear_ = SUNLinSol_Dense(y_, matrix_, context_);
  }
}
NewtonBase::~NewtonBase() {
  if (newton_) {
    SUNLinSolFreeEmpty(linear_);
    SUNMatFreeEmpty(matrix_);
  } else if (linear_ != nullptr) {
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
  }
}

int NewtonBase::prepare_newton(realtype t, N_Vector y, N_Vector ydot, SUNMatrix, booleantype old_will_do,
                               booleantype* renewed, realtype gamma, void* self, N_Vector, N_Vector, N_Vector) {
  auto* base = static_cast<NewtonBase*>(static_cast<SundialsBase*>(self));
  if (base->stopped()) return -1;
  if (!old_will_do) base->newton_->update(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot));
  *renewed = old_will_do ? SUNFALSE : SUNTRUE;
  base->gamma_ = gamma;
  return 0;
}

int NewtonBase::difference_slopes(realtype t, N_Vector y, N_Vector f, SUNMatrix slopes, void* self, N_Vector moved,
                                  N_Vector moved_f, N_Vector) {
  auto* base = static_cast<NewtonBase*>(static_cast<SundialsBase*>(self));
  System& system = base->system_;
  const int n = system.size();
  const double* at = N_VGetArrayPointer(y);
  const Eigen::Map<const VectorXd> rates(N_VGetArrayPointer(f), n);
  Eigen::Map<VectorXd> there(N_VGetArrayPointer(moved), n), rates_there(N_VGetArrayPointer(moved_f), n);
  system.scales(t, at, base->scale_);
  there = Eigen::Map<const VectorXd>(at, n);
  // A forward difference loses as much to rounding as to curvature where the increment is √ε of the scale.
  const double part = std::sqrt(std::numeric_limits<double>::epsilon());
  for (int k = 0; k < n; ++k) {
    Eigen::Map<VectorXd> column(SUNDenseMatrix_Column(slopes, k), n);
    if (base->scale_[k] == 0) {
      column.setZero();
      continue;
    }
    if (base->stopped()) return -1;
    there[k] = at[k] + part * std::max(std::abs(at[k]), base->scale_[k]);
    const double increment = there[k] - at[k];  // as it is after rounding
    if (!system.rates(t, there.data(), rates_there.data())) return 1;
    column = (rates_there - rates) / increment;
    there[k] = at[k];
  }
  return 0;
}

void NewtonBase::stand_before_newton() {
  matrix_ = SUNMatNewEmpty(context_);
  matrix_->content = this;
  matrix_->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
  linear_ = SUNLinSolNewEmpty(context_);
  linear_->content = this;
  linear_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  linear_->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
  linear_->ops->setup = [](SUNLinearSolver solver, SUNMatrix) {
    auto* self = static_cast<NewtonBase*>(solver->content);
    return self->newton_->factor(self->gamma_) ? 0 : 1;
  };
  linear_->ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
    static_cast<NewtonBase*>(solver->content)->newton_->solve(N_VGetArrayPointer(b), N_VGetArrayPointer(x));
    return 0;
  };
}

// ------------------------------------------------------------------------------------------- by the case's method

std::unique_ptr<Integrator> make_integrator(System& system, const Simulate& options, const std::atomic<bool>* stop,
                                            Slopes slopes) {
  Simulate chosen = options;
  chosen.method = options.chosen_method();
  switch (*chosen.method) {
    case Method::cvode:
    case Method::cvode_adams:
      return make_multistep(system, chosen, stop, slopes);
    case Method::dopri5:
      return make_explicit_runge_kutta(system, chosen, stop);
    case Method::rk4:
      if (!chosen.step) return make_explicit_runge_kutta(system, chosen, stop);
      [[fallthrough]];
    default:
      return make_runge_kutta(system, chosen, stop, slopes);
  }
}

}  // namespace lithe
