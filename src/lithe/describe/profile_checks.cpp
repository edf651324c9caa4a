#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "lithe/describe/checked_problems.h"

namespace lithe {
namespace {

class ProfileChecker : CheckBase {
 public:
  explicit ProfileChecker(CheckedProblems& problems) : CheckBase(problems) {}

  /// `followed`: another part comes after this one, so it must end.
  void profile(const Profile& profile, const std::string& path, bool followed) {
    if (const auto* p = std::get_if<TrapezoidalVelocity>(&profile.shape); p && p->ramp && *p->ramp > p->in / 2)
      error(path + ".trapezoidal_velocity.ramp",
            fmt::format("expected at most half the move, {:g} s, got {:g} s", p->in / 2, *p->ramp));
    if (const auto* p = std::get_if<TrapezoidalAcceleration>(&profile.shape); p && p->ramp && *p->ramp > p->in / 4)
      error(path + ".trapezoidal_acceleration.ramp",
            fmt::format("expected at most a quarter of the move, {:g} s, got {:g} s", p->in / 4, *p->ramp));
    if (const auto* p = std::get_if<Sinusoid>(&profile.shape); p && followed && !p->duration)
      error(path + ".sinusoid.for", "missing; another part follows, so this one must end");
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
        this->profile(p->parts[i], fmt::format("{}.sequence[{}]", path, i), followed || i + 1 < p->parts.size());
  }
};

}  // namespace

void check_profile(const Profile& profile, const std::string& path, CheckedProblems& problems) {
  ProfileChecker(problems).profile(profile, path, false);
}

}  // namespace lithe
