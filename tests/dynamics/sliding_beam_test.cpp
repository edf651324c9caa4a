// Beams that slide through a guide: against matter points followed through the world, Lagrange's equations by differences, a
// beam in axial motion by smooth functions, rigid and ordinary arms in their limits, and work against energy.
#include "lithe/dynamics/finite_element/sliding_beam.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dynamics/deployed_beam.h"
#include "lithe/analyse/statics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/simulate/finite_element/floating_model.h"
#include "lithe/simulate/finite_element/nominal_model.h"
#include "lithe/simulate/newmark.h"
#include "support/allocation_count.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

constexpr double pi = std::numbers::pi;

/// A bending link that carries a beam in a guide, off axis, which carries a third link; soft and fat, so that all terms count.
std::string spatial_arm(const std::string& guide, const std::string& more = "") {
  return fmt::format(R"(
arm:
  gravity: [0.3, -4, -9.81]
  links:
    - name: upper
      joint: {{name: hip, type: revolute, axis: [0, 0.6, 0.8], origin: {{rpy: [0.2, -0.4, 0.7]}}}}
      beam: {{length: 0.6, material: {{E: 70 MPa, nu: 0.3, density: 2700}}, section: {{rectangle: {{width_y: 60 mm, height_z: 40 mm}}}}, flexibility: {{elements: 2, element: linear}}}}
    - name: ram
      joint: {{name: slide, type: prismatic, axis: [1, 0, 0], origin: {{xyz: [0.1, 0.2, -0.1], rpy: [0.5, 0.3, -0.8]}}, motor: {{inertia: 0.3}}, guide: {0}}}
      beam: {{length: 1, material: {{E: 70 MPa, nu: 0.3, density: 2700}}, section: {{rectangle: {{width_y: 50 mm, height_z: 30 mm}}}}, flexibility: {{elements: 3, element: linear, mesh: [0.5, 0.3, 0.2]}}}}
      payload: {{mass: 0.7, com: [0.02, 0.03, -0.01], inertia: {{xx: 0.002, yy: 0.003, zz: 0.004}}}}
    - name: hand
      joint: {{name: wrist, type: revolute, axis: [0, 1, 0], origin: {{xyz: [0, 0.05, 0]}}}}
      rigid: {{length: 0.2, mass: 0.5, com: [0.1, 0.01, 0], inertia: {{xx: 0.001, yy: 0.002, zz: 0.0025}}}}
initial: {{slide: 0.1 m}}
{1})",
                     guide, more);
}

struct Floating {
  Case data;
  Arm arm;
  Drives drives;
  FloatingModel model;
  explicit Floating(const Case& given)
      : data(given), arm(Arm::assemble(data)), drives(data, arm), model(data, arm, drives) {}
  explicit Floating(const std::string& text) : Floating(read_case_text(text).data) {}

  /// −F_u and everything else of the model at a state where no joint is driven.
  VectorXd forces(const VectorXd& q, const VectorXd& v, const VectorXd& a) {
    VectorXd force(q.size());
    model.unbalanced(0, q, v, a, force);
    return -force;
  }
  double kinetic(const VectorXd& q, const VectorXd& v) {
    forces(q, v, VectorXd::Zero(q.size()));
    return model.kinetic_energy();
  }
  double potential(const VectorXd& q) {
    forces(q, VectorXd::Zero(q.size()), VectorXd::Zero(q.size()));
    return model.elastic_energy() + model.gravity_energy();
  }
  double energy(const VectorXd& q, const VectorXd& v) {
    return kinetic(q, v) + model.elastic_energy() + model.gravity_energy();
  }
  VectorXd random_position(unsigned seed) const {
    VectorXd q = random_vector(arm.nv(), seed);
    for (const Link& link : arm.links()) q.segment(link.flex_q0(), link.n_flex()) *= 0.1;
    for (const Link& link : arm.links())
      if (link.guide) q[link.q0] = 0.1 + 0.1 * q[link.q0];
    return q;
  }
};

/// Where a section of the guided beam is, by interpolation between nodes that stand where the free length puts them.
struct Section {
  Vector3d place;     // world
  Matrix3d R_WB;      // of its link
  Vector3d rotation;  // θ, link axes
};
Section section_at(const Arm& arm, const VectorXd& q, int i_link, double x, double exit,
                   const std::vector<double>& fractions) {
  State state = State::zero(arm);
  state.q = q;
  const Kinematics kin = kinematics_of(arm, state);
  const Link& link = arm.link(i_link);
  const double L = link.X_BT.p.x(), free = L + q[link.q0] - exit, xi = 1 - (L - x) / free;
  Vector6d field = Vector6d::Zero();
  for (size_t k = 1; xi > 0 && k < fractions.size(); ++k) {
    if (xi > fractions[k] + 1e-12) continue;
    const double share = (xi - fractions[k - 1]) / (fractions[k] - fractions[k - 1]);
    field = share * q.segment<6>(link.flex_q0() + 6 * int(k - 1));
    if (k > 1) field += (1 - share) * q.segment<6>(link.flex_q0() + 6 * int(k - 2));
    break;
  }
  return {kin.X_WB[i_link] * (Vector3d(x, 0, 0) + field.head<3>()), kin.X_WB[i_link].R, field.tail<3>()};
}

TEST(SlidingBeam, KineticEnergyIsThatOfItsMatter) {
  Floating sliding(spatial_arm("0.4 m"));
  const Link& link = sliding.arm.link(1);
  const std::vector<double> fractions{0, 0.5, 0.8, 1};
  const double exit = 0.4, L = 1, rho = 2700, b = 0.05, h = 0.03, A = b * h;
  const Vector3d j = rho * Vector3d(A * (b * b + h * h) / 12, A * h * h / 12, A * b * b / 12);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const VectorXd q = sliding.random_position(seed), v = random_vector(sliding.arm.nv(), seed + 100);
    const double free = L + q[link.q0] - exit;
    // Velocities by central differences of places along the motion, integrated by Gauss within every smooth piece.
    const double dt = 1e-5;
    auto at = [&](double x, double t) { return section_at(sliding.arm, q + t * v, 1, x, exit, fractions); };
    double expected = 0;
    std::vector<double> ends{0};
    for (const double xi : fractions) ends.push_back(L - free * (1 - xi));
    for (size_t piece = 0; piece + 1 < ends.size(); ++piece)
      for (const double side : {-std::sqrt(0.6), 0.0, std::sqrt(0.6)}) {
        const double l = ends[piece + 1] - ends[piece], x = ends[piece] + l / 2 * (1 + side);
        const Section before = at(x, -dt), now = at(x, 0), after = at(x, dt);
        const Vector3d velocity = (after.place - before.place) / (2 * dt);
        const Matrix3d spin = now.R_WB.transpose() * (after.R_WB - before.R_WB) / (2 * dt);
        const Vector3d turn =
            Vector3d(spin(2, 1), spin(0, 2), spin(1, 0)) + (after.rotation - before.rotation) / (2 * dt);
        const double weight = l * (side == 0 ? 8.0 : 5.0) / 18;
        expected += weight * (rho * A * velocity.squaredNorm() + turn.dot(j.cwiseProduct(turn))) / 2;
      }
    // What is not the beam in question: the same arm with a beam of no consequence.
    const double whole = sliding.kinetic(q, v);
    Case light_data = sliding.data;
    light_data.arm.links[1].beam->material.density *= 1e-12;
    const Arm light_arm = Arm::assemble(light_data);
    Drives drives(light_data, light_arm);
    FloatingModel light(light_data, light_arm, drives);
    VectorXd force(q.size());
    light.unbalanced(0, q, v, VectorXd::Zero(q.size()), force);
    ASSERT_GT(expected, 0.1 * whole);
    EXPECT_NEAR(whole - light.kinetic_energy(), expected, 1e-8 * expected) << seed;
  }
}

/// Everything the model says against nothing but its energies, which the test above holds.
TEST(SlidingBeam, ForcesAreLagranges) {
  for (const char* integration : {"reduced", "full"}) {
    std::string text = spatial_arm("{exit: 0.4 m}");
    text.replace(text.find("mesh:"), 0, fmt::format("integration: {}, ", integration));
    Floating sliding(text);
    const int n = sliding.arm.nv();
    ASSERT_EQ(sliding.model.size(), n);
    const VectorXd q = sliding.random_position(3), v = random_vector(n, 4), a = random_vector(n, 5);
    const VectorXd zero = VectorXd::Zero(n);
    // T is quadratic in v: its second differences are the mass matrix.
    const MatrixXd M = MatrixXd(sliding.model.weighted_sum(0, q, v, 1, 0, 0)).selfadjointView<Eigen::Lower>();
    const VectorXd base = sliding.forces(q, v, zero);
    for (int k = 0; k < n; ++k) {
      const VectorXd e = VectorXd::Unit(n, k);
      EXPECT_LT((sliding.forces(q, v, e) - base - M.col(k)).cwiseAbs().maxCoeff(), 1e-11 * base.cwiseAbs().maxCoeff())
          << sliding.arm.coordinates()[k];
      for (int l = 0; l <= k; ++l) {
        const VectorXd f = VectorXd::Unit(n, l);
        const double entry = sliding.kinetic(q, e + f) - sliding.kinetic(q, e) -
                             (k == l ? sliding.kinetic(q, e) * 0 : 0) - sliding.kinetic(q, f);
        EXPECT_NEAR(M(k, l), entry, 1e-12 * M.cwiseAbs().maxCoeff()) << k << " " << l;
      }
    }
    // d/dt ∂T/∂v − ∂T/∂q + ∂V/∂q, five points.
    const double h = 1e-3;
    auto momentum = [&](double t, int k) {
      const VectorXd place = q + t * v + t * t / 2 * a, speed = v + t * a;
      const VectorXd e = VectorXd::Unit(n, k);
      return sliding.kinetic(place, speed + e / 2) - sliding.kinetic(place, speed - e / 2);
    };
    auto slope = [&](auto f) { return (f(-2 * h) - 8 * f(-h) + 8 * f(h) - f(2 * h)) / (12 * h); };
    const VectorXd ours = sliding.forces(q, v, a);
    for (int k = 0; k < n; ++k) {
      const VectorXd e = VectorXd::Unit(n, k);
      const double expected = slope([&](double t) { return momentum(t, k); }) -
                              slope([&](double t) { return sliding.kinetic(q + t * e, v); }) +
                              slope([&](double t) { return sliding.potential(q + t * e); });
      EXPECT_NEAR(ours[k], expected, 1e-7 * ours.cwiseAbs().maxCoeff()) << sliding.arm.coordinates()[k];
    }
  }
}

TEST(SlidingBeam, WorkIsEnergyUnlessTransportIsLeftOut) {
  for (const bool transport : {true, false}) {
    Floating sliding(spatial_arm(fmt::format("{{exit: 0.4 m, transport: {}}}", transport)));
    const int n = sliding.arm.nv();
    double worst = 0, largest = 0;
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const VectorXd q = sliding.random_position(seed), v = random_vector(n, seed + 10),
                     a = random_vector(n, seed + 20);
      const double h = 1e-3;
      auto energy = [&](double t) { return sliding.energy(q + t * v + t * t / 2 * a, v + t * a); };
      const double gain = (energy(-2 * h) - 8 * energy(-h) + 8 * energy(h) - energy(2 * h)) / (12 * h);
      const double power = sliding.forces(q, v, a).dot(v);
      worst = std::max(worst, std::abs(gain - power));
      largest = std::max(largest, std::abs(gain));
    }
    if (transport) {
      EXPECT_LT(worst, 1e-7 * largest);
    } else {
      EXPECT_GT(worst, 0.01 * largest);
    }
  }
}

/// Damping takes β times what the strains' rates would cost as strains, β Σ ∫ ė·C ė dx.
TEST(SlidingBeam, DampingTakesWhatStrainRatesCost) {
  Floating free(spatial_arm("0.4 m"));
  Case data = free.data;
  data.arm.links[1].beam->damping = RayleighDamping{.alpha = 0, .beta = 0.02};
  Floating damped(data);
  const int n = free.arm.nv();
  const Link& link = free.arm.link(1);
  const double E = 70e6, G = E / 2.6, b = 0.05, h = 0.03, beta = 0.02;
  const SectionConstants section = section_constants(free.data.arm.links[1].beam->section, 0.3);
  Vector6d C;
  C << E * b * h, G * section.shear_y * b * h, G * section.shear_z * b * h, G * section.J, E * b * h * h * h / 12,
      E * h * b * b * b / 12;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const VectorXd q = free.random_position(seed), v = random_vector(n, seed + 1), a = VectorXd::Zero(n);
    auto strain = [&](double t, int element, double& l) {
      const VectorXd at = q + t * v;
      const double fractions[] = {0, 0.5, 0.8, 1};
      l = (fractions[element + 1] - fractions[element]) * (1 + at[link.q0] - 0.4);
      const Vector6d second = at.segment<6>(link.flex_q0() + 6 * element);
      const Vector6d first =
          element == 0 ? Vector6d(Vector6d::Zero()) : Vector6d(at.segment<6>(link.flex_q0() + 6 * element - 6));
      Vector6d e = (second - first) / l;
      e[1] -= (first[5] + second[5]) / 2;
      e[2] += (first[4] + second[4]) / 2;
      return e;
    };
    double expected = 0, l;
    for (int element = 0; element < 3; ++element) {
      const Vector6d rate = (strain(1e-5, element, l) - strain(-1e-5, element, l)) / 2e-5;
      strain(0, element, l);
      expected += beta * l * rate.dot(C.cwiseProduct(rate));
    }
    const double taken = (damped.forces(q, v, a) - free.forces(q, v, a)).dot(v);
    EXPECT_NEAR(taken, expected, 1e-7 * expected);
  }
}

/// A guide at one moment is a rigid piece with an ordinary beam on it. With matter at rest in the elements that is all there is.
TEST(SlidingBeam, StandingStillItIsAnOrdinaryBeam) {
  const double exit = 0.4, q_slide = 0.1, L = 1, x0 = exit - q_slide, b = 0.05, h = 0.03, m = 2700 * b * h * x0;
  for (const char* integration : {"reduced", "full"})
    for (const bool transport : {true, false}) {
      std::string text = spatial_arm(fmt::format("{{exit: {} m, transport: {}}}", exit, transport));
      const auto mesh = text.find("mesh:");
      text.replace(mesh, 0, fmt::format("integration: {}, ", integration));
      Floating sliding(text);
      // The straight part as a rigid link, the free part welded on it.
      Case data = sliding.data;
      LinkSpec straight = data.arm.links[1];
      straight.name = "straight";
      straight.payloads.clear();
      straight.joint.guide.reset();
      straight.beam.reset();
      straight.rigid.emplace();
      straight.rigid->length = x0;
      straight.rigid->mass = m;
      straight.rigid->com = Vector3d(x0 / 2, 0, 0);
      straight.rigid->inertia = {m * (b * b + h * h) / 12, m * (x0 * x0 + h * h) / 12, m * (x0 * x0 + b * b) / 12};
      data.arm.links[1].joint = {.name = "weld", .type = "fixed"};
      data.arm.links[1].beam->length = L - x0;
      data.arm.links.insert(data.arm.links.begin() + 1, straight);
      const Arm arm = Arm::assemble(data);
      Drives drives(data, arm);
      FloatingModel ordinary(data, arm, drives);
      const int n = arm.nv(), slide = sliding.arm.link(1).v0;
      ASSERT_EQ(n, sliding.arm.nv());
      VectorXd q = sliding.random_position(7), v = random_vector(n, 8), a = random_vector(n, 9), force(n);
      q[slide] = q_slide;
      if (transport) v[slide] = a[slide] = 0;
      ordinary.unbalanced(0, q, v, a, force);
      VectorXd ours = sliding.forces(q, v, a);
      // The slide itself also bears what it would cost to draw a bent beam in.
      if (transport) {
        EXPECT_GT(std::abs(ours[slide] + force[slide]), 1e-3 * std::abs(force[slide]));
        ours[slide] = -force[slide];
      }
      EXPECT_LT((ours + force).cwiseAbs().maxCoeff(), 1e-12 * force.cwiseAbs().maxCoeff());
      for (const auto& [mass, damping, stiffness] : {std::tuple{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
        if (transport && mass > 0) continue;
        const MatrixXd expected = MatrixXd(ordinary.weighted_sum(0, q, v, mass, damping, stiffness));
        const MatrixXd sum = MatrixXd(sliding.model.weighted_sum(0, q, v, mass, damping, stiffness));
        EXPECT_LE((sum - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
      }
      EXPECT_NEAR(sliding.model.elastic_energy(), ordinary.elastic_energy(), 1e-12 * ordinary.elastic_energy());
      EXPECT_NEAR(sliding.model.gravity_energy(), ordinary.gravity_energy(), 1e-12);
    }
}

TEST(SlidingBeam, StiffItIsARigidArm) {
  Floating sliding(spatial_arm("0.4 m"));
  Case data = sliding.data;
  data.arm.links[0].beam->flexibility = data.arm.links[1].beam->flexibility = NoFlexibility{};
  data.arm.links[1].joint.guide.reset();
  const Arm rigid = Arm::assemble(data);
  const auto other = make_formulation("articulated", rigid);
  std::vector<int> joints;
  for (const Link& link : sliding.arm.links()) joints.push_back(link.v0);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    State state = State::zero(rigid);
    state.q = VectorXd::LinSpaced(3, 0.1, 0.1 * seed);
    state.v = random_vector(3, seed);
    const VectorXd a = random_vector(3, seed + 1);
    VectorXd tau(3), q = VectorXd::Zero(sliding.arm.nv()), v = q, vdot = q;
    q(joints) = state.q;
    v(joints) = state.v;
    vdot(joints) = a;
    other->inverse(state, a, tau);
    EXPECT_LT((sliding.forces(q, v, vdot)(joints) - tau).cwiseAbs().maxCoeff(), 1e-13 * tau.cwiseAbs().maxCoeff());
  }
}

TEST(SlidingBeam, SaggingItPushesItselfOutOfItsGuide) {
  // At rest the slide bears the energy that the beam gains per length let out: M²/2EI + V²/2κGA at the exit, with the root
  // moment and force of the sagging cantilever. A guide's 'configurational' force, which no rigid kinematics knows.
  Floating beam(R"(
arm:
  gravity: [0, -9.81, 0]
  links:
    - name: ram
      joint: {name: slide, type: prismatic, axis: [1, 0, 0], guide: 1 m}
      beam: {length: 1, material: {E: 2 GPa, nu: 0.3, density: 2700}, section: {area: 315 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, shear: 0.8864}, flexibility: {elements: 64, element: linear, plane: y}}
initial: {slide: 0.8 m}
motion: {slide: {dwell: {for: 1 s}}}
)");
  NominalModel linear(beam.data, beam.arm, beam.drives);
  VectorXd sag, force(beam.model.size());
  linear.quasi_static(0, sag);
  const VectorXd zero = VectorXd::Zero(sag.size());
  beam.model.unbalanced(0, sag, zero, zero, force);
  const double l = 0.8, w = 2700 * 315e-6 * 9.81, EI = 20, kGA = 0.8864 * 2e9 / 2.6 * 315e-6;
  const double expected = -(w * l * l / 2) * (w * l * l / 2) / (2 * EI) - (w * l) * (w * l) / (2 * kGA);
  EXPECT_NEAR(beam.model.forces()[0], expected, -2e-4 * expected);  // linear elements: 1/n²
}

// ---------------------------------------------------------------------------------------- a beam in axial motion

/// Tip deflections at every `every`-th step of a beam that a fixed guide lets out or draws in.
std::vector<double> finite_element_tips(int elements, bool transport, double from, double to, double in, double step,
                                        int n_steps, int every, bool linear_model) {
  Case data = read_case_text(fmt::format(R"(
arm:
  gravity: [0, -9.81, 0]
  links:
    - name: ram
      joint: {{name: slide, type: prismatic, axis: [1, 0, 0], guide: {{exit: 1 m, transport: {}}}}}
      beam: {{length: 1, material: {{E: 2 GPa, nu: 0.3, density: 2700}}, section: {{area: 315 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, shear: 0.8864}}, flexibility: {{elements: {}, element: linear, plane: y}}}}
initial: {{slide: {} m}}
motion: {{slide: {{cycloidal: {{to: {}, in: {} s}}}}}}
)",
                                         transport, elements, from, to, in))
                  .data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  drives.enter(0, in);
  NominalModel linear(data, arm, drives);
  FloatingModel nonlinear(data, arm, drives);
  VectorXd sag;
  linear.quasi_static(0, sag);
  SecondOrderSystem& model = linear_model ? static_cast<SecondOrderSystem&>(linear) : nonlinear;
  Newmark newmark(model, {.step = step});
  newmark.restart(0, sag, VectorXd::Zero(model.size()));
  std::vector<double> tips;
  for (int k = every; k <= n_steps; k += every) {
    newmark.advance(k * step);
    tips.push_back(newmark.z()[model.size() - 2]);
  }
  return tips;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

TEST(SlidingBeam, DeploysAndRetractsLikeABeamInAxialMotion) {
  for (const auto& [from, to] : {std::pair{0.5, 1.0}, {1.0, 0.5}}) {
    const double in = 0.3, step = 2e-4;
    const int n_steps = 1500, every = 50;
    DeployedBeam exact({.EI = 2e9 * 1e-8,
                        .kGA = 0.8864 * 2e9 / 2.6 * 315e-6,
                        .rhoA = 2700 * 315e-6,
                        .rhoI = 2700 * 1e-8,
                        .g = 9.81,
                        .from = from,
                        .to = to,
                        .in = in});
    const std::vector<double> reference = exact.tip_history(step, n_steps, every);
    double peak = 0;
    for (const double tip : reference) peak = std::max(peak, std::abs(tip));
    std::vector<double> errors;
    std::vector<std::vector<double>> tips;
    for (const int elements : {8, 16, 32}) {
      tips.push_back(finite_element_tips(elements, true, from, to, in, step, n_steps, every, false));
      errors.push_back(largest_difference(tips.back(), reference) / peak);
    }
    // Linear elements err by a constant over n²: what is left of that is the step's and the reference's.
    std::vector<double> limit = tips[2];
    for (size_t k = 0; k < limit.size(); ++k) limit[k] += (tips[2][k] - tips[1][k]) / 3;
    RecordProperty("errors", fmt::format("{} {} {}, limit {}", errors[0], errors[1], errors[2],
                                         largest_difference(limit, reference) / peak));
    EXPECT_NEAR(errors[0] / errors[1], 4, 0.5);
    EXPECT_NEAR(errors[1] / errors[2], 4, 0.5);
    EXPECT_LT(largest_difference(limit, reference), 5e-5 * peak);
    // The linear model's equations are the same here.
    EXPECT_LT(largest_difference(finite_element_tips(8, true, from, to, in, step, n_steps, every, true), tips[0]),
              1e-8 * peak);
    const double left_out =
        largest_difference(finite_element_tips(32, false, from, to, in, step, n_steps, every, false), reference) / peak;
    RecordProperty("left out", fmt::format("{}", left_out));
    EXPECT_GT(left_out, 20 * errors[2]);
  }
}

// ------------------------------------------------------------------------------------------------- the R–P arm

/// Table IV: a column that turns and a beam that slides out of it; the exit on the column's axis.
std::string rp_arm(bool transport, const std::string& modulus, int elements = 6, const std::string& post = "rigid") {
  return fmt::format(R"(
arm:
  gravity: [0, 0, -9.81]
  links:
    - name: column
      joint: {{name: turn, type: revolute, axis: [1, 0, 0], origin: {{rpy: [0, -90 deg, 0]}}}}
      beam: {{length: 0.5, material: {{E: {1}, nu: 0.3, density: 2700}}, section: {{area: 315 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4}}, flexibility: {3}}}
    - name: ram
      joint: {{name: slide, type: prismatic, axis: [1, 0, 0], origin: {{xyz: [0, 0, 0.5], rpy: [0, 90 deg, 0]}}, guide: {{exit: 0.5 m, transport: {0}}}}}
      beam: {{length: 1, material: {{E: {1}, nu: 0.3, density: 2700}}, section: {{area: 315 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4}}, flexibility: {{elements: {2}, element: linear}}}}
      payload: {{mass: 0.2 kg}}
motion: {{turn: {{cycloidal: {{to: 60 deg, in: 0.5 s}}}}, slide: {{cycloidal: {{to: 0.5 m, in: 0.5 s}}}}}}
)",
                     transport, modulus, elements, post);
}

TEST(SlidingBeam, WorkOfTheDrivesIsEnergyAlongARun) {
  auto imbalance = [](bool transport, double step) {
    Floating arm(rp_arm(transport, "7 GPa"));
    arm.drives.enter(0, 0.5);
    Newmark newmark(arm.model, {.step = step});
    const VectorXd zero = VectorXd::Zero(arm.model.size());
    newmark.restart(0, zero, zero);
    State state = State::zero(arm.arm);
    VectorXd force(arm.model.size());
    auto power = [&] {
      arm.model.unbalanced(newmark.t(), newmark.z(), newmark.v(), newmark.a(), force);
      arm.model.state_of(newmark.t(), newmark.z(), newmark.v(), state);
      double sum = 0;
      for (const Link& link : arm.arm.links()) sum += arm.model.forces()[link.v0] * state.v[link.v0];
      return sum;
    };
    auto energy = [&] { return arm.model.kinetic_energy() + arm.model.elastic_energy() + arm.model.gravity_energy(); };
    double before = power(), start = energy(), work = 0, worst = 0, largest = 0;
    for (int k = 1; k * step < 0.5 + step / 2; ++k) {
      newmark.advance(k * step);
      const double now = power();
      work += step * (before + now) / 2;
      before = now;
      worst = std::max(worst, std::abs(energy() - start - work));
      largest = std::max(largest, arm.model.kinetic_energy());
    }
    return worst / largest;
  };
  const double coarse = imbalance(true, 1e-3), fine = imbalance(true, 5e-4), thesis = imbalance(false, 5e-4);
  RecordProperty("imbalance", fmt::format("{} {} thesis {}", coarse, fine, thesis));
  EXPECT_LT(fine, 2e-4);
  EXPECT_GT(coarse / fine, 3);  // all that is missing is the step's, of second order
  EXPECT_GT(thesis, 20 * fine);
}

TEST(SlidingBeam, LetGoItKeepsItsEnergy) {
  // Down an inclined guide, sagging and swinging: the free length is an unknown like any other.
  auto drift = [](bool transport, double step) {
    Floating beam(fmt::format(R"(
arm:
  gravity: [0, -9.81, 0]
  links:
    - name: ram
      joint: {{name: slide, type: prismatic, axis: [1, 0, 0], origin: {{rpy: [0, 0, -30 deg]}}, guide: {{exit: 1 m, transport: {}}}}}
      beam: {{length: 1, material: {{E: 2 GPa, nu: 0.3, density: 2700}}, section: {{area: 315 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4}}, flexibility: {{elements: 6, element: linear, plane: y}}}}
initial: {{slide: 0.4 m}}
)",
                              transport));
    VectorXd z, v, force(beam.model.size());
    beam.model.unknowns_of(beam.drives.initial_state(), z, v);
    Newmark newmark(beam.model, {.step = step});
    newmark.restart(0, z, v);
    const double start = beam.energy(z, v);
    double worst = 0;
    for (int k = 1; k * step < 0.4 + step / 2; ++k) {
      newmark.advance(k * step);
      worst = std::max(worst, std::abs(beam.energy(newmark.z(), newmark.v()) - start));
    }
    EXPECT_GT(newmark.z()[0], 0.75);  // well out
    return worst / beam.kinetic(newmark.z(), newmark.v());
  };
  const double coarse = drift(true, 1e-3), fine = drift(true, 5e-4), thesis = drift(false, 5e-4);
  RecordProperty("drift", fmt::format("{} {} thesis {}", coarse, fine, thesis));
  EXPECT_LT(fine, 1e-4);
  EXPECT_GT(coarse / fine, 3);
  EXPECT_GT(thesis, 20 * fine);
}

TEST(SlidingBeam, UnderAStiffServoItIsAsDriven) {
  auto tips = [](bool servo, bool linear_model) {
    Case data = read_case_text(rp_arm(true, "70 GPa", 4)).data;
    data.arm.links[1].joint.guide->exit += 0.05;  // room to overshoot
    if (servo) {
      Servo law{.kp = 1e7, .kv = 1e4};
      law.command.follow = data.motion.at("slide");
      data.torque["slide"] = {law};
      data.motion.erase("slide");
    }
    Floating arm(data);
    arm.drives.enter(0, 0.5);
    NominalModel linear(data, arm.arm, arm.drives);
    SecondOrderSystem& model = linear_model ? static_cast<SecondOrderSystem&>(linear) : arm.model;
    Newmark newmark(model, {.step = 1e-3, .rho_infinity = 0.5});
    newmark.restart(0, VectorXd::Zero(model.size()), VectorXd::Zero(model.size()));
    std::vector<double> history;
    for (int k = 10; k <= 500; k += 10) {
      newmark.advance(k * 1e-3);
      history.push_back(newmark.z()[model.size() - 5]);
    }
    return history;
  };
  for (const bool linear_model : {false, true}) {
    const std::vector<double> driven = tips(false, linear_model);
    double peak = 0;
    for (const double tip : driven) peak = std::max(peak, std::abs(tip));
    EXPECT_LT(largest_difference(tips(true, linear_model), driven), 1e-3 * peak) << linear_model;
  }
}

/// Largest difference of the two models' tip errors, against the largest tip error.
double linear_against_nonlinear(const Case& data) {
  Floating arm(data);
  arm.drives.enter(0, 0.5);
  NominalModel linear(arm.data, arm.arm, arm.drives);
  const NewmarkOptions options{.step = 1e-3, .rho_infinity = 0.5};
  Newmark exact(arm.model, options), first_order(linear, options);
  const VectorXd zero = VectorXd::Zero(arm.model.size());
  exact.restart(0, zero, zero);
  first_order.restart(0, zero, zero);
  State state = State::zero(arm.arm);
  double peak = 0, difference = 0;
  for (int k = 10; k <= 500; k += 10) {
    exact.advance(k * options.step);
    first_order.advance(k * options.step);
    arm.model.state_of(exact.t(), exact.z(), exact.v(), state);
    const Vector3d tip = kinematics_of(arm.arm, state).X_WT[1].p;
    arm.drives.command_state(state);
    const Vector3d error = tip - kinematics_of(arm.arm, state).X_WT[1].p;
    const Vector3d ours = linear.tip_displacement(first_order.t(), first_order.z(), 1).head<3>();
    peak = std::max(peak, error.norm());
    difference = std::max(difference, (ours - error).norm());
  }
  return difference / peak;
}

TEST(SlidingBeam, LinearModelFollowsTheNonlinearOne) {
  // On a rigid column both are linear; what is left is how the sections' spin is linearised, and the step.
  for (const bool transport : {true, false}) {
    Case data = read_case_text(rp_arm(transport, "70 GPa", 4)).data;
    EXPECT_LT(linear_against_nonlinear(data), 2e-5);
    data.arm.links[1].beam->damping = RayleighDamping{.alpha = 0, .beta = 0.01};
    EXPECT_LT(linear_against_nonlinear(data), 2e-5);
  }
  // On a column that bends, what the linear model leaves out goes with the size of the deformation.
  const std::string column = "{elements: 2, element: linear}";
  const double soft = linear_against_nonlinear(read_case_text(rp_arm(true, "70 GPa", 4, column)).data),
               stiff = linear_against_nonlinear(read_case_text(rp_arm(true, "700 GPa", 4, column)).data);
  RecordProperty("relative", fmt::format("{} {}", soft, stiff));
  EXPECT_LT(soft, 0.02);
  EXPECT_NEAR(soft / stiff, 10, 3);
}

/// Turned as a whole by a small angle, an arm in the linear model needs its forces turned: inertia alone, next to no stiffness.
/// The elements that only change their length do not even know that.
TEST(SlidingBeam, TurnedArmNeedsTurnedForces) {
  for (const bool transport : {true, false}) {
    const double exit = 0.4, L = 1;
    Floating arm(fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  rotary_inertia: false
  links:
    - name: upper
      joint: {{name: hip, type: revolute, axis: [0, 0.6, 0.8]}}
      beam: &beam {{length: 1, material: {{E: 1e-6, nu: 0.3, density: 2700}}, section: {{rectangle: {{width_y: 30 mm, height_z: 12 mm}}}}, flexibility: {{elements: 2, element: linear}}}}
    - name: ram
      joint: {{name: slide, type: prismatic, axis: [1, 0, 0], origin: {{xyz: [0.2, -0.3, 0.1], rpy: [0.5, 0, 0.9]}}, guide: {{exit: {} m, transport: {}}}}}
      beam: *beam
motion: {{hip: {{cycloidal: {{to: 2, in: 0.7 s}}}}, slide: {{cycloidal: {{to: 0.3, in: 0.5 s}}}}}}
)",
                             exit, transport));
    NominalModel model(arm.data, arm.arm, arm.drives);
    arm.drives.enter(0, 0.5);
    const Vector3d turn(0.3, -0.5, 0.8);
    // Places of nodes, which on the ram move along it; their rates by central differences of fourth order.
    auto node_at = [&](double t, int i_link, int node) {
      State state = State::zero(arm.arm);
      state.t = t;
      arm.drives.impose(state);
      const double x = i_link == 0 ? 0.5 * node : L - (L + state.q[arm.arm.link(1).q0] - exit) * (1 - 0.5 * node);
      return Vector3d(kinematics_of(arm.arm, state).X_WB[i_link] * Vector3d(x, 0, 0));
    };
    const double t = 0.23, h = 1e-3;
    VectorXd z = VectorXd::Zero(model.size()), v = z, a = z, force(z), still(z);
    for (const int i : {0, 1})
      for (const int node : {1, 2}) {
        Vector3d p[5];
        for (int k = 0; k < 5; ++k) p[k] = node_at(t + (k - 2) * h, i, node);
        const Vector3d velocity = (p[0] - 8 * p[1] + 8 * p[3] - p[4]) / (12 * h),
                       acceleration = (-p[0] + 16 * p[1] - 30 * p[2] + 16 * p[3] - p[4]) / (12 * h * h);
        for (int c = 0; c < 3; ++c) {
          const int k = model.correlation(i, node, c);
          z[k] = turn.cross(p[2])[c];
          v[k] = turn.cross(velocity)[c];
          a[k] = turn.cross(acceleration)[c];
          z[model.correlation(i, node, c + 3)] = turn[c];
        }
      }
    const VectorXd zero = VectorXd::Zero(model.size());
    model.unbalanced(t, z, v, a, force);
    model.unbalanced(t, zero, zero, zero, still);
    double worst = 0, largest = 0;
    for (const auto& [i, node] : {std::pair{0, 2}, {1, 1}, {1, 2}}) {
      Vector3d change, needed;
      for (int c = 0; c < 3; ++c) {
        const int k = model.correlation(i, node, c);
        change[c] = force[k] - still[k];
        needed[c] = still[k];
      }
      worst = std::max(worst, (change - turn.cross(needed)).norm());
      largest = std::max(largest, needed.norm());
    }
    if (transport) {
      EXPECT_LT(worst, 1e-6 * largest);
    } else {
      EXPECT_GT(worst, 0.01 * largest);
    }
  }
}

// ---------------------------------------------------------------------------------------------------- its limits

TEST(SlidingBeam, OthersRefuseIt) {
  Floating sliding(spatial_arm("0.4 m"));
  auto refusal = [&](auto make) {
    try {
      make();
    } catch (const UnsupportedError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string();
  };
  for (const char* name : {"articulated", "lagrange", "kane"})
    EXPECT_EQ(refusal([&] { make_formulation(name, sliding.arm); }),
              std::string("arm.links[1].joint.guide: ") + name +
                  ": joint 'slide' slides its beam through a guide, so its free length changes; only finite-element "
                  "supports that");
  EXPECT_NE(refusal([&] { make_formulation("recursive-lagrangian", sliding.arm); }), "");
  EXPECT_NE(refusal([&] { small_motion(sliding.arm, State::zero(sliding.arm)); }), "");
  EXPECT_NE(
      refusal([&] {
        Floating(spatial_arm("0.4 m", "torque: {wrist: {pd: {kp: 1, kd: 1, target: 0, gravity_compensation: true}}}"));
      }),
      "");
  EXPECT_NO_THROW(check_regular(sliding.arm));
}

TEST(SlidingBeam, SaysWhenItIsDrawnInOrLeaves) {
  Floating sliding(spatial_arm("0.4 m"));
  auto message = [&](double at) {
    VectorXd q = VectorXd::Zero(sliding.arm.nv());
    q[sliding.arm.link(1).q0] = at;
    try {
      sliding.forces(q, q, q);
    } catch (const GuideError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(0.4), "");
  EXPECT_EQ(message(0.5),
            "the beam of link 'ram' has left its guide: with joint 'slide' at 0.5 m its free length is 1.1 m of 1 m");
  EXPECT_EQ(message(-0.7),
            "the beam of link 'ram' has been drawn into its guide: with joint 'slide' at -0.7 m its free length is "
            "-0.1 m of 1 m");
}

TEST(SlidingBeam, EvaluationsAllocateNothing) {
  Floating sliding(rp_arm(true, "70 GPa", 4, "{elements: 2, element: linear}"));
  NominalModel linear(sliding.data, sliding.arm, sliding.drives);
  const VectorXd z = 0.01 * random_vector(sliding.model.size(), 1);
  VectorXd force(z.size());
  sliding.model.unbalanced(0, z, z, z, force);
  sliding.model.kinetic_energy();
  const long before = allocations();
  sliding.model.unbalanced(0.1, z, z, z, force);
  sliding.model.weighted_sum(0.1, z, z, 1, 1, 1);
  sliding.model.kinetic_energy();
  sliding.model.elastic_energy();
  sliding.model.gravity_energy();
  linear.unbalanced(0.2, z, z, z, force);
  linear.weighted_sum(0.3, z, z, 1, 1, 1);
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace lithe::testing
