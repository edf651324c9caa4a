// A clamped bar, and cases at rest, from the text of a case file to equilibrium.
#pragma once

#include <fmt/format.h>

#include "lithe/analyse/statics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/drives.h"

namespace lithe::testing {

struct Rest {
  Case data;
  Arm arm;
  Drives drives;
  StaticResult result;
  explicit Rest(const std::string& text)
      : data(read_case_text(text).data),
        arm(Arm::assemble(data)),
        drives(data, arm),
        result(static_deflection(arm, drives.initial_state(), arm.last_link(), drives.loads().unscaled())) {}
  const Vector3d& tip() const { return result.X_WT.p; }
};

/// A clamped bar along x of length 1, EI = GJ = 1 and mass 1.
inline std::string bar(const std::string& flexibility, const std::string& loads,
                       const std::string& gravity = "[0, 0, 0]", const std::string& rpy = "[0, 0, 0]") {
  return fmt::format(R"(
arm:
  gravity: {}
  rotary_inertia: false
  links:
    - name: bar
      joint: {{name: clamp, type: fixed, origin: {{rpy: {}}}}}
      beam:
        length: 1
        material: {{E: 1e6, nu: 0, density: 1e3}}
        section: {{area: 1e-3, Iy: 1e-6, Iz: 1e-6, J: 2e-6}}
        flexibility: {{{}}}
{}
)",
                     gravity, rpy, flexibility, loads);
}

/// Two links that sag far, in space.
inline std::string two_links(const std::string& flexibility, const std::string& more) {
  return fmt::format(R"(
arm:
  links:
    - name: a
      joint: {{name: p, type: revolute, axis: [0, 1, 0]}}
      beam: {{length: 1, material: {{E: 2e9, nu: 0.3, density: 1200}}, section: {{rectangle: {{width_y: 20 mm, height_z: 15 mm}}}}, flexibility: {{{0}}}}}
    - name: b
      joint: {{name: q, type: revolute, axis: [0, 0, 1]}}
      beam: {{length: 0.8, material: {{E: 2e9, nu: 0.3, density: 1200}}, section: {{rectangle: {{width_y: 15 mm, height_z: 12 mm}}}}, flexibility: {{{0}}}}}
      payload: {{mass: 0.2}}
{1}
)",
                     flexibility, more);
}

}  // namespace lithe::testing
