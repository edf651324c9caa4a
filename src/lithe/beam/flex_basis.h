// beam/ — one link's flexibility. Takes a beam (or shapes from a file) and gives a `FlexBasis`: the shapes by which the link
// deforms and the constants that follow from them, integrated once. Assumed modes, finite elements and imported modes are
// therefore the same to everything downstream. Does not depend on joints or chains.
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "lithe/beam/fibres.h"
#include "lithe/beam/section_shapes.h"
#include "lithe/describe/case/joint.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

class StrainBasis;
struct Shortening;

using SparseMatrixd = Eigen::SparseMatrix<double>;

/// What a flexible coordinate mainly does, for names and reports.
enum class Deflection { bending_y, bending_z, torsion, axial, mixed };

/// Shapes at places along the link, for drawing and for internal forces. Three rows per place.
struct Stations {
  std::vector<double> x;    // along the undeformed link
  SparseMatrixd phi, psi;   // displacement and rotation per coordinate: u = phi δ, θ = psi δ     3n × m
  SparseMatrixd strain;     // [ε_x, γ_y, γ_z] = [u_x′, u_y′ − θ_z, u_z′ + θ_y] per coordinate     3n × m
  SparseMatrixd curvature;  // θ′ = [twist rate, κ_y, κ_z] per coordinate                         3n × m
  std::vector<Vector3d> stiffness,
      bending;                   // [EA, κGA_y, κGA_z] and [GJ, EI_y, EI_z] there: forces = stiffness · strain
  std::vector<double> mass;      // per length; empty where the link is not a beam
  std::vector<Vector3d> rotary;  // the section's own inertia per length, about x, y, z
  std::vector<std::shared_ptr<const Fibres>> fibres;  // null where the section's outline is not known
};

/// Adds places to ascending ones that have no such place yet, up to rounding of the last one.
void add_places(std::vector<double>& ascending, std::span<const double> places);

/// How a link deforms: u(x,t) = Σ φ_k(x) δ_k(t), θ(x,t) = Σ ψ_k(x) δ_k(t) in link axes B, and every constant of its inertia,
/// stiffness and damping. With r0 the undeformed place of a mass element dm and j dx the section's own rotary inertia:
///
///   m = ∫dm   s0 = ∫r0 dm   Σ0 = ∫r0 r0ᵀ dm   S_k = ∫φ_k dm   P0_k = ∫r0 φ_kᵀ dm   P_kl = ∫φ_k φ_lᵀ dm
///   j0 = ∫j dx   H_k = ∫j ψ_k dx   M_kl = tr P_kl + ∫ψ_kᵀ j ψ_l dx   K_kl, D_kl of stiffness and damping
///
/// (book83's C, C_k, C_kj without their ½; its ε_k is S_k.) Everything is about B's origin. Bodies along the link are in it
/// (`add_section_body`); a payload on the tip is not, unless added by `add_tip_body`.
struct FlexBasis {
  int size() const { return int(S.cols()); }

  std::vector<std::string> names;  // of the coordinates within the link: "1", "n3.uy"
  std::vector<Deflection> kinds;
  bool nodal = false;       // coordinates are those of an element mesh's nodes: many, of little interest individually
  std::vector<bool> turns;  // whether a coordinate is in radians
  /// Of the others: metres, but strains of an exact link are numbers.
  CoordinateUnit unit(int k) const {
    return turns[size_t(k)] ? CoordinateUnit::radians : exact ? CoordinateUnit::number : CoordinateUnit::metres;
  }

  /// An exact link, whose coordinates are strains (beam/exact/): null for a link of shapes. What is said here of shapes and integrals is then
  /// that of its small motions about the unloaded link; K, D and `stations`' sections hold at any deflection. Whatever depends on the
  /// deflection asks `exact`: kinematics (arm/kinematics.h) holds it at a state.
  std::shared_ptr<const StrainBasis> exact;

  /// How the link draws its sections in as it bends (`stiffening`, beam/shortening.h): null where its sections keep their x.
  std::shared_ptr<const Shortening> shortening;

  double mass = 0;
  Vector3d s0 = Vector3d::Zero();
  Matrix3d Sigma0 = Matrix3d::Zero();
  Matrix3d j0 = Matrix3d::Zero();
  Matrix3Xd S;                     // 3 × m
  Matrix3Xd H;                     // 3 × m
  std::array<Matrix3Xd, 3> P0;     // P0[a](b, k) = ∫ r0_a φ_k,b dm
  std::array<SparseMatrixd, 9> P;  // P[3a + b](k, l) = ∫ φ_k,a φ_l,b dm
  SparseMatrixd M, K, D;           // m × m, both halves stored
  bool quadratic_inertia = true;   // false: `first-order`, Σ without its terms in δ² (book83 eq 37)

  Vector3d tip0 = Vector3d::Zero();  // undeformed tip, from B
  Matrix3Xd tip_phi, tip_psi;        // shapes at the tip, 3 × m
  std::vector<int> tip_coordinates;  // those k whose shapes move or turn the tip; for elements the last node's

  Stations stations;

  /// Places along x, from root to tip, between which shapes are smooth, and how many of Gauss's points there integrate a shape times a
  /// straight line to rounding. Empty where shapes are known at nodes only.
  std::vector<double> smooth_between;
  int smooth_points = 0;

  /// The shapes at any x of the undeformed link, as exact as the integrals; nothing where they are not known (an imported
  /// link between its nodes).
  std::function<std::optional<SectionShapes>(double x)> section_at;
  SectionShapes tip_section() const { return SectionShapes::of(tip0, tip_phi, tip_psi); }

  /// The undeformed link about B, rotary inertia included.
  RigidInertia undeformed() const;
  /// For coordinates that are amplitudes of shapes: names them "1", "2" …; those of torsion turn.
  void name_shapes(std::vector<Deflection> of_kinds);
  /// Sets tip_coordinates from tip_phi and tip_psi.
  void find_tip_coordinates();
};

/// The same link in coordinates η with δ = T η (m × r): reduction, scaling, a choice of shapes.
FlexBasis transformed(const FlexBasis& basis, const MatrixXd& T);

/// Adds a rigid body on a section to the link's own integrals. Its mass centre c moves as r0 + φδ + (ψδ)×c; its inertia about
/// that is one more section's rotary inertia: constant in link axes, moving with ω + θ̇.
///
///   φ̃_k = φ_k + ψ_k×c    m += m    s0 += m r0    Σ0 += m r0 r0ᵀ    S_k += m φ̃_k    P0_k += m r0 φ̃_kᵀ    P_kl += m φ̃_k φ̃_lᵀ
///   j0 += J    H_k += J ψ_k    M_kl += m φ̃_k·φ̃_l + ψ_kᵀ J ψ_l         r0 = place + c, J about the mass centre
void add_section_body(FlexBasis& basis, const SectionShapes& section, const CarriedBody& body);

/// Adds a straight piece before the link's root, of that length, mass per length and rotary inertia per length. The link frame moves
/// back by that length along x.
void add_straight_root(FlexBasis& basis, double length, double mass, const Vector3d& rotary);

/// Adds a rigid body (about the tip frame, moving by the linearised tip motion) to the link's own integrals.
void add_tip_body(FlexBasis& basis, const RigidInertia& body_T);

/// The moments of a link that depend on its deformation. S is double or `Counted`. With `stiffening`, U_k = φ_k − e_x(Gδ)_k stands for φ_k, and
/// all of it holds to second order in δ and δ̇ together (beam/shortening.h).
template <class S>
struct FlexMomentsOf {
  Eigen::Vector3<S> s;                  // ∫ r dm
  Eigen::Matrix3<S> Sigma;              // ∫ r rᵀ dm; without terms in δ² under `first-order`
  std::array<Eigen::Matrix3X<S>, 3> P;  // P[a](b, k) = ∫ r_a φ_k,b dm
  Eigen::VectorX<S> drawn;              // −∫ U_k,x dm as far as it is due to `stiffening`; empty without

  /// Linear momentum per rate of coordinate k: ∫ U_k dm.
  Eigen::Vector3<S> linear(const FlexBasis& basis, int k) const {
    Eigen::Vector3<S> sum = basis.S.col(k).template cast<S>();
    if (drawn.size() > 0) sum[0] -= drawn[k];
    return sum;
  }
  /// The same of all rates.
  Eigen::Vector3<S> linear_rate(const FlexBasis& basis, const Eigen::Ref<const Eigen::VectorX<S>>& rate) const {
    Eigen::Vector3<S> sum = basis.S.template cast<S>() * rate;
    if (drawn.size() > 0) sum[0] -= drawn.dot(rate);
    return sum;
  }

  /// Moment of inertia about B, the section's included.
  Eigen::Matrix3<S> inertia(const FlexBasis& basis) const {
    return Eigen::Matrix3<S>(Sigma.diagonal().sum() * Eigen::Matrix3<S>::Identity()) - Sigma +
           basis.j0.template cast<S>();
  }
  /// Angular momentum per rate of coordinate k: ∫ r×φ_k dm + H_k.
  Eigen::Vector3<S> angular(const FlexBasis& basis, int k) const {
    return Eigen::Vector3<S>(P[1](2, k) - P[2](1, k), P[2](0, k) - P[0](2, k), P[0](1, k) - P[1](0, k)) +
           basis.H.col(k).template cast<S>();
  }
};
using FlexMoments = FlexMomentsOf<double>;

/// Allocates only when `moments` has another size than the basis.
template <class S>
void update_moments(const FlexBasis& basis, const Eigen::Ref<const Eigen::VectorX<std::type_identity_t<S>>>& delta,
                    FlexMomentsOf<S>& moments);

}  // namespace lithe
