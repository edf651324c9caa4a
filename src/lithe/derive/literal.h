#pragma once

#include <string>

namespace lithe::derive {

// Foreign text (the name of a file or link) in places where a language would interpret parts of it. A case may come from anywhere,
// and what is derived from it is compiled, run or typeset by someone who trusts it.

/// One line of a `//` comment: no end of line, no backslash that would join the next line, no trigraph that is one.
std::string in_cpp_comment(const std::string& text);
/// One line of a docstring or `#` comment: no backslash, no double quote.
std::string in_python_text(const std::string& text);
/// One line of a `%` comment.
std::string in_matlab_comment(const std::string& text);

/// Text outside formulas, with every special character escaped.
std::string in_latex(const std::string& text);
/// The same within a formula's \mathrm.
std::string in_latex_math(const std::string& text);
/// Text of a paragraph or a table's cell: no markup, no HTML, no formula.
std::string in_markdown(const std::string& text);
/// The same in typewriter face if possible.
std::string in_markdown_code(const std::string& text);

// Foreign text in a paragraph of a document, which otherwise has our own text with `code` and $formulas$: between marks that no text has.
constexpr char literal_code = '\x01', literal_text = '\x02', literal_end = '\x03';
std::string as_code(const std::string& text);
std::string as_text(const std::string& text);

/// A word that can be the name of a program: letters, digits, underscores, no keyword and no name that they use themselves.
bool can_name_a_program(const std::string& word);
/// The case file's name, or that of its folder if the file is called case.yaml, as such a word.
std::string program_name(const std::string& case_file);

}  // namespace lithe::derive
