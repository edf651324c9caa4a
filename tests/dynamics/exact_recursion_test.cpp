// An arm of a rigid link and three exact ones against points, differentiated by another program (tests/reference/README.md). No case
// can describe its rods: their stiffnesses belong to no section, and one of them is curved. They are put into an assembled arm.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/arm/kinematics.h"
#include "support/covering.h"
#include "support/reference_rod.h"

namespace lithe::testing {
namespace {

using nlohmann::json;

Payload payload_of(const json& body) {
  const MatrixXd I = matrix(body.at("inertia_about_centre"));
  Payload payload;
  payload.mass = body.at("mass");
  payload.com = vector(body.at("centre"));
  payload.inertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  return payload;
}

LinkSpec link_of(const json& given, int number) {
  LinkSpec link;
  link.name = "link" + std::to_string(number);
  link.joint.name = "joint" + std::to_string(number);
  const json& joint = given.at("joint");
  link.joint.type = joint.at("axis").is_null() ? "fixed" : "revolute";
  if (!joint.at("axis").is_null()) link.joint.axis = vector(joint.at("axis"));
  const Matrix3d R = matrix(joint.at("rotation_on_parent_tip"));
  link.joint.origin = Origin{vector(joint.at("origin_on_parent_tip")),
                             {std::atan2(R(2, 1), R(2, 2)), std::asin(-R(2, 0)), std::atan2(R(1, 0), R(0, 0))}};
  if (!given.at("payload").is_null()) link.payloads = {payload_of(given.at("payload"))};
  if (given.contains("rigid")) {
    const Payload body = payload_of(given.at("rigid"));
    link.rigid = RigidBody{};
    link.rigid->length = given.at("rigid").at("length");
    link.rigid->mass = body.mass;
    link.rigid->com = body.com;
    link.rigid->inertia = body.inertia;
    return link;
  }
  const Strains strains = basis_of(given.at("rod")).strains;
  link.beam = Beam{given.at("rod").at("length"),
                   {"", 1e9, 0.3, 1000, {}},
                   {GeneralSection{1e-3, 1e-6, 1e-6, {}}, {}},
                   StrainTerms{strains.bending_y, strains.bending_z, strains.torsion, strains.axial, strains.shear_y,
                               strains.shear_z}};
  return link;
}

/// Puts the rod in place of the exact link that the case could describe.
void put_rod(const json& given, Link& link) {
  const auto rod = std::make_shared<const StrainBasis>(basis_of(given));
  FlexBasis flex = *link.flex;
  ASSERT_EQ(flex.size(), rod->size());
  flex.exact = rod;
  flex.mass = rod->mass;
  flex.K = rod->K.sparseView();
  flex.M = rod->M.sparseView();
  flex.D = given.at("beta").get<double>() * flex.K;
  const SectionMatter section = section_of(given);
  flex.stations.mass.assign(flex.stations.x.size(), section.mass);
  flex.stations.rotary.assign(flex.stations.x.size(), section.rotary);
  link.flex = std::make_shared<const FlexBasis>(std::move(flex));
}

Arm arm_of(const json& data) {
  Case built;
  built.arm.gravity = vector(data.at("gravity"));
  int number = 0;
  for (const json& link : data.at("links")) built.arm.links.push_back(link_of(link, ++number));
  Arm arm = Arm::assemble(built);
  for (int i = 0; i < arm.n_links(); ++i)
    if (const json& link = data.at("links").at(size_t(i)); link.contains("rod"))
      put_rod(link.at("rod"), const_cast<Link&>(arm.link(i)));  // the arm is ours, and not const
  return arm;
}

// The program agrees with itself within 5e-13 of the largest force.
constexpr double tolerance = 5e-12;

TEST(ExactRecursion, IsWhatPointsSay) {
  const json data = reference("exact_recursion.json");
  const Arm arm = arm_of(data);
  const int nv = arm.nv();
  ASSERT_EQ(data.at("states").size(), 3u);
  for (const json& given : data.at("states")) {
    State state = State::zero(arm);
    state.q = vector(given.at("z"));
    state.v = vector(given.at("v"));
    ASSERT_EQ(state.v.size(), nv);
    const MatrixXd M = matrix(given.at("M"));
    const VectorXd h = vector(given.at("h")), tau = vector(given.at("tau"));
    // The wrench on the last tip is on the left of their equations.
    const Matrix6Xd J = tip_jacobian(arm, kinematics_of(arm, state), arm.n_links() - 1);
    const VectorXd pushed = J.transpose() * vector(given.at("tip_wrench"));
    const double largest = h.cwiseAbs().maxCoeff();

    const auto formulations = covering_with_default(arm);
    ASSERT_EQ(formulations.size(), 2u);
    EXPECT_EQ(formulations[1]->name(), "kane");
    for (const auto& dynamics : formulations) {
      SCOPED_TRACE(dynamics->name());
      MatrixXd own_M(nv, nv);
      VectorXd own_h(nv), vdot(nv);
      dynamics->mass_matrix(state, own_M);
      dynamics->bias(state, Terms::all, own_h);
      expect_close(own_M, M, tolerance * M.cwiseAbs().maxCoeff(), "M");
      expect_close(own_h - pushed, h, tolerance * largest, "h");
      // Accelerations as forces, where no condition number enters.
      const VectorXd expected = vector(given.at("acceleration"));
      const double force = (M.cwiseAbs() * expected.cwiseAbs()).maxCoeff();
      dynamics->forward(state, tau + pushed, vdot);
      expect_close(M * (vdot - expected), VectorXd::Zero(nv), tolerance * force, "acceleration");
      VectorXd back(nv);
      dynamics->inverse(state, expected, back);
      expect_close(back, tau + pushed, tolerance * force, "inverse");

      std::vector<bool> driven(size_t(nv), false);
      driven[0] = driven[1] = true;
      VectorXd mixed = tau + pushed;
      vdot.setZero();
      vdot.head<2>() = vector(given.at("driven_joint_accelerations"));
      dynamics->hybrid(state, driven, mixed, vdot);
      expect_close(M * (vdot - vector(given.at("acceleration_driven"))), VectorXd::Zero(nv), tolerance * force,
                   "driven: acceleration");
      expect_close(mixed.head<2>() - pushed.head<2>(), vector(given.at("torque_driven")), tolerance * force,
                   "driven: torque");
    }
  }
}

// Rotations of order 6 are a choice of C++ only.
TEST(ExactRecursion, KaneRefusesRotationsOfOrder6) {
  const json data = reference("exact_recursion.json");
  Arm arm = arm_of(data);
  const json& given = data.at("links").at(1).at("rod");
  Strains strains = basis_of(given).strains;
  strains.order = 6;
  Link& link = const_cast<Link&>(arm.link(1));
  FlexBasis flex = *link.flex;
  flex.exact = std::make_shared<const StrainBasis>(uniform(given.at("length"), section_of(given)), strains);
  link.flex = std::make_shared<const FlexBasis>(std::move(flex));
  try {
    make_formulation("kane", arm);
    FAIL() << "accepted";
  } catch (const UnsupportedError& error) {
    EXPECT_NE(std::string(error.what()).find("kane needs rotations of order 4"), std::string::npos) << error.what();
  }
  EXPECT_EQ(covering_with_default(arm).size(), 1u);
}

}  // namespace
}  // namespace lithe::testing
