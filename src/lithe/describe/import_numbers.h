#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lithe/describe/limits.h"
#include "lithe/describe/problem.h"
#include "lithe/describe/quote.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

/// Lists of numbers of a JSON file, read with every mistake named by its path. Internal to the readers of imported links.
class ImportNumbers {
 public:
  using Json = nlohmann::json;

  ImportNumbers(const std::string& file, std::vector<Problem>& problems) : file_(file), problems_(problems) {}

  void complain(const std::string& path, std::string message) {
    ++complaints_;
    if (complaints_ <= limits::problems_listed)
      problems_.push_back({Problem::Severity::error, {file_, 0, 0}, shortened(path), std::move(message)});
  }
  bool sound() const { return complaints_ == 0; }

  static std::string shown(const Json& value) {
    if (value.is_array()) return fmt::format("a list of {}", value.size());
    if (value.is_object()) return "an object";
    return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  bool at_most(const Json& list, const char* path, int most, const char* what) {
    if (list.size() <= size_t(most)) return true;
    complain(path, fmt::format("{} {}; at most {}: export fewer", list.size(), what, most));
    return false;
  }
  bool is_list(const Json& value, const std::string& path, const std::string& what) {
    if (value.is_array() && !value.empty()) return true;
    complain(path, fmt::format("expected a list of {}, got {}", what, shown(value)));
    return false;
  }
  bool has_size(const Json& value, const std::string& path, int n, const std::string& what) {
    if (value.is_array() && int(value.size()) == n) return true;
    complain(path, fmt::format("expected {} {}, got {}", n, what, shown(value)));
    return false;
  }
  VectorXd numbers(const Json& value, const std::string& path, int n) {
    VectorXd result = VectorXd::Zero(n);
    if (!has_size(value, path, n, n == 1 ? "number" : "numbers")) return result;
    for (int i = 0; i < n; ++i) {
      if (value[i].is_number())
        result[i] = value[i].get<double>();
      else
        complain(fmt::format("{}[{}]", path, i), fmt::format("expected a number, got {}", shown(value[i])));
    }
    return result;
  }

  /// Empty where rows or numbers are missing: their number is checked before memory is allocated.
  MatrixXd matrix(const Json& value, const std::string& path, int n) {
    if (!has_size(value, path, n, n == 1 ? "row of 1 number" : fmt::format("rows of {} numbers", n))) return {};
    bool whole = true;
    for (int i = 0; i < n; ++i)
      whole &= has_size(value[i], fmt::format("{}[{}]", path, i), n, n == 1 ? "number" : "numbers");
    if (!whole) return {};
    MatrixXd result(n, n);
    for (int i = 0; i < n; ++i) result.row(i) = numbers(value[i], fmt::format("{}[{}]", path, i), n).transpose();
    return result;
  }
  MatrixXd symmetric(const Json& value, const std::string& path, int n) {
    MatrixXd result = matrix(value, path, n);
    if (result.size() == 0) return result;
    const MatrixXd gap = (result - result.transpose()).cwiseAbs();
    Eigen::Index i = 0, j = 0;
    if (gap.maxCoeff(&i, &j) > 1e-9 * result.cwiseAbs().maxCoeff())
      complain(path, fmt::format("expected a symmetric matrix, got {:g} at [{}][{}] and {:g} at [{}][{}]", result(i, j),
                                 i, j, result(j, i), j, i));
    return (result + result.transpose()) / 2;
  }

 private:
  const std::string file_;
  std::vector<Problem>& problems_;
  size_t complaints_ = 0;
};

}  // namespace lithe
