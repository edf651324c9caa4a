// The system of abdelaziz04's appendix A: four bodies A–D in a chain, joined by ball joints, floating freely.
#pragma once

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lithe/arm/state.h"
#include "lithe/describe/case.h"
#include "support/reference_data.h"

namespace lithe::testing {

/// Here a ball joint is three successive turns about z, y, x with massless links between. The paper's speeds are the velocity
/// of A* in A's axes and each body's own angular velocity in its own axes, U = (U_o, U_a, U_b, U_c, U_d); ours are those of A
/// and the rates of the turns. This class knows both and the map between them.
class FourBodies {
 public:
  explicit FourBodies(const nlohmann::json& entry) {
    R_.push_back(matrix(entry["Rab"]));
    R_.push_back(R_[0].transpose() * matrix(entry["Rac"]));
    R_.push_back((matrix(entry["Rac"])).transpose() * matrix(entry["Rad"]));
    const std::array<Vector3d, 3> minus{vector(entry["Lb_minus"]), vector(entry["Lc_minus"]),
                                        vector(entry["Ld_minus"])};
    const std::array<Vector3d, 3> joints{vector(entry["La_plus"]), minus[0] + vector(entry["Lb_plus"]),
                                         minus[1] + vector(entry["Lc_plus"])};
    auto body = [&](int i, const Vector3d& com) {
      RigidBody result;
      result.mass = entry["m"][size_t(i)].get<double>();
      result.com = com;
      const Matrix3d I = matrix(entry["I"][size_t(i)]);
      result.inertia = InertiaEntries{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
      return result;
    };
    data.arm.gravity.setZero();
    data.arm.base.type = BaseType::free;
    data.arm.base.body = body(0, Vector3d::Zero());
    for (int i = 0; i < 3; ++i)
      for (int turn = 0; turn < 3; ++turn) {
        LinkSpec link;
        link.name = link.joint.name = std::string(1, char('b' + i)) + "zyx"[turn];
        link.joint.axis = Vector3d::Unit(2 - turn);
        if (turn == 0) link.joint.origin = Origin{joints[i], Vector3d::Zero()};
        link.rigid = RigidBody{};
        link.rigid->mass = 0;
        if (turn == 2) link.rigid = body(i + 1, minus[i]);
        data.arm.links.push_back(link);
      }
    for (const Matrix3d& R : R_) {
      turns_.push_back(Vector3d(std::atan2(R(1, 0), R(0, 0)), -std::asin(R(2, 0)), std::atan2(R(2, 1), R(2, 2))));
      axes_.push_back(axes_in_body(turns_.back()));
    }
  }

  /// U = T v.
  MatrixXd speed_map() const {
    MatrixXd T = MatrixXd::Zero(15, 15);
    T.block<3, 3>(0, 3).setIdentity();
    T.block<3, 3>(3, 0).setIdentity();
    for (int i = 0; i < 3; ++i) {
      T.middleRows(6 + 3 * i, 3) = R_[i].transpose() * T.middleRows(3 + 3 * i, 3);
      T.block<3, 3>(6 + 3 * i, 6 + 3 * i) += axes_[i];
    }
    return T;
  }

  /// U̇ at v̇ = 0: Ṫ v.
  VectorXd speed_rate(const VectorXd& v) const {
    const VectorXd U = speed_map() * v;
    VectorXd rate = VectorXd::Zero(15);
    for (int i = 0; i < 3; ++i) {
      const Vector3d turning = v.segment<3>(6 + 3 * i), carried = R_[i].transpose() * U.segment<3>(3 + 3 * i);
      const Vector3d z = axes_[i].col(0), y = axes_[i].col(1), x = axes_[i].col(2);
      // A body sees its carrier's angular velocity, and the axes that it turns away from, turn backwards.
      rate.segment<3>(6 + 3 * i) =
          R_[i].transpose() * rate.segment<3>(3 + 3 * i) - (axes_[i] * turning).cross(carried) -
          turning[0] * (turning[1] * y + turning[2] * x).cross(z) - turning[1] * turning[2] * x.cross(y);
    }
    return rate;
  }

  /// Somewhere, turned as the entry says, with the paper's speeds.
  State state(const Arm& arm, const VectorXd& U) const {
    State result = State::zero(arm);
    for (int i = 0; i < 3; ++i) result.q.segment<3>(7 + 3 * i) = turns_[i];
    result.q.segment<4>(3) << 0.1, 0.5, -0.7, 0.5;  // of unit length
    result.v = speed_map().partialPivLu().solve(U);
    return result;
  }

  Case data;

 private:
  /// Axes of the turns z, y, x in the body they carry.
  static Matrix3d axes_in_body(const Vector3d& turns) {
    const Matrix3d Ry = axis_rotation(Vector3d::UnitY(), turns[1]), Rx = axis_rotation(Vector3d::UnitX(), turns[2]);
    Matrix3d axes;
    axes << (Ry * Rx).transpose() * Vector3d::UnitZ(), Rx.transpose() * Vector3d::UnitY(), Vector3d::UnitX();
    return axes;
  }

  std::vector<Matrix3d> R_, axes_;  // per ball joint
  std::vector<Vector3d> turns_;
};

}  // namespace lithe::testing
