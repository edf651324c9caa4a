#pragma once

#include "lithe/describe/case.h"

namespace lithe {

/// The constants of a section that a beam needs. A section has no length.
struct SectionConstants {
  double area = 0;
  double Iy = 0, Iz = 0;  // second moments about the section's y and z axes: Iy = ∫z² dA, Iz = ∫y² dA
  double J = 0;           // torsion constant
  double polar() const { return Iy + Iz; }  // of mass, not of stiffness
  double shear_y = 0, shear_z = 0;          // shear coefficients κ for shear along y and along z
};

/// Area, second moments, torsion constant and shear coefficients of a section of a material with Poisson's ratio ν.
///
/// Shear coefficients by Cowper, "The shear coefficient in Timoshenko's beam theory", J. Appl. Mech. 33 (1966) 335–340:
///   circle     6(1+ν) / (7+6ν)                               (0.8864 at ν = 0.3)
///   tube       6(1+ν)(1+m²)² / ((7+6ν)(1+m²)² + (20+12ν)m²),  m = inner/outer
///   rectangle  10(1+ν) / (12+11ν)
///   box        Cowper's thin-walled box, by the walls' mid-lines
///   general    that of the circle
/// Torsion: J = Iy + Iz for round sections, the series solution for the rectangle (Timoshenko & Goodier §109), Bredt's
/// 4A²t/s for the thin-walled box.
SectionConstants section_constants(const Section& section, double nu);

/// Where the section of a beam jumps, including 0 and L.
std::vector<double> section_breaks(const Beam& beam);

/// The section a beam has at x. Under `tip_section` each dimension (or each number, where the section is given by numbers)
/// changes linearly from root to tip, and so does the shear coefficient where both sections have one; where only one has it, it applies
/// throughout. At a step it is the section beyond the step.
Section section_at(const Beam& beam, double x);

}  // namespace lithe
