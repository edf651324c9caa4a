#pragma once

#include <string>

namespace lithe {

/// A file that a case names, whole, as it travels with the case.
struct CarriedFile {
  std::string name, text;
  bool operator==(const CarriedFile&) const = default;
};

/// What the text of a case is called among the files that travel with it: none of them has this name.
inline constexpr const char* carrying_case = "case.yaml";

/// A name that such a file may have: letters, digits, `.`, `_` and `-`, no `.` first, not the case's own.
bool is_carried_name(const std::string& name);

}  // namespace lithe
