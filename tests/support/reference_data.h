// Numbers of other people's and other programs' making, from tests/reference (its README.md says where they come from).
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe::testing {

inline nlohmann::json reference(const std::string& name) {
  std::ifstream file(LITHE_SOURCE_DIR "/tests/reference/" + name);
  if (!file) throw std::runtime_error("no tests/reference/" + name);
  return nlohmann::json::parse(file);
}

inline VectorXd vector(const nlohmann::json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(values.data(), Eigen::Index(values.size()));
}

inline MatrixXd matrix(const nlohmann::json& rows) {
  MatrixXd result(Eigen::Index(rows.size()), Eigen::Index(rows.at(0).size()));
  for (Eigen::Index i = 0; i < result.rows(); ++i) result.row(i) = vector(rows.at(size_t(i)));
  return result;
}

/// Entry by entry, so that a small entry beside a large one is seen too.
inline void expect_close(const MatrixXd& ours, const MatrixXd& theirs, double tolerance, const std::string& what) {
  ASSERT_EQ(ours.rows(), theirs.rows()) << what;
  ASSERT_EQ(ours.cols(), theirs.cols()) << what;
  for (Eigen::Index i = 0; i < ours.rows(); ++i)
    for (Eigen::Index j = 0; j < ours.cols(); ++j)
      EXPECT_NEAR(ours(i, j), theirs(i, j), tolerance) << what << " (" << i << ", " << j << ")";
}

}  // namespace lithe::testing
