// Newmark and generalised-α: order, dissipation, failure; and naganathan86's first case through them, against another program
// and against the articulated recursion under CVODE.
#include "lithe/simulate/newmark.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "lithe/describe/case_reader.h"
#include "lithe/simulate/finite_element/floating_model.h"
#include "lithe/simulate/finite_element/nominal_model.h"
#include "lithe/simulate/system.h"
#include "support/allocation_count.h"
#include "support/naganathan_arms.h"

namespace lithe::testing {
namespace {

/// ẍ + ω² x + stiffening x³ = 0 for each of some ω; from the stiffening on, K is not the exact derivative.
class Oscillators : public SecondOrderSystem {
 public:
  Oscillators(const VectorXd& omega, double stiffening = 0) : w2_(omega.cwiseAbs2()), stiffening_(stiffening) {
    sum_ = MatrixXd(w2_.asDiagonal()).sparseView();
  }
  int size() const override { return int(w2_.size()); }
  std::string name_of(int unknown) const override { return "oscillator " + std::to_string(unknown); }
  void unbalanced(double, const VectorXd& z, const VectorXd&, const VectorXd& a, VectorXd& force) override {
    force = -a - w2_.cwiseProduct(z) - stiffening_ * z.cwiseProduct(z).cwiseProduct(z);
  }
  const SparseMatrixd& weighted_sum(double, const VectorXd&, const VectorXd&, double mass, double,
                                    double stiffness) override {
    for (int k = 0; k < size(); ++k) sum_.coeffRef(k, k) = mass + stiffness * w2_[k];
    return sum_;
  }

 private:
  VectorXd w2_;
  double stiffening_;
  SparseMatrixd sum_;
};

TEST(Newmark, SecondOrderAndItsKnownPeriod) {
  for (const std::optional<double> rho : {std::optional<double>(), {1.0}, {0.5}, {0.0}}) {
    std::vector<double> errors;
    for (const double step : {0.005, 0.0025, 0.00125}) {
      Oscillators system(VectorXd::Constant(1, 3));
      Newmark newmark(system, {.step = step, .rho_infinity = rho});
      newmark.restart(0, VectorXd::Constant(1, 1), VectorXd::Constant(1, 0.6));
      newmark.advance(1);
      EXPECT_EQ(newmark.work().steps, std::lround(1 / step));
      errors.push_back(newmark.z()[0] - (std::cos(3.0) + 0.2 * std::sin(3.0)));
      // The average acceleration turns by 2 atan(ωΔt/2) a step, no more and no less.
      const double phase = 2 * std::atan(1.5 * step) / step;
      if (!rho) {
        EXPECT_NEAR(newmark.z()[0], std::cos(phase) + 0.2 * std::sin(phase), 1e-11);
      }
    }
    EXPECT_NEAR(errors[0] / errors[1], 4, 0.1);
    EXPECT_NEAR(errors[1] / errors[2], 4, 0.05);
  }
}

TEST(Newmark, KeepsEnergyOrTakesItFromTheFastModesOnly) {
  const VectorXd omega = (VectorXd(2) << 2, 1e5).finished();
  auto amplitudes = [&](std::optional<double> rho) {
    Oscillators system(omega);
    Newmark newmark(system, {.step = 0.01, .rho_infinity = rho});
    newmark.restart(0, VectorXd::Constant(2, 1), VectorXd::Zero(2));
    newmark.advance(5);
    return VectorXd((newmark.z().cwiseAbs2() + newmark.v().cwiseQuotient(omega).cwiseAbs2()).cwiseSqrt());
  };
  const VectorXd kept = amplitudes({}), damped = amplitudes(0.8), killed = amplitudes(0.0);
  EXPECT_NEAR(kept[0], 1, 1e-10);
  EXPECT_NEAR(kept[1], 1, 1e-10);
  EXPECT_NEAR(damped[0], 1, 1e-4);
  EXPECT_LT(damped[1], 1e-40);  // 0.8^500 = 4e-49
  EXPECT_NEAR(killed[0], 1, 1e-3);
  EXPECT_LT(killed[1], 1e-100);
}

TEST(Newmark, HalvesAStepThatDoesNotConvergeAndThenSaysSo) {
  // With a stiffening that its matrix does not know, four iterations do for small steps only.
  Oscillators hard(VectorXd::Constant(1, 1), 3000);
  Newmark newmark(hard, {.step = 0.1, .most_iterations = 4});
  newmark.restart(0, VectorXd::Constant(1, 1), VectorXd::Zero(1));
  newmark.advance(0.1);
  EXPECT_GT(newmark.work().halvings, 0);
  EXPECT_NEAR(newmark.t(), 0.1, 1e-15);

  Oscillators harder(VectorXd::Constant(1, 1), 1e9);
  Newmark hopeless(harder, {.step = 0.1, .most_iterations = 3, .most_halvings = 2});
  hopeless.restart(0, VectorXd::Constant(1, 1), VectorXd::Zero(1));
  try {
    hopeless.advance(0.1);
    FAIL() << "it cannot converge";
  } catch (const StepError& error) {
    EXPECT_EQ(error.t(), 0);
    const std::string said = error.what();
    EXPECT_EQ(
        said.find(
            "the equilibrium iteration does not converge with steps down to 0.025 s; unbalanced force by iteration "),
        0u)
        << said;
    EXPECT_NE(said.find(", most of it on oscillator 0. "), std::string::npos) << said;
    EXPECT_NE(said.find(" Try a smaller step, a motion without jumps in its acceleration, or generalised-alpha"),
              std::string::npos)
        << said;
  }
}

TEST(Newmark, AcceptsWhatBalancesThoughItConvergesSlowly) {
  // Half of the error stays at every iteration: rounding is out of reach of 25, the criterion is not.
  const double step = 0.1;
  Oscillators system(VectorXd::Constant(1, 10), 1.0 / 3 * 4 / (step * step));  // tangent 4/dt² + ω² + 3 s x²
  Newmark newmark(system, {.step = step, .increment_tolerance = 1e-14, .most_iterations = 30, .most_halvings = 0});
  newmark.restart(0, VectorXd::Constant(1, 1), VectorXd::Zero(1));
  EXPECT_NO_THROW(newmark.advance(step));
  EXPECT_EQ(newmark.work().steps, 1);
  EXPECT_GT(newmark.work().iterations, 8) << "too easy to prove anything";
}

TEST(Newmark, StepsFollowTheTolerance) {
  for (const std::optional<double> rho : {std::optional<double>(), {0.6}}) {
    std::vector<double> errors;
    std::vector<long> steps;
    for (const double tolerance : {1e-5, 1e-6, 1e-7}) {
      Oscillators system(VectorXd::Constant(1, 3));
      Newmark newmark(system, {.step = 1, .tolerance = NewmarkTolerance{tolerance, 1e-12}, .rho_infinity = rho});
      newmark.restart(0, VectorXd::Constant(1, 1), VectorXd::Zero(1));
      newmark.advance(4);
      errors.push_back(std::abs(newmark.z()[0] - std::cos(12.0)));
      steps.push_back(newmark.work().steps);
    }
    // Local errors go as Δt³, those of the whole as Δt²: a factor of 100 in tolerance is some 4.6 in steps and 21 in error;
    // steps halve and double, so not exactly.
    EXPECT_GT(errors[0] / errors[2], 8);
    EXPECT_LT(errors[0] / errors[2], 64);
    EXPECT_GT(double(steps[2]) / double(steps[0]), 2.5);
    EXPECT_LT(double(steps[2]) / double(steps[0]), 9);
    EXPECT_LT(errors[2], 2e-4);
  }
}

TEST(Newmark, ModesTooFastToSeeDoNotShrinkTheStep) {
  // Unfiltered, the fast mode's acceleration of 1e10 × 1e-9 would ask for steps of its own period.
  Oscillators system((VectorXd(2) << 3, 1e5).finished());
  Newmark newmark(system, {.step = 1, .tolerance = NewmarkTolerance{1e-5, 1e-8}});
  newmark.restart(0, (VectorXd(2) << 1, 1e-9).finished(), VectorXd::Zero(2));
  newmark.advance(4);
  EXPECT_LT(newmark.work().steps, 1000);
  EXPECT_NEAR(newmark.z()[0], std::cos(12.0), 5e-3);
}

// ---------------------------------------------------------------------------------------------------------- case 1

std::string case_1(
    int elements, double E = 70e9,
    const std::string& drives = "motion: {shoulder: &slew {cycloidal: {to: 60 deg, in: 2.5 s}}, elbow: *slew}") {
  const std::string flexibility = fmt::format("{{elements: {}, element: linear, plane: y}}", elements);
  return planar_case_1({.upper = flexibility,
                        .fore = flexibility,
                        .E = fmt::format("{}", E),
                        .more = drives + "\nsimulate: {for: 2.5 s, rtol: 1e-9, atol: 1e-12}"});
}

/// A case with its drives, and the tip errors of the three ways at times 0.05, 0.10, … 2.5 s.
struct Slew {
  Case data;
  Arm arm;
  Drives drives;
  explicit Slew(const std::string& text)
      : data(read_case_text(text).data), arm(Arm::assemble(data)), drives(data, arm) {}

  static std::vector<double> times() {
    std::vector<double> result;
    for (int k = 1; k <= 50; ++k) result.push_back(0.05 * k);
    return result;
  }
  Vector3d error_of(State state) {
    const Vector3d tip = kinematics_of(arm, state).X_WT.back().p;
    drives.command_state(state);
    return tip - kinematics_of(arm, state).X_WT.back().p;
  }

  Matrix3Xd floating(const NewmarkOptions& options) {
    drives.enter(0, 2.5);
    FloatingModel model(data, arm, drives);
    Newmark newmark(model, options);
    State state = drives.initial_state();
    VectorXd z, v;
    model.unknowns_of(state, z, v);
    newmark.restart(0, z, v);
    Matrix3Xd errors(3, 50);
    for (int k = 0; k < 50; ++k) {
      newmark.advance(times()[k]);
      model.state_of(newmark.t(), newmark.z(), newmark.v(), state);
      errors.col(k) = error_of(state);
    }
    return errors;
  }

  Matrix3Xd nominal(const NewmarkOptions& options) {
    drives.enter(0, 2.5);
    NominalModel model(data, arm, drives);
    Newmark newmark(model, options);
    VectorXd z = VectorXd::Zero(model.size());
    if (data.initial.deformation == Deformation::at_rest) model.quasi_static(0, z);
    newmark.restart(0, z, VectorXd::Zero(model.size()));
    Matrix3Xd errors(3, 50);
    for (int k = 0; k < 50; ++k) {
      newmark.advance(times()[k]);
      errors.col(k) = model.tip_displacement(newmark.t(), newmark.z(), arm.last_link()).head<3>();
    }
    return errors;
  }

  Matrix3Xd by_cvode() {
    drives.enter(0, 2.5);
    System system(arm, drives, "articulated", false);
    const auto integrator = make_integrator(system, *data.simulate);
    VectorXd y = system.initial();
    integrator->restart(0, y, 2.5);
    Matrix3Xd errors(3, 50);
    State state = State::zero(arm);
    for (int k = 0; k < 50; ++k) {
      integrator->advance(times()[k], y);
      system.state_of(times()[k], y.data(), state);
      errors.col(k) = error_of(state);
    }
    return errors;
  }
};

double peak(const Matrix3Xd& errors) { return errors.cwiseAbs().maxCoeff(); }

struct TipReference {
  Matrix3Xd nominal = Matrix3Xd::Zero(3, 50), floating = Matrix3Xd::Zero(3, 50);
  TipReference() {
    std::ifstream file(LITHE_SOURCE_DIR "/tests/reference/naganathan_case1_tip_converged.csv");
    std::string line;
    std::getline(file, line);
    for (int k = 0; k < 50; ++k) {
      if (!std::getline(file, line)) throw std::runtime_error("naganathan_case1_tip_converged.csv is too short");
      std::replace(line.begin(), line.end(), ',', ' ');
      std::istringstream words(line);
      double t;
      words >> t >> nominal(0, k) >> nominal(1, k) >> floating(0, k) >> floating(1, k);
      EXPECT_NEAR(t, 0.05 * (k + 1), 1e-12);
    }
  }
};

TEST(FiniteElementCase1, TipErrorsOfAnotherProgram) {
  const TipReference reference;
  Slew slew(case_1(2));
  const Matrix3Xd nominal = slew.nominal({.step = 1e-4}), floating = slew.floating({.step = 1e-4});
  const double largest = peak(reference.floating);
  // The step's own error is 3e-6.
  EXPECT_LT(peak(nominal - reference.nominal), 1e-5 * largest);
  EXPECT_LT(peak(floating - reference.floating), 1e-5 * largest);
  // The thesis's gap of 15–25 % between the two is not in the mechanics; some gap is, of second order in the deflection.
  EXPECT_LT(peak(nominal - floating), 5e-3 * largest);
  EXPECT_GT(peak(nominal - floating), 5e-4 * largest);
}

TEST(FiniteElementCase1, AsByTheArticulatedRecursionAndCvode) {
  Slew slew(case_1(2));
  const Matrix3Xd ours = slew.floating({.step = 1e-4}), theirs = slew.by_cvode();
  EXPECT_LT(peak(ours - theirs), 1e-5 * peak(theirs));
}

TEST(FiniteElementCase1, ServosGiveWayAsByTheArticulatedRecursionAndCvode) {
  // Case 3: gains by eqs 2.27–2.28.
  Slew slew(case_1(2, 70e9,
                   "torque: {shoulder: {servo: {kp: 360.6, kv: 60.29, follow: &slew {cycloidal: {to: 60 deg, in: 2.5 "
                   "s}}}}, elbow: {servo: {kp: 45.08, kv: 7.536, follow: *slew}}}"));
  const Matrix3Xd floating = slew.floating({.step = 2e-4}), theirs = slew.by_cvode(),
                  nominal = slew.nominal({.step = 2e-4});
  EXPECT_LT(peak(floating - theirs), 1e-5 * peak(theirs));
  // The linear model leaves out what is of second order; measured 1.9 %.
  EXPECT_LT(peak(nominal - theirs), 0.03 * peak(theirs));
}

TEST(FiniteElementCase1, StiffLinksAreTheRigidArm) {
  // Deflections fall as 1/E and the drives' torques become those of rigid links.
  std::vector<double> peaks, torque_errors;
  for (const double E : {70e11, 70e13}) {
    Slew slew(case_1(2, E));
    Case rigid_data = slew.data;
    for (LinkSpec& link : rigid_data.arm.links) link.beam->flexibility = NoFlexibility{};
    const Arm rigid = Arm::assemble(rigid_data);
    Drives rigid_drives(rigid_data, rigid);
    slew.drives.enter(0, 2.5);
    rigid_drives.enter(0, 2.5);
    FloatingModel model(slew.data, slew.arm, slew.drives);
    // Fast modes that the start excites would ring on for ever.
    Newmark newmark(model, {.step = 5e-3, .rho_infinity = 0.5});
    newmark.restart(0, VectorXd::Zero(model.size()), VectorXd::Zero(model.size()));
    State state = State::zero(slew.arm), rigid_state = State::zero(rigid);
    VectorXd force(model.size()), vdot(2), tau(2);
    double largest = 0, error = 0;
    for (const double t : Slew::times()) {
      newmark.advance(t);
      model.state_of(t, newmark.z(), newmark.v(), state);
      largest = std::max(largest, slew.error_of(state).norm());
      model.unbalanced(t, newmark.z(), newmark.v(), newmark.a(), force);
      rigid_state.t = t;
      rigid_drives.impose(rigid_state);
      rigid_drives.given_accelerations(t, vdot);
      make_formulation("articulated", rigid)->inverse(rigid_state, vdot, tau);
      error = std::max({error, std::abs(model.forces()[slew.arm.link(0).v0] - tau[0]),
                        std::abs(model.forces()[slew.arm.link(1).v0] - tau[1])});
    }
    peaks.push_back(largest);
    torque_errors.push_back(error);
  }
  EXPECT_NEAR(peaks[0] / peaks[1], 100, 0.1);
  EXPECT_LT(torque_errors[1], 1e-4);  // of 3 N m and more
}

TEST(FiniteElementRun, FreeArmKeepsItsEnergy) {
  // Nothing drives it: spun up rigidly and let go, its joints free. The average acceleration keeps the energy to second order.
  std::vector<double> drifts;
  for (const double step : {4e-4, 2e-4}) {
    Slew slew(case_1(2, 70e9, ""));
    FloatingModel model(slew.data, slew.arm, slew.drives);
    Newmark newmark(model, {.step = step});
    State state = State::zero(slew.arm);
    state.v[slew.arm.link(0).v0] = 3;
    state.v[slew.arm.link(1).v0] = -2;
    VectorXd z, v;
    model.unknowns_of(state, z, v);
    newmark.restart(0, z, v);
    auto energy = [&] {
      return kinetic_energy(slew.arm, state, kinematics_of(slew.arm, state)) + elastic_energy(slew.arm, state);
    };
    const double start = energy();
    double drift = 0;
    for (const double t : Slew::times()) {
      newmark.advance(t / 5);
      model.state_of(newmark.t(), newmark.z(), newmark.v(), state);
      drift = std::max(drift, std::abs(energy() / start - 1));
    }
    drifts.push_back(drift);
  }
  EXPECT_LT(drifts[0], 1e-6);
  EXPECT_LT(drifts[1], drifts[0] / 2);
}

TEST(FiniteElementRun, StepsAllocateNothing) {
  Slew slew(case_1(2));
  slew.drives.enter(0, 2.5);
  FloatingModel model(slew.data, slew.arm, slew.drives);
  Newmark newmark(model, {.step = 1e-3});
  newmark.restart(0, VectorXd::Zero(model.size()), VectorXd::Zero(model.size()));
  newmark.advance(2e-3);
  const long before = allocations(), factorised = newmark.work().factorisations;
  newmark.advance(4e-3);
  ASSERT_EQ(newmark.work().factorisations, factorised) << "a new factorisation may allocate";
  EXPECT_EQ(allocations(), before);
}

TEST(FiniteElementRun, SpatialArmAsByTheArticulatedRecursionAndCvode) {
  // Out of the plane, under gravity, with a payload, damping and a base link: nothing vanishes.
  Slew slew(R"(
arm:
  links:
    - name: post
      joint: {name: hip, type: revolute, axis: [1, 0, 0], origin: {rpy: [0, -90 deg, 0]}}
      beam: &beam {length: 0.7, material: {E: 20 GPa, nu: 0.3, density: 2700}, section: {tube: {outer_diameter: 30 mm, inner_diameter: 26 mm}}, damping: {ratio: 0.02}, flexibility: {elements: 2, element: linear}}
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0], origin: {xyz: [0.05, 0.03, 0], rpy: [0, 90 deg, 0]}}
      beam: *beam
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0]}
      beam: *beam
      payload: {mass: 0.5, com: [0.03, 0, 0.01], inertia: {xx: 0.001, yy: 0.002, zz: 0.002}}
initial: {shoulder: 20 deg, elbow: -50 deg, deformation: static}
motion:
  hip: {cycloidal: {to: 90 deg, in: 2.5 s}}
  shoulder: {cycloidal: {to: 60 deg, in: 2.5 s}}
  elbow: {cycloidal: {to: 10 deg, in: 2.5 s}}
simulate: {for: 2.5 s, rtol: 1e-8, atol: 1e-11}
)");
  const Matrix3Xd ours = slew.floating({.step = 5e-4}), theirs = slew.by_cvode(), linear = slew.nominal({.step = 5e-4});
  EXPECT_LT(peak(ours - theirs), 1e-5 * peak(theirs));
  // The linear model leaves out what is of second order; measured 2.2 %.
  EXPECT_LT(peak(linear - theirs), 0.1 * peak(theirs));
}

}  // namespace
}  // namespace lithe::testing
