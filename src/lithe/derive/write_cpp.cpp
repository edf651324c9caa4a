#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lithe/derive/literal.h"
#include "lithe/derive/routines.h"
#include "lithe/derive/write.h"

namespace lithe::derive {
std::string write_cpp(const Equations& e, const Heading& heading) {
  const Printer print(e.names, Style::cpp);
  const auto& names = e.names.all();
  std::string text;
  for (const std::string& line : preamble(e, heading.source)) text += "// " + in_cpp_comment(line) + "\n";
  text += "#pragma once\n\n#include <algorithm>\n#include <cmath>\n\n";
  text += fmt::format("namespace {} {{\n\n", heading.name);
  const auto n_tau = e.torque_rows.size();
  text += fmt::format("constexpr int nq = {}, nv = {}, ntau = {};  // positions, coordinates, torques\n\n",
                      n_positions(e), e.nv, n_tau);
  if (e.reordered())
    text += fmt::format("constexpr int order[nv] = {{{}}};  // z[k] is coordinate order[k] of `lithe eval`\n\n",
                        fmt::join(e.order, ", "));

  text += "struct Parameters {\n";
  for (const int k : used_parameters(e)) {
    const Name& name = names[k];

    text += fmt::format("  double {} = {};  // {}\n", name.code, name.value, in_cpp_comment(name.meaning));
  }
  text += "};\n\n";

  text += "/// Matrices are given row by row.\nclass Arm : private Parameters {\n public:\n";
  text += "  explicit Arm(const Parameters& parameters = {}) : Parameters(parameters) {\n";
  for (const int k : constants(e.names))
    text += wrapped(print.pieces(names[k].definition), fmt::format("    {} = ", names[k].code), "        ", "") + ";\n";
  text += "  }\n\n";

  for (const Routine& routine : routines(e)) {
    std::string arguments;
    auto argument = [&](const std::string& words) { arguments += (arguments.empty() ? "" : ", ") + words; };
    const auto used = needed(e.names, routine);
    bool uses_q = false, uses_v = false;
    for (const int k : used) {
      uses_q = uses_q || names[k].kind == Kind::coordinate;
      uses_v = uses_v || names[k].kind == Kind::rate;
    }
    if (routine.takes_q) argument(uses_q ? "const double* q" : "const double* /*q*/");
    if (routine.takes_v) argument(uses_v ? "const double* v" : "const double* /*v*/");
    const bool number = routine.shape == Routine::Shape::number;
    if (!number) argument("double* out");
    text += fmt::format("  /// {}\n  {} {}({}) const {{\n", routine.about, number ? "double" : "void", routine.name,
                        arguments);
    for (const int k : used) {
      const Name& name = names[k];
      if (name.kind == Kind::coordinate) text += fmt::format("    const double {} = q[{}];\n", name.code, name.place);
      if (name.kind == Kind::rate) text += fmt::format("    const double {} = v[{}];\n", name.code, name.place);
    }
    for (const int k : used)
      if (names[k].kind == Kind::wave || names[k].kind == Kind::derived)
        text += wrapped(print.pieces(names[k].definition), fmt::format("    const double {} = ", names[k].code),
                        "        ", "") +
                ";\n";
    if (number) {
      text += wrapped(print.pieces(routine.entries[0][0]), "    return ", "        ", "") + ";\n";
    } else {
      text += fmt::format("    std::fill(out, out + {}, 0.0);\n", routine.rows() * routine.columns());
      for (int k = 0; k < routine.rows(); ++k)
        for (int j = 0; j < routine.columns(); ++j)
          if (!routine.entries[k][j].is_zero())
            text += wrapped(print.pieces(routine.entries[k][j]),
                            fmt::format("    out[{}] = ", k * routine.columns() + j), "        ", "") +
                    ";\n";
    }
    text += "  }\n\n";
  }

  if (!e.coupling_only) {
    text += R"(  /// h = C z' + K z + D z' + G + f
  void bias(const double* q, const double* v, double* h) const {
    double C[nv*nv], K[nv*nv], D[nv*nv], G[nv], z[nv];
)";
    const auto places = coordinate_places(e);
    for (int k = 0; k < e.nv; ++k)
      text += places[k] < 0 ? fmt::format("    z[{}] = 0;\n", k) : fmt::format("    z[{}] = q[{}];\n", k, places[k]);
    text += R"(    coriolis_matrix(q, v, C);
    stiffness_matrix(K);
    damping_matrix(D);
    gravity(q, G);
    passive(q, v, h);
    for (int k = 0; k < nv; ++k) {
      h[k] += G[k];
      for (int j = 0; j < nv; ++j) h[k] += (C[k*nv + j] + D[k*nv + j])*v[j] + K[k*nv + j]*z[j];
    }
  }

  /// z'' = M^-1 (B tau - h)
  void acceleration(const double* q, const double* v, const double* tau, double* vdot) const {
    double M[nv*nv], h[nv], B[nv*ntau + 1];
    mass_matrix(q, M);
    bias(q, v, h);
    input_matrix(B);
    for (int k = 0; k < nv; ++k) {
      vdot[k] = -h[k];
      for (int j = 0; j < ntau; ++j) vdot[k] += B[k*ntau + j]*tau[j];
    }
    for (int k = 0; k < nv; ++k) {  // M = L L', L in place of M
      for (int j = 0; j <= k; ++j) {
        double sum = M[k*nv + j];
        for (int i = 0; i < j; ++i) sum -= M[k*nv + i]*M[j*nv + i];
        M[k*nv + j] = j < k ? sum/M[j*nv + j] : std::sqrt(sum);
      }
      for (int i = 0; i < k; ++i) vdot[k] -= M[k*nv + i]*vdot[i];
      vdot[k] /= M[k*nv + k];
    }
    for (int k = nv - 1; k >= 0; --k) {
      for (int i = k + 1; i < nv; ++i) vdot[k] -= M[i*nv + k]*vdot[i];
      vdot[k] /= M[k*nv + k];
    }
  }

  double kinetic_energy(const double* q, const double* v) const {
    double M[nv*nv], sum = 0;
    mass_matrix(q, M);
    for (int k = 0; k < nv; ++k)
      for (int j = 0; j < nv; ++j) sum += v[k]*M[k*nv + j]*v[j]/2;
    return sum;
  }

)";
  }
  text += " private:\n";
  text += R"(  static double positive_part(double x) { return std::max(x, 0.0); }
  static double negative_part(double x) { return std::min(x, 0.0); }
  // Of x = |theta|^2, for the rotation by the vector theta: the sums of (-x)^k/(2k + n)!, n = 1, 2, 3, and their slopes.
  static double rotation_series(double x, int n, bool slope) {
    double coefficient = 1, power = 1, sum = 0;
    for (int k = 2; k <= n; ++k) coefficient /= k;
    for (int k = 0; k < 30; ++k) {
      if (!slope) {
        sum += coefficient*power;
        power *= x;
      } else if (k > 0) {
        sum += k*coefficient*power;
        power *= x;
      }
      coefficient /= -double((2*k + n + 1)*(2*k + n + 2));
    }
    return sum;
  }
  static double rot_a(double x) { return rotation_series(x, 1, false); }
  static double rot_b(double x) { return rotation_series(x, 2, false); }
  static double rot_c(double x) { return rotation_series(x, 3, false); }
  static double rot_da(double x) { return rotation_series(x, 1, true); }
  static double rot_db(double x) { return rotation_series(x, 2, true); }
  static double rot_dc(double x) { return rotation_series(x, 3, true); }
)";
  for (const int k : constants(e.names)) text += fmt::format("  double {};\n", names[k].code);
  text += fmt::format("}};\n\n}}  // namespace {}\n", heading.name);
  return text;
}

}  // namespace lithe::derive
