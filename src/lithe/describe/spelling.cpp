#include "lithe/describe/spelling.h"

#include <algorithm>
#include <vector>

namespace lithe {
namespace {

/// Damerau–Levenshtein distance in its optimal-string-alignment form.
size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, std::span<const std::string> known) {
  std::string best;
  if (word.size() > 60) return best;        // no word: and comparing takes memory by its length
  size_t best_edits = word.size() / 3 + 2;  // further away it is another word
  for (const std::string& candidate : known) {
    const size_t n = edits(word, candidate);
    if (n < best_edits && n < std::max(word.size(), candidate.size())) {
      best_edits = n;
      best = candidate;
    }
  }
  return best;
}

std::vector<std::string> nearest_words(std::string_view word, std::span<const std::string> known, size_t count) {
  // A word that contains the other is nearer than its length says: `tip` means `tip.x` sooner than `t`.
  std::vector<std::pair<size_t, size_t>> ranked;
  for (size_t k = 0; k < known.size(); ++k) {
    const bool contains = !word.empty() && known[k].find(word) != std::string::npos;
    ranked.emplace_back(contains ? 0 : edits(word, known[k]), k);
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

std::string comma_list(std::span<const std::string> words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

}  // namespace lithe
