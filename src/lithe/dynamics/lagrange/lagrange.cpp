#include "lithe/dynamics/lagrange/lagrange.h"

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// Structure constants of rigid motion in body axes: [ω_a, ω_b] = ε_abc ω_c, [ω_a, v_b] = ε_abc v_c, [v, v] = 0, for
/// directions 0–2 (turns) and 3–5 (slides). Gives the index of the resulting direction and the sign; 0 where it
/// vanishes.
struct Bracket {
  int direction, sign;
};
Bracket bracket(int a, int b) {
  if (a >= 3 && b >= 3) return {0, 0};
  const int i = a % 3, j = b % 3;
  if (i == j) return {0, 0};
  const int k = 3 - i - j;
  return {k + (a >= 3 || b >= 3 ? 3 : 0), (j - i + 3) % 3 == 1 ? 1 : -1};
}

}  // namespace

Lagrange::Lagrange(const Arm& arm) : Formulation(arm), ldlt_(arm.nv()) {
  n_given_ = arm.root_moves() ? 6 : 0;
  const bool free_base = arm.n_links() > 0 && std::holds_alternative<Free>(arm.link(0).joint);
  n_frame_ = n_given_ > 0 || free_base ? 6 : 0;
  n_ = arm.nv() + n_given_;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    Body body;
    const RigidInertia inertia = link.whole_inertia();
    body.mass = inertia.mass;
    body.com_B = inertia.com();
    body.inertia_com_B = inertia.inertia_com();
    if (link.parent >= 0) {
      body.path = bodies_[link.parent].path;
    } else {
      for (int k = 0; k < n_given_; ++k) body.path.push_back(k);
    }
    for (int k = 0; k < link.nv(); ++k) body.path.push_back(n_given_ + link.v0 + k);
    body.Jv.setZero(3, n_);
    body.Jw.setZero(3, n_);
    bodies_.push_back(std::move(body));
  }
  D_.setZero(n_, n_);
  C_.setZero(n_, n_);
  dD_.assign(n_, MatrixXd::Zero(n_, n_));
  rate_.setZero(n_);
  h_.setZero(n_);
  hybrid_M_.setZero(arm.nv(), arm.nv());
  hybrid_h_.setZero(arm.nv());
  hybrid_rhs_.setZero(arm.nv());
}

void Lagrange::update(const State& state) {
  update_kinematics(arm(), state, kin_);
  for (int i = 0; i < arm().n_links(); ++i) {
    Body& body = bodies_[i];
    const Vector3d c_W = kin_.X_WB[i] * body.com_B;
    body.I_W = kin_.X_WB[i].R * body.inertia_com_B * kin_.X_WB[i].R.transpose();
    auto column = [&](int k, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
      body.Jw.col(k) = turn;
      body.Jv.col(k) = slide + turn.cross(c_W - origin);
    };
    for (int k = 0; k < n_given_; ++k) {
      const Vector3d e = kin_.X_WR.R.col(k % 3);
      column(k, k < 3 ? e : Vector3d::Zero(), k < 3 ? Vector3d::Zero() : e, kin_.X_WR.p);
    }
    for_each_direction(arm(), kin_, i, [&](int k, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
      column(n_given_ + k, turn, slide, origin);
    });
  }
}

void Lagrange::assemble_mass_matrix() {
  D_.setZero();
  for (const Body& body : bodies_) {
    for (const int j : body.path) {
      const Vector3d I_w = body.I_W * body.Jw.col(j);
      for (const int k : body.path)
        D_(k, j) += body.mass * body.Jv.col(k).dot(body.Jv.col(j)) + body.Jw.col(k).dot(I_w);
    }
  }
  // Reflected rotor inertia on the diagonal: rotors count by their spin about their own joint alone.
  for (const Link& link : arm().links())
    if (link.nv() == 1) D_(n_given_ + link.v0, n_given_ + link.v0) += link.rotor_inertia;
}

void Lagrange::assemble_coriolis(const State& state) {
  rate_.tail(arm().nv()) = state.v;
  // ∂D/∂q_i; zero along the directions of the base.
  for (int i = n_frame_; i < n_; ++i) dD_[i].setZero();
  for (const Body& body : bodies_) {
    const int n = int(body.path.size());
    for (int a = 0; a < n; ++a) {
      const int i = body.path[a];
      if (i < n_frame_) continue;
      const Vector3d w_i = body.Jw.col(i);
      // The inertia turns with the body: ∂(R I Rᵀ)/∂q_i = [w]× I − I [w]×.
      const Matrix3d dI = skew(w_i) * body.I_W - body.I_W * skew(w_i);
      auto dJv = [&](int c) {  // c: place in the path
        const int j = body.path[c];
        return c < a ? Vector3d(body.Jw.col(j)).cross(Vector3d(body.Jv.col(i))) : w_i.cross(Vector3d(body.Jv.col(j)));
      };
      auto dJw = [&](int c) -> Vector3d {
        return c < a ? Vector3d::Zero() : Vector3d(w_i.cross(Vector3d(body.Jw.col(body.path[c]))));
      };
      for (int c = 0; c < n; ++c) {
        const int j = body.path[c];
        const Vector3d dv = dJv(c), dw = dJw(c);
        const Vector3d I_dw_plus = body.I_W * dw + dI * body.Jw.col(j);
        const Vector3d I_w = body.I_W * body.Jw.col(j);
        for (int d = 0; d < n; ++d) {
          const int k = body.path[d];
          dD_[i](k, j) += body.mass * (dJv(d).dot(body.Jv.col(j)) + body.Jv.col(k).dot(dv)) + dJw(d).dot(I_w) +
                          body.Jw.col(k).dot(I_dw_plus);
        }
      }
    }
  }
  // (2) and (4)
  auto derivative = [&](int i, int a, int b) { return i < n_frame_ ? 0.0 : dD_[i](a, b); };
  auto twist = [&](int a, int b, int c) {  // [a,b]·c
    if (a >= n_frame_ || b >= n_frame_) return 0.0;
    const Bracket result = bracket(a, b);
    return result.sign == 0 ? 0.0 : result.sign * D_(result.direction, c);
  };
  C_.setZero();
  for (int k = 0; k < n_; ++k)
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        C_(k, j) += rate_[i] / 2 *
                    (derivative(i, k, j) + derivative(j, k, i) - derivative(k, i, j) + twist(i, j, k) - twist(j, k, i) +
                     twist(k, i, j));
}

void Lagrange::given_base(const State& state) {
  if (n_given_ == 0) return;
  // Rates of the base as components in its own axes, and their rates: d/dt(Rᵀv) = Rᵀa − (Rᵀω)×(Rᵀv).
  const RootMotion root = arm().root(state.t);
  const Matrix3d Rt = root.X_WR.R.transpose();
  const Vector3d w = Rt * root.omega, v = Rt * root.velocity;
  rate_.head<6>() << w, v;
  base_acceleration_ << Rt * root.alpha, Rt * root.acceleration - w.cross(v);
}

double Lagrange::gravity_column(int column) const {
  double force = 0;
  for (const Body& body : bodies_) force -= body.mass * arm().gravity().dot(body.Jv.col(column));
  return force;
}

void Lagrange::mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) {
  update(state);
  assemble_mass_matrix();
  M = D_.bottomRightCorner(arm().nv(), arm().nv());
}

void Lagrange::coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C) {
  update(state);
  assemble_mass_matrix();
  given_base(state);
  assemble_coriolis(state);
  C = C_.bottomRightCorner(arm().nv(), arm().nv());
}

void Lagrange::bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) {
  LITHE_DEMAND_EQUAL(h.size(), arm().nv());
  update(state);
  assemble_mass_matrix();
  h.setZero();
  if (has(terms, Terms::coriolis)) {
    given_base(state);
    assemble_coriolis(state);
    h_.noalias() = C_ * rate_;
    if (n_given_ > 0) h_.noalias() += D_.leftCols<6>() * base_acceleration_;
    h = h_.tail(arm().nv());
  }
  if (has(terms, Terms::gravity))
    for (int k = 0; k < arm().nv(); ++k) h[k] += gravity_column(n_given_ + k);
  add_passive_forces(arm(), state, has(terms, Terms::elastic), has(terms, Terms::damping), h);
}

void Lagrange::demand_regular() const {
  const auto pivots = ldlt_.vectorD();
  if (!ldlt_.isPositive() || !(pivots.minCoeff() > 1e-15 * pivots.maxCoeff()))
    throw SingularError("the mass matrix is singular here");
}

void Lagrange::forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) {
  if (arm().nv() == 0) return;  // nothing moves, and a factorisation needs a row
  bias(state, Terms::all, vdot);
  vdot = tau - vdot;
  ldlt_.compute(D_.bottomRightCorner(arm().nv(), arm().nv()));
  demand_regular();
  ldlt_.solveInPlace(vdot);
}

void Lagrange::inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) {
  bias(state, Terms::all, tau);
  tau.noalias() += D_.bottomRightCorner(arm().nv(), arm().nv()) * vdot;
}

void Lagrange::hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                      Eigen::Ref<VectorXd> vdot) {
  const int nv = arm().nv();
  LITHE_DEMAND_EQUAL(int(driven.size()), nv);
  if (nv == 0) return;
  // Rows of free coordinates: M_ff v̇_f = τ_f − h_f − M_fd v̇_d; then the driven rows give their τ. The driven unknowns
  // are kept in place by unit rows, so that sizes stay fixed.
  bias(state, Terms::all, hybrid_h_);
  hybrid_M_ = D_.bottomRightCorner(nv, nv);
  hybrid_rhs_ = tau - hybrid_h_;
  for (int d = 0; d < nv; ++d) {
    if (!driven[d]) continue;
    for (int f = 0; f < nv; ++f)
      if (!driven[f]) hybrid_rhs_[f] -= hybrid_M_(f, d) * vdot[d];
    hybrid_M_.row(d).setZero();
    hybrid_M_.col(d).setZero();
    hybrid_M_(d, d) = 1;
    hybrid_rhs_[d] = vdot[d];
  }
  ldlt_.compute(hybrid_M_);
  demand_regular();
  ldlt_.solveInPlace(hybrid_rhs_);
  vdot = hybrid_rhs_;
  hybrid_h_.noalias() += D_.bottomRightCorner(nv, nv) * vdot;
  for (int d = 0; d < nv; ++d)
    if (driven[d]) tau[d] = hybrid_h_[d];
}

}  // namespace lithe
