#pragma once

#include <vector>

#include "lithe/dynamics/equilibrium.h"

namespace lithe {

/// Residual and stiffness of the free coordinates, for a fraction of the load.
class StaticBalance {
 public:
  StaticBalance(const Arm& arm, const State& start, const std::vector<bool>& held, const Vector3d& gravity,
                const OuterForces& outer);

  int size() const { return int(free_.size()); }
  void set_part(double part) { part_ = part; }
  const State& state() const { return state_; }

  void get(double* u) const {
    for (const Coordinate& coordinate : free_) *u++ = state_.q[coordinate.q];
  }
  void set(const double* u) {
    for (const Coordinate& coordinate : free_) state_.q[coordinate.q] = *u++;
  }

  /// Shortens a step that would turn a joint, or an exact link's tip, by more than half a radian: what a force's direction says holds no
  /// further, and a free arm would leave the ground that it stands on.
  void bound(Eigen::Ref<VectorXd> step) const;

  bool bends_far() const { return bends_far_; }
  /// Whether an exact link has turned so far from there that it may have passed to another branch of equilibria.
  bool far_from(const VectorXd& u) const;
  void straighten_exact_links();

  /// The force that holds every coordinate where it is.
  VectorXd force() const;
  VectorXd residual() const { return force()(columns_); }

  SparseMatrixd stiffness() const;

 private:
  struct Coordinate {
    int q, v;
    bool turns, bends;  // in radians; of an exact link's curvature
  };
  const Arm& arm_;
  State state_;
  Vector3d gravity_;
  const OuterForces& outer_;
  double part_ = 1;
  bool bends_far_ = false;
  std::vector<Coordinate> free_;
  std::vector<int> columns_;
};

}  // namespace lithe
