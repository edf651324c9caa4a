#pragma once

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <vector>

#include "lithe/derive/algebra.h"
#include "lithe/derive/symbolic_arm.h"

namespace lithe::derive {

/// Where frames are: R and p of x ↦ R x + p, link by link outwards (lew-book eqs 2, 7). With small tips R is no rotation.
template <class Algebra>
class Placement {
 public:
  using S = typename Algebra::Scalar;
  using Vector = Eigen::Matrix<S, 3, 1>;
  using Matrix = Eigen::Matrix<S, 3, 3>;
  struct Frame {
    Matrix R;
    Vector p;
  };

  Placement(const SymbolicArm& arm, Algebra& algebra)
      : arm_(arm), algebra_(algebra), root_(identity()), frames_(arm.links.size()) {}

  static Frame identity() {
    Frame frame{Matrix(), Vector()};
    for (int a = 0; a < 3; ++a) {
      frame.p[a] = S(0);
      for (int b = 0; b < 3; ++b) frame.R(a, b) = S(a == b ? 1 : 0);
    }
    return frame;
  }

  /// The frame B of link i from that of its parent; links in order, each once.
  void place(int i) {
    const SymbolicLink& link = arm_.links[i];
    Frame frame = link.parent >= 0 ? frames_[link.parent] : root_;
    for (const Step& step : link.way) advance(frame, step);
    if (link.is_free_base) {
      advance(frame, Shift{arm_.base_place});
      advance(frame, EntryTurn{arm_.base_turn});
    }
    settle(frame, fmt::format("{}", i + 1));
    frames_[i] = frame;
  }
  const Frame& of(int i) const { return frames_[i]; }
  /// The frame that the first link's way starts from.
  void start_from(const Frame& root) { root_ = root; }

  void advance(Frame& frame, const Step& step) const {
    if (const auto* shift = std::get_if<Shift>(&step)) {
      frame.p += frame.R * lifted(shift->by);
      return;
    }
    if (const auto* turn = std::get_if<Turn>(&step)) {
      const S c = algebra_.cosine(turn->angle),
              s = turn->sign > 0 ? algebra_.sine(turn->angle) : S(-algebra_.sine(turn->angle));
      const int a = (turn->axis + 1) % 3, b = (turn->axis + 2) % 3;
      const Vector x = frame.R.col(a), y = frame.R.col(b);
      for (int k = 0; k < 3; ++k) {
        frame.R(k, a) = c * x[k] + s * y[k];
        frame.R(k, b) = c * y[k] - s * x[k];
      }
      return;
    }
    Table R;
    if (const auto* constant = std::get_if<ConstantTurn>(&step)) {
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) R[a][b] = exactly(constant->R(a, b));
    } else {
      R = std::get<EntryTurn>(step).R;
    }
    const Matrix before = frame.R;
    for (int k = 0; k < 3; ++k)
      for (int b = 0; b < 3; ++b) {
        S sum = S(0);
        for (int a = 0; a < 3; ++a)
          if (!R[a][b].is_zero()) sum += before(k, a) * algebra_.lift(R[a][b]);
        frame.R(k, b) = sum;
      }
  }

  /// Names the entries, where the algebra wants that.
  void settle(Frame& frame, const std::string& label) {
    for (int a = 0; a < 3; ++a) {
      frame.p[a] = algebra_.settled(fmt::format("o{}{}", label, "xyz"[a]), frame.p[a]);
      for (int b = 0; b < 3; ++b)
        frame.R(a, b) = algebra_.settled(fmt::format("W{}{}{}", label, "xyz"[a], "xyz"[b]), frame.R(a, b));
    }
  }

  Vector lifted(const Triple& t) const { return {algebra_.lift(t[0]), algebra_.lift(t[1]), algebra_.lift(t[2])}; }

 private:
  const SymbolicArm& arm_;
  Algebra& algebra_;
  Frame root_;
  std::vector<Frame> frames_;
};

}  // namespace lithe::derive
