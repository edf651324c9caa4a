#pragma once

#include "lithe/arm/state.h"

namespace lithe {

/// The six unknowns of a free base in FloatingModel: φ, a rotation from a reference orientation, R = R₀ exp[φ]×, and its place p on the
/// root frame. The arm's own rates are [ω; v] in the base's axes:
///
///   ω = exp[−φ]× J_l(φ) φ̇      v = Rᵀ ṗ                                                                  (1)
///   ω̇ = exp[−φ]× (J_l φ̈ + J̇_l φ̇)      v̇ = Rᵀ p̈ − ω×v                                                       (2)
///
/// φ and p are plain numbers that any method for U, U̇, Ü may integrate. (1) is singular at a full turn of φ; the reference is moved long
/// before that (`recentre`), so that no pose is. J̇_l φ̇ vanishes with φ: there U̇ and Ü are ω and ω̇ themselves.
class BaseChart {
 public:
  /// `base` is the link that a free joint carries; its unknowns are six in a row from `first` on.
  BaseChart(const Link& base, int first) : q0_(base.q0), v0_(base.v0), first_(first) {}

  int first() const { return first_; }
  /// w x y z of R₀.
  Eigen::Vector4d reference() const { return {R0_.w(), R0_.x(), R0_.y(), R0_.z()}; }
  void set_reference(const double* wxyz) { R0_ = Quaterniond(wxyz[0], wxyz[1], wxyz[2], wxyz[3]); }
  /// Makes the orientation at a state the reference.
  void centre(const State& state);

  /// The state's numbers by those of the unknowns, (1), and back.
  void put(const VectorXd& z, const VectorXd& v, State& state) const;
  void read(const State& state, VectorXd& z, VectorXd& v) const;
  /// (2).
  void put_accelerations(const VectorXd& z, const VectorXd& v, const VectorXd& a, Eigen::Ref<VectorXd> vdot) const;
  /// (1) as a matrix: [ω; v] per [φ̇; ṗ].
  Matrix6d directions(const VectorXd& z) const;

  /// Where φ has become large, describes the same motion by a new reference. Returns whether it did.
  bool recentre(VectorXd& z, VectorXd& v, VectorXd& a);

 private:
  Quaterniond orientation(const Vector3d& phi) const;

  int q0_, v0_, first_;
  Quaterniond R0_ = Quaterniond::Identity();
};

}  // namespace lithe
