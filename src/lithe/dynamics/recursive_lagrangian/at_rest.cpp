#include "lithe/dynamics/recursive_lagrangian/at_rest.h"

#include "lithe/spatial/demand.h"

namespace lithe::book83 {

AtRest::AtRest(const Arm& arm, const State& state) : arm_(arm), chain_(arm), letters_(chain_) {
  LITHE_DEMAND(chain_.small_tip_rotation);
  letters_.update_positions(chain_, arm.root(state.t), state.q);
  const int n = chain_.n();
  P_.assign(size_t(n + 1), Vector::Zero());
  for (int j = n; j >= 1; --j) {
    P_[j] = letters_.r[j];
    if (j < n) P_[j] += letters_.EA[j] * P_[j + 1];
  }
  for (int j = 1; j <= n; ++j) {
    const ChainLink& link = chain_.links[j];
    if (link.q >= 0) coordinates_.push_back({link.q, j, -1, letters_.U[j] * P_[j]});
    for (int f = 0; f < link.m(); ++f) {
      Vector t = Vector::Zero();
      t.tail<3>() = link.flex->S.col(f);  // ε_jf
      if (j < n) t += letters_.M[j][f] * (letters_.A[j + 1] * P_[j + 1]);
      coordinates_.push_back({link.delta + f, j, f, t});
    }
  }
}

/// F_c t_c.
Vector4<double> AtRest::world(const Coordinate& c) const {
  return (c.shape < 0 ? letters_.W_hat[c.link - 1] : letters_.W[c.link]) * c.t;
}

VectorXd AtRest::weight(const Vector3d& g) const {
  VectorXd weight = VectorXd::Zero(arm_.nv());
  for (const Coordinate& c : coordinates_) weight[c.z] = -g.dot(world(c).tail<3>());
  return weight;
}

Matrix3Xd AtRest::linear_momentum() const {
  Matrix3Xd momentum = Matrix3Xd::Zero(3, arm_.nv());
  for (const Coordinate& c : coordinates_) momentum.col(c.z) = world(c).tail<3>();
  return momentum;
}

void AtRest::add_weight_stiffness(const Vector3d& g, Triplets& entries) const {
  auto add = [&](int row, int column, const Vector& moved) {
    const double value = -g.dot(moved.tail<3>());
    if (value == 0) return;
    entries.emplace_back(row, column, value);
    if (row != column) entries.emplace_back(column, row, value);
  };
  for (const Coordinate& c : coordinates_) {
    Vector x = c.t;  // seen from Ŵ_{j−1} of the link j at hand
    int j = c.link;
    if (c.shape < 0) {
      add(c.z, c.z, letters_.W_hat[j - 1] * (letters_.U_2[j] * P_[j]));
    } else {
      if (chain_.links[j].q >= 0) add(c.z, chain_.links[j].q, letters_.WU[j] * x);
      x = letters_.A[j] * x;
    }
    for (--j; j >= 1; --j) {
      const ChainLink& link = chain_.links[j];
      if (link.flexible())
        for (const int f : link.flex->tip_coordinates) add(c.z, link.delta + f, letters_.WM[j][f] * x);
      x = letters_.E[j] * x;
      if (link.q >= 0) add(c.z, link.q, letters_.WU[j] * x);
      x = letters_.A[j] * x;
    }
  }
}

}  // namespace lithe::book83
