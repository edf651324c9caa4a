#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lithe {

/// The known word nearest to `word` in edits (insert, delete, replace, swap neighbours), or "" if none is near enough
/// to be the intended one.
std::string nearest_word(std::string_view word, std::span<const std::string> known);

/// The `count` known words nearest to `word`, nearest first, at any distance.
std::vector<std::string> nearest_words(std::string_view word, std::span<const std::string> known, size_t count);

/// What follows an unknown word in a message, before the list of known words: `, did you mean 'x'?` or `.`
std::string guess_in_sentence(std::string_view word, std::span<const std::string> known);

/// `a, b, c`; for more than `most` words, the first ones, the number left out, and the last, which shows how far numbered names go.
std::string comma_list(std::span<const std::string> words, size_t most = 100);

}  // namespace lithe
