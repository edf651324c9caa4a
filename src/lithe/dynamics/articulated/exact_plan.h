#pragma once

#include <memory>

#include "lithe/beam/exact/strain_basis.h"
#include "lithe/dynamics/articulated/beam_plan.h"

namespace lithe {

/// An exact link (beam/exact/). None of its blocks is constant, so nothing is factored at assembly.
struct ExactPlan {
  std::shared_ptr<const StrainBasis> basis;
  TipBody tip_body;
  bool carries = false;  // anything on its tip

  int size() const { return basis->size(); }
};

}  // namespace lithe
