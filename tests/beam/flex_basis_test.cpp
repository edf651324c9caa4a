// Laws that hold for every basis: tip bodies, changes of coordinates, energy principles, damping, reduction.
#include "lithe/beam/flex_basis.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "beam/sample_beams.h"
#include "lithe/beam/damping.h"
#include "lithe/spatial/dense_eigen.h"
#include "support/draw.h"

namespace lithe {
namespace {

using testing::any_seed;

VectorXd random_vector(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  return VectorXd::NullaryExpr(n, [&] { return normal(engine); });
}
MatrixXd random_matrix(int rows, int cols, unsigned seed) {
  return random_vector(rows * cols, seed).reshaped(rows, cols);
}

Beam any_beam(unsigned seed) {
  const Flexibility all[] = {Modes{2, 3, 1, 1},
                             Modes{3, 2, 2, 1, ModeShape::clamped_free},
                             Modes{2, 2, 1, 0, ModeShape::pinned_free},
                             Elements{3},
                             Elements{2, ElementKind::linear},
                             Elements{.count = 8, .keep = 9},
                             Elements{.count = 8, .keep = 5, .reduction = Reduction::eigenmodes}};
  Beam beam = bar(all[seed % 7]);
  if (seed / 7 % 3 == 1) beam.tip_section = Section{Rectangle{0.01, 0.02}, {}};
  if (seed / 7 % 3 == 2) beam.steps = {{0.5, {Circle{0.02}, {}}}};
  return beam;
}

// A body at the tip against the sum over four point masses that have its mass, centre and inertia.
RC_GTEST_PROP(FlexBasisLaws, TipBodyEqualsItsPointMasses, ()) {
  const auto seed = any_seed();
  FlexBasis with = beam_basis(any_beam(seed), true, {}), by_points = with;
  RigidInertia body;
  for (unsigned i = 0; i < 4; ++i) {
    const Vector3d place = random_vector(3, seed + i);
    const double mass = 0.1 + i;
    body += RigidInertia::about_com(mass, place, Matrix3d::Zero());
    // The point moves as φ(L) + ψ(L) × place.
    const Vector3d r0 = by_points.tip0 + place;
    const Matrix3Xd phi = by_points.tip_phi - skew(place) * by_points.tip_psi;
    by_points.M += SparseMatrixd(MatrixXd(mass * phi.transpose() * phi).sparseView());
    by_points.S += mass * phi;
    by_points.mass += mass;
    by_points.s0 += mass * r0;
  }
  add_tip_body(with, body);
  RC_ASSERT(std::abs(with.mass - by_points.mass) < 1e-12);
  RC_ASSERT((with.s0 - by_points.s0).norm() < 1e-12 * by_points.s0.norm());
  RC_ASSERT((with.S - by_points.S).norm() < 1e-12 * by_points.S.norm());
  RC_ASSERT((MatrixXd(with.M) - MatrixXd(by_points.M)).norm() < 1e-12 * MatrixXd(by_points.M).norm());
  // The undeformed whole is the bare link and the body placed at the tip.
  RigidInertia whole = beam_basis(any_beam(seed), true, {}).undeformed();
  whole += body.seen_from({Matrix3d::Identity(), with.tip0});
  RC_ASSERT((with.undeformed().J - whole.J).norm() < 1e-12 * whole.J.norm());
}

// Moments and energies do not depend on the coordinates that describe the deformation.
RC_GTEST_PROP(FlexBasisLaws, ChangeOfCoordinatesChangesNothingPhysical, ()) {
  const auto seed = any_seed();
  FlexBasis basis = beam_basis(any_beam(seed), true, {});
  set_damping(basis, RayleighDamping{0.3, 1e-5});
  const int m = basis.size(), r = std::max(1, m / 2);
  const MatrixXd T = random_matrix(m, r, seed);
  const FlexBasis other = transformed(basis, T);
  const VectorXd eta = random_vector(r, seed + 1), delta = T * eta;
  FlexMoments a, b;
  update_moments(basis, delta, a);
  update_moments(other, eta, b);
  RC_ASSERT((a.s - b.s).norm() < 1e-11 * a.s.norm());
  RC_ASSERT((a.Sigma - b.Sigma).norm() < 1e-11 * a.Sigma.norm());
  for (int i = 0; i < 3; ++i) RC_ASSERT((a.P[i] * T - b.P[i]).norm() < 1e-11 * (a.P[i] * T).norm() + 1e-300);
  auto same = [&](const SparseMatrixd& A, const SparseMatrixd& B) {
    const double x = delta.dot(A * delta), y = eta.dot(B * eta);
    return std::abs(x - y) <= 1e-11 * std::abs(x);
  };
  RC_ASSERT(same(basis.M, other.M));
  RC_ASSERT(same(basis.K, other.K));
  RC_ASSERT(same(basis.D, other.D));
  RC_ASSERT((basis.tip_phi * delta - other.tip_phi * eta).norm() < 1e-12 * (1 + delta.norm()));
  RC_ASSERT((basis.stations.curvature * delta - other.stations.curvature * eta).norm() <
            1e-11 * (1 + (basis.stations.curvature * delta).norm()));
}

// M is the mass of the moments: ½ δ̇ᵀMδ̇ is tr of the quadratic part of Σ, plus rotary inertia left out here.
RC_GTEST_PROP(FlexBasisLaws, MassMatrixIsTheTraceOfTheSecondMoments, ()) {
  const auto seed = any_seed();
  const FlexBasis basis = beam_basis(any_beam(seed), false, {});
  const VectorXd delta = random_vector(basis.size(), seed);
  FlexMoments plus, minus;
  update_moments(basis, delta, plus);
  update_moments(basis, -delta, minus);
  const double quadratic = (plus.Sigma + minus.Sigma).trace() / 2 - basis.Sigma0.trace();
  const double energy = delta.dot(basis.M * delta);
  RC_ASSERT(std::abs(quadratic - energy) < 1e-10 * plus.Sigma.trace());
}

// Rayleigh: no deformation vibrates below the first frequency; Poincaré: more shapes only lower the frequencies.
RC_GTEST_PROP(FlexBasisLaws, RayleighsQuotient, ()) {
  const auto seed = any_seed();
  const FlexBasis basis = beam_basis(any_beam(seed), true, {});
  const double first = frequencies(basis)[0];
  const VectorXd delta = random_vector(basis.size(), seed);
  RC_ASSERT(delta.dot(basis.K * delta) / delta.dot(basis.M * delta) >= first * first * (1 - 1e-9));
}

TEST(FlexBasisLaws, MoreShapesLowerEveryFrequency) {
  for (ModeShape shape : {ModeShape::polynomial, ModeShape::clamped_free})
    for (int n = 2; n < 8; ++n) {
      Beam few = bar(Modes{.bending_y = n, .shape = shape}), more = bar(Modes{.bending_y = n + 1, .shape = shape});
      few.tip_section = more.tip_section = Section{Rectangle{0.01, 0.02}, {}};
      const VectorXd a = frequencies(beam_basis(few, true, {})), b = frequencies(beam_basis(more, true, {}));
      for (int k = 0; k < n; ++k) EXPECT_LE(b[k], a[k] * (1 + 1e-12));
      for (int k = 0; k < n; ++k) EXPECT_GE(b[k + 1], a[k] * (1 - 1e-12)) << "Cauchy's interlacing";
    }
}

TEST(NaturalModes, LanczosAgreesWithTheDenseSolver) {
  const FlexBasis basis = beam_basis(bar(Elements{80}), true, {});
  ASSERT_GT(basis.size(), 300);
  const NaturalModes modes = natural_modes(basis.K, basis.M, 12);
  const VectorXd dense = frequencies(basis);
  for (int k = 0; k < 12; ++k) EXPECT_NEAR(modes.omega[k], dense[k], 1e-7 * dense[k]);
  const MatrixXd gram = modes.shapes.transpose() * basis.K * modes.shapes;
  EXPECT_LT((gram - MatrixXd::Identity(12, 12)).cwiseAbs().maxCoeff(), 1e-8);
}

// ---------------------------------------------------------------------------------------------------- damping

/// Ratios of all modes from the damped eigenproblem in first-order form: s = −ζω ± i ω√(1 − ζ²).
std::vector<double> damping_ratios(const FlexBasis& basis) {
  const int m = basis.size();
  // Time in units of the fastest period, else the companion matrix mixes scales.
  const MatrixXd M = basis.M, K = basis.K, D = basis.D;
  const double fast = frequencies(basis)[m - 1];
  MatrixXd A = MatrixXd::Zero(2 * m, 2 * m);
  A.topRightCorner(m, m).setIdentity();
  A.bottomLeftCorner(m, m) = -solve_symmetric(M, K) / (fast * fast);
  A.bottomRightCorner(m, m) = -solve_symmetric(M, D) / fast;
  std::vector<double> ratios;
  for (const auto& s : complex_eigenvalues(A))
    if (s.imag() > 0) ratios.push_back(-s.real() / std::abs(s));
  return ratios;
}

TEST(Damping, RatioIsThatOfEveryMode) {
  for (unsigned seed = 0; seed < 21; ++seed) {
    Beam beam = any_beam(seed);
    beam.damping = DampingRatio{0.02};
    const FlexBasis basis = beam_basis(beam, true, {});
    const auto ratios = damping_ratios(basis);
    EXPECT_EQ(int(ratios.size()), basis.size());
    for (double ratio : ratios) EXPECT_NEAR(ratio, 0.02, 1e-7) << seed;
    beam.damping = LossFactor{0.04};
    EXPECT_LT(difference(beam_basis(beam, true, {}), basis), 1e-15) << "a loss factor is twice a ratio";
  }
}

TEST(Damping, RayleighIsAlphaMPlusBetaK) {
  Beam beam = bar(Elements{3});
  beam.damping = RayleighDamping{0.5, 1e-4};
  const FlexBasis basis = beam_basis(beam, true, {});
  EXPECT_LT((MatrixXd(basis.D) - 0.5 * MatrixXd(basis.M) - 1e-4 * MatrixXd(basis.K)).norm(),
            1e-15 * MatrixXd(basis.D).norm());
}

TEST(Damping, WorksWhereTwistHasNoMass) {
  Beam beam = bar(Elements{2});
  beam.damping = DampingRatio{0.02};
  const FlexBasis basis = beam_basis(beam, false, {});
  EXPECT_TRUE(MatrixXd(basis.D).allFinite());
  // By rounding alone: the mode matrices of a singular M are good to some 1e-10.
  EXPECT_LT(std::abs(basis.D.coeff(3, 3)), 1e-10 * basis.K.coeff(3, 3));
  EXPECT_GT(basis.D.coeff(1, 1), 0);
}

TEST(Damping, LongElementModelsGetASparseOne) {
  Beam beam = bar(Elements{60});
  beam.damping = DampingRatio{0.02};
  const FlexBasis basis = beam_basis(beam, true, {});
  ASSERT_GT(basis.size(), most_modally_damped);
  EXPECT_LE(basis.D.nonZeros(), basis.K.nonZeros());
  const NaturalModes modes = natural_modes(basis.K, basis.M, 10);
  auto ratio = [&](int k) {
    const VectorXd phi = modes.shapes.col(k);
    return phi.dot(basis.D * phi) / (2 * modes.omega[k] * phi.dot(basis.M * phi));
  };
  EXPECT_NEAR(ratio(0), 0.02, 1e-8);
  EXPECT_NEAR(ratio(9), 0.02, 1e-8);
  for (int k = 1; k < 9; ++k) EXPECT_LT(ratio(k), 0.02 + 1e-9);
}

// ---------------------------------------------------------------------------------------------------- reduction

// By Craig and Bampton the first coordinates are the tip's own motion; of the modes only twist is an angle.
TEST(Reduction, TipRotationsAreInRadians) {
  auto turns = [](const Elements& elements) { return beam_basis(bar(elements), true, {}).turns; };
  using Bools = std::vector<bool>;
  EXPECT_EQ(turns({.count = 8, .plane = BendingPlane::y, .keep = 5}), (Bools{false, false, true, false, false}));
  EXPECT_EQ(turns({.count = 8, .keep = 6}), (Bools{false, false, false, true, true, true}));
  EXPECT_EQ(turns({.count = 8, .plane = BendingPlane::z, .keep = 3, .reduction = Reduction::eigenmodes}),
            (Bools{false, false, false}));
}

TEST(Reduction, CraigBamptonKeepsTipStaticsAndLowFrequencies) {
  for (bool tapered : {false, true}) {
    Beam beam = bar(Elements{40});
    if (tapered) beam.tip_section = Section{Rectangle{0.01, 0.015}, {}};
    const FlexBasis full = beam_basis(beam, true, {});
    beam.flexibility = Elements{.count = 40, .keep = 14};
    const FlexBasis few = beam_basis(beam, true, {});
    ASSERT_EQ(few.size(), 14);
    EXPECT_TRUE(few.tip_phi.leftCols(3).isIdentity(1e-12));
    EXPECT_TRUE(few.tip_psi.block(0, 3, 3, 3).isIdentity(1e-12));
    EXPECT_LT(few.tip_phi.rightCols(8).norm() + few.tip_psi.rightCols(8).norm(), 1e-12);
    EXPECT_EQ(few.kinds[1], Deflection::bending_y);
    EXPECT_EQ(few.kinds[4], Deflection::bending_z);
    const Vector3d force(1e4, 20, 30), moment(4, 5, 6);
    const Vector6d whole = tip_motion(full, force, moment), reduced = tip_motion(few, force, moment);
    EXPECT_LT((whole - reduced).norm(), 1e-7 * whole.norm());
    const VectorXd a = frequencies(full), b = frequencies(few);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(b[k], a[k], (k < 2 ? 1e-4 : 1e-3) * a[k]) << k;
    for (int k = 0; k < 14; ++k) EXPECT_GE(b[k], a[k] * (1 - 1e-7)) << "a reduction only stiffens";
    EXPECT_NEAR(few.mass, full.mass, 0);
  }
}

TEST(Reduction, EigenmodesKeepTheirFrequenciesExactly) {
  Beam beam = bar(Elements{.count = 20, .keep = 7, .reduction = Reduction::eigenmodes});
  const FlexBasis few = beam_basis(beam, true, {});
  beam.flexibility = Elements{20};
  const VectorXd all = frequencies(beam_basis(beam, true, {}));
  for (int k = 0; k < 7; ++k) {
    EXPECT_NEAR(std::sqrt(few.K.coeff(k, k) / few.M.coeff(k, k)), all[k], 1e-8 * all[k]);
    const double tip = few.kinds[k] == Deflection::bending_y   ? few.tip_phi(1, k)
                       : few.kinds[k] == Deflection::bending_z ? few.tip_phi(2, k)
                       : few.kinds[k] == Deflection::torsion   ? few.tip_psi(0, k)
                                                               : few.tip_phi(0, k);
    EXPECT_NEAR(tip, 1, 1e-12);
    EXPECT_EQ(few.names[k], std::to_string(k + 1));
  }
  EXPECT_EQ(few.kinds[0], Deflection::bending_y);  // 0.02 m along y, 0.03 m along z: y is softer
  EXPECT_EQ(few.kinds[1], Deflection::bending_z);
}

TEST(Reduction, RoundBeamsKeepTheirPlanesApart) {
  const Beam beam{1, soft, {Circle{0.02}, {}}, Elements{.count = 10, .keep = 4, .reduction = Reduction::eigenmodes}};
  const FlexBasis basis = beam_basis(beam, true, {});
  for (int k = 0; k < 4; ++k) EXPECT_EQ(basis.kinds[k], k % 2 == 0 ? Deflection::bending_y : Deflection::bending_z);
  EXPECT_EQ(basis.tip_phi(2, 0), 0);
}

TEST(Reduction, LongModelsReduceThroughTheSparseSolver) {
  Beam beam = bar(Elements{.count = 600, .keep = 10});
  const FlexBasis basis = beam_basis(beam, true, {});
  beam.flexibility = Modes{12, 12, 12, 12};
  const VectorXd modes = frequencies(beam_basis(beam, true, {})), found = frequencies(basis);
  // Elements shear, modes do not: a part in 10⁴ on this slender bar.
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(found[k], modes[k], 1e-3 * modes[k]);
}

// A hundred shapes of thousands of elements: the frequencies are those of the rod, (2k − 1)πc/2L.
TEST(Reduction, AHundredShapesOfThousandsOfElements) {
  Beam beam = bar(Elements{.count = 2000, .reduction = Reduction::eigenmodes});
  std::get<Elements>(beam.flexibility).keep = 120;
  const FlexBasis basis = beam_basis(beam, true, {});
  ASSERT_EQ(basis.size(), 120);
  const MatrixXd K = basis.K, M = basis.M;
  const double c = std::sqrt(beam.material.E / beam.material.density);
  int n_axial = 0;
  double before = 0;
  for (int k = 0; k < basis.size(); ++k) {
    const double omega = std::sqrt(K(k, k) / M(k, k));
    EXPECT_GE(omega, before * (1 - 1e-6)) << k;
    before = omega;
    if (basis.kinds[k] != Deflection::axial) continue;
    ++n_axial;
    const double exact = (2 * n_axial - 1) * std::numbers::pi * c / (2 * beam.length);
    EXPECT_NEAR(omega, exact, 1e-4 * exact) << n_axial;
  }
  EXPECT_GT(n_axial, 10);
  // Coordinates that are modes do not couple.
  const VectorXd scale = M.diagonal().cwiseSqrt().cwiseInverse();
  EXPECT_LT((scale.asDiagonal() * M * scale.asDiagonal() - MatrixXd::Identity(120, 120)).cwiseAbs().maxCoeff(), 1e-5);
}

}  // namespace
}  // namespace lithe
