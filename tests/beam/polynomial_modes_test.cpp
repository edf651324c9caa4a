// Assumed modes of polynomial shape, against monomials orthogonalised and integrated in closed form.
#include <gtest/gtest.h>

#include "lithe/beam/beam_basis.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe {
namespace {

const Material material{"", 70e9, 0.33, 2700, {}};
const Beam beam_of(Modes modes) { return {1.3, material, {Rectangle{0.02, 0.03}, {}}, modes}; }

/// A polynomial in ξ = x/L by its coefficients, lowest first.
struct Polynomial {
  std::vector<long double> c;
  long double operator()(long double x) const {
    long double sum = 0;
    for (size_t i = c.size(); i-- > 0;) sum = sum * x + c[i];
    return sum;
  }
  Polynomial derivative() const {
    Polynomial d;
    for (size_t i = 1; i < c.size(); ++i) d.c.push_back((long double)i * c[i]);
    if (d.c.empty()) d.c = {0};
    return d;
  }
};
Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial product{std::vector<long double>(a.c.size() + b.c.size() - 1, 0)};
  for (size_t i = 0; i < a.c.size(); ++i)
    for (size_t j = 0; j < b.c.size(); ++j) product.c[i + j] += a.c[i] * b.c[j];
  return product;
}
long double integral(const Polynomial& p) {
  long double sum = 0;
  for (size_t i = 0; i < p.c.size(); ++i) sum += p.c[i] / (long double)(i + 1);
  return sum;
}
const Polynomial x_itself{{0, 1}};

/// Gram–Schmidt on x^p, x^(p+1), …, each one at the tip.
std::vector<Polynomial> gram_schmidt(int count, int p) {
  std::vector<Polynomial> shapes;
  for (int k = 0; k < count; ++k) {
    Polynomial shape{std::vector<long double>(p + k + 1, 0)};
    shape.c.back() = 1;
    for (int repeat = 0; repeat < 2; ++repeat)
      for (const Polynomial& earlier : shapes) {
        const long double share = integral(shape * earlier) / integral(earlier * earlier);
        for (size_t i = 0; i < earlier.c.size(); ++i) shape.c[i] -= share * earlier.c[i];
      }
    const long double tip = shape(1);
    for (long double& c : shape.c) c /= tip;
    shapes.push_back(shape);
  }
  return shapes;
}

void expect_close(double value, long double expected, double scale) {
  EXPECT_NEAR(value, double(expected), 1e-11 * scale);
}

// Every constant of a basis with shapes of all kinds. A fifth of the tolerance is the monomials' own rounding.
TEST(PolynomialModes, ConstantsAreThoseOfOrthogonalisedMonomials) {
  constexpr int n = 4;
  const Beam beam = beam_of({n, n, n, n});
  const FlexBasis basis = beam_basis(beam, true, {});
  ASSERT_EQ(basis.size(), 4 * n);
  const double L = beam.length, A = 0.02 * 0.03, Iy = 0.02 * std::pow(0.03, 3) / 12, Iz = 0.03 * std::pow(0.02, 3) / 12;
  const double mu = material.density * A, E = material.E, rho = material.density;
  const double GJ = basis.stations.bending[0][0];
  const auto bend = gram_schmidt(n, 2), stretch = gram_schmidt(n, 1);
  const MatrixXd M = basis.M, K = basis.K;
  const MatrixXd Pyy = basis.P[4], Pzz = basis.P[8], Pyz = basis.P[5], Pzy = basis.P[7], Pxx = basis.P[0],
                 Pxy = basis.P[1];

  EXPECT_DOUBLE_EQ(basis.mass, mu * L);
  EXPECT_NEAR(basis.s0.x(), mu * L * L / 2, 1e-14);
  EXPECT_NEAR(basis.Sigma0(0, 0), mu * L * L * L / 3, 1e-14);
  EXPECT_TRUE(basis.j0.isApprox(Matrix3d(rho * L * Vector3d(Iy + Iz, Iy, Iz).asDiagonal()), 1e-13));

  for (int k = 0; k < n; ++k) {
    const int y = k, z = n + k, t = 2 * n + k, a = 3 * n + k;
    const Polynomial db = bend[k].derivative();
    expect_close(basis.S(1, y), mu * L * integral(bend[k]), mu * L);
    expect_close(basis.S(2, z), mu * L * integral(bend[k]), mu * L);
    expect_close(basis.S(0, a), mu * L * integral(stretch[k]), mu * L);
    EXPECT_EQ(basis.S.col(t).norm(), 0);
    expect_close(basis.P0[0](1, y), mu * L * L * integral(bend[k] * x_itself), mu * L * L);
    expect_close(basis.P0[0](2, z), mu * L * L * integral(bend[k] * x_itself), mu * L * L);
    expect_close(basis.P0[0](0, a), mu * L * L * integral(stretch[k] * x_itself), mu * L * L);
    expect_close(basis.H(2, y), rho * Iz * integral(db), rho * Iz);
    expect_close(basis.H(1, z), -rho * Iy * integral(db), rho * Iy);
    expect_close(basis.H(0, t), rho * (Iy + Iz) * L * integral(stretch[k]), rho * Iy * L);
    EXPECT_NEAR(basis.tip_phi(1, y), 1, 1e-13);
    EXPECT_NEAR(basis.tip_phi(2, z), 1, 1e-13);
    EXPECT_NEAR(basis.tip_psi(0, t), 1, 1e-13);
    EXPECT_NEAR(basis.tip_phi(0, a), 1, 1e-13);
    EXPECT_NEAR(basis.tip_psi(2, y), double(db(1)) / L, 1e-11);
    EXPECT_NEAR(basis.tip_psi(1, z), -double(db(1)) / L, 1e-11);
    for (int l = 0; l < n; ++l) {
      const Polynomial dl = bend[l].derivative();
      const long double bb = integral(bend[k] * bend[l]), slopes = integral(db * dl),
                        curvatures = integral(db.derivative() * dl.derivative()),
                        ss = integral(stretch[k] * stretch[l]),
                        strains = integral(stretch[k].derivative() * stretch[l].derivative());
      expect_close(Pyy(y, l), mu * L * bb, mu * L);
      expect_close(Pzz(z, n + l), mu * L * bb, mu * L);
      expect_close(Pyz(y, n + l), mu * L * bb, mu * L);
      expect_close(Pzy(n + l, y), mu * L * bb, mu * L);
      expect_close(Pxx(a, 3 * n + l), mu * L * ss, mu * L);
      expect_close(Pxy(a, l), mu * L * integral(stretch[k] * bend[l]), mu * L);
      expect_close(M(y, l), mu * L * bb + rho * Iz / L * slopes, mu * L);
      expect_close(M(z, n + l), mu * L * bb + rho * Iy / L * slopes, mu * L);
      expect_close(M(t, 2 * n + l), rho * (Iy + Iz) * L * ss, rho * Iy * L);
      expect_close(M(a, 3 * n + l), mu * L * ss, mu * L);
      expect_close(K(y, l), E * Iz / (L * L * L) * curvatures, 1e3 * E * Iz);
      expect_close(K(z, n + l), E * Iy / (L * L * L) * curvatures, 1e3 * E * Iy);
      expect_close(K(t, 2 * n + l), GJ / L * strains, 1e2 * GJ);
      expect_close(K(a, 3 * n + l), E * A / L * strains, 1e2 * E * A);
      // Shapes of different kinds share neither mass nor stiffness.
      for (int other : {n + l, 2 * n + l, 3 * n + l}) EXPECT_EQ(std::abs(M(y, other)) + std::abs(K(y, other)), 0);
    }
  }
}

TEST(PolynomialModes, StayOrthogonalAndFiniteForManyShapes) {
  const int n = 40;
  const FlexBasis basis = beam_basis(beam_of({.bending_y = n, .torsion = n}), false, {});
  const MatrixXd P = MatrixXd(basis.P[4]).topLeftCorner(n, n);
  const VectorXd scale = P.diagonal().cwiseSqrt();
  const MatrixXd cosines = scale.cwiseInverse().asDiagonal() * P * scale.cwiseInverse().asDiagonal();
  EXPECT_LT((cosines - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((basis.tip_phi.row(1).head(n).array() - 1).abs().maxCoeff(), 1e-12);
}

// The first clamped-free frequencies come out of enough polynomials: β = 1.8751…, 4.6940….
TEST(PolynomialModes, ManyShapesHoldTheBeamsFrequencies) {
  const int n = 20;
  const Beam beam = beam_of({.bending_z = n});
  const FlexBasis basis = beam_basis(beam, false, {});
  const VectorXd lambda = symmetric_modes(MatrixXd(basis.K), MatrixXd(basis.M)).values;
  const double A = 0.02 * 0.03, Iy = 0.02 * std::pow(0.03, 3) / 12;
  const double unit = material.E * Iy / (material.density * A * std::pow(beam.length, 4));
  const double beta[] = {1.8751040687119611, 4.6940911329741746, 7.8547574382376126};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(std::pow(lambda[k] / unit, 0.25), beta[k], 1e-9 * beta[k]);
}

TEST(PolynomialModes, NamesKindsAndStations) {
  const FlexBasis basis = beam_basis(beam_of({1, 1, 1, 1}), true, {});
  EXPECT_EQ(basis.names, (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(basis.kinds, (std::vector<Deflection>{Deflection::bending_y, Deflection::bending_z, Deflection::torsion,
                                                  Deflection::axial}));
  const Stations& s = basis.stations;
  ASSERT_EQ(s.x.size(), 21u);
  const double L = 1.3, x = s.x[7];
  const MatrixXd phi = s.phi, psi = s.psi, strain = s.strain, curvature = s.curvature;
  EXPECT_NEAR(phi(22, 0), x * x / (L * L), 1e-14);
  EXPECT_NEAR(psi(23, 0), 2 * x / (L * L), 1e-14);
  EXPECT_NEAR(curvature(23, 0), 2 / (L * L), 1e-14);
  EXPECT_NEAR(phi(23, 1), x * x / (L * L), 1e-14);
  EXPECT_NEAR(psi(22, 1), -2 * x / (L * L), 1e-14);
  EXPECT_NEAR(curvature(22, 1), -2 / (L * L), 1e-14);
  EXPECT_NEAR(psi(21, 2), x / L, 1e-14);
  EXPECT_NEAR(curvature(21, 2), 1 / L, 1e-14);
  EXPECT_NEAR(phi(21, 3), x / L, 1e-14);
  EXPECT_NEAR(strain(21, 3), 1 / L, 1e-14);
}

}  // namespace
}  // namespace lithe
