#pragma once

#include <string>
#include <variant>
#include <vector>

#include "lithe/derive/write.h"

namespace lithe::derive {

// The equations as a document, before it is decided how its parts are set.

struct Section {
  std::string title;
};
struct Paragraph {
  std::string text;  // plain, with `code` and $…$ for formulas; foreign text within marks (literal.h)
};
/// Formulas below each other, each broken where it is long: left side, then terms with their signs.
struct Formulas {
  struct Line {
    std::string left;
    std::vector<std::string> pieces;
  };
  std::vector<Line> lines;
};
/// Columns of text, like that of a paragraph; the first holds a formula.
struct Listing {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
using Part = std::variant<Section, Paragraph, Formulas, Listing>;

std::vector<Part> document(const Equations& equations, const Heading& heading);

/// `left &= …` with breaks, for an aligned environment.
std::string aligned(const Formulas::Line& line);

}  // namespace lithe::derive
