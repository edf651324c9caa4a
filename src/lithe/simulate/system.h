// simulate/ — time integration. Takes an arm, its drives and a method; gives rows of results, an energy audit, and a state to
// continue from. SUNDIALS does the integration. Does not depend on drawing.
#pragma once

#include <memory>

#include "lithe/drive/drives.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/constrained_dynamics.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"
#include "lithe/simulate/simulated_system.h"

namespace lithe {

/// Forces on the arm that do not belong to its drives: those of the air.
class ExternalForces {
 public:
  virtual ~ExternalForces() = default;
  /// Adds them to the generalised forces at a state and time.
  virtual void add(const State& state, Eigen::Ref<VectorXd> tau) = 0;
  /// Adds them for the forces inside links: as wrenches [moment; force] on tip frames, at T's origin in world axes; on links that bend
  /// by shapes, listed along them.
  virtual void list(const State& state, const Kinematics& kin, std::vector<Vector6d>& on_tips,
                    std::vector<AlongLoad>& along) = 0;
};

/// The arm and its drives as a first-order system ẏ = f(t, y), y = [q; v; states of control laws; work input; work dissipated].
///
/// With `canonical` the second part is the momentum p = M v instead of v, for symplectic integration:
///   q̇ = v = M⁻¹p,   ṗ = τ − gravity − joint forces + Cᵀv,   since ṗ = Ṁv + M v̇ and Ṁ = C + Cᵀ.
///
/// The last two entries are for the audit: work input by torques, given motions, loads and a moving base, and work dissipated in dampers
/// and friction.
class System : public SimulatedSystem {
 public:
  /// With `options` it can make its integrator.
  System(const Arm& arm, Drives& drives, const std::string& formulation, bool canonical, const Simulate& options = {});

  int size() const { return arm_.nq() + arm_.nv() + n_law_states() + 2; }
  /// States of laws that act continuously: integrals, filters. They follow v in y.
  int n_law_states() const { return drives_.n_law_states(); }
  const Arm& arm() const { return arm_; }
  bool canonical() const { return hamilton_ != nullptr; }
  Drives& drives() { return drives_; }
  Formulation& model() override { return dynamics_.model(); }
  /// Sets the external forces, none by default. They must outlive this.
  void set_external_forces(ExternalForces* external_forces) { external_forces_ = external_forces; }

  VectorXd initial() override;
  std::unique_ptr<Integrator> integrator(const std::atomic<bool>* stop) override;
  void choose_method(const VectorXd& y_start) override;
  void enter(double t, double t_next, VectorXd& y) override;
  /// Computes f(t, y). False if it is not finite.
  bool rates(double t, const double* y, double* ydot);
  /// By how much the entries of y must change for f to change noticeably, about (t, y); 0 for entries on which f does not
  /// depend: the works. The scale of positions is a radian or a metre, of rates one of these per second, of momenta the inertia at that
  /// rate, of states of laws one of their units.
  void scales(double t, const double* y, Eigen::Ref<VectorXd> scale);
  /// Corners in the forces, for root finding (Drives::switches), then watched quantities.
  int n_switches() const { return drives_.n_switches() + int(watched_.size()); }
  void switches(double t, const double* y, double* values);
  void watch(const std::function<double(const State&)>& quantity) override { watched_.push_back(quantity); }
  void set_state(const State& state, VectorXd& y) override;
  void catch_body(double t, int link, const RigidInertia& added, VectorXd& y) override;

  void state_of(double t, const double* y, State& state) override;
  /// Restores unit quaternions and the given positions of driven coordinates, and removes violations of constraints.
  void remove_drift(double t, VectorXd& y) override;
  void row(double t, const double* y, int i_tip, Row& row) override;
  /// By power iteration on differences of the rates.
  double fastest_time_scale(double t, const VectorXd& y) override;
  std::string advice() const override;

 private:
  /// Torques, accelerations and powers at state_.
  bool solve();
  /// The effect of a generalised impulse and of sudden changes of driven rates at the position of state_; `fastest`: the largest rate.
  struct Impulse {
    VectorXd on_driven, jump;  // impulses that driven coordinates need, and changes of all rates
    double base_work = 0;      // of a moving base
  };
  Impulse impulse(const VectorXd& blow, const VectorXd& jumps, double fastest);
  /// Changes y by the impact that occurs if driven coordinates, which move with rates `before` at state_, suddenly get state_'s rates.
  void strike(const VectorXd& before, VectorXd& y);
  /// The power of a moving base at state_ and accelerations vdot_.
  double base_power();

  Arm arm_;
  Drives& drives_;
  ConstrainedDynamics dynamics_;
  std::unique_ptr<Articulated> reaction_;       // for the force of a moving base; null for other bases
  std::unique_ptr<RecursiveLagrangian> small_;  // energies where tips turn by 1 + [θ]×; null otherwise
  std::unique_ptr<Lagrange> hamilton_;          // M and C for momenta; null unless canonical
  ExternalForces* external_forces_ = nullptr;
  State state_, wanted_;
  VectorXd tau_, loaded_, vdot_, loss_, work_, rates_before_;
  MatrixXd M_, C_;
  Eigen::LLT<MatrixXd> llt_;
  double power_in_ = 0, power_lost_ = 0;
  std::vector<int> quaternions_;  // where those of free bases and ball joints begin in q
  bool has_passive_;              // whether there are passive forces
  Kinematics kin_;
  InternalForces internal_;
  std::vector<Vector6d> on_tips_;
  std::vector<AlongLoad> along_;
  Simulate options_;
  std::vector<std::function<double(const State&)>> watched_;
};

}  // namespace lithe
