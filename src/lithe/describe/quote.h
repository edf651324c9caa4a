#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lithe {

/// Text from a file as it is shown in a message: at most `most` characters, then `…`. Characters that do not print or that change the
/// direction of the line are written as `\n`, `\x1b`, `\u202e`, so that a message stays on one line whatever the file contains.
std::string shortened(std::string_view text, size_t most = 60);

/// The same in double quotes: `"3 kg"`.
std::string in_quotes(std::string_view text, size_t most = 60);

}  // namespace lithe
