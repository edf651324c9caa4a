#include <arkode/arkode_erkstep.h>

#include <optional>
#include <vector>

#include "lithe/simulate/stability_limit.h"
#include "lithe/simulate/sundials_base.h"

namespace lithe {
namespace {

/// The classical method of order 4, with an estimate of order 3 from the slope at the end of the step, which is the first of the next step:
/// e = h (k₄ − f(y₁))/6. (Differences of weights that keep order 3 are multiples of (0, 0, 0, 1, −1).)
ARKodeButcherTable classical() {
  std::vector<double> c{0, 0.5, 0.5, 1, 1}, A{0,      0,      0,      0,      0,  //
                                              0.5,    0,      0,      0,      0,  //
                                              0,      0.5,    0,      0,      0,  //
                                              0,      0,      1,      0,      0,  //
                                              1. / 6, 1. / 3, 1. / 3, 1. / 6, 0},
      b{1. / 6, 1. / 3, 1. / 3, 1. / 6, 0}, d{1. / 6, 1. / 3, 1. / 3, 0, 1. / 6};
  return ARKodeButcherTable_Create(5, 4, 3, c.data(), A.data(), b.data(), d.data());
}

/// Explicit methods that choose their steps, by ERKStep rather than ARKStep: it evaluates the last stage, which is the first of the next
/// step, only once. Of tables whose last stage lies at the end of the step without being the solution (Merson, rk4 of a fixed step) the
/// library's version 6.4 assumes the same and loses an order: those use ARKStep.
class ExplicitRungeKutta final : public SundialsBase {
 public:
  ExplicitRungeKutta(System& system, const Simulate& options, const std::atomic<bool>* stop)
      : SundialsBase(system, options, stop) {
    if (options.method == Method::rk4) limit_.emplace(system);
  }
  ~ExplicitRungeKutta() override { ERKStepFree(&memory_); }

  void restart(double t, const VectorXd& y, double) override {
    take(y);
    if (limit_) limit_->forget();
    if (memory_ != nullptr) {
      done_ = work();
      ERKStepReInit(memory_, rates, t, y_);
      return;
    }
    memory_ = ERKStepCreate(rates, t, y_, context_);
    ERKStepSetErrHandlerFn(memory_, quiet, nullptr);
    ERKStepSetUserData(memory_, user_data());
    ERKStepSetMaxNumSteps(memory_, most_steps);
    if (limit_) {
      const ARKodeButcherTable table = classical();
      ERKStepSetTable(memory_, table);
      ARKodeButcherTable_Free(table);
      ERKStepSetStabilityFn(memory_, stable_step, this);
      ERKStepSetCFLFraction(memory_, limit_fraction);
    } else {
      ERKStepSetTableNum(memory_, ARKODE_DORMAND_PRINCE_7_4_5);
    }
    ERKStepWFtolerances(memory_, weights);
    // As usual for these methods (Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.4). With the library's own
    // bolder choice one step in twelve is rejected, and more evaluations are spent for the same accuracy.
    ERKStepSetSafetyFactor(memory_, 0.9);
    roots_.assign(size_t(n_corners()), 0);
    if (n_corners() > 0) {
      ERKStepRootInit(memory_, n_corners(), corners);
    } else {
      // No values between the steps are needed, so no interpolant is kept.
      ERKStepSetInterpolantType(memory_, ARK_INTERP_LAGRANGE);
      ERKStepSetInterpolantDegree(memory_, 0);
    }
  }

  double advance(double t_out, VectorXd& y) override { return go(t_out, ARK_NORMAL, y); }
  double step(double t_stop, double, VectorXd& y) override { return go(t_stop, ARK_ONE_STEP, y); }

 private:
  /// The library wants a fraction below one of the step it is told.
  static constexpr double limit_fraction = 0.99;

  static int stable_step(N_Vector y, realtype t, realtype* step, void* self) {
    *step = static_cast<ExplicitRungeKutta*>(self)->limit_->step(t, N_VGetArrayPointer(y)) / limit_fraction;
    return 0;
  }

  double go(double t_out, int task, VectorXd& y) {
    realtype t = 0;
    // Rows are points of the method itself, not of an interpolant of lower order: stop at each.
    ERKStepSetStopTime(memory_, t_out);
    const int code = ERKStepEvolve(memory_, t_out, y_, &t, task);
    if (code < 0) {
      ERKStepGetCurrentTime(memory_, &t);
      realtype step = 0;
      ERKStepGetLastStep(memory_, &step);
      fail_arkode(code, t, step);
    }
    give(y);
    at_root_ = code == ARK_ROOT_RETURN;
    if (at_root_) ERKStepGetRootInfo(memory_, roots_.data());
    return t;
  }

  double time_reached() const override {
    realtype t = 0;
    ERKStepGetCurrentTime(memory_, &t);
    return t;
  }
  IntegratorWork current() const override {
    long steps = 0, failures = 0;
    if (memory_ != nullptr) {
      ERKStepGetNumSteps(memory_, &steps);
      ERKStepGetNumErrTestFails(memory_, &failures);
    }
    return {steps, failures, 0};
  }
  std::optional<StabilityLimit> limit_;  // of rk4
  void* memory_ = nullptr;
};

}  // namespace

std::unique_ptr<Integrator> make_explicit_runge_kutta(System& system, const Simulate& options,
                                                      const std::atomic<bool>* stop) {
  return std::make_unique<ExplicitRungeKutta>(system, options, stop);
}

}  // namespace lithe
