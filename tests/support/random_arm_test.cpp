// What the random arms of the property tests have: each kind of thing in a fair share of them, or the laws hold of less than
// they claim.
#include "support/random_arm.h"

#include <gtest/gtest.h>

#include <iostream>
#include <set>

namespace lithe::testing {
namespace {

/// Names of all that an arm has.
std::set<std::string> kinds_of(const Case& data) {
  std::set<std::string> found;
  const ArmSpec& arm = data.arm;
  const char* const bases[] = {"fixed base", "planar base", "free base", "moving base"};
  found.insert(bases[size_t(arm.base.type)]);
  if (arm.links.size() >= 5) found.insert("five links or more");
  if (arm.links.size() == 8) found.insert("eight links");
  if (!arm.rotary_inertia) found.insert("no rotary inertia");
  bool all_plain = true;
  std::set<std::string> parents;
  for (size_t i = 0; i < arm.links.size(); ++i) {
    const LinkSpec& link = arm.links[i];
    const std::string parent = link.parent.value_or(i == 0 ? "base" : arm.links[i - 1].name);
    if (!parents.insert(parent).second) found.insert(parent == "base" ? "several links on the base" : "branch");
    found.insert(link.joint.type + " joint");
    const bool plain = !link.joint.origin && (!link.joint.axis || link.joint.axis->cwiseAbs().maxCoeff() == 1);
    all_plain = all_plain && (plain || (link.joint.origin && link.joint.origin->xyz.isZero()));
    if (plain) found.insert("joint on its parent's tip, about a coordinate axis");
    if (plain && i > 0 && arm.links[i - 1].name == parent && arm.links[i - 1].beam) found.insert("the same, on a beam");
    if (link.joint.origin && link.joint.axis) found.insert("joint anywhere, about any axis");
    if (link.joint.damping > 0) found.insert("joint damping");
    if (link.joint.friction) found.insert("friction");
    if (link.joint.spring) found.insert("joint spring");
    if (link.joint.limits) found.insert("soft stops");
    if (link.joint.motor) found.insert(link.joint.motor->stiffness ? "elastic transmission" : "rotor");
    for (const Payload& payload : link.payloads) {
      const bool along = payload.at.has_value();
      found.insert(!along ? "payload" : link.beam ? "body along a beam" : "body along a rigid link");
      if (along && payload.inertia == InertiaEntries{}) found.insert("point mass along a link");
    }
    if (link.rigid) found.insert("rigid body");
    if (!link.beam) continue;
    const Beam& beam = *link.beam;
    if (beam.tip_section) found.insert("tapered beam");
    if (!beam.steps.empty()) found.insert("stepped beam");
    if (beam.damping) {
      const char* const laws[] = {"damping ratio", "Rayleigh damping", "loss factor"};
      found.insert(laws[beam.damping->index()]);
    }
    const char* const sections[] = {"section by numbers", "circle", "tube", "rectangle", "box"};
    found.insert(sections[beam.section.shape.index()]);
    if (std::holds_alternative<NoFlexibility>(beam.flexibility)) found.insert("rigid beam");
    if (const auto* modes = std::get_if<Modes>(&beam.flexibility)) {
      const char* const shapes[] = {"polynomial shapes", "clamped-free shapes", "clamped-mass shapes"};
      const int n = modes->bending_y + modes->bending_z + modes->torsion + modes->axial;
      if (n > 0) found.insert(shapes[size_t(modes->shape)]);
      if (modes->bending_y > 0) found.insert("bending along y");
      if (modes->bending_z > 0) found.insert("bending along z");
      if (modes->torsion > 0) found.insert("torsion");
      if (modes->axial > 0) found.insert("stretch");
      if (modes->bending_y * modes->bending_z * modes->torsion * modes->axial > 0) found.insert("all four at once");
      if (n > 0) found.insert("bends");
    }
    if (const auto* elements = std::get_if<Elements>(&beam.flexibility)) {
      const char* const planes[] = {"elements in space", "elements in y", "elements in z"};
      found.insert(planes[size_t(elements->plane)]);
      if (elements->element == ElementKind::linear) found.insert("linear elements");
      if (elements->integration == Integration::full) found.insert("full integration");
      if (!elements->mesh.empty()) found.insert("given mesh");
      if (elements->keep)
        found.insert(elements->reduction == Reduction::eigenmodes ? "reduced to eigenmodes"
                                                                  : "reduced by Craig and Bampton");
      found.insert("bends");
    }
    if (std::holds_alternative<Segments>(beam.flexibility)) found.insert({"segments", "bends"});
    if (const auto* strains = std::get_if<StrainTerms>(&beam.flexibility)) {
      const bool one_plane = (strains->bending_y == 0) != (strains->bending_z == 0) && strains->torsion == 0;
      const bool shears = strains->shear_y + strains->shear_z > 0;
      found.insert({"strains", "bends"});
      if (one_plane && strains->axial == 0 && !shears) found.insert("strains in a plane");
      if (strains->bending_y * strains->bending_z * strains->torsion > 0) found.insert("strains in space, with twist");
      if (strains->axial > 0) found.insert("strains with stretch");
      if (shears) found.insert("strains with shear");
    }
  }
  if (all_plain) found.insert("nothing but plain joints");
  return found;
}

/// Half of the arms of the property tests are of every kind, half stay within what points cover; bases, drive lines and rotary
/// inertia by turns; the larger of two even draws is the number of links (draw.h).
Case drawn(std::uint32_t k) {
  const std::uint32_t seed = 7919 * k + 17;
  FlexibleArmOptions options;
  options.arm.base = BaseType(k % 4);
  options.arm.drive_line = k / 4 % 2 == 0;
  options.rotary_inertia = k / 8 % 3 > 0;
  options.elements = options.segments = true;
  options.every_kind = k / 16 % 2 == 0;
  options.strains = k / 32 % 3 == 0;
  return random_flexible_case(int(1 + std::max(k / 3 % 8, k * 5 / 2 % 8)), seed, options);
}

TEST(RandomArms, HaveEverythingThatArmsHave) {
  const int trials = 1200;
  std::map<std::string, int> count;
  double links = 0, coordinates = 0;
  for (std::uint32_t k = 0; k < trials; ++k) {
    const Case data = drawn(k);
    links += double(data.arm.links.size()) / trials;
    coordinates += double(Arm::assemble(data).nv()) / trials;  // and none is refused
    for (const std::string& kind : kinds_of(data)) ++count[kind];
  }
  std::cout << "mean " << links << " links, " << coordinates << " coordinates; share of arms that have\n";
  for (const auto& [kind, n] : count) std::cout << "  " << 100 * n / trials << " %  " << kind << "\n";
  EXPECT_GT(links, 5);
  EXPECT_GT(coordinates, 20);
  EXPECT_EQ(count["bends"], trials);
  const char* const all[] = {"fixed base",
                             "planar base",
                             "free base",
                             "moving base",
                             "five links or more",
                             "eight links",
                             "no rotary inertia",
                             "several links on the base",
                             "branch",
                             "fixed joint",
                             "revolute joint",
                             "prismatic joint",
                             "joint on its parent's tip, about a coordinate axis",
                             "the same, on a beam",
                             "joint anywhere, about any axis",
                             "nothing but plain joints",
                             "joint damping",
                             "friction",
                             "joint spring",
                             "soft stops",
                             "rotor",
                             "elastic transmission",
                             "payload",
                             "body along a beam",
                             "body along a rigid link",
                             "point mass along a link",
                             "rigid body",
                             "rigid beam",
                             "section by numbers",
                             "tube",
                             "rectangle",
                             "box",
                             "tapered beam",
                             "stepped beam",
                             "damping ratio",
                             "Rayleigh damping",
                             "loss factor",
                             "strains",
                             "strains in a plane",
                             "strains in space, with twist",
                             "strains with stretch",
                             "strains with shear",
                             "polynomial shapes",
                             "clamped-free shapes",
                             "clamped-mass shapes",
                             "bending along y",
                             "bending along z",
                             "torsion",
                             "stretch",
                             "all four at once",
                             "elements in space",
                             "elements in y",
                             "elements in z",
                             "linear elements",
                             "full integration",
                             "given mesh",
                             "reduced to eigenmodes",
                             "reduced by Craig and Bampton",
                             "segments",
                             "bends"};
  // Of the hundred arms of one property test, five at least.
  for (const char* kind : all) EXPECT_GE(count[kind], trials / 20) << kind;
  for (const auto& [kind, n] : count)
    EXPECT_NE(std::count(std::begin(all), std::end(all), kind), 0) << "not listed: " << kind;
}

TEST(RandomArms, AreTheSameForTheSameSeed) {
  for (const std::uint32_t k : {3u, 40u, 77u}) {
    EXPECT_EQ(drawn(k), drawn(k));
    EXPECT_NE(drawn(k), drawn(k + 96));
  }
}

}  // namespace
}  // namespace lithe::testing
