// What links are made of: materials, cross-sections, moments of inertia.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "lithe/describe/case/vectors.h"

namespace lithe {

struct Material {
  std::string name;                           // in the catalogue (materials.h); empty where the numbers are given
  double E = 0;                               // Young's modulus [Pa]
  double nu = 0;                              // Poisson's ratio
  double density = 0;                         // [kg/m^3]
  std::optional<double> G;                    // shear modulus [Pa]; default: E/(2(1+ν))
  std::optional<double> yield_strength = {};  // [Pa]; a run warns when a stress exceeds it
  double shear_modulus() const { return G.value_or(E / (2 * (1 + nu))); }
  bool operator==(const Material&) const = default;
};

struct Circle {
  double diameter = 0;
  bool operator==(const Circle&) const = default;
};
struct Tube {
  double outer_diameter = 0, inner_diameter = 0;
  bool operator==(const Tube&) const = default;
};
struct Rectangle {
  double width_y = 0, height_z = 0;
  bool operator==(const Rectangle&) const = default;
};
struct Box {
  double width_y = 0, height_z = 0, thickness = 0;
  bool operator==(const Box&) const = default;
};
/// A section given by its numbers. Iy and Iz are second moments about the section's y and z axes, J the torsion constant.
struct GeneralSection {
  double area = 0, Iy = 0, Iz = 0;
  std::optional<double> J;                           // default: Iy + Iz, which is right for round sections only
  std::optional<double> outer_y = {}, outer_z = {};  // distances of the outermost fibres from the axes; both or neither
  bool operator==(const GeneralSection&) const = default;
};

struct Section {
  std::variant<GeneralSection, Circle, Tube, Rectangle, Box> shape;
  std::optional<double> shear;  // shear coefficient; default: by Cowper's formula (sections.h)
  bool operator==(const Section&) const = default;
};

/// Matrix elements about the mass centre, in link axes (so xy is −∫xy dm).
struct InertiaEntries {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  Matrix3d matrix() const { return (Matrix3d() << xx, xy, xz, xy, yy, yz, xz, yz, zz).finished(); }
  bool operator==(const InertiaEntries&) const = default;
};

}  // namespace lithe
