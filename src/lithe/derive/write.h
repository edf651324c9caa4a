#pragma once

#include <string>

#include "lithe/derive/equations.h"

namespace lithe::derive {

/// What the output says about the equations.
struct Heading {
  std::string source;        // the case file
  std::string name;          // of the program: an identifier
  double disagreement = -1;  // from the library's `lagrange`, relative; negative: not compared
};

/// Self-contained programs: parameters with their values, and M, C, K, D, B, G, f, energies, bias and accelerations.
std::string write_cpp(const Equations& equations, const Heading& heading);
std::string write_python(const Equations& equations, const Heading& heading);  // numpy only
std::string write_matlab(const Equations& equations, const Heading& heading);  // also Octave

/// A Python module whose M, C, K, D, B, G, f, V and blocks are SymPy matrices over symbols, and `parameters` their values.
std::string write_sympy(const Equations& equations, const Heading& heading);

/// Documents, the same in LaTeX and in Markdown.
std::string write_latex(const Equations& equations, const Heading& heading);
/// The same in Markdown.
std::string write_markdown(const Equations& equations, const Heading& heading);

}  // namespace lithe::derive
