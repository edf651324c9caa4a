#pragma once

#include "lithe/arm/arm.h"
#include "lithe/spatial/counted.h"

namespace lithe {

/// A joint at one position and rate: everything that a formulation asks of a joint of any directions, for numbers S that convert to
/// double. The joint itself computes with doubles: what it costs is not counted.
template <class S>
struct JointAt {
  Eigen::Matrix3<S> R_FM;
  Eigen::Vector3<S> p_FM;
  Eigen::Matrix<S, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6> H;
  Eigen::Matrix<S, 6, 1> H_rate;  // Ḣv

  template <class Positions, class Rates>
  JointAt(const Link& link, const Positions& q, const Rates& v) {
    const Joint& joint = *link.joint;
    double position[7] = {}, rate[6] = {};
    for (int k = 0; k < link.nq(); ++k) position[k] = double(q[link.q0 + k]);
    for (int k = 0; k < link.nv(); ++k) rate[k] = double(v[link.v0 + k]);
    const Pose X = joint.X_FM(position);
    R_FM = unknown<S>(X.R);
    p_FM = unknown<S>(X.p);
    JointDirections directions;
    joint.directions(position, directions);
    // Directions that do not change are known before any state is.
    if (joint.directions_change()) {
      H = unknown<S>(directions);
      H_rate = unknown<S>(joint.direction_rate(position, rate));
    } else {
      H = directions.cast<S>();
      H_rate = Vector6d::Zero().cast<S>();
    }
  }
};

}  // namespace lithe
