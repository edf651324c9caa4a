#pragma once

#include <set>

#include "lithe/derive/equations.h"
#include "lithe/derive/print.h"

namespace lithe::derive {

/// One function of a generated program: a matrix, a vector (one column) or a number of the state.
struct Routine {
  enum class Shape { matrix, vector, number };
  std::string name, about;
  Shape shape = Shape::matrix;
  bool takes_q = true, takes_v = false;
  ExMatrix entries;

  int rows() const { return int(entries.size()); }
  int columns() const { return entries.empty() ? 0 : int(entries[0].size()); }
};

/// The functions of a generated program, entry by entry; each writer computes bias, acceleration and kinetic energy from these.
std::vector<Routine> routines(const Equations& equations);

/// Places of the names that expressions need, directly or through definitions, in order of definition.
std::vector<int> needed(const Names& names, const std::vector<ex>& expressions);
std::vector<int> needed(const Names& names, const Routine& routine);

/// Parameters that anything depends on, in order of definition.
std::vector<int> used_parameters(const Equations& equations);
/// Constants made of parameters, in order of definition.
std::vector<int> constants(const Names& names);

/// An expression over several lines: `first` before it, `next` before the others, `join` at the end of all but the last.
std::string wrapped(const std::vector<std::string>& pieces, const std::string& first, const std::string& next,
                    const std::string& join);

/// Position in q of each coordinate, −1 for the rates of a free base, which have none.
std::vector<int> coordinate_places(const Equations& equations);

int n_positions(const Equations& equations);

/// The header comment of every generated file, line by line.
std::vector<std::string> preamble(const Equations& equations, const std::string& source);

}  // namespace lithe::derive
