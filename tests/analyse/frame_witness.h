// A space frame of Euler–Bernoulli beams in global coordinates, from textbook element matrices: what an arm with locked joints is
// to a structural engineer. Shares nothing with the library but the numbers of the sections.
#pragma once

#include <vector>

#include "lithe/spatial/dense_eigen.h"
#include "lithe/spatial/spatial.h"

namespace lithe::testing {

struct FrameMember {
  Vector3d from, to;
  Vector3d y;               // the section's y axis
  double EA, EIy, EIz, GJ;  // EIz resists bending along y
  double mass_per_length;
};
struct FrameMass {  // at the end of the last member, world axes
  double mass = 0;
  Matrix3d inertia = Matrix3d::Zero();
};

/// Members end to end, the first clamped; n elements each. Coordinates per node: displacement, then rotation, world axes.
/// [Przemieniecki 1968] Theory of Matrix Structural Analysis, ch. 5 and 11, without shear and rotary inertia.
class Frame {
 public:
  Frame(const std::vector<FrameMember>& members, int n, const FrameMass& tip) {
    const int nodes = int(members.size()) * n + 1;
    K.setZero(6 * nodes, 6 * nodes);
    M = K;
    int at = 0;
    for (const FrameMember& member : members)
      for (int e = 0; e < n; ++e, ++at) add(member, (member.to - member.from).norm() / n, at);
    M.bottomRightCorner<6, 6>().topLeftCorner<3, 3>() += tip.mass * Matrix3d::Identity();
    M.bottomRightCorner<6, 6>().bottomRightCorner<3, 3>() += tip.inertia;
    K = K.bottomRightCorner(6 * nodes - 6, 6 * nodes - 6).eval();
    M = M.bottomRightCorner(6 * nodes - 6, 6 * nodes - 6).eval();
  }

  /// The lowest ω/2π. Twist has no mass here, so the problem is solved for 1/ω².
  VectorXd frequencies(int count) const {
    const VectorXd largest = symmetric_modes(M, K).values.tail(count).reverse();
    return largest.cwiseSqrt().cwiseInverse() / (2 * M_PI);
  }

  MatrixXd M, K;

 private:
  void add(const FrameMember& member, double l, int node) {
    Eigen::Matrix<double, 12, 12> k, m;
    k.setZero();
    m.setZero();
    auto put = [](auto& matrix, const std::vector<int>& places, const MatrixXd& block) {
      for (size_t i = 0; i < places.size(); ++i)
        for (size_t j = 0; j < places.size(); ++j)
          matrix(places[i], places[j]) += block(Eigen::Index(i), Eigen::Index(j));
    };
    const MatrixXd rod = (MatrixXd(2, 2) << 1, -1, -1, 1).finished();
    put(k, {0, 6}, member.EA / l * rod);
    put(k, {3, 9}, member.GJ / l * rod);
    put(m, {0, 6}, member.mass_per_length * l / 6 * (MatrixXd(2, 2) << 2, 1, 1, 2).finished());
    for (const int plane : {1, 2}) {
      // Along z a positive slope is a negative turn about y.
      const double s = plane == 1 ? l : -l, EI = plane == 1 ? member.EIz : member.EIy;
      const std::vector<int> places = plane == 1 ? std::vector<int>{1, 5, 7, 11} : std::vector<int>{2, 4, 8, 10};
      const MatrixXd bending = (MatrixXd(4, 4) << 12, 6 * s, -12, 6 * s, 6 * s, 4 * s * s, -6 * s, 2 * s * s, -12,
                                -6 * s, 12, -6 * s, 6 * s, 2 * s * s, -6 * s, 4 * s * s)
                                   .finished();
      const MatrixXd mass = (MatrixXd(4, 4) << 156, 22 * s, 54, -13 * s, 22 * s, 4 * s * s, 13 * s, -3 * s * s, 54,
                             13 * s, 156, -22 * s, -13 * s, -3 * s * s, -22 * s, 4 * s * s)
                                .finished();
      put(k, places, EI / (l * l * l) * bending);
      put(m, places, member.mass_per_length * l / 420 * mass);
    }
    Matrix3d R;  // columns: axes of the member in the world
    R.col(0) = (member.to - member.from).normalized();
    R.col(1) = member.y;
    R.col(2) = R.col(0).cross(R.col(1));
    Eigen::Matrix<double, 12, 12> turn;
    turn.setZero();
    for (int block = 0; block < 4; ++block) turn.block<3, 3>(3 * block, 3 * block) = R.transpose();
    K.block<12, 12>(6 * node, 6 * node) += turn.transpose() * k * turn;
    M.block<12, 12>(6 * node, 6 * node) += turn.transpose() * m * turn;
  }
};

}  // namespace lithe::testing
