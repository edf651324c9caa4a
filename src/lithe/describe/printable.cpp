#include "lithe/describe/printable.h"

#include <cstdint>

namespace lithe {
namespace {

struct Decoded {
  std::uint32_t code = 0;
  size_t length = 0;  // in bytes; 0: not UTF-8
};

/// The character that a text begins with.
Decoded first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  // Longer than need be, half of a pair of UTF-16, or beyond Unicode.
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[length] || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return {};
  return {code, length};
}

bool steers(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||  // C0, delete, C1
         code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);  // lines, directions
}

std::string cleaned(std::string_view text, bool lines) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Decoded first = first_character(text);
    const bool kept = lines && (text[0] == '\n' || text[0] == '\t' || text.starts_with("\r\n"));
    if (first.length > 0 && (kept || !steers(first.code)))
      clean += text.substr(0, first.length);
    else
      clean += "\uFFFD";
    text.remove_prefix(first.length > 0 ? first.length : 1);
  }
  return clean;
}

}  // namespace

std::string printable(std::string_view text) { return cleaned(text, true); }
std::string printable_line(std::string_view text) { return cleaned(text, false); }

}  // namespace lithe
