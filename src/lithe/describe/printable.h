#pragma once

#include <string>
#include <string_view>

namespace lithe {

/// A text from a file, made safe to print: valid UTF-8 without characters that control a terminal (escape sequences, changes of
/// direction). Anything else becomes U+FFFD. Line ends and tabs stay.
std::string printable(std::string_view text);

/// The same for a single line: line ends and tabs are replaced too.
std::string printable_line(std::string_view text);

}  // namespace lithe
