#include "lithe/arm/inverse_kinematics.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One coordinate that may move: its places in q and v and its bounds.
struct Mover {
  std::string name;
  int q, v;      // q is −1 where it has no position of its own, as the rates of a ball joint
  bool turns;    // and its position returns after a turn
  double slide;  // how far it shifts what it carries, per unit
  double lower, upper;
};

class Search {
 public:
  Search(const Arm& arm, int i_link, const PoseTarget& target, const ReachOptions& options)
      : arm_(arm), i_link_(i_link), target_(target), options_(options) {
    for (int i = i_link; i >= 0; i = arm.link(i).parent) {
      const Link& link = arm.link(i);
      if (link.role == LinkRole::base || link.role == LinkRole::segment) continue;
      JointDirections H;
      const State zero = State::zero(arm);
      link.joint->directions(zero.q.data() + link.q0, H);
      for (int k = link.nv() - 1; k >= 0; --k) {
        const JointCoordinate& coordinate = link.joint->coordinates()[k];
        const auto& limits = link.forces[k].limits;
        const double slide = H.col(k).tail<3>().norm();
        movers_.push_back({link.joint_name + coordinate.suffix, coordinate.has_position ? link.q0 + k : -1, link.v0 + k,
                           coordinate.turns && slide == 0, slide, limits ? limits->lower : -infinity,
                           limits ? limits->upper : infinity});
      }
    }
    // Radians and metres have equal weight if an angle is measured by its arc at the radius of the arm's size.
    for (int i = i_link; i >= 0; i = arm.link(i).parent) size_ += arm.link(i).X_PF.p.norm() + arm.link(i).X_BT.p.norm();
    if (size_ == 0) size_ = 1;
  }

  /// Descends from state.q; leaves the best position found there.
  double descend(State& state, int& iterations) {
    const int n = int(movers_.size()), rows = target_.rotation ? 6 : 3;
    clamp_all(state.q);
    double lambda = 1e-3;
    VectorXd e = error(state);
    double cost = e.squaredNorm();
    for (int k = 0; k < options_.max_iterations && !met(e); ++k) {
      ++iterations;
      const Matrix6Xd J_all = tip_jacobian(arm_, kin_, i_link_);
      MatrixXd J(rows, n);
      for (int j = 0; j < n; ++j) {
        J.col(j).tail(3) = J_all.col(movers_[j].v).tail<3>();
        if (rows == 6) J.col(j).head(3) = size_ * J_all.col(movers_[j].v).head<3>();
      }
      // A joint at its bound that the gradient presses outwards stays there this time.
      const VectorXd gradient = J.transpose() * e;
      for (int j = 0; j < n; ++j) {
        if (movers_[j].q < 0) continue;
        const double q = state.q[movers_[j].q];
        if ((q <= movers_[j].lower && gradient[j] < 0) || (q >= movers_[j].upper && gradient[j] > 0))
          J.col(j).setZero();
      }
      MatrixXd A = J.transpose() * J;
      const double scale = std::max(A.diagonal().maxCoeff(), 1e-12);
      A.diagonal().array() += lambda * scale;
      const VectorXd step = A.ldlt().solve(J.transpose() * e);
      State trial = state;
      VectorXd way = VectorXd::Zero(arm_.nv());
      for (int j = 0; j < n; ++j) way[movers_[j].v] = step[j];
      displace(arm_, trial.q, way);
      clamp_all(trial.q);
      const VectorXd e_trial = error(trial);
      if (e_trial.squaredNorm() < cost) {
        const double gain = 1 - e_trial.squaredNorm() / cost;
        state.q = trial.q;
        e = e_trial;
        cost = e.squaredNorm();
        lambda = std::max(lambda / 5, 1e-15);
        if (gain < 1e-12 && lambda < 1e-9) break;  // a minimum, not the target
      } else {
        lambda *= 4;
        if (lambda > 1e8) break;
        error(state);  // kinematics back to the accepted position
      }
    }
    return cost;
  }

  void scatter(State& state, std::minstd_rand& random) const {
    std::uniform_real_distribution<double> uniform(0, 1);
    VectorXd way = VectorXd::Zero(arm_.nv());
    for (const Mover& mover : movers_) {
      const double wide = mover.turns ? std::numbers::pi : size_ / std::max(mover.slide, 1e-12);
      const double low = std::max(mover.lower, -wide), high = std::min(mover.upper, wide);
      const double value = low + (high - low) * uniform(random);
      (mover.q < 0 ? way[mover.v] : state.q[mover.q]) = value;
    }
    displace(arm_, state.q, way);
  }

  /// Removes whole turns: to (−π, π] or, if limits forbid that, to the smallest angle within them.
  void unwind(VectorXd& q) const {
    constexpr double turn = 2 * std::numbers::pi;
    for (const Mover& mover : movers_) {
      if (!mover.turns || mover.q < 0) continue;
      double& angle = q[mover.q];
      const double least = angle - turn * std::ceil(angle / turn - 0.5);
      // The angle nearest to zero comes first; at a limit, rounding may leave only the angle itself.
      for (double k = 0; k < std::abs(angle) / turn; ++k) {
        const double away = std::copysign(k * turn, least);
        if (!inside(least - away, mover) && !inside(least + away, mover)) continue;
        angle = inside(least - away, mover) ? least - away : least + away;
        break;
      }
    }
  }

  void report(const State& state, ReachResult& result) {
    const VectorXd e = error(state);
    result.q = state.q;
    result.position_error = e.tail(3).norm();
    result.rotation_error = target_.rotation ? e.head(3).norm() / size_ : 0;
    result.reached = met(e);
    if (result.reached) return;
    result.why = fmt::format("the nearest pose found is {:.4g} m and {:.3g} deg away", result.position_error,
                             result.rotation_error * 180 / std::numbers::pi);
    const double reach_of_arm = farthest(), distance = (target_.position - kin_.X_WR.p).norm();
    if (distance > reach_of_arm)
      result.why += fmt::format("; the target is {:.4g} m from the base and the arm reaches {:.4g} m at most", distance,
                                reach_of_arm);
    std::string stopped;
    for (auto mover = movers_.rbegin(); mover != movers_.rend(); ++mover) {
      if (mover->q < 0) continue;
      const double q = state.q[mover->q];
      if (q <= mover->lower || q >= mover->upper) stopped += (stopped.empty() ? "" : ", ") + mover->name;
    }
    if (!stopped.empty()) result.why += "; at their limits: " + stopped;
    if (target_.rotation && movers_.size() < 6)
      result.why += fmt::format("; a full pose needs six joints, but {} move this tip", movers_.size());
  }

 private:
  static bool inside(double q, const Mover& mover) { return q >= mover.lower && q <= mover.upper; }
  void clamp_all(VectorXd& q) const {
    for (const Mover& mover : movers_)
      if (mover.q >= 0) q[mover.q] = std::min(std::max(q[mover.q], mover.lower), mover.upper);
  }

  /// [size · rotation error; position error] from the tip to the target, world axes; updates the kinematics.
  VectorXd error(const State& state) {
    update_kinematics(arm_, state, kin_);
    const Pose& X_WT = kin_.X_WT[i_link_];
    VectorXd e(target_.rotation ? 6 : 3);
    e.tail(3) = target_.position - X_WT.p;
    if (target_.rotation) e.head(3) = size_ * log_rotation(*target_.rotation * X_WT.R.transpose());
    return e;
  }
  bool met(const VectorXd& e) const {
    return e.tail(3).norm() <= options_.position_tolerance &&
           (!target_.rotation || e.head(3).norm() <= size_ * options_.rotation_tolerance);
  }
  /// No tip is farther from the base than the sum of all offsets on the way to it.
  double farthest() const {
    double sum = size_;
    for (const Mover& mover : movers_)
      if (mover.slide > 0) sum += mover.slide * std::max(std::abs(mover.lower), std::abs(mover.upper));
    return sum;
  }

  const Arm& arm_;
  int i_link_;
  const PoseTarget& target_;
  const ReachOptions& options_;
  std::vector<Mover> movers_;
  double size_ = 0;
  Kinematics kin_;
};

}  // namespace

ReachResult reach(const Arm& arm, int i_link, const PoseTarget& target, const State& start,
                  const ReachOptions& options) {
  LITHE_DEMAND(i_link >= 0 && i_link < arm.n_links());
  Search search(arm, i_link, target, options);
  ReachResult result;
  std::minstd_rand random(1);
  State best = start;
  double best_cost = infinity;
  search.report(best, result);  // a result, whatever happens below
  for (int k = 0; k < options.n_starts && !result.reached; ++k) {
    State state = start;
    if (k > 0) search.scatter(state, random);
    const double cost = search.descend(state, result.iterations);
    if (cost < best_cost) {
      best_cost = cost;
      best = state;
      search.report(best, result);
    }
  }
  if (result.reached) result.why.clear();
  search.unwind(result.q);
  // Rotors behind springs move with their joints, with the springs at rest.
  for (const Transmission& spring : arm.transmissions())
    result.q[arm.link(spring.rotor_link).q0] = result.q[arm.link(spring.joint_link).q0];
  return result;
}

}  // namespace lithe
