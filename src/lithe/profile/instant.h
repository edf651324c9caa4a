#pragma once

namespace lithe {

/// A time, and the side of it that is meant. Where one smooth piece of a given motion ends and the next begins, its acceleration may
/// jump; `inside` is a time within the piece that is meant. A plain number means the piece that begins there.
struct Instant {
  double t = 0, inside = 0;

  Instant() = default;
  Instant(double time) : t(time), inside(time) {}
  Instant(double time, double time_inside) : t(time), inside(time_inside) {}
  operator double() const { return t; }
  Instant& operator+=(double step) { return *this = Instant(t + step); }
};

}  // namespace lithe
