// Strain gauges against beams in closed form: signs, places, and every kind of bending link.
#include "lithe/dynamics/gauges.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/simulate/run.h"
#include "support/allocation_count.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

constexpr double E = 70e9, L = 1.6, width = 0.03, height = 0.02;

Case cantilever(const Flexibility& flexibility, std::vector<Gauge> gauges) {
  Case data;
  data.arm.gravity.setZero();
  LinkSpec link;
  link.name = "beam";
  link.joint.name = "root";
  link.joint.type = "fixed";
  link.beam = Beam{L, {"", E, 0.3, 2700, {}}, {.shape = Rectangle{width, height}}, flexibility};
  data.arm.links.push_back(link);
  data.gauges = std::move(gauges);
  return data;
}

std::vector<double> strains_under(const Case& data, const Vector6d& on_tip) {
  const Arm arm = Arm::assemble(data);
  const Gauges gauges(data, arm);
  InternalForces internal(arm);
  std::vector<Vector6d> loads(size_t(arm.n_links()), Vector6d::Zero());
  loads.back() = on_tip;
  internal.update(State::zero(arm), VectorXd::Zero(arm.nv()), loads);
  std::vector<double> strains(gauges.size());
  const long before = allocations();
  gauges.strains(arm, internal, strains.data());
  EXPECT_EQ(allocations(), before);
  return strains;
}

// A force F_y at the tip bends the beam towards +y: fibres at +y are pressed, F_y (L − x) y/EI_z, I_z = h w³/12; F_z likewise; F_x
// stretches all of them by F_x/EA.
TEST(Gauges, CantileverUnderThreeForces) {
  const Vector3d F(900, 5, -7);
  const Vector6d load = (Vector6d() << 0, 0, 0, F).finished();
  const double EA = E * width * height, EIy = E * width * std::pow(height, 3) / 12,
               EIz = E * height * std::pow(width, 3) / 12;
  auto by_hand = [&](const Gauge& g) {
    return F.x() / EA - F.y() * (L - g.at) * *g.y / EIz - F.z() * (L - g.at) * *g.z / EIy;
  };
  // Of four segments the hinges are in the middle of each; shapes and elements have a gauge anywhere.
  const std::vector<std::pair<Flexibility, std::vector<double>>> kinds{
      {Modes{2, 2, 1, 1}, {0, 0.4321, 1.0007}},
      {Elements{.count = 3}, {0, 0.4321, 1.0007}},
      {Elements{.count = 7, .element = ElementKind::linear}, {0, 0.4321, 1.0007}},
      {Elements{.count = 12, .keep = 6}, {0.4321}},
      {Segments{.count = 4}, {0, L / 8, 3 * L / 8}}};
  for (const auto& [flexibility, places] : kinds) {
    std::vector<Gauge> gauges;
    for (const double at : places)
      for (const double side : {1.0, -1.0}) {
        gauges.push_back({"g", "beam", at, side * width / 2, 0.0});
        gauges.push_back({"g", "beam", at, 0.3 * width, side * height / 2});
      }
    const std::vector<double> strains = strains_under(cantilever(flexibility, gauges), load);
    for (size_t k = 0; k < gauges.size(); ++k)
      EXPECT_NEAR(strains[k], by_hand(gauges[k]), 1e-12 + 1e-9 * std::abs(by_hand(gauges[k])))
          << flexibility.index() << k;
  }
}

TEST(Gauges, WithoutAPlaceOnTheSectionTheySitOnTheOutermostFibre) {
  const Vector6d load = (Vector6d() << 0, 0, 0, 0, 5, -7).finished();
  const double EIy = E * width * std::pow(height, 3) / 12, EIz = E * height * std::pow(width, 3) / 12;
  auto strain = [&](const Flexibility& flexibility) {
    return strains_under(cantilever(flexibility, {{"g", "beam", 0.0, {}, {}}}), load)[0];
  };
  EXPECT_NEAR(strain(Modes{2, 0, 0, 0}), -5 * L * width / 2 / EIz, 1e-12);
  EXPECT_NEAR(strain(Elements{.count = 4, .plane = BendingPlane::z}), 7 * L * height / 2 / EIy, 1e-12);
  EXPECT_NEAR(strain(Segments{.count = 4, .locked = {.bending_z = true}}), -5 * L * width / 2 / EIz, 1e-12);
  EXPECT_EQ(strain(Modes{0, 0, 1, 0}), 0);
}

// Sections that taper, and that jump: the gauge is on the section that is there.
TEST(Gauges, AreOnTheSectionAtTheirPlace) {
  const Vector6d load = (Vector6d() << 0, 0, 0, 0, 5, 0).finished();
  Case data = cantilever(Elements{.count = 6}, {{"a", "beam", 0.5, 0.01, {}}, {"b", "beam", 1.2, 0.01, {}}});
  data.arm.links[0].beam->tip_section = Section{.shape = Rectangle{0.02, 0.01}};
  const std::vector<double> tapered = strains_under(data, load);
  for (int k = 0; k < 2; ++k) {
    const double x = data.gauges[size_t(k)].at, w = 0.03 - 0.01 * x / L, h = 0.02 - 0.01 * x / L;
    EXPECT_NEAR(tapered[size_t(k)], -5 * (L - x) * 0.01 * 12 / (E * h * w * w * w), 1e-12);
  }
  data.arm.links[0].beam->tip_section.reset();
  data.arm.links[0].beam->steps = {{1.0, {.shape = Rectangle{0.02, 0.02}}}};
  const std::vector<double> stepped = strains_under(data, load);
  EXPECT_NEAR(stepped[0], -5 * (L - 0.5) * 0.01 * 12 / (E * 0.02 * std::pow(0.03, 3)), 1e-12);
  EXPECT_NEAR(stepped[1], -5 * (L - 1.2) * 0.01 * 12 / (E * 0.02 * std::pow(0.02, 3)), 1e-12);
}

const std::string slewed = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: link
      joint: {name: motor, type: revolute, axis: [0, 0, 1]}
      beam: {length: 0.7 m, material: {E: 70 GPa, nu: 0.33, density: 2700}, section: {rectangle: {width_y: 5 mm, height_z: 40 mm}},
             damping: {rayleigh: {beta: 2 ms}}, flexibility: {elements: 8, element: linear, plane: y}}
      payload: {mass: 50 g}
motion: {motor: {cycloidal: {to: 60 deg, in: 0.6 s}}}
gauges:
  - {name: left, link: link, at: 100 mm}
  - {name: right, link: link, at: 100 mm, y: -2.5 mm}
  - {name: root, link: link, at: 0 m}
simulate: {for: 0.8 s, output_step: 4 ms, rtol: 1e-6, atol: 1e-9}
)";

TEST(Gauges, RecordASlewAlikeByEveryFormulation) {
  const Results articulated = results_of(read_case_text(slewed)),
                elements = results_of(read_case_text(slewed, "case", {{"simulate.formulation", "finite-element"}}));
  const auto &left = series(articulated, "left"), &right = series(articulated, "right"),
             &root = series(articulated, "root");
  double largest = 0, axial = 0;
  for (size_t k = 0; k < left.size(); ++k) {
    largest = std::max(largest, std::abs(left[k]));
    // Opposite fibres differ in sign by bending; what they share is the pull of the turning link.
    axial = std::max(axial, std::abs(left[k] + right[k]) / 2);
    // Without sign the root's is the largest strain of its section, which runs record as well.
    EXPECT_LE(std::abs(root[k]), series(articulated, "link@0.strain")[k] * (1 + 1e-12));
  }
  // ρA ∫ω²x dx + payload, over EA, with the cycloid's peak rate of 2·60°/0.6 s.
  const double omega = 2 * M_PI / 3 / 0.6, rho_A = 2700 * 0.005 * 0.04;
  const double pull = omega * omega * (rho_A * (0.49 - 0.01) / 2 + 0.05 * 0.7) / (70e9 * 0.005 * 0.04);
  EXPECT_NEAR(axial, pull, 0.15 * pull);  // the vibration adds to the motor's rate
  EXPECT_GT(largest, 100 * axial);
  // When the motor accelerates towards +y, the link lags and its side at +y is stretched.
  size_t k = 0;
  while (articulated.time[k] < 0.1) ++k;
  EXPECT_GT(left[k], 0.3 * largest);
  // finite-element marches with a tolerance of 1e-6 of its unknowns.
  for (size_t i = 0; i < left.size(); ++i)
    EXPECT_NEAR(series(elements, "left")[i], left[i], 2e-3 * largest) << articulated.time[i];
}

}  // namespace
}  // namespace lithe::testing
