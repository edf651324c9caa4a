// Documents: Christoffel symbols in a table, the equations of motion one by one, and where links and tips are.
#include <fmt/format.h>

#include <algorithm>

#include "lithe/derive/document_writer.h"
#include "lithe/derive/literal.h"

namespace lithe::derive {
namespace {

constexpr int written_out_coordinates = 12;  // more equations than these are not written one by one
constexpr size_t widest_matrix = 120;        // a row of a matrix in letters; wider ones are listed by entries
constexpr size_t most_columns = 10;          // that amsmath's matrices have

}  // namespace

void DocumentWriter::christoffel_table() {
  if (e_.christoffel.empty()) return;
  Listing table{{"$k$"}, {}};
  for (int i = 0; i < e_.nv; ++i)
    for (int j = i; j < e_.nv; ++j) table.head.push_back(fmt::format("$c_{{{}{}k}}$", i + 1, j + 1));
  for (int k = 0; k < e_.nv; ++k) {
    table.rows.push_back({fmt::format("${}$", k + 1)});
    for (int i = 0; i < e_.nv; ++i)
      for (int j = i; j < e_.nv; ++j)
        table.rows.back().push_back("$" + print_(e_.christoffel[size_t(k)][size_t(i)][size_t(j)]) + "$");
  }
  say("All Christoffel symbols:");
  parts_.push_back(table);
}

/// An entry of C by name; of an arm that is split by those of the blocks that have it.
std::string DocumentWriter::coriolis_entry(int k, int j) const {
  const std::string index = fmt::format("_{{{},{}}}", k + 1, j + 1);
  if (!e_.split) return "C" + index;
  const auto& split = *e_.split;
  std::string sum;
  int n = 0;
  auto add = [&](const char* letter, const ExMatrix& A, const std::vector<int>& rows, const std::vector<int>& columns) {
    const auto row = std::find(rows.begin(), rows.end(), k), column = std::find(columns.begin(), columns.end(), j);
    if (row == rows.end() || column == columns.end()) return;
    if (A[size_t(row - rows.begin())][size_t(column - columns.begin())].is_zero()) return;
    sum += (n++ ? " + " : "") + (letter + index);
  };
  const auto &L = split.carrier, &S = split.carried;
  add("C^{L}", split.C_L, L, L);
  add("C^{L/S}", split.C_LS, L, L);
  add("{C_{L}^{cp}}", split.C_Lcp, L, L);
  add("C^{cp1}", split.C_cp1, L, S);
  add("C^{cp2}", split.C_cp2, S, L);
  add("C^{S}", split.C_S, S, S);
  add("{C_{S}^{cp}}", split.C_Scp, S, S);
  return n > 1 ? "\\bigl(" + sum + "\\bigr)" : sum;
}

/// Row by row, as a lecturer writes them: with the sums in place of the names where they are short, else over the names of entries.
void DocumentWriter::scalar_equations() {
  if (e_.nv > written_out_coordinates) return;
  const bool in_full = !e_.christoffel.empty();
  section("Equations of motion, one by one");
  auto meaning = [&](const ex& entry) -> ex {
    if (!in_full || !GiNaC::is_a<GiNaC::symbol>(entry)) {
      const bool negated = in_full && GiNaC::is_a<GiNaC::symbol>(-entry) && e_.names.of(-entry).kind == Kind::derived;
      return negated ? ex(-e_.names.of(-entry).definition).expand() : entry;
    }
    const Name& name = e_.names.of(entry);
    return name.kind == Kind::derived ? name.definition : entry;
  };
  // Split arms have entries that are sums of entries.
  auto full = [&](const ex& entry) {
    if (!in_full || !GiNaC::is_a<GiNaC::add>(entry)) return meaning(entry);
    ex sum = 0;
    for (const ex& term : entry) sum += meaning(term);
    return sum;
  };
  Formulas formulas;
  for (size_t k = 0; k < size_t(e_.nv); ++k) {
    std::vector<std::string> pieces;
    // coefficient times what it is of; a sum of several terms in brackets
    auto add = [&](const ex& coefficient, const std::string& of) {
      if (coefficient.is_zero()) return;
      std::vector<std::string> terms = print_.pieces(coefficient);
      const bool first = pieces.empty();
      if (coefficient.is_equal(1)) {
        terms = {""};
      } else if (coefficient.is_equal(-1)) {
        terms = {"-"};
      }
      const bool brackets = terms.size() > 1 && !of.empty();
      if (brackets) {
        terms.front() = (first ? "\\bigl(" : " + \\bigl(") + terms.front();
        terms.back() += "\\bigr)";
      } else if (!first) {
        terms.front() = terms.front().starts_with("-") ? " - " + terms.front().substr(1) : " + " + terms.front();
      }
      if (!of.empty()) terms.back() += (terms.back().empty() || terms.back().ends_with(" ") ? "" : "\\,") + of;
      pieces.insert(pieces.end(), terms.begin(), terms.end());
    };
    auto rate = [&](size_t j) { return e_.names.of(e_.names.rate(int(j))).latex; };
    auto coordinate = [&](size_t j) {
      return e_.names.coordinate(int(j)).is_zero() ? std::string() : e_.names.of(e_.names.coordinate(int(j))).latex;
    };
    for (size_t j = 0; j < size_t(e_.nv); ++j) {
      const std::string z = coordinate(j);
      const std::string acceleration = z.empty() ? "\\dot " + rate(j) : "\\ddot " + z;
      add(full(e_.M[k][j]), acceleration);
    }
    if (in_full) {
      for (size_t i = 0; i < size_t(e_.nv); ++i)
        for (size_t j = i; j < size_t(e_.nv); ++j) {
          const ex symbol = full(e_.christoffel[k][i][j]);
          add((i == j ? symbol : 2 * symbol).expand(),
              i == j ? fmt::format("{{{}}}^2", rate(i)) : rate(i) + " " + rate(j));
        }
    } else {
      for (size_t j = 0; j < size_t(e_.nv); ++j)
        if (!e_.C[k][j].is_zero())
          pieces.push_back(
              fmt::format("{}{}\\,{}", pieces.empty() ? "" : " + ", coriolis_entry(int(k), int(j)), rate(j)));
    }
    for (size_t j = 0; j < size_t(e_.nv); ++j) add(e_.K[k][j], coordinate(j));
    for (size_t j = 0; j < size_t(e_.nv); ++j) add(e_.D[k][j], rate(j));
    add(full(e_.G[k]), "");
    add(e_.f[k], "");
    std::string left = "0";
    for (size_t i = 0; i < e_.torque_rows.size(); ++i)
      if (e_.torque_rows[i] == int(k)) left = fmt::format("\\tau_{{{}}}", i + 1);
    formulas.lines.push_back({left, pieces.empty() ? std::vector<std::string>{"0"} : pieces});
  }
  show(formulas);
}

void DocumentWriter::kinematics() {
  if (e_.links.empty()) return;
  section("Kinematics");
  say("$T$ is the pose of a frame in the world: rotation and position, as a homogeneous matrix. A point with the "
      "coordinates $x$ in "
      "the frame is at $T (x, 1)^T$. The Jacobian $\\mathcal{J}$ of a tip has the angular velocity in its upper half "
      "and the velocity in "
      "its lower half, in world axes: $(\\omega, v)^T = \\mathcal{J}\\,\\dot z$.");
  auto put = [&](const std::string& letter, const ExMatrix& A) {
    std::vector<ex> all;
    for (const auto& row : A) all.insert(all.end(), row.begin(), row.end());
    define_all(all);
    std::string text = "\\begin{pmatrix} ";
    size_t widest = 0;
    for (size_t k = 0; k < A.size(); ++k) {
      size_t used = 0;
      for (size_t j = 0; j < A[k].size(); ++j) {
        const std::string entry = print_(A[k][j]);
        used += typeset_width(entry) + 2;
        text += (j ? " & " : "") + entry;
      }
      text += k + 1 < A.size() ? " \\\\ " : " \\end{pmatrix}";
      widest = std::max(widest, used);
    }
    if (widest <= widest_matrix && A[0].size() <= most_columns) {
      show({{{letter, {text}}}});
    } else {
      Formulas entries;
      for (size_t k = 0; k < A.size(); ++k)
        for (size_t j = 0; j < A[k].size(); ++j)
          if (!A[k][j].is_zero())
            entries.lines.push_back({fmt::format("{{{}}}_{{{},{}}}", letter, k + 1, j + 1), print_.pieces(A[k][j])});
      show(entries);
    }
  };
  for (const auto& link : e_.links) {
    say(fmt::format("Link {}{}:", as_code(link.link),
                    link.far_end ? ", its Denavit-Hartenberg frame at the far end" : ", at its joint"));
    put(fmt::format("T_{{\\mathrm{{{}}}}}", in_latex_math(link.link)), link.T);
  }
  for (const auto& tip : e_.tips) {
    say(fmt::format("Tip of {}:", as_code(tip.link)));
    put(fmt::format("T_{{\\mathrm{{{},tip}}}}", in_latex_math(tip.link)), tip.T);
    // Not J, which is the letter of inertias.
    put(fmt::format("\\mathcal{{J}}_{{\\mathrm{{{}}}}}", in_latex_math(tip.link)), tip.jacobian);
  }
}

}  // namespace lithe::derive
