#include "lithe/dynamics/derivatives/exact_matter.h"

#include <algorithm>

#include "lithe/beam/exact/exact_link_dual.h"
#include "lithe/beam/flex_forces.h"
#include "lithe/dynamics/derivatives/motion_cross.h"

namespace lithe {
namespace {

using Vector = Triple<Dual4>;

Vector3d value_of(const Vector& v) { return {v.x.value, v.y.value, v.z.value}; }
Vector3d slope_of(const Vector& v, int d) { return {v.x.slope[d], v.y.slope[d], v.z.slope[d]}; }

Matrix3d symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
  Matrix3d J;
  J << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return J;
}
Matrix3d value_of(const Dual4 (&J)[6]) {
  return symmetric(J[0].value, J[1].value, J[2].value, J[3].value, J[4].value, J[5].value);
}
Matrix3d slope_of(const Dual4 (&J)[6], int d) {
  return symmetric(J[0].slope[d], J[1].slope[d], J[2].slope[d], J[3].slope[d], J[4].slope[d], J[5].slope[d]);
}

}  // namespace

struct ExactMatter::Work {
  std::shared_ptr<const StrainBasis> basis;
  std::vector<ExactLink<Dual4>> along;  // its directions are the coordinates, four at a time
  ExactLink<Dual4> still;               // placed without directions, for those of ω and δ̇
  std::vector<Dual4> delta, rate;
  VectorXd rates, accelerations;
  // By direction of motion, ω first, then δ̇: what velocities add to the wrench, to forces on coordinates (by rows) and to the tip.
  Matrix6Xd p_B, zeta;
  MatrixXd p_f;

  explicit Work(std::shared_ptr<const StrainBasis> given) : basis(std::move(given)), still(*basis) {
    const int m = basis->size();
    for (int first = 0; first < m; first += 4) along.emplace_back(*basis);
    delta.resize(size_t(m));
    rate.resize(size_t(m));
    rates.setZero(m);
    accelerations.setZero(m);
    p_B.setZero(6, 3 + m);
    zeta.setZero(6, 3 + m);
    p_f.setZero(m, 3 + m);
  }

  int size() const { return basis->size(); }
  /// The link whose direction l % 4 is that of coordinate l.
  const ExactLink<Dual4>& by(int l) const { return along[size_t(l / 4)]; }

  void place(const double* delta_now, const Vector3d& omega_now) {
    const int m = size();
    Dual4 omega[3];
    for (int i = 0; i < 3; ++i) omega[i] = omega_now[i];
    for (int k = 0; k < m; ++k) rate[size_t(k)] = rates[k];
    for (int i = 0; i < int(along.size()); ++i) {
      for (int k = 0; k < m; ++k)
        delta[size_t(k)] = k / 4 == i ? Dual4::along(delta_now[k], k % 4) : Dual4(delta_now[k]);
      along[size_t(i)].place(delta.data());
      along[size_t(i)].move(omega, rate.data());
    }
    std::copy_n(delta_now, m, delta.begin());
    still.place(delta.data());
    for (int first = 0; first < 3 + m; first += 4) {
      const auto direction = [&](int i, double value) {
        return i / 4 == first / 4 ? Dual4::along(value, i % 4) : Dual4(value);
      };
      for (int i = 0; i < 3; ++i) omega[i] = direction(i, omega_now[i]);
      for (int k = 0; k < m; ++k) rate[size_t(k)] = direction(3 + k, rates[k]);
      still.move(omega, rate.data());
      for (int i = first; i < std::min(first + 4, 3 + m); ++i) {
        const int d = i - first;
        p_B.col(i) << slope_of(still.forces().moment, d), slope_of(still.forces().force, d);
        zeta.col(i) << slope_of(still.tip().zeta_angular, d), slope_of(still.tip().zeta_linear, d);
        for (int k = 0; k < m; ++k) p_f(k, i) = still.forces().p_f[size_t(k)].slope[d];
      }
    }
  }
};

ExactMatter::ExactMatter(const Link& link) : FlexibleMatter(link), work_(std::make_unique<Work>(link.flex->exact)) {
  const int m = link.n_flex();
  for (MatrixXd* matrix : {&force_by_position_, &force_by_rate_, &felt_}) matrix->setZero(m, m);
}

ExactMatter::~ExactMatter() = default;

void ExactMatter::update(const Link& link, const State& state, const double* vdot, const Kinematics& kinematics,
                         int i_link, const LinkMotion& motion, const Vector3d& origin) {
  const int m = link.n_flex();
  work_->rates = state.v.segment(link.flex_v0(), m);
  work_->accelerations = Eigen::Map<const VectorXd>(vdot + link.flex_v0(), m);
  work_->place(state.q.data() + link.flex_q0(), motion.omega);
  move_mass(work_->accelerations, motion);
  move_tip(work_->accelerations, motion, kinematics.X_WB[size_t(i_link)].R, kinematics.X_WT[size_t(i_link)].p - origin);
}

void ExactMatter::move_mass(const VectorXd& acceleration, const LinkMotion& motion) {
  const auto& [omega, v, alpha, a] = motion;
  const Work& work = *work_;
  const int m = work.size();
  const RodInertia<Dual4>& own = work.still.inertia();
  const RodForces<Dual4>& velocity = work.still.forces();
  const Matrix3d J = value_of(own.J);
  const Vector3d s = value_of(own.s);
  inertia = {work.basis->mass, s, J};
  for (int k = 0; k < m; ++k) momentum.col(k) << value_of(own.angular[size_t(k)]), value_of(own.linear[size_t(k)]);

  // p_B without what a rigid body has: a part linear in ω, and one of the rates alone.
  const Vector3d J_omega = J * omega, swing = omega.cross(s);
  coriolis.topRows<3>() = work.p_B.topLeftCorner<3, 3>() - skew(omega) * J + skew(J_omega);
  coriolis.bottomRows<3>() = work.p_B.bottomLeftCorner<3, 3>() + skew(swing) + skew(omega) * skew(s);
  relative = stacked(value_of(velocity.moment) - omega.cross(J_omega), value_of(velocity.force) - omega.cross(swing));
  relative.noalias() -= coriolis * omega;
  relative.noalias() += momentum.lazyProduct(acceleration);

  by_rate = work.p_B.rightCols(m);
  force_by_rate_ = work.p_f.rightCols(m);
  for (int k = 0; k < m; ++k) {
    const Vector3d n = momentum.col(k).head<3>(), S = momentum.col(k).tail<3>();
    // With ω of B by u: α by u×ω, a by 2 u×v, and the velocity forces.
    by_turning.col(k) = work.p_f.row(k).head<3>().transpose() + omega.cross(n) + 2 * v.cross(S);
    force[k] = n.dot(alpha) + S.dot(a) + velocity.p_f[size_t(k)].value;
    for (int l = 0; l < m; ++l) force[k] += work.still.M_ff(k, l).value * acceleration[l];
  }

  for (int l = 0; l < m; ++l) {
    const ExactLink<Dual4>& link = work.by(l);
    const int d = l % 4;
    const RodInertia<Dual4>& mass = link.inertia();
    const Vector3d ds = slope_of(mass.s, d);
    Vector3d moment = slope_of(mass.J, d) * alpha + ds.cross(a) + slope_of(link.forces().moment, d);
    Vector3d thrust = alpha.cross(ds) + slope_of(link.forces().force, d);
    for (int k = 0; k < m; ++k) {
      const Vector3d dn = slope_of(mass.angular[size_t(k)], d), dS = slope_of(mass.linear[size_t(k)], d);
      moment += acceleration[k] * dn;
      thrust += acceleration[k] * dS;
      double slope = dn.dot(alpha) + dS.dot(a) + link.forces().p_f[size_t(k)].slope[d];
      for (int i = 0; i < m; ++i) slope += link.M_ff(k, i).slope[d] * acceleration[i];
      force_by_position_(k, l) = slope;
    }
    by_position.col(l) << moment, thrust;
  }
}

void ExactMatter::move_tip(const VectorXd& acceleration, const LinkMotion& motion, const Matrix3d& R,
                           const Vector3d& x) {
  const Work& work = *work_;
  const Vector3d& omega = motion.omega;
  const int m = work.size();
  const RodFrame<Dual4>& tip = work.still.tip();
  const auto turn = [&](int k) { return value_of(tip.turn[size_t(k)]); };
  const auto slide = [&](int k) { return value_of(tip.slide[size_t(k)]); };

  // The tip's motion relative to B, in B axes; its acceleration with δ̈, classical.
  const Vector3d w = value_of(tip.spin) - omega;
  Vector3d u = Vector3d::Zero(), along_turn = Vector3d::Zero(), along_slide = Vector3d::Zero();
  for (int k = 0; k < m; ++k) {
    u += work.rates[k] * slide(k);
    along_turn += acceleration[k] * turn(k);
    along_slide += acceleration[k] * slide(k);
  }
  const Vector3d alpha = along_turn + value_of(tip.zeta_angular) - omega.cross(w);
  const Vector3d a =
      along_slide + value_of(tip.zeta_linear) - omega.cross(omega.cross(value_of(tip.p))) - 2 * omega.cross(u);
  const auto in_world = [&](const Vector3d& turned, const Vector3d& slid) {
    return motion_about_origin(R * turned, R * slid, x);
  };
  tip_V = in_world(w, u);
  tip_A = in_world(alpha, a - w.cross(u));

  for (int k = 0; k < m; ++k) {
    const RodFrame<Dual4>& bent = work.by(k).tip();
    const int d = k % 4;
    const Vector3d W = turn(k), U = slide(k), dw = slope_of(bent.spin, d);
    Vector3d du = Vector3d::Zero(), dalpha = slope_of(bent.zeta_angular, d) - omega.cross(dw),
             da = slope_of(bent.zeta_linear, d) - omega.cross(omega.cross(U));
    for (int l = 0; l < m; ++l) {
      const Vector3d dU = slope_of(bent.slide[size_t(l)], d);
      du += work.rates[l] * dU;
      dalpha += acceleration[l] * slope_of(bent.turn[size_t(l)], d);
      da += acceleration[l] * dU;
    }
    da -= 2 * omega.cross(du);
    const Vector3d angular_by_rate = work.zeta.col(3 + k).head<3>() - omega.cross(W),
                   linear_by_rate = work.zeta.col(3 + k).tail<3>() - 2 * omega.cross(U);
    tip_E.col(k) = in_world(dw, du - w.cross(U));
    tip_G.col(k) = in_world(dalpha, da - alpha.cross(U) - dw.cross(u) - w.cross(du));
    tip_Z.col(k) = in_world(angular_by_rate, linear_by_rate - w.cross(U) - W.cross(u));
  }
}

void ExactMatter::add_slopes(const Eigen::Ref<const VectorXd>& delta, Eigen::Ref<MatrixXd> by_position_block,
                             Eigen::Ref<MatrixXd> by_rate_block) const {
  by_position_block += force_by_position_;
  by_rate_block += force_by_rate_;
  elastic_slopes(basis(), delta, [&](int row, int column, double value) { by_position_block(row, column) += value; });
  damping_slopes(basis(), delta, [&](int row, int column, double value) { by_rate_block(row, column) += value; });
}

void ExactMatter::hold_tip_wrench(const Vector3d& moment_B, const Vector3d& force_B) {
  const int m = work_->size();
  for (int l = 0; l < m; ++l) {
    const RodFrame<Dual4>& tip = work_->by(l).tip();
    for (int k = 0; k < m; ++k)
      felt_(k, l) =
          moment_B.dot(slope_of(tip.turn[size_t(k)], l % 4)) + force_B.dot(slope_of(tip.slide[size_t(k)], l % 4));
  }
}

}  // namespace lithe
