#pragma once

#include <fmt/format.h>

#include <string>

// naganathan86's arms as case texts, for tests that need them with other elements, drives or poses.

namespace lithe::testing {

struct PlanarArm {
  std::string upper = "{elements: 2, element: linear, plane: y}", fore = upper;  // flexibility of the links
  std::string E = "70 GPa";
  std::string base = "fixed";
  std::string more = {};  // motion, torque, initial, simulate
};

/// Planar case 1: two slender bars in a level plane; material assumed (docs/literal-thesis.md).
inline std::string planar_case_1(const PlanarArm& arm) {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  base: {}
  links:
    - name: upper
      joint: {{name: shoulder, type: revolute, axis: [0, 0, 1]}}
      beam:
        length: 1
        material: &material {{E: {}, nu: 0.3, density: 2700}}
        section: &section {{area: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, shear: 0.8864}}
        flexibility: {}
    - name: fore
      joint: {{name: elbow, type: revolute, axis: [0, 0, 1]}}
      beam: {{length: 1, material: *material, section: *section, flexibility: {}}}
{}
)",
                     arm.base, arm.E, arm.upper, arm.fore, arm.more);
}

/// Table III: post, upper arm and forearm of one tube, eight elements each; the hip does not turn.
inline std::string spatial_table_3(double shoulder_deg, double elbow_deg, bool flexible_post, double gravity,
                                   const std::string& more = "") {
  const std::string beam =
      "material: {E: 207 GPa, nu: 0.3, density: 7850 kg/m^3}, section: {area: 915 mm^2, Iy: 1.08e6 mm^4, Iz: 1.08e6 "
      "mm^4, "
      "J: 2.16e6 mm^4, shear: 0.54}";
  return fmt::format(R"(
arm:
  gravity: [0, 0, {4}]
  links:
    - name: post
      joint: {{name: foot, type: fixed, origin: {{rpy: [0, -90 deg, 0]}}}}
      beam: {{length: 0.5, {0}, flexibility: {1}}}
    - name: upper
      joint: {{name: shoulder, type: revolute, axis: [0, -1, 0], origin: {{rpy: [0, 90 deg, 0]}}}}
      beam: {{length: 1, {0}, flexibility: {{elements: 8, element: linear}}}}
    - name: fore
      joint: {{name: elbow, type: revolute, axis: [0, -1, 0]}}
      beam: {{length: 1, {0}, flexibility: {{elements: 8, element: linear}}}}
initial: {{shoulder: {2} deg, elbow: {3} deg}}
{5}
)",
                     beam, flexible_post ? "{elements: 8, element: linear}" : "rigid", shoulder_deg, elbow_deg, gravity,
                     more);
}

}  // namespace lithe::testing
