#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lithe {

/// One character of a text that should be UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool is_text = false;  // false: a byte that is not UTF-8
};

/// The first character of a text that is not empty.
Character first_character(std::string_view text);

/// Whether all of it is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace lithe
