#include "lithe/spatial/counted.h"

#include <gtest/gtest.h>

#include "lithe/spatial/spatial.h"

namespace lithe {
namespace {

template <class Work>
WorkCount work_of(Work work) {
  const WorkCount before = Counted::work();
  work();
  return Counted::work() - before;
}

TEST(Counted, CountsWhatTheStateEnters) {
  const Counted x = Counted::unknown(3), y = Counted::unknown(4), c = 0.5;
  Counted z;
  EXPECT_EQ(work_of([&] { z = x * y; }), (WorkCount{.multiplications = 1}));
  EXPECT_EQ(z.value(), 12);
  EXPECT_FALSE(z.known());
  EXPECT_EQ(work_of([&] { z = x - y; }), (WorkCount{.additions = 1}));
  EXPECT_EQ(z.value(), -1);
  EXPECT_EQ(work_of([&] { z = c * x + 2; }), (WorkCount{.multiplications = 1, .additions = 1}));
  EXPECT_EQ(z.value(), 3.5);
  EXPECT_EQ(work_of([&] { z = x / y; }), (WorkCount{.divisions = 1}));
  EXPECT_EQ(z.value(), 0.75);
  EXPECT_EQ(work_of([&] { z = sqrt(y) + sin(x); }), (WorkCount{.additions = 1, .roots = 1, .functions = 1}));
  EXPECT_EQ(z.value(), 2 + std::sin(3));
}

TEST(Counted, WhatIsKnownAtAssemblyIsFree) {
  const Counted x = Counted::unknown(3), c = 0.5, zero = 0, one = 1;
  Counted z;
  EXPECT_EQ(work_of([&] {
              z = c * c + c / 3 - sqrt(c);  // constants with constants
              EXPECT_TRUE(z.known());
              z = zero * x + x * one - x * zero + zero / x + x / one;
            }),
            (WorkCount{.additions = 1}));
  EXPECT_EQ(z.value(), 6);
  EXPECT_EQ(work_of([&] { z = -(x * -one); }), WorkCount{});
  EXPECT_EQ(z.value(), 3);
  // A number of the state that happens to be nought or one is work all the same.
  EXPECT_EQ(work_of([&] { z = x * Counted::unknown(0) + Counted::unknown(1) * x; }),
            (WorkCount{.multiplications = 2, .additions = 1}));
}

TEST(Counted, RunsInMatrices) {
  const Eigen::Matrix3<Counted> R = unknown<Counted>(Matrix3d(Matrix3d::Random()));
  const Eigen::Vector3<Counted> x = unknown<Counted>(Vector3d(1, 2, 3)), e = Vector3d(0, 1, 0).cast<Counted>();
  Eigen::Vector3<Counted> y;
  EXPECT_EQ(work_of([&] { y = R * x; }), (WorkCount{.multiplications = 9, .additions = 6}));
  EXPECT_EQ(work_of([&] { y = R * e; }), WorkCount{}) << "a column of R";
  EXPECT_EQ(work_of([&] { y = x.cross(y); }), (WorkCount{.multiplications = 6, .additions = 3}));
  EXPECT_EQ(work_of([&] { y[0] = x.dot(x); }), (WorkCount{.multiplications = 3, .additions = 2}));

  // Eigen's factorisation on it: L Lᵀ of n × n costs n(n² − 1)/6 products, n(n − 1)/2 divisions and n roots.
  const int n = 12;
  const MatrixXd A = MatrixXd::Random(n, n), M = A * A.transpose() + MatrixXd::Identity(n, n);
  const Eigen::MatrixX<Counted> counted = unknown<Counted>(M);
  const WorkCount work = work_of([&] { counted.llt(); });
  EXPECT_EQ(work.multiplications, n * (n * n - 1) / 6);
  EXPECT_EQ(work.divisions, n * (n - 1) / 2);
  EXPECT_EQ(work.roots, n);
}

}  // namespace
}  // namespace lithe
