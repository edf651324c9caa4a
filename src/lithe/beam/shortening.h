#pragma once

#include "lithe/beam/field_basis.h"

namespace lithe {

/// The second-order part of a link's deformation, `stiffening`: a beam that bends without stretching draws its sections in,
///
///   u(x) = Σ φ_k(x) δ_k − ½ e_x δᵀG(x)δ,   G_kl(x) = ∫₀ˣ (φ_y,k′ φ_y,l′ + φ_z,k′ φ_z,l′) ds                         (1)
///   U_k(x) = ∂u/∂δ_k = φ_k − e_x (Gδ)_k                                                                        (2)
///
/// [Kane, Ryan & Banerjee 1987] Journal of Guidance, Control, and Dynamics 10, 139. Of the link's own kinetic energy everything up to second order in
/// δ and δ̇ together is kept, and nothing beyond: then its equations are those of a Lagrangian function, energy and momentum are conserved, and the
/// forces on the coordinates are right to first order in δ. Frames on the link (tip, sections) move by (1) in full, so that what they carry moves as
/// they do. docs/beams.md derives what follows:
///
///   mass = ∫ G dm    moment_a = ∫ r0_a G dm    tip = G(L)
///
///   s   −= ½ e_x δᵀ mass δ                        S_k       −= e_x (mass δ)_k                                     (3)
///   Σ_xa = Σ_ax −= ½(1 + [a = x]) δᵀ moment_a δ   P[a](x, k) −= (moment_a δ)_k                                    (4)
///   d/dt of momentum about B gains −∫[r0×e_x ; e_x] δ̇ᵀGδ̇ dm                                                     (5)
struct Shortening {
  SparseMatrixd mass, tip;
  std::array<SparseMatrixd, 3> moment;      // of a beam with nothing off its axis only the first has entries
  std::function<SparseMatrixd(double)> at;  // G(x)

  /// In coordinates η with δ = T η.
  std::shared_ptr<const Shortening> transformed(const MatrixXd& T) const;
  /// With a body whose mass centre is at r0, on the section at r0.x − ahead that it continues straight on by `ahead`.
  std::shared_ptr<const Shortening> with_body(double mass, const Vector3d& r0, double ahead,
                                              const SectionShapes& section) const;
};

/// The shortening of shapes whose slopes along x are those of `field`. `points(a, b)` integrates the product of two slopes and the section over
/// a stretch.
std::shared_ptr<const Shortening> shortening_of(
    const ShapeField& field, const BeamMatter& matter,
    const std::function<std::vector<QuadraturePoint>(double, double)>& points);

/// u_y′ and u_z′ of each coordinate.
Eigen::Matrix2Xd axis_slopes(const FieldValues& field);

/// Mass and ∫x dm of the beam beyond x.
Eigen::Vector2d matter_beyond(const BeamMatter& matter, double x);

/// The most coordinates of a link with `stiffening`: all of them move its tip, so that its equations are dense.
inline constexpr int most_shortened = 60;

/// Gδ, without memory from the heap.
template <class S>
using Drawn = Eigen::Matrix<S, Eigen::Dynamic, 1, 0, most_shortened, 1>;

template <class S, class Delta>
void draw_in(const SparseMatrixd& G, const Delta& delta, Drawn<S>& drawn) {
  drawn.resize(G.cols());
  for (int k = 0; k < G.cols(); ++k) {
    S sum = 0.0;
    for (SparseMatrixd::InnerIterator entry(G, k); entry; ++entry) sum += entry.value() * delta[entry.row()];
    drawn[k] = sum;
  }
}

/// aᵀG a.
template <class S, class A>
S squared(const SparseMatrixd& G, const A& a) {
  S sum = 0.0;
  for (int k = 0; k < G.cols(); ++k)
    for (SparseMatrixd::InnerIterator entry(G, k); entry; ++entry) sum += entry.value() * a[entry.row()] * a[k];
  return sum;
}

/// (5): [moment; force] about B, in B axes.
template <class S, class Rate>
Eigen::Vector<S, 6> shortening_bias(const Shortening& shortening, const Rate& rate) {
  Eigen::Vector<S, 6> wrench = Eigen::Vector<S, 6>::Zero();
  wrench[1] = -squared<S>(shortening.moment[2], rate);
  wrench[2] = squared<S>(shortening.moment[1], rate);
  wrench[3] = -squared<S>(shortening.mass, rate);
  return wrench;
}

}  // namespace lithe
