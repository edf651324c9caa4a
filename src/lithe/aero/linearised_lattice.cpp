#include "lithe/aero/linearised_lattice.h"

#include <fmt/format.h>

#include "lithe/aero/steady.h"
#include "lithe/spatial/demand.h"

namespace lithe::aero {
namespace {

/// A panel counts as lying along the wind up to this angle, rad.
constexpr double along_wind = 1e-9;

/// Adds s · (the stencil's point) as a function of the corners to a row.
void add_point(const Stencil& stencil, const Vector3d& s, MatrixXd& rows, int row) {
  for (int k = 0; k < stencil.n; ++k)
    rows.row(row).segment<3>(3 * stencil.corner[k]) += stencil.weight[k] * s.transpose();
}

/// column += force shared among corners.
void add_force(const Stencil& stencil, const Vector3d& force, Eigen::Ref<VectorXd> column) {
  for (int k = 0; k < stencil.n; ++k) column.segment<3>(3 * stencil.corner[k]) += stencil.weight[k] * force;
}

}  // namespace

DiscreteSystem DiscreteSystem::scaled(double speed, double density) const {
  LITHE_DEMAND(speed > 0 && density > 0);
  // Wash by rotation is proportional to the speed, wash by motion is not; forces per Γ and per Γ/Δt scale with density and speed.
  return {dt / speed,
          A,
          B_displacement * speed,
          B_velocity,
          C * (density * speed),
          D_displacement * (density * speed * speed),
          D_velocity * (density * speed)};
}

LinearisedLattice::LinearisedLattice(const Lattice& lattice, const Points& corners, const Wind& wind, double dt,
                                     const LatticeOptions& options)
    : dt_(dt),
      second_order_(options.rate == CirculationRate::second_order),
      n_panels_(lattice.n_panels()),
      n_wake_(options.wake_rows * lattice.n_edge_panels()),
      wake_rows_(options.wake_rows),
      n_edge_(lattice.n_edge_panels()) {
  if (!(dt > 0) || options.wake_rows < 1) throw LatticeError("expected a positive step and at least one row of wake");
  check_wind(wind, options.symmetry);
  if (!(wind.velocity.norm() > 0)) throw LatticeError("a linearised lattice needs a wind");
  lattice.check(corners);
  const Stencils stencils(lattice);
  Geometry geometry(lattice);
  geometry.place(stencils, corners);
  const Vector3d& V = wind.velocity;
  for (int p = 0; p < n_panels_; ++p)
    if (const double angle = geometry.normal[p].dot(V) / V.norm(); std::abs(angle) > along_wind)
      throw LatticeError(fmt::format("{} is at {:g} rad to the wind; small motions are about a lattice along the wind",
                                     lattice.panel_name(p), angle));

  // Influence of bound rings, of the wake's rows, and of an endless wake.
  const double core = options.surface_core;
  steady_influence_ = aero::steady_influence(geometry, lattice, wind, options.symmetry, core);
  bound_influence(geometry, options.symmetry, core, bound_influence_);
  std::vector<RingSheet> wake = straight_wake(geometry, wake_rows_, V * dt);
  const std::vector<MatrixXd> by_sheet = aero::wake_influence(geometry, wake, options.symmetry, core);
  wake_influence_.resize(n_panels_, n_wake_);
  edge_panels_.resize(n_edge_);
  for (int s = 0; s < lattice.n_surfaces(); ++s)
    for (int j = 0; j < lattice.shape(s).n_span; ++j) {
      edge_panels_[lattice.edge(s, j)] = lattice.edge_panel(s, j);
      for (int i = 0; i < wake_rows_; ++i)
        wake_influence_.col(i * n_edge_ + lattice.edge(s, j)) = by_sheet[s].col(wake[s].ring(i, j));
    }

  // Eq. (1): n = d₁ × d₂/|d₁ × d₂| turns by δn, of which the part along the wind counts; the wind has none along n.
  const int n_numbers = 3 * lattice.n_corners();
  wash_per_displacement_.setZero(n_panels_, n_numbers);
  wash_per_velocity_.setZero(n_panels_, n_numbers);
  force_per_circulation_.setZero(n_numbers, n_panels_);
  force_per_rate_.setZero(n_numbers, n_panels_);
  for (int p = 0; p < n_panels_; ++p) {
    const PanelStencils& panel = stencils.panels[p];
    const Vector3d rear = panel.diagonal_rear.of(corners), span = panel.diagonal_span.of(corners);
    const double twice_area = rear.cross(span).norm();
    // −V·(δd₁ × d₂ + d₁ × δd₂) = δd₁·(V × d₂) + δd₂·(d₁ × V)
    add_point(panel.diagonal_rear, V.cross(span) / twice_area, wash_per_displacement_, p);
    add_point(panel.diagonal_span, rear.cross(V) / twice_area, wash_per_displacement_, p);
    add_point(panel.collocation, geometry.normal[p], wash_per_velocity_, p);
  }

  // Eq. (2), segment by segment as in joukowski_loads.
  const std::vector<bool> in_plane = chords_in_plane(stencils, corners, options.symmetry);
  for (int p = 0; p < n_panels_; ++p) {
    const PanelStencils& panel = stencils.panels[p];
    const Vector3d force = wind.density * V.cross(panel.bound.of(corners));
    add_force(panel.bound_middle, force, force_per_circulation_.col(p));
    if (panel.in_front >= 0) add_force(panel.bound_middle, -force, force_per_circulation_.col(panel.in_front));
    const Vector3d area = 0.5 * panel.ring_rear.of(corners).cross(panel.ring_span.of(corners));
    add_force(panel.ring_centre, wind.density * area, force_per_rate_.col(p));
  }
  for (size_t c = 0; c < stencils.chords.size(); ++c) {
    if (in_plane[c]) continue;
    const ChordStencils& chord = stencils.chords[c];
    const Vector3d force = wind.density * V.cross(chord.segment.of(corners));
    if (chord.left >= 0) add_force(chord.middle, force, force_per_circulation_.col(chord.left));
    if (chord.right >= 0) add_force(chord.middle, -force, force_per_circulation_.col(chord.right));
  }
}

MatrixXd LinearisedLattice::steady_circulation_per_wash() const { return steady_influence_.partialPivLu().inverse(); }

MatrixXd LinearisedLattice::steady_stiffness() const {
  return force_per_circulation_ * steady_influence_.partialPivLu().solve(wash_per_displacement_);
}

MatrixXd LinearisedLattice::steady_stiffness(const MatrixXd& modes) const {
  LITHE_DEMAND_EQUAL(modes.rows(), wash_per_displacement_.cols());
  const MatrixXd wash = wash_per_displacement_ * modes;
  return (modes.transpose() * force_per_circulation_) * steady_influence_.partialPivLu().solve(wash);
}

DiscreteSystem LinearisedLattice::system(const MatrixXd& modes) const {
  LITHE_DEMAND_EQUAL(modes.rows(), wash_per_displacement_.cols());
  const int n = n_panels_, before = second_order_ ? n : 0, wake = n + before;
  const Eigen::PartialPivLU<MatrixXd> factor(bound_influence_);
  DiscreteSystem system;
  system.dt = dt_;

  // The wake moves on by one row: its newest row takes the circulation of the trailing edge.
  MatrixXd& A = system.A;
  A.setZero(n_states(), n_states());
  for (int e = 0; e < n_edge_; ++e) A(wake + e, edge_panels_[e]) = 1;
  for (int k = n_edge_; k < n_wake_; ++k) A(wake + k, wake + k - n_edge_) = 1;
  if (second_order_) A.block(n, 0, n, n).setIdentity();
  // Γ₊ = a⁻¹ (wash₊ − W γ₊)
  const MatrixXd by_wake = -factor.solve(wake_influence_);
  for (int e = 0; e < n_edge_; ++e) A.col(edge_panels_[e]).head(n) += by_wake.col(e);
  A.block(0, wake, n, n_wake_ - n_edge_) = by_wake.rightCols(n_wake_ - n_edge_);

  system.B_displacement.setZero(n_states(), modes.cols());
  system.B_velocity.setZero(n_states(), modes.cols());
  system.B_displacement.topRows(n) = factor.solve(wash_per_displacement_ * modes);
  system.B_velocity.topRows(n) = factor.solve(wash_per_velocity_ * modes);

  // f₊ = L Γ₊ + L̇ Γ̇₊ with Γ̇₊ from Γ₊, Γ and, for second order, the one before.
  const MatrixXd L = modes.transpose() * force_per_circulation_, L_rate = modes.transpose() * force_per_rate_;
  const double now = (second_order_ ? 1.5 : 1) / dt_, last = (second_order_ ? -2 : -1) / dt_;
  const MatrixXd from_next = L + now * L_rate;
  system.C = from_next * A.topRows(n);
  system.C.leftCols(n) += last * L_rate;
  if (second_order_) system.C.middleCols(n, n) += 0.5 / dt_ * L_rate;
  system.D_displacement = from_next * system.B_displacement.topRows(n);
  system.D_velocity = from_next * system.B_velocity.topRows(n);
  return system;
}

Eigen::MatrixXcd LinearisedLattice::harmonic_forces(double omega, const MatrixXd& modes) const {
  LITHE_DEMAND_EQUAL(modes.rows(), wash_per_displacement_.cols());
  using Complex = std::complex<double>;
  // A step back in time is a phase of −ωΔt: row r of the wake carries what the trailing edge had r + 1 steps ago.
  const Complex back = std::polar(1.0, -omega * dt_);
  Eigen::MatrixXcd a = bound_influence_.cast<Complex>();
  Complex lag = 1;
  for (int r = 0; r < wake_rows_; ++r) {
    lag *= back;
    for (int e = 0; e < n_edge_; ++e) a.col(edge_panels_[e]) += lag * wake_influence_.col(r * n_edge_ + e);
  }
  const Complex i_omega(0, omega);
  const Eigen::MatrixXcd wash = wash_per_displacement_ * modes + i_omega * (wash_per_velocity_ * modes);
  const Eigen::MatrixXcd gamma = a.partialPivLu().solve(wash);
  const Complex rate = (second_order_ ? 1.5 - 2.0 * back + 0.5 * back * back : 1.0 - back) / dt_;
  return modes.transpose() * (force_per_circulation_ * gamma + rate * (force_per_rate_ * gamma));
}

}  // namespace lithe::aero
