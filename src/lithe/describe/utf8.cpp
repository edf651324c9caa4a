#include "lithe/describe/utf8.h"

namespace lithe {

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const std::size_t n = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < n) return {byte(0), 1, false};
  std::uint32_t code = byte(0) & (0xffu >> (n + 1));
  for (std::size_t k = 1; k < n; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return {byte(0), 1, false};
    code = code << 6 | (byte(k) & 0x3f);
  }
  // Overlong, half of a UTF-16 pair, or beyond Unicode.
  const bool overlong = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return {byte(0), 1, false};
  return {code, n, true};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character next = first_character(text);
    if (!next.is_text) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

}  // namespace lithe
