#include "lithe/derive/literal.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "lithe/derive/names.h"
#include "lithe/describe/quote.h"

namespace lithe::derive {
namespace {

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)); }

/// One line of printable characters, without backslashes.
std::string plain(const std::string& text) {
  std::string line = shortened(text, std::string::npos);
  std::replace(line.begin(), line.end(), '\\', '_');
  return line;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

/// Only letters that LaTeX's fonts have, those of Latin alphabets; others would stop LaTeX.
std::string latin(const std::string& text) {
  std::string result;
  for (size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if (byte < 0x80) {
      result += text[k];
    } else if (byte >= 0xc2 && byte <= 0xc5) {  // U+00A0 … U+017F
      result += text.substr(k, 2);
      ++k;
    } else if (byte >= 0xc0) {
      result += '?';
    }
  }
  return result;
}

// Keywords of C++ and MATLAB, and names that the generated programs use at their outermost level.
constexpr std::array taken{
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char8_t", "char16_t", "char32_t", "class", "compl", "concept", "const", "consteval", "constexpr", "constinit",
    "const_cast", "continue", "co_await", "co_return", "co_yield", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "return", "short", "signed",
    "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local", "throw",
    "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
    "wchar_t", "while", "xor", "xor_eq", "std", "posix", "main", "NULL", "NAN", "INFINITY", "M_PI", "linux", "unix",
    "sin", "cos", "tanh", "sqrt", "max", "min", "gamma", "y0", "y1", "yn", "j0", "j1", "jn",
    // MATLAB and Octave
    "classdef", "elseif", "end", "end_try_catch", "end_unwind_protect", "endfor", "endfunction", "endif", "endswitch",
    "endwhile", "function", "global", "otherwise", "parfor", "persistent", "spmd", "until", "unwind_protect", "ans",
    "pi", "eps", "i", "j", "Inf", "NaN", "zeros", "sum", "factorial", "error", "isempty", "nargin", "strcmp",
    // their own
    "mass_matrix", "coriolis_matrix", "stiffness_matrix", "damping_matrix", "input_matrix", "gravity", "passive",
    "potential_energy", "kinetic_energy", "M_L", "M_LS", "M_cp", "M_S", "C_L", "C_LS", "C_Lcp", "C_cp1", "C_cp2", "C_S",
    "C_Scp", "G_L", "G_LS", "G_S", "tip_pose", "tip_jacobian", "order", "bias", "acceleration", "parameters",
    "constants", "coordinates", "positive_part", "negative_part", "rotation_series", "rot_a", "rot_b", "rot_c",
    "rot_da", "rot_db", "rot_dc", "out", "what", "q", "v", "p", "tau"};

constexpr size_t longest_name = 50;  // MATLAB takes 63

}  // namespace

std::string in_cpp_comment(const std::string& text) {
  std::string line = plain(text);
  replace_all(line, "??", "?_");
  replace_all(line, "*/", "*_/");
  replace_all(line, "/*", "/_*");
  return line;
}

std::string in_python_text(const std::string& text) {
  std::string line = plain(text);
  std::replace(line.begin(), line.end(), '"', '\'');
  return line;
}

std::string in_matlab_comment(const std::string& text) {
  std::string line = plain(text);
  replace_all(line, "%{", "%_{");
  replace_all(line, "%}", "%_}");
  replace_all(line, "...", ".._");
  return line;
}

std::string in_latex(const std::string& text) {
  std::string result;
  for (const char c : latin(shortened(text, std::string::npos))) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '<':
        result += "\\textless{}";
        break;
      case '>':
        result += "\\textgreater{}";
        break;
      case '|':
        result += "\\textbar{}";
        break;
      case '`':
        result += "\\textquoteleft{}";
        break;
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '%':
      case '_':
        result += '\\';
        [[fallthrough]];
      default:
        result += c;
    }
  }
  return result;
}

std::string in_latex_math(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '_')
      result += "\\_";
    else
      result += is_alnum(c) || c == '-' || c == '.' ? c : '?';
  }
  return result;
}

std::string in_markdown(const std::string& text) {
  const std::string line = shortened(text, std::string::npos);
  std::string result;
  for (size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    const bool in_word = k > 0 && is_alnum(line[k - 1]) && k + 1 < line.size() && is_alnum(line[k + 1]);
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (std::string_view("\\`*{}[]()#!|$~^").find(c) != std::string_view::npos || (c == '_' && !in_word))
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

std::string in_markdown_code(const std::string& text) {
  const bool harmless = std::all_of(text.begin(), text.end(), [](char c) {
    return is_alnum(c) || std::string_view(" _-./,:+=").find(c) != std::string_view::npos;
  });
  return harmless ? "`" + text + "`" : in_markdown(text);
}

std::string as_code(const std::string& text) { return literal_code + shortened(text, std::string::npos) + literal_end; }
std::string as_text(const std::string& text) { return literal_text + shortened(text, std::string::npos) + literal_end; }

bool can_name_a_program(const std::string& word) {
  return word == Names::identifier(word) && word.size() <= longest_name && word.find("__") == std::string::npos &&
         std::find(taken.begin(), taken.end(), word) == taken.end();
}

std::string program_name(const std::string& case_file) {
  const std::filesystem::path path = std::filesystem::absolute(case_file);
  const std::string stem = path.stem() == "case" ? path.parent_path().filename().string() : path.stem().string();
  std::string word;
  for (const char c : stem)
    if (is_alnum(c) ? !word.empty() || std::isalpha(static_cast<unsigned char>(c))
                    : !word.empty() && word.back() != '_')
      word += is_alnum(c) ? c : '_';
  word.resize(std::min(word.size(), longest_name));
  if (word.empty()) return "arm";
  return can_name_a_program(word) ? word : word.substr(0, longest_name - 4) + "_arm";
}

}  // namespace lithe::derive
