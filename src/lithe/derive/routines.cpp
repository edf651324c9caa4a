#include "lithe/derive/routines.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/derive/traverse.h"
#include "lithe/describe/quote.h"

namespace lithe::derive {
namespace {

ExMatrix column(const std::vector<ex>& vector) {
  ExMatrix matrix;
  for (const ex& entry : vector) matrix.push_back({entry});
  return matrix;
}

ExMatrix block(const ExMatrix& matrix, const std::vector<int>& rows, const std::vector<int>& columns) {
  ExMatrix result;
  for (const int k : rows) {
    result.emplace_back();
    for (const int j : columns) result.back().push_back(matrix[k][j]);
  }
  return result;
}

void mark(const Names& names, const ex& expression, std::set<int>& marked) {
  for (const GiNaC::symbol& symbol : symbols_in(expression)) {
    const Name& name = names.of(symbol);
    if (marked.insert(int(&name - names.all().data())).second) mark(names, name.definition, marked);
  }
}

}  // namespace

std::vector<Routine> routines(const Equations& e) {
  using Shape = Routine::Shape;
  std::vector<Routine> list;
  ExMatrix B(e.nv, std::vector<ex>(e.torque_rows.size(), 0));
  for (size_t k = 0; k < e.torque_rows.size(); ++k) B[e.torque_rows[k]][k] = 1;
  list.push_back({"mass_matrix", "M", Shape::matrix, true, false, e.M});
  list.push_back({"coriolis_matrix", "C, by Christoffel symbols: M' - 2C is skew", Shape::matrix, true, true, e.C});
  list.push_back({"stiffness_matrix", "K", Shape::matrix, false, false, e.K});
  list.push_back({"damping_matrix", "D", Shape::matrix, false, false, e.D});
  list.push_back({"input_matrix", "B: which coordinate each torque acts on", Shape::matrix, false, false, B});
  list.push_back({"gravity", "G", Shape::vector, true, false, column(e.G)});
  list.push_back(
      {"passive", "f: nonlinear joint forces: friction, stops and others", Shape::vector, true, true, column(e.f)});
  list.push_back({"potential_energy", "of gravity and elasticity", Shape::number, true, false, {{e.potential}}});
  if (e.split) {
    const auto& split = *e.split;
    list.push_back({"carrier_mass_matrix", "M_L: of the carrier by itself", Shape::matrix, true, false, split.own});
    list.push_back({"load_mass_matrix", "M_L/S: what the carried arm adds to the carrier", Shape::matrix, true, false,
                    split.load});
    list.push_back({"coupling_mass_matrix", "M_cp: between carrier and carried arm", Shape::matrix, true, false,
                    block(e.M, split.carrier, split.carried)});
    list.push_back({"carried_mass_matrix", "M_S: of the carried arm by itself", Shape::matrix, true, false,
                    block(e.M, split.carried, split.carried)});
  }
  return list;
}

std::vector<int> needed(const Names& names, const std::vector<ex>& expressions) {
  std::set<int> marked;
  for (const ex& expression : expressions) mark(names, expression, marked);
  return {marked.begin(), marked.end()};
}

std::vector<int> needed(const Names& names, const Routine& routine) {
  std::vector<ex> all;
  for (const auto& row : routine.entries) all.insert(all.end(), row.begin(), row.end());
  return needed(names, all);
}

std::vector<int> used_parameters(const Equations& e) {
  std::set<int> used;
  for (const Routine& routine : routines(e))
    for (const int k : needed(e.names, routine))
      if (e.names.all()[k].kind == Kind::parameter) used.insert(k);
  return {used.begin(), used.end()};
}

std::vector<int> constants(const Names& names) {
  std::vector<int> list;
  for (size_t k = 0; k < names.all().size(); ++k)
    if (names.all()[k].kind == Kind::constant) list.push_back(int(k));
  return list;
}

std::string wrapped(const std::vector<std::string>& pieces, const std::string& first, const std::string& next,
                    const std::string& join) {
  constexpr size_t width = 116;
  std::string text, line = first;
  for (const std::string& piece : pieces) {
    if (line.size() + piece.size() > width && line.size() > next.size() && &piece != &pieces.front()) {
      text += line + join + "\n";
      line = next;
    }
    line += piece;
  }
  return text + line;
}

std::vector<int> coordinate_places(const Equations& e) {
  std::vector<int> places;
  for (int k = 0; k < e.nv; ++k) {
    const ex z = e.names.coordinate(k);
    places.push_back(GiNaC::is_a<GiNaC::symbol>(z) ? e.names.of(z).place : -1);
  }
  return places;
}

int n_positions(const Equations& e) {
  int n = 0;
  for (const Name& name : e.names.all())
    if (name.kind == Kind::coordinate) n = std::max(n, name.place + 1);
  return n;
}

std::vector<std::string> preamble(const Equations& e, const std::string& source) {
  std::vector<std::string> lines{
      fmt::format("Equations of motion of {}, written by `lithe derive`:", shortened(source, 200)),
      "  M z'' + C z' + K z + D z' + G + f = B tau"};
  std::string z;
  for (const std::string& name : e.coordinate_names) z += (z.empty() ? "" : ", ") + name;
  lines.push_back("  z = [" + z + "]");
  if (n_positions(e) > e.nv)
    lines.push_back(
        "  q begins with the base's position and unit quaternion (x y z, w x y z), z' with its angular and linear "
        "velocity in base axes");
  if (!e.folded)
    lines.push_back(
        fmt::format("Intermediate results are named and products are not expanded: {}.", e.unfolded_because));
  return lines;
}

}  // namespace lithe::derive
