#include "lithe/dynamics/formulation.h"

#include <fmt/format.h>

#include "lithe/describe/field.h"
#include "lithe/describe/spelling.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/composed/composed.h"
#include "lithe/dynamics/kane/kane.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

namespace lithe {
namespace {

struct Known {
  RunFormulation kind;
  std::unique_ptr<Formulation> (*make)(const Arm& arm);
};

template <class Way>
constexpr Known way() {
  return {Way::kind, [](const Arm& arm) -> std::unique_ptr<Formulation> { return std::make_unique<Way>(arm); }};
}

/// All that evaluate, the default first. Their words are the case file's.
constexpr Known known[] = {way<Articulated>(), way<Lagrange>(), way<Kane>(), way<RecursiveLagrangian>(),
                           way<Composed>()};

}  // namespace

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Known& one : known) list.emplace_back(word(one.kind));
    return list;
  }();
  return names;
}

std::unique_ptr<Formulation> make_formulation(RunFormulation kind, const Arm& arm) {
  return make_formulation(word(kind), arm);
}

std::unique_ptr<Formulation> make_formulation(std::string_view name, const Arm& arm) {
  for (const Known& one : known)
    if (word(one.kind) == name) return one.make(arm);
  throw std::invalid_argument(fmt::format("no formulation '{}'{} Known: {}", name,
                                          guess_in_sentence(name, formulation_names()),
                                          comma_list(formulation_names())));
}

}  // namespace lithe
