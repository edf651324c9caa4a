#pragma once

#include <complex>

#include "lithe/aero/vortex_lattice.h"

namespace lithe::aero {

/// x₊ = A x + B_d d₊ + B_v v₊,   f₊ = C x + D_d d₊ + D_v v₊: inputs are those at the end of the step, as implicit time marching needs them.
struct DiscreteSystem {
  double dt = 0;
  MatrixXd A, B_displacement, B_velocity, C, D_displacement, D_velocity;

  /// The same lattice in a wind `speed` times as fast and air `density` times as dense, with steps in which the wind
  /// travels as far: A is the same, so a sweep over speeds needs its influence matrices once.
  DiscreteSystem scaled(double speed, double density) const;
};

/// Small motion of a flat lattice that lies along the wind: no circulation at rest, so that all is linear in the corners'
/// displacements d and velocities v, and the influence matrices are those of the flat lattice with a flat wake.
///
///   a Γ + Σ_r W_r γ_r = −V·δn(d) + n·v_c(v)       normal wash: the panels turn and move                                   (1)
///   f = ρ Γ V × l  +  ρ Γ̇ A n,   shared among corners                                                                   (2)
///
/// with γ_r the wake's rows, which take the circulation of the trailing edge and pass it on by one row per step. It is the
/// exact derivative of VortexLattice with a prescribed wake (dropped beyond `wake_rows`), and of `steady`. Several
/// surfaces may lie in parallel planes. d and v are three numbers per corner, corner by corner (the columns of
/// `Points`).
class LinearisedLattice {
 public:
  /// Of `options` it uses wake_rows, rate, surface_core and symmetry. Throws LatticeError where a panel does not lie
  /// along the wind.
  LinearisedLattice(const Lattice& lattice, const Points& corners, const Wind& wind, double dt,
                    const LatticeOptions& options);

  double dt() const { return dt_; }
  int n_states() const { return (second_order_ ? 2 : 1) * n_panels_ + n_wake_; }

  /// Circulation per normal wash in steady flow: the inverse of the matrix with an endless wake.
  MatrixXd steady_circulation_per_wash() const;
  /// ∂f/∂d in steady flow, f = Q d. Proportional to density and to the square of the speed.
  MatrixXd steady_stiffness() const;
  /// The same between given shapes, modesᵀ Q modes, without the large matrix.
  MatrixXd steady_stiffness(const MatrixXd& modes) const;

  /// d = modes q, v = modes q̇, generalised forces modesᵀ f. States: Γ (then Γ of the step before, for second order),
  /// wake rows.
  DiscreteSystem system(const MatrixXd& modes) const;
  /// One column per mode: generalised forces for q = e^{iωt}, each mode in turn, after the transient. The
  /// wake has `wake_rows` rows of V Δt.
  Eigen::MatrixXcd harmonic_forces(double omega, const MatrixXd& modes) const;

  /// The maps of (1) and (2): normal wash per displacement and velocity, corner forces per Γ and Γ̇.
  const MatrixXd& wash_per_displacement() const { return wash_per_displacement_; }
  const MatrixXd& wash_per_velocity() const { return wash_per_velocity_; }
  const MatrixXd& force_per_circulation() const { return force_per_circulation_; }
  const MatrixXd& force_per_rate() const { return force_per_rate_; }

 private:
  double dt_;
  bool second_order_;
  int n_panels_, n_wake_, wake_rows_, n_edge_;
  std::vector<int> edge_panels_;
  MatrixXd wash_per_displacement_, wash_per_velocity_;  // panels by 3 corners
  MatrixXd force_per_circulation_, force_per_rate_;     // 3 corners by panels
  MatrixXd wake_influence_;                             // panels by (row, edge panel), newest row first
  MatrixXd bound_influence_, steady_influence_;
};

}  // namespace lithe::aero
