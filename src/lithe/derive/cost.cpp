#include "lithe/derive/cost.h"

#include "lithe/derive/routines.h"

namespace lithe::derive {
namespace {

void count(const ex& expression, Operations& sum) {
  if (GiNaC::is_a<GiNaC::function>(expression)) {
    ++sum.functions;
  } else if (GiNaC::is_a<GiNaC::add>(expression)) {
    sum.additions += expression.nops() - 1;
  } else if (GiNaC::is_a<GiNaC::mul>(expression)) {
    const bool only_sign = expression.op(expression.nops() - 1).is_equal(-1);
    sum.multiplications += expression.nops() - 1 - only_sign;
  } else if (GiNaC::is_a<GiNaC::power>(expression)) {
    const int exponent = GiNaC::ex_to<GiNaC::numeric>(expression.op(1)).to_int();
    sum.multiplications += exponent > 0 ? std::uint64_t(exponent - 1) : std::uint64_t(-exponent);
    count(expression.op(0), sum);
    return;
  }
  for (size_t k = 0; k < expression.nops(); ++k) count(expression.op(k), sum);
}

}  // namespace

Operations operations(const Names& names, const std::vector<ex>& expressions) {
  Operations sum;
  for (const ex& expression : expressions) count(expression, sum);
  for (const int k : needed(names, expressions)) {
    const Name& name = names.all()[size_t(k)];
    if (name.kind == Kind::wave || name.kind == Kind::derived) count(name.definition, sum);
  }
  return sum;
}

Operations operations(const Equations& e) {
  std::vector<ex> all;
  auto add = [&](const ExMatrix& A) {
    for (const auto& row : A) all.insert(all.end(), row.begin(), row.end());
  };
  if (e.coupling_only) {
    for (const Routine& routine : routines(e)) add(routine.entries);
  } else {
    add(e.M);
    add(e.C);
    all.insert(all.end(), e.G.begin(), e.G.end());
  }
  return operations(e.names, all);
}

}  // namespace lithe::derive
