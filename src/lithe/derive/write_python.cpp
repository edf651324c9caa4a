#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lithe/derive/literal.h"
#include "lithe/derive/routines.h"
#include "lithe/derive/write.h"

namespace lithe::derive {
namespace {

constexpr const char* helpers = R"py(

def positive_part(x):
    return max(x, 0.0)


def negative_part(x):
    return min(x, 0.0)


def _rotation_series(x, n, slope):
    """Of x = |theta|^2, for the rotation by the vector theta: the sum of (-x)^k/(2k + n)!, or its slope."""
    coefficient, power, total = 1.0, 1.0, 0.0
    for k in range(2, n + 1):
        coefficient /= k
    for k in range(30):
        if not slope:
            total += coefficient*power
            power *= x
        elif k > 0:
            total += k*coefficient*power
            power *= x
        coefficient /= -(2*k + n + 1)*(2*k + n + 2)
    return total


def rot_a(x):
    return _rotation_series(x, 1, False)


def rot_b(x):
    return _rotation_series(x, 2, False)


def rot_c(x):
    return _rotation_series(x, 3, False)


def rot_da(x):
    return _rotation_series(x, 1, True)


def rot_db(x):
    return _rotation_series(x, 2, True)


def rot_dc(x):
    return _rotation_series(x, 3, True)
)py";

constexpr const char* made_of_these = R"py(
    def bias(self, q, v):
        """h = C z' + K z + D z' + G + f"""
        v = np.asarray(v, float)
        return (self.coriolis_matrix(q, v) @ v + self.stiffness_matrix() @ self.coordinates(q)
                + self.damping_matrix() @ v + self.gravity(q) + self.passive(q, v))

    def acceleration(self, q, v, tau):
        """z'' = M^-1 (B tau - h)"""
        return np.linalg.solve(self.mass_matrix(q), self.input_matrix() @ np.asarray(tau, float) - self.bias(q, v))

    def kinetic_energy(self, q, v):
        v = np.asarray(v, float)
        return v @ self.mass_matrix(q) @ v/2
)py";

}  // namespace

std::string write_python(const Equations& e, const Heading& heading) {
  const Printer print(e.names, Style::python);
  const auto& names = e.names.all();
  std::string text = "\"\"\"";
  for (const std::string& line : preamble(e, heading.source)) text += in_python_text(line) + "\n";
  text += "\"\"\"\nimport numpy as np\n";
  text += helpers;
  // Long sums stand in brackets, so that they may run over several lines.
  auto assigned = [&](const std::string& target, const ex& value) {
    return wrapped(print.pieces(value), fmt::format("        {} = (", target), "            ", "") + ")\n";
  };

  text += "\n\nclass Arm:\n";
  if (e.reordered())
    text +=
        fmt::format("    order = [{}]  # z[k] is coordinate order[k] of `lithe eval`\n\n", fmt::join(e.order, ", "));
  text +=
      "    def __init__(self, **parameters):\n        \"\"\"Parameters by name; the case's values "
      "otherwise.\"\"\"\n";
  text += fmt::format("        self.nq, self.nv = {}, {}\n", n_positions(e), e.nv);
  for (const int k : used_parameters(e)) {
    const Name& name = names[k];

    text += fmt::format("        self.{} = {}  # {}\n", name.code, name.value, in_python_text(name.meaning));
  }
  text += R"(        for name, value in parameters.items():
            if not hasattr(self, name):
                raise TypeError(f"no parameter {name}")
            setattr(self, name, float(value))
)";
  for (const int k : constants(e.names)) text += assigned("self." + names[k].code, names[k].definition);

  text +=
      "\n    @staticmethod\n    def coordinates(q):\n        \"\"\"z of the positions q.\"\"\"\n        return "
      "np.array([";
  const auto places = coordinate_places(e);
  for (int k = 0; k < e.nv; ++k)
    text += (k ? ", " : "") + (places[k] < 0 ? std::string("0.0") : fmt::format("q[{}]", places[k]));
  text += "])\n";

  for (const Routine& routine : routines(e)) {
    text += fmt::format("\n    def {}(self{}{}):\n        \"\"\"{}\"\"\"\n", routine.name, routine.takes_q ? ", q" : "",
                        routine.takes_v ? ", v" : "", routine.about);
    for (const int k : needed(e.names, routine)) {
      const Name& name = names[k];
      if (name.kind == Kind::coordinate) text += fmt::format("        {} = q[{}]\n", name.code, name.place);
      if (name.kind == Kind::rate) text += fmt::format("        {} = v[{}]\n", name.code, name.place);
      if (name.kind == Kind::wave || name.kind == Kind::derived) text += assigned(name.code, name.definition);
    }
    if (routine.shape == Routine::Shape::number) {
      text += assigned("out", routine.entries[0][0]);
    } else {
      const bool vector = routine.shape == Routine::Shape::vector;
      text += vector ? fmt::format("        out = np.zeros({})\n", routine.rows())
                     : fmt::format("        out = np.zeros(({}, {}))\n", routine.rows(), routine.columns());
      for (int k = 0; k < routine.rows(); ++k)
        for (int j = 0; j < routine.columns(); ++j)
          if (!routine.entries[k][j].is_zero())
            text +=
                assigned(vector ? fmt::format("out[{}]", k) : fmt::format("out[{}, {}]", k, j), routine.entries[k][j]);
    }
    text += "        return out\n";
  }
  return e.coupling_only ? text : text + made_of_these;
}

}  // namespace lithe::derive
