#pragma once

#include <memory>
#include <vector>

#include "lithe/describe/case.h"

namespace lithe {

/// The outermost fibres of a beam's section: strain and stress there under the section's force [N, V_y, V_z] and moment
/// [T, M_y, M_z] (InternalForces: what the face towards the tip bears, M = EI κ).
///
/// Along the outline, with τ along the tangent that goes from y to z (across it there is no shear: the surface is free):
///
///   σ = N/A + M_y z/I_y − M_z y/I_z          τ = τ_T T + τ_y V_y + τ_z V_z          σ_Mises = √(σ² + 3τ²)          (1)
///
///   kind       torsion τ_T                              transverse shear, e.g. V_z
///   circle,    r/J                                      Saint-Venant's, exact: [(½+ν)r² + (3/2+ν)r_i²] cos φ / (2(1+ν)I),
///     tube                                              y = r cos φ; 2V/A at the neutral axis of a thin tube
///   rectangle  the series, exact: 0 at corners, most    3(1 − (2z/h)²)/(2A) on the sides along z, 0 on the others: taken
///              in the middle of the longer sides        constant across the width (right for narrow ones; a square has
///                                                       13 % more in the middle of its sides)
///   box        Bredt: 1/(2 A_m t), mid-lines            flow of the thin closed wall, by mid-lines
///   numbers    c/J, c = outer_y if round (J = I_y + I_z neglected: its distribution needs the shape
///              and outer_y = outer_z), else √(outer_y² + outer_z²); corners of the bounding rectangle count as fibres:
///              conservative for sections that are solid or closed
///
/// Sections are free to warp; stress concentrations are neglected. Transverse shear vanishes where bending stress is largest, so
/// for slender links (1) is bending, tension and torsion; shear matters where the moment passes through zero.
///
/// [Timoshenko & Goodier] Theory of Elasticity, §109 (rectangle), §§114–115 (shear of circle and rectangle). [Love] Treatise,
/// §231 (shear of the hollow circle).
class Fibres {
 public:
  /// Null for a section given by numbers without `outer_y` and `outer_z`.
  static std::shared_ptr<const Fibres> of(const Section& section, const Material& material);

  /// Largest |ε_x| on the outline.
  double strain(const Vector3d& force, const Vector3d& moment) const;
  /// Largest von Mises stress on the outline. Round sections: anywhere; others: at 64 places, corners and middles among them.
  double stress(const Vector3d& force, const Vector3d& moment) const;

 private:
  struct Point {
    double My, Mz;     // σ per bending moment
    double T, Vy, Vz;  // τ per torque and shear force; at the point opposite σ of bending and τ of shear change sign
  };
  struct Maker;

  double E_ = 0, per_N_ = 0;
  bool round_ = false;
  double per_M_ = 0, per_T_ = 0, per_V_ = 0;  // of round ones
  std::vector<Point> half_;                   // of the others: half of the outline
};

}  // namespace lithe
