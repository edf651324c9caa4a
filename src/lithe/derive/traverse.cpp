#include "lithe/derive/traverse.h"

#include <map>

namespace lithe::derive {
namespace {

using GiNaC::ex;

void gather(const ex& expression, std::map<std::string, GiNaC::symbol>& found) {
  if (GiNaC::is_a<GiNaC::symbol>(expression)) {
    const auto& symbol = GiNaC::ex_to<GiNaC::symbol>(expression);
    found.try_emplace(symbol.get_name(), symbol);
    return;
  }
  for (size_t k = 0; k < expression.nops(); ++k) gather(expression.op(k), found);
}

template <class Node>
std::vector<ex> parts(const ex& expression) {
  if (!GiNaC::is_a<Node>(expression)) return {expression};
  return {expression.begin(), expression.end()};
}

}  // namespace

std::vector<GiNaC::symbol> symbols_in(const ex& expression) {
  std::map<std::string, GiNaC::symbol> found;
  gather(expression, found);
  std::vector<GiNaC::symbol> list;
  for (const auto& [name, symbol] : found) list.push_back(symbol);
  return list;
}

std::vector<ex> terms_of(const ex& expression) {
  if (expression.is_zero()) return {};
  return parts<GiNaC::add>(expression);
}

std::vector<ex> factors_of(const ex& expression) { return parts<GiNaC::mul>(expression); }

GiNaC::numeric number_of(const ex& term) {
  for (const ex& factor : factors_of(term))
    if (GiNaC::is_a<GiNaC::numeric>(factor)) return GiNaC::ex_to<GiNaC::numeric>(factor);
  return 1;
}

std::string letter_latex(const std::string& letter) {
  static const std::map<std::string, std::string> spelt{
      {"phi", "\\varphi"}, {"psi", "\\psi"},    {"mu", "\\mu"},  {"alpha", "\\alpha"}, {"theta", "\\vartheta"},
      {"r", "q^{0}"},      {"Jr", "J^{r}"},     {"Jm", "J^{m}"}, {"bm", "b^{m}"},      {"rg", "r"},
      {"kt", "k^{t}"},     {"dt", "d^{t}"},     {"kh", "k^{h}"},                    // rotor, transmission
      {"tf", "\\tau^{+}"}, {"tb", "\\tau^{-}"}, {"vs", "v^{s}"},                    // friction
      {"ks", "k^{s}"},     {"ds", "d^{s}"},     {"qu", "q^{+}"}, {"ql", "q^{-}"}};  // stops
  const auto found = spelt.find(letter);
  return found == spelt.end() ? letter : found->second;
}

}  // namespace lithe::derive
