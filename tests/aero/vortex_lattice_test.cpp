// Laws of the march in time: Kelvin, impulse, invariances, images, repeated solves, checkpoints, kept factors, errors.
#include "lithe/aero/vortex_lattice.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <random>

#include "aero/wings.h"
#include "support/allocation_count.h"
#include "support/draw.h"

namespace lithe::aero::testing {
namespace {

using lithe::testing::any_seed;

using lithe::testing::allocations;
constexpr double pi = std::numbers::pi;

/// Positions and velocities of a tapered, dihedral wing that heaves, pitches and bends in the wind, smoothly from rest.
struct BendingWing {
  SurfaceShape shape{3, 6};
  double bending = 0.15;
  bool half = false;

  Vector3d place(double x, double y, double t) const {
    const double s = half ? y : 2 * y - 1, start = 1 - std::exp(-t * t);
    const double pitch = 0.1 + 0.15 * start * std::sin(1.1 * t);
    const double chord = 1 - 0.3 * std::abs(s);
    return {
        chord * (x - 0.3) * std::cos(pitch) + 0.2 * std::abs(s), 2 * s,
        -chord * (x - 0.3) * std::sin(pitch) + 0.1 * std::abs(s) + start * std::sin(0.7 * t) * (0.2 + bending * s * s)};
  }
  Points corners(double t) const {
    return corners_of(shape, [&](double x, double y) { return place(x, y, t); });
  }
  Points velocities(double t) const {
    const double h = 1e-5;
    return (corners(t + h) - corners(t - h)) / (2 * h);
  }
};

const Wind breeze{.velocity = {1, 0, 0}, .density = 1.2};

/// Marches to the end and returns the loads after each step.
template <class Motion>
std::vector<Loads> march(VortexLattice& flow, const Motion& motion, double dt, int steps) {
  std::vector<Loads> history;
  for (int k = 0; k < steps; ++k) {
    flow.begin_step(dt);
    const double t = flow.t() + dt;
    history.push_back(flow.solve(motion.corners(t), motion.velocities(t)));
    flow.accept();
  }
  return history;
}

/// ∮ v · dl around a rectangle in the plane y = const, by Gauss–Legendre pieces.
double circulation_around(const VortexLattice& flow, double y, double x0, double x1, double z0, double z1) {
  const double node[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
  const double weight[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
  const Vector3d corner[] = {{x0, y, z0}, {x1, y, z0}, {x1, y, z1}, {x0, y, z1}};
  double sum = 0;
  const int pieces = 60;
  for (int side = 0; side < 4; ++side) {
    const Vector3d a = corner[side], l = (corner[(side + 1) % 4] - a) / pieces;
    for (int p = 0; p < pieces; ++p)
      for (int g = 0; g < 4; ++g)
        sum += weight[g] / 2 * l.dot(flow.velocity_at(a + l * (p + 0.5 + node[g] / 2)) - flow.wind().velocity);
  }
  return sum;
}

TEST(VortexLattice, KeepsTheCirculationAroundWingAndWakeAtZero) {
  const BendingWing wing;
  for (const WakeKind kind : {WakeKind::prescribed, WakeKind::free}) {
    VortexLattice flow(Lattice({wing.shape}), wing.corners(0), breeze, {.wake = kind, .wake_rows = 12, .core = 0.05});
    march(flow, wing, 0.3, 10);
    const double y = 1.0 / 3;  // the middle of the fourth strip, away from chordwise vortices
    const double bound = flow.circulation()[flow.lattice().edge_panel(0, 3)];
    ASSERT_GT(std::abs(bound), 0.1);
    // Around all: Kelvin. Turned from x to z the loop goes against positive circulation, which turns from z to x.
    EXPECT_NEAR(circulation_around(flow, y, -1, 7, -2, 2), 0, 1e-6);
    // Around wing and newest row's start alone: less what has been shed. The first row of wake carries the circulation of
    // one step ago, the difference stands at its head.
    const RingSheet& wake = flow.wake()[0];
    const double between = (wake.nodes[wake.node(1, 3)].x() + wake.nodes[wake.node(2, 3)].x()) / 2;
    EXPECT_NEAR(circulation_around(flow, y, -1, between, -2, 2), -wake.circulation[wake.ring(1, 3)], 1e-6);
  }
}

/// ρ Σ Γ A over all rings of the flow: minus the impulse of the air.
Vector3d lift_impulse(const VortexLattice& flow) {
  Vector3d sum = Vector3d::Zero();
  for (const auto* sheets : {&flow.bound(), &flow.wake()})
    for (const RingSheet& sheet : *sheets)
      for (int i = 0; i < sheet.rows; ++i)
        for (int j = 0; j < sheet.columns(); ++j) {
          const Vector3d rear = sheet.nodes[sheet.node(i + 1, j + 1)] - sheet.nodes[sheet.node(i, j)];
          const Vector3d span = sheet.nodes[sheet.node(i, j + 1)] - sheet.nodes[sheet.node(i + 1, j)];
          sum += 0.5 * sheet.circulation[sheet.ring(i, j)] * rear.cross(span);
        }
  return flow.wind().density * sum;
}

TEST(VortexLattice, ForceIsTheRateOfTheImpulseOfAllVortices) {
  // Only a free wake bears no force, so only there it holds; all of it: bound and shed rings, lift and drag. In time over
  // [2, 4], so that the sudden start is left out; errors fall with panel and step.
  double gap[3];
  for (int level = 0; level < 3; ++level) {
    BendingWing wing;
    wing.shape = {2 << level, 6 << level};
    const double dt = 0.5 / (1 << level);
    const int steps = int(std::lround(4 / dt));
    VortexLattice flow(Lattice({wing.shape}), wing.corners(0), breeze,
                       {.wake = WakeKind::free, .wake_rows = steps, .core = 0.02});
    Vector3d begin, pushed = Vector3d::Zero();
    std::vector<Loads> loads;
    for (int k = 1; k <= steps; ++k) {
      loads.push_back(march(flow, wing, dt, 1)[0]);
      if (k == steps / 2) begin = lift_impulse(flow);
      if (k > steps / 2) pushed += dt / 2 * (loads[k - 1].force + loads[k - 2].force);
    }
    gap[level] = (pushed - (lift_impulse(flow) - begin)).norm() / pushed.norm();
  }
  EXPECT_LT(gap[2], 0.01);
  EXPECT_LT(gap[1], 0.7 * gap[0]);
  EXPECT_LT(gap[2], 0.7 * gap[1]);
}

TEST(VortexLattice, CornerForcesDoTheWorkOfThePanelForces) {
  const BendingWing wing;
  VortexLattice flow(Lattice({wing.shape}), wing.corners(0), breeze, {.wake_rows = 8});
  const Loads loads = march(flow, wing, 0.3, 6).back();
  const Points corners = wing.corners(flow.t());
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero(), by_panels = Vector3d::Zero(), about = Vector3d::Zero();
  for (int k = 0; k < corners.cols(); ++k) {
    force += loads.corner_force.col(k);
    moment += corners.col(k).cross(loads.corner_force.col(k));
  }
  for (int p = 0; p < flow.lattice().n_panels(); ++p) {
    by_panels += loads.panel_force.col(p);
    about += loads.panel_centre.col(p).cross(loads.panel_force.col(p)) + loads.panel_moment.col(p);
  }
  const double scale = loads.panel_force.cwiseAbs().sum();
  EXPECT_LT((force - loads.force).norm(), 1e-14 * scale);
  EXPECT_LT((by_panels - loads.force).norm(), 1e-14 * scale);
  EXPECT_LT((moment - loads.moment).norm(), 1e-14 * scale);
  EXPECT_LT((about - loads.moment).norm(), 1e-14 * scale);
}

/// A motion seen from elsewhere: x ↦ R x + p + u t.
struct Moved {
  BendingWing wing;
  Eigen::Matrix3d R;
  Vector3d p, u;
  Points corners(double t) const { return (R * wing.corners(t)).colwise() + (p + u * t); }
  Points velocities(double t) const { return (R * wing.velocities(t)).colwise() + u; }
};

RC_GTEST_PROP(VortexLattice, LooksTheSameFromEverywhere, ()) {
  const auto seed = any_seed();
  std::mt19937 generator(seed);
  std::normal_distribution<double> some;
  auto vector = [&] { return Vector3d(some(generator), some(generator), some(generator)); };
  Moved moved;
  moved.R = Eigen::Quaterniond(some(generator), some(generator), some(generator), some(generator)).normalized();
  moved.p = vector();
  moved.u = vector();
  const bool mirror = *rc::gen::arbitrary<bool>();
  moved.wing.half = mirror;
  if (mirror) moved.u -= moved.u.dot(moved.R.col(1)) * moved.R.col(1);  // along the plane
  LatticeOptions options{.wake = *rc::gen::arbitrary<bool>() ? WakeKind::free : WakeKind::prescribed,
                         .wake_rows = 3,
                         .truncation = *rc::gen::arbitrary<bool>() ? Truncation::merge : Truncation::drop,
                         .core = 0.1};
  LatticeOptions options_moved = options;
  if (mirror) {
    options.symmetry = SymmetryPlane{};
    options_moved.symmetry = SymmetryPlane{.point = moved.p, .normal = moved.R.col(1)};
  }
  Wind wind = breeze;
  wind.velocity = moved.R * breeze.velocity + moved.u;
  VortexLattice here(Lattice({moved.wing.shape}), moved.wing.corners(0), breeze, options);
  VortexLattice there(Lattice({moved.wing.shape}), moved.corners(0), wind, options_moved);
  const Points a = march(here, moved.wing, 0.3, 6).back().panel_force,
               b = march(there, moved, 0.3, 6).back().panel_force;
  // Rounding of positions up to 10 off the origin, condition of the influence matrix ~ 10.
  RC_ASSERT((moved.R * a - b).norm() < 1e-12 * a.norm());
}

TEST(VortexLattice, AWingThatFliesThroughStillAirIsAWingInTheWind) {
  Moved flying;
  flying.R.setIdentity();
  flying.p.setZero();
  flying.u = -breeze.velocity;
  for (const WakeKind kind : {WakeKind::prescribed, WakeKind::free}) {
    const LatticeOptions options{.wake = kind, .wake_rows = 20, .core = 0.05};
    VortexLattice in_wind(Lattice({flying.wing.shape}), flying.wing.corners(0), breeze, options);
    VortexLattice in_still_air(Lattice({flying.wing.shape}), flying.corners(0),
                               {.velocity = Vector3d::Zero(), .density = 1.2}, options);
    const Points a = march(in_wind, flying.wing, 0.3, 12).back().corner_force,
                 b = march(in_still_air, flying, 0.3, 12).back().corner_force;
    EXPECT_LT((a - b).norm(), 1e-12 * a.norm());
  }
}

TEST(VortexLattice, HalfAWingWithItsImageIsTheWholeWing) {
  BendingWing whole, half;
  half.half = true;
  whole.shape.n_span = 8;  // stations at powers of two: the same numbers on both
  half.shape.n_span = whole.shape.n_span / 2;
  for (const WakeKind kind : {WakeKind::prescribed, WakeKind::free}) {
    LatticeOptions options{.wake = kind, .wake_rows = 6, .core = 0.05};
    VortexLattice all(Lattice({whole.shape}), whole.corners(0), breeze, options);
    options.symmetry = SymmetryPlane{};
    VortexLattice one(Lattice({half.shape}), half.corners(0), breeze, options);
    const std::vector<Loads> both = march(all, whole, 0.3, 10), part = march(one, half, 0.3, 10);
    double largest = 0;
    for (size_t k = 0; k < both.size(); ++k)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j)
          largest =
              std::max(largest, (both[k].panel_force.col(8 * i + 4 + j) - part[k].panel_force.col(4 * i + j)).norm());
    EXPECT_LT(largest, 1e-14);
  }
}

TEST(VortexLattice, SolvingAgainAndAgainChangesNothing) {
  const BendingWing wing;
  const LatticeOptions options{.wake = WakeKind::free, .wake_rows = 5, .core = 0.05};
  VortexLattice once(Lattice({wing.shape}), wing.corners(0), breeze, options),
      often(Lattice({wing.shape}), wing.corners(0), breeze, options);
  for (int k = 1; k <= 8; ++k) {
    const double t = 0.3 * k;
    once.begin_step(0.3);
    const Points expected = once.solve(wing.corners(t), wing.velocities(t)).corner_force;
    once.accept();
    const VectorXd before = often.save();
    often.begin_step(0.7);  // a step that is given up
    often.solve(wing.corners(t + 1), wing.velocities(t - 1));
    often.begin_step(0.3);
    for (const double guess : {t + 0.2, t - 0.1}) often.solve(wing.corners(guess), wing.velocities(guess));
    EXPECT_EQ(often.solve(wing.corners(t), wing.velocities(t)).corner_force, expected);
    // Nothing but the reference of the factor may differ in what is saved.
    const Eigen::Index state = before.size() - 3 * often.lattice().n_corners() - 1;
    EXPECT_EQ(often.save().head(state), before.head(state));
    often.accept();
  }
}

TEST(VortexLattice, GoesOnFromASavedStateBitByBit) {
  BendingWing wing;
  for (const double bending : {0.15, 0.0}) {  // with and without new factors
    wing.bending = bending;
    for (const Truncation truncation : {Truncation::drop, Truncation::merge}) {
      const LatticeOptions options{.wake = WakeKind::free, .wake_rows = 4, .truncation = truncation, .core = 0.05};
      VortexLattice original(Lattice({wing.shape}), wing.corners(0), breeze, options);
      march(original, wing, 0.3, 3);
      const VectorXd saved = original.save();
      VortexLattice resumed(Lattice({wing.shape}), wing.corners(0), breeze, options);
      resumed.restore(saved);
      EXPECT_EQ(resumed.t(), original.t());
      const std::vector<Loads> a = march(original, wing, 0.25, 6), b = march(resumed, wing, 0.25, 6);
      for (int k = 0; k < 6; ++k) EXPECT_EQ(a[k].corner_force, b[k].corner_force) << k;
      EXPECT_EQ(original.save(), resumed.save());
    }
  }
  VortexLattice other(Lattice({wing.shape}), wing.corners(0), breeze, {.wake_rows = 9});
  EXPECT_THROW(other.restore(VectorXd::Zero(5)), LatticeError);
}

TEST(VortexLattice, KeepsItsFactorWhileTheShapeHolds) {
  BendingWing wing;
  wing.bending = 0;  // heave and pitch of a rigid wing
  struct Rigid {
    Points shape;
    Eigen::Matrix3d R(double t) const {
      return Eigen::AngleAxisd(0.3 * std::sin(t), Vector3d(0.1, 1, 0.3).normalized()).toRotationMatrix();
    }
    Points corners(double t) const { return (R(t) * shape).colwise() + Vector3d(-3 * t, 0, 0.2 * t * t); }
    Points velocities(double t) const { return (corners(t + 1e-5) - corners(t - 1e-5)) / 2e-5; }
  } const rigid{wing.corners(0)};
  LatticeOptions options{.wake_rows = 6};
  VortexLattice keeping(Lattice({wing.shape}), rigid.corners(0), breeze, options);
  options.rigid_tolerance = -1;
  VortexLattice renewing(Lattice({wing.shape}), rigid.corners(0), breeze, options);
  const Points kept = march(keeping, rigid, 0.2, 12).back().corner_force,
               fresh = march(renewing, rigid, 0.2, 12).back().corner_force;
  EXPECT_EQ(keeping.factorisations(), 1);
  EXPECT_EQ(renewing.factorisations(), 12);
  EXPECT_LT((kept - fresh).norm(), 1e-12 * fresh.norm());

  // A wing that bends, by a thousandth of its thickness even, needs a new factor; and half a wing that turns with its
  // plane fixed.
  wing.bending = 1e-6;
  VortexLattice bending(Lattice({wing.shape}), wing.corners(0), breeze, {.wake_rows = 6});
  march(bending, wing, 0.2, 5);
  EXPECT_EQ(bending.factorisations(), 5);
  VortexLattice mirrored(Lattice({wing.shape}), rigid.corners(0), breeze,
                         {.wake_rows = 6, .symmetry = SymmetryPlane{.point = {0, -9, 0}}});
  march(mirrored, rigid, 0.2, 5);
  EXPECT_EQ(mirrored.factorisations(), 5);
  // Along the plane it may go; nearer to its image it may not.
  const Points corners = wing.corners(0), velocities = still(corners);
  VortexLattice wall(Lattice({wing.shape}), corners, breeze,
                     {.wake_rows = 6, .symmetry = SymmetryPlane{.point = {0, -9, 0}}});
  wall.begin_step(0.1);
  wall.solve(corners, velocities);
  wall.solve(corners.colwise() + Vector3d(5, 0, -2), velocities);
  EXPECT_EQ(wall.factorisations(), 1);
  wall.solve(corners.colwise() + Vector3d(0, -1, 0), velocities);
  EXPECT_EQ(wall.factorisations(), 2);
}

TEST(VortexLattice, AStepAllocatesNothing) {
  BendingWing wing;
  const Points corners = wing.corners(0), velocities = wing.velocities(0.5);
  for (const WakeKind kind : {WakeKind::prescribed, WakeKind::free})
    for (const Truncation truncation : {Truncation::drop, Truncation::merge}) {
      VortexLattice flow(Lattice({wing.shape}), corners, breeze,
                         {.wake = kind, .wake_rows = 5, .truncation = truncation, .core = 0.05});
      auto step = [&] {
        flow.begin_step(0.2);
        flow.solve(corners, velocities);
        flow.accept();
      };
      step();
      const long before = allocations();
      for (int k = 0; k < 8; ++k) step();
      EXPECT_EQ(allocations(), before);
    }
}

TEST(VortexLattice, StartsFromSteadyFlowAndStaysThere) {
  const BendingWing wing;
  const Points corners = wing.corners(0);
  VortexLattice flow(Lattice({wing.shape}), corners, breeze, {.wake_rows = 15});
  march(flow, wing, 0.3, 2);  // whatever has been
  flow.start_steady(corners, 0.3);
  const VectorXd circulation = flow.circulation();
  ASSERT_GT(circulation.norm(), 0.1);
  for (int k = 0; k < 3; ++k) {
    flow.begin_step(0.3);
    flow.solve(corners, still(corners));
    flow.accept();
    EXPECT_LT((flow.circulation() - circulation).norm(), 1e-13 * circulation.norm());
  }
}

TEST(VortexLattice, TruncatedWakesLoseLittleAndMergedOnesLess) {
  // A wing that has pitched up and holds: the whole wake, ten rows dropped or merged at 2 chords.
  const SurfaceShape shape{5, 8};
  const Points corners = rectangle(shape, 1, 4);
  auto lift = [&](int rows, Truncation truncation) {
    VortexLattice flow(Lattice({shape}), corners, climbing_wind(0.05), {.wake_rows = rows, .truncation = truncation});
    double last = 0;
    for (int k = 0; k < 100; ++k) {
      flow.begin_step(0.2);
      last = flow.solve(corners, still(corners)).force.z();
      flow.accept();
    }
    return last;
  };
  const double whole = lift(100, Truncation::drop), dropped = lift(10, Truncation::drop) / whole - 1,
               longer = lift(40, Truncation::drop) / whole - 1, merged = lift(10, Truncation::merge) / whole - 1;
  // Rings behind L lift the air at the wing by Γ b/(8π L²), against a downwash of some Γ/(2π b): without those behind 2
  // chords it lacks lift by per cents, without those behind 8 chords by some sixteenth of that.
  EXPECT_LT(dropped, -0.01);
  EXPECT_GT(dropped, -0.1);
  EXPECT_NEAR(dropped / longer, 16, 4);
  EXPECT_LT(std::abs(merged), 0.1 * std::abs(dropped));
}

TEST(VortexLattice, MergedWakesKeepTheirImpulse) {
  BendingWing wing;
  wing.shape = {3, 4};
  const Points flat = rectangle(wing.shape, 1, 3);
  auto impulse = [&](int rows) {
    VortexLattice flow(Lattice({wing.shape}), flat, climbing_wind(0.05),
                       {.wake_rows = rows, .truncation = Truncation::merge});
    Points velocities = still(flat);
    // One wake long enough for all, one that merges from the fifth row on; the same circulation is asked of both by
    // looking at the last ring's impulse alone.
    for (int k = 0; k < 5; ++k) {
      flow.begin_step(0.3);
      velocities.row(2).setConstant(0.02 * k);
      flow.solve(flat, velocities);
      flow.accept();
    }
    const RingSheet& wake = flow.wake()[0];
    double sum = 0;
    for (int i = 0; i < wake.rows; ++i)
      for (int j = 0; j < wake.columns(); ++j) {
        const Vector3d rear = wake.nodes[wake.node(i + 1, j)] - wake.nodes[wake.node(i, j)];
        sum += wake.circulation[wake.ring(i, j)] * rear.norm();
      }
    return sum;
  };
  // The merge takes place in the wake of the fifth step, before its solution can feel it.
  EXPECT_NEAR(impulse(4), impulse(10), 1e-14);
}

TEST(VortexLattice, AFreeWakeMovesWithTheAir) {
  const BendingWing wing;
  for (const WakeKind kind : {WakeKind::prescribed, WakeKind::free}) {
    VortexLattice flow(Lattice({wing.shape}), wing.corners(0), breeze, {.wake = kind, .wake_rows = 4});
    march(flow, wing, 0.3, 3);
    const RingSheet old = flow.wake()[0];
    std::vector<Vector3d> expected;
    double largest = 0;
    for (int k = 0; k < old.n_nodes(); ++k) {
      const Vector3d induced = flow.velocity_at(old.nodes[k]) - breeze.velocity;
      expected.push_back(old.nodes[k] +
                         0.2 * (breeze.velocity + (kind == WakeKind::free ? induced : Vector3d(0, 0, 0))));
      largest = std::max(largest, induced.norm());
    }
    ASSERT_GT(largest, 0.05);
    march(flow, wing, 0.2, 1);
    const RingSheet& moved = flow.wake()[0];
    ASSERT_EQ(moved.rows, old.rows + 1);
    for (int i = 0; i <= old.rows; ++i)
      for (int j = 0; j <= old.columns(); ++j)
        EXPECT_LT((moved.nodes[moved.node(i + 1, j)] - expected[old.node(i, j)]).norm(), 1e-14);
  }
}

TEST(VortexLattice, FreeWakeRollsUpAndTipsTurnInward) {
  const SurfaceShape shape{2, 12};
  const Points corners = rectangle(shape, 1, 4);
  VortexLattice flow(Lattice({shape}), corners, climbing_wind(0.15),
                     {.wake = WakeKind::free, .wake_rows = 20, .core = 0.1});
  for (int k = 0; k < 20; ++k) {
    flow.begin_step(0.4);
    flow.solve(corners, still(corners));
    flow.accept();
  }
  const RingSheet& wake = flow.wake()[0];
  const Vector3d tip = wake.nodes[wake.node(10, 0)], middle = wake.nodes[wake.node(10, 6)];
  EXPECT_GT(tip.y(), -1.95);              // the tips' vortices approach each other
  EXPECT_LT(middle.z(), tip.z() - 0.05);  // the middle sinks
  EXPECT_NEAR(middle.y(), 0, 1e-12);      // as symmetric as the wing
}

std::string words(const std::function<void()>& call) {
  try {
    call();
  } catch (const LatticeError& error) {
    return error.what();
  }
  return "no error";
}

TEST(VortexLattice, SaysWhatIsWrongWithALattice) {
  const SurfaceShape shape{2, 3};
  const Lattice lattice({{1, 1}, shape});
  EXPECT_EQ(words([] { Lattice({}); }), "a lattice needs at least one surface");
  EXPECT_EQ(words([] { Lattice({{2, 2}, {0, 3}}); }), "surface 1: 1 by 4 corners; a surface needs at least 2 by 2");
  Points corners(3, 16);
  corners.leftCols(4) = rectangle({1, 1}, 1, 1);
  corners.rightCols(12) = rectangle(shape, 1, 2).colwise() + Vector3d(3, 0, 0);
  EXPECT_EQ(words([&] { lattice.check(corners.leftCols(9)); }), "position of 9 corners given, but the lattice has 16");
  Points bad = corners;
  bad(1, 4 + 4 + 2) = std::nan("");
  EXPECT_EQ(words([&] { lattice.check(bad); }), "surface 1, corner (1, 2): position is not a finite number");
  bad = corners;
  bad.col(4 + 9) = bad.col(4 + 5);
  bad.col(4 + 8) = bad.col(4 + 4);
  EXPECT_EQ(words([&] { lattice.check(bad); }), "surface 1, panel (1, 0) has no area (0 m²)");

  auto flow = [&](const Wind& wind, const LatticeOptions& options) { VortexLattice(lattice, corners, wind, options); };
  EXPECT_EQ(words([&] { flow(breeze, {.wake_rows = 0}); }), "rows of wake: expected at least 1, got 0");
  EXPECT_EQ(words([&] { flow(breeze, {.wake_rows = 1, .truncation = Truncation::merge}); }),
            "rows of wake: expected at least 2, got 1");
  EXPECT_EQ(words([&] { flow(breeze, {.core = -1}); }), "a vortex core cannot be negative");
  EXPECT_EQ(words([&] {
              flow(breeze, {.symmetry = SymmetryPlane{.normal = {1, 1, 0}}});
            }),
            "the wind blows through the plane of symmetry");
  EXPECT_EQ(words([&] {
              flow({.velocity = {1, 0, 0}, .density = 0}, {});
            }),
            "the wind needs a finite velocity and a positive density");
  VortexLattice good(lattice, corners, breeze, {});
  EXPECT_EQ(words([&] { good.begin_step(-1); }), "expected a positive step, got -1 s");
  EXPECT_THROW(good.accept(), std::logic_error);
  good.begin_step(0.1);
  bad = still(corners);
  bad(0, 0) = INFINITY;
  EXPECT_EQ(words([&] { good.solve(corners, bad); }), "surface 0, corner (0, 0): velocity is not a finite number");
}

TEST(VortexLattice, FlatPlateInStillAirHasTheAddedMassOfAPlate) {
  // A wide plate that starts to move across itself: Γ̇ alone, π ρ c²/4 per span. No wind, and so short a time that what
  // is shed has not moved: it lies a quarter panel behind the edge, as if the plate were longer by half a panel, and
  // ends like a root. So the error falls as a/m + b/m^1.5 with a = 1.
  const int m[] = {20, 40, 80};
  Eigen::Matrix3d powers;
  Vector3d mass;
  for (int i = 0; i < 3; ++i) {
    const SurfaceShape shape{m[i], 1};
    const double wide = 1e5, dt = 1e-9;
    const Points corners = rectangle(shape, 1, wide);
    VortexLattice flow(Lattice({shape}), corners, {.velocity = Vector3d::Zero(), .density = 1.2}, {.wake_rows = 2});
    Points velocities = still(corners);
    velocities.row(2).setConstant(1e-3);
    flow.begin_step(dt);
    mass[i] = -flow.solve(corners, velocities).force.z() * dt / 1e-3 / wide / (1.2 * pi / 4);
    powers.row(i) << 1, 1.0 / m[i], std::pow(m[i], -1.5);
  }
  const Vector3d fit = powers.inverse() * mass;
  EXPECT_NEAR(fit[0], 1, 1e-4);
  EXPECT_NEAR(fit[1], 1, 0.05);
}

}  // namespace
}  // namespace lithe::aero::testing
