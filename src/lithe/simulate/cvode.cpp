#include <cvode/cvode.h>
#include <fmt/format.h>

#include "lithe/simulate/sundials_base.h"

namespace lithe {
namespace {

class Cvode final : public NewtonBase {
 public:
  Cvode(System& system, const Simulate& options, const std::atomic<bool>* stop, Slopes slopes)
      : NewtonBase(system, options, stop) {
    make_newton(slopes);
  }
  ~Cvode() override { CVodeFree(&memory_); }

  void restart(double t, const VectorXd& y, double t_stop) override {
    take(y);
    if (memory_ == nullptr) {
      memory_ = CVodeCreate(options_.method == Method::cvode ? CV_BDF : CV_ADAMS, context_);
      CVodeInit(memory_, rates, t, y_);
      CVodeSetErrHandlerFn(memory_, quiet, nullptr);
      CVodeSetUserData(memory_, user_data());
      CVodeWFtolerances(memory_, weights);
      CVodeSetMaxNumSteps(memory_, most_steps);
      // BDF of order 3 to 5 is unstable for fast undamped oscillations, which flexible links have: without a limit it follows
      // every one of them. Order 2 is not, and passes over what the tolerance does not ask for.
      if (options_.method == Method::cvode && system_.arm().bends()) CVodeSetMaxOrd(memory_, 2);
      CVodeSetLinearSolver(memory_, linear_, matrix_);
      if (newton_) CVodeSetLinSysFn(memory_, prepare_newton);
      if (!newton_) CVodeSetJacFn(memory_, difference_slopes);
      roots_.assign(size_t(n_corners()), 0);
      if (n_corners() > 0) CVodeRootInit(memory_, n_corners(), corners);
    } else {
      done_ = work();
      CVodeReInit(memory_, t, y_);
    }
    CVodeSetStopTime(memory_, t_stop);
  }

  double advance(double t_out, VectorXd& y) override { return go(t_out, CV_NORMAL, y); }
  double step(double t_stop, double, VectorXd& y) override { return go(t_stop, CV_ONE_STEP, y); }

 private:
  double go(double t_out, int task, VectorXd& y) {
    realtype t = 0;
    const int code = CVode(memory_, t_out, y_, &t, task);
    if (code < 0) {
      CVodeGetCurrentTime(memory_, &t);
      realtype step = 0;
      CVodeGetLastStep(memory_, &step);
      if (stopped()) throw StepError(t, "interrupted");
      const char* why = code == CV_TOO_MUCH_WORK  ? "too many steps between two rows: the motion is stiff or very fast"
                        : code == CV_TOO_MUCH_ACC ? "rtol and atol ask for more accuracy than double precision has"
                        : code == CV_ERR_FAILURE || code == CV_CONV_FAILURE
                            ? "the steps became too short: some force jumps or grows without bound"
                        : code == CV_RHSFUNC_FAIL || code == CV_REPTD_RHSFUNC_ERR || code == CV_FIRST_RHSFUNC_ERR ||
                                code == CV_UNREC_RHSFUNC_ERR
                            ? "the accelerations are not finite"
                            : "the integrator failed";
      throw StepError(t, fmt::format("{} (last step {:.3g} s)", why, step));
    }
    give(y);
    at_root_ = code == CV_ROOT_RETURN;
    if (at_root_) CVodeGetRootInfo(memory_, roots_.data());
    return t;
  }

  double time_reached() const override {
    realtype t = 0;
    CVodeGetCurrentTime(memory_, &t);
    return t;
  }
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

}  // namespace

std::unique_ptr<Integrator> make_multistep(System& system, const Simulate& options, const std::atomic<bool>* stop,
                                           Slopes slopes) {
  return std::make_unique<Cvode>(system, options, stop, slopes);
}

}  // namespace lithe
