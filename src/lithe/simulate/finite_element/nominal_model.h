#pragma once

#include <Eigen/SparseCholesky>
#include <array>

#include "lithe/drive/drives.h"
#include "lithe/dynamics/finite_element/frame_terms.h"
#include "lithe/dynamics/finite_element/nodal_beam.h"
#include "lithe/dynamics/second_order_system.h"

namespace lithe {

/// naganathan86's linear and quasi-static models: nodal displacements from the commanded rigid motion, in world axes, nodes
/// shared where links join. Gross motion is not influenced by deformation.
///
/// A link's nodal displacements q_e in its own axes are q_e = Φ(t) q with q those of the system. Φ turns world axes into link
/// axes; on a link's first node it also carries the parent's tip node across the joint, with the compliance of a servo (the
/// difference of actual and commanded joint) as a separate coordinate. Every pair of nodes adds (2.24)
///
///   J_g = ΦᵀJΦ    C_g = Φᵀ(2JΦ̇ + (C + D)Φ)    K_g = Φᵀ(JΦ̈ + (C + D)Φ̇ + (K_c + K_b)Φ)    F_g = ΦᵀF                (1)
///
/// where the numbers of a node's coordinates come from a table made from the arm (`correlation`). Rotary inertia is the
/// thesis's, M_G = Iα_s + ω_s×Iω_s linearised in the deformation.
///
/// An elastic transmission is a compliance of its joint: the joint is commanded as its rotor is, and the spring, which must be linear, acts
/// between the compliances of the two. A driven rotor has none.
class NominalModel : public SecondOrderSystem {
 public:
  /// `drives` must outlive it. Throws UnsupportedError (nodal_beams), also for joints without a command, controllers other
  /// than linear servos, and bending confined to planes that are not one plane of the world.
  NominalModel(const Case& data, const Arm& arm, Drives& drives);

  int size() const override { return size_; }
  std::string name_of(int unknown) const override;
  void unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) override;
  const SparseMatrixd& weighted_sum(double t, const VectorXd& z, const VectorXd& v, double mass, double damping,
                                    double stiffness) override;

  /// (2) K q = F with K = ΦᵀK_cΦ: the deformation that the rigid motion's inertia forces would cause if they stood still
  /// (eqs 3.6, 4.2). It includes the passive forces of joints under servos, at the commanded rates.
  void quasi_static(double t, VectorXd& z);

  /// The commanded motion at state.t of all joints, rates and accelerations too; behind elastic transmissions that of the rotors.
  void command(State& state, Eigen::Ref<VectorXd> vdot) const;

  /// The unknowns' rates after the impulse [moment; force], about the tip of a link and in world axes, has acted there.
  void strike(double t, const VectorXd& z, VectorXd& v, int i_link, const Vector6d& impulse);

  /// The unknowns' rates after those of the commanded motion have changed at once by `change` (nv): impulses act where joints
  /// are driven, none on the unknowns. If a servo's command jumps, its compliance compensates the jump.
  void jump(double t, const VectorXd& z, VectorXd& v, const VectorXd& change);
  /// To be called when the drives have entered another piece: what was computed for this time is no longer valid.
  void forget() { at_ = -1; }

  /// The arm's state and accelerations that the unknowns represent to first order: joints as commanded plus their compliance,
  /// flexible coordinates by what nodes move beyond their link's frame.
  void state_of(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, State& state,
                Eigen::Ref<VectorXd> vdot);
  /// The inverse, at state.t.
  void unknowns_of(const State& state, VectorXd& z, VectorXd& v);

  /// [u; θ] of a link's tip from the commanded motion, world axes.
  Vector6d tip_displacement(double t, const VectorXd& z, int i_link);

  /// Unknown of a component (u_x, u_y, u_z, θ_x, θ_y, θ_z in world axes) at a node of a flexible link; −1 where there is none.
  int correlation(int i_link, int node, int component) const { return table_[i_link][node][component]; }
  /// Unknown of a link's servo compliance, actual minus commanded joint; −1 for a driven joint.
  int compliance(int i_link) const { return compliance_[i_link]; }

  /// The system's matrices and force at t, for inspection: J_g, C_g, K_g, ΦᵀK_cΦ, F_g.
  struct Matrices {
    SparseMatrixd J, C, K, K_c;
    VectorXd F;
  };
  const Matrices& matrices(double t);

 protected:
  /// [u; θ] of a node in world axes per unknown, with two time derivatives, on the columns that matter.
  static constexpr int most_columns = 16;  // a tip node's six and the servos of rigid links in between
  using NodeMatrix = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, most_columns>;
  struct NodeMap {
    std::vector<int> columns;
    NodeMatrix N, dN, ddN;
    void resize();
  };
  /// A node's map in the axes of some frame.
  struct Turned {
    NodeMatrix T, dT, ddT;
  };
  struct Pair {
    int i, j;
    Matrix6d J, K, D;
  };
  /// Orientation and motion of a link's frame and tip frame that the equations take: as commanded, unless LiteralModel says
  /// otherwise.
  struct Frames {
    Matrix3d R_WB, R_WT;
    FrameMotion B, T;
  };
  struct LinkWork {
    std::vector<Pair> pairs;
    std::vector<NodeMap> nodes;  // of a flexible link all, of a rigid one root and tip; the first is the link frame's
    NodeMap exit;                // of a guide, where the elements begin that slide through it
    std::vector<Turned> turned;
    JointStep joint;
    FrameMotion T;
    Frames frames;
    const NodeMap& tip() const { return nodes.back(); }
    const NodeMap& mesh(int node) const { return node == 0 && !exit.columns.empty() ? exit : nodes[node]; }
  };
  void number_unknowns(const Case& data);
  void find_pattern();
  std::vector<int> components_in_world() const;
  void prepare_pairs(int i_link);
  static void carry(const NodeMap& from, const Vector3d& p, const Vector3d& dp, const Vector3d& ddp, NodeMap& to);
  void move_nodes(int i_link, const FrameMotion& P);
  static void turn(const NodeMap& node, const Matrix3d& R, const FrameMotion& frame, Turned& turned);
  void update_motion(double t);
  void move_frames();
  /// How far along the beam a node is from the first, with two time derivatives: elements in a guide grow.
  struct MeshPoint {
    double x, dx, ddx;
  };
  MeshPoint mesh_point(int i_link, int node) const;
  /// A node's [u; θ] in its link's commanded axes with two time derivatives.
  struct NodeMotion {
    Vector6d q, dq, ddq;
    void add_carried(const NodeMotion& root, const MeshPoint& from_root, double sign);
  };
  NodeMotion motion_of(int i_link, int node, const VectorXd& z, const VectorXd& v, const VectorXd& a) const;
  template <class Sink>
  void assemble(Sink add);
  template <class Sink>
  void add_body(const RigidInertia& body, const NodeMap& node, const Matrix3d& R, const FrameMotion& frame, Sink add);
  template <class Sink>
  void add_pair(const NodeMap& row, const Turned& row_turned, const NodeMap& column, const Turned& column_turned,
                const Matrix6d& J, const Matrix6d& K_c, const Matrix6d& D, const FrameTerms& terms, Sink add);
  /// Adds forces on a section between two nodes to F.
  void add_along(const AlongLoad& load);
  /// Everything that follows from `frames`: Φ, and the sums.
  void turn_nodes();
  void sum_up();
  /// F_u by the sums as they are.
  void balance(const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) const;
  /// mass·J + damping·C + stiffness·K of the sums, made symmetric, and of what joints under servos do by themselves at (z, v).
  const SparseMatrixd& weigh(const VectorXd& z, const VectorXd& v, double mass, double damping, double stiffness);
  void update(double t);

  const Arm arm_;
  Drives& drives_;
  std::vector<std::optional<NodalBeam>> beams_;
  std::vector<std::vector<std::array<int, 6>>> table_;
  std::vector<int> compliance_;
  /// A joint's servo, as it acts on its compliance.
  std::optional<Law::Spring> servo(int v0) const;
  /// Of a joint that has one; null for others.
  const Transmission* transmission_of(int i_link) const;
  int size_ = 0;
  State state_;
  VectorXd vdot_;
  Kinematics kin_;
  std::vector<LinkWork> work_;
  std::vector<Vector6d> on_tips_;
  std::vector<AlongLoad> along_;
  Turned body_turned_;
  double at_ = -1;  // time of the sums
  Matrices sums_;
  SparseMatrixd half_;
  std::vector<int> places_;                      // among the sums' values, in the order of `assemble`
  std::vector<std::array<int, 2>> half_places_;  // of an entry of `half_` and its mirror image
  Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower> static_solver_;
};

}  // namespace lithe
