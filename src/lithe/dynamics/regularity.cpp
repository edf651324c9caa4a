#include "lithe/dynamics/regularity.h"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <random>

#include "lithe/beam/flex_tip.h"
#include "lithe/dynamics/formulation.h"

namespace lithe {
namespace {

/// [moment; force] at A's origin of what is [moment; force] at B's, and by its transpose motions the other way.
Matrix6d wrench_to(const Pose& X_AB) {
  Matrix6d X;
  X << X_AB.R, skew(X_AB.p) * X_AB.R, Matrix3d::Zero(), X_AB.R;
  return X;
}

/// The articulated inertia of everything outboard of a frame, and the scale of its rounding. Subtracting leaves an error of some ε
/// of the previous value, and errors made outboard are passed on like the inertia itself: through free joints, so that they do not
/// grow with the length of the arm.
struct Felt {
  Matrix6d inertia = Matrix6d::Zero(), measure = Matrix6d::Zero();

  void add(const Matrix6d& body) {
    inertia += body;
    measure += body;
  }
  void add(const Pose& X, const Felt& other) {
    const Matrix6d to = wrench_to(X);
    inertia += to * other.inertia * to.transpose();
    measure += to * other.measure * to.transpose();
  }
};

class PivotWalk {
 public:
  PivotWalk(const Arm& arm, const State& state) : arm_(arm), state_(state), pivots_(size_t(arm.nv())) {}

  std::vector<InertiaPivot> run() {
    std::vector<Felt> at_tip(size_t(arm_.n_links()));
    for (int i = arm_.n_links() - 1; i >= 0; --i) {
      const Link& link = arm_.link(i);
      at_tip[i].add(link.payload_T.matrix());
      Felt felt;
      felt.add(link.M_B.matrix());
      if (!link.flex)
        felt.add(link.X_BT, at_tip[i]);
      else if (!yield_to_shapes(link, at_tip[i], felt))
        break;
      if (!yield_to_joint(link, felt)) break;
      if (link.parent < 0) continue;
      const Pose X_FB = link.joint->X_FM(state_.q.data() + link.q0);
      at_tip[link.parent].add(link.X_PF * X_FB, felt);
    }
    return std::move(pivots_);
  }

 private:
  /// Direction by direction, the last first:  P −= U Uᵀ/d  with U = P H, d = Hᵀ U.
  bool yield_to_joint(const Link& link, Felt& felt) {
    JointDirections H;
    link.joint->directions(state_.q.data() + link.q0, H);
    const double rotor = link.nv() == 1 ? link.rotor_inertia : 0;
    for (int k = link.nv() - 1; k >= 0; --k) {
      const Vector6d h = H.col(k), U = felt.inertia * h;
      InertiaPivot& pivot = pivots_[link.v0 + k];
      pivot = {h.dot(U) + rotor, h.dot(felt.measure * h) + rotor};
      if (!pivot.sound()) return false;
      const Matrix6d passes = Matrix6d::Identity() - U * h.transpose() / pivot.left;
      felt.measure = (passes * felt.measure * passes.transpose() + felt.inertia).eval();
      felt.inertia -= U * U.transpose() / pivot.left;
    }
    return true;
  }

  /// The same for the shapes of a link, together: F of the shapes themselves, N their momentum about B, both with what hangs on
  /// the tip. F is sparse for elements, and is eliminated from the last coordinate on.
  bool yield_to_shapes(const Link& link, const Felt& at_tip, Felt& felt) {
    const FlexBasis& flex = *link.flex;
    const int m = flex.size(), n_tip = int(flex.tip_coordinates.size());
    const Matrix6d to_B = wrench_to(link.X_BT);
    const Matrix3d R_TB = link.X_BT.R.transpose();
    Matrix6Xd N(6, m), Phi(6, n_tip);  // Phi: how the tip moves, in its own axes
    for (int k = 0; k < m; ++k) {
      const auto& P0 = flex.P0;
      N.col(k) << P0[1](2, k) - P0[2](1, k), P0[2](0, k) - P0[0](2, k), P0[0](1, k) - P0[1](0, k), flex.S.col(k);
      N.col(k).head<3>() += flex.H.col(k);
    }
    const auto shapes = FlexTip(flex).shapes_in(R_TB);
    for (int t = 0; t < n_tip; ++t) {
      const int k = flex.tip_coordinates[t];
      Phi.col(t) << shapes.turn(k), shapes.slide(k);
      N.col(k) += to_B * (at_tip.inertia * Phi.col(t));
    }
    const MatrixXd C = Phi.transpose() * at_tip.inertia * Phi;
    VectorXd measure = flex.M.diagonal();
    for (int t = 0; t < n_tip; ++t) measure[flex.tip_coordinates[t]] += Phi.col(t).dot(at_tip.measure * Phi.col(t));

    // Coordinates differ in unit and size: scaled to a diagonal of one or less. Turned round, so that the last comes first.
    const VectorXd scale = measure.unaryExpr([](double x) { return x > 0 ? 1 / std::sqrt(x) : 0; });
    std::vector<Eigen::Triplet<double>> entries;
    auto put = [&](int row, int column, double value) {
      entries.emplace_back(m - 1 - row, m - 1 - column, scale[row] * value * scale[column]);
    };
    for (int k = 0; k < m; ++k)
      for (SparseMatrixd::InnerIterator entry(flex.M, k); entry; ++entry) put(int(entry.row()), k, entry.value());
    for (int a = 0; a < n_tip; ++a)
      for (int b = 0; b < n_tip; ++b) put(flex.tip_coordinates[a], flex.tip_coordinates[b], C(a, b));
    SparseMatrixd F(m, m);
    F.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower, Eigen::NaturalOrdering<int>> factors(F);
    const VectorXd D = factors.vectorD();  // where it failed, up to a pivot that is zero
    for (int k = m - 1; k >= 0; --k) {
      InertiaPivot& pivot = pivots_[link.flex_v0() + k];
      pivot = {scale[k] > 0 ? D[m - 1 - k] * measure[k] : 0, measure[k]};
      if (!pivot.sound()) return false;
    }
    const MatrixXd turned = (scale.asDiagonal() * N.transpose()).colwise().reverse();             // m × 6
    const MatrixXd G = scale.asDiagonal() * MatrixXd(factors.solve(turned)).colwise().reverse();  // F⁻¹ Nᵀ
    Matrix6d passes = to_B;
    for (int t = 0; t < n_tip; ++t) passes -= G.row(flex.tip_coordinates[t]).transpose() * Phi.col(t).transpose();
    felt.inertia += to_B * at_tip.inertia * to_B.transpose();
    felt.measure += passes * at_tip.measure * passes.transpose() + felt.inertia;
    felt.inertia -= N * G;
    return true;
  }

  const Arm& arm_;
  const State& state_;
  std::vector<InertiaPivot> pivots_;
};

}  // namespace

std::vector<InertiaPivot> inertia_pivots(const Arm& arm, const State& state) { return PivotWalk(arm, state).run(); }

namespace {

/// The link whose hinge turns about the axis of this one's joint, or about its place where hinges of segments turn every way, with
/// nothing between them; −1: none.
int coaxial_hinge(const Arm& arm, int i_link) {
  const Link& link = arm.link(i_link);
  const auto joint = link.joint->single_axis();
  if (!joint || !joint->turns || link.flex || link.whole_inertia().mass > 0) return -1;
  for (int i = i_link + 1; i < arm.n_links(); ++i) {
    const Link& next = arm.link(i);
    const auto hinge = next.joint->single_axis();
    if (next.parent != i_link || next.role == LinkRole::rotor || !hinge || !hinge->turns) continue;
    const Pose X_BF = link.X_BT * next.X_PF;
    if (next.role == LinkRole::segment && X_BF.p.isZero(1e-12)) return i;
    const bool parallel = (X_BF.R * hinge->axis).cross(joint->axis).isZero(1e-9);
    if (parallel && X_BF.p.cross(joint->axis).isZero(1e-9)) return i;
  }
  return -1;
}

std::string advice_about(const Arm& arm, int i_link, int culprit) {
  const Link& link = arm.link(i_link);
  if (culprit >= link.flex_v0()) return "torsion of a thin link without rotary inertia, or too many shapes?";
  const int i_hinge = coaxial_hinge(arm, i_link);
  if (i_hinge < 0) return "massless link?";
  const Link& hinge = arm.link(i_hinge);
  if (hinge.role == LinkRole::segment)
    return fmt::format(
        "the first hinge of the segments, '{}', turns at the joint itself and nothing between them has mass: use "
        "`springs: calibrated`, whose first hinge is half a segment further out, or give the joint a motor with "
        "inertia",
        hinge.joint_name);
  return fmt::format(
      "it turns about the same axis as '{}' and nothing between them has mass: leave out one of them, or give the link "
      "between them mass",
      hinge.joint_name);
}

}  // namespace

void check_regular(const Arm& arm) {
  if (arm.nv() == 0) return;
  // A generic configuration shows the rank; a few are used, in case one of them is not generic. The first coordinate from the
  // tips inwards that moves nothing is the one whose outboard side is empty; the farthest inboard over all of them is reported.
  std::minstd_rand random(7);
  std::uniform_real_distribution<double> angle(-2, 2);
  int culprit = arm.nv();
  for (int trial = 0; trial < 3; ++trial) {
    State state = State::zero(arm);
    VectorXd step = VectorXd::NullaryExpr(arm.nv(), [&] { return angle(random); });
    for (const Link& link : arm.links()) step.segment(link.flex_v0(), link.n_flex()).setZero();
    displace(arm, state.q, step);
    const std::vector<InertiaPivot> pivots = inertia_pivots(arm, state);
    int first = arm.nv() - 1;
    while (first >= 0 && pivots[first].sound()) --first;
    if (first < 0) return;
    culprit = std::min(culprit, first);
  }
  std::string path = "arm.base", advice = "give the base a body";
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (link.i_case < 0 || culprit < link.v0 || culprit >= link.flex_v0() + link.n_flex()) continue;
    path = fmt::format("arm.links[{}]", link.i_case);
    advice = advice_about(arm, i, culprit);
  }
  throw FieldError(path, fmt::format("the mass matrix is singular: '{}' moves no inertia of its own ({})",
                                     arm.coordinates()[culprit], advice));
}

}  // namespace lithe
