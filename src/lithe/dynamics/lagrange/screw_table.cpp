#include "lithe/dynamics/lagrange/screw_table.h"

#include "lithe/spatial/exp_map.h"

namespace lithe {

ScrewTable::ScrewTable(const Arm& arm)
    : n_given_(arm.root_moves() ? 6 : 0), screws_(n_given_ + arm.nv()), tips_(n_given_ + arm.nv()) {
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!link.flex) continue;
    const std::vector<int>& coordinates = link.flex->tip_coordinates;
    for (size_t place = 0; place < coordinates.size(); ++place) {
      tips_[n_given_ + link.flex_v0() + coordinates[place]] = {i, int(place), int(slopes_.size())};
      slopes_.resize(slopes_.size() + coordinates.size());
    }
  }
}

void ScrewTable::update(const Arm& arm, const State& state, const Kinematics& kin) {
  for (int k = 0; k < n_given_; ++k) {
    const Vector3d e = kin.X_WR.R.col(k % 3);
    screws_[k] = {k < 3 ? e : Vector3d::Zero(), k < 3 ? Vector3d::Zero() : e, kin.X_WR.p};
  }
  auto keep = [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
    screws_[n_given_ + column] = {turn, slide, origin};
  };
  for (int i = 0; i < arm.n_links(); ++i) {
    for_each_joint_direction(arm, kin, i, keep);
    const Link& link = arm.link(i);
    if (!link.flex) continue;
    for_each_flexible_direction(arm, kin, i, keep);
    const FlexBasis& flex = *link.flex;
    const ExpMap tip(flex.tip_psi * state.q.segment(link.flex_q0(), link.n_flex()));
    const int own0 = n_given_ + link.flex_v0();
    for (const int a : flex.tip_coordinates) {
      const Vector3d& w = screws_[own0 + a].turn;
      Screw* slope = &slopes_[tips_[own0 + a].first];
      for (const int b : flex.tip_coordinates) {
        const Screw& screw = screws_[own0 + b];
        const Vector3d second = kin.X_WB[i].R * tip.left_jacobian_derivative(flex.tip_psi.col(a), flex.tip_psi.col(b));
        *slope++ = {second - w.cross(screw.turn), -w.cross(screw.slide), screw.origin};
      }
    }
  }
}

}  // namespace lithe
