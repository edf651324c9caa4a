#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lithe/derive/literal.h"
#include "lithe/derive/routines.h"
#include "lithe/derive/write.h"

namespace lithe::derive {
namespace {

constexpr const char* helpers = R"py(

def positive_part(x):
    return sp.Max(x, 0)


def negative_part(x):
    return sp.Min(x, 0)


# Of x = |theta|^2, for the rotation by the vector theta: sin|theta|/|theta|, (1 - cos|theta|)/x, (1 - rot_a)/x, and their slopes.
def rot_a(x):
    return sp.sinc(sp.sqrt(x))


def rot_b(x):
    return sp.sinc(sp.sqrt(x)/2)**2/2


def rot_c(x):
    return sp.Piecewise((sp.Rational(1, 6), sp.Eq(x, 0)), ((1 - rot_a(x))/x, True))


def rot_da(x):
    return (rot_c(x) - rot_b(x))/2


def rot_db(x):
    return sp.Piecewise((-sp.Rational(1, 24), sp.Eq(x, 0)), ((rot_a(x)/2 - rot_b(x))/x, True))


def rot_dc(x):
    return sp.Piecewise((-sp.Rational(1, 120), sp.Eq(x, 0)), ((rot_b(x) - 3*rot_c(x))/(2*x), True))
)py";

/// Matrices of one letter, as in the equations; the others keep the names that programs give them.
std::string short_name(const std::string& routine) {
  if (routine == "mass_matrix") return "M";
  if (routine == "coriolis_matrix") return "C";
  if (routine == "stiffness_matrix") return "K";
  if (routine == "damping_matrix") return "D";
  if (routine == "input_matrix") return "B";
  if (routine == "gravity") return "G";
  if (routine == "passive") return "f";
  if (routine == "potential_energy") return "V";
  return routine;
}

}  // namespace

std::string write_sympy(const Equations& e, const Heading& heading) {
  const Printer print(e.names, Style::sympy);
  const auto& names = e.names.all();
  std::string text = "\"\"\"";
  for (const std::string& line : preamble(e, heading.source)) text += in_python_text(line) + "\n";
  text +=
      "\nFor SymPy: matrices over symbols; M.subs(parameters) puts in the values of the case.\n\"\"\"\nimport sympy as "
      "sp\n";
  const auto list = routines(e);
  std::set<int> used;
  for (const Routine& routine : list)
    for (const int k : needed(e.names, routine)) used.insert(k);
  text += helpers;
  auto assigned = [&](const std::string& target, const ex& value) {
    return wrapped(print.pieces(value), target + " = (", "    ", "") + ")\n";
  };
  auto symbol = [&](const Name& name) { return fmt::format("{0} = sp.Symbol('{0}', real=True)\n", name.code); };

  text += "\n\n# The state: positions q, rates v, accelerations a and torques tau\n";
  std::vector<std::string> q, v, a, tau;
  for (const Name& name : names) {
    if (name.kind != Kind::coordinate && name.kind != Kind::rate) continue;
    text += symbol(name);
    auto& codes = name.kind == Kind::coordinate ? q : v;
    codes.resize(std::max(codes.size(), size_t(name.place) + 1));
    codes[size_t(name.place)] = name.code;
  }
  for (int k = 0; k < e.nv; ++k) a.push_back(fmt::format("sp.Symbol('a{}', real=True)", k + 1));
  for (size_t k = 0; k < e.torque_rows.size(); ++k) tau.push_back(fmt::format("sp.Symbol('tau{}', real=True)", k + 1));
  text += fmt::format("q = sp.Matrix([{}])\nv = sp.Matrix([{}])\na = sp.Matrix([{}])\n", fmt::join(q, ", "),
                      fmt::join(v, ", "), fmt::join(a, ", "));
  text += tau.empty() ? "tau = sp.zeros(0, 1)\n" : fmt::format("tau = sp.Matrix([{}])\n", fmt::join(tau, ", "));
  text += "coordinates = sp.Matrix([";
  const auto places = coordinate_places(e);
  for (int k = 0; k < e.nv; ++k)
    text += (k ? ", " : "") + (places[size_t(k)] < 0 ? std::string("0") : fmt::format("q[{}]", places[size_t(k)]));
  text += "])\n";
  if (e.reordered())
    text += fmt::format("order = [{}]  # z[k] is coordinate order[k] of `lithe eval`\n", fmt::join(e.order, ", "));

  text += "\n# Parameters, and their values in the case\nparameters = {}\n";
  for (const int k : used_parameters(e)) {
    const Name& name = names[size_t(k)];
    text += symbol(name);
    text += fmt::format("parameters[{}] = {}  # {}\n", name.code, name.value, in_python_text(name.meaning));
  }
  // Put in everywhere, rotations about several axes and unfolded quantities would grow without limit.
  const bool keeps_names = !e.folded || std::any_of(used.begin(), used.end(), [&](int k) {
    const ex& definition = names[size_t(k)].definition;
    return GiNaC::is_a<GiNaC::function>(definition) && names[size_t(k)].kind == Kind::derived;
  });
  text += keeps_names
              ? "\n# Named quantities, which stay symbols: definitions are (symbol, expression) in the order in which "
                "they need "
                "each other,\n# as lambdify takes them: sp.lambdify(arguments, M, cse=lambda x: (definitions, x))\n"
              : "\n# Quantities named in the equations\n";
  text += "definitions = []\n";
  for (const int k : used) {
    const Name& name = names[size_t(k)];
    if (name.kind != Kind::constant && name.kind != Kind::wave && name.kind != Kind::derived) continue;
    if (keeps_names) {
      text += symbol(name) +
              wrapped(print.pieces(name.definition), fmt::format("definitions.append(({}, ", name.code), "    ", "") +
              "))\n";
    } else {
      text += assigned(name.code, name.definition);
    }
  }
  for (const Routine& routine : list) {
    text += fmt::format("\n# {}\n", routine.about);
    const std::string name = short_name(routine.name);
    if (routine.shape == Routine::Shape::number) {
      text += assigned(name, routine.entries[0][0]);
      continue;
    }
    text += fmt::format("{} = sp.zeros({}, {})\n", name, routine.rows(), routine.columns());
    for (int k = 0; k < routine.rows(); ++k)
      for (int j = 0; j < routine.columns(); ++j)
        if (!routine.entries[size_t(k)][size_t(j)].is_zero())
          text += assigned(fmt::format("{}[{}, {}]", name, k, j), routine.entries[size_t(k)][size_t(j)]);
  }
  if (!e.coupling_only)
    text +=
        "\n# The equations of motion are motion = 0, the kinetic energy is T\nmotion = M*a + C*v + K*coordinates + D*v "
        "+ G + f - B*tau\n"
        "T = (v.T*M*v)[0, 0]/2\n";
  return text;
}

}  // namespace lithe::derive
