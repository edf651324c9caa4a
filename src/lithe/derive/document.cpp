#include "lithe/derive/document.h"

#include <fmt/format.h>

#include "lithe/derive/cost.h"
#include "lithe/derive/document_writer.h"
#include "lithe/derive/literal.h"
#include "lithe/derive/routines.h"

namespace lithe::derive {

size_t typeset_width(const std::string& latex) {
  size_t n = 0;
  for (size_t k = 0; k < latex.size(); ++k) {
    if (latex[k] == '\\') {
      const size_t start = k;
      while (k + 1 < latex.size() && std::isalpha(static_cast<unsigned char>(latex[k + 1]))) ++k;
      const std::string command = latex.substr(start + 1, k - start);
      n += command == "mathrm" || command == "tfrac" || command == "left" || command == "right" ? 0 : 1;
    } else if (latex[k] != '{' && latex[k] != '}' && latex[k] != '^' && latex[k] != '_' && latex[k] != ' ') {
      ++n;
    }
  }
  return n;
}

std::vector<Part> DocumentWriter::run() {
  opening();
  coordinates();
  parameters();
  add_constants();
  if (e_.split) division();
  mass_matrix();
  coriolis_matrix();
  gravity();
  if (!e_.coupling_only) {
    passive_forces();
    energy();
    scalar_equations();
  }
  kinematics();
  return std::move(parts_);
}

void DocumentWriter::opening() {
  if (e_.coupling_only) {
    say(fmt::format(
        "Coupling terms of {}: what has to be added to the equations of motion of two arms by themselves, the "
        "carrier and the arm on it, to obtain those of both.",
        as_code(heading_.source)));
  } else {
    say(fmt::format("Equations of motion of {}, in the form", as_code(heading_.source)));
    const bool nonlinear = !all_zero(e_.f);
    show({{{fmt::format("M(z)\\,\\ddot z + C(z,\\dot z)\\,\\dot z + K z + D\\,\\dot z + G(z){}",
                        nonlinear ? " + f(z,\\dot z)" : ""),
            {"B\\,\\tau"}}}});
  }
  std::string text = "Entries not listed are zero. ";
  if (e_.folded) {
    text +=
        "Products of sines and cosines are folded to sums of angles: $C_{12} = \\cos(\\theta_1+\\theta_2)$, $S_{12} "
        "= \\sin(\\theta_1+\\theta_2)$; a number that appears twice counts twice, and a bar means minus: $C_{22\\bar "
        "3} = \\cos(2\\theta_2-\\theta_3)$. Here $\\theta_i$ is $q_i$, unless defined below.";
    // Angles that are no joint's: constant ones, and those by which bending turns tips.
    std::string others;
    for (int a = 0; a < e_.names.n_angles(); ++a)
      if (const std::string& token = e_.names.angle_token(a); !std::isdigit(static_cast<unsigned char>(token[0])))
        others +=
            fmt::format("{}${}$ stands for ${}$", others.empty() ? "" : ", ", token, print_(e_.names.angle_form(a)));
    if (!others.empty()) text += fmt::format(" In an index, {}.", others);
  } else {
    text += fmt::format("Intermediate results are named and products are not expanded: {}.", e_.unfolded_because);
  }
  say(text);
  // A bound, because rounding errors differ from run to run and the text should not.
  if (heading_.disagreement >= 0)
    say(fmt::format("Compared with the library's own dynamics at random states: relative difference below {:.0e}.",
                    heading_.disagreement < 1e-12 ? 1e-12 : 1e-10));
  const Operations cost = operations(e_);
  const auto counted = [](std::uint64_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  say(fmt::format("Evaluating {} takes {} and {}.", e_.coupling_only ? "these terms" : "$M$, $C$ and $G$",
                  counted(cost.multiplications, "multiplication"), counted(cost.additions, "addition")));
}

void DocumentWriter::coordinates() {
  section("Coordinates");
  Listing listing{{"symbol", "coordinate"}, {}};
  if (e_.reordered()) {
    say("All joints come before all deformations. The last column has the number of each coordinate in lithe's own "
        "order.");
    listing.head.push_back("in lithe");
  }
  for (int k = 0; k < e_.nv; ++k) {
    const ex z = e_.names.coordinate(k);
    const Name& name = e_.names.of(z.is_zero() ? e_.names.rate(k) : z);
    listing.rows.push_back({fmt::format("$z_{{{}}} = {}$", k + 1, name.latex), as_text(name.meaning)});
    // A free base's rates are not rates of coordinates.
    if (z.is_zero()) listing.rows.back()[0] = fmt::format("$\\dot z_{{{}}} = {}$", k + 1, name.latex);
    if (e_.reordered()) listing.rows.back().push_back(fmt::format("{}", e_.order[size_t(k)] + 1));
  }
  for (const Name& name : names())
    if (name.kind == Kind::coordinate && !is_coordinate(name))
      listing.rows.push_back({"$" + name.latex + "$", as_text(name.meaning)});
  parts_.push_back(listing);
}

void DocumentWriter::parameters() {
  Listing listing{{"symbol", "value (SI)", "meaning", "in programs"}, {}};
  for (const int k : used_parameters(e_)) {
    const Name& name = names()[k];

    listing.rows.push_back(
        {"$" + name.latex + "$", fmt::format("{:.6g}", name.value), name.meaning, "`" + name.code + "`"});
  }
  if (listing.rows.empty()) return;
  section("Parameters");
  say("Parameters that are zero in the case do not appear.");
  parts_.push_back(listing);
}

void DocumentWriter::add_constants() {
  Formulas formulas;
  for (const int k : constants(e_.names)) formulas.lines.push_back(defined(k));
  if (formulas.lines.empty()) return;
  section("Constants");
  parts_.push_back(formulas);
}

Formulas::Line DocumentWriter::defined(int k) {
  printed_.insert(k);
  return {names()[k].latex, print_.pieces(names()[k].definition)};
}

Formulas DocumentWriter::definitions(const std::vector<ex>& expressions) {
  Formulas formulas;
  for (const int k : needed(e_.names, expressions)) {
    const Name& name = names()[k];
    const bool plain_wave = name.kind == Kind::wave && e_.folded;
    if ((name.kind == Kind::derived || (name.kind == Kind::wave && !plain_wave)) && !printed_.contains(k))
      formulas.lines.push_back(defined(k));
  }
  return formulas;
}

void DocumentWriter::matrix(const std::string& letter, const ExMatrix& A, bool symmetric, const std::vector<int>& rows,
                            const std::vector<int>& columns) {
  std::vector<ex> all;
  Formulas plain;
  for (size_t k = 0; k < A.size(); ++k)
    for (size_t j = symmetric ? k : 0; j < A[k].size(); ++j) {
      if (A[k][j].is_zero()) continue;
      all.push_back(A[k][j]);
      const std::string index = fmt::format("_{{{},{}}}", rows.empty() ? k + 1 : size_t(rows[k]) + 1,
                                            columns.empty() ? j + 1 : size_t(columns[j]) + 1);
      if (!is_called(A[k][j], letter, index)) plain.lines.push_back({letter + index, print_.pieces(A[k][j])});
    }
  define_all(all);
  show(plain);
}

void DocumentWriter::vector(const std::string& letter, const std::vector<ex>& entries, const std::vector<int>& rows) {
  Formulas plain;
  for (size_t k = 0; k < entries.size(); ++k) {
    const std::string index = fmt::format("_{{{}}}", rows.empty() ? k + 1 : size_t(rows[k]) + 1);
    if (!entries[k].is_zero() && !is_called(entries[k], letter, index))
      plain.lines.push_back({letter + index, print_.pieces(entries[k])});
  }
  define_all(entries);
  show(plain);
}

void DocumentWriter::mass_matrix() {
  if (e_.split) {
    mass_blocks();
    return;
  }
  section("Mass matrix");
  say("$M$ is symmetric.");
  matrix("M", e_.M, true);
}

void DocumentWriter::coriolis_matrix() {
  section("Coriolis and centrifugal matrix");
  if (e_.folded && e_.nv <= 4) {
    say("$C_{kj} = \\sum_i c_{ijk}\\,\\dot z_i$ with the Christoffel symbols $c_{ijk} = c_{jik}$ of $M$.");
  } else {
    say("$C_{kj} = \\sum_i \\tfrac12(M_{k,j|i} + M_{k,i|j} - M_{i,j|k})\\,\\dot z_i$ with $M_{k,j|i} = \\partial "
        "M_{k,j}/\\partial z_i$"
        " (Christoffel symbols).");
  }
  if (all_zero(e_.C)) {
    say("$C = 0$.");
    return;
  }
  if (e_.split) {
    coriolis_blocks();
    return;
  }
  matrix("C", e_.C, false);
  christoffel_table();
}

void DocumentWriter::gravity() {
  section("Gravity");
  if (all_zero(e_.G)) {
    say("$G = 0$.");
    return;
  }
  if (e_.split) {
    gravity_blocks();
    return;
  }
  vector("G", e_.G);
}

void DocumentWriter::passive_forces() {
  section("Stiffness, damping, inputs");
  auto linear = [&](const char* letter, const ExMatrix& A) {
    if (all_zero(A)) {
      say(fmt::format("${} = 0$.", letter));
    } else {
      matrix(letter, A, true);
    }
  };
  linear("K", e_.K);
  linear("D", e_.D);
  if (!all_zero(e_.f)) vector("f", e_.f);
  Formulas inputs;
  std::string motors;
  for (size_t k = 0; k < e_.torque_rows.size(); ++k) {
    inputs.lines.push_back({fmt::format("B_{{{},{}}}", e_.torque_rows[k] + 1, k + 1), {"1"}});
    if (!GiNaC::is_a<GiNaC::numeric>(e_.torque_ratios[k]))
      motors += fmt::format("{}$\\tau_{{{}}} = {}\\,\\tau_{{m,{}}}$", motors.empty() ? "" : ", ", k + 1,
                            print_(e_.torque_ratios[k]), k + 1);
  }
  show(inputs);
  if (!motors.empty())
    say(fmt::format("The torques $\\tau$ act at the joints. A motor with the torque $\\tau_m$ gives {}.", motors));
}

void DocumentWriter::energy() {
  section("Energy");
  say("Kinetic energy is $\\tfrac12\\dot z^T M \\dot z$; potential energy, of gravity and elasticity,");
  define_all({e_.potential});
  show({{{"V", print_.pieces(e_.potential)}}});
}

bool DocumentWriter::is_called(const ex& entry, const std::string& letter, const std::string& index) const {
  if (!GiNaC::is_a<GiNaC::symbol>(entry) || e_.names.of(entry).kind != Kind::derived) return false;
  const std::string& name = e_.names.of(entry).latex;
  return name == letter + index || name == letter.substr(0, 1) + index;
}

bool DocumentWriter::is_coordinate(const Name& name) const {
  for (int k = 0; k < e_.nv; ++k)
    if (e_.names.coordinate(k).is_equal(name.symbol)) return true;
  return false;
}

bool DocumentWriter::all_zero(const std::vector<ex>& entries) {
  for (const ex& entry : entries)
    if (!entry.is_zero()) return false;
  return true;
}

bool DocumentWriter::all_zero(const ExMatrix& A) {
  for (const auto& row : A)
    if (!all_zero(row)) return false;
  return true;
}

std::vector<Part> document(const Equations& equations, const Heading& heading) {
  return DocumentWriter(equations, heading).run();
}

namespace {

constexpr size_t line_width = 85;  // in letters

/// A piece that is too wide for a line, at the terms of its outermost brackets: these are then of one size, because brackets that
/// adapt cannot span lines. Within a matrix a line's end would be a row's end.
std::vector<std::string> broken(const std::string& piece) {
  if (typeset_width(piece) <= line_width) return {piece};
  const std::string open = "\\left(", close = "\\right)", begin = "\\begin{", end = "\\end{";
  std::vector<std::string> parts{""};
  int brackets = 0, braces = 0, environments = 0;
  for (size_t k = 0; k < piece.size(); ++k) {
    const bool opens = piece.compare(k, open.size(), open) == 0, closes = piece.compare(k, close.size(), close) == 0;
    if (piece.compare(k, begin.size(), begin) == 0) ++environments;
    if (piece.compare(k, end.size(), end) == 0) --environments;
    if (braces == 0 && environments == 0 && (opens || closes)) {
      brackets += opens ? 1 : -1;
      const bool outermost = brackets == (opens ? 1 : 0);
      parts.back() += outermost ? (opens ? "\\bigl(" : "\\bigr)") : opens ? open : close;
      k += (opens ? open : close).size() - 1;
      continue;
    }
    if (piece[k] == '{') ++braces;
    if (piece[k] == '}') --braces;
    if (brackets == 1 && braces == 0 && (piece.compare(k, 3, " + ") == 0 || piece.compare(k, 3, " - ") == 0))
      parts.emplace_back();
    parts.back() += piece[k];
  }
  if (parts.size() == 1) return {piece};
  std::vector<std::string> all;
  for (const std::string& part : parts)
    for (std::string& smaller : broken(part)) all.push_back(std::move(smaller));
  return all;
}

}  // namespace

std::string aligned(const Formulas::Line& line) {
  std::string text = line.left + " &= ";
  size_t used = typeset_width(line.left) + 3;
  bool fresh = true;
  for (const std::string& whole : line.pieces)
    for (const std::string& piece : broken(whole)) {
      const size_t width = typeset_width(piece);
      if (!fresh && used + width > line_width) {
        text += " \\\\\n  &\\quad ";
        used = 4;
      }
      text += piece;
      used += width;
      fresh = false;
    }
  return text;
}

}  // namespace lithe::derive
