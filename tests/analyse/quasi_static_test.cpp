// A link turned with constant angular acceleration deflects as a cantilever under a load that grows towards its tip
// (naganathan86 eqs 3.4, 3.5, with shear and rotary inertia added): the reference value is the beam's closed form.
#include <gtest/gtest.h>

#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe::testing {
namespace {

double tip_deflection(const Flexibility& flexibility, bool rotary_inertia, double acceleration) {
  Case data;
  data.arm.gravity.setZero();
  data.arm.rotary_inertia = rotary_inertia;
  LinkSpec link;
  link.name = "beam";
  link.joint.name = "hub";
  link.joint.axis = Vector3d::UnitZ();
  link.beam = Beam{0.8, {"", 70e9, 0.3, 2700, {}}, {.shape = Rectangle{0.06, 0.02}}, flexibility};
  data.arm.links.push_back(link);
  const Arm arm = Arm::assemble(data);
  MatrixXd M(arm.nv(), arm.nv());
  Articulated(arm).mass_matrix(State::zero(arm), M);
  // Steady in link axes: K δ = −M_fq q̈.
  const FlexBasis& flex = *arm.link(0).flex;
  const MatrixXd K = flex.K;
  const VectorXd delta = -solve_symmetric(K, M.col(0).tail(flex.size())) * acceleration;
  return flex.tip_phi.row(1).dot(delta);
}

TEST(QuasiStatic, LinkUnderConstantAngularAcceleration) {
  const double L = 0.8, E = 70e9, A = 0.06 * 0.02, I = 0.02 * std::pow(0.06, 3) / 12, rho = 2700, acceleration = 5;
  const double G = E / 2.6, kappa = 10 * 1.3 / (12 + 11 * 0.3), w0 = rho * A * acceleration * L;
  const double bending = 11 * w0 * std::pow(L, 4) / (120 * E * I);
  const double shear = w0 * L * L / (3 * kappa * G * A);
  const double rotary = rho * I * acceleration * std::pow(L, 3) / (3 * E * I);
  // Elements that are exact for end loads are exact at their nodes for any load.
  for (const int n : {1, 3}) {
    EXPECT_NEAR(tip_deflection(Elements{n}, true, acceleration), -(bending + shear + rotary), 1e-12 * bending) << n;
    EXPECT_NEAR(tip_deflection(Elements{n}, false, acceleration), -(bending + shear), 1e-12 * bending) << n;
  }
  // The load is linear, so the deflection is a polynomial of fifth degree: four shapes from x² on.
  EXPECT_NEAR(tip_deflection(Modes{4, 0, 0, 0}, false, acceleration), -bending, 1e-12 * bending);
  EXPECT_GT(std::abs(tip_deflection(Modes{1, 0, 0, 0}, false, acceleration) + bending), 0.02 * bending);
}

}  // namespace
}  // namespace lithe::testing
