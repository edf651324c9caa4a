// The thesis's text taken at its word: against another program that does the same, where it must agree with the consistent
// models, and what it does to the balance of energy.
#include "lithe/simulate/finite_element/literal_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "lithe/describe/case_reader.h"
#include "lithe/simulate/finite_element/floating_model.h"
#include "lithe/simulate/newmark.h"
#include "lithe/spatial/dense_eigen.h"
#include "support/allocation_count.h"
#include "support/naganathan_arms.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

struct Slew {
  Case data;
  Arm arm;
  Drives drives;
  explicit Slew(const std::string& text)
      : data(read_case_text(text).data), arm(Arm::assemble(data)), drives(data, arm) {
    drives.enter(0, 2.5);
  }
  /// Tip errors every 0.05 s.
  Matrix3Xd march(NominalModel& model, double step) {
    Newmark newmark(model, {.step = step, .increment_tolerance = 1e-11});
    newmark.restart(0, VectorXd::Zero(model.size()), VectorXd::Zero(model.size()));
    Matrix3Xd errors(3, 50);
    for (int k = 0; k < 50; ++k) {
      newmark.advance(0.05 * (k + 1));
      errors.col(k) = model.tip_displacement(newmark.t(), newmark.z(), arm.last_link()).head<3>();
    }
    return errors;
  }
};

/// Planar case 1 from another pose; `base`: how it stands in the world.
std::string case_1(const std::string& elbow, const std::string& plane = "y", const std::string& base = "fixed",
                   const std::string& upper = "{elements: 2, element: linear, plane: y}") {
  return planar_case_1({.upper = upper,
                        .fore = "{elements: 2, element: linear, plane: " + plane + "}",
                        .base = base,
                        .more = "initial: {elbow: " + elbow + "}\nsimulate: {for: 2.5 s}\n"});
}

const char* const both =
    "motion: {shoulder: {cycloidal: {to: 60 deg, in: 2.5 s}}, elbow: {cycloidal: {to: 60 deg, in: "
    "2.5 s}}}\n";
const char* const against =
    "motion: {shoulder: {cycloidal: {to: 60 deg, in: 2.5 s}}, elbow: {cycloidal: {to: 30 deg, "
    "in: 2.5 s}}}\n";  // from 90°
const char* const held =
    "motion: {shoulder: {cycloidal: {to: 0 deg, in: 1 s}}, elbow: {cycloidal: {to: 40 deg, in: 1 s}}}\n";

double peak(const Matrix3Xd& errors) { return errors.cwiseAbs().maxCoeff(); }

TEST(LiteralModel, TipErrorsOfAnotherProgram) {
  Matrix3Xd straight = Matrix3Xd::Zero(3, 50), bent = Matrix3Xd::Zero(3, 50);
  std::ifstream file(LITHE_SOURCE_DIR "/tests/reference/naganathan_case1_tip_literal.csv");
  std::string line;
  std::getline(file, line);
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(std::getline(file, line));
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    double t;
    words >> t >> straight(0, k) >> straight(1, k) >> bent(0, k) >> bent(1, k);
  }
  // The same elements, method and step, by another program: only rounding is between them.
  const std::tuple<const char*, const char*, const Matrix3Xd*> cases[] = {{"0", both, &straight},
                                                                          {"90 deg", against, &bent}};
  for (const auto& [elbow, drives, theirs] : cases) {
    Slew slew(case_1(elbow) + drives);
    LiteralModel literal(slew.data, slew.arm, slew.drives);
    const Matrix3Xd ours = slew.march(literal, 5e-3);
    EXPECT_LT(peak(ours - *theirs), 1e-9 * peak(*theirs));
    // The reference must tell the two readings apart.
    NominalModel nominal(slew.data, slew.arm, slew.drives);
    EXPECT_GT(peak(slew.march(nominal, 5e-3) - *theirs), 0.02 * peak(*theirs));
  }
}

TEST(LiteralModel, SpatialElementsAndATurnedWorldChangeNothing) {
  Slew plane(case_1("0") + both);
  LiteralModel literal(plane.data, plane.arm, plane.drives);
  const Matrix3Xd expected = plane.march(literal, 2e-3);
  const std::string all = "{elements: 2, element: linear}";
  Slew turned(case_1("0", "both", "{type: fixed, origin: {rpy: [0.4, -0.7, 1.1]}}", all) + both);
  LiteralModel spatial(turned.data, turned.arm, turned.drives);
  const Matrix3d R = turned.arm.root(0).X_WR.R;
  EXPECT_LT(peak(R.transpose() * turned.march(spatial, 2e-3) - expected), 1e-9 * peak(expected));
}

TEST(LiteralModel, FramesAreDerivativesOfWhereTheyAre) {
  // A commanded motion and a displacement, smooth in time; differences of orientation and place are the witness.
  auto theta = [](double t) { return Vector3d(0.3 + 0.5 * t, -0.4 + t * t, 0.2 - 0.7 * t + 0.3 * t * t); };
  auto u = [](double t) { return Vector3d(std::sin(t), t * t, 1 - t); };
  auto R_c = [](double t) {
    return Matrix3d(Eigen::AngleAxisd(0.8 * t + t * t, Vector3d(1, 2, -1).normalized()) *
                    Eigen::AngleAxisd(0.3, Vector3d(0, 1, 0)));
  };
  auto p_c = [](double t) { return Vector3d(std::cos(2 * t), t, t * t * t); };
  const double t = 0.2, h = 1e-4;
  auto first = [&](auto f) { return ((f(t + h) - f(t - h)) / (2 * h)).eval(); };
  auto twice = [&](auto f) { return ((f(t + h) - 2 * f(t) + f(t - h)) / (h * h)).eval(); };
  auto exp = [](const Vector3d& v) { return Matrix3d(Eigen::AngleAxisd(v.norm(), v.normalized())); };
  // ω̃ = RᵀṘ and ω̃̇, in the frame's axes.
  auto spin = [&](auto R, double at) -> Vector3d {
    const Matrix3d W = R(at).transpose() * (R(at + h) - R(at - h)) / (2 * h);
    return Vector3d(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1)) / 2;
  };
  auto motion = [&](auto R, auto p) {
    return FrameMotion{spin(R, t), (spin(R, t + h) - spin(R, t - h)) / (2 * h), R(t).transpose() * twice(p)};
  };
  const DisplacedFrame ours = displaced_frame(R_c(t), motion(R_c, p_c), stacked(u(t), theta(t)),
                                              stacked(first(u), first(theta)), stacked(twice(u), twice(theta)));
  auto R = [&](double at) { return Matrix3d(exp(theta(at)) * R_c(at)); };
  auto p = [&](double at) { return Vector3d(p_c(at) + u(at)); };
  const FrameMotion theirs = motion(R, p);
  EXPECT_LT((ours.R - R(t)).norm(), 1e-14);
  EXPECT_LT((ours.motion.omega - theirs.omega).norm(), 1e-6);
  EXPECT_LT((ours.motion.alpha - theirs.alpha).norm(), 1e-6);
  EXPECT_LT((ours.motion.a - theirs.a).norm(), 1e-6);
}

TEST(LiteralModel, IsTheLinearModelWhereNoParentDeforms) {
  auto unbalanced = [](NominalModel& model, const VectorXd& z) {
    const int n = model.size();
    VectorXd force(n);
    model.unbalanced(0.6, z, random_vector(n, 2, 0.1).cwiseProduct((z.array() != 0).cast<double>().matrix()),
                     random_vector(n, 3, 2).cwiseProduct((z.array() != 0).cast<double>().matrix()), force);
    return force;
  };
  auto compare = [&](Slew& slew, const std::vector<int>& zero, bool same) {
    LiteralModel literal(slew.data, slew.arm, slew.drives);
    NominalModel nominal(slew.data, slew.arm, slew.drives);
    VectorXd z = random_vector(nominal.size(), 1, 0.01);
    for (const int k : zero) z[k] = 0;
    const VectorXd theirs = unbalanced(nominal, z), ours = unbalanced(literal, z);
    if (same) {
      EXPECT_LT((ours - theirs).norm(), 1e-13 * theirs.norm());
    } else {
      EXPECT_GT((ours - theirs).norm(), 1e-3 * theirs.norm());
    }
  };
  // One link; a rigid parent; a parent whose tip is where it should be, whatever its other nodes do; and one where it is not.
  Slew single(R"(
arm:
  links:
    - name: beam
      joint: {name: hub, type: revolute, axis: [0, 1, 0]}
      beam: {length: 1, material: steel, section: {circle: {diameter: 10 mm}}, flexibility: {elements: 3, element: linear}}
      payload: {mass: 0.3, com: [0.1, 0, 0.1]}
torque: {hub: {servo: {kp: 100, kv: 5, follow: {cycloidal: {to: 1 rad, in: 2 s}}}}}
)");
  compare(single, {}, true);
  Slew rigid(case_1("0", "y", "fixed", "rigid") + both), bending(case_1("0") + both);
  compare(rigid, {}, true);
  NominalModel numbers(bending.data, bending.arm, bending.drives);
  std::vector<int> tip;
  for (const int component : {0, 1, 5}) tip.push_back(numbers.correlation(0, 2, component));
  compare(bending, tip, true);
  compare(bending, {}, false);
}

/// Kinetic and elastic energy of nodes in the world; joints that stand still do no work, so it must stay.
struct EnergyRange {
  double least = INFINITY, most = 0;
  void see(double energy) {
    least = std::min(least, energy);
    most = std::max(most, energy);
  }
  double spread() const { return most / least - 1; }
};

TEST(LiteralModel, DoesNotKeepTheEnergyOfAnArmThatIsHeld) {
  // Let go from a bent shape, joints held; bent so little that nothing is of second order.
  auto range = [](NominalModel& model) {
    const NominalModel::Matrices held_still = model.matrices(0);
    const VectorXd load = VectorXd::Unit(model.size(), model.correlation(1, 2, 1));
    const VectorXd z0 = 1e-10 * solve_symmetric(MatrixXd(held_still.K_c), load).normalized();
    Newmark newmark(model, {.step = 1e-3});
    newmark.restart(0, z0, VectorXd::Zero(model.size()));
    EnergyRange energy;
    for (int k = 0; k < 500; ++k) {
      newmark.advance(2e-3 * (k + 1));
      energy.see(newmark.v().dot(held_still.J * newmark.v()) / 2 + newmark.z().dot(held_still.K_c * newmark.z()) / 2);
    }
    return energy;
  };
  Slew slew(case_1("40 deg") + held);
  NominalModel nominal(slew.data, slew.arm, slew.drives);
  EXPECT_LT(range(nominal).spread(), 1e-6);
  LiteralModel literal(slew.data, slew.arm, slew.drives);
  // Between 0.37 and 1.02 of the start.
  EXPECT_GT(range(literal).spread(), 1);

  FloatingModel floating(slew.data, slew.arm, slew.drives);
  State state = slew.drives.initial_state();
  const Link& fore = slew.arm.link(1);
  const VectorXd tip_force = VectorXd::Unit(fore.n_flex(), 4);  // along y at the second node
  state.q.segment(fore.flex_q0(), fore.n_flex()) =
      1e-10 * solve_symmetric(MatrixXd(fore.flex->K), tip_force).normalized();
  VectorXd z, v;
  floating.unknowns_of(state, z, v);
  Newmark newmark(floating, {.step = 1e-3});
  newmark.restart(0, z, v);
  EnergyRange energy;
  for (int k = 0; k < 500; ++k) {
    newmark.advance(2e-3 * (k + 1));
    floating.state_of(newmark.t(), newmark.z(), newmark.v(), state);
    energy.see(kinetic_energy(slew.arm, state, kinematics_of(slew.arm, state)) + elastic_energy(slew.arm, state));
  }
  EXPECT_LT(energy.spread(), 1e-6);
}

TEST(LiteralModel, StepsAllocateNothing) {
  Slew slew(case_1("0") + both);
  LiteralModel model(slew.data, slew.arm, slew.drives);
  Newmark newmark(model, {.step = 1e-3});
  newmark.restart(0, VectorXd::Zero(model.size()), VectorXd::Zero(model.size()));
  newmark.advance(2e-3);
  const long before = allocations(), factorised = newmark.work().factorisations;
  newmark.advance(4e-3);
  ASSERT_EQ(newmark.work().factorisations, factorised) << "a new factorisation may allocate";
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace lithe::testing
