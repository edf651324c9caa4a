#include "lithe/dynamics/derivatives/inverse_derivatives.h"

#include <algorithm>

#include "lithe/arm/passive_forces.h"
#include "lithe/beam/shortening.h"
#include "lithe/dynamics/derivatives/motion_cross.h"
#include "lithe/dynamics/derivatives/tip_turn_slopes.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

Vector6d times(const RigidInertia& body, const Vector6d& V) {
  const Vector3d turn = V.head<3>(), slide = V.tail<3>();
  return stacked(body.J * turn + body.first_moment.cross(slide), body.mass * slide + turn.cross(body.first_moment));
}

}  // namespace

void InverseDerivatives::Composite::clear() {
  inertia = {};
  B.setZero();
  lagging.setZero();
  F.setZero();
}

void InverseDerivatives::Composite::add(const RigidInertia& body, const Vector6d& V, const Vector6d& A) {
  inertia += body;
  const Vector6d momentum = times(body, V);
  F += times(body, A) + cross_wrench(V, momentum);
  // docs/derivatives.md (4)
  const Vector3d omega = V.head<3>(), v = V.tail<3>();
  B.topRows<3>() +=
      skew(omega) * (2 * body.J - body.J.trace() * Matrix3d::Identity()) - 2 * skew(body.first_moment) * skew(v);
  B.bottomRows<3>() -= 2 * skew(momentum.tail<3>());
}

InverseDerivatives::Composite& InverseDerivatives::Composite::operator+=(const Composite& other) {
  inertia += other.inertia;
  B += other.B;
  lagging += other.lagging;
  F += other.F;
  return *this;
}

InverseDerivatives::InverseDerivatives(const Arm& arm) : arm_(arm), origin_(Vector3d::Zero()) {
  if (arm.small_tips())
    throw UnsupportedError("arm.tip_rotation",
                           "derivatives need 'finite': with 'small', what a tip carries does not move as a rigid body");
  refuse_guides(arm, "derivatives");
  refuse_exact_links(arm, "derivatives");
  const int nv = arm.nv();
  J_.setZero(6, nv);
  U_.setZero(6, nv);
  column_q_.setZero(9, nv);
  column_v_.setZero(9, nv);
  row_.setZero(nv, 9);
  row_lagging_.setZero(nv, 3);
  J_row_.setZero(nv, 6);
  wrench_q_.setZero(6, nv);
  wrench_v_.setZero(6, nv);
  force_.setZero(nv);
  by_position_.setZero(nv, nv);
  by_rate_.setZero(nv, nv);
  mass_.setZero(nv, nv);
  for (const Link& link : arm.links()) {
    Body body;
    if (link.parent >= 0) {
      // What moves the parent's frame B, its joint, its tip: in the order of columns, neighbours as one.
      body.carriers = bodies_[link.parent].carriers;
      const Link& parent = arm.link(link.parent);
      for (const Range& range : {Range{parent.v0, parent.nv()}, bodies_[link.parent].tip}) {
        if (range.count == 0) continue;
        if (!body.carriers.empty() && body.carriers.back().begin + body.carriers.back().count == range.begin) {
          body.carriers.back().count += range.count;
        } else {
          body.carriers.push_back(range);
        }
      }
    }
    body.tip = {link.flex_v0(), 0};
    if (link.flex) {
      body.matter.emplace(link);
      const std::vector<int>& moving = link.flex->tip_coordinates;
      if (!moving.empty()) {
        const auto [first, last] = std::minmax_element(moving.begin(), moving.end());
        body.tip = {link.flex_v0() + *first, *last - *first + 1};
      }
    }
    bodies_.push_back(std::move(body));
  }
}

void InverseDerivatives::update(const State& state, const Eigen::Ref<const VectorXd>& vdot,
                                std::span<const SectionLoad> loads) {
  LITHE_DEMAND_EQUAL(vdot.size(), arm_.nv());
  update_kinematics(arm_, state, kin_);
  // Near the arm, so that a far base costs no digits.
  origin_ = arm_.n_links() > 0 ? kin_.X_WB[0].p : kin_.X_WR.p;
  loaded_ = !loads.empty();
  loads_ = loads;
  state_ = state;
  outward(state, vdot);
  for (const SectionLoad& load : loads)
    if (!arm_.link(load.section->link).flex) add_load(load);
  if (arm_.modal_damping() != nullptr) by_rate_.setZero();  // it couples branches, whose entries are not set elsewhere
  inward(state, vdot);
  for (int i = 0; i < arm_.n_links(); ++i) {
    assemble(i);
    if (arm_.link(i).joint->directions_change()) add_direction_slopes(i, state);
  }
  add_passive_forces(arm_, state, true, true, force_);
  // Joint and rotor do not carry each other, so their pairs are not set elsewhere.
  for (const Transmission& spring : arm_.transmissions()) {
    const int joint = arm_.link(spring.joint_link).v0, rotor = arm_.link(spring.rotor_link).v0;
    by_position_(joint, rotor) = by_position_(rotor, joint) = by_rate_(joint, rotor) = by_rate_(rotor, joint) = 0;
  }
  add_joint_slopes(arm_, state, by_position_, by_rate_);
  loads_ = {};
}

void InverseDerivatives::outward(const State& state, const Eigen::Ref<const VectorXd>& vdot) {
  const RootMotion root = arm_.root(state.t);
  const Vector3d x_R = from_origin(root.X_WR.p);
  const Vector6d V_R = motion_about_origin(root.omega, root.velocity, x_R);
  // Accelerations are spatial, so that they move like velocities: that of a point minus ω×v. Weight is an acceleration upwards.
  const Vector6d A_R =
      motion_about_origin(root.alpha, root.acceleration - arm_.gravity() - root.omega.cross(root.velocity), x_R);
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    Body& body = bodies_[i];
    const bool on_root = link.parent < 0;
    const Vector6d &V_P = on_root ? V_R : bodies_[link.parent].V_T, &A_P = on_root ? A_R : bodies_[link.parent].A_T;
    move_joint(i, state, V_P, A_P, vdot);
    if (link.joint->directions_change()) change_directions(i, state, V_P, vdot);
    body.V_T = body.V_B;
    body.A_T = body.A_B;
    if (link.flex) move_tip(i, state, vdot);
    body.outboard.clear();
    if (link.payload_T.mass > 0 || !link.payload_T.J.isZero(0))
      body.outboard.add(link.payload_T.seen_from({kin_.X_WT[i].R, from_origin(kin_.X_WT[i].p)}), body.V_T, body.A_T);
  }
}

void InverseDerivatives::set_column(int column, const Vector6d& W, const Vector6d& Y) {
  column_q_.col(column).head<3>() = U_.col(column).head<3>();
  column_q_.col(column).tail<6>() = W;
  column_v_.col(column).head<3>() = J_.col(column).head<3>();
  column_v_.col(column).tail<6>() = Y;
}

void InverseDerivatives::move_joint(int i, const State& state, const Vector6d& V_P, const Vector6d& A_P,
                                    const Eigen::Ref<const VectorXd>& vdot) {
  Body& body = bodies_[i];
  const Vector6d& V = kin_.V_WB_W[i];
  body.V_B = motion_about_origin(V.head<3>(), V.tail<3>(), from_origin(kin_.X_WB[i].p));
  body.A_B = A_P + cross_motion(V_P, body.V_B);
  const Link& link = arm_.link(i);
  if (link.joint->directions_change()) {
    const Matrix3d& R = kin_.X_WB[i].R;
    const Vector6d rate = link.joint->direction_rate(state.q.data() + link.q0, state.v.data() + link.v0);
    body.A_B += motion_about_origin(R * rate.head<3>(), R * rate.tail<3>(), from_origin(kin_.X_WB[i].p));
  }
  for_each_joint_direction(
      arm_, kin_, i, [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& at) {
        const Vector6d J = motion_about_origin(turn, slide, from_origin(at)), U = cross_motion(V_P, J);
        body.A_B += vdot[column] * J;
        J_.col(column) = J;
        U_.col(column) = U;
        set_column(column, cross_motion(A_P, J) + cross_motion(V_P, U), U + cross_motion(body.V_B, J));
      });
}

/// What (1) gains where the directions H of a joint change with its position, docs/derivatives.md (10): with X taking a motion
/// from B to the world and E_i = X ∂(H v)/∂q_i,
///   U_i += E_i     W_i += V_P×E_i − E_i×V_B + X(∂(H v̇)/∂q_i + ∂(Ḣv)/∂q_i)     Y_i += X ∂(Ḣv)/∂v_i
void InverseDerivatives::change_directions(int i, const State& state, const Vector6d& V_P,
                                           const Eigen::Ref<const VectorXd>& vdot) {
  const Link& link = arm_.link(i);
  const double *q = state.q.data() + link.q0, *v = state.v.data() + link.v0;
  const Matrix3d& R = kin_.X_WB[i].R;
  const Vector3d x = from_origin(kin_.X_WB[i].p);
  auto in_world = [&](const Vector6d& motion) {
    return motion_about_origin(R * motion.head<3>(), R * motion.tail<3>(), x);
  };
  JointDirections of_rates, of_accelerations, by_position, by_rate;
  link.joint->direction_slopes(q, v, of_rates);
  link.joint->direction_slopes(q, vdot.data() + link.v0, of_accelerations);
  link.joint->rate_slopes(q, v, by_position, by_rate);
  for (int k = 0; k < link.nv(); ++k) {
    const int column = link.v0 + k;
    const Vector6d E = in_world(of_rates.col(k));
    U_.col(column) += E;
    const Vector6d W = column_q_.col(column).tail<6>() + cross_motion(V_P, E) - cross_motion(E, bodies_[i].V_B) +
                       in_world(of_accelerations.col(k) + by_position.col(k));
    const Vector6d Y = column_v_.col(column).tail<6>() + in_world(by_rate.col(k));
    set_column(column, W, Y);
  }
}

void InverseDerivatives::move_tip(int i, const State& state, const Eigen::Ref<const VectorXd>& vdot) {
  const Link& link = arm_.link(i);
  const FlexBasis& flex = *link.flex;
  Body& body = bodies_[i];
  const Matrix3d& R = kin_.X_WB[i].R;
  const Matrix6Xd& shapes = kin_.tip_shapes_W[i];
  const Vector3d x = from_origin(kin_.X_WT[i].p);
  const auto rate = state.v.segment(link.flex_v0(), link.n_flex());
  const auto acceleration = vdot.segment(link.flex_v0(), link.n_flex());
  const Vector3d theta = flex.tip_psi * state.q.segment(link.flex_q0(), link.n_flex());
  const TipTurnSlopes slopes(ExpMap(theta), flex.tip_psi * rate, flex.tip_psi * acceleration);

  const Vector6d relative_rate = shapes * rate, relative_acceleration = shapes * acceleration;
  const Vector3d w = relative_rate.head<3>(), u = relative_rate.tail<3>();
  const Vector3d alpha = relative_acceleration.head<3>(), z = R * slopes.convective;
  const Vector6d V = motion_about_origin(w, u, x);
  Vector6d A = motion_about_origin(alpha + z, Vector3d(relative_acceleration.tail<3>()), x) -
               stacked(Vector3d::Zero(), w.cross(u));
  Drawn<double> drawn_rate, drawn_acceleration;  // of `stiffening`, which draws the tip in along R e_x
  if (flex.shortening) {
    draw_in<double>(flex.shortening->tip, rate, drawn_rate);
    draw_in<double>(flex.shortening->tip, acceleration, drawn_acceleration);
    A.tail<3>() -= drawn_rate.dot(rate) * R.col(0);
  }
  body.V_T = body.V_B + V;
  body.A_T = body.A_B + cross_motion(body.V_B, body.V_T) + A;

  const Matrix3d R_rate = R * slopes.rate, R_second = R * (slopes.acceleration + slopes.convective_slope),
                 R_along = R * slopes.along_rate;
  const Vector6d both = body.V_B + body.V_T;
  for (int column = body.tip.begin; column < body.tip.begin + body.tip.count; ++column) {
    const int k = column - link.flex_v0();
    const Vector3d psi = flex.tip_psi.col(k), turn = shapes.col(k).head<3>(), slide = shapes.col(k).tail<3>();
    const Vector6d J = motion_about_origin(turn, slide, x);
    // docs/derivatives.md (7): E and G are how relative velocity and acceleration of the tip change, e and g what of that is
    // not being carried along.
    const Vector3d turned = R_rate * psi, second = R_second * psi;
    Vector6d E = motion_about_origin(turned, Vector3d(-w.cross(slide)), x);
    Vector6d G = motion_about_origin(second, Vector3d(-(alpha + z).cross(slide) - turned.cross(u)), x);
    if (flex.shortening) {
      const Vector3d slid = -drawn_rate[k] * R.col(0);
      E.tail<3>() += slid;
      G.tail<3>() -= w.cross(slid) + drawn_acceleration[k] * R.col(0);
    }
    const Vector6d e = E - cross_motion(J, V), g = G - cross_motion(J, A);
    const Vector6d J_rate = cross_motion(body.V_B, J), U = J_rate + e;
    const Vector6d W = cross_motion(body.A_B, J) + cross_motion(body.V_B, J_rate) + cross_motion(both, e) + g;
    Vector6d Z = motion_about_origin(turned + R_along * psi, Vector3d(-w.cross(slide) - turn.cross(u)), x);
    if (flex.shortening) Z.tail<3>() -= 2 * drawn_rate[k] * R.col(0);
    J_.col(column) = J;
    U_.col(column) = U;
    set_column(column, W, cross_motion(both, J) + Z);
  }
}

void InverseDerivatives::inward(const State& state, const Eigen::Ref<const VectorXd>& vdot) {
  for (int i = arm_.n_links() - 1; i >= 0; --i) {
    const Link& link = arm_.link(i);
    Body& body = bodies_[i];
    const Pose X_B{kin_.X_WB[i].R, from_origin(kin_.X_WB[i].p)};
    if (link.flex) {
      const Matrix3d Rt = X_B.R.transpose();
      const Vector3d omega = body.V_B.head<3>(), alpha = body.A_B.head<3>(), v = kin_.V_WB_W[i].tail<3>();
      const Vector3d a = body.A_B.tail<3>() + alpha.cross(X_B.p) + omega.cross(v);
      FlexibleMatter& matter = *body.matter;
      matter.update(link, state, vdot.data(), kin_.moments[i], Rt * omega, Rt * v, Rt * alpha, Rt * a);
      project_shapes(i, state);
      for (const SectionLoad& load : loads_)
        if (load.section->link == i) project_load(load);
      Matrix63 coriolis;  // about the origin, world axes
      coriolis.bottomRows<3>() = X_B.R * matter.coriolis.bottomRows<3>() * Rt;
      coriolis.topRows<3>() = X_B.R * matter.coriolis.topRows<3>() * Rt + skew(X_B.p) * coriolis.bottomRows<3>();
      body.outboard.add(matter.inertia.seen_from(X_B), body.V_B, body.A_B);
      body.outboard.B += coriolis;
      body.outboard.F += coriolis * omega + wrench_about_origin(X_B.R * matter.relative.head<3>(),
                                                                X_B.R * matter.relative.tail<3>(), X_B.p);
    } else if (link.M_B.mass > 0 || !link.M_B.J.isZero(0)) {
      body.outboard.add(link.M_B.seen_from(X_B), body.V_B, body.A_B);
    }
    project_joint(i);
    if (link.nv() == 1) force_[link.v0] += link.rotor_inertia * vdot[link.v0];
    if (link.parent >= 0) bodies_[link.parent].outboard += body.outboard;
  }
}

/// (2) and (3) for a coordinate that carries a composite; what it does to its own link's matter is added by others.
void InverseDerivatives::carry(int column, const Composite& body) {
  const Vector6d J = J_.col(column), W = column_q_.col(column).tail<6>(), Y = column_v_.col(column).tail<6>();
  const Vector3d turn = J.head<3>(), U = column_q_.col(column).head<3>();
  J_row_.row(column) = J.transpose();
  row_.row(column).head<3>() = (body.B.transpose() * J).transpose();
  row_.row(column).tail<6>() = times(body.inertia, J).transpose();
  wrench_q_.col(column) = cross_wrench(J, body.F) + body.B * U + times(body.inertia, W);
  wrench_v_.col(column) = body.B * turn + times(body.inertia, Y);
  if (loaded_) {
    row_lagging_.row(column) = (body.lagging.transpose() * J).transpose();
    wrench_q_.col(column) += body.lagging * turn;
  }
  force_[column] = J.dot(body.F);
}

void InverseDerivatives::project_joint(int i) {
  const Link& link = arm_.link(i);
  for (int column = link.v0; column < link.v0 + link.nv(); ++column) carry(column, bodies_[i].outboard);
}

/// A joint's direction H_r, on which its wrench is projected, may itself change with the joint's position.
void InverseDerivatives::add_direction_slopes(int i, const State& state) {
  const Link& link = arm_.link(i);
  const Matrix3d& R = kin_.X_WB[i].R;
  const Vector3d x = from_origin(kin_.X_WB[i].p);
  JointDirections slopes;
  for (int r = 0; r < link.nv(); ++r) {
    const Vector6d unit = Vector6d::Unit(r);
    link.joint->direction_slopes(state.q.data() + link.q0, unit.data(), slopes);
    for (int k = 0; k < link.nv(); ++k)
      by_position_(link.v0 + r, link.v0 + k) +=
          motion_about_origin(R * slopes.col(k).head<3>(), R * slopes.col(k).tail<3>(), x).dot(bodies_[i].outboard.F);
  }
}

/// The link's own coordinates, while `outboard` holds what its tip carries.
void InverseDerivatives::project_shapes(int i, const State& state) {
  const Link& link = arm_.link(i);
  const FlexBasis& flex = *link.flex;
  const Body& body = bodies_[i];
  const FlexibleMatter& matter = *body.matter;
  const Matrix3d& R = kin_.X_WB[i].R;
  const int first = link.flex_v0(), m = link.n_flex();
  const Range& tip = body.tip;

  auto by_position = by_position_.block(first, first, m, m), by_rate = by_rate_.block(first, first, m, m),
       mass = mass_.block(first, first, m, m);
  by_position.setZero();
  by_rate.setZero();
  mass.setZero();
  matter.add_slopes(state.q.segment(link.flex_q0(), m), by_position, by_rate);
  OwnInertia(arm_, kin_, i).for_each_entry([&](int k, int l, double value) { mass(k, l) = value; });

  for (int column = tip.begin; column < tip.begin + tip.count; ++column) carry(column, body.outboard);
  // Among coordinates of one tip: its shapes seen by the wrench there, which also turn each other.
  const Vector3d x_T = from_origin(kin_.X_WT[i].p), F = body.outboard.F.tail<3>();
  const Vector3d moment_T = body.outboard.F.head<3>() - x_T.cross(F);
  const Vector3d theta = flex.tip_psi * state.q.segment(link.flex_q0(), m);
  const Matrix3d turning = projected_turn_slope(ExpMap(theta), R.transpose() * moment_T);
  for (int column = tip.begin; column < tip.begin + tip.count; ++column) {
    const int l = column - first;
    const Vector3d slide_F = Vector3d(kin_.tip_shapes_W[i].col(l).tail<3>()).cross(F),
                   turn = turning * flex.tip_psi.col(l);
    const Vector6d momentum = row_.row(column).tail<6>().transpose();
    for (int row = tip.begin; row < tip.begin + tip.count; ++row) {
      const int k = row - first;
      by_position(k, l) +=
          J_.col(row).dot(wrench_q_.col(column)) + flex.tip_psi.col(k).dot(turn) - J_.col(row).head<3>().dot(slide_F);
      if (flex.shortening) by_position(k, l) -= flex.shortening->tip.coeff(k, l) * R.col(0).dot(F);
      by_rate(k, l) += J_.col(row).dot(wrench_v_.col(column));
      mass(k, l) += J_.col(row).dot(momentum);
    }
  }
  // The link's own matter, seen from further in.
  const Vector3d x_B = from_origin(kin_.X_WB[i].p);
  auto in_world = [&](const auto& wrench) {
    return wrench_about_origin(R * wrench.template head<3>(), R * wrench.template tail<3>(), x_B);
  };
  for (int k = 0; k < m; ++k) {
    const int column = first + k;
    if (column < tip.begin || column >= tip.begin + tip.count) {
      row_.row(column).setZero();
      row_lagging_.row(column).setZero();
      wrench_q_.col(column).setZero();
      wrench_v_.col(column).setZero();
      force_[column] = 0;
    }
    row_.row(column).head<3>() += (R * matter.by_turning.col(k)).transpose();
    row_.row(column).tail<6>() += in_world(matter.momentum.col(k)).transpose();
    wrench_q_.col(column) += in_world(matter.by_position.col(k));
    wrench_v_.col(column) += in_world(matter.by_rate.col(k));
    force_[column] += matter.force[k];
  }
}

/// The rows and columns of a link's own coordinates against those further in and its joint's.
void InverseDerivatives::assemble(int i) {
  const Link& link = arm_.link(i);
  const int n = link.nv() + link.n_flex();
  auto against = [&](const Range& rows, const Range& columns) {
    const auto row = row_.middleRows(rows.begin, rows.count);
    const auto J = J_.middleCols(columns.begin, columns.count);
    by_position_.block(rows.begin, columns.begin, rows.count, columns.count) =
        row.lazyProduct(column_q_.middleCols(columns.begin, columns.count));
    by_rate_.block(rows.begin, columns.begin, rows.count, columns.count) =
        row.lazyProduct(column_v_.middleCols(columns.begin, columns.count));
    if (loaded_)
      by_position_.block(rows.begin, columns.begin, rows.count, columns.count) +=
          row_lagging_.middleRows(rows.begin, rows.count).lazyProduct(J.topRows<3>());
    mass_.block(rows.begin, columns.begin, rows.count, columns.count) = row.rightCols<6>().lazyProduct(J);
  };
  auto mirrored = [&](const Range& inner, const Range& outer) {
    const auto J = J_row_.middleRows(inner.begin, inner.count);
    by_position_.block(inner.begin, outer.begin, inner.count, outer.count) =
        J.lazyProduct(wrench_q_.middleCols(outer.begin, outer.count));
    by_rate_.block(inner.begin, outer.begin, inner.count, outer.count) =
        J.lazyProduct(wrench_v_.middleCols(outer.begin, outer.count));
    mass_.block(inner.begin, outer.begin, inner.count, outer.count) =
        mass_.block(outer.begin, inner.begin, outer.count, inner.count).transpose();
  };
  const Range own{link.v0, n}, joint{link.v0, link.nv()}, shapes{link.flex_v0(), link.n_flex()};
  for (const Range& carrier : bodies_[i].carriers) {
    against(own, carrier);
    mirrored(carrier, own);
  }
  against(own, joint);
  mirrored(joint, shapes);
  if (link.nv() == 1) mass_(link.v0, link.v0) += link.rotor_inertia;
}

}  // namespace lithe
