#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/describe/checked_problems.h"
#include "lithe/describe/limits.h"

namespace lithe {
namespace {

/// Sections that can exist, meshes and springs that fit their beam.
class BeamChecker : CheckBase {
 public:
  explicit BeamChecker(CheckedProblems& problems) : CheckBase(problems) {}

  void beam(const Beam& beam, const std::string& path) {
    section(beam.section, path + ".section");
    if (beam.tip_section) {
      section(*beam.tip_section, path + ".tip_section");
      if (beam.tip_section->shape.index() != beam.section.shape.index())
        error(path + ".tip_section", "expected a section of the same kind as at the root");
      if (!beam.steps.empty()) error(path + ".steps", "expected either tip_section or steps");
    }
    double previous = 0;
    for (size_t i = 0; i < beam.steps.size(); ++i) {
      const std::string step = fmt::format("{}.steps[{}]", path, i);
      section(beam.steps[i].section, step + ".section");
      const double at = beam.steps[i].at;
      if (beam.length > 0 && at > 0 && !(at > previous && at < beam.length))
        error(step + ".at", fmt::format("expected a place between {:g} m and the tip at {:g} m, got {:g} m", previous,
                                        beam.length, at));
      previous = at;
    }
    if (const auto* elements = std::get_if<Elements>(&beam.flexibility)) mesh(beam, *elements, path + ".flexibility");
    if (const auto* terms = std::get_if<StrainTerms>(&beam.flexibility))
      strains(beam, *terms, path + ".flexibility.strains");
    if (const auto* pieces = std::get_if<Segments>(&beam.flexibility)) segments(*pieces, path + ".flexibility");
    damping(beam, path + ".damping");
  }

 private:
  void strains(const Beam& beam, const StrainTerms& terms, const std::string& path) {
    if (terms.of_a_piece() == 0)
      error(path,
            "no strain has any terms, so the beam cannot bend: expected terms of at least one, such as "
            "{bending_z: 3}, or flexibility: rigid");
    if (terms.pieces > limits::strain_coordinates) return;  // reported as too many coordinates
    // Only at ends of pieces may properties jump.
    for (size_t i = 0; i < beam.steps.size(); ++i) {
      const double at = beam.steps[i].at * terms.pieces / beam.length;
      if (beam.length > 0 && std::abs(at - std::round(at)) > 1e-9 * terms.pieces)
        error(fmt::format("{}.pieces", path),
              fmt::format("the section steps at {:g} m, which is not where two of {} equal pieces of {:g} m meet: "
                          "expected a number of pieces with an end there, or several links joined by fixed joints",
                          beam.steps[i].at, terms.pieces, beam.length / terms.pieces));
    }
  }

  /// One stiffness for each hinge or one for all, and none for locked directions.
  void segments(const Segments& s, const std::string& path) {
    auto count = [&](const std::vector<double>& list, const char* key) {
      if (!list.empty() && list.size() != 1 && int(list.size()) != s.count)
        error(path + ".springs." + key,
              fmt::format("expected {} stiffnesses, one for each hinge, or one for all, got {}", s.count, list.size()));
    };
    auto lock = [&](bool locked, const std::vector<double>& list, const char* key) {
      if (locked && !list.empty())
        error(path + ".locked", fmt::format("{} has springs and cannot also be locked: give one or the other", key));
    };
    const HingeSprings& given = s.given;
    if (given.bending_y == given.bending_z) {
      count(given.bending_y, "bending");
    } else {
      count(given.bending_y, "bending_y");
      count(given.bending_z, "bending_z");
    }
    count(given.torsion, "torsion");
    if (s.locked.bending_y && s.locked.bending_z && s.locked.torsion)
      return error(path + ".locked", "all directions are locked, so the beam cannot bend: expected flexibility: rigid");
    lock(s.locked.bending_y, given.bending_y, "bending_y");
    lock(s.locked.bending_z, given.bending_z, "bending_z");
    lock(s.locked.torsion, given.torsion, "torsion");
  }

  void mesh(const Beam& beam, const Elements& elements, const std::string& path) {
    const long n = elements.count, per_node = elements.plane == BendingPlane::both ? 6 : 3;
    if (elements.mesh.empty() && n <= long(beam.steps.size()))
      error(path + ".elements", fmt::format("expected at least one for each of the {} parts between steps, got {}",
                                            beam.steps.size() + 1, n));
    if (!elements.mesh.empty()) {
      double sum = 0;
      std::vector<double> nodes;
      for (double part : elements.mesh) nodes.push_back(sum += part);
      if (n > limits::elements) return;  // already reported
      if (long(elements.mesh.size()) != n)
        error(path + ".mesh", fmt::format("expected {} lengths, one per element, got {}", n, elements.mesh.size()));
      else if (std::abs(sum - 1) > 1e-9)
        error(path + ".mesh", fmt::format("expected fractions that sum to 1, got {:.9g}", sum));
      if (beam.steps.size() > size_t(limits::elements) || long(nodes.size()) > limits::elements) return;
      for (const SectionStep& step : beam.steps) {
        auto at_step = [&](double node) { return std::abs(node * beam.length - step.at) <= 1e-9 * beam.length; };
        if (std::none_of(nodes.begin(), nodes.end(), at_step))
          error(path + ".mesh", fmt::format("expected a node at the step at {:g} m", step.at));
      }
    }
    if (!elements.keep) {
      if (elements.reduction != Reduction::craig_bampton)
        error(path + ".reduction", "a reduction needs the number of coordinates to keep: give `keep`");
      return;
    }
    const long moving = per_node - (elements.stiffening ? 1 : 0);  // without stretch
    const long least = elements.reduction == Reduction::craig_bampton ? moving : 1;
    if (*elements.keep < least)
      error(path + ".keep", fmt::format("expected at least {}, the motions of the tip, got {}", least, *elements.keep));
    if (*elements.keep > moving * n)
      error(path + ".keep",
            fmt::format("expected at most {}, the number of coordinates, got {}", moving * n, *elements.keep));
  }

  void damping(const Beam& beam, const std::string& path) {
    if (!beam.damping) return;
    if (std::holds_alternative<NoFlexibility>(beam.flexibility)) error(path, "a rigid beam has no damping of its own");
    if (const auto* rayleigh = std::get_if<RayleighDamping>(&*beam.damping);
        rayleigh && rayleigh->alpha > 0 && std::holds_alternative<Segments>(beam.flexibility))
      error(path + ".rayleigh.alpha",
            "springs between segments are damped in proportion to stiffness only: expected 0");
  }

  void section(const Section& section, const std::string& path) {
    if (const auto* numbers = std::get_if<GeneralSection>(&section.shape)) outer_fibres(*numbers, path);
    if (const auto* tube = std::get_if<Tube>(&section.shape); tube && !(tube->inner_diameter < tube->outer_diameter))
      error(path + ".tube.inner_diameter", fmt::format("expected less than the outer diameter {:g} m, got {:g} m",
                                                       tube->outer_diameter, tube->inner_diameter));
    if (const auto* box = std::get_if<Box>(&section.shape);
        box && !(2 * box->thickness < std::min(box->width_y, box->height_z)))
      error(path + ".box.thickness", fmt::format("expected less than half the smaller side, {:g} m, got {:g} m",
                                                 std::min(box->width_y, box->height_z) / 2, box->thickness));
  }

  /// ∫z² dA is at most the area times the square of the largest z.
  void outer_fibres(const GeneralSection& section, const std::string& path) {
    if (section.outer_y.has_value() != section.outer_z.has_value())
      error(path + (section.outer_y ? ".outer_y" : ".outer_z"), "expected both outer_y and outer_z, or neither");
    auto check = [&](const std::optional<double>& outer, double moment, const char* key) {
      const double least = std::sqrt(moment / section.area);
      if (outer && *outer < least)
        error(path + key, fmt::format("expected at least the radius of gyration, {:g} m, got {:g} m", least, *outer));
    };
    check(section.outer_y, section.Iz, ".outer_y");
    check(section.outer_z, section.Iy, ".outer_z");
  }
};

}  // namespace

void check_beam(const Beam& beam, const std::string& path, CheckedProblems& problems) {
  BeamChecker(problems).beam(beam, path);
}

}  // namespace lithe
