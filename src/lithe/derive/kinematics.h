#pragma once

#include "lithe/arm/arm.h"
#include "lithe/derive/denavit_hartenberg.h"
#include "lithe/derive/equations.h"
#include "lithe/derive/placement.h"

namespace lithe::derive {

/// `pose_` or `tip_` and a link's name, different for every link.
std::string link_code(const std::string& prefix, const std::string& link, std::vector<std::string>& taken);

/// Poses in the world, and geometric Jacobians of tips: for coordinate k
///   [∂_k R Rᵀ]^∨ above ∂_k p,   for a free base [R_B e; R_B e × (p − p_B)] and [0; R_B e] per rate in its axes.
template <class Algebra>
class Kinematic {
 public:
  using S = typename Algebra::Scalar;
  using Frame = typename Placement<Algebra>::Frame;
  using Vector = typename Placement<Algebra>::Vector;

  Kinematic(const Arm& arm, const SymbolicArm& symbolic, Algebra& algebra, Equations& equations)
      : arm_(arm), symbolic_(symbolic), algebra_(algebra), e_(equations), placement_(symbolic, algebra) {}

  void run(const Case* data) {
    Frame root = Placement<Algebra>::identity();
    for (const Step& step : registered(symbolic_.root_turn)) placement_.advance(root, step);
    placement_.advance(root, Shift{symbolic_.root_place});
    placement_.start_from(root);
    std::vector<bool> carries(size_t(arm_.n_links()), false);
    for (const Link& link : arm_.links())
      if (link.parent >= 0 && link.role != LinkRole::rotor) carries[size_t(link.parent)] = true;
    int n_tips = 0;
    for (int i = 0; i < arm_.n_links(); ++i) n_tips += arm_.is_body(i) && !carries[size_t(i)];
    std::vector<std::string> taken;
    for (int i = 0; i < arm_.n_links(); ++i) {
      if (arm_.link(i).role == LinkRole::rotor) continue;
      placement_.place(i);
      if (symbolic_.links[size_t(i)].is_free_base) base_ = i;
      if (!arm_.is_body(i)) continue;
      const std::string& name = symbolic_.links[size_t(i)].name;
      // A rigid link placed by the standard convention is described in its frame at the far end.
      const auto dh = dh_link(data, arm_.link(i));
      Frame own = placement_.of(i);
      const bool far_end = dh && dh->ends_in_its_frame();
      if (far_end)
        for (const Step& step : registered(to_described_frame(i))) placement_.advance(own, step);
      e_.links.push_back({name, link_code("pose", name, taken), i, far_end, written(own), {}, ""});
      if (carries[size_t(i)]) continue;
      Frame tip = placement_.of(i);
      for (const Step& step : registered(symbolic_.links[size_t(i)].tip)) placement_.advance(tip, step);
      placement_.settle(tip, fmt::format("{}t", i + 1));
      const bool one = n_tips == 1;
      e_.tips.push_back({name, one ? "tip_pose" : link_code("tip_pose", name, taken), i, false, written(tip),
                         jacobian(tip), one ? "tip_jacobian" : link_code("tip_jacobian", name, taken)});
    }
  }

 private:
  /// A way whose angles have numbers; those that nothing else needed get them now.
  Way registered(const Way& way) {
    Way result = simplified(way);
    register_angles(result, e_.names);
    return result;
  }

  Way to_described_frame(int i) const {
    Way way = symbolic_.links[size_t(i)].tip;
    way.push_back(Shift{{-symbolic_.links[size_t(i)].length, 0, 0}});
    return way;
  }

  ExMatrix written(const Frame& frame) {
    ExMatrix T(4, std::vector<ex>(4, 0));
    for (size_t a = 0; a < 3; ++a) {
      for (size_t b = 0; b < 3; ++b) T[a][b] = algebra_.written(algebra_.cleaned(frame.R(long(a), long(b)), 1e-14));
      T[a][3] = algebra_.written(algebra_.cleaned(frame.p[long(a)], 1e-14));
    }
    T[3][3] = 1;
    return T;
  }

  ExMatrix jacobian(const Frame& tip) {
    ExMatrix J(6, std::vector<ex>(size_t(e_.nv), 0));
    auto put = [&](int k, const Vector& turn, const Vector& slide) {
      for (int a = 0; a < 3; ++a) {
        J[size_t(a)][size_t(k)] = algebra_.written(algebra_.cleaned(turn[a], 1e-14));
        J[size_t(3 + a)][size_t(k)] = algebra_.written(algebra_.cleaned(slide[a], 1e-14));
      }
    };
    for (int k = 0; k < e_.nv; ++k) {
      Vector turn, slide;
      for (int a = 0; a < 3; ++a) turn[a] = slide[a] = S(0);
      if (base_ >= 0 && k < 6) {
        const Frame& base = placement_.of(base_);
        const Vector axis = base.R.col(k % 3);
        const Vector arm = tip.p - base.p;
        if (k < 3) turn = axis;
        slide = k < 3 ? cross(axis, arm) : axis;
      } else {
        typename Placement<Algebra>::Matrix dR;
        for (int a = 0; a < 3; ++a) {
          slide[a] = algebra_.slope(tip.p[a], k);
          for (int b = 0; b < 3; ++b) dR(a, b) = algebra_.slope(tip.R(a, b), k);
        }
        for (int c = 0; c < 3; ++c) {
          const int a = (c + 1) % 3, b = (c + 2) % 3;
          for (int x = 0; x < 3; ++x) turn[c] += dR(b, x) * tip.R(a, x);
        }
      }
      put(k, turn, slide);
    }
    return J;
  }

  static Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }

  const Arm& arm_;
  const SymbolicArm& symbolic_;
  Algebra& algebra_;
  Equations& e_;
  Placement<Algebra> placement_;
  int base_ = -1;
};

}  // namespace lithe::derive
