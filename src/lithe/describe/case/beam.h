// Beams: how they bend, taper and lose energy.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "lithe/describe/case/matter.h"
#include "lithe/describe/case/words.h"

namespace lithe {

enum class ModeShape { polynomial, clamped_free, clamped_mass, pinned_free, pinned_pinned };
struct Modes {
  int bending_y = 0, bending_z = 0, torsion = 0, axial = 0;
  ModeShape shape = ModeShape::polynomial;
  bool stiffening = false;  // the link shortens as it bends, to second order, so that fast spin stiffens it
  bool operator==(const Modes&) const = default;
};
enum class ElementKind { exact, linear };
enum class Integration { reduced, full };
enum class BendingPlane { both, y, z };  // y: deflection along y only, so coordinates u_x, u_y, θ_z; z: u_x, u_z, θ_y
enum class Reduction { craig_bampton, eigenmodes };
struct Elements {
  int count = 0;
  ElementKind element = ElementKind::exact;
  Integration integration = Integration::reduced;
  BendingPlane plane = BendingPlane::both;
  std::vector<double> mesh;  // lengths as fractions of the beam's length; default: equal
  std::optional<int> keep;   // number of coordinates left by a reduction; default: all
  Reduction reduction = Reduction::craig_bampton;
  bool stiffening = false;  // as in Modes
  bool operator==(const Elements&) const = default;
};
enum class SegmentSprings { calibrated, paper };
/// Stiffnesses of the hinges between segments, from root to tip: one for each hinge, or a single one for all. Where a list is
/// empty, the rule `SegmentSprings` applies.
struct HingeSprings {
  std::vector<double> bending_y, bending_z, torsion;
  bool operator==(const HingeSprings&) const = default;
};
/// Directions in which hinges between segments do not turn; these have no coordinates.
struct LockedHinges {
  bool bending_y = false, bending_z = false, torsion = false;
  bool operator==(const LockedHinges&) const = default;
};
struct Segments {
  int count = 0;
  SegmentSprings springs = SegmentSprings::calibrated;
  HingeSprings given = {};
  LockedHinges locked = {};
  bool operator==(const Segments&) const = default;
};
/// A link that bends far: numbers of Legendre terms of each strain, on each of so many pieces.
struct StrainTerms {
  int bending_y = 0, bending_z = 0, torsion = 0, axial = 0, shear_y = 0, shear_z = 0;
  int pieces = 1;
  bool operator==(const StrainTerms&) const = default;
  /// Coordinates of one piece. Counts of a file may be anything.
  int of_a_piece() const {
    long sum = 0;
    for (const int n : {bending_y, bending_z, torsion, axial, shear_y, shear_z}) sum += n;
    return int(std::min(sum, long(std::numeric_limits<int>::max())));
  }
};
struct NoFlexibility {
  bool operator==(const NoFlexibility&) const = default;
};
using Flexibility = std::variant<NoFlexibility, Modes, Elements, Segments, StrainTerms>;

/// The section of the beam from `at` on.
struct SectionStep {
  double at = 0;
  Section section;
  bool operator==(const SectionStep&) const = default;
};

// A beam's own damping.
/// The same damping ratio in every natural mode of the link alone, clamped at its root.
struct DampingRatio {
  double ratio = 0;
  bool operator==(const DampingRatio&) const = default;
};
/// D = alpha·M + beta·K
struct RayleighDamping {
  double alpha = 0, beta = 0;
  bool operator==(const RayleighDamping&) const = default;
};
/// A loss factor η, which at resonance acts as the damping ratio η/2.
struct LossFactor {
  double loss_factor = 0;
  bool operator==(const LossFactor&) const = default;
};
using StructuralDamping = std::variant<DampingRatio, RayleighDamping, LossFactor>;

struct Beam {
  double length = 0;
  Material material;
  Section section;
  Flexibility flexibility;
  std::optional<Section> tip_section;  // the dimensions taper linearly towards it
  std::vector<SectionStep> steps;
  std::optional<StructuralDamping> damping;
  bool operator==(const Beam&) const = default;
};

// The words of the choices above.
template <>
struct Words<ModeShape> {
  static constexpr WordList<ModeShape, 5> list{{{ModeShape::polynomial, "polynomial"},
                                                {ModeShape::clamped_free, "clamped-free"},
                                                {ModeShape::clamped_mass, "clamped-mass"},
                                                {ModeShape::pinned_free, "pinned-free"},
                                                {ModeShape::pinned_pinned, "pinned-pinned"}}};
};
template <>
struct Words<ElementKind> {
  static constexpr WordList<ElementKind, 2> list{{{ElementKind::exact, "exact"}, {ElementKind::linear, "linear"}}};
};
template <>
struct Words<Integration> {
  static constexpr WordList<Integration, 2> list{{{Integration::reduced, "reduced"}, {Integration::full, "full"}}};
};
template <>
struct Words<BendingPlane> {
  static constexpr WordList<BendingPlane, 3> list{
      {{BendingPlane::both, "both"}, {BendingPlane::y, "y"}, {BendingPlane::z, "z"}}};
};
template <>
struct Words<Reduction> {
  static constexpr WordList<Reduction, 2> list{
      {{Reduction::craig_bampton, "craig-bampton"}, {Reduction::eigenmodes, "eigenmodes"}}};
};
template <>
struct Words<SegmentSprings> {
  static constexpr WordList<SegmentSprings, 2> list{
      {{SegmentSprings::calibrated, "calibrated"}, {SegmentSprings::paper, "paper"}}};
};

}  // namespace lithe
