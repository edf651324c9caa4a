#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lithe/describe/case_checks.h"
#include "lithe/describe/checked_problems.h"
#include "lithe/describe/gauges.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"

namespace lithe {
namespace {

/// Checks that every gauge has a name of its own among the series, and a place on a link whose strain is known.
class GaugeChecker : CheckBase {
 public:
  explicit GaugeChecker(CheckedProblems& problems) : CheckBase(problems) {}

  void check(const Case& data) {
    std::map<std::string, const char*> taken;
    for (const std::string& name : reserved_names()) taken.emplace(name, "reserved");
    // Of all series only those of joints are called by a name without a dot.
    for (const LinkSpec& link : data.arm.links) taken.emplace(link.joint.name, "that of a joint");
    for (size_t i = 0; i < data.gauges.size(); ++i) {
      const Gauge& gauge = data.gauges[i];
      const std::string path = fmt::format("gauges[{}]", i);
      if (!gauge.name.empty()) {
        const auto [known, is_new] = taken.emplace(gauge.name, "taken");
        if (!is_new) error(path + ".name", fmt::format("the name '{}' is {}", shortened(gauge.name), known->second));
      }
      place(data.arm, gauge, path);
    }
  }

 private:
  void place(const ArmSpec& arm, const Gauge& gauge, const std::string& path) {
    if (gauge.link.empty()) return;  // could not be read
    std::vector<std::string> names;
    for (const LinkSpec& link : arm.links) names.push_back(link.name);
    const auto found = std::find(names.begin(), names.end(), gauge.link);
    if (found == names.end())
      return error(path + ".link", fmt::format("no link '{}'{} Links: {}", shortened(gauge.link),
                                               guess_in_sentence(gauge.link, names), comma_list(names)));
    const LinkSpec& link = arm.links[size_t(found - names.begin())];
    if (link.imported)
      return error(
          path + ".link",
          fmt::format("the file of the imported link '{}' does not say what sections it has, so their strain is "
                      "not known: expected a beam",
                      gauge.link));
    if (!link.beam || std::holds_alternative<NoFlexibility>(link.beam->flexibility))
      return error(path + ".link",
                   fmt::format("link '{}' is rigid and has no strain: expected a link that bends", gauge.link));
    if (link.joint.guide)
      return error(path + ".link",
                   fmt::format("link '{}' slides through a guide: the forces inside it are not known", gauge.link));
    const Beam& beam = *link.beam;
    if (!(beam.length > 0)) return;  // said already
    if (gauge.at > beam.length)
      return error(path + ".at", fmt::format("expected a place on link '{}', from 0 to its tip at {:g} m, got {:g} m",
                                             gauge.link, beam.length, gauge.at));
    try {
      gauge_point(beam, gauge, path);
    } catch (const FieldError& complaint) {
      error(complaint.path(), complaint.what());
    }
  }
};

}  // namespace

void check_gauges(const Case& data, CheckedProblems& problems) { GaugeChecker(problems).check(data); }

}  // namespace lithe
