#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>
#include <utility>

#include "lithe/simulate/integrator.h"
#include "lithe/simulate/newton_matrix.h"

namespace lithe {
namespace {

/// What both solvers share: SUNDIALS' objects, the callbacks into the System, and the reading of its return codes.
class SundialsBase : public Integrator {
 public:
  SundialsBase(System& system, const Simulate& options, const std::atomic<bool>* stop, Slopes slopes)
      : system_(system), options_(options), stop_(stop) {
    SUNContext_Create(nullptr, &context_);
    y_ = N_VNew_Serial(system.size(), context_);
    if (slopes == Slopes::analytic && NewtonMatrix::covers(system)) {
      newton_ = std::make_unique<NewtonMatrix>(system);
      stand_before_newton();
    } else {
      matrix_ = SUNDenseMatrix(system.size(), system.size(), context_);
      linear_ = SUNLinSol_Dense(y_, matrix_, context_);
    }
  }
  ~SundialsBase() override {
    if (newton_) {
      SUNLinSolFreeEmpty(linear_);
      SUNMatFreeEmpty(matrix_);
    } else {
      SUNLinSolFree(linear_);
      SUNMatDestroy(matrix_);
    }
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }
  SundialsBase(const SundialsBase&) = delete;
  SundialsBase& operator=(const SundialsBase&) = delete;

  IntegratorWork work() const override {
    IntegratorWork total = done_;
    const IntegratorWork now = current();
    total.steps += now.steps;
    total.failed_steps += now.failed_steps;
    total.jacobians += now.jacobians;
    return total;
  }

 protected:
  virtual IntegratorWork current() const = 0;

  // SUNDIALS: 0 went well, > 0 try a smaller step, < 0 give up.
  static int rates(realtype t, N_Vector y, N_Vector ydot, void* self) {
    auto* base = static_cast<SundialsBase*>(self);
    if (base->stop_ != nullptr && *base->stop_) return -1;
    return base->system_.rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot)) ? 0 : 1;
  }
  /// Derivatives anew unless the old ones will do; the factors for this γ follow in the linear solver's setup.
  static int prepare_newton(realtype t, N_Vector y, N_Vector ydot, SUNMatrix, booleantype old_will_do,
                            booleantype* renewed, realtype gamma, void* self, N_Vector, N_Vector, N_Vector) {
    auto* base = static_cast<SundialsBase*>(self);
    if (!old_will_do) base->newton_->update(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot));
    *renewed = old_will_do ? SUNFALSE : SUNTRUE;
    base->gamma_ = gamma;
    return 0;
  }
  /// The same for ARKODE, which also knows mass matrices.
  static int prepare_stage(realtype t, N_Vector y, N_Vector ydot, SUNMatrix A, SUNMatrix, booleantype old_will_do,
                           booleantype* renewed, realtype gamma, void* self, N_Vector a, N_Vector b, N_Vector c) {
    return prepare_newton(t, y, ydot, A, old_will_do, renewed, gamma, self, a, b, c);
  }
  static int corners(realtype t, N_Vector y, realtype* values, void* self) {
    static_cast<SundialsBase*>(self)->system_.switches(t, N_VGetArrayPointer(y), values);
    return 0;
  }
  /// SUNDIALS' own messages stay silent: StepError speaks.
  static void quiet(int, const char*, const char*, char*, void*) {}

  void take(const VectorXd& y) { std::copy(y.begin(), y.end(), N_VGetArrayPointer(y_)); }
  void give(VectorXd& y) const { y = Eigen::Map<const VectorXd>(N_VGetArrayPointer(y_), system_.size()); }
  bool stopped() const { return stop_ != nullptr && *stop_; }

  System& system_;
  const Simulate options_;
  const std::atomic<bool>* stop_;
  std::unique_ptr<NewtonMatrix> newton_;  // null: SUNDIALS' own dense matrix, filled by differences
  double gamma_ = 0;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  IntegratorWork done_;  // of solvers given up at restarts

 private:
  /// A matrix and a linear solver for SUNDIALS that only point to newton_.
  void stand_before_newton() {
    matrix_ = SUNMatNewEmpty(context_);
    matrix_->content = this;
    matrix_->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
    linear_ = SUNLinSolNewEmpty(context_);
    linear_->content = this;
    linear_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    linear_->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
    linear_->ops->setup = [](SUNLinearSolver solver, SUNMatrix) {
      auto* self = static_cast<SundialsBase*>(solver->content);
      return self->newton_->factor(self->gamma_) ? 0 : 1;
    };
    linear_->ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
      static_cast<SundialsBase*>(solver->content)->newton_->solve(N_VGetArrayPointer(b), N_VGetArrayPointer(x));
      return 0;
    };
  }
};

// A run that needs more than this between two rows is stuck.
constexpr long most_steps = 500'000;

class Cvode final : public SundialsBase {
 public:
  using SundialsBase::SundialsBase;
  ~Cvode() override { CVodeFree(&memory_); }

  void restart(double t, const VectorXd& y, double t_stop) override {
    take(y);
    if (memory_ == nullptr) {
      memory_ = CVodeCreate(options_.method == Method::cvode ? CV_BDF : CV_ADAMS, context_);
      CVodeInit(memory_, rates, t, y_);
      CVodeSetErrHandlerFn(memory_, quiet, nullptr);
      CVodeSetUserData(memory_, static_cast<SundialsBase*>(this));
      CVodeSStolerances(memory_, options_.rtol, options_.atol);
      CVodeSetMaxNumSteps(memory_, most_steps);
      // BDF of order 3 to 5 is unstable for fast undamped oscillations, which links that bend have: left to itself it follows
      // every one of them. Order 2 is not, and passes over what the tolerance does not ask for.
      if (options_.method == Method::cvode && system_.arm().bends()) CVodeSetMaxOrd(memory_, 2);
      CVodeSetLinearSolver(memory_, linear_, matrix_);
      if (newton_) CVodeSetLinSysFn(memory_, prepare_newton);
      if (system_.drives().n_switches() > 0) CVodeRootInit(memory_, system_.drives().n_switches(), corners);
    } else {
      done_ = work();
      CVodeReInit(memory_, t, y_);
    }
    CVodeSetStopTime(memory_, t_stop);
  }

  double advance(double t_out, VectorXd& y) override {
    realtype t = 0;
    const int code = CVode(memory_, t_out, y_, &t, CV_NORMAL);
    if (code < 0) {
      CVodeGetCurrentTime(memory_, &t);
      realtype step = 0;
      CVodeGetLastStep(memory_, &step);
      if (stopped()) throw StepError(t, "interrupted");
      const char* why = code == CV_TOO_MUCH_WORK  ? "too many steps between two rows: the motion is stiff or very fast"
                        : code == CV_TOO_MUCH_ACC ? "rtol and atol ask for more accuracy than numbers have"
                        : code == CV_ERR_FAILURE || code == CV_CONV_FAILURE
                            ? "the steps shrank to nothing: a force that jumps or grows without bound"
                        : code == CV_RHSFUNC_FAIL || code == CV_REPTD_RHSFUNC_ERR || code == CV_FIRST_RHSFUNC_ERR ||
                                code == CV_UNREC_RHSFUNC_ERR
                            ? "the accelerations are not finite"
                            : "the integrator gave up";
      throw StepError(t, fmt::format("{} (last step {:.3g} s)", why, step));
    }
    give(y);
    return t;
  }

 private:
  IntegratorWork current() const override {
    long steps = 0, failures = 0, jacobians = 0;
    if (memory_ != nullptr) {
      CVodeGetNumSteps(memory_, &steps);
      CVodeGetNumErrTestFails(memory_, &failures);
      CVodeGetNumJacEvals(memory_, &jacobians);
    }
    return {steps, failures, jacobians};
  }
  void* memory_ = nullptr;
};

/// A Butcher table of our own; `lower` holds the rows below the diagonal (with it for implicit methods).
ARKodeButcherTable table(int stages, int order, int embedded_order, std::initializer_list<double> c,
                         std::initializer_list<double> A, std::initializer_list<double> b,
                         std::initializer_list<double> d) {
  std::vector<double> c_(c), A_(A), b_(b), d_(d);
  return ARKodeButcherTable_Create(stages, order, embedded_order, c_.data(), A_.data(), b_.data(),
                                   d_.empty() ? nullptr : d_.data());
}

/// Kutta–Merson: order 4 with an estimate of order 3 for general systems, e = h(2k₁ − 9k₃ + 8k₄ − k₅)/30. R. H. Merson, "An
/// operational method for the study of integration processes", Proc. Symp. Data Processing, Salisbury 1957.
ARKodeButcherTable merson() {
  return table(5, 4, 3, {0, 1. / 3, 1. / 3, 1. / 2, 1}, {0,      0,      0,       0, 0,  //
                                                         1. / 3, 0,      0,       0, 0,  //
                                                         1. / 6, 1. / 6, 0,       0, 0,  //
                                                         1. / 8, 0,      3. / 8,  0, 0,  //
                                                         1. / 2, 0,      -3. / 2, 2, 0},
               {1. / 6, 0, 0, 2. / 3, 1. / 6}, {1. / 10, 0, 3. / 10, 2. / 5, 1. / 5});
}
ARKodeButcherTable rk4() {
  return table(4, 4, 0, {0, 0.5, 0.5, 1}, {0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0},
               {1. / 6, 1. / 3, 1. / 3, 1. / 6}, {});
}
/// The implicit midpoint rule: symplectic in (q, p), symmetric in time.
ARKodeButcherTable midpoint() { return table(1, 2, 0, {0.5}, {0.5}, {1}, {}); }

class Arkode final : public SundialsBase {
 public:
  Arkode(System& system, const Simulate& options, const std::atomic<bool>* stop, Slopes slopes)
      : SundialsBase(system, options, stop, slopes) {
    if (options.method == Method::merson) own_ = merson();
    if (options.method == Method::rk4) own_ = rk4();
    if (options.method == Method::midpoint) own_ = midpoint();
  }
  ~Arkode() override {
    ARKStepFree(&memory_);
    if (own_ != nullptr) ARKodeButcherTable_Free(own_);
  }

  void restart(double t, const VectorXd& y, double) override {
    take(y);
    t_ = t;
    const bool implicit = options_.method == Method::esdirk || options_.method == Method::midpoint;
    if (memory_ != nullptr) {
      done_ = work();
      ARKStepReInit(memory_, implicit ? nullptr : rates, implicit ? rates : nullptr, t, y_);
    } else {
      memory_ = ARKStepCreate(implicit ? nullptr : rates, implicit ? rates : nullptr, t, y_, context_);
      ARKStepSetErrHandlerFn(memory_, quiet, nullptr);
      ARKStepSetUserData(memory_, static_cast<SundialsBase*>(this));
      ARKStepSetMaxNumSteps(memory_, most_steps);
      if (options_.method == Method::dopri5) ARKStepSetTableNum(memory_, ARKODE_DIRK_NONE, ARKODE_DORMAND_PRINCE_7_4_5);
      if (options_.method == Method::esdirk) ARKStepSetTableNum(memory_, ARKODE_ESDIRK547L2SA_7_4_5, ARKODE_ERK_NONE);
      if (own_ != nullptr && !implicit) ARKStepSetTables(memory_, own_->q, own_->p, nullptr, own_);
      if (own_ != nullptr && implicit) ARKStepSetTables(memory_, own_->q, own_->p, own_, nullptr);
      if (options_.method == Method::midpoint) {
        // Stages solved to rounding: what is left of the residual would be lost symmetry.
        ARKStepSStolerances(memory_, 1e-12, 1e-14);
        ARKStepSetMaxNonlinIters(memory_, 20);
        ARKStepSetJacEvalFrequency(memory_, 1);
      } else {
        ARKStepSStolerances(memory_, options_.rtol, options_.atol);
      }
      if (implicit) ARKStepSetLinearSolver(memory_, linear_, matrix_);
      if (implicit && newton_) ARKStepSetLinSysFn(memory_, prepare_stage);
      if (options_.method == Method::midpoint) ARKStepSetLSetupFrequency(memory_, 1);
      if (system_.drives().n_switches() > 0) ARKStepRootInit(memory_, system_.drives().n_switches(), corners);
    }
  }

  double advance(double t_out, VectorXd& y) override {
    realtype t = 0;
    // Rows are points of the method itself, not of an interpolant of lower order: stop at each.
    ARKStepSetStopTime(memory_, t_out);
    if (options_.step) {
      // As many equal steps as fit the way there, none longer than asked for.
      const double n = std::max(1.0, std::ceil((t_out - t_) / *options_.step * (1 - 1e-12)));
      ARKStepSetFixedStep(memory_, (t_out - t_) / n);
    }
    const int code = ARKStepEvolve(memory_, t_out, y_, &t, ARK_NORMAL);
    if (code < 0) {
      ARKStepGetCurrentTime(memory_, &t);
      realtype step = 0;
      ARKStepGetLastStep(memory_, &step);
      if (stopped()) throw StepError(t, "interrupted");
      const char* why = code == ARK_TOO_MUCH_WORK  ? "too many steps between two rows: the motion is stiff or very fast"
                        : code == ARK_TOO_MUCH_ACC ? "rtol and atol ask for more accuracy than numbers have"
                        : code == ARK_ERR_FAILURE
                            ? "the steps shrank to nothing: a force that jumps or grows without bound"
                        : code == ARK_CONV_FAILURE ? "the implicit stages do not converge: the step is too long"
                        : code == ARK_RHSFUNC_FAIL || code == ARK_REPTD_RHSFUNC_ERR || code == ARK_FIRST_RHSFUNC_ERR ||
                                code == ARK_UNREC_RHSFUNC_ERR
                            ? "the accelerations are not finite"
                            : "the integrator gave up";
      throw StepError(t, fmt::format("{} (last step {:.3g} s)", why, step));
    }
    give(y);
    t_ = t;
    return t;
  }

 private:
  IntegratorWork current() const override {
    long steps = 0, failures = 0;
    if (memory_ != nullptr) {
      ARKStepGetNumSteps(memory_, &steps);
      ARKStepGetNumErrTestFails(memory_, &failures);
    }
    return {steps, failures, 0};
  }
  void* memory_ = nullptr;
  ARKodeButcherTable own_ = nullptr;
  double t_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_integrator(System& system, const Simulate& options, const std::atomic<bool>* stop,
                                            Slopes slopes) {
  Simulate chosen = options;
  chosen.method = options.method.value_or(Method::cvode);
  if (chosen.method == Method::cvode || chosen.method == Method::cvode_adams)
    return std::make_unique<Cvode>(system, chosen, stop, slopes);
  return std::make_unique<Arkode>(system, chosen, stop, slopes);
}

}  // namespace lithe
