#pragma once

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <vector>

#include "lithe/derive/energy_terms.h"
#include "lithe/derive/symbolic_arm.h"

namespace lithe::derive {

/// Sums over the bodies of an arm (lew-book eqs 6–11): for every body, the coordinates that carry it are velocities of its
/// frame, [w; v] per unit rate in its own axes,
///   w′ = Rᵀ w,   v′ = Rᵀ (v + w×p)     from frame to frame outwards                                             (1)
/// so that only the angles between a coordinate and the body appear, and
///   M_kj = Σ m u_k·u_j + w_k·I w_j     u = v + w×c      of rigid bodies                                          (2)
///   M_kj = w_k·(J w_j + s×v_j) + v_k·(m v_j − s×w_j)    of bent links, with their own columns [∫r×φ_k; ∫φ_k]      (3)
/// Gravity γ goes outwards the same way, and with it e = g·p, the work of gravity on a unit mass:
///   V = −Σ m (e + γ·c)                                                                                            (4)
template <class Algebra>
class BodyRecursion {
 public:
  using S = typename Algebra::Scalar;
  using Vector = Eigen::Matrix<S, 3, 1>;

  /// Entries between two of the coordinates `known` are omitted.
  BodyRecursion(const SymbolicArm& arm, Algebra& algebra, std::vector<bool> known)
      : arm_(arm), algebra_(algebra), known_(std::move(known)), frames_(arm.links.size()) {
    const size_t n = known_.size();
    for (auto& M : terms_.M) M.assign(n, std::vector<S>(n, S(0)));
    for (auto& V : terms_.potential) V = S(0);
    for (auto& g : terms_.gravity) g.assign(arm.base_gravity ? 6 : 0, S(0));
  }

  /// Columns of B from those of the parent's B; links in order, each once.
  void place(int i) {
    const SymbolicLink& link = arm_.links[i];
    Frame frame;
    if (link.parent >= 0) {
      frame = frames_[link.parent];
      add_tip_directions(arm_.links[link.parent], frame);
    } else {
      frame.gravity = lifted(arm_.gravity);
      frame.e = dot(frame.gravity, lifted(arm_.root_place));
    }
    for (const Step& step : link.way) advance(frame, step);
    if (link.is_free_base) {
      frame.e += dot(frame.gravity, lifted(arm_.base_place));
      frame.gravity = lifted(*arm_.base_gravity);
      for (int k = 0; k < 6; ++k) {
        Column column{link.joint_coordinate + k, zero(), zero()};
        (k < 3 ? column.w : column.v)[k % 3] = S(1);
        frame.columns.push_back(column);
      }
    } else if (link.joint_coordinate >= 0) {
      frame.columns.push_back({link.joint_coordinate, lifted(link.joint_turn), lifted(link.joint_slide)});
    }
    settle(frame, fmt::format("{}", i + 1));
    frames_[i] = frame;
  }

  /// Adds the bodies of link i, which has been placed. `carried`: it belongs to the carried part.
  void add_bodies(int i, bool carried) {
    const SymbolicLink& link = arm_.links[i];
    Frame& frame = frames_[i];
    if (link.body) add_rigid(frame, *link.body, carried, fmt::format("{}", i + 1));
    if (link.beam) add_beam(i, frame, *link.beam, carried);
    if (!link.on_tip.empty()) {
      Frame tip = frame;
      add_tip_directions(link, tip);
      bool points = true;
      for (const SymbolicBody& body : link.on_tip) points = points && is_point(body);
      // The last rotation does not matter for a point at the tip's origin.
      size_t n_steps = link.tip.size();
      while (points && n_steps > 0 && !std::holds_alternative<Shift>(link.tip[n_steps - 1])) --n_steps;
      for (size_t k = 0; k < n_steps; ++k) advance(tip, link.tip[k]);
      settle(tip, fmt::format("{}t", i + 1));
      for (size_t k = 0; k < link.on_tip.size(); ++k)
        add_rigid(tip, link.on_tip[k], carried, fmt::format("{}p{}", i + 1, k > 0 ? fmt::format("{}", k + 1) : ""));
    }
    if (!link.rotor_inertia.is_zero() && is_wanted(link.joint_coordinate, link.joint_coordinate))
      add_symmetric(terms_.M[carried], link.joint_coordinate, link.joint_coordinate, algebra_.lift(link.rotor_inertia));
  }

  EnergyTerms<S>& terms() { return terms_; }

 private:
  struct Column {
    int coordinate;
    Vector w, v;
  };
  struct Frame {
    std::vector<Column> columns;
    Vector gravity;
    S e = S(0);
  };

  static bool is_point(const SymbolicBody& body) {
    return is_zero(body.com) && is_zero(body.inertia[0]) && is_zero(body.inertia[1]) && is_zero(body.inertia[2]);
  }
  static bool is_zero(const Triple& t) { return t[0].is_zero() && t[1].is_zero() && t[2].is_zero(); }
  Vector lifted(const Triple& t) const { return {algebra_.lift(t[0]), algebra_.lift(t[1]), algebra_.lift(t[2])}; }

  /// How a bent link moves its tip, given at B's origin as if rigid: v = φ − w×p_T, so that shifting by p_T gives φ.
  void add_tip_directions(const SymbolicLink& link, Frame& frame) const {
    if (link.tip_directions.empty()) return;
    const Vector p = lifted(link.tip_place);
    for (const TipDirection& direction : link.tip_directions) {
      const Vector w = lifted(direction.turn);
      frame.columns.push_back({direction.coordinate, w, Vector(lifted(direction.slide) - cross(w, p))});
    }
  }

  void advance(Frame& frame, const Step& step) const {
    if (const auto* shift = std::get_if<Shift>(&step)) {
      const Vector p = lifted(shift->by);
      for (Column& column : frame.columns) column.v += cross(column.w, p);
      frame.e += dot(frame.gravity, p);
      return;
    }
    auto turn_all = [&](auto turned) {
      for (Column& column : frame.columns) {
        column.w = turned(column.w);
        column.v = turned(column.v);
      }
      frame.gravity = turned(frame.gravity);
    };
    if (const auto* turn = std::get_if<Turn>(&step)) {
      const S c = algebra_.cosine(turn->angle),
              s = turn->sign > 0 ? algebra_.sine(turn->angle) : S(-algebra_.sine(turn->angle));
      const int a = (turn->axis + 1) % 3, b = (turn->axis + 2) % 3;
      turn_all([&](const Vector& x) {
        Vector y = x;
        y[a] = c * x[a] + s * x[b];
        y[b] = c * x[b] - s * x[a];
        return y;
      });
      return;
    }
    Table R;
    if (const auto* constant = std::get_if<ConstantTurn>(&step)) {
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) R[a][b] = exactly(constant->R(a, b));
    } else {
      R = std::get<EntryTurn>(step).R;
    }
    turn_all([&](const Vector& x) {
      Vector y = zero();
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          if (!R[a][b].is_zero()) y[b] += algebra_.lift(R[a][b]) * x[a];
      return y;
    });
  }

  /// Names the entries of all columns, where the algebra wants that.
  void settle(Frame& frame, const std::string& body) {
    for (Column& column : frame.columns)
      for (int a = 0; a < 3; ++a) {
        column.w[a] = algebra_.settled(fmt::format("w{}_{}{}", body, column.coordinate + 1, "xyz"[a]), column.w[a]);
        column.v[a] = algebra_.settled(fmt::format("v{}_{}{}", body, column.coordinate + 1, "xyz"[a]), column.v[a]);
      }
    for (int a = 0; a < 3; ++a)
      frame.gravity[a] = algebra_.settled(fmt::format("g{}{}", body, "xyz"[a]), frame.gravity[a]);
    frame.e = algebra_.settled(fmt::format("e{}", body), frame.e);
  }

  void add_rigid(const Frame& frame, const SymbolicBody& body, bool carried, const std::string& label) {
    // (2)
    const Vector c = lifted(body.com);
    const S m = algebra_.lift(body.mass);
    const size_t n = frame.columns.size();
    std::vector<Vector> u(n), Iw(n);
    for (size_t k = 0; k < n; ++k) {
      u[k] = frame.columns[k].v + cross(frame.columns[k].w, c);
      Iw[k] = times(body.inertia, frame.columns[k].w);
      for (int a = 0; a < 3; ++a)
        u[k][a] = algebra_.settled(fmt::format("u{}_{}{}", label, frame.columns[k].coordinate + 1, "xyz"[a]), u[k][a]);
    }
    for (size_t j = 0; j < n; ++j) {
      Vector mu = u[j];
      for (int a = 0; a < 3; ++a) mu[a] = m * mu[a];
      for (size_t k = 0; k <= j; ++k)
        if (is_wanted(frame.columns[k].coordinate, frame.columns[j].coordinate))
          add_symmetric(terms_.M[carried], frame.columns[k].coordinate, frame.columns[j].coordinate,
                        dot(u[k], mu) + dot(frame.columns[k].w, Iw[j]));
    }
    terms_.potential[carried] -= m * (frame.e + dot(frame.gravity, c));
    auto& base = terms_.gravity[carried];
    for (size_t k = 0; k < base.size(); ++k) base[k] -= m * dot(frame.gravity, u[k]);
  }

  void add_beam(int i, const Frame& frame, const SymbolicBeam& beam, bool carried) {
    // (3)
    const Vector s = lifted(beam.first_moment);
    const S m = algebra_.lift(beam.mass);
    const auto& columns = frame.columns;
    const int n_own = int(beam.linear.size()), own0 = arm_.links[i].first_own;
    auto& M = terms_.M[carried];
    for (size_t j = 0; j < columns.size(); ++j) {
      const Column& column = columns[j];
      const Vector angular = times(beam.inertia, column.w) + cross(s, column.v);
      Vector linear = -cross(s, column.w);
      for (int a = 0; a < 3; ++a) linear[a] += m * column.v[a];
      for (size_t k = 0; k <= j; ++k)
        if (is_wanted(columns[k].coordinate, column.coordinate))
          add_symmetric(M, columns[k].coordinate, column.coordinate,
                        dot(columns[k].w, angular) + dot(columns[k].v, linear));
      for (int k = 0; k < n_own; ++k)
        if (is_wanted(column.coordinate, own0 + k))
          add_symmetric(M, column.coordinate, own0 + k,
                        dot(column.w, lifted(beam.angular[k])) + dot(column.v, lifted(beam.linear[k])));
      if (j < terms_.gravity[carried].size()) terms_.gravity[carried][j] -= dot(frame.gravity, linear);
    }
    for (int l = 0; l < n_own; ++l)
      for (int k = 0; k <= l; ++k)
        if (is_wanted(own0 + k, own0 + l)) add_symmetric(M, own0 + k, own0 + l, algebra_.lift(beam.modal_mass[k][l]));
    terms_.potential[carried] -= m * frame.e + dot(frame.gravity, s);
  }

  bool is_wanted(int k, int j) const { return !known_[size_t(k)] || !known_[size_t(j)]; }

  static void add_symmetric(typename EnergyTerms<S>::Matrix& M, int k, int j, const S& value) {
    M[k][j] += value;
    if (k != j) M[j][k] += value;
  }

  static Vector zero() { return {S(0), S(0), S(0)}; }
  static Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static S dot(const Vector& a, const Vector& b) {
    S sum = a[0] * b[0];
    sum += a[1] * b[1];
    sum += a[2] * b[2];
    return sum;
  }
  Vector times(const Table& A, const Vector& x) const {
    Vector y = zero();
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        if (!A[a][b].is_zero()) y[a] += algebra_.lift(A[a][b]) * x[b];
    return y;
  }

  const SymbolicArm& arm_;
  Algebra& algebra_;
  std::vector<bool> known_;
  std::vector<Frame> frames_;
  EnergyTerms<S> terms_;
};

}  // namespace lithe::derive
