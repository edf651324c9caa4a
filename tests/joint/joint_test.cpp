// Every joint kind against differences of its own X_FM: directions, their rates and slopes, and how positions follow rates.
#include <gtest/gtest.h>

#include <random>

#include "lithe/joint/kinds.h"

namespace lithe {
namespace {

using Position = std::vector<double>;

/// One joint of every kind that moves, and the floating base's, in general position.
std::vector<std::shared_ptr<const Joint>> all_joints() {
  JointParameters given;
  given.axis = Vector3d(0.3, -0.5, 0.8).normalized();
  given.second_axis = Vector3d(0.9, 0.1, 0.4).normalized();
  given.pitch = 0.7;
  std::vector<std::shared_ptr<const Joint>> joints{free_joint()};
  for (const JointKind& kind : joint_kinds())
    if (!kind.coordinates.empty()) joints.push_back(kind.make(given));
  return joints;
}

class Draw {
 public:
  VectorXd rates(const Joint& joint) {
    return VectorXd::NullaryExpr(joint.nv(), [&] { return uniform_(engine_); });
  }
  Position position(const Joint& joint) {
    Position q(size_t(joint.nq()));
    joint.set_zero(q.data());
    const VectorXd way = 2 * rates(joint);
    joint.displace(q.data(), way.data());
    return q;
  }

 private:
  std::mt19937 engine_{7};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

Position displaced(const Joint& joint, Position q, const VectorXd& dv) {
  joint.displace(q.data(), dv.data());
  return q;
}

JointDirections directions(const Joint& joint, const Position& q) {
  JointDirections H;
  joint.directions(q.data(), H);
  return H;
}

/// [ω; v] in M axes of the motion from one pose to another, over a small step.
Vector6d velocity(const Pose& from, const Pose& to, double step) {
  const Pose X = from.inverse() * to;
  Vector6d V;
  V << log_rotation(X.R), X.p;
  return V / step;
}

constexpr double h = 1e-5;      // of central differences
constexpr double close = 2e-9;  // what they leave and what rounding adds: h² and 1e-16/h
constexpr int trials = 20;

template <class Check>
void for_all(Check check) {
  Draw draw;
  for (const auto& joint : all_joints())
    for (int k = 0; k < trials; ++k) {
      SCOPED_TRACE(std::string(joint->word()));
      check(*joint, draw);
    }
}

TEST(Joints, MoveAlongTheirDirections) {
  for_all([](const Joint& joint, Draw& draw) {
    const Position q = draw.position(joint);
    const JointDirections H = directions(joint, q);
    ASSERT_EQ(H.cols(), joint.nv());
    for (int k = 0; k < joint.nv(); ++k) {
      const VectorXd step = h * VectorXd::Unit(joint.nv(), k);
      const Pose back = joint.X_FM(displaced(joint, q, -step).data()),
                 on = joint.X_FM(displaced(joint, q, step).data());
      // Halfway between the two is q, to second order; in the axes there.
      const Pose here = joint.X_FM(q.data());
      const Vector6d found = (velocity(here, on, h) - velocity(here, back, h)) / 2;
      EXPECT_LT((found - H.col(k)).norm(), close) << k;
    }
  });
}

TEST(Joints, KnowHowTheirDirectionsChange) {
  for_all([](const Joint& joint, Draw& draw) {
    const Position q = draw.position(joint);
    const VectorXd v = draw.rates(joint), u = draw.rates(joint);
    const JointDirections before = directions(joint, displaced(joint, q, -h * v)),
                          after = directions(joint, displaced(joint, q, h * v));
    const Vector6d change = (after - before) * v / (2 * h);
    if (!joint.directions_change()) {
      EXPECT_EQ(before, after);
      return;
    }
    EXPECT_LT((joint.direction_rate(q.data(), v.data()) - change).norm(), close);
    JointDirections slopes, by_differences, by_position, by_rate, other_position, other_rate;
    joint.direction_slopes(q.data(), u.data(), slopes);
    joint.Joint::direction_slopes(q.data(), u.data(), by_differences);
    EXPECT_LT((slopes - by_differences).norm(), close);
    joint.rate_slopes(q.data(), v.data(), by_position, by_rate);
    joint.Joint::rate_slopes(q.data(), v.data(), other_position, other_rate);
    EXPECT_LT((by_position - other_position).norm(), close);
    EXPECT_LT((by_rate - other_rate).norm(), 1e-13);
  });
}

TEST(Joints, PositionsFollowRates) {
  for_all([](const Joint& joint, Draw& draw) {
    const Position q = draw.position(joint);
    const VectorXd v = draw.rates(joint);
    const Position before = displaced(joint, q, -h * v), after = displaced(joint, q, h * v);
    Position rate(q.size());
    joint.position_rate(q.data(), v.data(), rate.data());
    for (size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(rate[k], (after[k] - before[k]) / (2 * h), close) << k;
    EXPECT_EQ(joint.rates_are_coordinates(), rate == Position(v.begin(), v.end()));
  });
}

TEST(Joints, ChartsAreSlopesOfPositions) {
  for_all([](const Joint& joint, Draw& draw) {
    Position q = draw.position(joint);
    // Between steps of an integration quaternions are not quite of unit length.
    if (joint.quaternion() >= 0)
      for (int k = 0; k < 4; ++k) q[size_t(joint.quaternion() + k)] *= 1.02;
    const VectorXd v = draw.rates(joint);
    JointChart to_rates, to_positions, slope;
    joint.chart(q.data(), v.data(), to_rates, to_positions, slope);
    const MatrixXd there_and_back = to_rates * to_positions;
    EXPECT_LT((there_and_back - MatrixXd::Identity(joint.nv(), joint.nv())).norm(), 1e-13);
    Position rate(q.size());
    joint.position_rate(q.data(), v.data(), rate.data());
    const VectorXd linear = to_positions * v;
    for (size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(rate[k], linear[Eigen::Index(k)], 1e-13);
    for (size_t i = 0; i < q.size(); ++i) {
      auto rate_at = [&](double step) {
        Position moved = q, result(q.size());
        moved[i] += step;
        joint.position_rate(moved.data(), v.data(), result.data());
        if (const int first = joint.quaternion(); first >= 0) {  // and the pull to unit length, as System adds it
          double square = 0;
          for (int k = 0; k < 4; ++k) square += moved[size_t(first + k)] * moved[size_t(first + k)];
          for (int k = 0; k < 4; ++k) result[size_t(first + k)] += (1 - square) * moved[size_t(first + k)];
        }
        return result;
      };
      const Position before = rate_at(-h), after = rate_at(h);
      for (size_t k = 0; k < q.size(); ++k)
        EXPECT_NEAR(slope(Eigen::Index(k), Eigen::Index(i)), (after[k] - before[k]) / (2 * h), close) << k << i;
    }
  });
}

/// Pictures move by these.
TEST(Joints, AreProductsOfElementaryMotions) {
  for_all([](const Joint& joint, Draw& draw) {
    const Position q = draw.position(joint);
    Pose X;
    for (const ElementaryMotion& step : joint.steps()) {
      const double* at = &q[size_t(step.index)];
      switch (step.kind) {
        case ElementaryMotion::Kind::turn:
          X = X * Pose{axis_rotation(step.axis, step.factor * *at), Vector3d::Zero()};
          break;
        case ElementaryMotion::Kind::slide:
          X = X * Pose{Matrix3d::Identity(), step.factor * *at * step.axis};
          break;
        case ElementaryMotion::Kind::shift:
          X = X * Pose{Matrix3d::Identity(), Vector3d(at[0], at[1], at[2])};
          break;
        case ElementaryMotion::Kind::quaternion:
          X = X * Pose{Quaterniond(at[0], at[1], at[2], at[3]).normalized().toRotationMatrix(), Vector3d::Zero()};
          break;
      }
    }
    const Pose own = joint.X_FM(q.data());
    EXPECT_LT((X.R - own.R).norm() + (X.p - own.p).norm(), 1e-14);
  });
}

TEST(Joints, AreFoundByTheirWord) {
  EXPECT_EQ(find_joint_kind("no such"), nullptr);
  for (const JointKind& kind : joint_kinds()) {
    const auto joint = kind.make({});
    EXPECT_EQ(joint->word(), kind.word);
    ASSERT_EQ(joint->nv(), int(kind.coordinates.size()));
    EXPECT_EQ(find_joint_kind(kind.word), &kind);
    EXPECT_EQ(int(joint->position_suffixes().size()), joint->nq());
  }
  EXPECT_THROW(add_joint_kind({.word = "revolute"}), std::invalid_argument);
}

}  // namespace
}  // namespace lithe
