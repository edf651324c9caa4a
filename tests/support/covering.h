#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "lithe/dynamics/formulation.h"

namespace lithe::testing {

/// Every formulation whose domain has the arm, the default one first. A formulation says in its constructor, by an
/// UnsupportedError, what lies outside its domain.
inline std::vector<std::unique_ptr<Formulation>> covering(const Arm& arm) {
  std::vector<std::unique_ptr<Formulation>> result;
  for (const std::string& name : formulation_names()) {
    try {
      result.push_back(make_formulation(name, arm));
    } catch (const UnsupportedError&) {
    }
  }
  return result;
}

/// The same for arms that at least the default formulation covers, so that no test passes for want of anything to check.
inline std::vector<std::unique_ptr<Formulation>> covering_with_default(const Arm& arm) {
  auto result = covering(arm);
  if (result.empty() || result.front()->name() != formulation_names().front())
    throw std::logic_error("the default formulation refuses this arm");
  return result;
}

}  // namespace lithe::testing
