#pragma once

#include "lithe/beam/beam_matter.h"
#include "lithe/dynamics/finite_element/frame_terms.h"
#include "lithe/error.h"

namespace lithe {

/// A beam was retracted completely into its guide, or left it.
class GuideError : public Error {
 public:
  using Error::Error;
};

/// A uniform beam of linear elements that slides through a guide (naganathan86's 'variable-length' elements): straight up to the
/// guide's exit at x₀ = L − ℓ, bending beyond it over its free length ℓ(t) = L + q − exit, ℓ̇ = q̇. The link frame B slides with
/// the beam. Nodes stand at x_k = x₀ + ℓ ξ_k, the first at the exit, the last on the tip; material flows through the elements:
///
///   u = Σ N_k(ξ) q_k,   ξ = 1 − (L−x)/ℓ,   ξ̇ = (1−ξ) ℓ̇/ℓ,   ξ̈ = (1−ξ)(ℓ̈/ℓ − 2ℓ̇²/ℓ²)     at a section x of the beam     (1)
///   u̇ = Σ (N_k q̇_k + ξ̇ N_k′ q_k),   ü = Σ (N_k q̈_k + 2 ξ̇ N_k′ q̇_k + ξ̈ N_k′ q_k) + Σ_k ẋ_k² [∂u/∂x]_k δ(x − x_k)          (2)
///
/// The last sum: where slopes jump, at nodes and at the exit, sections change their velocity as they pass. Virtual work with (2)
/// is Lagrange's equations of the discrete beam, so energy is conserved. For a coordinate y it is ∫ ∂r/∂y·r̈ dm with ∂r/∂y at a
/// section: N_k for nodes, a rigid motion for the frame, and for the slide e_x + ξ_ℓ u_ξ, ξ_ℓ = (1−ξ)/ℓ, whose mean from both
/// sides counts where it jumps. Everything is linear in ξ within an element, so an element's consistent mass matrix times
/// what (2) is at its two ends is exact. Rotations θ alike.
///
/// With `transport: false`, naganathan86: elements of the length ℓ/n as it is, (2) without all terms of ξ̇ and ξ̈.
///
/// Damping β acts on the rate at which an element's strains change. Evaluations allocate nothing.
class SlidingBeam {
 public:
  using Matrix12d = Eigen::Matrix<double, 12, 12>;

  /// Of a link that case_checks found fit for a guide.
  SlidingBeam(const LinkSpec& spec, bool rotary_inertia, std::vector<double> fractions);

  /// Where the joint is, its rate and acceleration. Throws GuideError.
  void slide(double q, double v, double a);

  int n_nodes() const { return int(xi_.size()); }
  double x(int node) const { return length_ - free_ * (1 - xi_[node]); }
  double free_length() const { return free_; }
  bool transport() const { return guide_.transport; }
  double beta() const { return beta_; }

  // Six components per node, in B axes; the first node's are zero where nodes count from the link's frame.
  Matrix6Xd u, rate, acceleration;

  /// The load on a frame and on the slide that carries it: [moment; force] at B's origin, and the additional force on the slide.
  struct Reaction {
    Vector6d on_base = Vector6d::Zero();
    double on_slide = 0;
  };
  /// Inertia forces of the moving nodes on a frame that moves, the straight part included; of the nodes into `force`, 6 each.
  Reaction inertia_forces(const FrameMotion& B, Eigen::Ref<VectorXd> force) const;
  /// Adds elastic and damping forces of the nodes; returns their force on the slide.
  double add_elastic_forces(Eigen::Ref<VectorXd> force) const;

  /// The momentum of the flow alone, ∫ (ξ_ℓ u_ξ) dm per unit q̇: seen by the nodes, by the frame, by itself.
  struct Flow {
    Vector6d on_base = Vector6d::Zero();
    double itself = 0;
  };
  Flow flow_momentum(Matrix6Xd& on_nodes) const;

  /// Of the frame's velocity [ω; v], in B axes.
  double kinetic_energy(const Vector6d& V_B) const;
  double elastic_energy() const;
  double power_lost() const;  // in its damping
  Vector3d first_moment() const;

  /// What is held straight, about B.
  RigidInertia straight_part() const;

  // Matrices between nodes.
  double mass_scale() const { return free_ / length_; }  // of the mass matrix of the whole beam
  Matrix12d element_stiffness(int element) const;
  Matrix6d mass(int i, int j) const;
  Matrix6d stiffness(int i, int j) const;
  /// Adds the transport terms of nodes whose displacements count from a motion of B: the first node may move, and what is
  /// behind it with it.
  void add_transport(int i, int j, const FrameMotion& B, FrameTerms& terms) const;

 private:
  using Strain = Eigen::Matrix<double, 6, 12>;
  /// What (2) needs of one element: its length, slopes ∂/∂ξ.
  struct Span {
    double l, d_xi;
    Vector6d slope, slope_rate;
  };
  Span span(int element) const;
  Vector6d strain_rate(int element) const;
  Vector6d jump(int node) const;                                   // of ∂/∂ξ
  Vector6d mean_slope(int node) const;                             // ∂/∂ξ, mean of both sides
  double flow(int node) const { return (1 - xi_[node]) / free_; }  // ξ_ℓ
  Vector6d material(double l) const;                               // stiffness against the six strains
  Eigen::Matrix<double, 12, 1> ends(const Matrix6Xd& values, int element) const;

  std::string link_, joint_;
  Guide guide_;
  double length_, beta_ = 0;
  bool full_integration_;
  SectionMatter matter_;
  Vector6d inertia_;  // per length, of the six components
  std::vector<double> xi_;
  Strain mean_part_, slope_part_;             // strains = (mean_part + slope_part / l) q
  double free_ = 0, speed_ = 0, growth_ = 0;  // ℓ, ℓ̇, ℓ̈ as the transport terms know them
  double true_speed_ = 0;
};

}  // namespace lithe
