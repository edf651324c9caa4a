#include <fmt/format.h>

#include "lithe/arm/arm.h"

namespace lithe {

const Arm& refuse_exact_links(const Arm& arm, std::string_view who) {
  for (const Link& link : arm.links())
    if (link.flex && link.flex->exact)
      throw UnsupportedError(
          fmt::format("arm.links[{}].beam.flexibility.strains", link.i_case),
          fmt::format("{}: link '{}' bends by `strains`, whose equations this does not have; articulated and kane do. "
                      "Or use `modes` or `elements` for small deflections",
                      who, link.name));
  return arm;
}

}  // namespace lithe
