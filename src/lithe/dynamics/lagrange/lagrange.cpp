#include "lithe/dynamics/lagrange/lagrange.h"

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// The arm back, if (1) holds for it.
const Arm& covered(const Arm& arm) {
  for (const Link& link : arm.links()) {
    if (!link.flex) continue;
    if (arm.tip_rotation() == TipRotation::small)
      throw UnsupportedError(
          "arm.tip_rotation",
          "formulation 'lagrange' carries links as rigid bodies, and with a small tip rotation they do "
          "not move as such; recursive-lagrangian covers it");
    if (arm.inertia_order() == InertiaOrder::first_order)
      throw UnsupportedError(
          "arm.inertia",
          "formulation 'lagrange' keeps all terms of the kinetic energy; recursive-lagrangian covers "
          "first-order");
  }
  return arm;
}

bool has_inertia(const RigidInertia& body) { return body.mass > 0 || !body.J.isZero(0); }

/// e ↦ V × e, the bracket of rigid motion in body axes, for V = [ω; v].
Matrix6d bracket_with(const Vector6d& V) {
  Matrix6d X = Matrix6d::Zero();
  X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = skew(V.head<3>());
  X.bottomLeftCorner<3, 3>() = skew(V.tail<3>());
  return X;
}

}  // namespace

Lagrange::Lagrange(const Arm& arm)
    : Formulation(covered(arm)), screws_(arm), n_given_(screws_.n_given()), n_(n_given_ + arm.nv()), solver_(arm.nv()) {
  const bool free_base = arm.n_links() > 0 && std::holds_alternative<Free>(arm.link(0).joint);
  n_frame_ = n_given_ > 0 || free_base ? 6 : 0;
  add_bodies();
  D_.setZero(n_, n_);
  dD_.setZero(n_, n_);
  C_.setZero(n_, n_);
  B_.setZero(n_, n_);
  rate_.setZero(n_);
  h_.setZero(n_);
  bias_.setZero(arm.nv());
}

void Lagrange::add_bodies() {
  std::vector<std::vector<int>> tip_carriers;  // per link: columns that move its tip frame
  for (int i = 0; i < arm().n_links(); ++i) {
    const Link& link = arm().link(i);
    std::vector<int> carriers;
    if (link.parent >= 0) {
      carriers = tip_carriers[link.parent];
    } else {
      for (int k = 0; k < n_given_; ++k) carriers.push_back(k);
    }
    for (int k = 0; k < link.nv(); ++k) carriers.push_back(n_given_ + link.v0 + k);
    if (!link.flex) {
      if (has_inertia(link.whole_inertia()))
        bodies_.push_back(BodyTerms::rigid(i, false, link.whole_inertia(), carriers));
      tip_carriers.push_back(std::move(carriers));
      continue;
    }
    const int own0 = n_given_ + link.flex_v0();
    bodies_.push_back(BodyTerms::bent(i, *link.flex, carriers, own0));
    for (const int k : link.flex->tip_coordinates) carriers.push_back(own0 + k);
    if (has_inertia(link.payload_T)) bodies_.push_back(BodyTerms::rigid(i, true, link.payload_T, carriers));
    tip_carriers.push_back(std::move(carriers));
  }
}

void Lagrange::update(const State& state) {
  update_kinematics(arm(), state, kin_);
  screws_.update(arm(), state, kin_);
  D_.setZero();
  for (BodyTerms& body : bodies_) {
    body.update(kin_, screws_);
    body.add_mass_matrix(D_);
  }
  // Reflected rotor inertia on the diagonal: rotors count by their spin about their own joint alone.
  for (const Link& link : arm().links())
    if (link.nv() == 1) D_(n_given_ + link.v0, n_given_ + link.v0) += link.rotor_inertia;
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

void Lagrange::assemble_coriolis(const State& state) {
  given_base(state);
  rate_.tail(arm().nv()) = state.v;
  // (2), Ḋ gathering in C_; along the directions of the base D does not change.
  C_.setZero();
  B_.setZero();
  for (int i = n_frame_; i < n_; ++i) {
    dD_.setZero();
    for (BodyTerms& body : bodies_) body.add_mass_slope(i, screws_, dD_);
    C_ += rate_[i] * dD_;
    B_.col(i).noalias() = dD_ * rate_;
  }
  if (n_frame_ > 0) add_base_brackets();
  C_ += B_;
  C_ -= B_.transpose();
  C_ /= 2;
}

void Lagrange::add_base_brackets() {
  // (4): Σ_i ż_i [i,j]·k is column j of D times the bracket with the base's own rates, and Σ_i ż_i [k,i]·j minus its transpose.
  B_.leftCols<6>().noalias() += D_.leftCols<6>() * bracket_with(rate_.head<6>());
  // Σ_i ż_i [j,k]·i = (e_j × e_k)·p, with p = [n; f] the momentum that goes with the base's directions.
  h_.noalias() = D_ * rate_;
  const Matrix3d n = skew(h_.head<3>()), f = skew(h_.segment<3>(3));
  C_.topLeftCorner<3, 3>() -= n;
  C_.block<3, 3>(0, 3) -= f;
  C_.block<3, 3>(3, 0) -= f;
}

void Lagrange::mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) {
  update(state);
  M = own_D();
}

void Lagrange::coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C) {
  update(state);
  assemble_coriolis(state);
  C = C_.bottomRightCorner(arm().nv(), arm().nv());
}

void Lagrange::bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) {
  LITHE_DEMAND_EQUAL(h.size(), arm().nv());
  update(state);
  h_.setZero();
  if (has(terms, Terms::coriolis)) {
    assemble_coriolis(state);
    h_.noalias() = C_ * rate_;
    if (n_given_ > 0) h_.noalias() += D_.leftCols<6>() * base_acceleration_;
  }
  if (has(terms, Terms::gravity))
    for (const BodyTerms& body : bodies_) body.add_gravity(arm().gravity(), h_);
  h = h_.tail(arm().nv());
  add_passive_forces(arm(), state, has(terms, Terms::elastic), has(terms, Terms::damping), h);
}

void Lagrange::forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) {
  bias(state, Terms::all, bias_);
  solver_.forward(own_D(), bias_, tau, vdot);
}

void Lagrange::inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) {
  bias(state, Terms::all, tau);
  tau.noalias() += own_D() * vdot;
}

void Lagrange::hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                      Eigen::Ref<VectorXd> vdot) {
  bias(state, Terms::all, bias_);
  solver_.hybrid(own_D(), bias_, driven, tau, vdot);
}

}  // namespace lithe
