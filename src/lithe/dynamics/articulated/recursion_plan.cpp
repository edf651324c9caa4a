#include "lithe/dynamics/articulated/recursion_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/dynamics/articulated/connection.h"

namespace lithe {
namespace {

using Motion = BodyPlan::Motion;
using Carrier = BodyPlan::Carrier;
using Form = BodyPlan::Form;

Matrix3d about(int axis, double angle) { return axis_rotation(Vector3d::Unit(axis), angle); }
Matrix3d matrix(const ConstantTurn& turn, int axis) { return about(axis, std::atan2(turn.s, turn.c)); }

/// Rounding of assembly's rotations and products; lengths are measured against the arm's.
constexpr double rounding = 1e-14;

/// A frame on the joint axis of a link that bends, at B's origin: R_NB = Rx Rz, so that axes along B's own take quarter turns.
void frame_on_axis(const Vector3d& axis_B, BodyPlan& body) {
  double across = std::hypot(axis_B.x(), axis_B.y()), round = 0;
  if (across > rounding) {
    round = std::atan2(axis_B.x(), axis_B.y());
    if (std::abs(round) > std::numbers::pi / 2 + rounding) {  // the other of the two ways, without a half turn
      round += round > 0 ? -std::numbers::pi : std::numbers::pi;
      across = -across;
    }
  } else {
    across = 0;
  }
  body.to_B_x = ConstantTurn(std::atan2(across, axis_B.z()));
  body.to_B_z = ConstantTurn(round);
}

/// Where the common normal of two lines meets the first, and its direction. Empty for lines so close to parallel that the normal
/// is ill-determined or far off: inertias about a far origin cancel, and digits with them.
struct Normal {
  Vector3d foot, direction;
};
std::optional<Normal> common_normal(const Vector3d& e, const Vector3d& o, const Vector3d& f) {
  constexpr double least_sine = 1e-2, farthest = 4;
  const Vector3d n = e.cross(f);
  const double square = n.squaredNorm();
  if (square < least_sine * least_sine) return {};
  const double along = o.cross(f).dot(n) / square;
  if (std::abs(along) > farthest * o.norm()) return {};
  return Normal{along * e, n.normalized()};
}

Vector3d axis_of(const Link& link) {
  const auto single = link.joint->single_axis();
  return single ? single->axis : Vector3d::UnitZ();
}

Motion motion_of(const Link& link) {
  if (link.nv() == 0) return Motion::fixed;
  if (const auto single = link.joint->single_axis()) return single->turns ? Motion::turning : Motion::sliding;
  return link.joint->group() == Joint::Group::motion && link.parent < 0 ? Motion::free : Motion::block;
}

/// Plans body after body, carriers first. Until a rigid body's N is chosen, everything on it is known from its B.
class Planner {
 public:
  Planner(const Arm& arm, RecursionPlan& plan) : arm_(arm), plan_(plan), stands_on_(size_t(arm.n_links())) {}

  void run() {
    find_bodies();
    for (size_t i = 0; i < plan_.bodies.size(); ++i) place(int(i));
    for (size_t i = 0; i < plan_.bodies.size(); ++i) finish(int(i));
    measure_scales();
  }

 private:
  /// Where a link's tip frame is, for what stands on it: on body `body` (−1: the root) at X_CT.
  struct Place {
    int body = -1;
    Pose X_CT;
  };
  struct Draft {
    RigidInertia own;  // rigid: all that is fixed together, about B
    RigidInertia tip;  // bends: what hangs on the tip, about T
    Pose X_CF;         // the joint on its carrier: from the carrier's B, T or root frame
    Pose X_BN;         // chosen by place()
    std::vector<int> carries;
  };

  bool bends(int body) const { return plan_.bodies[body].form != Form::rigid; }

  /// Links that are fixed to a rigid carrier or to a tip become part of it.
  void find_bodies() {
    for (int i = 0; i < arm_.n_links(); ++i) {
      const Link& link = arm_.link(i);
      const Place on = link.parent < 0 ? Place{} : stands_on_[link.parent];
      const Pose X_CF = on.X_CT * link.X_PF;
      if (link.nv() == 0 && !link.flex) {
        if (on.body >= 0) {
          Draft& carrier = drafts_[on.body];
          (bends(on.body) ? carrier.tip : carrier.own) += link.whole_inertia().seen_from(X_CF);
        }
        stands_on_[i] = {on.body, X_CF * link.X_BT};
        continue;
      }
      BodyPlan body;
      Draft draft;
      body.link = i;
      body.parent = on.body;
      body.motion = motion_of(link);
      if (body.motion == Motion::block) {
        body.joint = link.joint;
        body.block = plan_.n_blocks++;
      }
      body.nv = link.nv();
      body.q0 = link.q0;
      body.v0 = link.v0;
      body.rotor_inertia = link.rotor_inertia;
      draft.X_CF = X_CF;
      if (link.flex) {
        body.flex_q0 = link.flex_q0();
        body.flex_v0 = link.flex_v0();
        draft.tip = link.payload_T;
        body.form = Form::bordered;  // finish() may change it
      } else {
        draft.own = link.whole_inertia();
      }
      stands_on_[i] = {int(drafts_.size()), link.flex ? Pose{} : link.X_BT};
      if (on.body >= 0) {
        drafts_[on.body].carries.push_back(int(drafts_.size()));
        plan_.bodies[on.body].has_children = true;
      }
      plan_.bodies.push_back(body);
      drafts_.push_back(draft);
    }
    // On the way in the last child is the first to arrive.
    for (BodyPlan& body : plan_.bodies)
      if (body.parent >= 0) body.first_to_arrive = &body == &plan_.bodies[drafts_[body.parent].carries.back()];
  }

  void place(int i) {
    BodyPlan& body = plan_.bodies[i];
    Draft& draft = drafts_[i];
    const Link& link = arm_.link(body.link);
    body.carrier = body.parent >= 0    ? (bends(body.parent) ? Carrier::bent : Carrier::rigid)
                   : arm_.root_moves() ? Carrier::moving_root
                                       : Carrier::resting_root;
    const Pose X_CF = body.carrier == Carrier::rigid ? drafts_[body.parent].X_BN.inverse() * draft.X_CF : draft.X_CF;
    const bool has_axis = body.motion == Motion::turning || body.motion == Motion::sliding;
    if (link.flex) {
      if (has_axis) frame_on_axis(axis_of(link), body);
      draft.X_BN.R = (matrix(body.to_B_x, 0) * matrix(body.to_B_z, 2)).transpose();
    } else if (has_axis) {
      draft.X_BN = denavit_hartenberg(link, draft, X_CF);
    }
    reach(body, X_CF * draft.X_BN);
  }

  /// N of a rigid body: z on its axis, x on the common normal to the first axis it carries.
  Pose denavit_hartenberg(const Link& link, const Draft& draft, const Pose& X_CF) const {
    const Vector3d axis = axis_of(link);
    Pose X_BN{rotation_taking_z_to(axis), Vector3d::Zero()};
    if (!draft.carries.empty()) {
      const Draft& next = drafts_[draft.carries.front()];
      const Link& next_link = arm_.link(plan_.bodies[draft.carries.front()].link);
      const Vector3d next_axis = next.X_CF.R * axis_of(next_link);
      const Vector3d& origin = next.X_CF.p;
      Vector3d x = origin - origin.dot(axis) * axis;  // parallel axes, or nearly: across to the other one
      if (const auto normal = common_normal(axis, origin, next_axis)) {
        X_BN.p = normal->foot;
        x = normal->direction;
      } else {
        // Anywhere on the axis will do: where the carrier's own normal meets it.
        const Pose X_CN = X_CF * X_BN;
        X_BN.p = -X_CN.p.dot(X_CN.R.col(2)) * axis;
      }
      if (x.norm() > rounding * (1 + origin.norm())) {
        x.normalize();
        X_BN.R << x, axis.cross(x), axis;
      }
    }
    return X_BN;
  }

  /// Splits the way from the carrier to N at q = 0 into turns and a shift.
  void reach(BodyPlan& body, const Pose& X_CN) const {
    body.R_CN = X_CN.R;
    body.p = X_CN.R.transpose() * X_CN.p;
    if (body.motion == Motion::block) {  // turned and shifted at every state
      body.p_C = X_CN.p;
      std::fill(std::begin(body.shifts), std::end(body.shifts), true);
      return;
    }
    const Vector3d z = X_CN.R.col(2);
    if (body.carrier == Carrier::bent) {
      body.by_zxz = std::abs(z.z()) < 0.7;
    } else if (body.carrier == Carrier::rigid) {
      // z = Rz Rx e_z = (sin β sin α, −sin β cos α, cos β)
      double alpha = 0, beta = std::atan2(-z.y(), z.z());
      if (std::abs(z.x()) > rounding) {
        alpha = std::atan2(z.x(), -z.y());
        beta = std::atan2(std::hypot(z.x(), z.y()), z.z());
      }
      body.first = ConstantTurn(alpha);
      body.second = ConstantTurn(beta);
      const Matrix3d R = matrix(body.first, 2) * matrix(body.second, 0);
      const Vector3d x = R.transpose() * X_CN.R.col(0);
      body.angle = std::atan2(x.y(), x.x());
      if (std::abs(body.angle) < rounding) body.angle = 0;
      body.third = ConstantTurn(body.angle);
      body.p = R.transpose() * X_CN.p;
    }
    for (int k = 0; k < 3; ++k) {
      if (std::abs(body.p[k]) < rounding * X_CN.p.norm()) body.p[k] = 0;
      body.shifts[k] = body.p[k] != 0;
    }
    body.connection = connection_of(body);
  }

  void finish(int i) {
    BodyPlan& body = plan_.bodies[i];
    const Draft& draft = drafts_[i];
    if (bends(i)) {
      const Link& link = arm_.link(body.link);
      if (link.flex->exact) {
        const TipBody tip(draft.tip);
        body.form = Form::exact;
        body.flex = int(plan_.exacts.size());
        plan_.exacts.push_back({link.flex->exact, tip, body.has_children || tip.kind != TipBody::Kind::none});
      } else if (auto beam = BeamPlan::of(*link.flex, draft.tip)) {
        body.form = Form::beam;
        body.flex = int(plan_.beams.size());
        plan_.beams.push_back(*std::move(beam));
      } else {
        body.flex = int(plan_.borders.size());
        plan_.borders.emplace_back(link.flex, draft.tip);
      }
      return;
    }
    const RigidInertia own = draft.own.seen_from(draft.X_BN.inverse());
    body.mass = own.mass;
    for (int k = 0; k < 3; ++k) body.s[k] = own.first_moment[k];
    for (int r = 0; r < 3; ++r)
      for (int c = r; c < 3; ++c) body.J[axial::at(r, c)] = own.J(r, c);
    if (!body.has_children && body.motion == Motion::turning) plan_leaf(body);
  }

  static void plan_leaf(BodyPlan& body) {
    axial::Inertia<double>& P = body.leaf_P;
    P = axial::body_inertia<double>(body.mass, body.s, body.J);
    const axial::Vector6<double> U = axial::turn_column_z(P);
    const double D = U.v[2].low() + body.rotor_inertia;
    if (!(D > 0)) return;  // its coordinate moves nothing, which the recursion will report
    body.leaf_is_constant = true;
    body.leaf_inverse_D = 1 / D;
    for (int k = 0; k < 3; ++k) body.leaf_L.v[k] = Twin<double>(body.leaf_inverse_D) * U.v[k];
    if (body.rotor_inertia == 0) body.leaf_L.v[2] = Pair<double>(1, body.leaf_L.v[2].high());
    axial::subtract(U, body.leaf_L, P);
    if (body.rotor_inertia == 0) axial::clear_z(P);
  }

  /// About the most that a joint can move, everything outboard at its farthest.
  void measure_scales() {
    std::vector<double> mass(drafts_.size()), reach(drafts_.size()), spin(drafts_.size());
    for (int i = int(drafts_.size()) - 1; i >= 0; --i) {
      BodyPlan& body = plan_.bodies[i];
      const Link& link = arm_.link(body.link);
      RigidInertia own = drafts_[i].own;
      if (link.flex) {
        own = link.flex->undeformed();
        own += drafts_[i].tip.seen_from({Matrix3d::Identity(), link.flex->tip0});
      }
      mass[i] += own.mass;
      spin[i] += own.J.cwiseAbs().maxCoeff();
      const double turning = spin[i] + mass[i] * reach[i] * reach[i];
      body.scale = (body.motion == Motion::turning ? turning
                    : body.motion == Motion::block ? std::max(turning, mass[i])
                                                   : mass[i]) +
                   body.rotor_inertia;
      if (body.parent < 0) continue;
      mass[body.parent] += mass[i];
      spin[body.parent] += spin[i];
      const Link& carrier = arm_.link(plan_.bodies[body.parent].link);
      const double beam = carrier.flex ? carrier.flex->tip0.norm() : 0;
      reach[body.parent] = std::max(reach[body.parent], reach[i] + drafts_[i].X_CF.p.norm() + beam);
    }
  }

  const Arm& arm_;
  RecursionPlan& plan_;
  std::vector<Place> stands_on_;  // by link
  std::vector<Draft> drafts_;     // by body
};

}  // namespace

ConstantTurn::ConstantTurn(double angle) : c(std::cos(angle)), s(std::sin(angle)) {
  if (std::abs(c) < rounding) {
    c = 0;
    s = s > 0 ? 1 : -1;
    kind = s > 0 ? Kind::quarter : Kind::minus_quarter;
  } else if (std::abs(s) < rounding && c > 0) {
    c = 1;
    s = 0;
  } else {
    kind = Kind::generic;
  }
}

RecursionPlan::RecursionPlan(const Arm& arm) { Planner(arm, *this).run(); }

}  // namespace lithe
