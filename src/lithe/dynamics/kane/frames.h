#pragma once

#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/dynamics/kane/section_poses.h"

namespace lithe::kane {

/// A frame of the arm — the root, a link frame B, the tip T of a link that bends, or a section of an exact link — and its motion in
/// world axes.
///
/// Kane writes every velocity as a sum over the generalised speeds u_r plus the given part (abdelaziz04 eqs 2, 3):
///   ω = Σ ω_r u_r + ω_t        v = Σ v_r u_r + v_t
/// with partial angular velocities ω_r and partial velocities v_r (of the frame's origin). Accelerations follow as
///   α = Σ ω_r u̇_r + α_0        a = Σ v_r u̇_r + a_0
/// where α_0, a_0 are the accelerations that remain with u̇ = 0. A point at r, fixed in the frame, has a + Γr with
/// Γ = [α]× + [ω]×².
template <class S>
struct Frame {
  int carrier = 0;          // index of the frame it stands on; the root stands on itself
  std::vector<int> speeds;  // the generalised speeds that move it: its carrier's, then its own
  int n_inherited = 0;      // how many are its carrier's

  Eigen::Matrix3<S> R;              // in the world
  Eigen::Matrix3X<S> omega_r, v_r;  // 3 × speeds
  Eigen::Vector3<S> omega;          // given motion included
  Eigen::Vector3<S> alpha_0, a_0;
  Eigen::Matrix3<S> Gamma_0;  // Γ of α_0

  int n_speeds() const { return int(speeds.size()); }
};

/// Γ = [α]× + [ω]×².
template <class S>
Eigen::Matrix3<S> relative_acceleration(const Eigen::Vector3<S>& alpha, const Eigen::Vector3<S>& omega) {
  const S xx = omega.x() * omega.x(), yy = omega.y() * omega.y(), zz = omega.z() * omega.z();
  const S xy = omega.x() * omega.y(), xz = omega.x() * omega.z(), yz = omega.y() * omega.z();
  Eigen::Matrix3<S> Gamma;
  Gamma << -(yy + zz), xy - alpha.z(), xz + alpha.y(),  //
      xy + alpha.z(), -(xx + zz), yz - alpha.x(),       //
      xz - alpha.y(), yz + alpha.x(), -(xx + yy);
  return Gamma;
}

/// The frames of an arm and their motion. The generalised speeds are the arm's v (eq 1 with w = 1, x = 0; a free base's six
/// are components in its own axes).
template <class S>
class Frames {
 public:
  using Vector = Eigen::Vector3<S>;
  using Matrix = Eigen::Matrix3<S>;
  using State = Eigen::Ref<const Eigen::VectorX<S>>;

  explicit Frames(const Arm& arm);

  /// Everything at q, moving with v on a root of given motion.
  void update(const State& q, const State& v, Instant t);
  /// The same with the whole arm and its root at rest.
  void update_at_rest(const State& q, Instant t);

  const Frame<S>& operator[](int i) const { return frames_[i]; }
  /// Index of the frame of link i, and of its tip if it bends.
  int of_link(int i) const { return joints_[i].frame; }
  int of_tip(int i) const { return tips_[i].frame; }
  /// The sections of link i if it is an exact one, and the index of the frame of the first; those of the others follow, the tip's last.
  const SectionPoses<S>* sections(int i) const { return tips_[i].rod ? &rods_[size_t(*tips_[i].rod)] : nullptr; }
  int of_first_section(int i) const { return tips_[i].frame - int(sections(i)->sections().size()) + 1; }

 private:
  /// A joint on its carrier frame C, which is the parent's B or, where the parent bends, its T.
  struct JointOnCarrier {
    const Link* link = nullptr;
    int frame = 0;
    std::optional<Joint::Axis> axis;  // of a joint that turns about one or slides along one
    Matrix R_CF;                      // the joint's frame F, unmoved
    Vector p_CF, axis_C;
    Matrix R_sin, R_cos;  // of one that turns: R_CB = axis_C axisᵀ + sin q R_sin + cos q R_cos
    Matrix R_axis;
  };
  struct Tip {
    const FlexBasis* flex = nullptr;
    int frame = 0;
    int q0 = 0, v0 = 0;
    std::optional<int> rod;  // of an exact link: which of rods_
  };

  int add_frame(int carrier, const std::vector<int>& own);
  void update_root(const RootMotion& root, bool moving);
  void update_links(const State& q, const State& v);
  void update_joint(const JointOnCarrier& joint, const State& q, const State& v);
  void update_block(const JointOnCarrier& joint, const State& q, const State& v);
  void update_tip(const Tip& tip, const State& q, const State& v);
  void update_sections(const Tip& tip, const State& q, const State& v);
  void move_with_carrier(Frame<S>& frame, const State& v, const Vector& d, const Vector& alpha_own,
                         const Vector& a_own);

  const Arm& arm_;
  std::vector<Frame<S>> frames_;        // the root first
  std::vector<JointOnCarrier> joints_;  // [n_links]
  std::vector<Tip> tips_;               // [n_links]; without basis where the link is rigid
  std::vector<SectionPoses<S>> rods_;   // of exact links
  Eigen::VectorX<S> rest_;              // v = 0
};

}  // namespace lithe::kane
