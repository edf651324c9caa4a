// simulate/ — marching in time. Takes an arm, its drives and a method; gives rows of results as it goes, an energy audit, and a
// state to continue from. SUNDIALS does the integration. Knows nothing of drawing.
#pragma once

#include <memory>

#include "lithe/drive/drives.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/constrained_dynamics.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"
#include "lithe/simulate/simulated_system.h"

namespace lithe {

/// Forces on the arm that are none of its drives: those of the air.
class ExternalForces {
 public:
  virtual ~ExternalForces() = default;
  /// Adds what they do to the coordinates at a state and time.
  virtual void add(const State& state, Eigen::Ref<VectorXd> tau) = 0;
  /// The same for the forces inside: added as wrenches [moment; force] on tip frames, at T's origin in world axes; on links that bend
  /// by shapes, listed along them.
  virtual void list(const State& state, const Kinematics& kin, std::vector<Vector6d>& on_tips,
                    std::vector<AlongLoad>& along) = 0;
};

/// The arm and its drives as a first-order system ẏ = f(t, y), y = [q; v; states of control laws; work put in; work lost].
///
/// With `canonical` the second part is the momentum p = M v instead of v, for symplectic integration:
///   q̇ = v = M⁻¹p,   ṗ = τ − gravity − joint forces + Cᵀv,   since ṗ = Ṁv + M v̇ and Ṁ = C + Cᵀ.
///
/// Works with the two audit entries: put in by torques, given motions, loads and a moving base; lost in dampers and friction.
class System : public SimulatedSystem {
 public:
  /// With `options` it can make its integrator.
  System(const Arm& arm, Drives& drives, const std::string& formulation, bool canonical, const Simulate& options = {});

  int size() const { return arm_.nq() + arm_.nv() + n_law_states() + 2; }
  /// Of laws that act continuously: integrals, filters. They stand in y after v.
  int n_law_states() const { return drives_.n_law_states(); }
  const Arm& arm() const { return arm_; }
  bool canonical() const { return hamilton_ != nullptr; }
  Drives& drives() { return drives_; }
  Formulation& model() override { return dynamics_.model(); }
  /// Acts from now on; must outlive this. None unless set.
  void set_external_forces(ExternalForces* external_forces) { external_forces_ = external_forces; }

  VectorXd initial() override;
  std::unique_ptr<Integrator> integrator(const std::atomic<bool>* stop) override;
  void enter(double t, double t_next, VectorXd& y) override;
  /// f(t, y). False where it has no finite value.
  bool rates(double t, const double* y, double* ydot);
  /// By how much the entries of y must change for f to change noticeably, about (t, y); 0 where f does not depend on an entry: the
  /// works. Positions count by a radian or a metre, rates by one of these a second, momenta by the inertia that moves so,
  /// states of laws by one of their units.
  void scales(double t, const double* y, Eigen::Ref<VectorXd> scale);
  /// Corners in the forces, for root finding (Drives::switches), then watched quantities.
  int n_switches() const { return drives_.n_switches() + int(watched_.size()); }
  void switches(double t, const double* y, double* values);
  void watch(const std::function<double(const State&)>& quantity) override { watched_.push_back(quantity); }
  void set_state(const State& state, VectorXd& y) override;
  void catch_body(double t, int link, const RigidInertia& added, VectorXd& y) override;

  void state_of(double t, const double* y, State& state) override;
  /// Puts quaternions back to unit length and driven coordinates in place, and takes away what constraints do not allow.
  void remove_drift(double t, VectorXd& y) override;
  void row(double t, const double* y, int i_tip, Row& row) override;
  /// By power iteration on differences of the rates.
  double fastest_time_scale(double t, const VectorXd& y) override;
  std::string advice() const override;

 private:
  /// Torques, accelerations and powers at state_.
  bool solve();
  /// What a blow (generalised impulse) and sudden changes of driven rates do at state_'s position; `fastest`: the largest rate in it.
  struct Impulse {
    VectorXd on_driven, jump;  // impulses that driven coordinates need, and changes of all rates
    double base_work = 0;      // of a moving base
  };
  Impulse impulse(const VectorXd& blow, const VectorXd& jumps, double fastest);
  /// Changes y by what happens when driven coordinates, moving with rates `before` at state_, are given state_'s rates at once.
  void strike(const VectorXd& before, VectorXd& y);
  /// What a moving base pushes with at state_ and accelerations vdot_, times its velocity.
  double base_power();

  Arm arm_;
  Drives& drives_;
  ConstrainedDynamics dynamics_;
  std::unique_ptr<Articulated> reaction_;       // finds what a moving base must push; null otherwise
  std::unique_ptr<RecursiveLagrangian> small_;  // energies where tips turn by 1 + [θ]×; null otherwise
  std::unique_ptr<Lagrange> hamilton_;          // M and C for momenta; null unless canonical
  ExternalForces* external_forces_ = nullptr;
  State state_, wanted_;
  VectorXd tau_, loaded_, vdot_, loss_, work_, rates_before_;
  MatrixXd M_, C_;
  Eigen::LLT<MatrixXd> llt_;
  double power_in_ = 0, power_lost_ = 0;
  std::vector<int> quaternions_;  // where those of free bases and ball joints begin in q
  bool has_passive_;              // does anything act by itself?
  Kinematics kin_;
  InternalForces internal_;
  std::vector<Vector6d> on_tips_;
  std::vector<AlongLoad> along_;
  Simulate options_;
  std::vector<std::function<double(const State&)>> watched_;
};

}  // namespace lithe
