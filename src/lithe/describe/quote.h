#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lithe {

/// Text that came from a file, as a message shows it: at most so many characters, `…` for what was cut off; what does not print,
/// or would turn the line around, is written `\n`, `\x1b`, `\u202e`. A message is read on one line of a terminal, and a file
/// may be any file.
std::string shortened(std::string_view text, size_t most = 60);

/// The same in double quotes: `"3 kg"`.
std::string in_quotes(std::string_view text, size_t most = 60);

}  // namespace lithe
