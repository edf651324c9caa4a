#include <arkode/arkode_erkstep.h>

#include "lithe/simulate/sundials_base.h"

namespace lithe {
namespace {

/// ERKStep rather than ARKStep: it evaluates the last stage, which is the first of the next step, only once. Of tables whose last
/// stage lies at the end of the step without being the solution (rk4, Merson) the library's version 6.4 assumes the same
/// and loses an order: those use ARKStep.
class DormandPrince final : public SundialsBase {
 public:
  using SundialsBase::SundialsBase;
  ~DormandPrince() override { ERKStepFree(&memory_); }

  void restart(double t, const VectorXd& y, double) override {
    take(y);
    if (memory_ != nullptr) {
      done_ = work();
      ERKStepReInit(memory_, rates, t, y_);
      return;
    }
    memory_ = ERKStepCreate(rates, t, y_, context_);
    ERKStepSetErrHandlerFn(memory_, quiet, nullptr);
    ERKStepSetUserData(memory_, user_data());
    ERKStepSetMaxNumSteps(memory_, most_steps);
    ERKStepSetTableNum(memory_, ARKODE_DORMAND_PRINCE_7_4_5);
    ERKStepWFtolerances(memory_, weights);
    // As usual for this method (Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.4). With the library's own
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
  void* memory_ = nullptr;
};

}  // namespace

std::unique_ptr<Integrator> make_dormand_prince(System& system, const Simulate& options,
                                                const std::atomic<bool>* stop) {
  return std::make_unique<DormandPrince>(system, options, stop);
}

}  // namespace lithe
