#include "lithe/simulate/aeroelastic_march.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/aero/incidence.h"
#include "lithe/describe/case_limits.h"
#include "lithe/describe/field.h"
#include "lithe/describe/limits.h"
#include "lithe/simulate/integrator.h"

namespace lithe {
namespace {

constexpr int most_iterations = 60;

}  // namespace

/// The forces on the corners at a moment of the step.
class AeroelasticMarch::Forces : public ExternalForces {
 public:
  explicit Forces(AeroelasticMarch& march) : march_(march) {}
  void add(const State& state, Eigen::Ref<VectorXd> tau) override {
    update_kinematics(march_.arm_, state, kin_);
    set(state.t);
    march_.surfaces_.add_forces(state, kin_, march_.forces_now_, tau);
  }
  void list(const State& state, const Kinematics& kin, std::vector<Vector6d>& on_tips,
            std::vector<AlongLoad>& along) override {
    set(state.t);
    march_.surfaces_.list(state, kin, march_.forces_now_, on_tips, along);
  }

 private:
  void set(double t) {
    const double length = march_.t_end_ - march_.t_start_;
    const double share = length > 0 ? std::clamp((t - march_.t_start_) / length, 0.0, 1.0) : 0;
    march_.forces_now_ = (1 - share) * march_.forces_start_ + share * march_.forces_end_;
  }
  AeroelasticMarch& march_;
  Kinematics kin_;
};

AeroelasticMarch::AeroelasticMarch(const Case& data, const Arm& arm, Drives& drives, const Simulate& options)
    : arm_(arm),
      drives_(drives),
      wind_(data.wind.value()),
      duration_(options.duration),
      air_far_(CaseWind(wind_).for_lattice()),
      surfaces_(data, arm, drives.initial_state()),
      system_(arm, drives, std::string(word(options.formulation)), false, options),
      external_forces_(std::make_unique<Forces>(*this)),
      state_(State::zero(arm)) {
  if (options.method == Method::midpoint)
    throw UnsupportedError("simulate.method",
                           "midpoint does not support wind, whose forces do not derive from an energy");
  air_step_ = air_step(wind_, surfaces_, options);
  // Tolerance, relative to the largest force on a corner: that of the integration, within limits.
  agreement_ = std::clamp(options.rtol, 1e-10, 1e-5);
  // Below this part of the dynamic pressure a surface without incidence has only rounding to agree on.
  const double chord = surfaces_.longest_chord();
  least_force_ = 1e-5 * wind_.density / 2 * wind_.speed * wind_.speed * chord * chord;
  system_.set_external_forces(external_forces_.get());
  forces_start_.setZero(3, surfaces_.lattice().n_corners());
  forces_end_ = forces_now_ = forces_start_;
}

void AeroelasticMarch::update_corners(const State& state) {
  update_kinematics(arm_, state, kin_);
  surfaces_.place(state, kin_, corners_);
  surfaces_.move(state, kin_, velocities_);
}

VectorXd AeroelasticMarch::initial() {
  const State start = drives_.initial_state();
  update_corners(start);
  surfaces_.check_wind(corners_, velocities_, wind_velocity(wind_));
  CaseWind(wind_).check_start(corners_);
  check_incidences();
  air_ = std::make_unique<aero::VortexLattice>(surfaces_.lattice(), corners_, air_far_,
                                               lattice_options(wind_, surfaces_, air_step_));
  air_->start_steady(corners_, air_step_);
  // The forces of that flow, as the first step would see them if nothing moved and the wind stayed as it is.
  aero::Wind wind_at_start = air_far_;
  if (air_far_.gust)
    wind_at_start.gust = [gust = air_far_.gust](const Vector3d& point, double) { return gust(point, 0); };
  aero::VortexLattice steady(surfaces_.lattice(), corners_, wind_at_start,
                             lattice_options(wind_, surfaces_, air_step_));
  steady.start_steady(corners_, air_step_);
  steady.begin_step(air_step_);
  velocities_.setZero();
  forces_start_ = forces_end_ = steady.solve(corners_, velocities_).corner_force;
  const VectorXd motion = system_.initial(), air = air_->save();
  n_air_ = air.size();
  VectorXd y(n_motion() + n_forces() + air.size() + 2);
  y << motion.head(n_motion()), forces_start_.reshaped(), forces_start_.reshaped(), air_step_, air, motion.tail<2>();
  return y;
}

void AeroelasticMarch::take_motion(const VectorXd& y, VectorXd& motion) const {
  motion.resize(n_motion() + 2);
  motion << y.head(n_motion()), y.tail<2>();
}
void AeroelasticMarch::put_motion(const VectorXd& motion, VectorXd& y) const {
  y.head(n_motion()) = motion.head(n_motion());
  y.tail<2>() = motion.tail<2>();
}

/// At every incidence that the wind comes by during the run, in steps of at most 10°.
void AeroelasticMarch::check_incidences() const {
  if (!wind_.incidence_over_time) return;
  const double degree = std::numbers::pi / 180;
  const auto [least, largest] = CaseWind(wind_).incidences(duration_);
  for (int k = 0; k <= 36; ++k) {  // once around at most
    const double incidence = std::min(least + k * 10 * degree, largest);
    try {
      surfaces_.check_wind(corners_, velocities_, wind_velocity(wind_, wind_.speed, incidence));
    } catch (const FieldError& error) {
      throw FieldError("wind.incidence_over_time",
                       fmt::format("at an incidence of {:.0f} deg {}", incidence / degree, error.what()));
    }
    if (incidence == largest) return;
  }
}

void AeroelasticMarch::enter(double t, double t_next, VectorXd& y) {
  take_motion(y, motion_);
  system_.enter(t, t_next, motion_);
  put_motion(motion_, y);
}

void AeroelasticMarch::remove_drift(double t, VectorXd& y) {
  take_motion(y, motion_);
  system_.remove_drift(t, motion_);
  put_motion(motion_, y);
}

std::vector<AeroelasticMarch::SurfaceColumn> AeroelasticMarch::surface_columns() const {
  std::vector<SurfaceColumn> columns;
  for (const std::string& link : surfaces_.names()) {
    for (const char* const axis : {"fx", "fy", "fz"}) columns.push_back({{link + ".air." + axis, "N"}, link});
    columns.push_back({{link + ".air.incidence", "rad"}, link, true});
  }
  return columns;
}

std::vector<Column> AeroelasticMarch::more_columns() const {
  std::vector<Column> columns;
  for (SurfaceColumn& one : surface_columns()) columns.push_back(std::move(one.column));
  return columns;
}

void AeroelasticMarch::row(double t, const double* y, int i_tip, Row& row) {
  forces_start_ = forces_end_ = Eigen::Map<const aero::Points>(y + n_motion(), 3, n_corners());
  t_start_ = t_end_ = t;
  motion_.resize(n_motion() + 2);
  const Eigen::Map<const VectorXd> all(y, n_motion() + n_forces() + n_air_ + 2);
  motion_ << all.head(n_motion()), all.tail<2>();
  system_.row(t, motion_.data(), i_tip, row);
  row.more.clear();
  const aero::Lattice& lattice = surfaces_.lattice();
  const auto circulation = aero::VortexLattice::circulation_in(y + n_motion() + n_forces(), lattice.n_panels());
  update_corners(row.state);
  for (int s = 0; s < lattice.n_surfaces(); ++s) {
    Vector3d force = Vector3d::Zero();
    for (int i = 0; i <= lattice.shape(s).n_chord; ++i)
      for (int j = 0; j <= lattice.shape(s).n_span; ++j) force += forces_start_.col(lattice.corner(s, i, j));
    row.more.insert(row.more.end(), force.begin(), force.end());
    row.more.push_back(aero::largest_incidence(lattice, s, corners_, velocities_, circulation, air_far_, t));
  }
}

double AeroelasticMarch::fastest_time_scale(double t, const VectorXd& y) {
  take_motion(y, motion_);
  return system_.fastest_time_scale(t, motion_);
}

std::string AeroelasticMarch::advice() const {
  return "less wind (it may be faster than the wing's divergence or flutter speed: `lithe divergence`), a smaller "
         "wind.step, " +
         system_.advice();
}

/// Steps of the air, each with the arm's integration inside.
class AeroelasticMarch::InStep : public Integrator {
 public:
  InStep(AeroelasticMarch& march, const std::atomic<bool>* stop)
      : march_(march), arm_(march.system_.integrator(stop)), stop_(stop) {}

  void restart(double t, const VectorXd& y, double) override {
    t_ = t;
    march_.take_motion(y, motion_);
    const int before = march_.n_motion() + march_.n_forces();
    const double* forces = y.data() + march_.n_motion();
    march_.forces_start_ = Eigen::Map<const aero::Points>(forces, 3, march_.n_corners());
    march_.forces_before_ = Eigen::Map<const aero::Points>(forces + 3 * march_.n_corners(), 3, march_.n_corners());
    march_.step_before_ = forces[6 * march_.n_corners()];
    march_.air_->restore(y.segment(before, y.size() - before - 2));
  }

  double advance(double t_out, VectorXd& y) override {
    const double way = t_out - t_;
    const long n = std::max(1L, count_of_steps(way * (1 - 1e-9), march_.air_step_, limits::steps, "wind.step",
                                               "steps of the air", "a longer step"));
    const double begin = t_;
    for (long k = 1; k <= n; ++k) {
      if (stop_ != nullptr && *stop_) throw StepError(t_, "interrupted");
      const double end = k == n ? t_out : begin + way * double(k) / double(n);
      try {
        take_step(end);
      } catch (const aero::LatticeError& error) {
        throw StepError(t_, fmt::format("the air cannot be computed: {}", error.what()));
      }
      // Only now, because earlier steps of the arm were trials until air and arm agreed.
      if (look_) {
        put_state(y);
        look_(t_, y.data());
      }
    }
    put_state(y);
    march_.evaluations_ += march_.system_.evaluations() - march_.counted_evaluations_;
    march_.counted_evaluations_ = march_.system_.evaluations();
    return t_;
  }

  IntegratorWork work() const override { return arm_->work(); }

 private:
  void put_state(VectorXd& y) const {
    march_.put_motion(motion_, y);
    y.segment(march_.n_motion(), march_.n_forces()) << march_.forces_start_.reshaped(),
        march_.forces_before_.reshaped(), march_.step_before_;
    const VectorXd air = march_.air_->save();
    y.segment(march_.n_motion() + march_.n_forces(), air.size()) = air;
  }

  /// Integrates the arm from the start of the step to its end, and computes the air loads there.
  const aero::Points& answer(double end) {
    motion_end_ = motion_;
    double t = t_;
    arm_->restart(t, motion_, end);
    while (t < end) {
      const double reached = arm_->advance(end, motion_end_);
      if (reached >= end - 1e-14 * (1 + std::abs(end))) break;
      t = reached;  // a corner in the forces
      arm_->restart(t, motion_end_, end);
    }
    march_.system_.state_of(end, motion_end_.data(), march_.state_);
    march_.update_corners(march_.state_);
    return march_.air_->solve(march_.corners_, march_.velocities_).corner_force;
  }

  void take_step(double end) {
    aero::Points &start = march_.forces_start_, &guess = march_.forces_end_;
    march_.t_start_ = t_;
    march_.t_end_ = end;
    march_.air_->begin_step(end - t_);
    guess = start;
    if (march_.wind_.coupling == Coupling::once) {
      answer_ = answer(end);
    } else {
      guess += (end - t_) / march_.step_before_ * (start - march_.forces_before_);
      agree(end, guess);
    }
    march_.air_->accept();
    motion_ = motion_end_;
    march_.forces_before_ = start;
    march_.step_before_ = end - t_;
    start = answer_;
    t_ = end;
  }

  /// Fixed-point iteration on the forces at the end of the step, relaxed after Aitken (Küttler & Wall 2008).
  void agree(double end, aero::Points& guess) {
    double relaxation = 1;
    for (int iteration = 1; iteration <= most_iterations; ++iteration) {
      if (stop_ != nullptr && *stop_) throw StepError(t_, "interrupted");
      answer_ = answer(end);
      residual_ = answer_ - guess;
      const double size = std::max(answer_.cwiseAbs().maxCoeff(), march_.least_force_);
      if (!(residual_.cwiseAbs().maxCoeff() > march_.agreement_ * size)) return;
      if (iteration > 1) {
        change_ = residual_ - residual_before_;
        relaxation *= -residual_before_.cwiseProduct(change_).sum() / change_.squaredNorm();
        if (!std::isfinite(relaxation) || relaxation == 0) relaxation = 0.5;
      }
      guess += relaxation * residual_;
      residual_before_ = residual_;
    }
    throw StepError(t_, "the iteration between air and arm does not converge");
  }

  AeroelasticMarch& march_;
  std::unique_ptr<Integrator> arm_;
  const std::atomic<bool>* stop_;
  double t_ = 0;
  VectorXd motion_, motion_end_;
  aero::Points answer_, residual_, residual_before_, change_;
};

std::unique_ptr<Integrator> AeroelasticMarch::integrator(const std::atomic<bool>* stop) {
  return std::make_unique<InStep>(*this, stop);
}

std::string AeroelasticMarch::doubt_about_peak(size_t column, double largest, double time) const {
  const SurfaceColumn of = surface_columns().at(column);
  if (!of.is_incidence || largest <= wind_.stall.value_or(aero::attached_flow)) return "";
  const auto degrees = [](double angle) { return angle * 180 / std::numbers::pi; };
  if (wind_.stall)
    return fmt::format(
        "'{}': its surface reached an incidence of {:.3g} deg at t = {:.4g} s, and its lift was limited to that of "
        "{:.3g} deg (`wind.stall`); the drag, the moment and the wake of separated flow are not modelled",
        of.link, degrees(largest), time, degrees(*wind_.stall));
  return fmt::format(
      "'{}': its surface reached an incidence of {:.3g} deg at t = {:.4g} s; beyond about {:.0f} deg the flow "
      "separates (stall), which the model neglects, so the forces of the air are too large from then on; reduce the "
      "wind or the incidence, or stiffen the link",
      of.link, degrees(largest), time, degrees(aero::attached_flow));
}

}  // namespace lithe
