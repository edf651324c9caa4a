// aero/ — loads of the air on thin surfaces that move and bend, by the unsteady vortex-lattice method.
//
// Takes: corner points of the surfaces and their velocities, in world axes, from step to step (`Lattice` numbers them);
// the wind. Gives: forces on panels and, equivalent in work, on corners; circulation; the wake. Does not depend on
// arms, cases or integrators.
//
//   lattice.h           numbering of corners and panels; what a bad lattice is
//   wind.h              wind, gust, plane of symmetry
//   ring_sheet.h        sheets of vortex rings and the velocity they induce: the inner loop
//   stencils.h          points and segments as sums over corners
//   geometry.h          collocation points, normals, rings, influence matrices
//   influence_factor.h  the factorised matrix, kept while the shape holds
//   loads.h             Joukowski's forces and the pressure of Γ̇
//   incidence.h         what angle the sections work at, and whether flow would stay attached
//   vortex_lattice.h    the march in time (this page)
//   steady.h            a wing in steady flow: lift, induced drag, spanwise distribution
//   linearised_lattice.h  small motion of a flat lattice: stiffness of the air, discrete-time system, harmonic loads
//
// docs/aero.md has the equations, what was checked, and the limits.
#pragma once

#include "lithe/aero/influence_factor.h"
#include "lithe/aero/loads.h"

namespace lithe::aero {

/// How the wake moves once it has left the trailing edge.
enum class WakeKind {
  prescribed,  // with the wind alone: it stays where the edge has been (frozen)
  free,        // with the wind and with the velocity that all vortices induce: it rolls up
};

/// What becomes of the oldest rows when there are more than `wake_rows`.
enum class Truncation {
  drop,  // dropped: the upwash that they induce at the wing is lost, some Γ b/(8π L²) behind a length L
  merge,  // the last two rows become one with the same impulse Σ Γ A: only the place within it where Γ changes is lost
};

/// Γ̇ by backward differences of the last circulations.
enum class CirculationRate {
  first_order,   // (Γₙ − Γₙ₋₁)/Δt
  second_order,  // through Γₙ, Γₙ₋₁, Γₙ₋₂, steps of any length; in the first two steps as first_order: a start may be sudden
};

/// How wake and circulation are treated. Plain numbers.
struct LatticeOptions {
  WakeKind wake = WakeKind::prescribed;
  int wake_rows = 64;
  Truncation truncation = Truncation::drop;
  CirculationRate rate = CirculationRate::second_order;
  double core = 0;          // m; r_c of ring_sheet.h where a free wake moves itself
  double surface_core = 0;  // m; r_c at collocation points and loaded segments: for wakes that meet other surfaces
  std::optional<SymmetryPlane> symmetry;
  /// rad; where a strip's incidence (incidence.h) is larger, Joukowski's forces on it are reduced as if its circulation were that of
  /// this incidence. Circulation, wake and the pressure of Γ̇ stay those of attached flow. Without: they grow on.
  std::optional<double> stall = {};
  double rigid_tolerance = 1e-12;  // of the lattice's extent: how far from rigid the influence factor is still kept
  bool frozen_influence = false;   // the caller guarantees that the first factor stays valid (small deformations)
};

/// Marches lattice and wake in time, ready for strong coupling:
///
///   begin_step(dt)      the wake of the accepted state moves on, one row is shed; may be called again with another dt
///   solve(corners, …)   circulation and loads for a guess of the corners at the end of the step; as often as needed
///   accept()            the last guess becomes the state
///
/// Each row shed carries the circulation its trailing-edge panels had at the start of the step; the change of it during
/// the step sits on the segment a quarter panel behind the edge, so circulation around wing and wake stays zero
/// (Kelvin) and the edge is smooth (Kutta). The circulation of the bound rings follows from no flow through the panels
/// at their collocation points,
///
///   Σ_k a_ik Γ_k = −(V_wind + v_wake − v_i) · n_i                                                                       (1)
///
/// The method is at its best when the wind passes about one panel per step, |V| Δt ≈ Δc: bound and shed vortices then
/// form one even lattice. Starts without wake and circulation: a sudden start. Steps allocate nothing, except where
/// Eigen factorises again. One object per thread.
class VortexLattice {
 public:
  VortexLattice(const Lattice& lattice, const Points& corners, const Wind& wind, const LatticeOptions& options);
  VortexLattice(const VortexLattice&) = delete;  // copies go through save() and restore()
  VortexLattice& operator=(const VortexLattice&) = delete;

  /// Sets the state to that of a flow that has lasted for `wake_rows` steps dt around these corners at rest.
  void start_steady(const Points& corners, double dt);
  /// The wind from now on; what has been shed moves with it too. It must not blow through the plane of symmetry.
  void set_wind(const Wind& wind);

  void begin_step(double dt);
  const Loads& solve(const Points& corners, const Points& velocities);
  void accept();

  const Lattice& lattice() const { return lattice_; }
  const Wind& wind() const { return wind_; }
  double t() const { return t_; }  // of the accepted state
  const VectorXd& circulation() const { return gamma_; }
  const VectorXd& solved_circulation() const { return gamma_next_; }
  const Loads& loads() const { return loads_; }                      // of the last solve
  const std::vector<RingSheet>& wake() const { return wake_; }       // by surface, newest row first
  const std::vector<RingSheet>& bound() const { return accepted_; }  // rings with their circulation
  long factorisations() const { return factorisations_; }

  /// Velocity of the air at a point in the accepted state; allocates.
  Vector3d velocity_at(const Vector3d& point) const;

  /// The accepted state as numbers, and back: a march from a restored state repeats the original bit by bit.
  VectorXd save() const;
  /// The circulation among the numbers of such a state.
  static Eigen::Map<const VectorXd> circulation_in(const double* numbers, int n_panels) {
    return {numbers + n_before_circulation, n_panels};
  }
  void restore(const VectorXd& numbers);

 private:
  static constexpr int n_before_circulation = 3;  // numbers of a saved state: time, steps, length of the last
  template <class Self, class Visit>
  static void visit_state(Self& self, Visit visit);
  void convect(double dt);
  void limit_lift(const Points& corners, const Points& velocities, double t);
  void merge_last_rows(const RingSheet& old, RingSheet& next) const;

  Lattice lattice_;
  Wind wind_;
  LatticeOptions options_;
  Stencils stencils_;
  std::vector<bool> chord_in_plane_;
  InfluenceFactor influence_;
  long factorisations_ = 0;

  // The accepted state.
  double t_ = 0;
  VectorXd gamma_, gamma_before_;       // Γₙ, Γₙ₋₁
  double n_steps_ = 0, dt_before_ = 0;  // accepted, and the length of the last; doubles, to be saved with the rest
  std::vector<RingSheet> accepted_;     // bound rings
  std::vector<RingSheet> wake_;         // node row 0 is the end of the bound rings

  // The step under way.
  double dt_ = 0;
  bool begun_ = false, solved_ = false;
  std::vector<RingSheet> wake_next_;
  Geometry geometry_;
  VectorXd gamma_next_, gamma_rate_, wash_;
  VectorXd lift_share_;            // by panel, of a limiter; empty without
  VectorArray targets_, induced_;  // collocation points, then load points
  VectorArray load_wind_;          // at the load points
  std::vector<VectorArray> wake_velocity_;
  Loads loads_;
};

/// Throws LatticeError if the wind blows through the plane.
void check_wind(const Wind& wind, const std::optional<SymmetryPlane>& plane);

}  // namespace lithe::aero
