#pragma once

#include <type_traits>

#include "lithe/dynamics/articulated/recursion_plan.h"

namespace lithe {

/// How a body is reached from its carrier, as far as the compiler may know it. The commonest ways have a number: joints that turn,
/// on a rigid carrier by a Denavit–Hartenberg step, or at the very tip of a bent one. Everything asked below is
/// then a constant, and the recursion's step at such a body a straight line of code. Number 0 is any other way.
template <int number>
struct Way {
  static constexpr bool known = number != 0;
  static constexpr bool at_tip = number >= 17;  // 17: z x z, 18: y x z
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
  bool by_zxz(bool in_use) const { return known ? number == 17 : in_use; }
};

/// The number of a body's way.
inline int way_of(const BodyPlan& plan) {
  using Carrier = BodyPlan::Carrier;
  if (plan.motion != BodyPlan::Motion::turning) return 0;
  if (plan.carrier == Carrier::bent)
    return plan.shifts[0] || plan.shifts[1] || plan.shifts[2] ? 0 : plan.by_zxz ? 17 : 18;
  if (plan.carrier != Carrier::rigid || plan.first.kind != ConstantTurn::Kind::none || plan.shifts[1]) return 0;
  return 1 + 4 * int(plan.second.kind) + 2 * int(plan.shifts[0]) + int(plan.shifts[2]);
}

/// Calls visit(Way<number>) for a number known at assembly.
template <class Visit>
[[gnu::always_inline]] inline void with_way(int number, const BodyPlan& plan, const Visit& visit) {
  switch (number) {
#define LITHE_WAY(n) \
  case n:            \
    return visit(Way<n>{plan});
    LITHE_WAY(1)
    LITHE_WAY(2)
    LITHE_WAY(3)
    LITHE_WAY(4)
    LITHE_WAY(5)
    LITHE_WAY(6)
    LITHE_WAY(7)
    LITHE_WAY(8)
    LITHE_WAY(9)
    LITHE_WAY(10)
    LITHE_WAY(11)
    LITHE_WAY(12)
    LITHE_WAY(13)
    LITHE_WAY(14)
    LITHE_WAY(15)
    LITHE_WAY(16)
    LITHE_WAY(17)
    LITHE_WAY(18)
#undef LITHE_WAY
    default:
      return visit(Way<0>{plan});
  }
}

}  // namespace lithe
