// Exact links for tests, and what they give as matrices.
#pragma once

#include "lithe/beam/beam_matter.h"
#include "lithe/beam/exact/exact_link.h"

namespace lithe::testing {

/// So many terms of bending along y, along z and torsion, and where given of stretch and shear.
inline Strains strains(int y, int z, int x, int axial = 0, int shear_y = 0, int shear_z = 0) {
  return {.bending_y = y, .bending_z = z, .torsion = x, .axial = axial, .shear_y = shear_y, .shear_z = shear_z};
}

/// Stiffness and inertia different about every axis, so that no mix-up passes.
inline SectionMatter uneven_section() {
  SectionMatter section;
  section.mass = 1.1;
  section.rotary = section.section_inertia = {0.05, 0.02, 0.03};
  section.bending = {2, 3, 4};
  section.stretch = {80, 30, 20};
  return section;
}
inline RodMatter uniform(double length, const SectionMatter& section) {
  return {length, true, [section](double) { return section; }};
}
/// Mass and section's inertia that change along the link.
inline RodMatter tapered(double length) {
  return {length, false, [length](double x) {
            SectionMatter here = uneven_section();
            const double s = 1 - 0.4 * x / length;
            here.mass *= s * s;
            here.rotary *= s * s * s * s;
            here.bending *= s * s * s * s;
            here.stretch *= s * s;
            return here;
          }};
}
inline SectionBody uneven_body(double x) {
  SectionBody body{x, {0.4, {0.03, -0.05, 0.02}, {}}};
  body.body.inertia_com << 0.004, 0.001, -0.0005, 0.001, 0.006, 0.0002, -0.0005, 0.0002, 0.005;
  return body;
}

template <class S>
Eigen::Vector3<S> vector_of(const Triple<S>& v) {
  return {v.x, v.y, v.z};
}
template <class S>
Eigen::Matrix3<S> matrix_of(const Columns<S>& R) {
  Eigen::Matrix3<S> result;
  result << vector_of(R.x), vector_of(R.y), vector_of(R.z);
  return result;
}
template <class S>
Eigen::Matrix<S, 6, 1> stacked_of(const Triple<S>& angular, const Triple<S>& linear) {
  Eigen::Matrix<S, 6, 1> result;
  result << vector_of(angular), vector_of(linear);
  return result;
}

/// Everything that an exact link gives, as matrices.
template <class S>
struct LinkBlocks {
  Eigen::Matrix<S, 6, 6> M_BB;
  Eigen::Matrix<S, 6, Eigen::Dynamic> M_Bf, Phi;
  Eigen::MatrixX<S> M_ff;
  Eigen::Matrix<S, 6, 1> p_B, zeta;
  Eigen::VectorX<S> p_f;
  Eigen::Vector3<S> p_T, spin_T;
  Eigen::Matrix3<S> R_T;

  explicit LinkBlocks(const ExactLink<S>& link) {
    const int m = link.basis().size();
    const RodInertia<S>& own = link.inertia();
    const RodFrame<S>& tip = link.tip();
    const S* J = own.J;
    const Eigen::Vector3<S> s = vector_of(own.s);
    Eigen::Matrix3<S> skew_s;
    skew_s << S(0), -s.z(), s.y(), s.z(), S(0), -s.x(), -s.y(), s.x(), S(0);
    M_BB.setZero();
    M_BB.template topLeftCorner<3, 3>() << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
    M_BB.template topRightCorner<3, 3>() = skew_s;
    M_BB.template bottomLeftCorner<3, 3>() = -skew_s;
    for (int k = 3; k < 6; ++k) M_BB(k, k) = S(link.basis().mass);
    M_Bf.resize(6, m);
    Phi.resize(6, m);
    M_ff.resize(m, m);
    for (int k = 0; k < m; ++k) {
      M_Bf.col(k) = stacked_of(own.angular[k], own.linear[k]);
      Phi.col(k) = stacked_of(tip.turn[k], tip.slide[k]);
      for (int l = 0; l < m; ++l) M_ff(k, l) = link.M_ff(k, l);
    }
    p_B = stacked_of(link.forces().moment, link.forces().force);
    p_f = Eigen::Map<const Eigen::VectorX<S>>(link.forces().p_f.data(), m);
    zeta = stacked_of(tip.zeta_angular, tip.zeta_linear);
    p_T = vector_of(tip.p);
    spin_T = vector_of(tip.spin);
    R_T = matrix_of(tip.R);
  }

  /// The largest difference of any number.
  double distance(const LinkBlocks& other) const {
    const auto gap = [](const auto& a, const auto& b) { return (a - b).cwiseAbs().maxCoeff(); };
    return std::max({gap(M_BB, other.M_BB), gap(M_Bf, other.M_Bf), gap(M_ff, other.M_ff), gap(Phi, other.Phi),
                     gap(p_B, other.p_B), gap(p_f, other.p_f), gap(zeta, other.zeta), gap(p_T, other.p_T),
                     gap(R_T, other.R_T), gap(spin_T, other.spin_T)});
  }
};

template <class S>
LinkBlocks<S> blocks_at(ExactLink<S>& link, const Eigen::VectorX<S>& delta, const Eigen::Vector3<S>& omega,
                        const Eigen::VectorX<S>& rate) {
  link.place(delta.data());
  link.move(omega.data(), rate.data());
  return LinkBlocks<S>(link);
}

}  // namespace lithe::testing
