#pragma once

#include "lithe/beam/fibres.h"
#include "lithe/describe/case.h"
#include "lithe/describe/sections.h"

namespace lithe {

/// The properties of the beam at one section; mass and inertia per length.
struct SectionMatter {
  double mass = 0;                              // ρA
  Vector3d rotary = Vector3d::Zero();           // j = ρ [Iy + Iz, Iy, Iz]; zero if rotary inertia is omitted
  Vector3d section_inertia = Vector3d::Zero();  // the same, never omitted
  Vector3d stretch = Vector3d::Zero();          // [EA, κGA_y, κGA_z], against [ε_x, γ_y, γ_z]
  Vector3d bending = Vector3d::Zero();          // [GJ, EI_y, EI_z], against θ′
};

/// The properties of a beam along its length: constant, or smooth between `breaks`.
class BeamMatter {
 public:
  BeamMatter(const Beam& beam, bool rotary_inertia);

  double length() const { return beam_.length; }
  bool rotary_inertia() const { return rotary_inertia_; }
  /// 0, the places where the section jumps, L.
  const std::vector<double>& breaks() const { return breaks_; }
  /// Whether the section is the same everywhere between two breaks.
  bool constant_between_breaks() const { return !tapered_; }

  /// At a break, of the part beyond it; at the tip, of the last part.
  SectionMatter at(double x) const;
  /// Of the sections that at() has there, shared where they are the same; null where the outline is not known.
  std::vector<std::shared_ptr<const Fibres>> fibres_at(const std::vector<double>& places) const;
  /// Averages over the length.
  SectionMatter mean() const;

 private:
  SectionMatter computed_at(double x) const;
  SectionMatter matter(const SectionConstants& section) const;

  Beam beam_;
  bool rotary_inertia_, tapered_ = false;
  std::vector<double> breaks_;
  size_t part_at(double x) const;
  std::vector<SectionMatter> parts_;  // one per part where it is constant
};

}  // namespace lithe
