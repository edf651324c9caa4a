#pragma once

#include <string_view>

namespace lithe {

/// Text without the blanks at its ends: spaces, tabs, and the carriage returns of lines from other systems. A view of the text.
inline std::string_view trimmed(std::string_view text) {
  constexpr const char* blanks = " \t\r";
  const size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace lithe
