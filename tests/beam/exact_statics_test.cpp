// Large deflections of one clamped exact link under loads on its tip: closed forms, an experiment's beam, and benchmarks of the literature.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "closed_form/elastica.h"
#include "lithe/beam/exact/exact_link_impl.h"
#include "support/dual.h"
#include "support/exact_links.h"

namespace lithe::testing {
namespace {

using closed_form::Elastica;

SectionMatter stiff_by(const Vector3d& bending, const Vector3d& stretch = Vector3d::Ones()) {
  SectionMatter section;
  section.mass = 1;
  section.bending = bending;
  section.stretch = stretch;
  return section;
}

struct Equilibrium {
  VectorXd delta;
  Vector3d p_T;
  Matrix3d R_T;
};

/// K δ = Φᵀ F by Newton's method, with tangents by duals and the load in steps; the load keeps its direction in space.
struct Clamped {
  const StrainBasis& basis;

  template <class S>
  Eigen::VectorX<S> residual(ExactLink<S>& link, const Eigen::VectorX<S>& delta, const Vector3d& force,
                             const Vector3d& moment) const {
    link.place(delta.data());
    Eigen::VectorX<S> r = basis.K.template cast<S>() * delta;
    for (int k = 0; k < basis.size(); ++k)
      r[k] -= vector_of(link.tip().slide[k]).dot(force.template cast<S>()) +
              vector_of(link.tip().turn[k]).dot(moment.template cast<S>());
    return r;
  }
  MatrixXd tangent(const VectorXd& delta, const Vector3d& force, const Vector3d& moment) const {
    const int m = basis.size();
    ExactLink<Dual> link(basis);
    MatrixXd T(m, m);
    for (int k = 0; k < m; ++k) {
      DualVector along = delta.cast<Dual>();
      along[k].slope = 1;
      const DualVector r = residual<Dual>(link, along, force, moment);
      for (int i = 0; i < m; ++i) T(i, k) = r[i].slope;
    }
    return T;
  }
  Equilibrium under(const Vector3d& force, const Vector3d& moment = Vector3d::Zero(), int steps = 4) const {
    ExactLink<double> link(basis);
    VectorXd delta = VectorXd::Zero(basis.size());
    for (int step = 1; step <= steps; ++step) {
      const Vector3d F = force * step / steps, M = moment * step / steps;
      double change = 1;
      for (int i = 0; i < 40 && change > 1e-13; ++i) {
        const VectorXd d = tangent(delta, F, M).partialPivLu().solve(residual<double>(link, delta, F, M));
        delta -= d;
        change = d.norm();
      }
      EXPECT_LT(change, 1e-11) << "no equilibrium at step " << step;
    }
    link.place(delta.data());
    return {delta, vector_of(link.tip().p), matrix_of(link.tip().R)};
  }
};

double largest_error(const Equilibrium& bent, const Elastica& exact) {
  return std::max({std::abs(std::atan2(bent.R_T(1, 0), bent.R_T(0, 0)) - exact.angle), std::abs(bent.p_T.x() - exact.x),
                   std::abs(bent.p_T.y() - exact.y)});
}
Equilibrium plane(int n, const Vector3d& force, const Vector3d& moment, int points = 0, int pieces = 1) {
  Strains terms = strains(n, 0, 0);
  terms.points = points;
  terms.pieces = pieces;
  const StrainBasis basis(uniform(1, stiff_by({1, 1, 1})), terms);
  return Clamped{basis}.under(force, moment);
}

// Each number of terms with its error, at loads up to twenty times EI/L², whose linear deflection is 6.7 times the length.
TEST(ExactLinkStatics, BendsAsTheElasticaDoes) {
  struct Row {
    double alpha, n2, n3, n4, n6, n8;
  };
  for (const Row& row : {Row{0.5, 7e-6, 6e-8, 8e-9, 1e-13, 1e-13}, Row{1, 9e-5, 8e-7, 3e-7, 1e-11, 1e-13},
                         Row{2, 1.2e-3, 1e-5, 3e-6, 2e-9, 1e-12}, Row{5, 1.3e-2, 3e-4, 2e-5, 2e-7, 1e-10},
                         Row{10, 4e-2, 2e-3, 2e-5, 2e-6, 1e-8}}) {
    const Elastica exact = closed_form::elastica_under_force(row.alpha);
    const auto error = [&](int n) { return largest_error(plane(n, {0, row.alpha, 0}, Vector3d::Zero()), exact); };
    EXPECT_LT(error(2), row.n2) << row.alpha;
    EXPECT_LT(error(3), row.n3) << row.alpha;
    EXPECT_LT(error(4), row.n4) << row.alpha;
    EXPECT_LT(error(6), row.n6) << row.alpha;
    EXPECT_LT(error(8), row.n8) << row.alpha;
    EXPECT_GT(error(2), row.n2 / 3) << "the bound must be that of two terms";
  }
  const Elastica far = closed_form::elastica_under_force(20);
  EXPECT_NEAR(far.angle, 1.53293496, 5e-9);  // as published values have it
  EXPECT_NEAR(far.x, 0.31611443, 5e-9);
  EXPECT_NEAR(far.y, 0.86869590, 5e-9);
  EXPECT_LT(largest_error(plane(10, {0, 20, 0}, Vector3d::Zero()), far), 1e-10);
}

// One term holds the curvature; the rest is the quadrature of places. At 2π the link is a full circle.
TEST(ExactLinkStatics, RollsUpUnderAMoment) {
  using std::numbers::pi;
  for (const auto& [mu, points, error] :
       {std::tuple{pi / 2, 3, 1e-5}, {pi, 6, 1e-8}, {2 * pi, 6, 1e-6}, {2 * pi, 12, 1e-13}}) {
    const Equilibrium bent = plane(1, Vector3d::Zero(), {0, 0, mu}, points);
    const Elastica exact = closed_form::elastica_under_moment(mu);
    EXPECT_NEAR(bent.delta[0], mu, 1e-13);
    EXPECT_NEAR(bent.p_T.x(), exact.x, error);
    EXPECT_NEAR(bent.p_T.y(), exact.y, error);
  }
}

// Pieces of few terms converge with the power of their number that the terms have.
TEST(ExactLinkStatics, BendsAsTheElasticaDoesInPieces) {
  for (const double alpha : {2.0, 10.0}) {
    const Elastica exact = closed_form::elastica_under_force(alpha);
    for (const int n : {2, 3}) {
      const auto error = [&](int pieces) {
        return largest_error(plane(n, {0, alpha, 0}, Vector3d::Zero(), 0, pieces), exact);
      };
      const double order = std::log2(error(4) / error(8));
      EXPECT_GT(order, 2 * n - 0.7) << alpha << ", " << n;
      EXPECT_LT(order, 2 * n + 1.3) << alpha << ", " << n;
    }
    EXPECT_LT(largest_error(plane(3, {0, alpha, 0}, Vector3d::Zero(), 0, 8), exact), 1e-6);
  }
}

// Two full turns, each piece an arc of a sixth of a turn.
TEST(ExactLinkStatics, RollsUpInPieces) {
  const double turn = 4 * std::numbers::pi;
  const Equilibrium bent = plane(1, Vector3d::Zero(), {0, 0, turn}, 8, 12);
  for (const double delta : bent.delta) EXPECT_NEAR(delta, turn / 12, 1e-12);
  EXPECT_NEAR(bent.p_T.x(), 0, 1e-12);
  EXPECT_NEAR(bent.p_T.y(), 0, 1e-12);
  EXPECT_NEAR((bent.R_T - Matrix3d::Identity()).norm(), 0, 1e-11);
}

// The same cantilever in space, bent in a plane across the section's axes.
TEST(ExactLinkStatics, BendsInAnyPlaneAlike) {
  const StrainBasis basis(uniform(1, stiff_by({0.7, 1, 1})), strains(6, 6, 1));
  const Elastica exact = closed_form::elastica_under_force(5);
  const Vector3d across(0, std::cos(0.7), std::sin(0.7));
  const Equilibrium bent = Clamped{basis}.under(5 * across);
  EXPECT_NEAR(bent.p_T.x(), exact.x, 2e-7);
  EXPECT_NEAR(bent.p_T.dot(across), exact.y, 2e-7);
  EXPECT_NEAR(bent.p_T.cross(across).x(), 0, 1e-12);
}

// Geometric stiffness comes from the load on the moving tip alone: K + P ∂²p_x/∂δ² is singular at Euler's load.
TEST(ExactLinkStatics, BucklesAtEulersLoad) {
  const double euler = std::numbers::pi * std::numbers::pi / 4;
  for (const auto& [n, excess] : {std::pair{2, 7.6e-3}, {3, 1.5e-4}, {4, 1.5e-6}}) {
    const StrainBasis basis(uniform(1, stiff_by({1, 1, 1})), strains(n, 0, 0));
    const Clamped column{basis};
    const VectorXd straight = VectorXd::Zero(n);
    const auto least = [&](double load) {
      return column.tangent(straight, {-load, 0, 0}, Vector3d::Zero()).eigenvalues().real().minCoeff();
    };
    double low = euler, high = 1.02 * euler;
    EXPECT_GT(least(low), 0);  // Rayleigh and Ritz: stiffer than the truth
    for (int i = 0; i < 60; ++i) (least((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    EXPECT_LT(low / euler - 1, excess) << n;
    EXPECT_GT(low / euler - 1, excess / 3) << n;
  }
}

// E. H. Dowell, J. Traybar, Princeton AMS reports 1194 and 1257 (1975); data of O. A. Bauchau et al., Multibody Syst. Dyn. 37 (2016). Values [mm]
// by an independent program (six Legendre terms, order 6), printed to 1e-4.
struct PrincetonRow {
  double load;
  bool shears;
  std::array<double, 7> u_y, u_z;
};
const PrincetonRow princeton[] = {{4.448,
                                   false,
                                   {5.3561, 5.2092, 4.7558, 3.9750, 2.8731, 1.5101, 0},
                                   {0, 20.8078, 39.9588, 56.0621, 68.1302, 75.5671, 78.0753}},
                                  {8.896,
                                   false,
                                   {10.7086, 10.6396, 10.2040, 8.9763, 6.7400, 3.6209, 0},
                                   {0, 42.1914, 79.5454, 109.1104, 129.9546, 142.2146, 146.2487}},
                                  {8.896,
                                   true,
                                   {10.7136, 10.6444, 10.2083, 8.9798, 6.7425, 3.6222, 0},
                                   {0, 42.1927, 79.5478, 109.1136, 129.9585, 142.2188, 146.2530}},
                                  {13.345,
                                   false,
                                   {16.0549, 16.5716, 16.9844, 15.6168, 11.9605, 6.4688, 0},
                                   {0, 64.7327, 118.1767, 156.7708, 181.9993, 196.1338, 200.6789}},
                                  {13.345,
                                   true,
                                   {16.0624, 16.5789, 16.9909, 15.6220, 11.9641, 6.4706, 0},
                                   {0, 64.7345, 118.1801, 156.7753, 182.0046, 196.1396, 200.6848}}};

StrainBasis princeton_beam(int n, int points, int order, bool shears, double torsion) {
  const double h = 12.3777e-3, b = 3.2024e-3, E = 71.7e9, G = E / (2 * 1.31), L = 0.508;
  const double stiff = b * h * h * h / 12, soft = h * b * b * b / 12, kGA = 5.0 / 6 * G * b * h;
  Strains terms = shears ? strains(n, n, n, 3, 3, 3) : strains(n, n, n);
  terms.points = points;
  terms.order = order;
  return StrainBasis(uniform(L, stiff_by({torsion * G * (stiff + soft), E * soft, E * stiff}, {E * b * h, kGA, kGA})),
                     terms);
}
Vector3d princeton_load(double force, int degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  return force * Vector3d(0, std::cos(angle), std::sin(angle));
}

TEST(ExactLinkStatics, PrincetonBeam) {
  for (const PrincetonRow& row : princeton) {
    const StrainBasis fine = princeton_beam(6, 9, 6, row.shears, 0.198);
    const StrainBasis quick = princeton_beam(4, 6, 4, row.shears, 0.198);
    for (int i = 0; i < 7; ++i) {
      const Vector3d force = princeton_load(row.load, 15 * i);
      const Vector3d p = 1e3 * Clamped{fine}.under(force).p_T, near = 1e3 * Clamped{quick}.under(force).p_T;
      EXPECT_NEAR(p.y(), row.u_y[i], 6e-5) << row.load << " N, " << 15 * i << "°";
      EXPECT_NEAR(p.z(), row.u_z[i], 6e-5) << row.load << " N, " << 15 * i << "°";
      EXPECT_LT((p - near).norm(), 3e-3);  // with four terms and order 4
    }
  }
}

// L. Obrezkov et al., Nonlinear Dynamics 109 (2022): tips of ANSYS's beams. Its torsion constant is another one: 0.217 (I_y + I_z) gives the
// table.
TEST(ExactLinkStatics, PrincetonBeamAgainstAnsys) {
  struct Row {
    double load;
    std::array<double, 7> u_y, u_z;
  };
  for (const Row& row : {Row{8.896,
                             {10.7142, 10.6133, 10.1117, 8.8372, 6.6047, 3.5389, 0},
                             {0, 42.0823, 79.3948, 108.9879, 129.8876, 142.1944, 146.2460}},
                         Row{13.345,
                             {16.0642, 16.4583, 16.6587, 15.1862, 11.5784, 6.2490, 0},
                             {0, 64.3581, 117.7360, 156.4672, 181.8616, 196.0971, 200.6777}}}) {
    const StrainBasis beam = princeton_beam(4, 6, 4, true, 0.217);
    for (int i = 0; i < 7; ++i) {
      const Vector3d p = 1e3 * Clamped{beam}.under(princeton_load(row.load, 15 * i)).p_T;
      EXPECT_NEAR(p.y(), row.u_y[i], 0.006);
      EXPECT_NEAR(p.z(), row.u_z[i], 0.013);
    }
  }
}

// M. Géradin, A. Cardona, Flexible Multibody Dynamics (2001): a cantilever that stretches and shears, 600 kN on its tip. Published −0.596, −2.159,
// 0.6720; all digits from finite elements in absolute coordinates.
TEST(ExactLinkStatics, ShearingCantileverOfGeradinAndCardona) {
  const auto bent = [](int n) {
    Strains terms = strains(0, n, 0, n, 0, n);
    terms.points = n + 3;
    const StrainBasis basis(uniform(5, stiff_by({1, 9.346e6, 9.346e6}, {4.8e8, 3.231e8, 3.231e8})), terms);
    return Clamped{basis}.under({0, 0, -6e5});
  };
  const Equilibrium fine = bent(8), quick = bent(3);
  EXPECT_NEAR(fine.p_T.x() - 5, -0.596471272, 2e-9);
  EXPECT_NEAR(fine.p_T.z(), -2.159693894, 2e-9);
  EXPECT_NEAR(std::atan2(-fine.R_T(2, 0), fine.R_T(0, 0)), 0.672006064, 2e-9);
  EXPECT_LT((quick.p_T - fine.p_T).norm(), 1e-4);
}

// K. J. Bathe, S. Bolourchi, IJNME 14 (1979): a bend of 45° and 100 in, loaded across its plane. Values [in] of an independent program.
TEST(ExactLinkStatics, InitiallyCurvedBendOfBatheAndBolourchi) {
  for (const auto& [load, expected] :
       {std::pair{300.0, Vector3d(7.0443, -11.9310, 40.1883)}, {600.0, Vector3d(13.6042, -23.5594, 53.4686)}}) {
    Strains terms = strains(6, 6, 6);
    terms.points = 10;
    terms.order = 6;
    terms.initial_curvature = {0, 0, -0.01};
    const StrainBasis basis(uniform(25 * std::numbers::pi, stiff_by({5e6 / 6, 1e7 / 12, 1e7 / 12})), terms);
    const Clamped bend{basis};
    const Vector3d u = bend.under({0, 0, load}, Vector3d::Zero(), 6).p_T - bend.under(Vector3d::Zero()).p_T;
    EXPECT_NEAR(u.y(), expected[0], 1.5e-4);
    EXPECT_NEAR(u.x(), expected[1], 1.5e-4);
    EXPECT_NEAR(u.z(), expected[2], 1.5e-4);
  }
}

}  // namespace
}  // namespace lithe::testing
