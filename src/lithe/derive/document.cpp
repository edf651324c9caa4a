#include "lithe/derive/document.h"

#include <fmt/format.h>

#include <set>

#include "lithe/derive/literal.h"
#include "lithe/derive/routines.h"

namespace lithe::derive {
namespace {

/// The width of a typeset piece of a formula, in letters: commands and braces have no width, or that of one letter.
size_t width(const std::string& latex) {
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

class Writer {
 public:
  Writer(const Equations& e, const Heading& heading) : e_(e), heading_(heading), print_(e.names, Style::latex) {}

  std::vector<Part> run() {
    opening();
    coordinates();
    parameters();
    add_constants();
    mass_matrix();
    coriolis_matrix();
    rest();
    return std::move(parts_);
  }

 private:
  const std::vector<Name>& names() const { return e_.names.all(); }
  void section(const std::string& title) { parts_.push_back(Section{title}); }
  void say(const std::string& text) { parts_.push_back(Paragraph{text}); }

  void opening() {
    say(fmt::format("Equations of motion of {}, in the form", as_code(heading_.source)));
    const bool nonlinear = !all_zero(e_.f);
    Formulas::Line line{"M(z)\\,\\ddot z + C(z,\\dot z)\\,\\dot z + K z + D\\,\\dot z + G(z)",
                        {nonlinear ? "f + B\\,\\tau" : "B\\,\\tau"}};
    if (nonlinear)
      line = {"M(z)\\,\\ddot z + C(z,\\dot z)\\,\\dot z + K z + D\\,\\dot z + G(z) + f(z,\\dot z)", {"B\\,\\tau"}};
    parts_.push_back(Formulas{{line}});
    std::string text = "Entries not listed are zero. ";
    if (e_.folded) {
      text +=
          "Products of sines and cosines are folded to sums of angles: $C_{12} = \\cos(\\theta_1+\\theta_2)$, $S_{12} "
          "= \\sin(\\theta_1+\\theta_2)$; a number that appears twice counts twice, and a bar means minus: $C_{22\\bar "
          "3} = \\cos(2\\theta_2-\\theta_3)$. Here $\\theta_i$ is $q_i$, unless defined below.";
    } else {
      text += fmt::format("Intermediate results are named and products are not expanded: {}.", e_.unfolded_because);
    }
    say(text);
    // A bound, because rounding errors differ from run to run and the text should not.
    if (heading_.disagreement >= 0)
      say(fmt::format("Compared with the library's own dynamics at random states: relative difference below {:.0e}.",
                      heading_.disagreement < 1e-12 ? 1e-12 : 1e-10));
  }

  void coordinates() {
    section("Coordinates");
    Listing listing{{"symbol", "coordinate"}, {}};
    for (int k = 0; k < e_.nv; ++k) {
      const ex z = e_.names.coordinate(k);
      const Name& name = e_.names.of(z.is_zero() ? e_.names.rate(k) : z);
      listing.rows.push_back({fmt::format("$z_{{{}}} = {}$", k + 1, name.latex), as_text(name.meaning)});
      // A free base's rates are not rates of coordinates.
      if (z.is_zero()) listing.rows.back()[0] = fmt::format("$\\dot z_{{{}}} = {}$", k + 1, name.latex);
    }
    for (const Name& name : names())
      if (name.kind == Kind::coordinate && !is_coordinate(name))
        listing.rows.push_back({"$" + name.latex + "$", as_text(name.meaning)});
    parts_.push_back(listing);
  }

  void parameters() {
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

  void add_constants() {
    Formulas formulas;
    for (const int k : constants(e_.names)) formulas.lines.push_back(defined(k));
    if (formulas.lines.empty()) return;
    section("Constants");
    parts_.push_back(formulas);
  }

  Formulas::Line defined(int k) {
    printed_.insert(k);
    return {names()[k].latex, print_.pieces(names()[k].definition)};
  }

  /// Definitions that expressions need and that have not been given yet. Waves need none: their names say what they are.
  Formulas definitions(const std::vector<ex>& expressions) {
    Formulas formulas;
    for (const int k : needed(e_.names, expressions)) {
      const Name& name = names()[k];
      const bool plain_wave = name.kind == Kind::wave && e_.folded;
      if ((name.kind == Kind::derived || (name.kind == Kind::wave && !plain_wave)) && !printed_.contains(k))
        formulas.lines.push_back(defined(k));
    }
    return formulas;
  }

  void define_all(const std::vector<ex>& expressions) {
    Formulas formulas = definitions(expressions);
    if (!formulas.lines.empty()) parts_.push_back(formulas);
  }

  /// The entries of a matrix that are not zero, a definition where the entry has a name; of a symmetric one half of them.
  void matrix(const std::string& letter, const ExMatrix& A, bool symmetric) {
    std::vector<ex> all;
    Formulas plain;
    for (size_t k = 0; k < A.size(); ++k)
      for (size_t j = symmetric ? k : 0; j < A[k].size(); ++j) {
        if (A[k][j].is_zero()) continue;
        all.push_back(A[k][j]);
        if (!is_defined(A[k][j]))
          plain.lines.push_back({fmt::format("{}_{{{},{}}}", letter, k + 1, j + 1), print_.pieces(A[k][j])});
      }
    define_all(all);
    if (!plain.lines.empty()) parts_.push_back(plain);
  }

  void vector(const std::string& letter, const std::vector<ex>& entries) {
    Formulas plain;
    for (size_t k = 0; k < entries.size(); ++k)
      if (!entries[k].is_zero() && !is_defined(entries[k]))
        plain.lines.push_back({fmt::format("{}_{{{}}}", letter, k + 1), print_.pieces(entries[k])});
    define_all(entries);
    if (!plain.lines.empty()) parts_.push_back(plain);
  }

  void mass_matrix() {
    section("Mass matrix");
    if (!e_.split) {
      say("$M$ is symmetric.");
      matrix("M", e_.M, true);
      return;
    }
    const auto& split = *e_.split;
    auto list = [](const std::vector<int>& places) {
      std::string text;
      for (const int k : places) text += fmt::format("{}z_{{{}}}", text.empty() ? "" : ", ", k + 1);
      return text;
    };
    say(fmt::format("The arm is cut at the joint of {}: the carrier has ${}$, the carried arm has ${}$, and",
                    as_code(split.link), list(split.carrier), list(split.carried)));
    parts_.push_back(
        Formulas{{{"M", {"\\begin{pmatrix} M^{L} + M^{L/S} & M^{cp} \\\\ {M^{cp}}^{T} & M^{S} \\end{pmatrix}"}}}});
    auto block = [&](const std::string& title, const std::string& letter, const ExMatrix& A,
                     const std::vector<int>& rows, const std::vector<int>& columns, bool symmetric) {
      section(title);
      std::vector<ex> all;
      Formulas plain;
      for (size_t k = 0; k < rows.size(); ++k)
        for (size_t j = symmetric ? k : 0; j < columns.size(); ++j) {
          if (A[k][j].is_zero()) continue;
          all.push_back(A[k][j]);
          if (!is_defined(A[k][j]))
            plain.lines.push_back(
                {fmt::format("{}_{{{},{}}}", letter, rows[k] + 1, columns[j] + 1), print_.pieces(A[k][j])});
        }
      define_all(all);
      if (!plain.lines.empty()) parts_.push_back(plain);
    };
    block("The carrier by itself", "M^{L}", split.own, split.carrier, split.carrier, true);
    block("What the carried arm adds to the carrier", "M^{L/S}", split.load, split.carrier, split.carrier, true);
    auto part = [&](const std::vector<int>& rows, const std::vector<int>& columns) {
      ExMatrix A;
      for (const int k : rows) {
        A.emplace_back();
        for (const int j : columns) A.back().push_back(e_.M[k][j]);
      }
      return A;
    };
    block("Coupling of carrier and carried arm", "M^{cp}", part(split.carrier, split.carried), split.carrier,
          split.carried, false);
    block("The carried arm by itself", "M^{S}", part(split.carried, split.carried), split.carried, split.carried, true);
    section("Sum of the carrier's blocks");
    matrix("M", e_.M, true);
  }

  void coriolis_matrix() {
    section("Coriolis and centrifugal matrix");
    if (e_.folded && e_.nv <= 4) {
      say("$C_{kj} = \\sum_i c_{ijk}\\,\\dot z_i$ with the Christoffel symbols $c_{ijk} = c_{jik}$ of $M$.");
    } else {
      say("$C_{kj} = \\sum_i \\tfrac12(M_{k,j|i} + M_{k,i|j} - M_{i,j|k})\\,\\dot z_i$ with $M_{k,j|i} = \\partial "
          "M_{k,j}/\\partial z_i$"
          " (Christoffel symbols).");
    }
    std::vector<ex> all;
    for (const auto& row : e_.C) all.insert(all.end(), row.begin(), row.end());
    if (all_zero(all)) {
      say("$C = 0$.");
      return;
    }
    define_all(all);
    matrix("C", e_.C, false);
  }

  void rest() {
    section("Gravity");
    if (all_zero(e_.G)) say("$G = 0$.");
    vector("G", e_.G);
    section("Stiffness, damping, inputs");
    auto linear = [&](const char* letter, const ExMatrix& A) {
      std::vector<ex> all;
      for (const auto& row : A) all.insert(all.end(), row.begin(), row.end());
      if (all_zero(all)) {
        say(fmt::format("${} = 0$.", letter));
      } else {
        matrix(letter, A, true);
      }
    };
    linear("K", e_.K);
    linear("D", e_.D);
    if (!all_zero(e_.f)) vector("f", e_.f);
    Formulas inputs;
    for (size_t k = 0; k < e_.torque_rows.size(); ++k)
      inputs.lines.push_back({fmt::format("B_{{{},{}}}", e_.torque_rows[k] + 1, k + 1), {"1"}});
    if (!inputs.lines.empty()) parts_.push_back(inputs);
    section("Energy");
    say("Kinetic energy is $\\tfrac12\\dot z^T M \\dot z$; potential energy, of gravity and elasticity,");
    define_all({e_.potential});
    parts_.push_back(Formulas{{{"V", print_.pieces(e_.potential)}}});
  }

  bool is_defined(const ex& entry) const {
    return GiNaC::is_a<GiNaC::symbol>(entry) && e_.names.of(entry).kind == Kind::derived;
  }
  bool is_coordinate(const Name& name) const {
    for (int k = 0; k < e_.nv; ++k)
      if (e_.names.coordinate(k).is_equal(name.symbol)) return true;
    return false;
  }
  static bool all_zero(const std::vector<ex>& entries) {
    for (const ex& entry : entries)
      if (!entry.is_zero()) return false;
    return true;
  }

  const Equations& e_;
  const Heading& heading_;
  Printer print_;
  std::vector<Part> parts_;
  std::set<int> printed_;
};

}  // namespace

std::vector<Part> document(const Equations& equations, const Heading& heading) {
  return Writer(equations, heading).run();
}

std::string aligned(const Formulas::Line& line) {
  constexpr size_t most = 85;
  std::string text = line.left + " &= ";
  size_t used = width(line.left) + 3;
  bool fresh = true;
  for (const std::string& piece : line.pieces) {
    if (!fresh && used + width(piece) > most) {
      text += " \\\\\n  &\\quad ";
      used = 4;
    }
    text += piece;
    used += width(piece);
    fresh = false;
  }
  return text;
}

}  // namespace lithe::derive
