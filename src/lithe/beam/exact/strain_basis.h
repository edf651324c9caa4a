// beam/exact/ — links that bend far: geometrically exact beams whose coordinates are the coefficients of their strains, so that any
// deflection is exact and the elastic force stays K δ with a constant K.
//
// Takes a beam and numbers of terms; gives, at coordinates δ and rates δ̇, poses of sections and how they follow δ (rod_place.h), their
// velocity terms (rod_move.h), and the link's inertia and forces about its root frame B (rod_inertia.h). Does not depend on joints or
// chains. Equations are numbered as in docs/exact-links.md.
//
// The usual program of this method forms places, velocity terms and inertia forces of every point. Here sums over masses are sums over arms
// with constant weights (3); spins are those in space, so that Coriolis and centrifugal terms are not added point by point (7); and all
// terms of one strain share two vectors per interval (6). The numbers are the same but for rounding, with a tenth fewer multiplications.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "lithe/beam/section_shapes.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

class BeamMatter;
struct SectionMatter;

/// What a link is made of: its section's properties at any x.
struct RodMatter {
  double length = 0;
  bool uniform = true;
  std::function<SectionMatter(double x)> at;
  std::vector<double> jumps = {};  // where the properties jump, on the link; at() is then that of the part beyond

  static RodMatter of(const BeamMatter& beam);
};

/// How many Legendre terms each strain has on every piece of the link, and how a piece is discretised.
struct Strains {
  int bending_y = 0, bending_z = 0, torsion = 0;  // curvatures: κ_z, −κ_y, κ_x
  int axial = 0, shear_y = 0, shear_z = 0;        // ε, γ_y, γ_z
  int pieces = 1;                                 // of equal length, each with terms of its own
  int points = 0;  // Gauss's points that carry a piece's mass; 0: as many as the rule says
  int order = 4;   // of the rotations' error in the length of an interval: 4 or 6
  Vector3d initial_curvature = Vector3d::Zero();  // of the unloaded link, in section axes, constant along it [rad/m]
  bool operator==(const Strains&) const = default;
};

/// Which strain a coordinate is a term of, in the order of a piece's coordinates.
enum class StrainKind { bending_y, bending_z, torsion, axial, shear_y, shear_z };

/// An exact link and all its constants. Of one piece first: strains in section axes, with P_k Legendre's polynomials of 2x/L − 1:
///
///   κ_z = Σ P_k δ_k/L (bending_y)    κ_y = −Σ P_k δ_k/L (bending_z)    κ_x = Σ P_k δ_k/L (torsion)
///   ν = e_x + [Σ P_k δ_k (axial), Σ P_k δ_k (shear_y), Σ P_k δ_k (shear_z)]                                     (1)
///
/// so that a curvature's coordinates are in radians (the first is the turn of the tip, exactly if the link bends in one plane) and the
/// others are strains. K is diagonal for a uniform beam.
///
/// Sections are known at *nodes*: N Gauss's points of [0, L], which carry the mass; the sections with bodies on them; and last the tip.
/// Between nodes the rotation follows from moments of the curvature over that interval (Magnus, rod_place.h). Every place on the link is
/// a constant combination of *arms*: vectors fixed in sections,
///
///   t_j = R_j ν_j at Gauss's point j        p(x) = Σ_j t_j ∫₀ˣ ℓ_j        (ℓ_j: Lagrange's polynomials of the points)        (2)
///
/// and R c for a body whose mass centre is at c from its section. With masses μ_b at p_b = Σ_j a_bj t_j all sums over masses become
/// sums over arms with constants made here:
///
///   m = Σ μ_b        c_j = Σ_b μ_b a_bj        G_ij = Σ_b μ_b a_bi a_bj = (CᵀC)_ij                                         (3)
///
/// `rule`: with n terms of a strain, N = n + 2 makes the mass matrix of the straight link exact, and its frequencies those of polynomial
/// shapes x² … x^(n+1). Any N gives a mechanical system whose energy is conserved; fewer points only err.
///
/// A link of several `pieces` is a chain of such links without joints: (1) holds on each with its own length and its own coordinates, which
/// run piece by piece. Strains jump where pieces meet, as they do where a force acts; so may the section's properties. Rotations and
/// places go on, and rod_pieces.h joins what the pieces' own code gives.
///
/// A value: immutable once made, may be shared by threads.
class StrainBasis {
 public:
  StrainBasis(const RodMatter& matter, const Strains& strains, std::span<const SectionBody> bodies = {});

  static int points_by_rule(const Strains& strains);

  int size() const { return int(terms.size()); }
  /// Of a piece's coordinates, those that are curvatures; they come first.
  int n_curvatures() const { return count[0] + count[1] + count[2]; }
  /// The largest number of terms of one strain on a piece.
  int most_terms() const { return *std::max_element(count.begin(), count.end()); }
  bool stretches() const { return count[3] + count[4] + count[5] > 0; }
  int n_nodes() const { return int(nodes.size()); }
  int n_arms() const { return int(arms.size()); }
  /// The node at the tip: the last.
  int tip() const { return n_nodes() - 1; }
  /// Whether it bends in one plane only, unloaded straight, with nothing on it: PlaneRod serves it.
  bool is_plane() const;

  Strains strains;  // as given, with the number of points
  double length = 0;
  std::vector<StrainBasis> pieces;      // each a link of its own; none where the link is of one piece
  std::vector<double> breaks;           // 0, where pieces meet, L: between them strains are polynomials
  std::array<int, 6> first{}, count{};  // on one piece, by StrainKind: its first coordinate and how many it has
  /// What a coordinate is: a Legendre term of a strain.
  struct Term {
    StrainKind kind;
    int k;  // degree
    int piece = 0;
  };
  std::vector<Term> terms;         // of each coordinate
  std::vector<std::string> names;  // "1", "2" …
  std::vector<bool> turns;         // whether in radians

  /// Moments of the curvature over the interval before a node, of length h and middle x̄, per term and radian:
  ///   ∫ P_k dx/L        ∫ P_k (x − x̄)/h dx/L        ∫ P_k ((x − x̄)/h)² dx/L
  /// and the same of the initial curvature. Numbers that are zero are exactly zero.
  struct Interval {
    double h = 0;  // over L
    std::vector<double> moment0, moment1, moment2;
    Vector3d initial0 = Vector3d::Zero(), initial1 = Vector3d::Zero(), initial2 = Vector3d::Zero();
  };
  /// The moments over [from, to] of x/L; of one piece.
  Interval interval(double from, double to) const;

  /// The piece that a section belongs to; where two meet, the one beyond.
  int piece_at(double x) const;
  /// Where a section is on its piece.
  double on_piece(int piece, double x) const {
    return std::clamp(x - breaks[size_t(piece)], 0.0, length / strains.pieces);
  }

  // Of several pieces: the nodes of all in turn, at their x of the whole link and with `before` of their piece; the arms of all in turn.
  /// A section that the link's code forms: the end of an interval.
  struct Node {
    double x = 0;
    Interval before;
    Vector3d inertia = Vector3d::Zero();  // of the section: weighted, about its own axes
    Matrix3d body = Matrix3d::Zero();     // of bodies on it, about their mass centres, in section axes
    bool has_inertia = false, round = false, has_body = false;  // round: I_y = I_z
  };
  std::vector<Node> nodes;

  /// A vector fixed in a section: places are constant combinations of these.
  struct Arm {
    int node = 0;
    Vector3d fixed = Vector3d::UnitX();  // in section axes; of Gauss's points e_x
    std::vector<double> legendre;        // P_k there, for strains of the axis; empty for a body's
  };
  std::vector<Arm> arms;      // of a piece: Gauss's points first
  std::vector<double> reach;  // of the tip: p_T = Σ reach_j t_j
  /// The same for any x of the link.
  VectorXd reach_at(double x) const;

  double mass = 0;
  std::vector<double> c;     // [n_arms] (3), of one piece
  std::vector<double> G, C;  // [n_arms × n_arms], by rows; C is upper triangular
  MatrixXd K, M;             // stiffness; inertia of the coordinates on the unloaded link

  /// Strains at x/L: [κ_x, κ_y, κ_z, ν_x − 1, ν_y, ν_z] = strain_shapes δ without the initial curvature. Where pieces meet, of the one beyond.
  Matrix6Xd strain_shapes(double s) const;

 private:
  void make_coordinates();
  void make_nodes(const RodMatter& matter, std::span<const SectionBody> bodies);
  void make_masses(const RodMatter& matter, std::span<const SectionBody> bodies);
  void make_pieces(const RodMatter& matter, std::span<const SectionBody> bodies);
  void make_stiffness(const RodMatter& matter);

  VectorXd points_;  // over L
};

/// The section at any x of an exact link, for what stands, pushes or is measured there: its rotation follows from the node before it by one
/// more interval, its place is that of the points' polynomial. As derivatives of these poses W and U are exact, so a load's generalised
/// force is that of its work. Constants; a value.
struct RodSection {
  RodSection(const StrainBasis& basis, double x);

  double x;
  int piece;
  // Of that piece:
  int node_before;  // −1: its root
  StrainBasis::Interval interval;
  VectorXd reach;  // [arms] p = Σ reach_j t_j
};

}  // namespace lithe
