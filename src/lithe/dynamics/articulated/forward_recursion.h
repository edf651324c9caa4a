#pragma once

#include <memory>
#include <vector>

#include "lithe/dynamics/articulated/recursion_plan.h"

namespace lithe {

template <class S>
struct ForwardWork;

/// Forward and hybrid dynamics by articulated bodies, on numbers S: double, `Counted`, or a pack of doubles for as many states
/// at once. docs/articulated.md derives it, and the numbers of equations beside the code are that page's.
///
/// Holds its working memory, sized once.
template <class S>
class ForwardRecursion {
 public:
  explicit ForwardRecursion(std::shared_ptr<const RecursionPlan> plan);
  ~ForwardRecursion();
  ForwardRecursion(ForwardRecursion&&) noexcept;

  /// The root frame's motion in its own axes; a is minus gravity.
  struct Root {
    S omega[3], alpha[3], a[3];
  };
  struct Call {
    const S *q, *v, *tau;
    const S* passive;  // passive forces of joints and links, on the left of M z̈ + h = τ; null: none
    Root root;
    S* vdot;
    const std::vector<bool>* driven = nullptr;  // null: none
    S* driven_tau = nullptr;                    // written for driven coordinates
  };
  /// −1, or the coordinate that moves no inertia; of a pack the first one found, with `singular_lanes` set.
  int run(const Call& call);
  unsigned singular_lanes() const;
  /// Lanes of a pack that need a separate evaluation: tips bent so far, and so differently, that no single split of their rotations
  /// serves all lanes.
  unsigned lost_lanes() const;

 private:
  std::unique_ptr<ForwardWork<S>> work_;
};

}  // namespace lithe
