#include <arkode/arkode_arkstep.h>

#include <vector>

#include "lithe/simulate/sundials_base.h"

namespace lithe {
namespace {

/// A Butcher table of our own, A by rows; d: the embedded method's weights, or empty.
ARKodeButcherTable table(int order, int embedded_order, std::vector<double> c, std::vector<double> A,
                         std::vector<double> b, std::vector<double> d) {
  return ARKodeButcherTable_Create(int(c.size()), order, embedded_order, c.data(), A.data(), b.data(),
                                   d.empty() ? nullptr : d.data());
}

/// Kutta–Merson: order 4 with an estimate of order 3 for general systems, e = h(2k₁ − 9k₃ + 8k₄ − k₅)/30. R. H. Merson, "An
/// operational method for the study of integration processes", Proc. Symp. Data Processing, Salisbury 1957.
ARKodeButcherTable merson() {
  return table(4, 3, {0, 1. / 3, 1. / 3, 1. / 2, 1}, {0,      0,      0,       0, 0,  //
                                                      1. / 3, 0,      0,       0, 0,  //
                                                      1. / 6, 1. / 6, 0,       0, 0,  //
                                                      1. / 8, 0,      3. / 8,  0, 0,  //
                                                      1. / 2, 0,      -3. / 2, 2, 0},
               {1. / 6, 0, 0, 2. / 3, 1. / 6}, {1. / 10, 0, 3. / 10, 2. / 5, 1. / 5});
}
ARKodeButcherTable rk4() {
  return table(4, 0, {0, 0.5, 0.5, 1}, {0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0},
               {1. / 6, 1. / 3, 1. / 3, 1. / 6}, {});
}
/// The implicit midpoint rule: symplectic in (q, p), symmetric in time.
ARKodeButcherTable midpoint() { return table(2, 0, {0.5}, {0.5}, {1}, {}); }

class RungeKutta final : public NewtonBase {
 public:
  RungeKutta(System& system, const Simulate& options, const std::atomic<bool>* stop, Slopes slopes)
      : NewtonBase(system, options, stop),
        implicit_(options.method == Method::esdirk || options.method == Method::midpoint) {
    if (implicit_) make_newton(slopes);
  }
  ~RungeKutta() override { ARKStepFree(&memory_); }

  void restart(double t, const VectorXd& y, double) override {
    take(y);
    t_ = t;
    const ARKRhsFn forward = implicit_ ? nullptr : rates, backward = implicit_ ? rates : nullptr;
    if (memory_ != nullptr) {
      done_ = work();
      ARKStepReInit(memory_, forward, backward, t, y_);
      return;
    }
    memory_ = ARKStepCreate(forward, backward, t, y_, context_);
    ARKStepSetErrHandlerFn(memory_, quiet, nullptr);
    ARKStepSetUserData(memory_, user_data());
    ARKStepSetMaxNumSteps(memory_, most_steps);
    set_table();
    if (options_.method == Method::midpoint) {
      // Stages solved to rounding: what is left of the residual would be lost symmetry.
      rtol_ = 1e-12;
      atol_ = 1e-14;
      ARKStepSetMaxNonlinIters(memory_, 20);
      ARKStepSetJacEvalFrequency(memory_, 1);
    }
    ARKStepWFtolerances(memory_, weights);
    // On linear oscillations Newton's method converges at once, and the library then believes in that rate when the step, and with
    // it the matrix, has changed meanwhile: stages were accepted unsolved, at any tolerance. With 1 a rate once seen is not
    // trusted later: what is left must be small by itself.
    if (implicit_) ARKStepSetNonlinCRDown(memory_, 1);
    if (implicit_) ARKStepSetLinearSolver(memory_, linear_, matrix_);
    if (newton_) ARKStepSetLinSysFn(memory_, prepare_stage);
    if (implicit_ && !newton_) ARKStepSetJacFn(memory_, difference_slopes);
    if (options_.method == Method::midpoint) ARKStepSetLSetupFrequency(memory_, 1);
    roots_.assign(size_t(n_corners()), 0);
    if (n_corners() > 0) ARKStepRootInit(memory_, n_corners(), corners);
  }

  double advance(double t_out, VectorXd& y) override { return go(t_out, ARK_NORMAL, y); }
  double step(double t_stop, double, VectorXd& y) override { return go(t_stop, ARK_ONE_STEP, y); }

 private:
  double go(double t_out, int task, VectorXd& y) {
    realtype t = 0;
    // Rows are points of the method itself, not of an interpolant of lower order: stop at each.
    ARKStepSetStopTime(memory_, t_out);
    if (options_.step) ARKStepSetFixedStep(memory_, equal_step(t_, t_out, *options_.step));
    const int code = ARKStepEvolve(memory_, t_out, y_, &t, task);
    if (code < 0) {
      ARKStepGetCurrentTime(memory_, &t);
      realtype step = 0;
      ARKStepGetLastStep(memory_, &step);
      fail_arkode(code, t, step);
    }
    give(y);
    t_ = t;
    at_root_ = code == ARK_ROOT_RETURN;
    if (at_root_) ARKStepGetRootInfo(memory_, roots_.data());
    return t;
  }

  void set_table() {
    if (options_.method == Method::esdirk) {
      ARKStepSetTableNum(memory_, ARKODE_ESDIRK547L2SA_7_4_5, ARKODE_ERK_NONE);
      return;
    }
    const ARKodeButcherTable own = options_.method == Method::merson ? merson()
                                   : options_.method == Method::rk4  ? rk4()
                                                                     : midpoint();
    ARKStepSetTables(memory_, own->q, own->p, implicit_ ? own : nullptr, implicit_ ? nullptr : own);
    ARKodeButcherTable_Free(own);
  }
  /// As for CVODE; ARKODE also knows mass matrices.
  static int prepare_stage(realtype t, N_Vector y, N_Vector ydot, SUNMatrix A, SUNMatrix, booleantype old_will_do,
                           booleantype* renewed, realtype gamma, void* self, N_Vector a, N_Vector b, N_Vector c) {
    return prepare_newton(t, y, ydot, A, old_will_do, renewed, gamma, self, a, b, c);
  }
  double time_reached() const override {
    realtype t = 0;
    ARKStepGetCurrentTime(memory_, &t);
    return t;
  }
  IntegratorWork current() const override {
    long steps = 0, failures = 0;
    if (memory_ != nullptr) {
      ARKStepGetNumSteps(memory_, &steps);
      ARKStepGetNumErrTestFails(memory_, &failures);
    }
    return {steps, failures, 0};
  }
  const bool implicit_;
  void* memory_ = nullptr;
  double t_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_runge_kutta(System& system, const Simulate& options, const std::atomic<bool>* stop,
                                             Slopes slopes) {
  return std::make_unique<RungeKutta>(system, options, stop, slopes);
}

}  // namespace lithe
