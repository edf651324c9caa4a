// Timoshenko elements: constants, naganathan86's Table I, exactness, locking, orders of convergence, tapered and stepped beams.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "beam/sample_beams.h"
#include "closed_form/quadrature.h"
#include "lithe/beam/beam_elements.h"
#include "lithe/describe/bodies.h"

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;

/// A stubby bar: shear and rotary inertia matter.
Beam stubby(Flexibility flexibility) { return {0.5, soft, {Rectangle{0.1, 0.2}, {}}, flexibility}; }

/// Deflection and rotation of a uniform Timoshenko beam under end loads: w = a₀ + a₁x + a₂x² + a₃x³, θ = w′ + 6a₃EI/GA
/// (from EIθ″ + GA(w′ − θ) = 0), fitted to (w₁, θ₁, w₂, θ₂). The element writes the same as shape functions.
struct EndLoaded {
  double EI, GA, l;
  Eigen::Vector4d a;
  EndLoaded(double EI_, double GA_, double l_, const Eigen::Vector4d& ends) : EI(EI_), GA(GA_), l(l_) {
    Eigen::Matrix4d A;
    A << 1, 0, 0, 0, 0, 1, 0, 6 * EI / GA, 1, l, l * l, l * l * l, 0, 1, 2 * l, 3 * l * l + 6 * EI / GA;
    a = A.fullPivLu().solve(ends);
  }
  double w(double x) const { return a[0] + x * (a[1] + x * (a[2] + x * a[3])); }
  double slope(double x) const { return a[1] + x * (2 * a[2] + x * 3 * a[3]); }
  double theta(double x) const { return slope(x) + 6 * a[3] * EI / GA; }
  double curvature(double x) const { return 2 * a[2] + 6 * a[3] * x; }
};

/// u, θ, [strain; curvature] of coordinate k of a beam of equal elements, evaluated without the library.
struct NodalField {
  ElementKind kind;
  double L, EIy, EIz, GAy, GAz;
  int n;
  Eigen::Matrix<double, 12, 1> at(int k, double x) const {
    const double l = L / n;
    const int node = k / 6 + 1, c = k % 6, element = std::min(n - 1, int(x / l)), end = node - element;
    Eigen::Matrix<double, 12, 1> result = Eigen::Matrix<double, 12, 1>::Zero();
    if (end != 0 && end != 1) return result;
    const double s = x - element * l, N = end == 0 ? 1 - s / l : s / l, dN = end == 0 ? -1 / l : 1 / l;
    if (c == 0) result[0] = N, result[6] = dN;
    if (c == 3) result[3] = N, result[9] = dN;
    if (c == 0 || c == 3) return result;
    const bool along_y = c == 1 || c == 5;
    const double sign = along_y ? 1 : -1;  // θ_y = −slope
    Eigen::Vector4d ends = Eigen::Vector4d::Zero();
    ends[2 * end + (c > 3 ? 1 : 0)] = c > 3 ? sign : 1;
    double w, theta, shear, curvature;
    if (kind == ElementKind::linear) {
      w = ends[2 * end] * N;
      theta = ends[2 * end + 1] * N;
      shear = ends[2 * end] * dN - theta;
      curvature = ends[2 * end + 1] * dN;
    } else {
      const EndLoaded beam(along_y ? EIz : EIy, along_y ? GAy : GAz, l, ends);
      w = beam.w(s), theta = beam.theta(s), shear = beam.slope(s) - theta, curvature = beam.curvature(s);
    }
    const int u = along_y ? 1 : 2, r = along_y ? 5 : 4;
    result[u] = w;
    result[r] = sign * theta;
    result[6 + u] = shear;
    result[6 + r] = sign * curvature;
    return result;
  }
};

class ElementConstants : public ::testing::TestWithParam<ElementKind> {};

TEST_P(ElementConstants, AreTheIntegralsOfTheNodalFields) {
  const int n = 3;
  const Beam beam = stubby(Elements{n, GetParam(), Integration::full});
  const FlexBasis basis = beam_basis(beam, true, {});
  ASSERT_EQ(basis.size(), 6 * n);
  const double L = beam.length, b = 0.1, h = 0.2, A = b * h, Iy = b * h * h * h / 12, Iz = h * b * b * b / 12,
               E = soft.E;
  const Vector3d stretch = basis.stations.stiffness[0], bending = basis.stations.bending[0];
  EXPECT_NEAR(stretch[0], E * A, 1);
  EXPECT_NEAR(bending[1], E * Iy, 1e-3);
  const NodalField field{GetParam(), L, E * Iy, E * Iz, stretch[1], stretch[2], n};
  const double mu = soft.density * A;
  const Vector3d j = soft.density * Vector3d(Iy + Iz, Iy, Iz);
  auto over = [&](const auto& f) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += closed_form::integral(L * i / n, L * (i + 1) / n, f);
    return sum;
  };
  const double close = 1e-12;
  EXPECT_NEAR(basis.mass, mu * L, close);
  EXPECT_NEAR(basis.s0.x(), mu * L * L / 2, close);
  EXPECT_NEAR(basis.Sigma0(0, 0), mu * L * L * L / 3, close);
  const MatrixXd M = basis.M, K = basis.K;
  for (int k = 0; k < basis.size(); ++k) {
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(basis.S(a, k), over([&](double x) { return mu * field.at(k, x)[a]; }), close * mu);
      EXPECT_NEAR(basis.H(a, k), over([&](double x) { return j[a] * field.at(k, x)[3 + a]; }), close * mu);
      EXPECT_NEAR(basis.P0[0](a, k), over([&](double x) { return mu * x * field.at(k, x)[a]; }), close * mu);
      EXPECT_EQ(basis.P0[1](a, k) + basis.P0[2](a, k), 0);
    }
    for (int l = 0; l < basis.size(); ++l) {
      double trace = 0;
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c) {
          const double P = over([&](double x) { return mu * field.at(k, x)[a] * field.at(l, x)[c]; });
          EXPECT_NEAR(basis.P[3 * a + c].coeff(k, l), P, close * mu);
          if (a == c) trace += P;
        }
      auto rotary = [&](double x) {
        return field.at(k, x).segment<3>(3).dot(j.asDiagonal() * field.at(l, x).segment<3>(3));
      };
      EXPECT_NEAR(M(k, l), trace + over(rotary), close * mu);
      auto energy = [&](double x) {
        return field.at(k, x).segment<3>(6).dot(stretch.asDiagonal() * field.at(l, x).segment<3>(6)) +
               field.at(k, x).tail<3>().dot(bending.asDiagonal() * field.at(l, x).tail<3>());
      };
      EXPECT_NEAR(K(k, l), over(energy), close * E * A / L * n * 10);
    }
  }
  EXPECT_TRUE(basis.tip_phi.rightCols(6).leftCols(3).isIdentity(1e-15));
  EXPECT_TRUE(basis.tip_psi.rightCols(3).isIdentity(1e-15));
  EXPECT_EQ(basis.tip_coordinates, (std::vector<int>{12, 13, 14, 15, 16, 17}));
  EXPECT_EQ(basis.names[0], "n1.ux");
  EXPECT_EQ(basis.names[17], "n3.rz");
  // Stations give the same field back.
  const Stations& s = basis.stations;
  ASSERT_GE(s.x.size(), 20u);
  for (size_t i = 0; i + 1 < s.x.size(); ++i)
    for (int k = 0; k < basis.size(); ++k) {
      const auto expected = field.at(k, s.x[i] + 1e-13);
      for (int a = 0; a < 3; ++a) {
        EXPECT_NEAR(s.phi.coeff(3 * int(i) + a, k), expected[a], 1e-10);
        EXPECT_NEAR(s.psi.coeff(3 * int(i) + a, k), expected[3 + a], 1e-9);
        EXPECT_NEAR(s.curvature.coeff(3 * int(i) + a, k), expected[9 + a], 1e-8);
        if (GetParam() == ElementKind::exact) {
          EXPECT_NEAR(s.strain.coeff(3 * int(i) + a, k), expected[6 + a], 1e-9);
        }
      }
    }
}
INSTANTIATE_TEST_SUITE_P(Kinds, ElementConstants, ::testing::Values(ElementKind::linear, ElementKind::exact));

/// First frequency of a beam on two supports that hold deflection only, from the matrices without supports.
double simply_supported(const Beam& beam, const Elements& elements) {
  const FreeBeam free = free_beam(beam, elements, true);
  std::vector<int> kept;
  const std::string last = "n" + std::to_string(elements.count) + ".uy";
  for (int k = 0; k < int(free.names.size()); ++k) {
    const std::string& name = free.names[k];
    if (name.ends_with(".ux") || name == "n0.uy" || name == last) continue;
    kept.push_back(k);
  }
  return frequencies(submatrix(free.K, kept, kept), submatrix(free.M, kept, kept))[0];
}

TEST(ElementBeams, NaganathanTableOne) {
  std::ifstream stream(std::string(LITHE_SOURCE_DIR) + "/tests/reference/naganathan86_table1.json");
  const auto table = nlohmann::json::parse(stream);
  int entries = 0;
  for (int column = 0; column < 5; ++column) {
    const double ratio = table["aspect_ratios"][column], L = 1, r = 2 * ratio * L;
    const Material material{"", 1, 0.3, 1, {}};
    const double unit = std::sqrt(material.density * 4 / (material.E * r * r)) * L * L;  // √(ρA/EI) L²
    for (const auto& [word, integration] : {std::pair{"full", Integration::full}, {"reduced", Integration::reduced}})
      for (int n : {2, 5, 10, 20}) {
        const Elements elements{n, ElementKind::linear, integration, BendingPlane::y};
        const Beam beam{L, material, {Circle{2 * r}, 0.8864}, elements};
        const double printed = table[word][std::to_string(n)][column];
        // One in the last of three decimals, and its rounding.
        EXPECT_NEAR(unit * simply_supported(beam, elements), printed, 1.5e-3) << word << " " << n << " " << ratio;
        ++entries;
      }
    // Eq. 3.1, corrected: e R⁴λ⁴ − [(1 + e)R²π² + 1]λ² + π⁴ = 0, and what many exact elements say.
    const double e = 2.6 / 0.8864, R2 = ratio * ratio, p2 = pi * pi, middle = (1 + e) * R2 * p2 + 1;
    const double lambda2 = 2 * p2 * p2 / (middle + std::sqrt(middle * middle - 4 * e * R2 * R2 * p2 * p2));
    EXPECT_NEAR(std::sqrt(lambda2), double(table["analytical"][column]), 1.5e-3);
    const Elements fine{200, ElementKind::exact, {}, BendingPlane::y};
    const Beam beam{L, material, {Circle{2 * r}, 0.8864}, fine};
    EXPECT_NEAR(unit * simply_supported(beam, fine), std::sqrt(lambda2), 2e-4);
  }
  EXPECT_EQ(entries, 40);
}

TEST(ElementBeams, TipLoadsAreExactForTheExactElement) {
  const Vector3d force(3e5, 2e5, -1e5), moment(4e4, 5e4, -6e4);
  for (int n : {1, 2, 7}) {
    const FlexBasis basis = beam_basis(stubby(Elements{n}), true, {});
    const Vector3d stretch = basis.stations.stiffness[0], bending = basis.stations.bending[0];
    const double L = 0.5, L2 = L * L, L3 = L2 * L;
    const Vector6d tip = tip_motion(basis, force, moment);
    const double shear = force.y() * L / stretch[1], bend = force.y() * L3 / (3 * bending[2]);
    ASSERT_GT(shear, 0.02 * bend) << "the case must make shear visible";
    EXPECT_NEAR(tip[0], force.x() * L / stretch[0], 1e-12 * tip.norm());
    EXPECT_NEAR(tip[1], bend + moment.z() * L2 / (2 * bending[2]) + shear, 1e-12 * tip.norm());
    EXPECT_NEAR(tip[2], force.z() * (L3 / (3 * bending[1]) + L / stretch[2]) - moment.y() * L2 / (2 * bending[1]),
                1e-12 * tip.norm());
    EXPECT_NEAR(tip[3], moment.x() * L / bending[0], 1e-12 * tip.norm());
    EXPECT_NEAR(tip[4], moment.y() * L / bending[1] - force.z() * L2 / (2 * bending[1]), 1e-12 * tip.norm());
    EXPECT_NEAR(tip[5], moment.z() * L / bending[2] + force.y() * L2 / (2 * bending[2]), 1e-12 * tip.norm());
  }
}

// naganathan86's element in closed form: PL³/(3EI)(1 − 1/(4n²)) + PL/(κGA).
TEST(ElementBeams, TipForceOnLinearElements) {
  for (int n : {1, 3, 10}) {
    const FlexBasis basis = beam_basis(stubby(Elements{n, ElementKind::linear}), true, {});
    const double L = 0.5, EI = basis.stations.bending[0][2], GA = basis.stations.stiffness[0][1], P = 1e6;
    const double expected = P * L * L * L / (3 * EI) * (1 - 1.0 / (4 * n * n)) + P * L / GA;
    EXPECT_NEAR(tip_motion(basis, {0, P, 0}, {0, 0, 0})[1], expected, 1e-12 * expected);
  }
}

TEST(ElementBeams, FullIntegrationLocks) {
  // A slender bar, ten elements: one-point shear is 0.25 % off, full integration keeps a few per cent of the deflection.
  const double exact = tip_motion(beam_basis(bar(Elements{10}), true, {}), {0, 1, 0}, {0, 0, 0})[1];
  auto share = [&](Integration integration) {
    const FlexBasis basis = beam_basis(bar(Elements{10, ElementKind::linear, integration}), true, {});
    return tip_motion(basis, {0, 1, 0}, {0, 0, 0})[1] / exact;
  };
  EXPECT_NEAR(share(Integration::reduced), 1 - 1.0 / 400, 1e-4);
  EXPECT_LT(share(Integration::full), 0.15);
}

TEST(ElementBeams, ExactElementsConvergeAtFourthOrder) {
  auto first = [](int n) {
    return frequencies(beam_basis(slender(1, 1, 1, Elements{n, ElementKind::exact, {}, BendingPlane::y}), true, {}))[0];
  };
  const double limit = first(48);
  EXPECT_NEAR(limit, std::pow(1.8751040687119611, 2), 1e-4);  // shear and rotary inertia take r²/L² = 1e-6 times a few
  EXPECT_NEAR(std::log2((first(2) - limit) / (first(4) - limit)), 4, 0.15);
  EXPECT_NEAR(std::log2((first(4) - limit) / (first(8) - limit)), 4, 0.05);
}

TEST(ElementBeams, LinearElementsConvergeAtSecondOrder) {
  auto first = [](int n) {
    return frequencies(beam_basis(stubby(Elements{n, ElementKind::linear, {}, BendingPlane::y}), true, {}))[0];
  };
  const double limit =
      frequencies(beam_basis(stubby(Elements{100, ElementKind::exact, {}, BendingPlane::y}), true, {}))[0];
  EXPECT_NEAR(std::log2((first(8) - limit) / (first(16) - limit)), 2, 0.05);
}

/// Relative error of the first frequency with a body of `load` times the beam's own mass on the tip.
double first_error(Beam beam, Elements elements, double load) {
  auto first = [&](Elements chosen) {
    chosen.plane = BendingPlane::y;
    beam.flexibility = chosen;
    FlexBasis basis = beam_basis(beam, true, {});
    add_tip_body(basis, RigidInertia::about_com(load * basis.mass, {0, 0, 0}, Matrix3d::Zero()));
    return frequencies(basis)[0];
  };
  return first(elements) / first({100}) - 1;
}

// A link that carries something bends nearly as end loads bend it, which is what the exact element knows. One that carries
// nothing bends under its own inertia: measured 4.9e-4 (2 exact), 9.9e-5 (3 exact), 3.0e-4 (20 linear, whose errors of mass and
// stiffness nearly cancel), so there it takes three.
TEST(ElementBeams, TwoExactElementsBeatTwentyLinearOnes) {
  const Elements linear{20, ElementKind::linear}, locking{20, ElementKind::linear, Integration::full};
  for (double load : {0.3, 1.0, 10.0})
    EXPECT_LT(first_error(bar({}), {2}, load), 0.5 * std::abs(first_error(bar({}), linear, load))) << load;
  EXPECT_LT(first_error(stubby({}), {2}, 10), 0.5 * std::abs(first_error(stubby({}), linear, 10)));
  for (const Beam& beam : {bar({}), stubby({})}) EXPECT_LT(first_error(beam, {2}, 0), first_error(beam, locking, 0));
  EXPECT_LT(first_error(bar({}), {3}, 0), 0.5 * first_error(bar({}), linear, 0));
}

TEST(ElementBeams, PlanarElementsArePartsOfSpatialOnes) {
  const FlexBasis space = beam_basis(stubby(Elements{3}), true, {});
  for (const auto& [plane, parts] :
       {std::pair{BendingPlane::y, std::vector{0, 1, 5}}, {BendingPlane::z, std::vector{0, 2, 4}}}) {
    MatrixXd T = MatrixXd::Zero(18, 9);
    for (int k = 0; k < 9; ++k) T(6 * (k / 3) + parts[k % 3], k) = 1;
    const FlexBasis planar = beam_basis(stubby(Elements{3, {}, {}, plane}), true, {});
    EXPECT_LT(difference(transformed(space, T), planar), 1e-15);
    EXPECT_EQ(planar.names[4], plane == BendingPlane::y ? "n2.uy" : "n2.uz");
  }
}

TEST(ElementBeams, RotaryInertiaCanBeLeftOut) {
  const FlexBasis basis = beam_basis(stubby(Elements{2}), false, {});
  EXPECT_EQ(basis.H.norm() + basis.j0.norm(), 0);
  EXPECT_LT((MatrixXd(basis.M) - MatrixXd(basis.P[0] + basis.P[4] + basis.P[8])).norm(), 1e-15);
}

TEST(ElementBeams, ThousandsOfElementsCostLittleAndStaySparse) {
  FlexBasis basis = beam_basis(bar(Elements{2000}), true, {});
  add_tip_body(basis, RigidInertia::about_com(0, {0, 0, 0}, Matrix3d::Identity()));
  EXPECT_EQ(basis.size(), 12000);
  EXPECT_LT(basis.K.nonZeros(), 36 * 12000);
  EXPECT_LT(basis.P[4].nonZeros(), 12 * 12000);
  EXPECT_NEAR(basis.mass, 2700 * 0.02 * 0.03 * 1.3, 1e-12);
}

TEST(ElementBeams, MeshesNeedNotBeEqual) {
  const Beam beam = stubby(Elements{.count = 3, .mesh = {0.1, 0.3, 0.6}});
  const auto x = element_nodes(beam, std::get<Elements>(beam.flexibility));
  ASSERT_EQ(x.size(), 4u);
  EXPECT_NEAR(x[1], 0.05, 1e-15);
  EXPECT_NEAR(x[2], 0.2, 1e-15);
  EXPECT_EQ(x[3], 0.5);
  const Vector3d force(1, 2, 3), moment(4, 5, 6);
  const Vector6d equal = tip_motion(beam_basis(stubby(Elements{3}), true, {}), force, moment);
  EXPECT_LT((tip_motion(beam_basis(beam, true, {}), force, moment) - equal).norm(), 1e-12 * equal.norm());
}

// ---------------------------------------------------------------------------------------------------- sections that change

/// First root of J_n(z) I_{n+1}(z) + I_n(z) J_{n+1}(z): a sharp wedge (n = 1, Kirchhoff 1879) or cone (n = 2) clamped at its
/// thick end vibrates at ω L² √(ρA₀/EI₀) = z²/4.
double sharp_beam(int n) {
  double low = 4, high = 7;
  auto f = [&](double z) {
    return std::cyl_bessel_j(n, z) * std::cyl_bessel_i(n + 1, z) +
           std::cyl_bessel_i(n, z) * std::cyl_bessel_j(n + 1, z);
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    ((f(middle) > 0) == (f(low) > 0) ? low : high) = middle;
  }
  return low * low / 4;
}

TEST(TaperedBeams, SharpWedgeAndCone) {
  EXPECT_NEAR(sharp_beam(1), 5.315, 5e-4);  // as printed in handbooks
  EXPECT_NEAR(sharp_beam(2), 8.719, 5e-4);
  const double L = 1, h = 1e-3;
  Beam wedge{L, soft, {Rectangle{0.05, h}, {}}, {}, Section{Rectangle{0.05, 1e-9 * h}, {}}};
  Beam cone{L, soft, {Circle{h}, {}}, {}, Section{Circle{1e-9 * h}, {}}};
  auto value = [&](Beam beam, const Flexibility& flexibility, double radius) {
    beam.flexibility = flexibility;
    return frequencies(beam_basis(beam, false, {}))[0] * std::sqrt(soft.density / soft.E) * L * L / radius;
  };
  const double wedge_radius = h / std::sqrt(12.0), cone_radius = h / 4;
  EXPECT_NEAR(value(wedge, Modes{.bending_z = 12}, wedge_radius), sharp_beam(1), 1e-7);
  EXPECT_NEAR(value(cone, Modes{.bending_y = 12}, cone_radius), sharp_beam(2), 1e-7);
  EXPECT_NEAR(value(wedge, Elements{.count = 40, .plane = BendingPlane::z}, wedge_radius), sharp_beam(1), 2e-5);
  EXPECT_NEAR(value(cone, Elements{.count = 40, .plane = BendingPlane::y}, cone_radius), sharp_beam(2), 2e-4);
  EXPECT_NEAR(value(wedge, Modes{.bending_z = 8, .shape = ModeShape::clamped_free}, wedge_radius), sharp_beam(1), 0.05);
}

TEST(SteppedBeams, TipDeflectionBySuperposition) {
  const Section thick{Rectangle{0.04, 0.06}, {}}, thin{Rectangle{0.02, 0.03}, {}};
  Beam beam{1, soft, thick, Elements{5}};
  beam.steps = {{0.4, thin}};
  const auto x = element_nodes(beam, std::get<Elements>(beam.flexibility));
  EXPECT_TRUE(std::find(x.begin(), x.end(), 0.4) != x.end());
  EXPECT_EQ(x.size(), 6u);
  const double P = 10, E = soft.E, I1 = 0.06 * std::pow(0.04, 3) / 12, I2 = 0.03 * std::pow(0.02, 3) / 12;
  const FlexBasis basis = beam_basis(beam, true, {});
  const double GA1 = basis.stations.stiffness.front()[1], GA2 = basis.stations.stiffness.back()[1];
  ASSERT_NE(GA1, GA2);
  // ∫ M²/EI: root part from 1 to 0.6 off the tip, then the thin one.
  const double bending = P / (3 * E) * ((1 - std::pow(0.6, 3)) / I1 + std::pow(0.6, 3) / I2);
  EXPECT_NEAR(tip_motion(basis, {0, P, 0}, {0, 0, 0})[1], bending + P * (0.4 / GA1 + 0.6 / GA2), 1e-12);
  // Polynomials see the step in their integrals, and come closer from below, slowly: the curvature jumps sixteenfold.
  double previous = 0;
  for (int n : {5, 10, 20, 40}) {
    beam.flexibility = Modes{.bending_y = n};
    const double tip = tip_motion(beam_basis(beam, true, {}), {0, P, 0}, {0, 0, 0})[1];
    EXPECT_GT(tip, previous);
    EXPECT_LT(tip, bending);
    previous = tip;
  }
  EXPECT_GT(previous, 0.95 * bending);
}

TEST(SteppedBeams, MassIsThatOfTheRigidBeamWhateverTheBasis) {
  Beam stepped = stubby({}), tapered = stubby({});
  stepped.steps = {{0.1, {Circle{0.05}, {}}}, {0.35, {Tube{0.08, 0.07}, {}}}};
  tapered.tip_section = Section{Rectangle{0.03, 0.05}, {}};
  for (Beam beam : {stubby({}), stepped, tapered}) {
    const BodyProperties body = beam_properties(beam, true);
    const RigidInertia rigid = RigidInertia::about_com(body.mass, body.com, body.inertia_com);
    for (const Flexibility& flexibility :
         {Flexibility(Modes{1, 1, 1, 1}), Flexibility(Modes{1, 1, 1, 1, ModeShape::clamped_free}),
          Flexibility(Elements{3}), Flexibility(Elements{4, ElementKind::linear})}) {
      beam.flexibility = flexibility;
      const RigidInertia undeformed = beam_basis(beam, true, {}).undeformed();
      EXPECT_NEAR(undeformed.mass, rigid.mass, 1e-13 * rigid.mass);
      EXPECT_TRUE(undeformed.first_moment.isApprox(rigid.first_moment, 1e-13));
      EXPECT_TRUE(undeformed.J.isApprox(rigid.J, 1e-13));
    }
    beam.flexibility = Segments{5};
    RigidInertia sum;
    double x = 0;
    for (const SegmentPiece& piece : beam_segments(beam, true)) {
      sum += piece.body.seen_from({Matrix3d::Identity(), {x, 0, 0}});
      x += piece.length;
    }
    EXPECT_NEAR(x, beam.length, 1e-15);
    EXPECT_TRUE(sum.J.isApprox(rigid.J, 1e-13));
  }
}

// A frustum's mass and centre in closed form.
TEST(TaperedBeams, FrustumOfACone) {
  Beam beam{2, {"", 1, 0.3, 3, {}}, {Circle{0.4}, {}}, NoFlexibility{}, Section{Circle{0.2}, {}}};
  const BodyProperties body = beam_properties(beam, true);
  const double R = 0.2, r = 0.1, h = 2, sum = R * R + R * r + r * r;
  EXPECT_NEAR(body.mass, 3 * pi * h / 3 * sum, 1e-14);
  EXPECT_NEAR(body.com.x(), h / 4 * (R * R + 2 * R * r + 3 * r * r) / sum, 1e-14);
  EXPECT_NEAR(body.inertia_com(0, 0), 3 * pi * h / 10 * (std::pow(R, 5) - std::pow(r, 5)) / (R - r), 1e-14);
}

}  // namespace
}  // namespace lithe
