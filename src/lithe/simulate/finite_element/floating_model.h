// simulate/finite_element/ — naganathan86: arms of nodal beams (dynamics/finite_element/) whose joints are commanded. Takes a case,
// its arm and drives, gives equations for an integration method (SecondOrderSystem): `FloatingModel`, nonlinear, `NominalModel`, linear
// and quasi-static, and `LiteralModel`, the thesis's text. docs/finite-element.md has the equations. Does not depend on time integration.
#pragma once

#include "lithe/drive/drives.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/finite_element/frame_motion.h"
#include "lithe/dynamics/finite_element/nodal_beam.h"
#include "lithe/dynamics/second_order_system.h"
#include "lithe/simulate/finite_element/base_chart.h"

namespace lithe {

/// naganathan86's nonlinear model in its consistent form: nodal displacements from each link's base frame, which is fixed to
/// the deformed tip of the parent and moves with it (ω_b, α_b, a_b include all inboard deformation).
///
/// Unknowns are the arm's coordinates without the driven ones: nodal displacements, joints that are free or under a servo or a
/// torque, rotors behind elastic transmissions, and the coordinates of a planar base; of a free base those of a BaseChart. Along a
/// motion, per link in link axes,
///
///   J q̈ + C q̇ + (K_c + K_b) q − F = (wrench of what the tip node carries)                                     (1)
///
/// where J q̈ + C q̇ + K_b q − F = M_free · (accelerations of the nodes), see NodalBeam. The wrench on the tip node, which makes
/// the virtual work of the moving frames complete, is what the outboard links need in order to move as they do: one sweep
/// outwards for motions, one inwards for forces, linear in the number of elements. Rotary inertia is lithe's (docs/model.md):
/// constant in link axes, moving with ω + θ̇. Beams in guides: SlidingBeam. Evaluations allocate nothing.
///
/// Computed torque answers every deformation with inverse dynamics, which makes F_u stiff and unsymmetric in the joint's row.
/// The result is simple: the joint accelerates as required, v̇ = w − kd ż − kp z. So where such a law acts the joint's row is
///
///   R_j = s (v̇*_j − v̇_j),   v̇* the accelerations of the articulated recursion under all torques and loads,                  (2)
///
/// s the joint's inertia, which vanishes where F_u does; its slopes are s, s kd and s kp on the diagonal. A joint whose own law is
/// saturated or sampled takes part in v̇* with the acceleration that it has, v̇, and not by its torque: others' laws count on it to
/// accelerate as commanded, so that by its torque v̇*_j would follow every deformation, as stiff as F_u. Rows of the others
/// get −K*_{·j} R_j/K*_jj, Gauss's elimination of the joint, so that a symmetric K* gives the corrections of the unsymmetric one.
class FloatingModel : public SecondOrderSystem {
 public:
  /// `drives` must outlive it. Throws UnsupportedError (nodal_beams).
  FloatingModel(const Case& data, const Arm& arm, Drives& drives);

  int size() const override { return int(free_.size()); }
  std::string name_of(int unknown) const override;
  /// All deformations are one group; every joint is a separate group; so are the places of a base, and its turns.
  int group_of(int unknown) const override { return group_[unknown]; }
  void unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) override;
  /// M is the mass matrix at z; C and K are those of the links, joints and servos at (z, v), without what the frames' motion adds;
  /// rows of joints under computed torque by (2).
  const SparseMatrixd& weighted_sum(double t, const VectorXd& z, const VectorXd& v, double mass, double damping,
                                    double stiffness) override;
  bool recentre(VectorXd& z, VectorXd& v, VectorXd& a) override;

  /// By which numbers, besides the unknowns, a free base's orientation is described (BaseChart); null for other bases.
  BaseChart* base_chart() { return base_ ? &*base_ : nullptr; }

  /// The unknowns at a state of the arm, and the state that they represent, with driven coordinates as given.
  void unknowns_of(const State& state, VectorXd& z, VectorXd& v) const;
  void state_of(double t, const VectorXd& z, const VectorXd& v, State& state) const;
  /// Accelerations of all coordinates, those of driven ones as given.
  void accelerations_of(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a,
                        Eigen::Ref<VectorXd> vdot) const;
  const std::vector<int>& free_coordinates() const { return free_; }

  /// The impulses (nv) that rates of all coordinates need to change at once by `change`: M(z) change.
  void impulses(double t, const VectorXd& z, const VectorXd& v, const VectorXd& change, VectorXd& impulse);
  /// The unknowns' rates after those of driven coordinates have changed at once by `change` (nv, zero elsewhere). No impulse
  /// acts on the unknowns: M_ff Δv = −M_fd Δ.
  void jump(double t, const VectorXd& z, VectorXd& v, const VectorXd& change);
  /// The same where the impulses `blow` (nv) act on the unknowns: M_ff Δv = blow_f − M_fd Δ.
  void strike(double t, const VectorXd& z, VectorXd& v, const VectorXd& change, const VectorXd& blow);

  /// Forces of all coordinates (nv) in the last `unbalanced`: M z̈ + h minus torques and loads. On driven joints these are the
  /// forces of their drives; on unknowns −F_u.
  const VectorXd& forces() const { return forces_; }

  /// Energies of the last motion evaluated, summed over nodes. Of arms without guides they are those of arm/kinematics.h; what
  /// flows through a guide is known here only.
  double kinetic_energy();
  double elastic_energy();
  double gravity_energy();
  /// The power dissipated in beams in guides; that of other links is among the passive forces.
  double power_lost_in_guided_beams() const;

 private:
  struct LinkWork {
    JointStep joint;
    JointDirections directions;  // of B, [turn; slide] in B axes, per rate of the unknowns of its joint
    Pose X_BT;
    FrameMotion T;
    Matrix3d left_jacobian = Matrix3d::Identity();  // of the tip's rotation vector
    Vector6d on_tip, on_base;                       // wrenches [moment; force] at T and B
    Matrix3Xd r;                                    // of the nodes, in B
    VectorXd acceleration, force;                   // of the nodes, six each
    VectorXd displacement, velocity;                // the same; the latter for energies only
    double on_slide = 0;          // the force of a beam in a guide on its joint in addition to on_base
    Matrix6Xd flow;               // its flow's momentum as the nodes see it
    Matrix6d carried_T, whole_B;  // rigid inertia of all that moves with T, with B
    MatrixXd rigid, momentum;     // the nodes' motion with the frame, 6 per node × 6; M times it
  };
  /// A joint under computed torque, and where the law acts its row of (2).
  struct Steered {
    int unknown;
    bool acts = false;  // by the last weighted_sum
    double kp = 0, kd = 0;
    double inertia = 0, diagonal = 0;  // s and K*_jj
    VectorXd coupling;                 // K*_{·j}, zero in rows of joints like it
  };
  void group_joints();
  void find_pattern();
  void place(double t, const VectorXd& z, const VectorXd& v);
  void move_frames();
  void turn_to_unknowns(VectorXd& force) const;
  void steer(const VectorXd& a, VectorXd& force);
  void choose_steered();
  Steered* steered(int unknown);
  void deform(int i_link);
  void go_inwards();
  template <class Sink>
  void assemble(double mass, double damping, double stiffness, Sink add);
  template <class Sink>
  void add_joint_slopes(double damping, double stiffness, Sink add);
  template <class Sink>
  void add_transmission_slopes(double damping, double stiffness, Sink add);
  Matrix6d tip_directions(const LinkWork& work) const;

  const Arm arm_;
  Drives& drives_;
  Articulated model_;  // for controllers that ask for gravity or inverse dynamics
  std::vector<std::optional<NodalBeam>> beams_;
  std::vector<int> free_;          // coordinates of the arm that are unknown
  std::vector<int> places_;        // where these are among the arm's positions; not of a free base
  std::vector<int> group_;         // of the unknowns
  std::vector<int> unknown_;       // index among the unknowns, or −1
  std::optional<BaseChart> base_;  // of a free base
  Matrix6d base_directions_ = Matrix6d::Zero();
  std::vector<Steered> steered_;
  int n_steered_ = 0;  // that act
  State state_;
  VectorXd vdot_, forces_, applied_;
  std::vector<bool> given_;  // coordinates whose acceleration (2) takes as it is: driven, or of a law that does not act
  VectorXd found_;           // accelerations of the articulated recursion; of all coordinates
  Kinematics kin_;
  std::vector<LinkWork> work_;
  Matrix6Xd columns_;  // wrench at the frame that the assembly has got to, per unit acceleration of each coordinate
  SparseMatrixd sum_;
};

}  // namespace lithe
