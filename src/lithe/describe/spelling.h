#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lithe {

/// The known word nearest to `word` in edits (insert, delete, replace, swap neighbours), or "" if none is near enough
/// to be what was meant.
std::string nearest_word(std::string_view word, std::span<const std::string> known);

/// What to put behind a word that is not known, when a list of known ones follows: `, did you mean 'x'?` or `.`
std::string guess_in_sentence(std::string_view word, std::span<const std::string> known);

/// A text as a message quotes it: of a very long one the beginning, and dots.
std::string shortened(std::string_view text);

/// `a, b, c`; of a very long list the beginning, and how many more there are.
std::string comma_list(std::span<const std::string> words);

}  // namespace lithe
