#pragma once

#include "lithe/arm/arm.h"
#include "lithe/spatial/counted.h"

namespace lithe {

/// A joint at one position and rate: everything that a formulation needs of a joint of any directions, for numbers S that convert to
/// double. The joint itself computes with doubles: its operations are not counted.
template <class S>
struct JointAt {
  using Directions = Eigen::Matrix<S, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  Eigen::Matrix3<S> R_FM;
  Eigen::Vector3<S> p_FM;
  Directions H;
  Eigen::Matrix<S, 6, 1> H_rate;  // Ḣv; zero where no rate is given

  template <class Positions>
  JointAt(const Link& link, const Positions& q) : joint_(*link.joint) {
    for (int k = 0; k < link.nq(); ++k) position_[k] = double(q[link.q0 + k]);
    const Pose X = joint_.X_FM(position_);
    R_FM = unknown<S>(X.R);
    p_FM = unknown<S>(X.p);
    JointDirections directions;
    joint_.directions(position_, directions);
    // Directions that do not change are known before any state is.
    if (joint_.directions_change())
      H = unknown<S>(directions);
    else
      H = directions.cast<S>();
    H_rate = Vector6d::Zero().cast<S>();
  }

  template <class Positions, class Rates>
  JointAt(const Link& link, const Positions& q, const Rates& v) : JointAt(link, q) {
    if (!joint_.directions_change()) return;
    double rate[6] = {};
    for (int k = 0; k < link.nv(); ++k) rate[k] = double(v[link.v0 + k]);
    H_rate = unknown<S>(joint_.direction_rate(position_, rate));
  }

  /// How direction j changes along each coordinate direction.
  Directions slopes(int j) const {
    const int n = joint_.nv();
    if (!joint_.directions_change()) return JointDirections::Zero(6, n).template cast<S>();
    const Vector6d unit = Vector6d::Unit(j);
    JointDirections along = JointDirections::Zero(6, n);
    joint_.direction_slopes(position_, unit.data(), along);
    return unknown<S>(along);
  }

 private:
  const Joint& joint_;
  double position_[7] = {};
};

}  // namespace lithe
