// Wings at a wall, as case files: their span along the world's y, the wind along x.
#pragma once

#include <fmt/format.h>

#include <string>

namespace lithe::testing {

/// A stiff wing that turns about its span on a spring of 700 N m/rad; `more` is added to the case.
inline std::string wing_on_a_spring(double axis, int panels_chord, int panels_span, const std::string& wind,
                                    const std::string& more = "") {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  base: {{type: fixed, origin: {{rpy: [0, 0, 90 deg]}}}}
  links:
    - name: wing
      joint: {{name: pitch, type: revolute, axis: [1, 0, 0], spring: {{stiffness: 700}}, damping: 3}}
      rigid: {{length: 3, mass: 5, com: [1.5, 0, 0], inertia: {{xx: 0.3, yy: 4, zz: 4.2}}}}
      surface: {{chord: 0.5, axis: {}, panels_chord: {}, panels_span: {}}}
wind: {{{}, mirror: [0, 1, 0]}}
{}
)",
                     axis, panels_chord, panels_span, wind, more);
}

/// The steel plate that abdelaziz04's wing is taken for.
inline std::string plate_wing(const std::string& flexibility, double damping, int panels_chord, int panels_span,
                              const std::string& wind, const std::string& more = "") {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  base: {{type: fixed, origin: {{rpy: [0, 0, 90 deg]}}}}
  links:
    - name: wing
      joint: {{type: fixed}}
      beam: {{length: 342.9 mm, material: {{E: 200 GPa, nu: 0.3, density: 7850}}, section: {{rectangle: {{width_y: 127 mm, height_z: 1.455 mm}}}}, flexibility: {}, damping: {{ratio: {}}}}}
      surface: {{chord: 127 mm, axis: 0.5, panels_chord: {}, panels_span: {}}}
wind: {{{}, mirror: [0, 1, 0]}}
{}
)",
                     flexibility, damping, panels_chord, panels_span, wind, more);
}

/// The same plate as n stiff bodies, each on a hinge at its root side that bends and twists by springs of EI over its length (abdelaziz04).
/// Their surfaces meet edge to edge.
inline std::string plate_of_bodies(int n, double damping, int panels_chord, int panels_span, const std::string& wind,
                                   const std::string& more = "") {
  const double length = 0.3429 / n, stiffness = 200e9 * 0.127 * 0.001455 * 0.001455 * 0.001455 / 12 / length;
  std::string text = R"(
arm:
  gravity: [0, 0, 0]
  base: {type: fixed, origin: {rpy: [0, 0, 90 deg]}}
  links:
)";
  for (int k = 1; k <= n; ++k) {
    const std::string spring = fmt::format("spring: {{stiffness: {}}}, damping: {}", stiffness, damping);
    text += fmt::format(
        "    - {{name: hinge{0}, joint: {{name: bend{0}, type: revolute, axis: [0, 1, 0], {1}}}, rigid: {{mass: 0}}}}\n"
        "    - {{name: plate{0}, joint: {{name: twist{0}, type: revolute, axis: [1, 0, 0], {1}}}, rigid: {{shape: "
        "{{block: {{x: "
        "{2}, y: 0.127, z: 0.001455}}}}, density: 7850}}, surface: {{chord: 0.127, axis: 0.5, panels_chord: {3}, "
        "panels_span: "
        "{4}}}}}\n",
        k, spring, length, panels_chord, panels_span / n);
  }
  return text + fmt::format("wind: {{{}, mirror: [0, 1, 0]}}\n{}\n", wind, more);
}

}  // namespace lithe::testing
