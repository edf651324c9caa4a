#pragma once

#include <array>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/dynamics/kane/jet.h"

namespace lithe::kane {

/// The sections of an exact link that carry mass, and its tip: where they are in B axes, how coordinates move them, and what of their
/// accelerations remains with δ̈ = 0 (docs/exact-links.md (4)):
///
///   w = Σ W_k δ̇_k     ṗ = Σ U_k δ̇_k     ẇ = Σ W_k δ̈_k + ẇ₀     p̈ = Σ U_k δ̈_k + b
///
/// by definition: the poses are written out, rotations as products of exponentials (5) with sines and cosines, places by Lagrange's
/// polynomials (2), and differentiated along directions of the coordinates. That is slow, and shares no code with beam/exact, of which it takes
/// the numbers of terms and points and the initial curvature; so `articulated` and `kane` check each other. S is double or `Counted`.
template <class S>
class SectionPoses {
 public:
  using Vector = Eigen::Vector3<S>;
  using Matrix = Eigen::Matrix3<S>;
  using Coordinates = Eigen::Ref<const Eigen::VectorX<S>>;

  /// Of a link with `flex->exact`.
  explicit SectionPoses(const Link& link);

  struct Section {
    RigidInertia body;  // about the section's frame: the mass of a point, or a body along the link; of the tip none

    // Set by update, in B axes:
    Matrix R;
    Vector p;
    Eigen::Matrix3X<S> turn, slide;  // W_k, U_k
    Vector turn_bias, slide_bias;    // ẇ₀, b
  };
  /// From root to tip.
  const std::vector<Section>& sections() const { return sections_; }
  /// Of the link's coordinates.
  int size() const { return int(terms_.size()); }

  void update(const Coordinates& delta, const Coordinates& rate);

 private:
  struct Term {
    int row;      // of [κ; ν]
    double sign;  // with which the coordinate is in it
    int degree;   // of Legendre's polynomial
  };
  /// What gives the pose of one section: the moments of the curvature between it and the section before, and its place.
  struct Constants {
    std::vector<double> moment0, moment1;                               // [terms] over L; zero for stretch and shear
    Vector3d initial0 = Vector3d::Zero(), initial1 = Vector3d::Zero();  // of the initial curvature
    std::vector<double> reach;                                          // [points] ∫₀ˣ ℓ_j
    int point = -1;                                                     // which of Gauss's points it is
  };
  using VectorJet = Jet<Vector>;
  using MatrixJet = Jet<Matrix>;

  void make_masses(const Link& link, const std::vector<double>& points, const std::vector<double>& weights);
  Constants constants(double from, double to, const std::vector<double>& points, const Vector3d& curvature) const;
  static MatrixJet rotation(const VectorJet& theta);
  void move_along(const Coordinates& delta, const Coordinates& direction);

  double length_ = 0;
  std::vector<Term> terms_;
  std::vector<Constants> constants_;          // [sections]
  std::vector<std::vector<double>> strains_;  // [points][terms] of ν
  std::vector<Section> sections_;

  // Along the direction of the last `move_along`:
  std::vector<MatrixJet> R_;  // [sections]
  std::vector<VectorJet> p_;  // [sections]
  std::vector<VectorJet> t_;  // [points]
  Eigen::VectorX<S> unit_;
};

}  // namespace lithe::kane
