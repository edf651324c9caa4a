#include <fmt/format.h>

#include <algorithm>

#include "lithe/derive/document.h"
#include "lithe/derive/literal.h"

namespace lithe::derive {
namespace {

template <class... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overload(Cases...) -> Overload<Cases...>;

/// Takes foreign text out of a paragraph: `ours` writes what is between, `theirs` what is marked (literal.h).
template <class Ours, class Theirs>
std::string parted(const std::string& text, Ours ours, Theirs theirs) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t mark = std::min(text.find_first_of({literal_code, literal_text}, at), text.size());
    result += ours(text.substr(at, mark - at));
    if (mark == text.size()) break;
    const size_t end = text.find(literal_end, mark);
    result += theirs(text.substr(mark + 1, end - mark - 1), text[mark] == literal_code);
    at = end + 1;
  }
  return result;
}

/// Letters that LaTeX takes for commands, outside formulas; `code` becomes a typewriter face.
std::string latex_text(const std::string& paragraph) {
  bool formula = false, code = false;
  const auto ours = [&](const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (c == '$' && !code) formula = !formula;
      if (c == '`' && !formula) {
        result += code ? "}" : "\\texttt{";
        code = !code;
      } else if (!formula && (c == '_' || c == '%' || c == '&' || c == '#')) {
        result += std::string("\\") + c;
      } else {
        result += c;
      }
    }
    return result;
  };
  return parted(paragraph, ours, [](const std::string& text, bool is_code) {
    return is_code ? "\\texttt{" + in_latex(text) + "}" : in_latex(text);
  });
}

std::string markdown_text(const std::string& paragraph) {
  return parted(
      paragraph, [](const std::string& text) { return text; },
      [](const std::string& text, bool is_code) { return is_code ? in_markdown_code(text) : in_markdown(text); });
}

}  // namespace

std::string write_latex(const Equations& e, const Heading& heading) {
  std::string text =
      "\\documentclass[a4paper,10pt]{article}\n\\usepackage[margin=20mm]{geometry}\n\\usepackage{amsmath}\n"
      "\\usepackage{longtable}\n\\allowdisplaybreaks\n\\setlength{\\parindent}{0pt}\n\\begin{document}\n";
  text += fmt::format("\\section*{{{}}}\n", latex_text("Equations of motion: " + heading.name));
  for (const Part& part : document(e, heading))
    std::visit(Overload{[&](const Section& section) {
                          text += fmt::format("\n\\subsection*{{{}}}\n", latex_text(section.title));
                        },
                        [&](const Paragraph& paragraph) { text += latex_text(paragraph.text) + "\n"; },
                        [&](const Formulas& formulas) {
                          text += "\\begin{align*}\n";
                          for (size_t k = 0; k < formulas.lines.size(); ++k)
                            text += aligned(formulas.lines[k]) + (k + 1 < formulas.lines.size() ? " \\\\\n" : "\n");
                          text += "\\end{align*}\n";
                        },
                        [&](const Listing& listing) {
                          text += "\\begin{longtable}{" + std::string(listing.head.size(), 'l') + "}\n";
                          auto row = [&](const std::vector<std::string>& cells) {
                            for (size_t k = 0; k < cells.size(); ++k) text += (k ? " & " : "") + latex_text(cells[k]);
                            text += " \\\\\n";
                          };
                          row(listing.head);
                          text += "\\hline\n";
                          for (const auto& cells : listing.rows) row(cells);
                          text += "\\end{longtable}\n";
                        }},
               part);
  return text + "\\end{document}\n";
}

std::string write_markdown(const Equations& e, const Heading& heading) {
  std::string text = fmt::format("# Equations of motion: {}\n", heading.name);
  for (const Part& part : document(e, heading))
    std::visit(Overload{[&](const Section& section) { text += fmt::format("\n## {}\n", section.title); },
                        [&](const Paragraph& paragraph) { text += "\n" + markdown_text(paragraph.text) + "\n"; },
                        [&](const Formulas& formulas) {
                          for (const Formulas::Line& line : formulas.lines)
                            text += "\n$$\n\\begin{aligned}\n" + aligned(line) + "\n\\end{aligned}\n$$\n";
                        },
                        [&](const Listing& listing) {
                          auto row = [&](const std::vector<std::string>& cells) {
                            for (const std::string& cell : cells) text += "| " + markdown_text(cell) + " ";
                            text += "|\n";
                          };
                          text += "\n";
                          row(listing.head);
                          row(std::vector<std::string>(listing.head.size(), "---"));
                          for (const auto& cells : listing.rows) row(cells);
                        }},
               part);
  return text;
}

}  // namespace lithe::derive
