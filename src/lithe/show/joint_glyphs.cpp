#include "lithe/show/joint_glyphs.h"

#include <algorithm>

namespace lithe {

std::vector<JointGlyph> joint_glyphs(const Joint& joint) {
  using Step = ElementaryMotion::Kind;
  using Glyph = JointGlyph::Kind;
  if (joint.nv() == 0) return {};
  std::vector<JointGlyph> glyphs;
  for (const ElementaryMotion& step : joint.steps()) {
    if (step.kind == Step::shift) continue;
    const Glyph kind = step.kind == Step::turn ? Glyph::hinge : step.kind == Step::slide ? Glyph::sleeve : Glyph::ball;
    // A joint that turns about an axis and slides along it is drawn as a hinge with a rod.
    const bool drawn = std::any_of(glyphs.begin(), glyphs.end(), [&](const JointGlyph& other) {
      return other.kind == Glyph::hinge && kind != Glyph::ball && other.axis == step.axis;
    });
    if (!drawn) glyphs.push_back({kind, step.axis});
  }
  if (glyphs.empty()) glyphs.push_back({Glyph::ball, Vector3d::UnitZ()});
  return glyphs;
}

bool joint_slides(const Joint& joint) {
  const std::vector<ElementaryMotion> steps = joint.steps();
  return std::any_of(steps.begin(), steps.end(),
                     [](const ElementaryMotion& step) { return step.kind == ElementaryMotion::Kind::slide; });
}

}  // namespace lithe
