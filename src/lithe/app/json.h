#pragma once

#include <nlohmann/json.hpp>

#include "lithe/spatial/spatial.h"

namespace lithe::app {

using Json = nlohmann::ordered_json;

/// As it is printed: valid UTF-8 whatever names of files and texts out of them are.
template <class AnyJson>
std::string text_of(const AnyJson& json) {
  return json.dump(-1, ' ', false, AnyJson::error_handler_t::replace);
}

inline Json list_of(const Eigen::Ref<const VectorXd>& vector) {
  return std::vector<double>(vector.begin(), vector.end());
}
inline Json rows_of(const Eigen::Ref<const MatrixXd>& matrix) {
  Json rows = Json::array();
  for (int i = 0; i < matrix.rows(); ++i) rows.push_back(list_of(matrix.row(i).transpose()));
  return rows;
}

}  // namespace lithe::app
