#include "lithe/aero/vortex_lattice.h"

#include <fmt/format.h>

#include <cmath>

#include "lithe/aero/incidence.h"
#include "lithe/spatial/demand.h"

namespace lithe::aero {
namespace {

double ring_area(const RingSheet& sheet, int i, int j) {
  const Vector3d rear = sheet.nodes[sheet.node(i + 1, j + 1)] - sheet.nodes[sheet.node(i, j)];
  const Vector3d span = sheet.nodes[sheet.node(i, j + 1)] - sheet.nodes[sheet.node(i + 1, j)];
  return rear.cross(span).norm() / 2;
}

}  // namespace

void check_wind(const Wind& wind, const std::optional<SymmetryPlane>& plane) {
  if (!wind.velocity.allFinite() || !(wind.density > 0))
    throw LatticeError("the wind needs a finite velocity and a positive density");
  if (plane && !(plane->normal.norm() > 0)) throw LatticeError("the plane of symmetry needs a normal");
  if (plane && std::abs(plane->normal.normalized().dot(wind.velocity)) > 1e-12 * wind.velocity.norm())
    throw LatticeError("the wind blows through the plane of symmetry");
}

VortexLattice::VortexLattice(const Lattice& lattice, const Points& corners, const Wind& wind,
                             const LatticeOptions& options)
    : lattice_(lattice),
      wind_(wind),
      options_(options),
      stencils_(lattice_),
      influence_(lattice_, stencils_, options.symmetry, options.surface_core, options.rigid_tolerance),
      gamma_(VectorXd::Zero(lattice.n_panels())),
      gamma_before_(gamma_),
      geometry_(lattice_),
      gamma_next_(gamma_),
      gamma_rate_(gamma_),
      wash_(gamma_),
      targets_(lattice.n_panels() + n_load_points(stencils_)),
      induced_(targets_.n),
      load_wind_(n_load_points(stencils_)),
      loads_(lattice_) {
  const int least_rows = options.truncation == Truncation::merge ? 2 : 1;
  if (options.wake_rows < least_rows)
    throw LatticeError(fmt::format("rows of wake: expected at least {1}, got {0}", options.wake_rows, least_rows));
  if (options.stall && !(*options.stall > 0)) throw LatticeError("expected an incidence of stall above zero");
  if (!(options.core >= 0) || !(options.surface_core >= 0)) throw LatticeError("a vortex core cannot be negative");
  check_wind(wind_, options.symmetry);
  lattice_.check(corners);
  if (options.stall) lift_share_.setOnes(lattice.n_panels());
  chord_in_plane_ = chords_in_plane(stencils_, corners, options.symmetry);
  geometry_.place(stencils_, corners);
  accepted_ = geometry_.bound;
  for (const RingSheet& bound : accepted_) {
    RingSheet& sheet = wake_.emplace_back(options.wake_rows, bound.columns());
    for (int j = 0; j <= bound.columns(); ++j) sheet.nodes.set(j, bound.nodes[bound.node(bound.rows, j)]);
    wake_velocity_.emplace_back(sheet.nodes.n);
  }
  wake_next_ = wake_;
}

void VortexLattice::set_wind(const Wind& wind) {
  check_wind(wind, options_.symmetry);
  wind_ = wind;
}

void VortexLattice::start_steady(const Points& corners, double dt) {
  LITHE_DEMAND(dt > 0);
  lattice_.check(corners);
  begun_ = solved_ = false;
  geometry_.place(stencils_, corners);
  accepted_ = geometry_.bound;
  wake_ = straight_wake(geometry_, options_.wake_rows, wind_.velocity * dt);
  // Bound rings and a wake whose rows all carry what the trailing edge carries.
  for (int p = 0; p < lattice_.n_panels(); ++p)
    wash_[p] = -wind_.at(geometry_.collocation[p], t_).dot(geometry_.normal[p]);
  MatrixXd a;
  bound_influence(geometry_, options_.symmetry, options_.surface_core, a);
  const std::vector<MatrixXd> by_wake = wake_influence(geometry_, wake_, options_.symmetry, options_.surface_core);
  for (int s = 0; s < lattice_.n_surfaces(); ++s)
    for (int i = 0; i < options_.wake_rows; ++i)
      for (int j = 0; j < lattice_.shape(s).n_span; ++j)
        a.col(lattice_.edge_panel(s, j)) += by_wake[s].col(wake_[s].ring(i, j));
  gamma_ = a.partialPivLu().solve(wash_);
  gamma_before_ = gamma_;
  for (int s = 0; s < lattice_.n_surfaces(); ++s) {
    for (int k = 0; k < accepted_[s].n_rings(); ++k) accepted_[s].circulation[k] = gamma_[lattice_.panel(s, 0, 0) + k];
    for (int i = 0; i < options_.wake_rows; ++i)
      for (int j = 0; j < lattice_.shape(s).n_span; ++j)
        wake_[s].circulation[wake_[s].ring(i, j)] = gamma_[lattice_.edge_panel(s, j)];
  }
  n_steps_ = 2;
  dt_before_ = dt;
}

void VortexLattice::convect(double dt) {
  for (VectorArray& velocity : wake_velocity_) velocity.set_zero();
  if (options_.wake == WakeKind::free)
    for (auto* sheets : {&accepted_, &wake_})
      for (RingSheet& source : *sheets) {
        source.prepare(options_.core);
        for (size_t s = 0; s < wake_.size(); ++s) {
          // A view of the nodes of the rows in use.
          VectorArray& nodes = wake_[s].nodes;
          const int all = nodes.n;
          nodes.n = wake_[s].n_nodes();
          source.add_velocity(nodes, 0, options_.symmetry, wake_velocity_[s]);
          nodes.n = all;
        }
      }
  for (size_t s = 0; s < wake_.size(); ++s) {
    const RingSheet& old = wake_[s];
    RingSheet& next = wake_next_[s];
    const int columns = old.columns(), kept = std::min(old.rows, old.most_rows() - 1);
    next.rows = kept + 1;
    auto moved = [&](int k) -> Vector3d {
      return old.nodes[k] + dt * (wind_.at(old.nodes[k], t_) + wake_velocity_[s][k]);
    };
    for (int i = 0; i <= kept; ++i)
      for (int j = 0; j <= columns; ++j) next.nodes.set(next.node(i + 1, j), moved(old.node(i, j)));
    for (int j = 0; j < columns; ++j) next.circulation[j] = gamma_[lattice_.edge_panel(int(s), j)];
    for (int k = 0; k < kept * columns; ++k) next.circulation[columns + k] = old.circulation[k];
    if (options_.truncation == Truncation::merge && kept < old.rows) {
      merge_last_rows(old, next);
      for (int j = 0; j <= columns; ++j) next.nodes.set(next.node(next.rows, j), moved(old.node(old.rows, j)));
    }
  }
}

/// The circulation of the merged last ring is the mean of the two that it replaces, weighted by area, which keeps their impulse.
void VortexLattice::merge_last_rows(const RingSheet& old, RingSheet& next) const {
  for (int j = 0; j < old.columns(); ++j) {
    const double near = ring_area(old, old.rows - 2, j), far = ring_area(old, old.rows - 1, j);
    next.circulation[next.ring(next.rows - 1, j)] =
        (near * old.circulation[old.ring(old.rows - 2, j)] + far * old.circulation[old.ring(old.rows - 1, j)]) /
        (near + far);
  }
}

void VortexLattice::begin_step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) throw LatticeError(fmt::format("expected a positive step, got {:g} s", dt));
  convect(dt);
  dt_ = dt;
  begun_ = true;
  solved_ = false;
}

const Loads& VortexLattice::solve(const Points& corners, const Points& velocities) {
  LITHE_DEMAND(begun_);
  lattice_.check(corners);
  lattice_.check_finite(velocities, "velocity");
  const int n = lattice_.n_panels();
  const double t = t_ + dt_;

  // The bound rings and the newest row of the wake depend on the guess.
  geometry_.place(stencils_, corners);
  factorisations_ += influence_.update(corners, options_.frozen_influence);
  for (size_t s = 0; s < wake_next_.size(); ++s) {
    const RingSheet& bound = geometry_.bound[s];
    for (int j = 0; j <= bound.columns(); ++j) wake_next_[s].nodes.set(j, bound.nodes[bound.node(bound.rows, j)]);
    wake_next_[s].prepare(options_.surface_core);
  }

  // The velocity induced by the wake at the targets.
  for (int p = 0; p < n; ++p) targets_.set(p, geometry_.collocation[p]);
  for (int k = n; k < targets_.n; ++k) targets_.set(k, load_point(stencils_, k - n, corners));
  induced_.set_zero();
  for (const RingSheet& sheet : wake_next_) sheet.add_velocity(targets_, 0, options_.symmetry, induced_);

  // Eq. (1).
  for (int p = 0; p < n; ++p) {
    const Vector3d body = stencils_.panels[p].collocation.of(velocities);
    wash_[p] = -(wind_.at(targets_[p], t) + induced_[p] - body).dot(geometry_.normal[p]);
  }
  influence_.solve(wash_, gamma_next_);
  if (!gamma_next_.allFinite()) throw LatticeError("the influence matrix is singular: do two surfaces coincide?");
  if (options_.rate == CirculationRate::second_order && n_steps_ >= 2) {
    const double r = dt_ / dt_before_;
    gamma_rate_ = ((1 + 2 * r) * gamma_next_ - (1 + r) * (1 + r) * gamma_ + r * r * gamma_before_) / ((1 + r) * dt_);
  } else {
    gamma_rate_ = (gamma_next_ - gamma_) / dt_;
  }

  // The velocity of the air past the loaded segments.
  int first = 0;
  for (RingSheet& sheet : geometry_.bound) {
    sheet.circulation = gamma_next_.segment(first, sheet.n_rings()).array();
    first += sheet.n_rings();
    sheet.prepare(options_.surface_core);
    sheet.add_velocity(targets_, n, options_.symmetry, induced_);
  }
  for (int k = 0; k < targets_.n - n; ++k) {
    const Vector3d body = load_point(stencils_, k, velocities);
    load_wind_.set(k, wind_.at(targets_[n + k], t) + induced_[n + k] - body);
  }
  if (options_.stall) limit_lift(corners, velocities, t);
  joukowski_loads(stencils_, chord_in_plane_, corners, gamma_next_, gamma_rate_, load_wind_, wind_.density, loads_,
                  lift_share_);
  solved_ = true;
  return loads_;
}

void VortexLattice::limit_lift(const Points& corners, const Points& velocities, double t) {
  const double most = std::sin(*options_.stall);
  for (int s = 0; s < lattice_.n_surfaces(); ++s)
    for (int j = 0; j < lattice_.shape(s).n_span; ++j) {
      const double sine = strip_flow(lattice_, s, j, corners, velocities, gamma_next_, wind_, t).sine;
      for (int i = 0; i < lattice_.shape(s).n_chord; ++i)
        lift_share_[lattice_.panel(s, i, j)] = sine > most ? most / sine : 1;
    }
}

void VortexLattice::accept() {
  LITHE_DEMAND(solved_);
  t_ += dt_;
  gamma_before_.swap(gamma_);
  gamma_.swap(gamma_next_);
  gamma_next_ = gamma_;
  accepted_.swap(geometry_.bound);
  wake_.swap(wake_next_);
  n_steps_ += 1;
  dt_before_ = dt_;
  begun_ = solved_ = false;
}

Vector3d VortexLattice::velocity_at(const Vector3d& point) const {
  VectorArray target(1), velocity(1);
  target.set(0, point);
  for (const auto* sheets : {&accepted_, &wake_})
    for (RingSheet sheet : *sheets) {
      sheet.prepare(options_.surface_core);
      sheet.add_velocity(target, 0, options_.symmetry, velocity);
    }
  return wind_.at(point, t_) + velocity[0];
}

/// Calls visit(first number, count) for every part of the accepted state, in order; what it writes there becomes part of the state.
template <class Self, class Visit>
void VortexLattice::visit_state(Self& self, Visit visit) {
  visit(&self.t_, 1);
  visit(&self.n_steps_, 1);
  visit(&self.dt_before_, 1);
  visit(self.gamma_.data(), self.gamma_.size());
  visit(self.gamma_before_.data(), self.gamma_before_.size());
  auto visit_sheet = [&visit](auto& sheet) {
    for (auto* part : {&sheet.nodes.x, &sheet.nodes.y, &sheet.nodes.z, &sheet.circulation})
      visit(part->data(), part->size());
  };
  for (auto& sheet : self.accepted_) visit_sheet(sheet);
  for (auto& sheet : self.wake_) {
    double rows = sheet.rows;
    visit(&rows, 1);
    if constexpr (!std::is_const_v<Self>) sheet.rows = int(rows);
    visit_sheet(sheet);
  }
}

VectorXd VortexLattice::save() const {
  std::vector<double> numbers;
  visit_state(*this,
              [&](const double* first, Eigen::Index count) { numbers.insert(numbers.end(), first, first + count); });
  numbers.push_back(influence_.made());
  const Points& reference = influence_.reference();
  numbers.insert(numbers.end(), reference.data(), reference.data() + reference.size());
  return Eigen::Map<VectorXd>(numbers.data(), Eigen::Index(numbers.size()));
}

void VortexLattice::restore(const VectorXd& numbers) {
  if (numbers.size() != save().size())
    throw LatticeError(fmt::format("expected a state of {1} numbers for this lattice and wake, got {0}", numbers.size(),
                                   save().size()));
  Eigen::Index at = 0;
  visit_state(*this, [&](double* first, Eigen::Index count) {
    std::copy_n(numbers.data() + at, count, first);
    at += count;
  });
  const bool made = numbers[at++] != 0;
  // The factor is computed again from the same corners, so it has the same bits.
  if (made)
    influence_.make(Eigen::Map<const Points>(numbers.data() + at, 3, lattice_.n_corners()));
  else
    influence_.forget();
  begun_ = solved_ = false;
}

}  // namespace lithe::aero
