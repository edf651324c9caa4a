#pragma once

#include <memory>
#include <span>

#include "lithe/dynamics/derivatives/flexible_matter.h"
#include "lithe/dynamics/derivatives/section_load.h"

namespace lithe {

/// Inverse dynamics τ = ID(q, v, v̇) = M v̇ + h and its exact derivatives by q and v, in O(nv · depth) for arms on any base, with
/// rigid and bending links, rotors, payloads, joint forces, transmissions and loads on sections. Derivation: docs/derivatives.md.
///
/// All motion vectors [ω; v] and wrenches are in world axes about one fixed point near the arm. A coordinate i carries all that
/// is outboard of it along J_i; for every frame there
///
///   ∂V/∂q_i = J_i×V + U_i      ∂A/∂q_i = J_i×A + U_i×V + W_i      ∂V/∂v_i = J_i      ∂A/∂v_i = J_i×V + Y_i           (1)
///
/// so that with the composite inertia I, wrench F and B = Σ (2ω×… of docs/derivatives.md (4)) of what r carries
///
///   ∂τ_r/∂q_i = (BᵀJ_r)·U_i + (I J_r)·W_i     ∂τ_r/∂v_i = (BᵀJ_r)·J_i + (I J_r)·Y_i      i inboard of r              (2)
///   ∂τ_r/∂q_i = J_r·(J_i×*F + B U_i + I W_i)  ∂τ_r/∂v_i = J_r·(B J_i + I Y_i)            i outboard of r             (3)
///
/// and a pair of coordinates costs a few products of six numbers. Derivatives by q are along the coordinate directions of
/// `displace`: for a free base, turns about and slides along its own axes, its six rates (in those axes) held.
///
/// Memory is sized once; `update` allocates nothing. One per thread.
class InverseDerivatives {
 public:
  /// Throws UnsupportedError for `tip_rotation: small`.
  explicit InverseDerivatives(const Arm& arm);

  void update(const State& state, const Eigen::Ref<const VectorXd>& vdot, std::span<const SectionLoad> loads = {});

  // At the last update:
  const VectorXd& force() const { return force_; }              // τ minus loads: what drives must provide
  const MatrixXd& by_position() const { return by_position_; }  // ∂τ/∂q along coordinate directions
  const MatrixXd& by_rate() const { return by_rate_; }
  const MatrixXd& mass_matrix() const { return mass_; }

  // Further results of the last update, added to vectors of nv numbers; loads are those that it was given.
  /// Slopes of the weight on the coordinate of a one-dof joint, ∂²V/∂z_row∂q of V = −Σ m g·r.
  void add_weight_slopes(int row, Eigen::Ref<VectorXd> by_position) const;
  /// Slopes of the power input by the given motion of the root, without loads.
  void add_root_power_slopes(const RootMotion& root, Eigen::Ref<VectorXd> by_position, Eigen::Ref<VectorXd> by_rate,
                             Eigen::Ref<VectorXd> by_acceleration) const;
  /// Generalised forces f of a load, and the slopes by position of their power f·v.
  void add_load_power(const RootMotion& root, const SectionLoad& load, Eigen::Ref<VectorXd> forces,
                      Eigen::Ref<VectorXd> by_position) const;

  const Arm& arm() const { return arm_; }
  const Kinematics& kinematics() const { return kin_; }

 private:
  using Matrix63 = Eigen::Matrix<double, 6, 3>;
  /// The sum over bodies that move together.
  struct Composite {
    RigidInertia inertia;
    Matrix63 B;        // per unit angular part of U_i or J_i
    Matrix63 lagging;  // per unit turn: correction for loads that keep their direction instead of being carried along
    Vector6d F;
    void clear();
    void add(const RigidInertia& body, const Vector6d& V, const Vector6d& A);
    Composite& operator+=(const Composite& other);
  };
  struct Range {
    int begin, count;
  };
  struct Body {
    std::vector<Range> carriers;  // columns of coordinates further inboard that move it, adjacent ranges merged
    Range tip;                    // columns of its own coordinates that move its tip
    std::unique_ptr<FlexibleMatter> matter;
    std::unique_ptr<RodSlopes> rod;  // of an exact link with loads on its sections
    bool rod_placed = false;
    Vector6d V_B, A_B, V_T, A_T;
    Composite outboard;
  };

  void outward(const State& state, const Eigen::Ref<const VectorXd>& vdot);
  void set_column(int column, const Vector6d& W, const Vector6d& Y);  // J_ and U_ being set
  void move_joint(int i, const State& state, const Vector6d& V_P, const Vector6d& A_P,
                  const Eigen::Ref<const VectorXd>& vdot);
  void change_directions(int i, const State& state, const Vector6d& V_P, const Eigen::Ref<const VectorXd>& vdot);
  void move_tip(int i, const State& state, const Eigen::Ref<const VectorXd>& vdot);
  /// The effect of a load on those that carry it: a wrench about the origin, and the correction if it is not carried along.
  struct Felt {
    Vector6d F;
    Matrix63 lagging;
  };
  static Felt felt(const SectionLoad& load, const SectionFrame& frame, const Vector3d& origin);
  void add_load(const SectionLoad& load);
  void project_load(const SectionLoad& load);
  void inward(const State& state, const Eigen::Ref<const VectorXd>& vdot);
  void project_shapes(int i, const State& state);
  void project_joint(int i);
  void add_direction_slopes(int i, const State& state);
  void carry(int column, const Composite& body);
  void assemble(int i);
  /// Calls visit(column) for every coordinate that moves a link's frame B; its tip.
  template <class Visit>
  void for_each_carrier(int i, Visit visit) const {
    for (const Range& range : bodies_[i].carriers)
      for (int column = range.begin; column < range.begin + range.count; ++column) visit(column);
    const Link& link = arm_.link(i);
    for (int column = link.v0; column < link.v0 + link.nv(); ++column) visit(column);
  }
  void place_rod_slopes();
  RodSlopes* rod_slopes(const LinkSection& section) const;
  Vector3d from_origin(const Vector3d& p_W) const { return p_W - origin_; }

  Arm arm_;
  Kinematics kin_;
  Vector3d origin_;
  std::vector<Body> bodies_;
  // Per coordinate, (1): [J_i], [U_i angular; W_i], [J_i angular; Y_i]; (2): [BᵀJ_r, I J_r]; (3): the wrenches in parentheses.
  Matrix6Xd J_, U_;
  Eigen::Matrix<double, 9, Eigen::Dynamic> column_q_, column_v_;
  Eigen::Matrix<double, Eigen::Dynamic, 9> row_;
  Eigen::Matrix<double, Eigen::Dynamic, 3> row_lagging_;
  Eigen::Matrix<double, Eigen::Dynamic, 6> J_row_;
  Matrix6Xd wrench_q_, wrench_v_;
  bool loaded_ = false;
  std::span<const SectionLoad> loads_;  // during update
  State state_;
  VectorXd force_;
  MatrixXd by_position_, by_rate_, mass_;
};

}  // namespace lithe
