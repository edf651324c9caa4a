#include <fmt/format.h>

#include "lithe/derive/document.h"

namespace lithe::derive {
namespace {

template <class... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overload(Cases...) -> Overload<Cases...>;

/// Letters that LaTeX takes for commands, outside formulas; `code` becomes a typewriter face.
std::string latex_text(const std::string& text) {
  std::string result;
  bool formula = false, code = false;
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
                        [&](const Paragraph& paragraph) { text += "\n" + paragraph.text + "\n"; },
                        [&](const Formulas& formulas) {
                          for (const Formulas::Line& line : formulas.lines)
                            text += "\n$$\n\\begin{aligned}\n" + aligned(line) + "\n\\end{aligned}\n$$\n";
                        },
                        [&](const Listing& listing) {
                          auto row = [&](const std::vector<std::string>& cells) {
                            for (const std::string& cell : cells) text += "| " + cell + " ";
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
