#include "kdl_peer.h"

#include <algorithm>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <stdexcept>
#include <string>

namespace lithe::bench {
namespace {

KDL::Vector vector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

KDL::Chain chain_of(const std::vector<KdlLink>& links) {
  KDL::Chain chain;
  for (const KdlLink& link : links) {
    const auto& R = link.R_NE;
    const auto& I = link.inertia_com_E;
    const KDL::Frame X_NE(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), vector(link.p_NE));
    const KDL::RotationalInertia inertia(I[0], I[1], I[2], I[3], I[4], I[5]);
    chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::RotZ), X_NE,
                                  KDL::RigidBodyInertia(link.mass, vector(link.com_E), inertia)));
  }
  return chain;
}

void demand_success(int code) {
  if (code != KDL::SolverI::E_NOERROR) throw std::runtime_error("KDL's solver fails with code " + std::to_string(code));
}

void copy(const double* from, KDL::JntArray& to) { std::copy_n(from, to.rows(), to.data.data()); }
void copy(const KDL::JntArray& from, double* to) { std::copy_n(from.data.data(), from.rows(), to); }

}  // namespace

struct KdlPeer::Solvers {
  Solvers(const std::vector<KdlLink>& links, const KDL::Vector& gravity)
      : chain(chain_of(links)),
        n(chain.getNrOfJoints()),
        dynamics(chain, gravity),
        newton_euler(chain, gravity),
        by_mass_matrix(chain, gravity),
        by_recursion(chain, KDL::Twist(-gravity, KDL::Vector::Zero()), n_constraints),
        q(n),
        v(n),
        vdot(n),
        tau(n),
        no_torque(n),
        no_acceleration(n_constraints),
        no_constraint(n_constraints),
        no_load(n, KDL::Wrench::Zero()),
        M(n) {
    KDL::SetToZero(no_constraint);
  }

  static constexpr unsigned n_constraints = 0;
  KDL::Chain chain;
  unsigned n;
  KDL::ChainDynParam dynamics;
  KDL::ChainIdSolver_RNE newton_euler;
  KDL::ChainFdSolver_RNE by_mass_matrix;
  KDL::ChainHdSolver_Vereshchagin by_recursion;
  KDL::JntArray q, v, vdot, tau, no_torque, no_acceleration;
  KDL::Jacobian no_constraint;
  KDL::Wrenches no_load;
  KDL::JntSpaceInertiaMatrix M;
};

KdlPeer::KdlPeer(const std::vector<KdlLink>& links, const std::array<double, 3>& gravity)
    : solvers_(std::make_unique<Solvers>(links, vector(gravity))) {}
KdlPeer::~KdlPeer() = default;

void KdlPeer::mass_matrix(const double* q, double* M) {
  Solvers& s = *solvers_;
  copy(q, s.q);
  demand_success(s.dynamics.JntToMass(s.q, s.M));
  std::copy_n(s.M.data.data(), s.M.data.size(), M);
}

void KdlPeer::inverse(const double* q, const double* v, const double* vdot, double* tau) {
  Solvers& s = *solvers_;
  copy(q, s.q);
  copy(v, s.v);
  copy(vdot, s.vdot);
  demand_success(s.newton_euler.CartToJnt(s.q, s.v, s.vdot, s.no_load, s.tau));
  copy(s.tau, tau);
}

void KdlPeer::forward_by_mass_matrix(const double* q, const double* v, const double* tau, double* vdot) {
  Solvers& s = *solvers_;
  copy(q, s.q);
  copy(v, s.v);
  copy(tau, s.tau);
  demand_success(s.by_mass_matrix.CartToJnt(s.q, s.v, s.tau, s.no_load, s.vdot));
  copy(s.vdot, vdot);
}

void KdlPeer::forward_by_recursion(const double* q, const double* v, const double* tau, double* vdot) {
  Solvers& s = *solvers_;
  copy(q, s.q);
  copy(v, s.v);
  copy(tau, s.tau);
  demand_success(
      s.by_recursion.CartToJnt(s.q, s.v, s.vdot, s.no_constraint, s.no_acceleration, s.no_load, s.tau, s.no_torque));
  copy(s.vdot, vdot);
}

}  // namespace lithe::bench
