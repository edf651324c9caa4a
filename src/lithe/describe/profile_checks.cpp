#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "lithe/describe/checked_problems.h"

namespace lithe {
namespace {

class ProfileChecker : CheckBase {
 public:
  explicit ProfileChecker(CheckedProblems& problems) : CheckBase(problems) {}

  /// `must_end`: why it must end; null if it may go on for ever.
  void profile(const Profile& profile, const std::string& path, const char* must_end, bool stepped = false) {
    if (const auto* p = std::get_if<TrapezoidalVelocity>(&profile.shape); p && p->ramp && *p->ramp > p->in / 2)
      error(path + ".trapezoidal_velocity.ramp",
            fmt::format("expected at most half the move, {:g} s, got {:g} s", p->in / 2, *p->ramp));
    if (const auto* p = std::get_if<TrapezoidalAcceleration>(&profile.shape); p && p->ramp && *p->ramp > p->in / 4)
      error(path + ".trapezoidal_acceleration.ramp",
            fmt::format("expected at most a quarter of the move, {:g} s, got {:g} s", p->in / 4, *p->ramp));
    if (const auto* p = std::get_if<Sinusoid>(&profile.shape); p && must_end != nullptr && !p->duration)
      error(path + ".sinusoid.for", fmt::format("missing; {}, so this one must end", must_end));
    if (const auto* p = std::get_if<SpinUp>(&profile.shape)) {
      if (must_end != nullptr && !p->duration)
        error(path + ".spin_up.for", fmt::format("missing; {}, so this one must end", must_end));
      if (p->duration && *p->duration < p->in)
        error(path + ".spin_up.for",
              fmt::format("expected at least the time of the rise, {:g} s, got {:g} s", p->in, *p->duration));
    }
    if (const auto* p = std::get_if<Lines>(&profile.shape))
      for (size_t i = 1; i < p->points.size(); ++i)
        if (!(p->points[i].at > p->points[i - 1].at))
          error(fmt::format("{}.lines[{}].at", path, i),
                fmt::format("expected a time after the previous point, {:g} s, got {:g} s", p->points[i - 1].at,
                            p->points[i].at));
    if (const auto* p = std::get_if<Table>(&profile.shape)) {
      std::error_code unknown;  // the reader of the table reports why
      const auto bytes = std::filesystem::file_size(p->file, unknown);
      if (!unknown) problems_.count_data(bytes, path + ".table.file");
    }
    if (const auto* p = std::get_if<Sequence>(&profile.shape))
      for (size_t i = 0; i < p->parts.size(); ++i)
        this->profile(p->parts[i], fmt::format("{}.sequence[{}]", path, i),
                      i + 1 < p->parts.size() ? "another part follows" : must_end, stepped);
    if (const auto* p = std::get_if<Steps>(&profile.shape)) {
      if (!(p->size > 0))
        error(path + ".steps.size",
              fmt::format("expected a step above zero, got {:g}{}", p->size, p->size < 0 ? " (rad or m)" : ""));
      if (stepped)
        error(path + ".steps", "this is within the profile of another stepping motor: expected one without `steps`");
      else if (p->of.has_value())
        this->profile(*p->of, path + ".steps.of", "a stepping motor counts its steps before the run", true);
    }
  }
};

}  // namespace

void check_profile(const Profile& profile, const std::string& path, CheckedProblems& problems) {
  ProfileChecker(problems).profile(profile, path, nullptr);
}

}  // namespace lithe
