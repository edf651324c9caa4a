#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case.h"
#include "lithe/error.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

class System;

/// Counts of the work done so far.
struct IntegratorWork {
  long steps = 0, failed_steps = 0, jacobians = 0;
};

/// The integration cannot continue. Holds the time that was reached; the message says why in a sentence.
class StepError : public Error {
 public:
  StepError(double t, const std::string& why, std::string advice = {}) : Error(why, {}, std::move(advice)), t_(t) {}
  double t() const { return t_; }

 private:
  double t_;
};

/// Integrates a System by one method. Between restarts it chooses its steps but never passes the stop time.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Restarts at (t, y), to integrate at most to t_stop. Nothing before has any influence.
  virtual void restart(double t, const VectorXd& y, double t_stop) = 0;

  /// Integrates to t_out ≤ t_stop, or to the corner in the forces before it; y is the solution there. Returns the time reached.
  /// Throws StepError.
  virtual double advance(double t_out, VectorXd& y) = 0;

  /// One step of the method's own, at most to t_stop, the one given to `restart`. Methods that cannot stop after a single step go to `t_row`.
  virtual double step(double /*t_stop*/, double t_row, VectorXd& y) { return advance(t_row, y); }

  /// Whether the last `advance` or `step` ended at a corner; then, per switch of the system, 1 or −1 where it passed zero upwards or
  /// downwards, else 0.
  bool at_root() const { return at_root_; }
  const std::vector<int>& roots() const { return roots_; }

  virtual IntegratorWork work() const = 0;

  /// `look` is called with (t, y) after every step, whether there is a row or not; for an arm in the wind after every step of the air. It
  /// must not throw.
  using Look = std::function<void(double t, const double* y)>;
  void after_step(Look look) { look_ = std::move(look); }

 protected:
  Look look_;  // may be empty
  bool at_root_ = false;
  std::vector<int> roots_;
};

/// Where an implicit method gets the derivatives of the accelerations from: analytic ones (NewtonMatrix) wherever the system has
/// them, or differences of its rates.
enum class Slopes { analytic, differences };

/// By the case's method, through SUNDIALS (CVODE, ARKODE). `stop` set by another thread or a signal ends it with a StepError.
std::unique_ptr<Integrator> make_integrator(System& system, const Simulate& options,
                                            const std::atomic<bool>* stop = nullptr, Slopes slopes = Slopes::analytic);

}  // namespace lithe
