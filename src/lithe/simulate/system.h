// simulate/ — marching in time. Takes an arm, its drives and a method; gives rows of results as it goes, an energy audit, and a
// state to continue from. SUNDIALS does the integration. Knows nothing of drawing.
#pragma once

#include <memory>

#include "lithe/drive/drives.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/internal_forces.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

namespace lithe {

/// The arm and its drives as a first-order system ẏ = f(t, y), y = [q; v; work put in; work lost].
///
/// With `canonical` the second part is the momentum p = M v instead of v, for symplectic integration:
///   q̇ = v = M⁻¹p,   ṗ = τ − gravity − joint forces + Cᵀv,   since ṗ = Ṁv + M v̇ and Ṁ = C + Cᵀ.
///
/// Works with the two audit entries: put in by torques, given motions, loads and a moving base; lost in dampers and friction.
class System {
 public:
  System(const Arm& arm, Drives& drives, const std::string& formulation, bool canonical);

  int size() const { return arm_.nq() + arm_.nv() + 2; }
  const Arm& arm() const { return arm_; }
  bool canonical() const { return hamilton_ != nullptr; }
  Drives& drives() { return drives_; }
  Formulation& model() { return *model_; }

  VectorXd initial();
  /// f(t, y). False where it has no finite value.
  bool rates(double t, const double* y, double* ydot);
  /// Corners in the forces, for root finding (Drives::switches).
  void switches(double t, const double* y, double* values);

  /// The state that y stands for; driven coordinates as given.
  void state_of(double t, const double* y, State& state);
  /// Puts the quaternion of a free base back to unit length and driven coordinates in place.
  void tidy(double t, VectorXd& y);

  /// Everything a row of results needs at (t, y).
  struct Row {
    State state;
    VectorXd vdot, tau;
    double kinetic = 0, elastic = 0, gravity = 0, put_in = 0, lost = 0;
    Pose X_WT;
    Vector3d tip_error;  // from the tip of the undeformed arm where it should be (Drives::command_state), world axes
    const InternalForces* internal = nullptr;  // of the system; valid until the next row
    double energy() const { return kinetic + elastic + gravity; }
  };
  void row(double t, const double* y, int i_tip, Row& row);

  long evaluations() const { return evaluations_; }
  void set_evaluations(long n) { evaluations_ = n; }

 private:
  /// Torques, accelerations and powers at state_.
  bool solve();

  Arm arm_;
  Drives& drives_;
  std::unique_ptr<Formulation> model_;
  std::unique_ptr<Articulated> reaction_;       // finds what a moving base must push; null otherwise
  std::unique_ptr<RecursiveLagrangian> small_;  // energies where tips turn by 1 + [θ]×; null otherwise
  std::unique_ptr<Lagrange> hamilton_;          // M and C for momenta; null unless canonical
  State state_, wanted_;
  VectorXd tau_, loaded_, vdot_, loss_, work_;
  MatrixXd M_, C_;
  Eigen::LLT<MatrixXd> llt_;
  double power_in_ = 0, power_lost_ = 0;
  std::vector<int> quaternions_;  // where those of free bases begin in q
  bool has_passive_;              // does anything act by itself?
  Kinematics kin_;
  InternalForces internal_;
  std::vector<Vector6d> on_tips_;
  long evaluations_ = 0;
};

}  // namespace lithe
