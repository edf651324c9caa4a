// Exact links of several pieces against what they stand for: the chain of rotations and collocated places by definition, sums over the points'
// masses, links joined by fixed joints, beams whose section steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/beam/exact/rod_section.h"
#include "lithe/beam/exact/rod_state.h"
#include "lithe/beam/exact_basis.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/spatial/dense_eigen.h"
#include "lithe/spatial/quadrature.h"
#include "support/exact_links.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

constexpr double rounding = 2e-13;

std::vector<StrainBasis> links() {
  std::vector<StrainBasis> result;
  const std::vector<SectionBody> bodies{uneven_body(0.5), uneven_body(0.65), uneven_body(0)};
  for (const int pieces : {2, 4}) {
    Strains all = strains(2, 1, 2, 2, 1, 1), bending = strains(2, 2, 1), plane = strains(0, 3, 0);
    all.pieces = bending.pieces = plane.pieces = pieces;
    all.initial_curvature = {0.3, -0.2, 0.5};
    result.emplace_back(tapered(1.3), all, bodies);
    result.emplace_back(tapered(1.3), bending);
    result.emplace_back(tapered(1.3), plane);
  }
  return result;
}

/// Strains by their definition: [κ; ν], with coordinates piece by piece, and on each kind by kind.
std::pair<Vector3d, Vector3d> strains_at(const StrainBasis& basis, const VectorXd& delta, int piece, double x) {
  const Strains& s = basis.strains;
  const double length = basis.length / s.pieces, z = 2 * (x - piece * length) / length - 1;
  const int per_piece = s.bending_y + s.bending_z + s.torsion + s.axial + s.shear_y + s.shear_z;
  int at = piece * per_piece;
  const auto next = [&](int n) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += delta[at++] * std::legendre(unsigned(k), z);
    return sum;
  };
  Vector3d curvature = s.initial_curvature, axis = Vector3d::UnitX();
  curvature.z() += next(s.bending_y) / length;
  curvature.y() -= next(s.bending_z) / length;
  curvature.x() += next(s.torsion) / length;
  axis.x() += next(s.axial);
  axis.y() += next(s.shear_y);
  axis.z() += next(s.shear_z);
  return {curvature, axis};
}

/// The rotation of every node and the place of sections, by definition: exponentials of moments of the curvature, Lagrange's polynomials.
struct DefinedPoses {
  DefinedPoses(const StrainBasis& given, const VectorXd& delta) : basis(given) {
    const double length = basis.length / basis.strains.pieces;
    Matrix3d rotation = Matrix3d::Identity();
    double from = 0;
    for (const StrainBasis::Node& node : basis.nodes) {
      const double h = node.x - from, middle = (node.x + from) / 2;
      const int piece = std::min(int(middle / length), basis.strains.pieces - 1);
      Vector3d a = Vector3d::Zero(), beta = a;
      if (h > 0)
        for (const QuadraturePoint& point : gauss_points(from, node.x, 8)) {
          const Vector3d curvature = strains_at(basis, delta, piece, point.x).first;
          a += point.weight * curvature;
          beta += point.weight * (point.x - middle) / h * curvature;
        }
      const Vector3d turn = a + a.cross(beta);
      if (turn.norm() > 0) rotation = rotation * Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
      R.push_back(rotation);
      from = node.x;
    }
    for (const StrainBasis::Arm& arm : basis.arms) {
      if (arm.fixed != Vector3d::UnitX()) continue;  // of a body
      const double x = basis.nodes[size_t(arm.node)].x;
      points.push_back(x);
      t.push_back(R[size_t(arm.node)] * strains_at(basis, delta, int(x / length), x).second);
    }
  }
  Vector3d place(double x) const {
    const int N = basis.strains.points;
    const double length = basis.length / basis.strains.pieces;
    Vector3d p = Vector3d::Zero();
    for (int piece = 0; piece < basis.strains.pieces && piece * length < x; ++piece)
      for (int j = 0; j < N; ++j) {
        double weight = 0;
        for (const QuadraturePoint& point : gauss_points(piece * length, std::min(x, (piece + 1) * length), N)) {
          double lagrange = point.weight;
          for (int i = 0; i < N; ++i)
            if (i != j)
              lagrange *= (point.x - points[size_t(piece * N + i)]) /
                          (points[size_t(piece * N + j)] - points[size_t(piece * N + i)]);
          weight += lagrange;
        }
        p += weight * t[size_t(piece * N + j)];
      }
    return p;
  }
  const StrainBasis& basis;
  std::vector<Matrix3d> R;
  std::vector<double> points;
  std::vector<Vector3d> t;
};

RodFrame<double> frame_at(const ExactLink<double>& link, const VectorXd& delta, double x) {
  RodFrame<double> frame(link.basis());
  RodPlace<double>::Interval work;
  rod::section_place(link, RodSection(link.basis(), x), delta.data(), work, frame.R, frame.p, frame.turn.data(),
                     frame.slide.data());
  return frame;
}

TEST(ExactPieces, PosesAreThoseOfTheDefinition) {
  for (const StrainBasis& basis : links()) {
    const VectorXd delta = random_vector(basis.size(), 1, 0.5);
    const DefinedPoses expected(basis, delta);
    ASSERT_EQ(int(expected.t.size()), basis.strains.pieces * basis.strains.points);
    ExactLink<double> link(basis, true, LinkDetail::sections), fast(basis);
    link.place(delta.data());
    fast.place(delta.data());
    for (int i = 0; i < basis.n_nodes(); ++i) {
      const double x = basis.nodes[size_t(i)].x;
      const RodFrame<double> frame = frame_at(link, delta, x);
      EXPECT_LT((matrix_of(frame.R) - expected.R[size_t(i)]).norm(), rounding) << x;
      EXPECT_LT((vector_of(frame.p) - expected.place(x)).norm(), rounding) << x;
    }
    EXPECT_LT((matrix_of(fast.tip().R) - expected.R.back()).norm(), rounding);
    EXPECT_LT((vector_of(fast.tip().p) - expected.place(basis.length)).norm(), rounding);
    // The constants of the whole are the same combinations.
    for (const double x : {0.0, 0.2, 0.65, 1.0, basis.length}) {
      const VectorXd reach = basis.reach_at(x);
      Vector3d p = Vector3d::Zero();
      for (int j = 0, point = 0; j < basis.n_arms(); ++j)
        if (basis.arms[size_t(j)].fixed == Vector3d::UnitX()) p += reach[j] * expected.t[size_t(point++)];
      EXPECT_LT((p - expected.place(x)).norm(), rounding) << x;
    }
  }
}

// Sums over the points of what their sections' W and U say; velocity terms follow from these by the power that they take (ExactLinkIdentities).
TEST(ExactPieces, InertiaIsThatOfThePoints) {
  const RodMatter matter = tapered(1.3);
  for (const StrainBasis& basis : links()) {
    const int m = basis.size(), N = basis.strains.points;
    const VectorXd delta = random_vector(m, 2, 0.5);
    ExactLink<double> link(basis, true, LinkDetail::sections), fast(basis);
    link.place(delta.data());
    MatrixXd M_ff = MatrixXd::Zero(m, m);
    Matrix6Xd M_Bf = Matrix6Xd::Zero(6, m);
    Matrix6d M_BB = Matrix6d::Zero();
    const auto add = [&](double x, double mass, const Vector3d& com, const Matrix3d& inertia) {
      const RodFrame<double> frame = frame_at(link, delta, x);
      const Matrix3d R = matrix_of(frame.R), J = R * inertia * R.transpose();
      const Vector3d arm = R * com, p = vector_of(frame.p) + arm;
      // Columns: how the body turns and its mass centre moves with B and with each coordinate.
      Matrix3Xd turn(3, 6 + m), slide(3, 6 + m);
      turn << Matrix3d::Identity(), Matrix3d::Zero(), MatrixXd(3, m);
      slide << -skew(p), Matrix3d::Identity(), MatrixXd(3, m);
      for (int k = 0; k < m; ++k) {
        turn.col(6 + k) = vector_of(frame.turn[size_t(k)]);
        slide.col(6 + k) = vector_of(frame.slide[size_t(k)]) + turn.col(6 + k).cross(arm);
      }
      const MatrixXd M = mass * slide.transpose() * slide + turn.transpose() * J * turn;
      M_BB += M.topLeftCorner<6, 6>();
      M_Bf += M.topRightCorner(6, m);
      M_ff += M.bottomRightCorner(m, m);
    };
    for (int piece = 0; piece < basis.strains.pieces; ++piece)
      for (const QuadraturePoint& point : gauss_points(basis.breaks[size_t(piece)], basis.breaks[size_t(piece + 1)], N))
        add(point.x, point.weight * matter.at(point.x).mass, Vector3d::Zero(),
            point.weight * matter.at(point.x).rotary.asDiagonal().toDenseMatrix());
    if (basis.stretches())  // the link that has bodies
      for (const double x : {0.5, 0.65, 0.0}) {
        const SectionBody body = uneven_body(x);
        add(x, body.body.mass, body.body.com, body.body.inertia_com);
      }
    const VectorXd none = VectorXd::Zero(m);
    for (ExactLink<double>* ours : {&link, &fast}) {
      const auto blocks = blocks_at<double>(*ours, delta, Vector3d::Zero(), none);
      EXPECT_LT((blocks.M_ff - M_ff).cwiseAbs().maxCoeff(), rounding);
      EXPECT_LT((blocks.M_Bf - M_Bf).cwiseAbs().maxCoeff(), rounding);
      EXPECT_LT((blocks.M_BB - M_BB).cwiseAbs().maxCoeff(), rounding);
    }
  }
}

// What linear models take from a link in pieces: slopes by duals against differences of the same numbers.
TEST(ExactPieces, SlopesAreDifferences) {
  for (const StrainBasis& given : links()) {
    const auto basis = std::make_shared<const StrainBasis>(given);
    const int m = basis->size();
    const RodSection section(*basis, 0.8);
    const VectorXd delta = random_vector(m, 3, 0.5);
    RodSlopes slopes(basis);
    slopes.place(delta.data());
    const Matrix6Xd of_section = slopes.section(section);
    constexpr double step = 1e-5, tolerance = 1e-8;
    for (int l = 0; l < m; ++l) {
      RodState ahead(basis), behind(basis);
      ahead.place((delta + step * VectorXd::Unit(m, l)).eval().data());
      behind.place((delta - step * VectorXd::Unit(m, l)).eval().data());
      RodSectionPose a, b;
      ahead.section(section, a);
      behind.section(section, b);
      const auto slope = [&](const auto& after, const auto& before) { return ((after - before) / (2 * step)).eval(); };
      for (int k = 0; k < m; ++k) {
        EXPECT_LT((of_section.col(k * m + l) - slope(a.moves.col(k), b.moves.col(k))).norm(), tolerance);
        EXPECT_LT((slopes.angular(k, l) - slope(ahead.angular(k), behind.angular(k))).norm(), tolerance);
        EXPECT_LT((slopes.linear(k, l) - slope(ahead.linear(k), behind.linear(k))).norm(), tolerance);
        EXPECT_LT((slopes.tip_turn(k, l) - slope(ahead.tip_turn(k), behind.tip_turn(k))).norm(), tolerance);
        EXPECT_LT((slopes.tip_slide(k, l) - slope(ahead.tip_slide(k), behind.tip_slide(k))).norm(), tolerance);
      }
    }
  }
}

Arm arm_of(const std::string& links) { return Arm::assemble(read_case_text("arm:\n  links:\n" + links, "case").data); }

/// One link of pieces against as many links on fixed joints: the same coordinates in the same order.
void expect_same_equations(const Arm& whole, const Arm& chain) {
  ASSERT_EQ(whole.nv(), chain.nv());
  Articulated ours(whole), theirs(chain);
  const int n = whole.nv();
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    State state;
    state.q = random_vector(n, seed, 0.6);
    state.v = random_vector(n, seed + 10, 1);
    MatrixXd M(n, n), M_chain(n, n);
    VectorXd h(n), h_chain(n), v_dot(n), tau(n), back(n);
    ours.mass_matrix(state, M);
    theirs.mass_matrix(state, M_chain);
    EXPECT_LT((M - M_chain).cwiseAbs().maxCoeff(), 1e-13 * M.cwiseAbs().maxCoeff());
    ours.bias(state, Terms::all, h);
    theirs.bias(state, Terms::all, h_chain);
    EXPECT_LT((h - h_chain).cwiseAbs().maxCoeff(), 1e-12 * h.cwiseAbs().maxCoeff());
    // Forwards by eliminating all of the link at once, and piece after piece: compared as forces, where no condition number enters.
    tau = random_vector(n, seed + 20, 3);
    ours.forward(state, tau, v_dot);
    theirs.inverse(state, v_dot, back);
    EXPECT_LT((back - tau).cwiseAbs().maxCoeff(), 1e-9 * h.cwiseAbs().maxCoeff());
  }
}

/// A link of a case; `more` goes into its beam.
std::string link_text(const std::string& name, const std::string& joint, double length, const std::string& section,
                      const std::string& more, const std::string& payload = "") {
  return fmt::format(
      "    - {{name: {0}, joint: {{name: j_{0}, {1}}}, beam: {{length: {2}, material: {{E: 3 GPa, nu: 0.3, density: "
      "1500}}, section: {{rectangle: {3}}}, {4}}}{5}}}\n",
      name, joint, length, section, more, payload);
}
const std::string hinge = "type: revolute, axis: [1, 2, 3], origin: {rpy: [10 deg, 20 deg, 30 deg]}",
                  thick = "{width_y: 30 mm, height_z: 20 mm}", thin = "{width_y: 20 mm, height_z: 15 mm}";

// Bent and twisted, with a step and with a link beyond that carries something.
TEST(ExactPieces, EqualLinksOnFixedJoints) {
  const std::string strains = "flexibility: {strains: {bending_y: 2, bending_z: 2, torsion: 1";
  const std::string last =
      link_text("last", "type: revolute, axis: [0, 1, 0]", 0.3, thin, "flexibility: rigid",
                ", payload: {mass: 0.5, com: [0.02, 0.03, -0.01], inertia: {xx: 1e-3, yy: 2e-3, zz: 2e-3}}");
  expect_same_equations(
      arm_of(link_text("a", hinge, 1.2, thick,
                       "steps: [{at: 0.4, section: {rectangle: " + thin + "}}], " + strains + ", pieces: 3}}") +
             last),
      arm_of(link_text("a", hinge, 0.4, thick, strains + "}}") +
             link_text("b", "type: fixed", 0.4, thin, strains + "}}") +
             link_text("c", "type: fixed", 0.4, thin, strains + "}}") + last));
}

TEST(ExactPieces, EqualPlaneLinksOnFixedJoints) {
  const std::string strains = "flexibility: {strains: {bending_z: 3";
  expect_same_equations(arm_of(link_text("a", hinge, 1, thin, strains + ", pieces: 2}}")),
                        arm_of(link_text("a", hinge, 0.5, thin, strains + "}}") +
                               link_text("b", "type: fixed", 0.5, thin, strains + "}}")));
}

/// One and a half metres of two sections.
Beam stepped_beam(double at) {
  Beam beam{1.5, {"", 70e9, 0.33, 2700, {}}, {Rectangle{0.02, 0.03}, {}}, {}};
  beam.steps.push_back({at, {Rectangle{0.012, 0.02}, {}}});
  return beam;
}

// A moment on the tip bends each part into an arc of its own: exact with one term a piece.
TEST(ExactPieces, ASteppedBeamBendsIntoTwoArcs) {
  const Beam beam = stepped_beam(0.5);
  const BeamMatter matter(beam, true);
  Strains terms = strains(1, 0, 0);
  terms.pieces = 3;
  terms.points = 8;
  const StrainBasis basis(RodMatter::of(matter), terms);
  const double moment = 300, of_root = moment / matter.at(0.1).bending.z(), of_rest = moment / matter.at(1).bending.z();
  const double turn = 0.5 * of_root, all = turn + of_rest;
  // One metre of the thin part follows the half metre of the thick one.
  const VectorXd delta = basis.K.llt().solve(VectorXd::Constant(3, moment));
  EXPECT_NEAR(delta.sum(), all, 1e-12);
  ExactLink<double> link(basis);
  link.place(delta.data());
  EXPECT_GT(all, 1.5);
  EXPECT_NEAR(link.tip().p.x, std::sin(turn) / of_root + (std::sin(all) - std::sin(turn)) / of_rest, 1e-12);
  EXPECT_NEAR(link.tip().p.y, (1 - std::cos(turn)) / of_root + (std::cos(turn) - std::cos(all)) / of_rest, 1e-12);
}

/// [w, w′, M, V] at the end of a uniform part from those at its start, at the angular frequency: Euler and Bernoulli's beam.
Eigen::Matrix4d transfer(double length, double EI, double mass, double frequency) {
  const double b = std::sqrt(frequency * std::sqrt(mass / EI)), s = b * length;
  const double c0 = (std::cosh(s) + std::cos(s)) / 2, c1 = (std::sinh(s) + std::sin(s)) / 2,
               c2 = (std::cosh(s) - std::cos(s)) / 2, c3 = (std::sinh(s) - std::sin(s)) / 2;
  const double e = EI * b * b;
  Eigen::Matrix4d T;
  T << c0, c1 / b, c2 / e, c3 / (e * b),  //
      b * c3, c0, c1 / (e / b), c2 / e,   //
      e * c2, e / b * c3, c0, c1 / b,     //
      e * b * c1, e * c2, b * c3, c0;
  return T;
}

TEST(ExactPieces, ASteppedCantileverVibratesAsItsClosedForm) {
  const BeamMatter matter(stepped_beam(1.0), false);
  Strains terms = strains(8, 0, 0);
  terms.pieces = 3;
  const StrainBasis basis(RodMatter::of(matter), terms);
  const VectorXd ours = symmetric_modes(basis.K, basis.M).values.cwiseSqrt();
  const SectionMatter root = matter.at(0.1), outer = matter.at(1.2);
  const auto free_end = [&](double frequency) {  // M = V = 0 at the tip, from M and V at the clamp
    const Eigen::Matrix4d T =
        transfer(0.5, outer.bending.z(), outer.mass, frequency) * transfer(1.0, root.bending.z(), root.mass, frequency);
    return T.bottomRightCorner<2, 2>().determinant();
  };
  for (int mode = 0; mode < 4; ++mode) {
    double low = ours[mode] * (1 - 1e-4), high = ours[mode] * (1 + 1e-4);
    const bool sign = free_end(low) > 0;
    ASSERT_NE(sign, free_end(high) > 0) << "no frequency near that of mode " << mode;
    for (int i = 0; i < 60; ++i) ((free_end((low + high) / 2) > 0) == sign ? low : high) = (low + high) / 2;
    EXPECT_NEAR(ours[mode] / low, 1, mode < 3 ? 1e-9 : 2e-9) << mode;
  }
}

// What a FlexBasis says of small motions is what the link does at δ = 0.
TEST(ExactPieces, SmallMotionsAreThoseOfTheUnloadedLink) {
  Beam beam = stepped_beam(0.5);
  StrainTerms terms;
  terms.bending_y = 2;
  terms.bending_z = terms.torsion = terms.axial = terms.shear_y = 1;
  terms.pieces = 3;
  beam.flexibility = terms;
  const std::vector<SectionBody> bodies{uneven_body(0.7)};
  const FlexBasis basis = exact_basis(beam, terms, true, bodies, {});
  const int m = basis.size();
  ASSERT_EQ(m, 18);
  EXPECT_EQ(basis.names.back(), "18");
  ExactLink<double> link(*basis.exact, true, LinkDetail::sections);
  const VectorXd none = VectorXd::Zero(m);
  const auto at_rest = blocks_at<double>(link, none, Vector3d::Zero(), none);
  EXPECT_NEAR(basis.mass, basis.exact->mass, 1e-13);
  EXPECT_LT((basis.tip_psi - at_rest.Phi.topRows<3>()).norm(), 1e-13);
  EXPECT_LT((basis.tip_phi - at_rest.Phi.bottomRows<3>()).norm(), 1e-13);
  EXPECT_LT((basis.S - at_rest.M_Bf.bottomRows<3>()).norm(), 1e-13);
  for (const double x : {0.2, 0.5, 0.7, 1.4}) {
    const RodFrame<double> frame = frame_at(link, none, x);
    const SectionShapes section = *basis.section_at(x);
    for (int i = 0; i < section.size(); ++i) {
      const size_t k = size_t(section.coordinates[size_t(i)]);
      EXPECT_LT((section.psi.col(i) - vector_of(frame.turn[k])).norm(), 1e-13);
      EXPECT_LT((section.phi.col(i) - vector_of(frame.slide[k])).norm(), 1e-13);
    }
  }
}

TEST(ExactPieces, SectionsStepWherePiecesMeetOnly) {
  const BeamMatter matter(stepped_beam(0.6), true);
  Strains terms = strains(2, 0, 0);
  terms.pieces = 3;
  EXPECT_THROW(StrainBasis(RodMatter::of(matter), terms), std::logic_error);
  terms.pieces = 5;
  EXPECT_EQ(StrainBasis(RodMatter::of(matter), terms).breaks.size(), 6u);
}

}  // namespace
}  // namespace lithe::testing
