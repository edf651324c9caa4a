#include "lithe/describe/case_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lithe/describe/joint_names.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/problem.h"
#include "lithe/spatial/whole_number.h"

namespace lithe {

long count_of_steps(double duration, double step, long most, const std::string& path, const char* what,
                    const char* instead) {
  const double n = std::ceil(duration / step * (1 - 1e-12));
  if (const auto count = whole_number(n, 0, most)) return *count;
  throw FieldError(path, fmt::format("asks for {:.3g} {}; at most {}: {}", n, what, most, instead));
}

namespace {

class LimitChecker {
 public:
  std::vector<std::pair<std::string, std::string>> problems;

  void arm(const ArmSpec& arm) {
    at_most(std::int64_t(arm.links.size()), limits::links, "arm.links", "links", "fewer links, or beams with shapes");
    std::int64_t coordinates = arm.base.type == BaseType::free ? 6 : arm.base.type == BaseType::planar ? 3 : 0;
    std::int64_t bodies = 0, panels = 0;
    bool said = false;
    for (size_t i = 0; i < arm.links.size(); ++i) {
      const LinkSpec& link = arm.links[i];
      const std::string path = fmt::format("arm.links[{}]", i);
      coordinates += coordinate_count(link.joint.type);
      coordinates += link.joint.motor && link.joint.motor->stiffness ? 1 : 0;
      bodies += 1;
      if (link.beam) coordinates += beam(*link.beam, path + ".beam", bodies);
      if (link.surface) {
        panels += std::int64_t(link.surface->panels_chord) * link.surface->panels_span;
        if (panels > limits::panels && !said)
          at_most(panels, limits::panels, path + ".surface", "panels on the surfaces so far",
                  "fewer panels_chord or panels_span");
        said |= panels > limits::panels;
      }
      if (coordinates > limits::coordinates)
        return at_most(coordinates, limits::coordinates, path, "coordinates of the arm up to this link",
                       "fewer elements or segments, or some shapes kept ({elements: N, keep: 12})");
      if (bodies > limits::bodies)
        return at_most(bodies, limits::bodies, path, "bodies up to this link", "fewer segments");
    }
  }

  void run(const Case& data) {
    if (!data.simulate) return;
    const Simulate& run = *data.simulate;
    const double rows = run.row_interval();
    counted(run.duration, rows, limits::result_rows, run.output_step ? "simulate.output_step" : "simulate.for", "rows",
            "a longer output_step");
    if (run.step) {
      counted(run.duration, *run.step, limits::steps, "simulate.step", "steps", "a longer step");
      counted(std::min(rows, run.duration), *run.step, limits::steps_between_rows, "simulate.step",
              "steps between two rows", "a longer step, or a shorter output_step");
    }
    if (run.checkpoint)
      counted(run.duration, *run.checkpoint, limits::checkpoints, "simulate.checkpoint", "checkpoints",
              "a longer interval");
    if (data.wind && data.wind->step)
      counted(run.duration, *data.wind->step, limits::steps, "wind.step", "steps of the air", "a longer step");
    // The integration stops at every sample of every controller.
    double samples = 0;
    if (!samples_of(data.torque, "", run.duration, samples)) return;
    for (size_t i = 0; i < data.events.size(); ++i)
      if (!samples_of(data.events[i].torque, fmt::format("events[{}].", i), run.duration, samples)) return;
  }

  void events(const Case& data) {
    at_most(std::int64_t(data.events.size()), limits::events, "events", "events", "fewer of them");
    at_most(std::int64_t(data.gauges.size()), limits::gauges, "gauges", "gauges", "fewer of them");
  }

 private:
  void at_most(std::int64_t asked, std::int64_t most, const std::string& path, const char* what, const char* instead) {
    if (asked > most)
      problems.emplace_back(path, fmt::format("asks for {} {}; at most {}: {}", asked, what, most, instead));
  }
  bool counted(double duration, double step, long most, const std::string& path, const char* what,
               const char* instead) {
    try {
      count_of_steps(duration, step, most, path, what, instead);
      return true;
    } catch (const FieldError& error) {
      problems.emplace_back(error.path(), error.what());
      return false;
    }
  }

  /// False if there are too many samples.
  bool samples_of(const std::map<std::string, Torque>& torques, const std::string& path, double duration,
                  double& samples) {
    for (const auto& [joint, torque] : torques) {
      const auto [actuation, law] = actuation_of(torque);
      if (actuation == nullptr || !actuation->sample_time) continue;
      samples += std::ceil(duration / *actuation->sample_time);
      if (!counted(samples, 1, limits::stops, fmt::format("{}torque.{}.{}.sample_time", path, joint, law),
                   "samples of the controllers so far", "a longer sample_time"))
        return false;
    }
    return true;
  }

  /// The number of coordinates of a flexible beam. Adds the bodies of its segments.
  std::int64_t beam(const Beam& beam, const std::string& path, std::int64_t& bodies) {
    const std::string where = path + ".flexibility";
    at_most(std::int64_t(beam.steps.size()), limits::elements, path + ".steps", "steps", "fewer, or a tip_section");
    if (const auto* modes = std::get_if<Modes>(&beam.flexibility)) {
      const std::int64_t n =
          std::int64_t(modes->bending_y) + modes->bending_z + std::int64_t(modes->torsion) + modes->axial;
      at_most(n, limits::shapes, where + ".modes", "shapes", "fewer shapes, or elements");
      return n;
    }
    if (const auto* strains = std::get_if<StrainTerms>(&beam.flexibility)) {
      const std::pair<const char*, int> given[] = {{"bending_y", strains->bending_y}, {"bending_z", strains->bending_z},
                                                   {"torsion", strains->torsion},     {"axial", strains->axial},
                                                   {"shear_y", strains->shear_y},     {"shear_z", strains->shear_z}};
      std::int64_t of_a_piece = 0;
      for (const auto& [key, count] : given) {
        at_most(count, limits::strain_terms, where + ".strains." + key, "terms", "more pieces, with fewer terms each");
        of_a_piece += count;
      }
      constexpr std::int64_t too_many = 1'000'000'000;  // the product of two such numbers is still a number
      const std::int64_t n = std::min(of_a_piece, too_many) * std::min<std::int64_t>(strains->pieces, too_many);
      at_most(n, limits::strain_coordinates, where + ".strains", "coordinates of one link",
              "fewer terms or pieces, or several links in a row, joined by fixed joints");
      return n;
    }
    if (const auto* elements = std::get_if<Elements>(&beam.flexibility)) {
      at_most(elements->count, limits::elements, where + ".elements", "elements", "fewer elements");
      if (elements->keep) {
        at_most(*elements->keep, limits::shapes, where + ".keep", "shapes", "keep fewer, or all by leaving it out");
        return *elements->keep;
      }
      return std::int64_t(elements->count) * (elements->plane == BendingPlane::both ? 6 : 3);
    }
    if (const auto* segments = std::get_if<Segments>(&beam.flexibility)) {
      const std::int64_t n = 3 * (std::int64_t(segments->count) + 1);
      at_most(segments->count, limits::elements, where + ".segments", "segments", "fewer segments");
      bodies += n;
      return n;
    }
    return 0;
  }

  static std::pair<const Actuation*, const char*> actuation_of(const Torque& torque) {
    if (const auto* pd = std::get_if<Pd>(&torque.law)) return {&pd->actuation, "pd"};
    if (const auto* computed = std::get_if<ComputedTorque>(&torque.law))
      return {&computed->actuation, "computed_torque"};
    if (const auto* servo = std::get_if<Servo>(&torque.law)) return {&servo->actuation, "servo"};
    if (const auto* pid = std::get_if<Pid>(&torque.law)) return {&pid->actuation, "pid"};
    if (const auto* input = std::get_if<InputTorque>(&torque.law)) return {&input->actuation, "input"};
    return {nullptr, ""};
  }
};

}  // namespace

std::vector<std::pair<std::string, std::string>> limit_problems(const Case& data) {
  LimitChecker checker;
  checker.arm(data.arm);
  checker.run(data);
  checker.events(data);
  return std::move(checker.problems);
}

}  // namespace lithe
