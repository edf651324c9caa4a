#include "lithe/dynamics/internal_forces.h"

#include <limits>

#include "lithe/beam/flex_tip.h"
#include "lithe/dynamics/joint_at.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// A wrench known at `from`, at another point `to`.
Vector6d moved(const Vector6d& wrench, const Vector3d& from, const Vector3d& to) {
  return stacked(wrench.head<3>() + (from - to).cross(wrench.tail<3>()), wrench.tail<3>());
}

/// A wrench in world axes, in the axes of a frame; and back.
Vector6d in_frame(const Matrix3d& R, const Vector6d& wrench) {
  return stacked(R.transpose() * wrench.head<3>(), R.transpose() * wrench.tail<3>());
}
Vector6d in_world(const Matrix3d& R, const Vector6d& wrench) {
  return stacked(R * wrench.head<3>(), R * wrench.tail<3>());
}

}  // namespace

InternalForces::InternalForces(const Arm& arm)
    : arm_(refuse_guides(arm, "internal forces")), vdot_(VectorXd::Zero(arm.nv())) {
  const int n = arm.n_links();
  for (auto* list : {&alpha_B_, &a_B_, &alpha_T_, &a_T_}) list->assign(n, Vector3d::Zero());
  for (auto* list : {&at_tip_, &reaction_}) list->assign(n, Vector6d::Zero());
  along_.resize(n);
  work_.resize(n);
  exact_.resize(n);
  for (int i = 0; i < n; ++i) {
    if (!arm.link(i).flex) continue;
    const int stations = int(arm.link(i).flex->stations.x.size());
    for (Matrix3Xd* field : {&along_[i].u, &along_[i].theta, &along_[i].force, &along_[i].moment})
      field->setZero(3, stations);
    if (arm.link(i).flex->exact)
      exact_[i].emplace(arm.link(i));
    else
      work_[i].setZero(3 * stations, 4);
  }
}

void InternalForces::update(const State& state, const Eigen::Ref<const VectorXd>& vdot,
                            std::span<const Vector6d> on_tips, std::span<const AlongLoad> along) {
  LITHE_DEMAND_EQUAL(vdot.size(), arm_.nv());
  LITHE_DEMAND(on_tips.empty() || int(on_tips.size()) == arm_.n_links());
  update_kinematics(arm_, state, kin_);
  vdot_ = vdot;
  for (int i = 0; i < arm_.n_links(); ++i) {
    accelerate(state, vdot_, i);
    at_tip_[i] = rigid_wrench(arm_.link(i).payload_T, kin_.X_WT[i], kin_.V_WT_W[i].head<3>(), alpha_T_[i], a_T_[i]);
    if (!on_tips.empty()) at_tip_[i] -= on_tips[i];
  }
  for (int i = arm_.n_links() - 1; i >= 0; --i) {
    const Link& link = arm_.link(i);
    const Pose& X_WB = kin_.X_WB[i];
    Vector6d own;
    if (link.flex) {
      own = in_world(X_WB.R, exact_[i] ? exact_[i]->own_wrench() : flexible_wrench(state, i));
      for (const AlongLoad& load : along)
        if (load.link == i) own -= stacked((load.place - X_WB.p).cross(load.force) + load.moment, load.force);
      if (exact_[i])
        exact_[i]->go_along(*kin_.rods[i], in_frame(X_WB.R, at_tip_[i]), along, i, X_WB, along_[i]);
      else if (!link.flex->stations.mass.empty())
        go_along(state, i, along);
    } else {
      own = rigid_wrench(link.M_B, X_WB, kin_.V_WB_W[i].head<3>(), alpha_B_[i], a_B_[i]);
    }
    const Vector6d whole = own + moved(at_tip_[i], kin_.X_WT[i].p, X_WB.p);
    reaction_[i] = in_frame(X_WB.R, whole);
    if (link.parent >= 0) at_tip_[link.parent] += moved(whole, X_WB.p, kin_.X_WT[link.parent].p);
  }
}

/// Accelerations of B and T of a link, from those of what carries it.
void InternalForces::accelerate(const State& state, const VectorXd& vdot, int i) {
  const Link& link = arm_.link(i);
  const Pose &X_WB = kin_.X_WB[i], &X_WT = kin_.X_WT[i];
  Vector3d omega_P, alpha, a, p_P;
  if (link.parent < 0) {
    const RootMotion root = arm_.root(state.t);
    omega_P = root.omega;
    alpha = root.alpha;
    a = root.acceleration - arm_.gravity();
    p_P = root.X_WR.p;
  } else {
    omega_P = kin_.V_WT_W[link.parent].head<3>();
    alpha = alpha_T_[link.parent];
    a = a_T_[link.parent];
    p_P = kin_.X_WT[link.parent].p;
  }
  const Vector3d r = X_WB.p - p_P;
  // Relative to what carries it, as B sees it: H v̇ + Ḣv, and the slide turns with the joint.
  const JointAt<double> joint(link, state.q, state.v);
  const Vector6d across = joint.H * state.v.segment(link.v0, link.nv()),
                 own = joint.H * vdot.segment(link.v0, link.nv()) + joint.H_rate;
  const Vector3d turn = X_WB.R * across.head<3>(), slide = X_WB.R * across.tail<3>();
  a += alpha.cross(r) + omega_P.cross(omega_P.cross(r)) + 2 * omega_P.cross(slide) + X_WB.R * own.tail<3>() +
       turn.cross(slide);
  alpha += omega_P.cross(turn) + X_WB.R * own.head<3>();
  alpha_B_[i] = alpha;
  a_B_[i] = a;
  const Vector3d omega = kin_.V_WB_W[i].head<3>(), arm = X_WT.p - X_WB.p;
  if (exact_[i]) {
    const Matrix3d R = X_WB.R.transpose();
    exact_[i]->move(*kin_.rods[i], {R * omega, R * alpha, R * a}, state.v.data() + link.flex_v0(),
                    vdot.data() + link.flex_v0());
    const Vector6d tip = in_world(X_WB.R, exact_[i]->tip_acceleration());
    alpha_T_[i] = tip.head<3>();
    a_T_[i] = tip.tail<3>();
    return;
  }
  alpha_T_[i] = alpha;
  a_T_[i] = a + alpha.cross(arm) + omega.cross(omega.cross(arm));
  if (!link.flex) return;
  const auto rate = state.v.segment(link.flex_v0(), link.n_flex());
  const auto second = vdot.segment(link.flex_v0(), link.n_flex());
  const FlexTip tip(*link.flex, state.q.segment(link.flex_q0(), link.n_flex()));
  const Vector6d relative = kin_.tip_shapes_W[i] * rate, grown = kin_.tip_shapes_W[i] * second;
  alpha_T_[i] += grown.head<3>() + omega.cross(relative.head<3>()) + X_WB.R * tip.turn_bias(rate);
  a_T_[i] += grown.tail<3>() + 2 * omega.cross(X_WB.R * tip.slide_rate(rate)) + X_WB.R * tip.slide_bias(rate);
}

Vector6d InternalForces::rigid_wrench(const RigidInertia& body, const Pose& X, const Vector3d& omega,
                                      const Vector3d& alpha, const Vector3d& a) const {
  const Vector3d s = X.R * body.first_moment;
  auto J_times = [&](const Vector3d& w) { return Vector3d(X.R * (body.J * (X.R.transpose() * w))); };
  return stacked(J_times(alpha) + omega.cross(J_times(omega)) + s.cross(a),
                 body.mass * a + alpha.cross(s) + omega.cross(omega.cross(s)));
}

/// Rate of momentum of a flexible link about B, in B axes: d/dt of [Jω + s×v + Σ c_k δ̇_k ; m v + ω×s + Σ S_k δ̇_k] for the
/// true accelerations, with c_k = ∫r×φ_k + H_k.
Vector6d InternalForces::flexible_wrench(const State& state, int i) {
  const Link& link = arm_.link(i);
  const FlexBasis& flex = *link.flex;
  const FlexMoments& at = kin_.moments[i];
  const Matrix3d R = kin_.X_WB[i].R.transpose();
  const Vector3d omega = R * kin_.V_WB_W[i].head<3>(), alpha = R * alpha_B_[i], a = R * a_B_[i];
  const auto rate = state.v.segment(link.flex_v0(), link.n_flex());
  const auto second = vdot_.segment(link.flex_v0(), link.n_flex());
  const Matrix3d J = at.inertia(flex);
  Vector3d moment = J * alpha + omega.cross(J * omega) + at.s.cross(a);
  Vector3d force = flex.mass * a + alpha.cross(at.s) + omega.cross(omega.cross(at.s));
  force += at.linear_rate(flex, second) + 2 * omega.cross(at.linear_rate(flex, rate));
  moment += omega.cross(Vector3d(flex.H * rate));
  Matrix3d r_rate;  // ∫ r u̇ᵀ dm
  for (int b = 0; b < 3; ++b) r_rate.row(b).noalias() = (at.P[b] * rate).transpose();
  moment += 2 * (r_rate.trace() * omega - r_rate.transpose() * omega);
  for (int k = 0; k < flex.size(); ++k) moment += second[k] * at.angular(flex, k);
  if (flex.shortening) {
    const Vector6d bias = shortening_bias<double>(*flex.shortening, rate);
    moment += bias.head<3>();
    force += bias.tail<3>();
  }
  return stacked(moment, force);
}

/// [moment; force] about B, in B axes, that accelerates a body along a link that bends: as add_section_body has it move.
Vector6d InternalForces::along_wrench(const AlongBody& body, const State& state, int i) const {
  const Link& link = arm_.link(i);
  const SectionShapes& shapes = body.shapes;
  const double *delta = state.q.data() + link.flex_q0(), *rate = state.v.data() + link.flex_v0(),
               *second = vdot_.data() + link.flex_v0();
  const Matrix3d R = kin_.X_WB[i].R.transpose();
  const Vector3d omega = R * kin_.V_WB_W[i].head<3>(), alpha = R * alpha_B_[i], a = R * a_B_[i], c = body.body.com;
  auto moved = [&](const double* by) { return Vector3d(shapes.displacement(by) + shapes.turn(by).cross(c)); };
  const Vector3d r = shapes.place + c + moved(delta);
  const Vector3d force = body.body.mass * (a + alpha.cross(r) + omega.cross(omega.cross(r)) +
                                           2 * omega.cross(moved(rate)) + moved(second));
  const Matrix3d& J = body.body.inertia_com;
  const Vector3d spin = J * (alpha + shapes.turn(second)) + omega.cross(J * (omega + shapes.turn(rate)));
  return stacked(r.cross(force) + spin, force);
}

/// Deflections and stress resultants at the stations: the wrench at the tip and the inertia of what lies between.
void InternalForces::go_along(const State& state, int i, std::span<const AlongLoad> loads) {
  const Link& link = arm_.link(i);
  const Stations& stations = link.flex->stations;
  Along& along = along_[i];
  MatrixXd& work = work_[i];
  const int n = int(stations.x.size());
  const auto delta = state.q.segment(link.flex_q0(), link.n_flex());
  const auto rate = state.v.segment(link.flex_v0(), link.n_flex());
  const auto second = vdot_.segment(link.flex_v0(), link.n_flex());
  Eigen::Map<VectorXd>(along.u.data(), 3 * n).noalias() = stations.phi * delta;
  Eigen::Map<VectorXd>(along.theta.data(), 3 * n).noalias() = stations.psi * delta;
  work.col(0).noalias() = stations.phi * rate;
  work.col(1).noalias() = stations.phi * second;
  work.col(2).noalias() = stations.psi * rate;
  work.col(3).noalias() = stations.psi * second;

  const Matrix3d R = kin_.X_WB[i].R.transpose();
  const Vector3d omega = R * kin_.V_WB_W[i].head<3>(), alpha = R * alpha_B_[i], a = R * a_B_[i];
  const Vector6d tip = in_frame(kin_.X_WB[i].R, at_tip_[i]);
  const Vector3d p_BT = kin_.X_WB[i].R.transpose() * (kin_.X_WT[i].p - kin_.X_WB[i].p);
  auto place = [&](int k) { return Vector3d(Vector3d(stations.x[k], 0, 0) + along.u.col(k)); };
  auto three = [&](int column, int k) { return Vector3d(work.block<3, 1>(3 * k, column)); };
  // Per length, about B: [moment; force] that accelerates the beam at station k.
  auto inertia = [&](int k) {
    const Vector3d r = place(k), turning = omega + three(2, k);
    const Vector3d acceleration =
        a + alpha.cross(r) + omega.cross(omega.cross(r)) + 2 * omega.cross(three(0, k)) + three(1, k);
    const Vector3d force = stations.mass[k] * acceleration;
    const Vector3d spin =
        stations.rotary[k].cwiseProduct(alpha + three(3, k)) + omega.cross(stations.rotary[k].cwiseProduct(turning));
    return stacked(r.cross(force) + spin, force);
  };
  Vector6d sum = moved(tip, p_BT, Vector3d::Zero());  // about B
  // Inwards, panel by panel; each panel's integral by the parabola through its ends and a neighbour.
  for (int k = n - 1; k >= 0; --k) {
    if (k < n - 1) {
      const double h = stations.x[k + 1] - stations.x[k];
      const Vector6d here = inertia(k), next = inertia(k + 1);
      sum += h / 2 * (here + next);
      const int other = k > 0 ? k - 1 : k + 2;
      if (n > 2) {
        // −h³/12 f″ with f″ from divided differences of the three stations
        const Vector6d third = inertia(other);
        const double x0 = stations.x[k], x1 = stations.x[k + 1], x2 = stations.x[other];
        const Vector6d second_difference = 2 * ((third - next) / (x2 - x1) - (next - here) / (x1 - x0)) / (x2 - x0);
        sum -= h * h * h / 12 * second_difference;
      }
    }
    // What acts from outside between this station and the one before is borne from here on; the root's own by the root.
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double begin = k > 0 ? stations.x[k] : -infinity, end = k < n - 1 ? stations.x[k + 1] : infinity;
    for (const AlongLoad& load : loads) {
      if (load.link != i || load.x <= begin || load.x > end) continue;
      const Vector3d r = R * (load.place - kin_.X_WB[i].p), force = R * load.force;
      sum -= stacked(r.cross(force) + R * load.moment, force);
    }
    for (const AlongBody& body : link.along)
      if (body.x() > begin && body.x() <= end) sum += along_wrench(body, state, i);
    const Vector6d at = moved(sum, Vector3d::Zero(), place(k));
    along.moment.col(k) = -at.head<3>();
    along.force.col(k) = -at.tail<3>();
  }
}

}  // namespace lithe
