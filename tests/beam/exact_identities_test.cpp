// What holds for one exact link at any number of points: derivatives of its discrete poses, its energy, its symmetries; and how it converges.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/beam/beam_basis.h"
#include "lithe/beam/exact/exact_link_impl.h"
#include "lithe/beam/exact/rod_section.h"
#include "lithe/spatial/dense_eigen.h"
#include "lithe/spatial/exp_map.h"
#include "support/dual.h"
#include "support/exact_links.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

template <class S>
using Vector = Eigen::VectorX<S>;

DualVector dual(const VectorXd& value, const VectorXd& slope) {
  DualVector result(value.size());
  for (Eigen::Index k = 0; k < value.size(); ++k) result[k] = {value[k], slope[k]};
  return result;
}
DualVector dual(const VectorXd& value) { return dual(value, VectorXd::Zero(value.size())); }
template <class Derived>
MatrixXd values(const Eigen::MatrixBase<Derived>& numbers) {
  return numbers.unaryExpr([](const Dual& x) { return x.value; });
}
template <class Derived>
MatrixXd slopes(const Eigen::MatrixBase<Derived>& numbers) {
  return numbers.unaryExpr([](const Dual& x) { return x.slope; });
}
Vector3d axis_of(const Matrix3d& skewed) { return {skewed(2, 1), skewed(0, 2), skewed(1, 0)}; }

/// All kinds of strain and both orders, fewer points than the rule has, initial curvature and a body on the link; of one piece and of several,
/// with bodies on a piece and where two meet.
std::vector<StrainBasis> general_links() {
  std::vector<StrainBasis> result;
  const std::vector<SectionBody> body{uneven_body(0.5)};
  for (const int order : {4, 6})
    for (const int points : {3, 5}) {
      Strains terms = strains(3, 2, 2, 2, 1, 1);
      terms.order = order;
      terms.points = points;
      result.emplace_back(tapered(1.1), terms, body);
      terms.initial_curvature = {0.3, -0.2, 0.5};
      result.emplace_back(tapered(1.1), terms);
    }
  const std::vector<SectionBody> bodies{uneven_body(0.5), uneven_body(1.1 / 3), uneven_body(0.8)};
  for (const int order : {4, 6}) {
    Strains terms = strains(2, 1, 1, 1, 0, 1);
    terms.order = order;
    terms.points = 3;
    terms.pieces = 3;
    terms.initial_curvature = {0.3, -0.2, 0.5};
    result.emplace_back(tapered(1.1), terms, bodies);
  }
  return result;
}
/// Those, and the links that have code of their own.
std::vector<StrainBasis> all_links() {
  std::vector<StrainBasis> result = general_links();
  for (Strains terms : {strains(3, 0, 0), strains(0, 4, 0), strains(2, 2, 1)})
    for (const int pieces : {1, 2, 4}) {
      terms.pieces = pieces;
      result.emplace_back(tapered(1.1), terms);
    }
  return result;
}

/// R, W_k and p, U_k of a link's nodes, and of the sections there and at the root.
template <class S>
struct SectionsAt {
  SectionsAt(const StrainBasis& given, const Vector<S>& delta) : basis(given), link(basis, true, LinkDetail::sections) {
    link.place(delta.data());
    for (const StrainBasis::Node& node : basis.nodes) {
      RodFrame<S>& frame = frames.emplace_back(basis);
      typename RodPlace<S>::Interval work;
      rod::section_place(link, RodSection(basis, node.x), delta.data(), work, frame.R, frame.p, frame.turn.data(),
                         frame.slide.data());
    }
  }
  Eigen::Matrix3<S> R(int node) const { return matrix_of(frames[size_t(node)].R); }
  Eigen::Vector3<S> W(int node, int k) const { return vector_of(frames[size_t(node)].turn[size_t(k)]); }
  Eigen::Vector3<S> p(int node) const { return vector_of(frames[size_t(node)].p); }
  Eigen::Vector3<S> U(int node, int k) const { return vector_of(frames[size_t(node)].slide[size_t(k)]); }
  const StrainBasis& basis;
  ExactLink<S> link;
  std::vector<RodFrame<S>> frames;
};

// Tolerances: slopes by duals are exact; some rounding adds up along the chain.
constexpr double rounding = 2e-13;

TEST(ExactLinkIdentities, WAndUAreSlopesOfPoses) {
  for (const StrainBasis& basis : general_links()) {
    const VectorXd delta = random_vector(basis.size(), 3, 0.6);
    for (int k = 0; k < basis.size(); ++k) {
      const SectionsAt<Dual> at(basis, dual(delta, VectorXd::Unit(basis.size(), k)));
      for (int node = 0; node < basis.n_nodes(); ++node) {
        const Matrix3d R = values(at.R(node)), dR = slopes(at.R(node));
        EXPECT_LT((dR * R.transpose() - skew(values(at.W(node, k)))).norm(), rounding);
        EXPECT_LT((R * R.transpose() - Matrix3d::Identity()).norm(), rounding);
        EXPECT_LT((slopes(at.p(node)) - values(at.U(node, k))).norm(), rounding);
      }
    }
  }
}

// Slopes of a field of poses: turns do not commute, places do.
TEST(ExactLinkIdentities, WAndUAreIntegrable) {
  for (const StrainBasis& basis : general_links()) {
    const int m = basis.size();
    const VectorXd delta = random_vector(m, 4, 0.6);
    std::vector<std::unique_ptr<SectionsAt<Dual>>> along;
    for (int l = 0; l < m; ++l)
      along.push_back(std::make_unique<SectionsAt<Dual>>(basis, dual(delta, VectorXd::Unit(m, l))));
    for (int node = 0; node < basis.n_nodes(); ++node)
      for (int k = 0; k < m; ++k)
        for (int l = 0; l < k; ++l) {
          const Vector3d W_k = values(along[0]->W(node, k)), W_l = values(along[0]->W(node, l));
          const Vector3d turns = slopes(along[l]->W(node, k)) - slopes(along[k]->W(node, l));
          EXPECT_LT((turns - W_l.cross(W_k)).norm(), rounding);
          EXPECT_LT((slopes(along[l]->U(node, k)) - slopes(along[k]->U(node, l))).norm(), rounding);
        }
  }
}

// ζ of the tip with B at rest is [ẇ₀; b], the slope of [W; U] δ̇ along δ̇; with B turning, the rates of R_BT and p_BT seen from space.
TEST(ExactLinkIdentities, VelocityTermsAreSlopesAlongTheMotion) {
  for (const StrainBasis& basis : all_links()) {
    const int m = basis.size();
    const VectorXd delta = random_vector(m, 5, 0.6), rate = random_vector(m, 6, 1);
    const Vector3d omega(0.3, -0.7, 1.1);
    ExactLink<Dual> moving(basis);
    const DualVector path = dual(delta, rate);
    moving.place(path.data());
    const LinkBlocks<Dual> along(moving);
    const Vector6d motion = values(along.Phi) * rate, bias = slopes(along.Phi) * rate;

    ExactLink<double> link(basis);
    const auto resting = blocks_at<double>(link, delta, Vector3d::Zero(), rate);
    EXPECT_LT((resting.zeta - bias).norm(), rounding);
    EXPECT_LT((resting.spin_T - motion.head<3>()).norm(), rounding);

    const auto turning = blocks_at<double>(link, delta, omega, rate);
    const Vector3d w = motion.head<3>(), v = motion.tail<3>(), p = turning.p_T;
    Vector6d expected = bias;
    expected.head<3>() += omega.cross(w);
    expected.tail<3>() += omega.cross(omega.cross(p)) + 2 * omega.cross(v);
    EXPECT_LT((turning.zeta - expected).norm(), rounding);
    EXPECT_LT((turning.spin_T - omega - w).norm(), rounding);
  }
}

/// T of a link whose frame B has the velocity V_B = [ω; v] in its own axes.
template <class S>
S kinetic_energy(const LinkBlocks<S>& at, const Eigen::Matrix<S, 6, 1>& V_B, const Vector<S>& rate) {
  return (V_B.dot(at.M_BB * V_B) + S(2) * V_B.dot(at.M_Bf * rate) + rate.dot(at.M_ff * rate)) / S(2);
}

// dT/dt is the power of the wrench that B needs and of the forces that the coordinates need, for any motion: Q = M_ff δ̈ + M_Bfᵀ A + p_f and
// its like for B. That binds every block to every other. V̇_B = [α; a − ω×v], as a is a true acceleration and v's axes turn.
TEST(ExactLinkIdentities, PowerIsTheRateOfEnergy) {
  for (const StrainBasis& basis : all_links()) {
    const int m = basis.size();
    for (unsigned seed = 0; seed < 3; ++seed) {
      const VectorXd delta = random_vector(m, seed, 0.6), rate = random_vector(m, seed + 10, 1),
                     accel = random_vector(m, seed + 20, 1);
      const Vector6d V = random_vector(6, seed + 30), A = random_vector(6, seed + 40);
      const Vector3d omega = V.head<3>();
      Vector6d V_rate = A;
      V_rate.tail<3>() -= omega.cross(V.tail<3>());
      ExactLink<Dual> moving(basis);
      const auto along = blocks_at<Dual>(moving, dual(delta, rate), dual(omega), dual(rate));
      const Eigen::Matrix<Dual, 6, 1> V_B = dual(V, V_rate);
      const double T_rate = kinetic_energy<Dual>(along, V_B, dual(rate, accel)).slope;

      ExactLink<double> link(basis);
      const auto at = blocks_at<double>(link, delta, omega, rate);
      const Vector6d wrench = at.M_BB * A + at.M_Bf * accel + at.p_B;
      const VectorXd Q = at.M_ff * accel + at.M_Bf.transpose() * A + at.p_f;
      EXPECT_NEAR(wrench.dot(V) + Q.dot(rate), T_rate, 2e-12);
    }
  }
}

// A whole link that turns rigidly is one body, whatever its shape.
TEST(ExactLinkIdentities, AFrozenLinkIsARigidBody) {
  for (const StrainBasis& basis : all_links()) {
    ExactLink<double> link(basis);
    const Vector3d omega(0.3, -0.7, 1.1);
    const VectorXd none = VectorXd::Zero(basis.size());
    const auto at = blocks_at<double>(link, random_vector(basis.size(), 7, 0.8), omega, none);
    const Matrix3d J = at.M_BB.topLeftCorner<3, 3>();
    const Vector3d s = axis_of(at.M_BB.topRightCorner<3, 3>());
    EXPECT_LT((at.p_B.head<3>() - omega.cross(J * omega)).norm(), rounding);
    EXPECT_LT((at.p_B.tail<3>() - omega.cross(omega.cross(s))).norm(), rounding);
    EXPECT_GT(J.eigenvalues().real().minCoeff(), 0);
  }
}

// Objectivity: a link that is drawn, with its section, in axes turned about x is the same link. Bending along y becomes bending along z.
TEST(ExactLinkIdentities, AQuarterTurnOfTheAxesChangesNothing) {
  Strains before = strains(3, 2, 2, 2, 1, 2), after = strains(2, 3, 2, 2, 2, 1);
  before.initial_curvature = {0.3, -0.2, 0.5};  // seen from axes turned by 90° about x: y → z, z → −y
  after.initial_curvature = {0.3, 0.5, 0.2};
  const RodMatter matter = tapered(1.1);
  const RodMatter turned{matter.length, false, [matter](double x) {
                           SectionMatter here = matter.at(x);
                           for (Vector3d* v : {&here.rotary, &here.bending, &here.stretch}) std::swap(v->y(), v->z());
                           return here;
                         }};
  const StrainBasis one(matter, before), other(turned, after);
  // The other's y is the one's z, and its z the one's −y.
  Matrix3d R;
  R << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  const VectorXd delta = random_vector(one.size(), 8, 0.6), rate = random_vector(one.size(), 9, 1);
  const auto seen = [&](const VectorXd& d) {
    // u_z' = −u_y: bending_y and shear_y of the one are the other's −bending_z, −shear_z; bending_z its bending_y.
    VectorXd result(d.size());
    result << d.segment(3, 2), -d.segment(0, 3), d.segment(5, 2), d.segment(7, 2), d.segment(10, 2), -d.segment(9, 1);
    return result;
  };
  ExactLink<double> link(one), same(other);
  const Vector3d omega(0.3, -0.7, 1.1);
  const auto a = blocks_at<double>(link, delta, omega, rate),
             b = blocks_at<double>(same, seen(delta), R * omega, seen(rate));
  EXPECT_LT((R * a.p_T - b.p_T).norm(), rounding);
  EXPECT_LT((R * a.p_B.head<3>() - b.p_B.head<3>()).norm(), rounding);
  EXPECT_LT((R * a.p_B.tail<3>() - b.p_B.tail<3>()).norm(), rounding);
  EXPECT_LT((R * a.zeta.tail<3>() - b.zeta.tail<3>()).norm(), rounding);
  EXPECT_LT((seen(a.p_f) - b.p_f).norm(), rounding);
  EXPECT_NEAR(delta.dot(a.M_ff * rate), seen(delta).dot(b.M_ff * seen(rate)), rounding);
  EXPECT_NEAR(delta.dot(one.K * rate), seen(delta).dot(other.K * seen(rate)), 1e-12);
}

// Any place on the link: its pose is that of a node there, changes smoothly from node to node, and moves as its shapes say.
TEST(ExactLinkIdentities, SectionsAreBetweenNodes) {
  for (const StrainBasis& basis : general_links()) {
    const int m = basis.size();
    const VectorXd delta = random_vector(m, 5, 0.6), rate = random_vector(m, 6, 1);
    const Vector3d omega(0.3, -0.7, 1.1);
    ExactLink<double> link(basis, true, LinkDetail::sections);
    const auto tip = blocks_at<double>(link, delta, omega, rate);
    const auto frame_at = [&](double x) {
      const RodSection section(basis, x);
      RodPlace<double>::Interval work;
      RodFrame<double> frame(basis);
      rod::section_place(link, section, delta.data(), work, frame.R, frame.p, frame.turn.data(), frame.slide.data());
      rod::section_motion(link, section, {omega.x(), omega.y(), omega.z()}, rate.data(), work, frame.p, frame.spin,
                          frame.zeta_angular, frame.zeta_linear);
      return frame;
    };
    const RodFrame<double> end = frame_at(basis.length), root = frame_at(0);
    EXPECT_LT((matrix_of(end.R) - tip.R_T).norm(), rounding);
    EXPECT_LT((vector_of(end.p) - tip.p_T).norm(), rounding);
    EXPECT_LT((stacked_of(end.zeta_angular, end.zeta_linear) - tip.zeta).norm(), rounding);
    for (int k = 0; k < m; ++k) EXPECT_LT((stacked_of(end.turn[k], end.slide[k]) - tip.Phi.col(k)).norm(), rounding);
    EXPECT_LT((matrix_of(root.R) - Matrix3d::Identity()).norm(), rounding);
    EXPECT_LT(vector_of(root.p).norm(), rounding);
    EXPECT_LT((vector_of(root.spin) - omega).norm(), rounding);
    for (const StrainBasis::Node& node : basis.nodes) {
      const double hair = 1e-9;
      const RodFrame<double> before = frame_at(node.x - hair), after = frame_at(std::min(node.x + hair, basis.length));
      EXPECT_LT((matrix_of(before.R) - matrix_of(after.R)).norm(), 1e-7);
      EXPECT_LT((vector_of(before.zeta_angular) - vector_of(after.zeta_angular)).norm(), 1e-6);
    }
    // Shapes and velocity terms of a section on the way.
    const double x = 0.37 * basis.length;
    const DualVector path = dual(delta, rate);
    ExactLink<Dual> moving(basis, true, LinkDetail::sections);
    moving.place(path.data());
    RodPlace<Dual>::Interval work;
    RodFrame<Dual> along(basis);
    rod::section_place(moving, RodSection(basis, x), path.data(), work, along.R, along.p, along.turn.data(),
                       along.slide.data());
    const Matrix3d R = values(matrix_of(along.R));
    Vector3d w = Vector3d::Zero(), v = Vector3d::Zero(), w_bias = Vector3d::Zero(), v_bias = Vector3d::Zero();
    for (int k = 0; k < m; ++k) {
      w += rate[k] * values(vector_of(along.turn[k]));
      v += rate[k] * values(vector_of(along.slide[k]));
      w_bias += rate[k] * slopes(vector_of(along.turn[k]));
      v_bias += rate[k] * slopes(vector_of(along.slide[k]));
    }
    EXPECT_LT((slopes(matrix_of(along.R)) * R.transpose() - skew(w)).norm(), rounding);
    EXPECT_LT((slopes(vector_of(along.p)) - v).norm(), rounding);
    const RodFrame<double> here = frame_at(x);
    EXPECT_LT((vector_of(here.zeta_angular) - w_bias - omega.cross(w)).norm(), rounding);
    const Vector3d p = vector_of(here.p);
    EXPECT_LT((vector_of(here.zeta_linear) - v_bias - omega.cross(omega.cross(p)) - 2 * omega.cross(v)).norm(),
              rounding);
  }
}

// A body on the link adds its own kinetic energy: ½ m |v|² of its mass centre and ½ ω·Jω.
TEST(ExactLinkIdentities, ABodyOnTheLinkMovesWithItsSection) {
  const double x = 0.62;
  const Strains terms = strains(3, 2, 2, 1, 1, 1);
  const SectionBody body = uneven_body(x);
  // The body's section is a node of its own, which refines the chain of rotations: the link without the body has it too.
  SectionBody weightless = body;
  weightless.body.mass = 0;
  weightless.body.inertia_com.setZero();
  const StrainBasis bare(tapered(1.1), terms, std::vector{weightless}), loaded(tapered(1.1), terms, std::vector{body});
  const int m = bare.size();
  const VectorXd delta = random_vector(m, 5, 0.6), rate = random_vector(m, 6, 1);
  const Vector6d V = random_vector(6, 7);
  const Vector3d omega = V.head<3>();
  ExactLink<double> link(bare, true, LinkDetail::sections), heavy(loaded);
  const auto before = blocks_at<double>(link, delta, omega, rate), after = blocks_at<double>(heavy, delta, omega, rate);
  RodPlace<double>::Interval work;
  RodFrame<double> frame(bare);
  rod::section_place(link, RodSection(bare, x), delta.data(), work, frame.R, frame.p, frame.turn.data(),
                     frame.slide.data());
  Vector3d spin = omega, velocity = V.tail<3>() + omega.cross(vector_of(frame.p));
  for (int k = 0; k < m; ++k) {
    spin += rate[k] * vector_of(frame.turn[k]);
    velocity += rate[k] * vector_of(frame.slide[k]);
  }
  const Matrix3d R = matrix_of(frame.R);
  velocity += spin.cross(R * body.body.com);
  const double own =
      body.body.mass * velocity.squaredNorm() / 2 + spin.dot(R * body.body.inertia_com * R.transpose() * spin) / 2;
  EXPECT_NEAR(kinetic_energy<double>(after, V, rate) - kinetic_energy<double>(before, V, rate), own, 1e-13);
}

VectorXd frequencies(const MatrixXd& K, const MatrixXd& M) { return symmetric_modes(K, M).values.cwiseSqrt(); }

// N = n + 2 points integrate the straight link's inertia exactly: its natural frequencies are those of the shapes x² … x^(n+1), and of twist
// and stretch those of x … xⁿ. Condition numbers of M grow with n, and take digits.
TEST(ExactLinkAtRest, VibratesAsPolynomialShapesDo) {
  for (int n = 1; n <= 5; ++n) {
    const Material steel{"", 210e9, 0.3, 7800, {}};
    const Beam beam{1.3, steel, {Rectangle{0.02, 0.03}, {}}, Modes{n, n, n, n}};
    const FlexBasis shapes = beam_basis(beam, true, {});
    const StrainBasis basis(RodMatter::of(BeamMatter(beam, true)), strains(n, n, n, n));
    const VectorXd expected = frequencies(shapes.K, shapes.M), ours = frequencies(basis.K, basis.M);
    for (int i = 0; i < 4 * n; ++i) EXPECT_NEAR(ours[i] / expected[i], 1, n < 3 ? 1e-12 : 1e-9) << n << ", mode " << i;
    // One point fewer does not: the highest frequency is off by per cents.
    Strains fewer = strains(n, 0, 0);
    fewer.points = n + 1;
    const StrainBasis poor(RodMatter::of(BeamMatter(beam, true)), fewer);
    const Beam plane{1.3, steel, {Rectangle{0.02, 0.03}, {}}, Modes{n, 0, 0, 0}};
    const FlexBasis bending = beam_basis(plane, true, {});
    EXPECT_GT(std::abs(frequencies(poor.K, poor.M)[n - 1] / frequencies(bending.K, bending.M)[n - 1] - 1), 0.01);
  }
}

// Tapered beams: two points more leave 1e-9 of what shapes give that are integrated exactly.
TEST(ExactLinkAtRest, VibratesAsATaperedBeamDoes) {
  Beam beam{1.3, {"", 70e9, 0.33, 2700, {}}, {Rectangle{0.02, 0.03}, {}}, Modes{3, 3, 2, 2}};
  beam.tip_section = Section{Rectangle{0.012, 0.02}, {}};
  const FlexBasis shapes = beam_basis(beam, true, {});
  Strains terms = strains(3, 3, 2, 2);
  terms.points = 8;
  const StrainBasis basis(RodMatter::of(BeamMatter(beam, true)), terms);
  EXPECT_NEAR(basis.mass / shapes.mass, 1, 1e-13);
  const VectorXd expected = frequencies(shapes.K, shapes.M), ours = frequencies(basis.K, basis.M);
  for (int i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i] / expected[i], 1, 1e-9);
}

// A body on the straight link, against the shapes' integrals.
TEST(ExactLinkAtRest, CarriesABodyAsPolynomialShapesDo) {
  const Beam beam{1.3, {"", 70e9, 0.33, 2700, {}}, {Rectangle{0.02, 0.03}, {}}, Modes{3, 3, 2, 2}};
  const std::vector<SectionBody> bodies{uneven_body(0.5), {0.9, {0.7, Vector3d::Zero(), Matrix3d::Zero()}}};
  const FlexBasis shapes = beam_basis(beam, true, {}, bodies);
  const StrainBasis basis(RodMatter::of(BeamMatter(beam, true)), strains(3, 3, 2, 2), bodies);
  EXPECT_NEAR(basis.mass, shapes.mass, 1e-13);
  const VectorXd expected = frequencies(shapes.K, shapes.M), ours = frequencies(basis.K, basis.M);
  for (int i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i] / expected[i], 1, 1e-10);
}

// The chain of rotations knows no sine: series serve, short ones up to 0.6 rad, long ones up to 10. Cancellation costs the latter digits.
TEST(ExactLinkSeries, AreExactWithoutASine) {
  for (const double angle : {1e-9, 0.1, 0.3, 0.599, 0.601, 1.0, 2.0, 3.0, 5.0, 10.0}) {
    const double tolerance = angle < 0.6 ? 2e-16 : 1e-17 * std::exp(angle) + 2e-16;
    const ExpMap exact(Vector3d(angle, 0, 0));
    const auto series = TurnSeries<double>::at(angle * angle);
    EXPECT_NEAR(series.b, exact.b, tolerance) << angle;
    EXPECT_NEAR(series.c, exact.c, tolerance) << angle;
    EXPECT_NEAR(series.two_db, 2 * exact.db, 10 * tolerance) << angle;
    EXPECT_NEAR(series.two_dc, 2 * exact.dc, 10 * tolerance) << angle;
    const auto turn = SmallAngle<double>::of(angle);
    EXPECT_NEAR(turn.cosine, std::cos(angle), tolerance * (1 + angle * angle)) << angle;
    EXPECT_NEAR(turn.sine, std::sin(angle), tolerance * (1 + angle * angle * angle)) << angle;
  }
}

double tip_error(int points, int order, const StrainBasis& fine_basis) {
  // Bent by about one radian in every direction.
  const VectorXd once = (VectorXd(9) << 0.8, -0.5, 0.3, 0.6, 0.4, -0.3, 0.7, -0.4, 0.2).finished();
  VectorXd delta(fine_basis.size());
  for (int piece = 0; piece < fine_basis.strains.pieces; ++piece)
    delta.segment(9 * piece, 9) = (piece % 2 ? -1 : 1) * once;
  Strains terms = strains(3, 3, 3);
  terms.points = points;
  terms.order = order;
  terms.pieces = fine_basis.strains.pieces;
  const StrainBasis basis(uniform(1, uneven_section()), terms);
  ExactLink<double> link(basis), fine(fine_basis);
  link.place(delta.data());
  fine.place(delta.data());
  return (vector_of(link.tip().p) - vector_of(fine.tip().p)).norm() +
         (matrix_of(link.tip().R) - matrix_of(fine.tip().R)).norm();
}

// A bracket with the wrong sign converges too, to the right limit, with order 2: only the order tells.
TEST(ExactLinkConvergence, RotationsHaveTheirOrder) {
  Strains terms = strains(3, 3, 3);
  terms.points = 40;
  terms.order = 6;
  const StrainBasis fine(uniform(1, uneven_section()), terms);
  const auto order = [](int of, const StrainBasis& exact) {
    return std::log2(tip_error(8, of, exact) / tip_error(16, of, exact));
  };
  EXPECT_NEAR(order(4, fine), 4, 0.4);
  EXPECT_NEAR(order(6, fine), 6, 0.7);
  EXPECT_LT(tip_error(8, 4, fine), 3e-5);
  EXPECT_LT(tip_error(8, 6, fine), 1e-8);
  // Curvatures that jump where pieces meet do not lower it.
  terms.pieces = 3;
  const StrainBasis in_pieces(uniform(1, uneven_section()), terms);
  EXPECT_NEAR(order(4, in_pieces), 4, 0.4);
  EXPECT_NEAR(order(6, in_pieces), 6, 0.7);
}

// In a plane rotations are exact at any number of points, and places converge faster than any power of it.
TEST(ExactLinkConvergence, APlaneLinkIsSpectral) {
  const VectorXd delta = (VectorXd(3) << 1.0, -0.6, 0.3).finished();
  const auto tip = [&](int points) {
    Strains terms = strains(3, 0, 0);
    terms.points = points;
    const StrainBasis basis(uniform(1, uneven_section()), terms);
    ExactLink<double> link(basis);
    link.place(delta.data());
    EXPECT_NEAR(std::atan2(link.tip().R.x.y, link.tip().R.x.x), delta[0], 1e-14);  // δ₁ is the turn of the tip
    return vector_of(link.tip().p);
  };
  const Vector3d exact = tip(30);
  EXPECT_GT((tip(3) - exact).norm(), 1e-6);
  EXPECT_LT((tip(6) - exact).norm(), 5e-9);
  EXPECT_LT((tip(8) - exact).norm(), 2e-12);
}

}  // namespace
}  // namespace lithe::testing
