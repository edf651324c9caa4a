#pragma once

#include "lithe/simulate/finite_element/floating_model.h"
#include "lithe/simulate/finite_element/literal_model.h"
#include "lithe/simulate/newmark.h"
#include "lithe/simulate/simulated_system.h"

namespace lithe {

/// The formulation `finite-element` as a run integrates it: y = [z; ż; z̈; reference; work input; work dissipated], z the unknowns of the
/// model. The reference is that of a free base's orientation, four numbers (BaseChart), and there for no other base.
///
/// Torques, powers and energies are those of the motion that the model finds, by the nonlinear model's equations: of the joints
/// that is their balance of momentum. Of the linear model torques and forces inside are by the accelerations that the nonlinear
/// equations have in its state: its own are accurate to first order only, and a joint released under load has accelerations so large
/// that terms of second order exceed all others. The linear and quasi-static models leave out terms of second order, so their audit does
/// not close; the residual shows how much they neglect. The quasi-static model has no rates of deformation. Of arms whose
/// beams slide through guides the forces inside are not given.
///
/// Where the rate of a driven joint jumps, which is where the run passes from piece to piece (`enter`), no impulse acts on the unknowns (FloatingModel::jump, NominalModel::jump); the
/// impulse on the joint does the work P·(v⁻ + v⁺)/2, which counts as input.
class ElementMarch : public SimulatedSystem {
 public:
  /// `drives` must outlive it. Throws UnsupportedError for what the model does not cover.
  ElementMarch(const Case& data, const Arm& arm, Drives& drives, const Simulate& options);

  VectorXd initial() override;
  std::unique_ptr<Integrator> integrator(const std::atomic<bool>* stop) override;
  void state_of(double t, const double* y, State& state) override;
  void enter(double t, double t_next, VectorXd& y) override;
  void set_state(const State& state, VectorXd& y) override;
  void go_on_from(const State& state, VectorXd& y) override;
  void catch_body(double t, int link, const RigidInertia& added, VectorXd& y) override;
  void watch(const std::function<double(const State&)>& quantity) override;
  void remove_drift(double, VectorXd&) override {}
  void row(double t, const double* y, int i_tip, Row& row) override;
  Formulation& model() override { return controllers_; }
  double fastest_time_scale(double, const VectorXd&) override { return 0; }
  std::string advice() const override { return ""; }

 private:
  class MarchInTime;
  class FollowStatically;

  struct Powers {
    double in = 0, lost = 0;
  };
  int n() const { return system_->size(); }
  BaseChart* base_chart() { return nominal_ ? nullptr : floating_.base_chart(); }
  Eigen::Index size() { return 3 * n() + (base_chart() != nullptr ? 4 : 0) + 2; }
  /// y from and to z_, v_, a_; works aside.
  void read(const double* y);
  void write(VectorXd& y);
  void find_accelerations(double t);
  /// The arm's state at z_, v_, a_.
  void motion_of(double t, State& state);
  /// Fills state_, vdot_, and the forces that the joints need for that motion, tau_.
  void evaluate(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a);
  Powers powers(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a);
  double base_power(const VectorXd& vdot);
  bool find_jump(double t, double t_next);
  double work_of_impulses(double t);
  void refuse_jumps();

  const Arm arm_;
  Drives& drives_;
  const Simulate options_;
  const ElementModel kind_;
  const bool accelerations_by_state_;
  FloatingModel floating_;
  std::unique_ptr<NominalModel> nominal_;  // of all but the nonlinear model
  SecondOrderSystem* system_;              // the one of them that is integrated
  Articulated controllers_;  // for laws that ask for gravity or inverse dynamics; for a moving base's push
  State state_, wanted_, before_;
  VectorXd z_, v_, a_;                         // of y
  VectorXd free_z_, free_v_, free_a_, force_;  // of the nonlinear model
  VectorXd vdot_, tau_, loads_, loss_;
  VectorXd borne_;  // accelerations that torques and forces inside follow from
  VectorXd applied_;
  VectorXd change_, impulse_;  // at a jump
  Kinematics kin_, wanted_kin_;
  std::optional<InternalForces> internal_;  // unless beams slide through guides
  std::vector<Vector6d> on_tips_;
  std::vector<AlongLoad> along_;
  std::vector<std::function<double(const State&)>> watched_;
};

}  // namespace lithe
