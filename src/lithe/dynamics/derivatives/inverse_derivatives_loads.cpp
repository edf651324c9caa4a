// What loads, weight and a given motion of the root add: generalised forces and slopes.
#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "lithe/dynamics/derivatives/motion_cross.h"
#include "lithe/spatial/demand.h"

namespace lithe {

InverseDerivatives::Felt InverseDerivatives::felt(const SectionLoad& load, const SectionFrame& frame,
                                                  const Vector3d& origin) {
  const Matrix3d R = load.in_link_axes ? frame.X_WS.R : Matrix3d::Identity();
  const Vector3d force = R * load.force, moment = R * load.moment, x = frame.X_WS * load.point - origin;
  Felt felt{-wrench_about_origin(moment, force, x), Matrix63::Zero()};
  if (load.in_link_axes) return felt;
  // Carried along it would turn; it does not: −(−[t×moment + x×(t×force) ; t×force]) per turn t.
  felt.lagging.topRows<3>() = -skew(moment) - skew(x) * skew(force);
  felt.lagging.bottomRows<3>() = -skew(force);
  return felt;
}

/// The slopes of exact links on whose sections loads act; made when a load first does.
void InverseDerivatives::place_rod_slopes() {
  for (Body& body : bodies_) body.rod_placed = false;
  for (const SectionLoad& load : loads_) {
    const int i = load.section->link;
    Body& body = bodies_[size_t(i)];
    if (load.section->rod == nullptr || body.rod_placed) continue;
    const Link& link = arm_.link(i);
    if (!body.rod) body.rod = std::make_unique<RodSlopes>(link.flex->exact);
    body.rod->place(state_.q.data() + link.flex_q0());
    body.rod_placed = true;
  }
}

RodSlopes* InverseDerivatives::rod_slopes(const LinkSection& section) const {
  if (section.rod == nullptr) return nullptr;
  const Body& body = bodies_[size_t(section.link)];
  LITHE_DEMAND(body.rod_placed);  // by the last update, which had loads on this link
  return body.rod.get();
}

/// On a rigid link, whose tip carries it.
void InverseDerivatives::add_load(const SectionLoad& load) {
  const Felt on = felt(load, SectionFrame(arm_, *load.section, state_, kin_), origin_);
  Composite& outboard = bodies_[load.section->link].outboard;
  outboard.F += on.F;
  outboard.lagging += on.lagging;
}

/// On a flexible link: the effect of its own coordinates on the section, as project_shapes has it for the tip; the joint carries it.
void InverseDerivatives::project_load(const SectionLoad& load) {
  const LinkSection& section = *load.section;
  const SectionFrame frame(arm_, section, state_, kin_);
  const SectionSlopes slopes(section, frame, rod_slopes(section));
  const auto [F, lagging] = felt(load, frame, origin_);
  const std::vector<int>& coordinates = section.shapes.coordinates;
  const int first = arm_.link(section.link).flex_v0();
  const Vector3d x = from_origin(frame.X_WS.p), force = F.tail<3>(), moment = F.head<3>() - x.cross(force);
  for (int l = 0; l < frame.size(); ++l) {
    const int column = first + coordinates[l];
    const Vector3d turn = frame.turn(l), slide = frame.slide(l);
    const Vector6d J = motion_about_origin(turn, slide, x), wrench = cross_wrench(J, F) + lagging * turn;
    const Vector3d slide_F = slide.cross(force);
    force_[column] += J.dot(F);
    row_lagging_.row(column) += (lagging.transpose() * J).transpose();
    wrench_q_.col(column) += wrench;
    for (int k = 0; k < frame.size(); ++k) {
      const Vector3d turn_k = frame.turn(k);
      const Vector6d J_k = motion_about_origin(turn_k, frame.slide(k), x);
      by_position_(first + coordinates[k], column) +=
          J_k.dot(wrench) + slopes.turn(k, l).dot(moment) + slopes.slide(k, l).dot(force) - turn_k.dot(slide_F);
    }
  }
  Composite& outboard = bodies_[section.link].outboard;
  outboard.F += F;
  outboard.lagging += lagging;
}

void InverseDerivatives::add_load_power(const RootMotion& root, const SectionLoad& load, Eigen::Ref<VectorXd> forces,
                                        Eigen::Ref<VectorXd> by_position) const {
  const Vector6d V_R = motion_about_origin(root.omega, root.velocity, from_origin(root.X_WR.p));
  const LinkSection& section = *load.section;
  const Link& link = arm_.link(section.link);
  const SectionFrame frame(arm_, section, state_, kin_);
  const SectionSlopes slopes(section, frame, rod_slopes(section));
  const std::vector<int>& coordinates = section.shapes.coordinates;
  const Matrix3d R = load.in_link_axes ? frame.X_WS.R : Matrix3d::Identity();
  const Vector3d force = R * load.force, moment = R * load.moment, x = from_origin(frame.X_WS * load.point),
                 x_S = from_origin(frame.X_WS.p);
  const double* rate = state_.v.data() + link.flex_v0();
  Vector3d w = Vector3d::Zero(), u = Vector3d::Zero();
  for (int k = 0; k < frame.size(); ++k) {
    w += rate[coordinates[k]] * frame.turn(k);
    u += rate[coordinates[k]] * frame.slide(k);
  }
  const Vector6d V_B = bodies_[section.link].V_B, relative = motion_about_origin(w, u, x_S);
  const Vector6d wrench = wrench_about_origin(moment, force, x), V = V_B + relative - V_R;
  auto add = [&](int column, const Vector6d& J, const Vector6d& U) {
    forces[column] += wrench.dot(J);
    // By (1) and the wrench carried along: W·(J×V + U) + (J×*W)·(V − V_R); minus what does not turn with the section.
    by_position[column] += wrench.dot(U + cross_motion(J, V_R));
    if (load.in_link_axes) return;
    const Vector3d turn = J.head<3>();
    by_position[column] -= wrench_about_origin(turn.cross(moment), turn.cross(force), x).dot(V);
  };
  for_each_carrier(section.link, [&](int column) { add(column, J_.col(column), U_.col(column)); });
  for (int k = 0; k < frame.size(); ++k) {
    // As move_tip has it for the tip.
    const Vector3d slide = frame.slide(k);
    Vector3d turned = Vector3d::Zero(), slid = Vector3d::Zero();
    for (int l = 0; l < frame.size(); ++l) {
      turned += rate[coordinates[l]] * slopes.turn(l, k);
      slid += rate[coordinates[l]] * slopes.slide(l, k);
    }
    const Vector6d J = motion_about_origin(frame.turn(k), slide, x_S);
    const Vector6d E = motion_about_origin(turned, Vector3d(slid - w.cross(slide)), x_S);
    add(link.flex_v0() + coordinates[k], J, cross_motion(V_B, J) + E - cross_motion(J, relative));
  }
}

void InverseDerivatives::add_weight_slopes(int row, Eigen::Ref<VectorXd> by_position) const {
  // Of two coordinates the inner one turns the linear momentum that the outer one gives, p·(turn×g).
  auto momentum = [&](int column) -> Vector3d { return row_.row(column).tail<3>().transpose(); };
  auto turn = [&](int column) -> Vector3d { return J_.col(column).head<3>(); };
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (link.v0 == row && link.nv() == 1)
      for_each_carrier(
          i, [&](int column) { by_position[column] += momentum(row).dot(turn(column).cross(arm_.gravity())); });
    const bool own = link.v0 == row && link.nv() == 1;
    bool outboard = false;
    for (const Range& range : bodies_[i].carriers) outboard |= row >= range.begin && row < range.begin + range.count;
    const Vector3d fall = turn(row).cross(arm_.gravity());
    if (outboard)
      for (int column = link.v0; column < link.v0 + link.nv(); ++column)
        by_position[column] += momentum(column).dot(fall);
    if (outboard || own)
      for (int k = 0; k < link.n_flex(); ++k) by_position[link.flex_v0() + k] += momentum(link.flex_v0() + k).dot(fall);
  }
}

void InverseDerivatives::add_root_power_slopes(const RootMotion& root, Eigen::Ref<VectorXd> by_position,
                                               Eigen::Ref<VectorXd> by_rate,
                                               Eigen::Ref<VectorXd> by_acceleration) const {
  // The root's motion is one more direction on which the wrenches are projected, as in (3).
  const Vector6d V = motion_about_origin(root.omega, root.velocity, from_origin(root.X_WR.p));
  by_position.noalias() += wrench_q_.transpose() * V;
  by_rate.noalias() += wrench_v_.transpose() * V;
  by_acceleration.noalias() += row_.rightCols<6>() * V;
}

}  // namespace lithe
