#pragma once

#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"

namespace lithe {

/// What a case writes for a link that bends by strains: `flexibility: {strains: {bending_z: 3}}`.
std::string strains_line(const StrainTerms& terms);

/// How far the exact links of an arm are from what their equations can follow (docs/warnings.md): strains beyond which no material is
/// linear, and turns between two of a link's points that series of rotations and polynomial places no longer resolve
/// (docs/exact-links.md 7). Measuring allocates nothing.
class ExactLimits {
 public:
  explicit ExactLimits(const Arm& arm);

  int size() const { return int(links_.size()); }  // exact links

  /// Of the k-th of them: the largest strain along the axis of any fibre at its stations (of the axis alone where the section's outline is
  /// not known), and the largest turn between two neighbouring points [rad].
  double strain(int k, const State& state) const;
  double turn(int k, const State& state) const;

  static constexpr double largest_strain = 0.05;
  static constexpr double largest_turn = 1;  // [rad]

  /// The text of a warning; `when` is empty or ` at t = 1.2 s`.
  std::string strain_text(int k, double strain, const std::string& when) const;
  std::string turn_text(int k, double turn, const std::string& when) const;

  /// Every limit that an arm at rest exceeds.
  std::vector<std::string> exceeded(const State& state) const;

 private:
  struct Watched {
    std::string name;
    int i_link = 0;
    StrainTerms terms;              // as the case gives them
    std::vector<Matrix6Xd> strain;  // [station] [κ; ε, γ] per coordinate
    std::vector<Matrix3Xd> turn;    // [interval] ∫κ dx per coordinate
  };
  Arm arm_;
  std::vector<Watched> links_;
};

}  // namespace lithe
