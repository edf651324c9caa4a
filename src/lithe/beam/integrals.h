#pragma once

#include "lithe/beam/beam_matter.h"
#include "lithe/beam/flex_basis.h"

namespace lithe {

/// The shapes of all coordinates at one place of a beam, 3 × m each: u = phi δ, θ = psi δ, and the strains of both.
struct FieldValues {
  explicit FieldValues(int m)
      : phi(Matrix3Xd::Zero(3, m)),
        psi(Matrix3Xd::Zero(3, m)),
        strain(Matrix3Xd::Zero(3, m)),
        curvature(Matrix3Xd::Zero(3, m)) {}
  Matrix3Xd phi, psi;
  Matrix3Xd strain;     // [u_x′, u_y′ − θ_z, u_z′ + θ_y]
  Matrix3Xd curvature;  // θ′
};

/// The integrals of FlexBasis while they are summed, with dense m × m parts: for the few shapes of a mode basis, or the
/// twelve coordinates of one element.
struct Integrals {
  explicit Integrals(int m);

  double mass = 0;
  Vector3d s0 = Vector3d::Zero();
  Matrix3d Sigma0 = Matrix3d::Zero(), j0 = Matrix3d::Zero();
  Matrix3Xd S, H;
  std::array<Matrix3Xd, 3> P0;
  std::array<MatrixXd, 9> P;
  MatrixXd rotary, K;  // ∫ψᵀjψ, and the stiffness

  /// Adds the slice of length dx at x.
  void add_inertia(double x, double dx, const SectionMatter& matter, const FieldValues& field);
  void add_stiffness(double dx, const SectionMatter& matter, const FieldValues& field);
};

}  // namespace lithe
