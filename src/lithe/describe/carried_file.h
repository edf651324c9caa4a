#pragma once

#include <string>

namespace lithe {

/// A file that a case names, with its contents, to be kept with the case.
struct CarriedFile {
  std::string name, text;
  bool operator==(const CarriedFile&) const = default;
};

/// The name of the case among the files that are kept with it. No other file has this name.
inline constexpr const char* carrying_case = "case.yaml";

/// Whether such a file may have this name: letters, digits, `.`, `_` and `-`, not starting with `.`, and not the name of the case.
bool is_carried_name(const std::string& name);

}  // namespace lithe
