#pragma once

#include <memory>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"

namespace lithe {

/// Forward dynamics of many states of one arm at once, by the articulated recursion: four states to a vector register, on the given
/// number of threads. For sampling, parameter studies and learning; a single state is faster by `Articulated`.
///
/// Not to be called by several threads at once. An evaluation allocates nothing except its threads.
class BatchForward {
 public:
  explicit BatchForward(const Arm& arm, int threads = 1);
  ~BatchForward();
  const Arm& arm() const { return arm_; }

  /// Columns are states: q (nq rows), v, tau, vdot (nv rows), at times t, which matter only for a moving base; empty: all zero.
  /// Returns how many were singular: their columns are NaN.
  int forward(const Eigen::Ref<const MatrixXd>& q, const Eigen::Ref<const MatrixXd>& v,
              const Eigen::Ref<const MatrixXd>& tau, Eigen::Ref<MatrixXd> vdot,
              const Eigen::Ref<const VectorXd>& t = VectorXd());

 private:
  struct Worker;
  Arm arm_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace lithe
