#pragma once

#include "lithe/dynamics/finite_element/floating_model.h"
#include "lithe/dynamics/finite_element/literal_model.h"
#include "lithe/simulate/marched.h"
#include "lithe/simulate/newmark.h"

namespace lithe {

/// The formulation `finite-element` as a run marches it: y = [z; ż; z̈; work put in; work lost], z the unknowns of the model.
///
/// Torques, powers and energies are those of the motion that the model finds, by the nonlinear model's equations: of the joints
/// that is their balance of momentum. The linear and quasi-static models leave out terms of second order, so their audit does
/// not close; what is left over shows how much they leave out. The quasi-static model has no rates of deformation. Of arms whose
/// beams slide through guides the forces inside are not given.
class ElementMarch : public Marched {
 public:
  /// `drives` must outlive it. Throws UnsupportedError for what the model does not cover.
  ElementMarch(const Case& data, const Arm& arm, Drives& drives, const Simulate& options);

  VectorXd initial() override;
  std::unique_ptr<Integrator> integrator(const std::atomic<bool>* stop) override;
  void state_of(double t, const double* y, State& state) override;
  void enter(double t, double t_next, VectorXd&) override { drives_.enter(t, t_next); }
  void tidy(double, VectorXd&) override {}
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
  /// Fills state_, vdot_, and what the joints must give for that motion, tau_.
  void evaluate(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a);
  Powers powers(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a);

  const Arm arm_;
  Drives& drives_;
  const Simulate options_;
  const ElementModel kind_;
  FloatingModel floating_;
  std::unique_ptr<NominalModel> nominal_;  // of all but the nonlinear model
  SecondOrderSystem* system_;              // the one of them that is marched
  Articulated controllers_;  // for laws that ask for gravity or inverse dynamics; for a moving base's push
  State state_, wanted_;
  VectorXd z_, v_, a_;                         // of y, for rows
  VectorXd free_z_, free_v_, free_a_, force_;  // of the nonlinear model
  VectorXd vdot_, tau_, loads_, loss_;
  Kinematics kin_, wanted_kin_;
  std::optional<InternalForces> internal_;  // unless beams slide through guides
  std::vector<Vector6d> on_tips_;
};

}  // namespace lithe
