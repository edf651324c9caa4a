// Arms for property tests and benchmarks. Everything follows from the seed given: no hidden global generator.
#pragma once

#include <cstdint>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"
#include "lithe/describe/case.h"

namespace lithe::testing {

struct RandomArmOptions {
  bool tree = true;           // links may branch; else a chain
  bool fixed_joints = true;   // some joints are fixed
  bool prismatic = true;      // some joints slide
  bool other_joints = false;  // some are of the kinds with other directions or several coordinates
  bool drive_line = false;    // rotors, damping, friction, springs, soft limits
  bool payloads = true;
  bool plain_joints =
      true;  // some stand on their parent's tip, not turned, about a coordinate axis, as most joints of real arms
  BaseType base = BaseType::fixed;
  bool base_profiles = false;  // a moving base follows profiles in all six directions
};

struct FlexibleArmOptions {
  RandomArmOptions arm;
  bool rotary_inertia = true;
  TipRotation tip_rotation = TipRotation::finite;
  Modes most = {3, 3, 3, 3};  // shapes of each kind
  bool elements = false;      // some links bend by one or two elements
  bool segments = false;      // some are two or three segments; only with rotary inertia, which resists their twist
  // Also what points do not cover: shapes that carry a mass, linear and reduced elements, meshes, tapered and stepped beams,
  // sections by their form, damping by ratio and by loss factor. Elements and segments among them as above.
  bool every_kind = false;
  // Some links, one at least, bend by strains instead: in a plane or in space, by up to so many terms. Without `every_kind` they are uniform.
  bool strains = false;
  StrainTerms most_strains = {3, 3, 2, 1, 1, 1};
  double stiffer = 1;  // multiplies Young's modulus: long arms that shall hold their own weight need some ten
};

/// A rigid arm of n_links links, most with generic axes and origins, all with generic inertias (physically possible ones).
Case random_case(int n_links, std::uint32_t seed, const RandomArmOptions& options = {});

/// The same with most links turned into flexible beams of mixed shapes, soft and fat, so that inertia, rotary inertia and
/// stiffness all count; at least one bends. Its mass matrix is regular: twist is left out where nothing resists it.
Case random_flexible_case(int n_links, std::uint32_t seed, const FlexibleArmOptions& options = {});

/// The same arm with `stiffening` on all links that can have it.
Case stiffened(Case data);

/// A chain of n revolute joints with generic geometry: what the benchmarks time.
Case chain_case(int n_joints, std::uint32_t seed);

/// Six revolute joints about generic axes; links 2 and 3 bend, each by one shape in y, in z and in torsion, with their
/// children's joints at their tips: the arm whose cost book83 counts. No payload, no drive line.
Case two_bending_links_case(bool rotary_inertia = true);

/// Joints anywhere within ±π (±1 m), rates within ±2; a free base anywhere, turned anyhow. Flexible coordinates within a
/// twentieth of the link's length (0.1 rad) and not turning its tip by more than one radian each, at rates within ±½. Exact links bend by
/// ±0.6 rad in the first term of a curvature, at rates within ±1, by less in higher ones, and stretch and shear by a fiftieth of that.
State random_state(const Arm& arm, std::uint32_t seed);

/// n numbers within ±size.
VectorXd random_vector(int n, std::uint32_t seed, double size = 1);

}  // namespace lithe::testing
