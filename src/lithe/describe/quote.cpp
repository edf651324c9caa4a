#include "lithe/describe/quote.h"

#include <fmt/format.h>

#include "lithe/describe/utf8.h"

namespace lithe {
namespace {

/// Whether the character only prints a mark: it is not a control, direction, joiner or line end.
bool prints(std::uint32_t c) {
  return c >= 0x20 && (c < 0x7f || c > 0x9f) && c != 0xad && !(c >= 0x200b && c <= 0x200f) &&
         !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2060 && c <= 0x206f) && c != 0x61c && c != 0xfeff &&
         !(c >= 0xfff0 && c <= 0xffff) && !(c >= 0xe0000 && c <= 0xe0fff);
}

std::string spelt(const Character& character) {
  if (character.code == '\n') return "\\n";
  if (character.code == '\t') return "\\t";
  if (character.code == '\r') return "\\r";
  if (character.code < 0x100) return fmt::format("\\x{:02x}", character.code);
  return fmt::format("\\u{:04x}", character.code);
}

}  // namespace

std::string shortened(std::string_view text, size_t most) {
  std::string shown;
  size_t count = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool plain = character.is_text && prints(character.code);
    const std::string one = plain ? std::string(text.substr(0, character.bytes)) : spelt(character);
    count += plain ? 1 : one.size();
    if (count > most) return shown + "…";
    shown += one;
    text.remove_prefix(character.bytes);
  }
  return shown;
}

std::string in_quotes(std::string_view text, size_t most) { return '"' + shortened(text, most) + '"'; }

}  // namespace lithe
