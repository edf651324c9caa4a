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

void mark(const Names& names, const ex& expression, std::set<int>& marked) {
  for (const GiNaC::symbol& symbol : symbols_in(expression)) {
    const Name& name = names.of(symbol);
    if (marked.insert(int(&name - names.all().data())).second) mark(names, name.definition, marked);
  }
}

void add_blocks(const Equations& e, std::vector<Routine>& list) {
  using Shape = Routine::Shape;
  const auto& split = *e.split;
  auto matrix = [&](const char* name, const char* about, const ExMatrix& A, bool takes_v) {
    list.push_back({name, about, Shape::matrix, true, takes_v, A});
  };
  auto vector = [&](const char* name, const char* about, const std::vector<ex>& x) {
    list.push_back({name, about, Shape::vector, true, false, column(x)});
  };
  const bool whole = !e.coupling_only;
  if (whole) matrix("M_L", "mass matrix of the carrier by itself", split.own, false);
  matrix("M_LS", "what the carried arm adds to the carrier's mass matrix", split.load, false);
  matrix("M_cp", "coupling of carrier and carried arm", split.M_cp(e.M), false);
  if (whole) matrix("M_S", "mass matrix of the carried arm by itself", split.M_S(e.M), false);
  if (whole) matrix("C_L", "C of the carrier by itself", split.C_L, true);
  matrix("C_LS", "C of the load M_LS, which changes with both arms' motion", split.C_LS, true);
  matrix("C_Lcp", "gyroscopic: the momentum of the carried arm's own motion turns with the carrier", split.C_Lcp, true);
  matrix("C_cp1", "velocity forces of the carried arm on the carrier", split.C_cp1, true);
  matrix("C_cp2", "velocity forces of the moving carrier on the carried arm", split.C_cp2, true);
  if (whole) matrix("C_S", "C of the carried arm by itself", split.C_S, true);
  matrix("C_Scp", "what a turning carrier adds to C_S", split.C_Scp, true);
  std::vector<ex> G_S;
  for (const int k : split.carried) G_S.push_back(e.G[size_t(k)]);
  if (whole) vector("G_L", "weight of the carrier by itself", split.own_gravity);
  vector("G_LS", "weight of the carried arm on the carrier", split.load_gravity);
  vector("G_S", "weight of the carried arm on its own joints", G_S);
}

void add_kinematics(const Equations& e, std::vector<Routine>& list) {
  using Shape = Routine::Shape;
  for (const auto& pose : e.links)
    list.push_back({pose.code, "pose of the link's frame in the world: homogeneous, with the 1 last", Shape::matrix,
                    true, false, pose.T});
  for (const auto& pose : e.tips) {
    list.push_back({pose.code, "pose of the tip in the world", Shape::matrix, true, false, pose.T});
    list.push_back({pose.jacobian_code, "[angular velocity; velocity] of the tip in world axes per rate", Shape::matrix,
                    true, false, pose.jacobian});
  }
}

}  // namespace

std::vector<Routine> routines(const Equations& e) {
  using Shape = Routine::Shape;
  std::vector<Routine> list;
  if (!e.coupling_only) {
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
  }
  if (e.split) add_blocks(e, list);
  add_kinematics(e, list);
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
  if (e.coupling_only)
    lines.push_back(
        fmt::format("Coupling terms alone, of the arm cut at the joint of {}: to be added to the equations of both "
                    "arms by themselves.",
                    shortened(e.split->link, 200)));
  if (e.reordered()) {
    lines.push_back(
        "  z and q have all joints before all deformations; order holds the place of each z in lithe's own order, from "
        "0");
  }
  if (!e.folded)
    lines.push_back(
        fmt::format("Intermediate results are named and products are not expanded: {}.", e.unfolded_because));
  return lines;
}

}  // namespace lithe::derive
