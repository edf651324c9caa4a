#pragma once

#include <memory>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"

struct mjModel_;  // MuJoCo's own headers stay in mujoco_peer.cpp
struct mjData_;

namespace lithe::testing {

/// The same arm in MuJoCo: a witness of the equations of motion that shares no code with ours.
///
/// Serves arms on a fixed, planar or free base. What joints do by themselves (springs, damping, friction, stops) is not
/// handed over: compare arms without it, or leave those terms out. Throws std::runtime_error, in MuJoCo's words, for an
/// arm it cannot hold, such as one that ends in a massless link.
class MujocoPeer {
 public:
  explicit MujocoPeer(const Arm& arm);

  // Everything in our coordinates and conventions, through MuJoCo's complete pipeline.
  MatrixXd mass_matrix(const State& state);
  VectorXd bias(const State& state);  // Coriolis and gravity
  VectorXd forward(const State& state, const VectorXd& tau);
  VectorXd inverse(const State& state, const VectorXd& vdot);

  /// The largest number among the wrenches [moment; force] that the joints carry in this motion, moments about the mass
  /// centre of the arm: what the roundings of bias and torques are measured against.
  double largest_force(const State& state, const VectorXd& vdot);

  // The shortest sequence of MuJoCo's functions for each answer, for timing. Only for arms whose coordinates are
  // MuJoCo's own, so that no conversion is timed: no free base, no branches. Results must have their size already.
  void mass_matrix_fast(const State& state, MatrixXd& M);
  void forward_fast(const State& state, const VectorXd& tau, VectorXd& vdot);
  void inverse_fast(const State& state, const VectorXd& vdot, VectorXd& tau);
  /// Lets the arm go at `start`, without torques, and takes n_steps of mj_step by RK4; q is where it ends.
  void march_rk4(const State& start, double duration, int n_steps, VectorXd& q);

 private:
  struct Release {
    void operator()(mjModel_* model) const;
    void operator()(mjData_* data) const;
  };
  /// Where a link's joint has its numbers in MuJoCo's qpos and qvel; −1 for a fixed joint.
  struct Address {
    int qpos = -1, qvel = -1;
  };
  /// A state in MuJoCo's coordinates: qvel = T v, qacc = T v̇ + drift. T is orthogonal, so forces follow τ_mujoco = T τ.
  struct Converted {
    VectorXd qpos;
    MatrixXd T;
    VectorXd drift;
  };

  Converted in_mujoco(const State& state) const;
  Converted load(const State& state);
  void load_fast(const State& state);

  Arm arm_;
  std::unique_ptr<mjModel_, Release> model_;
  std::unique_ptr<mjData_, Release> data_;
  std::vector<Address> addresses_;  // [n_links]
  bool same_coordinates_ = true;
};

}  // namespace lithe::testing
