#include "lithe/describe/spelling.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lithe {
namespace {

/// Longer words are not spelling mistakes.
constexpr size_t longest_guessed = 100;

/// Damerau–Levenshtein distance in its optimal-string-alignment form, or `limit` where it is not below that. Only the band of
/// the table matters in which that can still be; three of its rows are kept.
size_t edits(std::string_view a, std::string_view b, size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() >= limit || b.size() > longest_guessed) return limit;
  std::array<std::array<size_t, longest_guessed + 1>, 3> rows;
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    auto &row = rows[i % 3], &above = rows[(i + 2) % 3], &before = rows[(i + 1) % 3];
    const size_t low = i > limit ? i - limit : 1, high = std::min(b.size(), i + limit);
    row[low - 1] = low == 1 ? i : limit;
    size_t least = row[low - 1];
    for (size_t j = low; j <= high; ++j) {
      const size_t up = j == i + limit ? limit : above[j];  // beyond the band of the row above
      size_t best = std::min({up + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) best = std::min(best, before[j - 2] + 1);
      row[j] = std::min(best, limit);
      least = std::min(least, row[j]);
    }
    if (least >= limit) return limit;
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, std::span<const std::string> known) {
  std::string best;
  if (word.size() > 60) return best;        // not a word, and the comparison takes memory in proportion
  size_t best_edits = word.size() / 3 + 2;  // a greater distance means another word
  for (const std::string& candidate : known) {
    const size_t n = edits(word, candidate, best_edits);
    if (n < best_edits && n < std::max(word.size(), candidate.size())) {
      best_edits = n;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> nearest_words(std::string_view word, std::span<const std::string> known, size_t count) {
  // A word that contains the other is nearer than its length suggests: `tip` probably means `tip.x`, not `t`.
  std::vector<std::pair<size_t, size_t>> ranked;
  for (size_t k = 0; k < known.size(); ++k) {
    const bool contains = !word.empty() && known[k].find(word) != std::string::npos;
    ranked.emplace_back(contains ? 0 : edits(word, known[k], longest_guessed), k);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> words;
  for (size_t k = 0; k < std::min(count, ranked.size()); ++k) words.push_back(known[ranked[k].second]);
  return words;
}

std::string guess_in_sentence(std::string_view word, std::span<const std::string> known) {
  const std::string near = nearest_word(word, known);
  return near.empty() ? "." : ", did you mean '" + near + "'?";
}

std::string comma_list(std::span<const std::string> words, size_t most) {
  const bool whole = words.size() <= most + 10;  // "3 more" would not be worth it
  std::string list;
  for (const std::string& word : words.first(whole ? words.size() : most)) list += (list.empty() ? "" : ", ") + word;
  return whole ? list : list + ", … (" + std::to_string(words.size() - most - 1) + " more), " + words.back();
}

}  // namespace lithe
