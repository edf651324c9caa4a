#include "lithe/dynamics/formulation.h"

#include <fmt/format.h>

#include "lithe/describe/spelling.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/composed/composed.h"
#include "lithe/dynamics/kane/kane.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

namespace lithe {

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names{"articulated", "lagrange", "kane", "recursive-lagrangian", "composed"};
  return names;
}

std::unique_ptr<Formulation> make_formulation(std::string_view name, const Arm& arm) {
  if (name == "articulated") return std::make_unique<Articulated>(arm);
  if (name == "lagrange") return std::make_unique<Lagrange>(arm);
  if (name == "kane") return std::make_unique<Kane>(arm);
  if (name == "recursive-lagrangian") return std::make_unique<RecursiveLagrangian>(arm);
  if (name == "composed") return std::make_unique<Composed>(arm);
  throw std::invalid_argument(fmt::format("no formulation '{}'{} Known: {}", name,
                                          guess_in_sentence(name, formulation_names()),
                                          comma_list(formulation_names())));
}

}  // namespace lithe
