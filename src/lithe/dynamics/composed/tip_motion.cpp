#include "lithe/dynamics/composed/tip_motion.h"

#include <algorithm>
#include <numeric>

#include "lithe/spatial/counted.h"

namespace lithe::composed {

using lagrange::Vector6;

template <class S>
TipMotion<S>::TipMotion(const Arm& arm, int i_link) : i_link_(i_link) {
  const int n_given = arm.root_moves() ? 6 : 0;
  auto add = [&](std::vector<int> columns) {
    for (int& column : columns) column += n_given;
    if (!columns.empty()) groups_.push_back(std::move(columns));
  };
  for (int i = i_link; i >= 0; i = arm.link(i).parent) {
    const Link& link = arm.link(i);
    if (link.flex) {
      std::vector<int> shapes = link.flex->tip_coordinates;
      for (int& k : shapes) k += link.flex_v0();
      add(std::move(shapes));
    }
    std::vector<int> own(link.nv());
    std::iota(own.begin(), own.end(), link.v0);
    add(std::move(own));
  }
  if (n_given > 0) groups_.push_back({0, 1, 2, 3, 4, 5});
  std::reverse(groups_.begin(), groups_.end());
  J_.setZero(6, n_given + arm.nv());
  J_dot_.setZero(6, n_given + arm.nv());
}

template <class S>
void TipMotion<S>::update(const lagrange::ScrewTable<S>& screws) {
  X_WT_ = screws.X_WT(i_link_);
  for (const std::vector<int>& group : groups_)
    for (const int column : group) J_.col(column) = screws[column].seen_from(X_WT_);
}

template <class S>
void TipMotion<S>::update_slopes(const lagrange::ScrewTable<S>& screws, const Eigen::VectorX<S>& rate) {
  // Seen from T, a column changes by what moves T against it: all groups outboard of its own, V together.
  Vector6<S> V = Vector6<S>::Zero();
  for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
    for (const int j : *group) {
      J_dot_.col(j) = lagrange::minus_bracket<S>(V, J_.col(j));
      // Turns of one link's shapes do not commute, and directions of one joint may change each other.
      for (const int i : *group)
        if (screws.share_frame(i, j)) J_dot_.col(j) += rate[i] * screws.slope(i, j).seen_from(X_WT_);
    }
    for (const int i : *group) V += rate[i] * J_.col(i);
  }
}

template class TipMotion<double>;
template class TipMotion<Counted>;

}  // namespace lithe::composed
