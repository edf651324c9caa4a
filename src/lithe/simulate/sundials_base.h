// What the integrators by SUNDIALS share. Only they include this.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "lithe/describe/limits.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/newton_matrix.h"
#include "lithe/simulate/system.h"

namespace lithe {

/// SUNDIALS' objects and the callbacks into the System.
class SundialsBase : public Integrator {
 public:
  SundialsBase(System& system, const Simulate& options, const std::atomic<bool>* stop);
  ~SundialsBase() override;
  SundialsBase(const SundialsBase&) = delete;
  SundialsBase& operator=(const SundialsBase&) = delete;

  IntegratorWork work() const override;

 protected:
  /// Of the solver at work since the last restart.
  virtual IntegratorWork current() const = 0;

  // Callbacks: 0 went well, > 0 try a smaller step, < 0 give up. Their last argument is user_data().
  static int rates(realtype t, N_Vector y, N_Vector ydot, void* self);
  static int corners(realtype t, N_Vector y, realtype* values, void* self);
  /// Error weights 1/(rtol |y| + atol). SUNDIALS asks for them once a step, at the solution that it has accepted, which is when observers
  /// are called.
  static int weights(N_Vector y, N_Vector weights, void* self);
  /// The time that the method has reached.
  virtual double time_reached() const = 0;
  /// SUNDIALS' own messages are suppressed; StepError has the message.
  static void quiet(int, const char*, const char*, char*, void*) {}
  void* user_data() { return static_cast<SundialsBase*>(this); }

  int n_corners() { return system_.n_switches(); }
  void take(const VectorXd& y) { std::copy(y.begin(), y.end(), N_VGetArrayPointer(y_)); }
  void give(VectorXd& y) const { y = Eigen::Map<const VectorXd>(N_VGetArrayPointer(y_), system_.size()); }
  bool stopped() const { return stop_ != nullptr && *stop_; }
  /// Throws the error that a return code of ARKODE means.
  [[noreturn]] void fail_arkode(int code, double t, double step) const;

  System& system_;
  const Simulate options_;
  double rtol_, atol_;  // of the weights
  const std::atomic<bool>* stop_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  IntegratorWork done_;  // of solvers given up at restarts
};

/// With the linear algebra of implicit steps: by NewtonMatrix where it covers the system, else SUNDIALS' own dense matrix, filled
/// by differences of our own.
class NewtonBase : public SundialsBase {
 public:
  using SundialsBase::SundialsBase;
  ~NewtonBase() override;

 protected:
  /// To be called first by methods with implicit steps.
  void make_newton(Slopes slopes);

  /// Computes new derivatives unless the old ones suffice; the factors for this γ follow in the linear solver's setup.
  static int prepare_newton(realtype t, N_Vector y, N_Vector ydot, SUNMatrix, booleantype old_will_do,
                            booleantype* renewed, realtype gamma, void* self, N_Vector, N_Vector, N_Vector);

  /// ∂f/∂y by differences, in increments by the system's own scales: SUNDIALS takes them from the tolerances; where y is zero,
  /// these are smaller than the rounding of f allows.
  static int difference_slopes(realtype t, N_Vector y, N_Vector f, SUNMatrix slopes, void* self, N_Vector moved,
                               N_Vector moved_f, N_Vector);

  std::unique_ptr<NewtonMatrix> newton_;  // null: by differences
  VectorXd scale_;                        // of y, for differences
  double gamma_ = 0;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;

 private:
  /// A matrix and a linear solver for SUNDIALS that only point to newton_.
  void stand_before_newton();
};

// A run that needs more than this between two rows is stuck.
inline constexpr long most_steps = limits::steps_between_rows;

/// The step that divides the time from t to t_out equally and does not exceed the requested one.
double equal_step(double t, double t_out, double asked);

/// CVODE: BDF and Adams.
std::unique_ptr<Integrator> make_multistep(System& system, const Simulate& options, const std::atomic<bool>* stop,
                                           Slopes slopes);
/// ARKODE's ARKStep: ESDIRK, the implicit midpoint rule, Merson's method, rk4 of a fixed step.
std::unique_ptr<Integrator> make_runge_kutta(System& system, const Simulate& options, const std::atomic<bool>* stop,
                                             Slopes slopes);
/// ARKODE's ERKStep: dopri5, and rk4 where it chooses its steps.
std::unique_ptr<Integrator> make_explicit_runge_kutta(System& system, const Simulate& options,
                                                      const std::atomic<bool>* stop);

}  // namespace lithe
