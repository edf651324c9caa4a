// The mass matrix from composite bodies.
#include "lithe/dynamics/articulated/work.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

// Separate functions, so that the loops of common joints keep their registers.

/// The wrench that unit acceleration along direction k of a block joint needs.
[[gnu::noinline]] void block_wrench(const BlockInertia& P, const JointDirections& H, int k, Vector3d& moment,
                                    Vector3d& force) {
  const Vector3d turn = H.col(k).head<3>(), slide = H.col(k).tail<3>();
  moment = P.J * turn + P.H * slide;
  force = P.H.transpose() * turn + P.M * slide;
}

/// The projection of the wrench of a column on the directions of a block joint.
[[gnu::noinline]] void read_off_block(const JointDirections& S, int v0, int column, const Vector3d& moment,
                                      const Vector3d& force, Eigen::Ref<MatrixXd> M) {
  for (int k = 0; k < S.cols(); ++k)
    M(v0 + k, column) = M(column, v0 + k) = S.col(k).head<3>().dot(moment) + S.col(k).tail<3>().dot(force);
}

}  // namespace

void Articulated::Work::mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) {
  LITHE_DEMAND_EQUAL(M.rows(), arm().nv());
  LITHE_DEMAND_EQUAL(M.cols(), arm().nv());
  outward<false>(state, false);
  for (Body& body : bodies_) {
    body.P = body.own;
    // Where N stands in the root frame, and its joint's direction there: entries of M are then plain products.
    body.R_RN = body.R;
    body.p_RN = body.p;
    if (body.parent >= 0) {
      const Body& parent = bodies_[body.parent];
      Pose X_RP{parent.R_RN, parent.p_RN};
      if (parent.flex >= 0) {
        const FlexBody& flex = flex_[parent.flex];
        X_RP = Pose{parent.R_RN * flex.R_BN.transpose(), parent.p_RN} * flex.X_BT;
      }
      body.R_RN = X_RP.R * body.R;
      body.p_RN = X_RP * body.p;
    }
    if (body.kind == Kind::block) {
      Block& block = blocks_[body.block];
      block.S.resize(6, body.nv);
      for (int k = 0; k < body.nv; ++k) {
        const Vector3d turn = body.R_RN * block.H.col(k).head<3>();
        block.S.col(k) << turn, body.R_RN * block.H.col(k).tail<3>() + body.p_RN.cross(turn);
      }
      continue;
    }
    const Vector3d axis = body.R_RN.col(z);
    body.S_angular = body.kind == Kind::turning ? axis : Vector3d::Zero();
    body.S_linear = body.kind == Kind::turning ? Vector3d(body.p_RN.cross(axis)) : axis;
  }
  M.setZero();
  // Composite bodies, tips first: the wrench that unit acceleration of a coordinate needs, taken to the root's origin, is
  // read off by every coordinate on the way inwards.
  for (int i = int(bodies_.size()) - 1; i >= 0; --i) {
    Body& body = bodies_[i];
    if (body.flex >= 0) {
      FlexBody& flex = flex_[body.flex];
      flex.compose();
      body.P = flex.P_N;
      flex.set_own_inertia(M.block(flex.v0, flex.v0, flex.size(), flex.size()));
      const Matrix3d R_RB = body.R_RN * flex.R_BN.transpose();
      for (int k = 0; k < flex.size(); ++k) {
        const Vector3d force = R_RB * flex.N.col(k).tail<3>();
        const Vector3d moment = R_RB * flex.N.col(k).head<3>() + body.p_RN.cross(force);
        read_off(i, flex.v0 + k, moment, force, M);
      }
    }
    for (int k = 0; k < body.nv; ++k) {
      Vector3d moment_N, force_N;
      if (body.kind == Kind::block) {
        block_wrench(body.P, blocks_[body.block].H, k, moment_N, force_N);
      } else if (body.kind == Kind::turning) {
        moment_N = body.P.J.col(z);
        force_N = body.P.H.row(z).transpose();
      } else {
        moment_N = body.P.H.col(z);
        force_N = body.P.M.col(z);
      }
      const Vector3d force = body.R_RN * force_N, moment = body.R_RN * moment_N + body.p_RN.cross(force);
      read_off(i, body.v0 + k, moment, force, M);
    }
    if (body.nv == 1) M(body.v0, body.v0) += body.rotor_inertia;
    if (body.parent < 0) continue;
    const int on_flex = bodies_[body.parent].flex;
    add_moved(body.R, body.p, body.P, on_flex >= 0 ? flex_[on_flex].P_T : bodies_[body.parent].P);
  }
}

void Articulated::Work::read_off(int i, int column, const Vector3d& moment, const Vector3d& force,
                                 Eigen::Ref<MatrixXd> M) const {
  for (int l = i; l >= 0; l = bodies_[l].parent) {
    const Body& body = bodies_[l];
    if (body.flex >= 0 && l != i) {
      // Ancestors' tips: Φᵀ of the wrench at T, in B axes.
      const FlexBody& flex = flex_[body.flex];
      const Matrix3d R_BR = flex.R_BN * body.R_RN.transpose();
      const Vector3d p_RT = body.p_RN + R_BR.transpose() * flex.X_BT.p;
      Vector6d wrench;
      wrench << R_BR * (moment - p_RT.cross(force)), R_BR * force;
      for (const int k : flex.basis().tip_coordinates)
        M(flex.v0 + k, column) = M(column, flex.v0 + k) = flex.Phi.col(k).dot(wrench);
    }
    if (body.kind == Kind::fixed) continue;
    if (body.kind == Kind::block) {
      read_off_block(blocks_[body.block].S, body.v0, column, moment, force, M);
    } else {
      M(body.v0, column) = M(column, body.v0) = body.S_angular.dot(moment) + body.S_linear.dot(force);
    }
  }
}

}  // namespace lithe
