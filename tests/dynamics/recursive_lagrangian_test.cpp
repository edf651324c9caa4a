// book83's recursion: against numbers from quadrature and differentiation (tests/reference), against laws of mechanics whose
// witnesses share no code with it, and against `articulated` where links are rigid.
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lithe/arm/kinematics.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "support/allocation_count.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

using nlohmann::json;

struct Options {
  TipRotation tip = TipRotation::finite;
  InertiaOrder inertia = InertiaOrder::complete;
};
constexpr Options small_complete{TipRotation::small, InertiaOrder::complete};
constexpr Options small_first{TipRotation::small, InertiaOrder::first_order};
constexpr Options finite_complete{TipRotation::finite, InertiaOrder::complete};
constexpr Options finite_first{TipRotation::finite, InertiaOrder::first_order};

// ------------------------------------------------------------------------------------- arms from reference files

VectorXd vector(const json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(values.data(), Eigen::Index(values.size()));
}
MatrixXd matrix(const json& rows) {
  if (rows.empty()) return {};
  MatrixXd result(Eigen::Index(rows.size()), Eigen::Index(rows[0].size()));
  for (Eigen::Index i = 0; i < result.rows(); ++i) result.row(i) = vector(rows[size_t(i)]);
  return result;
}
json reference(const std::string& name) {
  std::ifstream file(LITHE_SOURCE_DIR "/tests/reference/" + name + ".json");
  if (!file) throw std::runtime_error("no tests/reference/" + name + ".json");
  return json::parse(file);
}

SparseMatrixd sparse(const MatrixXd& dense) { return dense.sparseView(0.0, 0.0); }

/// The link's shapes by the integrals that the file gives of them; the beam itself is uniform and thin.
FlexBasis basis_of(const json& link, bool quadratic) {
  const double L = link["length"], mu = link["mass_per_length"];
  const int m = int(link["modes"].size());
  FlexBasis basis;
  basis.quadratic_inertia = quadratic;
  basis.mass = mu * L;
  basis.s0 = {mu * L * L / 2, 0, 0};
  basis.Sigma0(0, 0) = mu * L * L * L / 3;
  basis.tip0 = {L, 0, 0};
  for (Matrix3Xd* shapes :
       {&basis.S, &basis.H, &basis.P0[0], &basis.P0[1], &basis.P0[2], &basis.tip_phi, &basis.tip_psi})
    shapes->setZero(3, m);
  std::array<MatrixXd, 9> P;
  P.fill(MatrixXd::Zero(m, m));
  for (int k = 0; k < m; ++k) {
    const json& mode = link["modes"][size_t(k)];
    basis.S.col(k) = vector(mode["eps"]);
    basis.P0[0].col(k) = vector(mode["first_moment_x"]);
    basis.tip_phi.col(k) = vector(mode["u_tip"]);
    basis.tip_psi.col(k) = vector(mode["theta_tip"]);
    for (int l = 0; l < m; ++l) {
      const MatrixXd P_kl = matrix(link["mode_mass"][size_t(k)][size_t(l)]);
      for (int ab = 0; ab < 9; ++ab) P[size_t(ab)](k, l) = P_kl(ab / 3, ab % 3);
    }
  }
  for (size_t ab = 0; ab < 9; ++ab) basis.P[ab] = sparse(P[ab]);
  basis.M = sparse(P[0] + P[4] + P[8]);
  basis.K = sparse(matrix(link["K"]));
  basis.D.resize(m, m);
  basis.find_tip_coordinates();
  return basis;
}

/// Puts other shapes on a link that has as many already. An Arm is immutable to everyone but tests.
void plant(Arm& arm, int i_link, FlexBasis basis) {
  auto& link = const_cast<Link&>(arm.link(i_link));
  ASSERT_EQ(link.n_flex(), basis.size());
  link.M_B = basis.undeformed();
  link.flex = std::make_shared<const FlexBasis>(std::move(basis));
}

Beam thin_beam(double length, const Modes& modes) {
  Beam beam;
  beam.length = length;
  beam.material.E = 70e9;
  beam.material.nu = 0.33;
  beam.material.density = 2700;
  beam.section.shape = GeneralSection{350e-6, 1e-8, 1e-8, 2e-8};
  beam.flexibility = modes;
  return beam;
}

Arm arm_of(const json& file, const Options& options) {
  Case data;
  data.arm.gravity = vector(file["gravity"]);
  data.arm.tip_rotation = options.tip;
  data.arm.inertia = options.inertia;
  data.arm.rotary_inertia = false;
  for (const json& link : file["links"]) {
    LinkSpec spec;
    spec.name = "link" + std::to_string(data.arm.links.size());
    spec.joint.name = "joint" + std::to_string(data.arm.links.size());
    spec.joint.axis = Vector3d(vector(link["axis"]));
    const MatrixXd C = matrix(link["C_const"]);
    spec.joint.origin = Origin{{}, {std::atan2(C(2, 1), C(2, 2)), std::asin(-C(2, 0)), std::atan2(C(1, 0), C(0, 0))}};
    const double L = link["length"], mass = double(link["mass_per_length"]) * L;
    if (link["modes"].empty()) {
      spec.rigid = RigidBody{};
      spec.rigid->length = L;
      spec.rigid->mass = mass;
      spec.rigid->com = Vector3d(L / 2, 0, 0);
      spec.rigid->inertia = InertiaEntries{0, mass * L * L / 12, mass * L * L / 12, 0, 0, 0};
    } else {
      spec.beam = thin_beam(L, Modes{.bending_y = int(link["modes"].size())});
    }
    data.arm.links.push_back(spec);
  }
  Arm arm = Arm::assemble(data);
  for (int i = 0; i < arm.n_links(); ++i)
    if (arm.link(i).flex) plant(arm, i, basis_of(file["links"][size_t(i)], options.inertia == InertiaOrder::complete));
  return arm;
}

State state_of(const json& record) {
  State state;
  state.q = vector(record["z"]);
  state.v = vector(record["zd"]);
  return state;
}

/// Joint torques at the joints' places in z.
VectorXd torques_of(const Arm& arm, const json& record) {
  VectorXd tau = VectorXd::Zero(arm.nv());
  for (size_t i = 0; i < arm.torque_links().size(); ++i) tau[arm.link(arm.torque_links()[i]).v0] = record["tau"][i];
  return tau;
}

MatrixXd mass_matrix(Formulation& model, const State& state) {
  MatrixXd M(model.arm().nv(), model.arm().nv());
  model.mass_matrix(state, M);
  return M;
}
VectorXd bias(Formulation& model, const State& state, Terms terms) {
  VectorXd h(model.arm().nv());
  model.bias(state, terms, h);
  return h;
}
VectorXd forward(Formulation& model, const State& state, const VectorXd& tau) {
  VectorXd vdot(model.arm().nv());
  model.forward(state, tau, vdot);
  return vdot;
}
double largest(const MatrixXd& numbers) { return numbers.size() ? numbers.cwiseAbs().maxCoeff() : 0; }

// Both sides are double precision: some hundred operations on numbers up to ten times the largest result.
constexpr double carried = 1e-13;

class ReferenceArm : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Each, ReferenceArm, ::testing::Values("flex_planar_2R", "flex_spatial_3R", "flex_ralf_sam"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(ReferenceArm, CompleteInertiaIsThatOfQuadrature) {
  const json file = reference(GetParam());
  for (const auto& [tip, options] : {std::pair("small", small_complete), std::pair("finite", finite_complete)}) {
    SCOPED_TRACE(tip);
    RecursiveLagrangian model(arm_of(file, options));
    for (const json& record : file["states"]) {
      const State state = state_of(record);
      const json& truth = record[tip];
      const MatrixXd M = matrix(truth["M"]);
      EXPECT_LT(largest(mass_matrix(model, state) - M), carried * largest(M));
      const VectorXd coriolis = vector(truth["coriolis"]), gravity = vector(truth["gravity"]);
      const VectorXd elastic = vector(truth["elastic"]), tau = torques_of(model.arm(), record);
      const double force = largest(coriolis) + largest(gravity) + largest(elastic) + largest(tau);
      EXPECT_LT(largest(bias(model, state, Terms::coriolis) - coriolis), 10 * carried * force);
      EXPECT_LT(largest(bias(model, state, Terms::gravity) - gravity), carried * force);
      EXPECT_LT(largest(bias(model, state, Terms::elastic) - elastic), carried * force);
      // As torques, so that conditioning stays out.
      const VectorXd acceleration = vector(truth["acceleration"]);
      EXPECT_LT(largest(M * (forward(model, state, tau) - acceleration)),
                1e-11 * (M.cwiseAbs() * acceleration.cwiseAbs()).maxCoeff());
      EXPECT_NEAR(model.kinetic_energy(state), truth["T"], carried * (1 + double(truth["T"])));
      const Kinematics kin = kinematics_of(model.arm(), state);
      EXPECT_NEAR(gravity_energy(model.arm(), kin) + elastic_energy(model.arm(), state), truth["V"],
                  carried * (1 + std::abs(double(truth["V"]))));
    }
  }
}

TEST_P(ReferenceArm, FirstOrderInertiaIsThePapers) {
  const json file = reference(GetParam());
  RecursiveLagrangian model(arm_of(file, small_first)), complete(arm_of(file, small_complete));
  double departure = 0;
  for (const json& record : file["states"]) {
    const State state = state_of(record);
    const json& truth = record["book83_published_orders"];
    const MatrixXd J = matrix(truth["J"]);
    const VectorXd R = vector(truth["R"]), tau = torques_of(model.arm(), record);
    EXPECT_LT(largest(mass_matrix(model, state) - J), carried * largest(J));
    EXPECT_LT(largest(tau - bias(model, state, Terms::all) - R), 10 * carried * (largest(R) + largest(tau)));
    const VectorXd acceleration = vector(truth["acceleration"]);
    EXPECT_LT(largest(J * (forward(model, state, tau) - acceleration)),
              1e-11 * (J.cwiseAbs() * acceleration.cwiseAbs()).maxCoeff());
    departure = std::max(departure, largest(forward(complete, state, tau) - acceleration) / largest(acceleration));
  }
  EXPECT_GT(departure, 1e-3) << "the truncation must show, or this test cannot fail";
}

// -------------------------------------------------------------------------------------------------- rigid links

RC_GTEST_PROP(RecursiveLagrangian, RigidChainsAreThoseOfArticulated, ()) {
  const auto seed = *rc::gen::inRange(0u, 1u << 30);
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::moving);
  const Arm arm = Arm::assemble(random_case(*rc::gen::inRange(1, 10), seed,
                                            {.tree = false, .prismatic = false, .drive_line = true, .base = base}));
  if (arm.nv() == 0) return;
  State state = random_state(arm, seed);
  state.t = 0.3;
  Articulated articulated(arm);
  RecursiveLagrangian book(arm);
  const MatrixXd M = mass_matrix(articulated, state);
  RC_ASSERT(largest(mass_matrix(book, state) - M) <= 1e-12 * largest(M));
  for (const Terms terms : {Terms::coriolis, Terms::gravity, Terms::elastic, Terms::damping, Terms::all}) {
    const VectorXd h = bias(articulated, state, terms);
    RC_ASSERT(largest(bias(book, state, terms) - h) <= 1e-11 * (1 + largest(h)));
  }
  const VectorXd tau = random_vector(arm.nv(), seed, 20), vdot = forward(articulated, state, tau);
  RC_ASSERT(largest(M * (forward(book, state, tau) - vdot)) <=
            1e-10 *
                ((M.cwiseAbs() * vdot.cwiseAbs()).maxCoeff() + largest(tau) + largest(bias(book, state, Terms::all))));
}

// ------------------------------------------------------------------------------------------------ bending links

/// A chain of `n` links on revolute joints with generic axes and origins. Links bend by a y shape, a z shape and a twist, but
/// every third is rigid; some have payloads. Masses lie on the axis.
Case bending_chain(int n, std::uint32_t seed, const Options& options, BaseType base = BaseType::fixed) {
  Case data = random_case(n, seed,
                          {.tree = false, .fixed_joints = false, .prismatic = false, .drive_line = true, .base = base});
  data.arm.tip_rotation = options.tip;
  data.arm.inertia = options.inertia;
  data.arm.rotary_inertia = false;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 2) continue;
    LinkSpec& link = data.arm.links[size_t(i)];
    link.rigid.reset();
    link.beam = thin_beam(0.6 + 0.1 * i, Modes{.bending_y = 1, .bending_z = 1, .torsion = 1});
  }
  // A twist without rotary inertia needs something outboard that resists it.
  data.arm.links.back().payload = Payload{0.7, {0.1, 0.2, -0.1}, {0.02, 0.03, 0.04, 0.001, 0.002, 0.003}};
  return data;
}

/// Joints anywhere, deflections of a tenth of the length.
State bent_state(const Arm& arm, std::uint32_t seed) {
  State state = random_state(arm, seed);
  for (const Link& link : arm.links()) {
    state.q.segment(link.flex_q0(), link.n_flex()) = random_vector(link.n_flex(), seed + link.q0, 0.08);
    state.v.segment(link.flex_v0(), link.n_flex()) = random_vector(link.n_flex(), seed + 7 + link.v0, 0.8);
  }
  state.t = 0.2;
  return state;
}

RC_GTEST_PROP(RecursiveLagrangian, MassMatrixIsTheKineticEnergyOfRigidKinematics, ()) {
  const auto seed = *rc::gen::inRange(0u, 1u << 30);
  const auto options = *rc::gen::element(finite_complete, finite_first);
  RecursiveLagrangian model(Arm::assemble(bending_chain(*rc::gen::inRange(1, 7), seed, options)));
  const State state = bent_state(model.arm(), seed);
  const double energy = kinetic_energy(model.arm(), state, kinematics_of(model.arm(), state));
  const MatrixXd M = mass_matrix(model, state);
  RC_ASSERT(std::abs(state.v.dot(M * state.v) / 2 - energy) <= 1e-12 * (1 + energy));
  RC_ASSERT(std::abs(model.kinetic_energy(state) - energy) <= 1e-12 * (1 + energy));
  RC_ASSERT(largest(M - M.transpose()) <= 1e-13 * largest(M));
}

/// Derivative by t of f at 0: four points, error h⁴.
template <class Function>
auto slope(Function f, double h) -> decltype(f(h)) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

RC_GTEST_PROP(RecursiveLagrangian, VelocityTermsAreLagranges, ()) {
  // h = Ṁ v − ½ ∂(vᵀMv)/∂z, on a base at rest, of whatever kinetic energy.
  const auto seed = *rc::gen::inRange(0u, 1u << 30);
  const auto options = *rc::gen::element(small_complete, finite_complete);
  RecursiveLagrangian model(Arm::assemble(bending_chain(*rc::gen::inRange(1, 6), seed, options)));
  const int nv = model.arm().nv();
  const State state = bent_state(model.arm(), seed);
  auto momentum_along = [&](const VectorXd& direction) {
    return [&, direction](double t) -> VectorXd {
      State moved = state;
      moved.q += t * direction;
      return mass_matrix(model, moved) * state.v;
    };
  };
  const double step = 1e-3;
  VectorXd expected = slope(momentum_along(state.v), step);
  for (int k = 0; k < nv; ++k) {
    const auto along = momentum_along(VectorXd::Unit(nv, k));
    expected[k] -= slope([&](double t) { return state.v.dot(along(t)); }, step) / 2;
  }
  const VectorXd h = bias(model, state, Terms::coriolis);
  RC_ASSERT(largest(h - expected) <= 1e-8 * (1 + largest(expected)));
}

RC_GTEST_PROP(RecursiveLagrangian, GravityIsTheSlopeOfItsEnergy, ()) {
  const auto seed = *rc::gen::inRange(0u, 1u << 30);
  const auto options = *rc::gen::element(small_complete, finite_complete, small_first, finite_first);
  RecursiveLagrangian model(Arm::assemble(bending_chain(*rc::gen::inRange(1, 7), seed, options)));
  const int nv = model.arm().nv();
  const State state = bent_state(model.arm(), seed);
  VectorXd expected(nv);
  for (int k = 0; k < nv; ++k)
    expected[k] = slope(
        [&](double t) {
          State moved = state;
          moved.q[k] += t;
          return gravity_energy(model.arm(), kinematics_of(model.arm(), moved));
        },
        1e-3);
  RC_ASSERT(largest(bias(model, state, Terms::gravity) - expected) <= 1e-8 * (1 + largest(expected)));
}

RC_GTEST_PROP(RecursiveLagrangian, PowerPutInIsEnergyGainedOnAMovingBase, ()) {
  // v·τ and the base's power go into kinetic and potential energy and into dampers.
  const auto seed = *rc::gen::inRange(0u, 1u << 30);
  const auto options = *rc::gen::element(small_complete, finite_complete);
  RecursiveLagrangian model(Arm::assemble(bending_chain(*rc::gen::inRange(1, 5), seed, options, BaseType::moving)));
  const Arm& arm = model.arm();
  const State state = bent_state(arm, seed);
  const VectorXd tau = random_vector(arm.nv(), seed, 10), vdot = forward(model, state, tau);
  auto energy = [&](double t) {
    State moved = state;
    moved.t += t;
    moved.q += t * state.v + t * t / 2 * vdot;
    moved.v += t * vdot;
    const Kinematics kin = kinematics_of(arm, moved);
    const double kinetic =
        options.tip == TipRotation::finite ? kinetic_energy(arm, moved, kin) : model.kinetic_energy(moved);
    return kinetic + gravity_energy(arm, kin) + elastic_energy(arm, moved);
  };
  const double step = 1e-3 / (1 + vdot.norm() / (1 + state.v.norm()));
  const double gained = slope(energy, step);
  const double given = (tau - bias(model, state, Terms::damping)).dot(state.v) + model.base_power(state, vdot);
  RC_ASSERT(std::abs(gained - given) <= 1e-6 * (1 + std::abs(given) + std::abs(energy(0))));
}

RC_GTEST_PROP(RecursiveLagrangian, DrivenCoordinatesCloseWithInverseDynamics, ()) {
  const auto seed = *rc::gen::inRange(0u, 1u << 30);
  const auto options = *rc::gen::element(small_complete, finite_complete, small_first, finite_first);
  RecursiveLagrangian model(Arm::assemble(bending_chain(*rc::gen::inRange(1, 6), seed, options)));
  const int nv = model.arm().nv();
  const State state = bent_state(model.arm(), seed);
  std::vector<bool> driven(static_cast<size_t>(nv), false);
  for (const Link& link : model.arm().links())
    if (link.nv() == 1) driven[size_t(link.v0)] = *rc::gen::arbitrary<bool>();
  VectorXd tau = random_vector(nv, seed, 10), vdot = random_vector(nv, seed + 1, 5), needed(nv);
  const VectorXd given_tau = tau, given_vdot = vdot;
  model.hybrid(state, driven, tau, vdot);
  for (int k = 0; k < nv; ++k) RC_ASSERT((driven[size_t(k)] ? vdot[k] == given_vdot[k] : tau[k] == given_tau[k]));
  model.inverse(state, vdot, needed);
  const MatrixXd M = mass_matrix(model, state);
  const double force =
      (M.cwiseAbs() * vdot.cwiseAbs()).maxCoeff() + largest(tau) + largest(bias(model, state, Terms::all));
  RC_ASSERT(largest(needed - tau) <= 1e-11 * force);
  RC_ASSERT(largest(M * (forward(model, state, tau) - vdot)) <= 1e-11 * force);
}

TEST(RecursiveLagrangian, APayloadIsThePartOfItsLinkThatItWouldBe) {
  // With `small` every point of a body on the tip moves linearly with δ, so that carried on Ŵ or counted among the link's
  // integrals it is the same body, exactly.
  const Arm carried_arm = Arm::assemble(bending_chain(2, 3, small_complete));
  Arm counted_arm = carried_arm;
  for (int i = 0; i < counted_arm.n_links(); ++i) {
    auto& link = const_cast<Link&>(counted_arm.link(i));
    if (!link.flex) continue;
    FlexBasis basis = *link.flex;
    add_tip_body(basis, link.payload_T);
    link.payload_T = {};
    plant(counted_arm, i, basis);
  }
  RecursiveLagrangian on_tip(carried_arm), counted(counted_arm);
  const State state = bent_state(carried_arm, 3);
  const MatrixXd M = mass_matrix(on_tip, state);
  EXPECT_LT(largest(mass_matrix(counted, state) - M), 1e-13 * largest(M));
  const VectorXd h = bias(on_tip, state, Terms::all);
  EXPECT_LT(largest(bias(counted, state, Terms::all) - h), 1e-12 * largest(h));
}

TEST(RecursiveLagrangian, ShapesThatLeaveTheTipAloneAreOnlyACombination) {
  // Of three bending shapes one combination neither moves nor turns the tip; its M_jf is skipped.
  Case data = bending_chain(3, 9, finite_complete);
  for (int i = 0; i < 2; ++i) data.arm.links[size_t(i)].beam = thin_beam(0.8, Modes{.bending_y = 3});
  Arm plain_arm = Arm::assemble(data), combined_arm = plain_arm;
  MatrixXd T_all = MatrixXd::Identity(plain_arm.nv(), plain_arm.nv());
  for (int i = 0; i < 2; ++i) {
    const Link& link = plain_arm.link(i);
    if (!link.flex) continue;
    const MatrixXd tip = (MatrixXd(2, 3) << link.flex->tip_phi.row(1), link.flex->tip_psi.row(2)).finished();
    MatrixXd T = MatrixXd::Identity(3, 3);
    T.col(1) = tip.fullPivLu().kernel().col(0);
    FlexBasis basis = transformed(*link.flex, T);
    basis.tip_phi.col(1).setZero();  // zero to rounding already
    basis.tip_psi.col(1).setZero();
    basis.find_tip_coordinates();
    ASSERT_EQ(basis.tip_coordinates, (std::vector<int>{0, 2}));
    plant(combined_arm, i, basis);
    T_all.block(link.flex_v0(), link.flex_v0(), 3, 3) = T;
  }
  RecursiveLagrangian plain(plain_arm), combined(combined_arm);
  const State eta = bent_state(combined_arm, 5);
  const State delta{eta.t, T_all * eta.q, T_all * eta.v};
  const MatrixXd M = T_all.transpose() * mass_matrix(plain, delta) * T_all;
  EXPECT_LT(largest(mass_matrix(combined, eta) - M), 1e-12 * largest(M));
  const VectorXd h = T_all.transpose() * bias(plain, delta, Terms::coriolis | Terms::gravity);
  EXPECT_LT(largest(bias(combined, eta, Terms::coriolis | Terms::gravity) - h), 1e-12 * largest(h));
}

// --------------------------------------------------------------------------------------------------------- energy

/// Largest change of energy over a second of free motion of the planar arm, by the complete energy of the same tip rotation;
/// relative to the energy at the start. Classical Runge–Kutta steps.
double drift(const Options& options) {
  json file = reference("flex_planar_2R");
  file["gravity"] = {0, 0, 0};
  RecursiveLagrangian model(arm_of(file, options)), complete(arm_of(file, {options.tip, InertiaOrder::complete}));
  State state = State::zero(model.arm());
  state.q << 0.2, 0.05, 0.7, -0.03;
  state.v << 2.0, 0.3, -3.0, 0.1;
  auto energy = [&] { return complete.kinetic_energy(state) + elastic_energy(complete.arm(), state); };
  const VectorXd no_torque = VectorXd::Zero(4);
  auto rate = [&](const State& at) {
    VectorXd ydot(8);
    ydot << at.v, forward(model, at, no_torque);
    return ydot;
  };
  auto moved = [&](const VectorXd& ydot, double h) {
    return State{0, state.q + h * ydot.head(4), state.v + h * ydot.tail(4)};
  };
  const double start = energy(), h = 1e-4;
  double worst = 0;
  for (int i = 0; i < 10000; ++i) {
    const VectorXd k1 = rate(state), k2 = rate(moved(k1, h / 2)), k3 = rate(moved(k2, h / 2)), k4 = rate(moved(k3, h));
    state = moved(k1 + 2 * k2 + 2 * k3 + k4, h / 6);
    worst = std::max(worst, std::abs(energy() - start) / start);
  }
  return worst;
}

TEST(RecursiveLagrangian, CompleteInertiaConservesEnergy) {
  // What the steps leave: 2e-6, and 1/25 of it at half the step.
  EXPECT_LT(drift(finite_complete), 5e-6);
  EXPECT_LT(drift(small_complete), 5e-6);
}

TEST(RecursiveLagrangian, FirstOrderInertiaDoesNot) {
  for (const Options& options : {small_first, finite_first}) {
    const double found = drift(options);
    EXPECT_GT(found, 0.01);
    EXPECT_LT(found, 0.2);
  }
}

// --------------------------------------------------------------------------------------------------------- domain

std::string refusal(const Case& data) {
  try {
    RecursiveLagrangian(Arm::assemble(data));
  } catch (const UnsupportedError& error) {
    return error.path() + ": " + error.what();
  }
  return "none";
}

TEST(RecursiveLagrangian, NamesWhatLiesOutside) {
  const Case chain = chain_case(3, 1);
  EXPECT_EQ(refusal(chain), "none");
  Case data = chain;
  data.arm.links[1].joint.type = JointType::prismatic;
  EXPECT_EQ(refusal(data),
            "arm.links[1].joint.type: expected revolute or fixed: recursive-lagrangian has no sliding joints, and "
            "'joint1' is one");
  data = chain;
  data.arm.links[2].parent = "link0";
  EXPECT_EQ(
      refusal(data),
      "arm.links[2].parent: expected 'link1': recursive-lagrangian is for chains, and joint 'joint2' branches off");
  data = chain;
  data.arm.base.type = BaseType::planar;
  EXPECT_EQ(
      refusal(data),
      "arm.base: expected fixed or moving: recursive-lagrangian has no coordinates for the base, and 'base.x' is one");
  data = bending_chain(3, 1, finite_complete);
  EXPECT_EQ(refusal(data), "none");
  data.arm.rotary_inertia = true;
  EXPECT_EQ(refusal(data),
            "arm.rotary_inertia: expected false: recursive-lagrangian has the mass of a bending link on its neutral "
            "axis, and "
            "the sections of 'link0' have rotary inertia");
  // A rigid beam's sections are part of a rigid body.
  for (LinkSpec& link : data.arm.links)
    if (link.beam) link.beam->flexibility = NoFlexibility{};
  EXPECT_EQ(refusal(data), "none");
}

TEST(RecursiveLagrangian, AllocatesNothing) {
  for (const Options& options : {small_complete, finite_complete, small_first}) {
    RecursiveLagrangian model(Arm::assemble(bending_chain(8, 2, options, BaseType::moving)));
    const int nv = model.arm().nv();
    const State state = bent_state(model.arm(), 2);
    VectorXd tau = random_vector(nv, 2), vdot(nv), h(nv);
    MatrixXd M(nv, nv);
    std::vector<bool> driven(static_cast<size_t>(nv), false);
    driven.front() = true;
    model.forward(state, tau, vdot);  // whatever is sized on first use
    const long before = allocations();
    model.forward(state, tau, vdot);
    model.inverse(state, vdot, tau);
    model.mass_matrix(state, M);
    model.bias(state, Terms::all, h);
    model.hybrid(state, driven, tau, vdot);
    model.kinetic_energy(state);
    model.base_power(state, vdot);
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace
}  // namespace lithe::testing
