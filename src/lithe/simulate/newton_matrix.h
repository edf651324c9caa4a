#pragma once

#include "lithe/dynamics/derivatives/inverse_derivatives.h"
#include "lithe/simulate/system.h"

namespace lithe {

/// The matrix 1 − γ ∂f/∂y of an implicit step of a System, y = [q; v; x; work input; work dissipated], x the states of control laws,
/// from exact derivatives of the dynamics, and its solution by elimination of all but v:
///
///   M Δv̇ = −K Δq − D Δv  with K = ∂ID/∂q, D = ∂ID/∂v     Δq = r_q + γ Δv
///   (M + γ D + γ² K) Δv = M r_v − γ K r_q                                                                          (1)
///
/// With states of laws, ẋ = A q + B v + C x, and torques E x of them: Δx = N⁻¹(r_x + γ A Δq + γ B Δv), N = 1 − γ C, so
///
///   (M + γ D + γ² K − γ² E N⁻¹(B + γ A)) Δv = M r_v − γ K r_q + γ E N⁻¹(r_x + γ A r_q)                              (2)
///
/// One LU of size nv instead of 2 nv + 2, and no factors of M. A free base has 7 positions for 6 rates: there
/// Δq = N⁻¹(r_q + γ G Δv) with N = 1 − γ ∂q̇/∂q, and T Δq is what K sees. Driven coordinates are functions of time: their
/// rows and columns are those of 1. Controllers act as springs and dampers; computed torque prescribes accelerations.
///
/// Exact except for computed torque on flexible arms under loads or other torques, which that law does not
/// include, and for the power of a moving base under loads. Newton's iteration converges all the same.
class NewtonMatrix {
 public:
  /// Whether the system has one: not in momenta, not with `tip_rotation: small`, not where computed torque leaves joints of a
  /// rigid arm free.
  static bool covers(System& system);

  explicit NewtonMatrix(System& system);

  /// Derivatives at (t, y), where f = ydot.
  void update(double t, const double* y, const double* ydot);
  /// Factors for a step γ, at the last update. False where the matrix is singular.
  bool factor(double gamma);
  /// (1 − γ ∂f/∂y) x = b at the last factor.
  void solve(const double* b, double* x);

 private:
  /// A joint's part of positions, where these are not its rates' integrals: a free base, a ball joint.
  struct Chart {
    const Joint* joint = nullptr;
    int q0 = 0, v0 = 0;
    JointChart T, G;                                      // to rates, to positions (Joint::chart)
    JointChart slope, N_inverse;                          // ∂q̇/∂q; (1 − γ slope)⁻¹
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 7, 1> r;  // of the right-hand side
  };
  void add_drives();
  void add_law(const PlacedLaw& placed);
  void set_power_slopes(size_t n_driven);
  void detach(int column);

  System& system_;
  InverseDerivatives derivatives_;
  State state_;
  std::vector<Chart> charts_;
  std::vector<SectionLoad> loads_;  // loads, then forces that follow the motion
  size_t n_loads_ = 0;
  Triplets force_by_position_, force_by_rate_;
  std::vector<int> imposed_;  // coordinates whose acceleration is prescribed: the driven first, then by computed torque
  MatrixXd M_, D_, K_, S_;
  Eigen::PartialPivLU<MatrixXd> lu_;
  VectorXd in_by_position_, in_by_rate_, in_by_acceleration_, lost_by_position_, lost_by_rate_;
  VectorXd vdot_, weight_, moved_, dv_, rhs_;
  double gamma_ = 0;
  // Of states of laws (2):
  MatrixXd torque_by_state_, state_by_position_, state_by_rate_, state_by_state_;  // E, A, B, C
  MatrixXd N_, carried_, moving_;  // N; N⁻¹(B + γ A); A with the directions of charts
  Eigen::PartialPivLU<MatrixXd> N_lu_;
  VectorXd in_by_state_, r_state_, dx_;
};

}  // namespace lithe
