#pragma once

#include <nlohmann/json.hpp>

#include "lithe/spatial/spatial.h"

namespace lithe::app {

using Json = nlohmann::ordered_json;

inline Json list_of(const Eigen::Ref<const VectorXd>& vector) {
  return std::vector<double>(vector.begin(), vector.end());
}
inline Json rows_of(const Eigen::Ref<const MatrixXd>& matrix) {
  Json rows = Json::array();
  for (int i = 0; i < matrix.rows(); ++i) rows.push_back(list_of(matrix.row(i).transpose()));
  return rows;
}

}  // namespace lithe::app
