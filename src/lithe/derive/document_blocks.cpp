// Documents of an arm that is split: the blocks of lew-book's eqs 36 and 41.
#include <fmt/format.h>

#include "lithe/derive/document_writer.h"
#include "lithe/derive/literal.h"

namespace lithe::derive {

void DocumentWriter::division() {
  const auto& split = *e_.split;
  auto list = [](const std::vector<int>& places) {
    std::string text;
    for (const int k : places) text += fmt::format("{}z_{{{}}}", text.empty() ? "" : ", ", k + 1);
    return text;
  };
  section("Division");
  say(fmt::format("The arm is cut at the joint of {}: the carrier has ${}$, the carried arm has ${}$, and",
                  as_code(split.link), list(split.carrier), list(split.carried)));
  show({{{"M", {"\\begin{pmatrix} M^{L} + M^{L/S} & M^{cp} \\\\ {M^{cp}}^{T} & M^{S} \\end{pmatrix}"}},
         {"C",
          {"\\begin{pmatrix} C^{L} + C^{L/S} + C_{L}^{cp} & C^{cp1} \\\\ C^{cp2} & C^{S} + C_{S}^{cp} \\end{pmatrix}"}},
         {"G", {"\\begin{pmatrix} G^{L} + G^{L/S} \\\\ G^{S} \\end{pmatrix}"}}}});
  if (e_.coupling_only)
    say("$M^{L}$, $C^{L}$, $G^{L}$, $M^{S}$ and $C^{S}$ are those of the arms by themselves and are not derived here.");
}

void DocumentWriter::mass_blocks() {
  const auto& split = *e_.split;
  if (!e_.coupling_only) {
    section("Mass matrix of the carrier by itself");
    matrix("M^{L}", split.own, true, split.carrier, split.carrier);
  }
  section("What the carried arm adds to the carrier's mass matrix");
  matrix("M^{L/S}", split.load, true, split.carrier, split.carrier);
  section("Coupling of carrier and carried arm");
  matrix("M^{cp}", split.M_cp(e_.M), false, split.carrier, split.carried);
  if (e_.coupling_only) return;
  section("Mass matrix of the carried arm by itself");
  matrix("M^{S}", split.M_S(e_.M), true, split.carried, split.carried);
  section("Sum of the carrier's blocks");
  matrix("M", e_.M, true);
}

void DocumentWriter::coriolis_blocks() {
  const auto& split = *e_.split;
  // Letters with an index of their own stand in braces: the entry's numbers would be a second index, which TeX does not accept.
  auto block = [&](const std::string& title, const std::string& letter, const ExMatrix& A, const std::vector<int>& rows,
                   const std::vector<int>& columns) {
    say(fmt::format("${}$, {}{}", letter, title, all_zero(A) ? ", is zero." : ":"));
    matrix(letter, A, false, rows, columns);
  };
  const auto &L = split.carrier, &S = split.carried;
  if (!e_.coupling_only) block("of the carrier by itself", "C^{L}", split.C_L, L, L);
  block("of the load $M^{L/S}$, which changes with both arms' motion", "C^{L/S}", split.C_LS, L, L);
  block("gyroscopic, from the momentum of the carried arm's own motion", "{C_{L}^{cp}}", split.C_Lcp, L, L);
  block("velocity forces of the carried arm on the carrier", "C^{cp1}", split.C_cp1, L, S);
  block("velocity forces of the moving carrier on the carried arm", "C^{cp2}", split.C_cp2, S, L);
  if (!e_.coupling_only) block("of the carried arm by itself", "C^{S}", split.C_S, S, S);
  block("what a turning carrier adds to $C^{S}$", "{C_{S}^{cp}}", split.C_Scp, S, S);
}

void DocumentWriter::gravity_blocks() {
  const auto& split = *e_.split;
  if (!e_.coupling_only) vector("G^{L}", split.own_gravity, split.carrier);
  vector("G^{L/S}", split.load_gravity, split.carrier);
  std::vector<ex> G_S;
  for (const int k : split.carried) G_S.push_back(e_.G[size_t(k)]);
  vector("G^{S}", G_S, split.carried);
  if (!e_.coupling_only) vector("G", e_.G);
}

}  // namespace lithe::derive
