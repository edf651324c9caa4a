// Arms whose beams are exact links, and states in which these bend far.
#pragma once

#include <random>

#include "support/random_arm.h"

namespace lithe::testing {

/// The case with its beams made exact links of random terms: of every two one bends in one plane, in space, or has every strain.
inline Case with_exact_links(Case data, std::uint32_t seed, bool all = false) {
  std::mt19937 dice(seed ^ 0x2c1b3c6du);
  const auto below = [&](unsigned n) { return int(dice() % n); };
  bool some = false;
  for (LinkSpec& link : data.arm.links) {
    if (!link.beam || std::holds_alternative<NoFlexibility>(link.beam->flexibility)) continue;
    if (some && !all && below(3) == 0) continue;
    some = true;
    link.beam->steps.clear();
    const bool rotary = data.arm.rotary_inertia;
    StrainTerms terms;
    switch (below(4)) {
      case 0:
        (below(2) == 0 ? terms.bending_y : terms.bending_z) = 1 + below(4);
        break;
      case 1:
        terms.bending_y = 1 + below(2);
        terms.bending_z = 1 + below(3);
        break;
      case 2:
        terms.bending_y = terms.bending_z = 2;
        terms.torsion = rotary ? 1 : 0;
        terms.axial = below(3);
        break;
      default:
        terms.bending_y = 1 + below(2);
        terms.bending_z = 1 + below(2);
        terms.axial = 1 + below(2);
        if (!rotary) break;
        terms.torsion = 1 + below(2);
        terms.shear_y = 1 + below(2);
        terms.shear_z = 1;
    }
    link.beam->flexibility = terms;
  }
  return data;
}

/// Sets coordinates and rates of exact links: curvatures turn tips by up to half a radian each, strains reach a twentieth.
inline void bend_far(const Arm& arm, State& state, std::uint32_t seed) {
  const VectorXd position = random_vector(arm.nv(), seed ^ 0x5bd1e995u),
                 rate = random_vector(arm.nv(), seed ^ 0x1b56c4e9u);
  for (const Link& link : arm.links()) {
    if (!link.flex || !link.flex->exact) continue;
    for (int k = 0; k < link.n_flex(); ++k) {
      const bool turns = link.flex->turns[size_t(k)];
      state.q[link.flex_q0() + k] = (turns ? 0.5 : 0.05) * position[link.flex_v0() + k];
      state.v[link.flex_v0() + k] = (turns ? 1.5 : 0.3) * rate[link.flex_v0() + k];
    }
  }
}

}  // namespace lithe::testing
