#include <fmt/format.h>

#include "lithe/derive/literal.h"
#include "lithe/derive/routines.h"
#include "lithe/derive/write.h"

namespace lithe::derive {
namespace {

constexpr const char* dynamics = R"(
function h = bias(q, v, p)
% h = C z' + K z + D z' + G + f
h = coriolis_matrix(q, v, p)*v + stiffness_matrix(p)*coordinates(q) + damping_matrix(p)*v + gravity(q, p) + passive(q, v, p);
end

function vdot = acceleration(q, v, tau, p)
% z'' = M^-1 (B tau - h)
vdot = mass_matrix(q, p) \ (input_matrix(p)*tau - bias(q, v, p));
end

function T = kinetic_energy(q, v, p)
T = v'*mass_matrix(q, p)*v/2;
end
)";

constexpr const char* helpers = R"(
function y = positive_part(x)
y = max(x, 0);
end

function y = negative_part(x)
y = min(x, 0);
end

function total = rotation_series(x, n, slope)
% Of x = |theta|^2, for the rotation by the vector theta: the sum of (-x)^k/(2k + n)!, or its slope.
k = 0:29;
coefficient = (-1).^k./factorial(2*k + n);
if slope
  total = sum(k(2:end).*coefficient(2:end).*x.^(k(2:end) - 1));
else
  total = sum(coefficient.*x.^k);
end
end

function y = rot_a(x)
y = rotation_series(x, 1, false);
end

function y = rot_b(x)
y = rotation_series(x, 2, false);
end

function y = rot_c(x)
y = rotation_series(x, 3, false);
end

function y = rot_da(x)
y = rotation_series(x, 1, true);
end

function y = rot_db(x)
y = rotation_series(x, 2, true);
end

function y = rot_dc(x)
y = rotation_series(x, 3, true);
end
)";

std::string arguments(const Routine& routine) {
  return std::string(routine.takes_q ? "q, " : "") + (routine.takes_v ? "v, " : "") + "p";
}

}  // namespace

std::string write_matlab(const Equations& e, const Heading& heading) {
  const Printer print(e.names, Style::matlab);
  const auto& names = e.names.all();
  const auto list = routines(e);
  auto assigned = [&](const std::string& target, const ex& value) {
    return wrapped(print.pieces(value), target + " = ", "    ", " ...") + ";\n";
  };
  std::string text = fmt::format("function out = {}(what, q, v, p, tau)\n", heading.name);
  for (const std::string& line : preamble(e, heading.source)) text += "% " + in_matlab_comment(line) + "\n";
  text += fmt::format(
      "%\n% p = {0}('parameters') are its parameters, {0}('mass_matrix', q), {0}('bias', q, v) and so on use "
      "them;\n% {0}('mass_matrix', q, [], p) uses others.\n",
      heading.name);
  text += R"(if nargin < 2, q = []; end
if nargin < 3, v = []; end
if nargin < 4 || isempty(p), p = parameters(); end
q = q(:);
v = v(:);
p = constants(p);
switch what
  case 'parameters'
    out = parameters();
)";
  for (const Routine& routine : list)
    text += fmt::format("  case '{0}'\n    out = {0}({1});\n", routine.name, arguments(routine));
  if (!e.coupling_only)
    text += R"(  case 'bias'
    out = bias(q, v, p);
  case 'acceleration'
    out = acceleration(q, v, tau(:), p);
  case 'kinetic_energy'
    out = kinetic_energy(q, v, p);
)";
  if (e.reordered()) {
    text += "  case 'order'\n    out = [";
    for (size_t k = 0; k < e.order.size(); ++k) text += fmt::format("{}{}", k ? ", " : "", e.order[k] + 1);
    text += "];  % z(k) is coordinate number order(k) of `lithe eval`, from 1\n";
  }
  text += R"(  otherwise
    error('no ''%s''', what);
end
end

function p = parameters()
p = struct();
)";
  for (const int k : used_parameters(e)) {
    const Name& name = names[k];
    text += fmt::format("p.{} = {};  % {}\n", name.code, name.value, in_matlab_comment(name.meaning));
  }
  text += "end\n\nfunction p = constants(p)\n";
  for (const int k : constants(e.names)) text += assigned("p." + names[k].code, names[k].definition);
  text += "end\n\nfunction z = coordinates(q)\nz = [";
  const auto places = coordinate_places(e);
  for (int k = 0; k < e.nv; ++k)
    text += (k ? "; " : "") + (places[k] < 0 ? std::string("0") : fmt::format("q({})", places[k] + 1));
  text += "];\nend\n";

  for (const Routine& routine : list) {
    text += fmt::format("\nfunction out = {}({})\n% {}\n", routine.name, arguments(routine), routine.about);
    for (const int k : needed(e.names, routine)) {
      const Name& name = names[k];
      if (name.kind == Kind::coordinate) text += fmt::format("{} = q({});\n", name.code, name.place + 1);
      if (name.kind == Kind::rate) text += fmt::format("{} = v({});\n", name.code, name.place + 1);
      if (name.kind == Kind::wave || name.kind == Kind::derived) text += assigned(name.code, name.definition);
    }
    if (routine.shape == Routine::Shape::number) {
      text += assigned("out", routine.entries[0][0]);
    } else {
      text += fmt::format("out = zeros({}, {});\n", routine.rows(), routine.columns());
      for (int k = 0; k < routine.rows(); ++k)
        for (int j = 0; j < routine.columns(); ++j)
          if (!routine.entries[k][j].is_zero())
            text += assigned(fmt::format("out({}, {})", k + 1, j + 1), routine.entries[k][j]);
    }
    text += "end\n";
  }
  return text + (e.coupling_only ? "" : dynamics) + helpers;
}

}  // namespace lithe::derive
