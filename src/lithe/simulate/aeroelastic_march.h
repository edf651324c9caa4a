#pragma once

#include "lithe/drive/case_wind.h"
#include "lithe/drive/lifting_surfaces.h"
#include "lithe/simulate/system.h"

namespace lithe {

/// An arm whose lifting surfaces move in the wind: y = [q; v; states of control laws; forces on the corners, and a step
/// before; the length of that step; the air's state; work input; work dissipated].
///
/// Air and arm go step by step together, steps being those of the air. In a step the arm is integrated by the run's method under
/// forces on the corners that vary linearly from those at its start to those at its end; at the end the air loads are computed for
/// the positions and velocities of the corners. Both are repeated until the forces agree (`strong`: starting from an extrapolation of the
/// last step, with Aitken's relaxation, because light surfaces move heavy air), or done once with the forces of the start throughout
/// (`once`, as in abdelaziz04).
///
/// It starts from the steady flow about the arm at rest, before any gust. What the air does counts as work put in.
class AeroelasticMarch : public SimulatedSystem {
 public:
  /// Throws UnsupportedError for the method midpoint. `initial` throws FieldError where the wind does not come over a leading edge.
  AeroelasticMarch(const Case& data, const Arm& arm, Drives& drives, const Simulate& options);

  VectorXd initial() override;
  std::unique_ptr<Integrator> integrator(const std::atomic<bool>* stop) override;
  void state_of(double t, const double* y, State& state) override { system_.state_of(t, y, state); }
  void enter(double t, double t_next, VectorXd& y) override;
  void remove_drift(double t, VectorXd& y) override;
  void row(double t, const double* y, int i_tip, Row& row) override;
  std::vector<Column> more_columns() const override;
  /// Of an incidence beyond what flow stays attached at, or beyond the limit of lift.
  std::string doubt_about_peak(size_t column, double largest, double time) const override;
  Formulation& model() override { return system_.model(); }
  double fastest_time_scale(double t, const VectorXd& y) override;
  double own_step() const override { return air_step_; }
  std::string advice() const override;

 private:
  class InStep;
  class Forces;
  /// What is recorded of each surface, and what it means.
  struct SurfaceColumn {
    Column column;
    std::string link;
    bool is_incidence = false;
  };
  std::vector<SurfaceColumn> surface_columns() const;

  int n_motion() const { return system_.size() - 2; }
  int n_corners() const { return surfaces_.lattice().n_corners(); }
  int n_forces() const { return 6 * n_corners() + 1; }
  /// The arm's part of y, as System has it, and back.
  void take_motion(const VectorXd& y, VectorXd& motion) const;
  void put_motion(const VectorXd& motion, VectorXd& y) const;
  void update_corners(const State& state);
  void check_incidences() const;

  const Arm arm_;
  Drives& drives_;
  const WindSpec wind_;
  const double duration_;
  const aero::Wind air_far_;  // of all places and times
  LiftingSurfaces surfaces_;
  System system_;
  double air_step_, agreement_, least_force_;
  std::unique_ptr<aero::VortexLattice> air_;
  aero::Points corners_, velocities_;
  // Forces on the corners during a step: from those at its start to those at its end.
  aero::Points forces_before_, forces_start_, forces_end_, forces_now_;
  double step_before_ = 0;  // from forces_before_ to forces_start_
  double t_start_ = 0, t_end_ = 0;
  std::unique_ptr<ExternalForces> external_forces_;
  State state_;
  Kinematics kin_;
  VectorXd motion_;
  Eigen::Index n_air_ = 0;        // numbers of the air's state
  long counted_evaluations_ = 0;  // of system_, that are in evaluations_
};

}  // namespace lithe
