#pragma once

#include <fmt/format.h>

#include "lithe/derive/algebra.h"
#include "lithe/derive/equations.h"

namespace lithe::derive {

constexpr int folded_coordinates = 4;  // up to which Christoffel symbols are folded into one sum each

std::string entry_code(const std::string& letter, int k, int j, int n);
std::string entry_latex(const std::string& letter, int k, int j);

/// The bracket of unit rigid motions a and b of a free base ([ω; v] in its axes): sign and number of the unit motion it is.
std::pair<int, int> bracket(int a, int b);

/// Some entries of the mass matrix, which contribute their own Christoffel symbols: those are linear in M.
template <class S>
struct MassPart {
  std::string code, slope, symbol;   // prefix of names in programs; letters of slopes and symbols in formulas
  std::function<S(int, int)> entry;  // 0 elsewhere
  ExMatrix named;                    // the same entries by name
};

/// C of a part of the mass matrix, nv × nv, over the rates.
template <class Algebra>
class Coriolis {
 public:
  using S = typename Algebra::Scalar;

  Coriolis(Algebra& algebra, Equations& equations, bool free_base)
      : algebra_(algebra), e_(equations), free_base_(free_base) {
    if (folds() && !free_base)
      e_.christoffel.assign(size_t(e_.nv), ExMatrix(size_t(e_.nv), std::vector<ex>(size_t(e_.nv), 0)));
  }

  ExMatrix operator()(const MassPart<S>& part, const std::function<void(const std::string&)>& progress) {
    ExMatrix C(size_t(e_.nv), std::vector<ex>(size_t(e_.nv), 0));
    if (folds()) {
      write_folded_symbols(part, C);
    } else {
      write_named_slopes(part, C, progress);
    }
    if (free_base_) add_base_brackets(part, C);
    return C;
  }

 private:
  bool folds() const { return std::is_same_v<Algebra, Folding> && e_.nv <= folded_coordinates; }

  /// c_ijk as one folded sum each, by name.
  void write_folded_symbols(const MassPart<S>& part, ExMatrix& C) {
    const int n = e_.nv;
    std::vector<S> slopes(size_t(n * n * n));
    for (int k = 0; k < n; ++k)
      for (int j = k; j < n; ++j)
        for (int i = 0; i < n; ++i)
          slopes[size_t((k * n + j) * n + i)] = slopes[size_t((j * n + k) * n + i)] =
              algebra_.slope(part.entry(k, j), i);
    auto slope = [&](int k, int j, int i) -> const S& { return slopes[size_t((k * n + j) * n + i)]; };
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j) {
          const S symbol = algebra_.half(slope(k, j, i) + slope(k, i, j) - slope(i, j, k));
          const ex value =
              e_.names.define(fmt::format("{}c{}{}{}", part.code, i + 1, j + 1, k + 1),
                              fmt::format("{}_{{{}{}{}}}", part.symbol, i + 1, j + 1, k + 1), algebra_.written(symbol));
          C[size_t(k)][size_t(j)] += value * e_.names.rate(i);
          if (j > i) C[size_t(k)][size_t(i)] += value * e_.names.rate(j);
          if (e_.christoffel.empty()) continue;
          e_.christoffel[size_t(k)][size_t(i)][size_t(j)] += value;
          if (j > i) e_.christoffel[size_t(k)][size_t(j)][size_t(i)] += value;
        }
  }

  /// ∂M_kj/∂z_i by name, and C made of them.
  void write_named_slopes(const MassPart<S>& part, ExMatrix& C,
                          const std::function<void(const std::string&)>& progress) {
    const int n = e_.nv;
    std::vector<ex> slopes(size_t(n * n * n));
    for (int k = 0; k < n; ++k) {
      progress(fmt::format("derivatives of the mass matrix, row {} of {}", k + 1, n));
      for (int j = k; j < n; ++j) {
        const S entry = part.entry(k, j);
        for (int i = 0; i < n; ++i)
          slopes[size_t((k * n + j) * n + i)] = slopes[size_t((j * n + k) * n + i)] =
              e_.names.define(fmt::format("{}{}_{}", part.code, entry_code("M", k, j, n), i + 1),
                              fmt::format("{}_{{{},{}|{}}}", part.slope, k + 1, j + 1, i + 1),
                              algebra_.written(algebra_.slope(entry, i)));
      }
    }
    auto slope = [&](int k, int j, int i) -> const ex& { return slopes[size_t((k * n + j) * n + i)]; };
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const ex symbol = (slope(k, j, i) + slope(k, i, j) - slope(i, j, k)) / 2;
          if (!symbol.is_zero()) C[size_t(k)][size_t(j)] += symbol * e_.names.rate(i);
        }
  }

  void add_base_brackets(const MassPart<S>& part, ExMatrix& C) {
    const ExMatrix& M = part.named;
    auto at = [&](int sign, int row, int column) { return sign == 0 ? ex(0) : sign * M[size_t(row)][size_t(column)]; };
    for (int k = 0; k < e_.nv; ++k)
      for (int j = 0; j < e_.nv; ++j)
        for (int i = 0; i < e_.nv; ++i) {
          const auto [s_ij, ij] = bracket(i, j);
          const auto [s_jk, jk] = bracket(j, k);
          const auto [s_ki, ki] = bracket(k, i);
          const ex symbol = (at(s_ij, ij, k) - at(s_jk, jk, i) + at(s_ki, ki, j)) / 2;
          if (!symbol.is_zero()) C[size_t(k)][size_t(j)] += symbol * e_.names.rate(i);
        }
  }

  Algebra& algebra_;
  Equations& e_;
  bool free_base_;
};

}  // namespace lithe::derive
