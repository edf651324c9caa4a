#pragma once

#include <string>
#include <string_view>

namespace lithe {

/// A text out of a file as it may be printed: valid UTF-8 without characters that would steer a terminal (escape sequences,
/// changes of direction). What is not so becomes U+FFFD. Ends of lines and tabs stay.
std::string printable(std::string_view text);

/// The same for what stands in one line: ends of lines and tabs are replaced too.
std::string printable_line(std::string_view text);

}  // namespace lithe
