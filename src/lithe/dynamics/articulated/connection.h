#pragma once

#include <type_traits>

#include "lithe/dynamics/articulated/recursion_plan.h"
#include "lithe/spatial/counted.h"

namespace lithe {

/// Numbers of connections at the very tip of a bent carrier, by the axes into which its turn is split; 1 to 16 are
/// Denavit–Hartenberg steps on a rigid carrier, and any_connection is every other.
inline constexpr int any_connection = 0, tip_by_zxz = 17, tip_by_yxz = 18;

/// How a body is connected to its carrier, as far as the compiler may know it. The most common connections have a number: revolute
/// joints on a rigid carrier by a Denavit–Hartenberg step, or at the very tip of a bent one. All functions below are then constants,
/// and the recursion's step at such a body is code without branches.
template <int number>
struct Connection {
  static constexpr bool known = number != any_connection;
  static constexpr bool at_tip = number >= tip_by_zxz;
  static constexpr int code = number - 1;  // of a step: 4·(kind of second turn) + 2·(shift along x) + (shift along z)

  const BodyPlan& plan;

  bool turns() const { return known || plan.motion == BodyPlan::Motion::turning; }
  bool slides() const { return !known && plan.motion == BodyPlan::Motion::sliding; }
  bool fixed() const { return !known && plan.motion == BodyPlan::Motion::fixed; }
  bool block() const { return !known && plan.motion == BodyPlan::Motion::block; }
  bool free() const { return !known && plan.motion == BodyPlan::Motion::free; }
  bool on_root() const { return !known && plan.parent < 0; }
  bool on_resting_root() const { return !known && plan.carrier == BodyPlan::Carrier::resting_root; }
  bool on_moving_root() const { return !known && plan.carrier == BodyPlan::Carrier::moving_root; }
  /// Whether the two turns before the last one are those of a state: behind a link that bends, and at a block.
  bool bent() const { return known ? at_tip : plan.carrier == BodyPlan::Carrier::bent || block(); }
  ConstantTurn::Kind first() const { return known ? ConstantTurn::Kind::none : plan.first.kind; }
  ConstantTurn::Kind second() const { return known ? ConstantTurn::Kind(code / 4) : plan.second.kind; }
  /// Whether N lies off the carrier's origin along axis k, after the two turns. Behind a bent carrier x and y mix.
  bool shift_x() const { return known ? !at_tip && (code & 2) : plan.shifts[0] || (bent() && plan.shifts[1]); }
  bool shift_y() const { return !known && (plan.shifts[1] || (bent() && plan.shifts[0])); }
  bool shift_z() const { return known ? !at_tip && (code & 1) : plan.shifts[2] || slides(); }
  /// What the first turn behind a bent carrier is about, of those in use.
  bool by_zxz(bool in_use) const { return known ? number == tip_by_zxz : in_use; }
};

/// The number of a body's connection.
inline int connection_of(const BodyPlan& plan) {
  using Carrier = BodyPlan::Carrier;
  if (plan.motion != BodyPlan::Motion::turning) return any_connection;
  if (plan.carrier == Carrier::bent)
    return plan.shifts[0] || plan.shifts[1] || plan.shifts[2] ? any_connection : plan.by_zxz ? tip_by_zxz : tip_by_yxz;
  if (plan.carrier != Carrier::rigid || plan.first.kind != ConstantTurn::Kind::none || plan.shifts[1])
    return any_connection;
  return 1 + 4 * int(plan.second.kind) + 2 * int(plan.shifts[0]) + int(plan.shifts[2]);
}

/// Calls visit(Connection<number>) for a number known at assembly. If operations are counted, any_connection is used for all: it does
/// the same operations.
template <class S, class Visit>
[[gnu::always_inline]] inline void with_connection(int number, const BodyPlan& plan, const Visit& visit) {
  if constexpr (std::is_same_v<S, Counted>) {
    visit(Connection<any_connection>{plan});
  } else {
    switch (number) {
#define LITHE_CONNECTION(n) \
  case n:                   \
    return visit(Connection<n>{plan});
      LITHE_CONNECTION(1)
      LITHE_CONNECTION(2)
      LITHE_CONNECTION(3)
      LITHE_CONNECTION(4)
      LITHE_CONNECTION(5)
      LITHE_CONNECTION(6)
      LITHE_CONNECTION(7)
      LITHE_CONNECTION(8)
      LITHE_CONNECTION(9)
      LITHE_CONNECTION(10)
      LITHE_CONNECTION(11)
      LITHE_CONNECTION(12)
      LITHE_CONNECTION(13)
      LITHE_CONNECTION(14)
      LITHE_CONNECTION(15)
      LITHE_CONNECTION(16)
      LITHE_CONNECTION(tip_by_zxz)
      LITHE_CONNECTION(tip_by_yxz)
#undef LITHE_CONNECTION
      default:
        return visit(Connection<any_connection>{plan});
    }
  }
}

}  // namespace lithe
