#include "lithe/describe/printable.h"

#include "lithe/describe/utf8.h"

namespace lithe {
namespace {

bool steers(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) ||  // C0, delete, C1
         code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);  // lines, directions
}

std::string cleaned(std::string_view text, bool lines) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Character first = first_character(text);
    const bool kept = lines && (text[0] == '\n' || text[0] == '\t' || text.starts_with("\r\n"));
    if (first.is_text && (kept || !steers(first.code)))
      clean += text.substr(0, first.bytes);
    else
      clean += "\uFFFD";
    text.remove_prefix(first.bytes);
  }
  return clean;
}

}  // namespace

std::string printable(std::string_view text) { return cleaned(text, true); }
std::string printable_line(std::string_view text) { return cleaned(text, false); }

}  // namespace lithe
