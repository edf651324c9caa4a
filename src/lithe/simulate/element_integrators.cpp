// How the finite-element models are integrated in time, with an audit of work.
#include <algorithm>

#include "lithe/simulate/element_march.h"
#include "lithe/simulate/integrator.h"

namespace lithe {
namespace {

/// A beam that leaves its guide ends the integration.
template <class Step>
void within_guides(const double& t, Step step) {
  try {
    step();
  } catch (const GuideError& error) {
    throw StepError(t, error.what());
  }
}

}  // namespace

/// Newmark or generalised-α, with the powers summed step by step. Where a watched quantity passes zero within a step, the step is taken
/// back and ends there instead.
class ElementMarch::MarchInTime : public Integrator {
 public:
  MarchInTime(ElementMarch& march, const std::atomic<bool>* stop)
      : march_(march), newmark_(*march.system_, options(march.options_, stop)), stop_(stop) {
    newmark_.after_step([this] { pass_step(); });
    const size_t n = march.watched_.size();
    roots_.assign(n, 0);
    values_.assign(n, 0);
    values_now_.assign(n, 0);
  }
  void restart(double t, const VectorXd& y, double) override {
    if (march_.nominal_) march_.nominal_->forget();
    march_.read(y.data());
    newmark_.restart(t, march_.z_, march_.v_);
    put_in_ = y[march_.size() - 2];
    lost_ = y[march_.size() - 1];
    t_ = t;
    last_ = march_.powers(t, newmark_.z(), newmark_.v(), newmark_.a());
    watch(values_);
  }
  double advance(double t_out, VectorXd& y) override {
    at_root_ = false;
    within_guides(newmark_.t(), [&] {
      newmark_.advance(t_out);
      if (passed_) go_to_root();
    });
    put_state(y);
    return at_root_ ? newmark_.t() : t_out;
  }
  IntegratorWork work() const override {
    const NewmarkWork& work = newmark_.work();
    return {work.steps, work.halvings + work.rejected, work.factorisations};
  }

 private:
  static NewmarkOptions options(const Simulate& simulate, const std::atomic<bool>* stop) {
    NewmarkOptions options;
    options.stop = stop;
    if (simulate.method == Method::generalised_alpha) options.rho_infinity = simulate.rho_infinity.value_or(0.8);
    if (simulate.step) {
      options.step = *simulate.step;
    } else {
      options.step = simulate.row_interval();
      options.tolerance = NewmarkTolerance{simulate.rtol, simulate.atol};
    }
    return options;
  }

  void pass_step() {
    if (stop_ != nullptr && *stop_) throw StepError(newmark_.t(), "interrupted");
    passed_ = passes_zero();
    if (passed_ || seeking_)
      newmark_.pause();
    else
      audit();
  }

  void audit() {
    const Powers now = march_.powers(newmark_.t(), newmark_.z(), newmark_.v(), newmark_.a());
    const double half = (newmark_.t() - t_) / 2;
    put_in_ += half * (last_.in + now.in);
    lost_ += half * (last_.lost + now.lost);
    last_ = now;
    t_ = newmark_.t();
    values_.swap(values_now_);
    march_.evaluations_ += newmark_.work().iterations - counted_;
    counted_ = newmark_.work().iterations;
    if (!look_) return;
    put_state(y_);
    look_(t_, y_.data());
  }

  // ---- watched quantities

  void watch(std::vector<double>& values) {
    if (values.empty()) return;
    march_.z_ = newmark_.z();
    march_.v_ = newmark_.v();
    march_.a_ = newmark_.a();
    march_.motion_of(newmark_.t(), march_.state_);
    for (size_t k = 0; k < values.size(); ++k) values[k] = march_.watched_[k](march_.state_);
  }
  bool has_passed(size_t k) const {
    return values_[k] != 0 && (values_now_[k] == 0 || (values_[k] < 0) != (values_now_[k] < 0));
  }
  bool passes_zero() {
    watch(values_now_);
    for (size_t k = 0; k < values_.size(); ++k)
      if (has_passed(k)) return true;
    return false;
  }

  /// The last step passes the first root between t_ and its end: shorter steps from t_ enclose it, by secants and bisections in turn, and
  /// the last one ends just beyond it.
  void go_to_root() {
    double low = t_, high = newmark_.t();
    const double enough = std::max(1e-11 * (high - low), 1e-14 * march_.options_.duration);
    std::vector<double> at_low = values_;
    seeking_ = true;
    for (int trial = 0; high - low > enough && trial < 100; ++trial) {
      const bool bisects = trial % 3 == 2;
      double share = bisects ? 0.5 : 1;
      for (size_t k = 0; !bisects && k < values_.size(); ++k)
        if (has_passed(k)) share = std::min(share, at_low[k] / (at_low[k] - values_now_[k]));
      // A little further than the secant says, so that the root is more often enclosed closely from above.
      const double middle = low + std::max(share * (high - low) + enough / 2, enough / 2);
      take_step_to(std::min(middle, high - enough / 4));
      if (passed_) {
        high = newmark_.t();
      } else {
        low = newmark_.t();
        at_low = values_now_;
        take_step_to(high);
      }
    }
    seeking_ = passed_ = false;
    at_root_ = true;
    for (size_t k = 0; k < roots_.size(); ++k) roots_[k] = !has_passed(k) ? 0 : values_[k] < 0 ? 1 : -1;
    audit();
  }
  /// From t_ instead of the last step; on its way it may end earlier, where the method halves it.
  void take_step_to(double t) {
    newmark_.go_back();
    newmark_.advance(t);
  }

  void put_state(VectorXd& y) const {
    march_.z_ = newmark_.z();
    march_.v_ = newmark_.v();
    march_.a_ = newmark_.a();
    march_.write(y);
    y[march_.size() - 2] = put_in_;
    y[march_.size() - 1] = lost_;
  }

  ElementMarch& march_;
  Newmark newmark_;
  const std::atomic<bool>* stop_;
  double t_ = 0, put_in_ = 0, lost_ = 0;
  long counted_ = 0;
  Powers last_;
  VectorXd y_ = VectorXd::Zero(march_.size());  // for who looks between rows
  bool passed_ = false, seeking_ = false;
  std::vector<double> values_, values_now_;  // of watched quantities, after the step before and after this one
};

/// One static problem at every row.
class ElementMarch::FollowStatically : public Integrator {
 public:
  FollowStatically(ElementMarch& march, const std::atomic<bool>* stop) : march_(march), stop_(stop) {}
  void restart(double t, const VectorXd& y, double) override {
    t_ = t;
    march_.nominal_->forget();
    march_.nominal_->quasi_static(t, z_);
    rest_ = VectorXd::Zero(z_.size());
    last_ = march_.powers(t, z_, rest_, rest_);
    put_in_ = y[march_.size() - 2];
  }
  double advance(double t_out, VectorXd& y) override {
    if (stop_ != nullptr && *stop_) throw StepError(t_, "interrupted");
    const int n = march_.n();
    Powers now;
    within_guides(t_, [&] {
      march_.nominal_->quasi_static(t_out, z_);
      now = march_.powers(t_out, z_, rest_, rest_);
    });
    put_in_ += (t_out - t_) / 2 * (last_.in + now.in);
    last_ = now;
    t_ = t_out;
    y.head(n) = z_;
    y[march_.size() - 2] = put_in_;
    ++march_.evaluations_;
    ++steps_;
    return t_out;
  }
  IntegratorWork work() const override { return {steps_, 0, 0}; }

 private:
  ElementMarch& march_;
  const std::atomic<bool>* stop_;
  double t_ = 0, put_in_ = 0;
  long steps_ = 0;
  VectorXd z_, rest_;
  Powers last_;
};

std::unique_ptr<Integrator> ElementMarch::integrator(const std::atomic<bool>* stop) {
  if (kind_ == ElementModel::quasi_static) return std::make_unique<FollowStatically>(*this, stop);
  return std::make_unique<MarchInTime>(*this, stop);
}

}  // namespace lithe
