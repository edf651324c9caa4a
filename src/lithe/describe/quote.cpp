#include "lithe/describe/quote.h"

#include <fmt/format.h>

#include <cstdint>

namespace lithe {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 1;
  bool is_text = false;  // else a byte that is no UTF-8
};

/// The first character of a text that is not empty.
Character first_of(std::string_view text) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const size_t n = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < n) return {byte(0), 1, false};
  uint32_t code = byte(0) & (0xffu >> (n + 1));
  for (size_t k = 1; k < n; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {byte(0), 1, false};
    code = code << 6 | (byte(k) & 0x3f);
  }
  const bool overlong = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return {byte(0), 1, false};
  return {code, n, true};
}

/// Whether it leaves a mark of its own and nothing else: no control, no direction, no joiner, no end of a line.
bool prints(uint32_t c) {
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
    const Character character = first_of(text);
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
