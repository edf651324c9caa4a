#include "lithe/dynamics/derivatives/flexible_matter.h"

#include "lithe/dynamics/derivatives/exact_matter.h"
#include "lithe/dynamics/derivatives/shape_matter.h"

namespace lithe {

FlexibleMatter::FlexibleMatter(const Link& link) : basis_(link.flex.get()) {
  const int m = link.n_flex();
  momentum.setZero(6, m);
  by_position.setZero(6, m);
  by_rate.setZero(6, m);
  by_turning.setZero(3, m);
  force.setZero(m);
  for (Matrix6Xd* columns : {&tip_E, &tip_G, &tip_Z}) columns->setZero(6, m);
}

std::unique_ptr<FlexibleMatter> FlexibleMatter::of(const Link& link) {
  if (link.flex->exact) return std::make_unique<ExactMatter>(link);
  return std::make_unique<ShapeMatter>(link);
}

}  // namespace lithe
