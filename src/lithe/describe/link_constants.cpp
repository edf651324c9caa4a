#include "lithe/describe/link_constants.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lithe/describe/spelling.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe {
namespace {

using Json = nlohmann::json;

const std::vector<std::string>& known() {
  static const std::vector<std::string> keys{"C", "C_k", "C_kj", "K", "damping", "tip"};
  return keys;
}
const std::vector<std::string>& known_of_tip() {
  static const std::vector<std::string> keys{"place", "displacement", "rotation"};
  return keys;
}

void check_keys(const Json& object, const std::string& path, const std::vector<std::string>& keys, size_t n_required,
                ImportNumbers& numbers) {
  for (const auto& [key, value] : object.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      numbers.complain(path + shortened(key),
                       fmt::format("unknown key{} Known: {}", guess_in_sentence(key, keys), comma_list(keys)));
  for (size_t k = 0; k < n_required; ++k)
    if (!object.contains(keys[k])) numbers.complain(path + keys[k], "missing");
}

/// m rows of three numbers, as columns.
Matrix3Xd vectors(const Json& value, const std::string& path, int m, ImportNumbers& numbers) {
  Matrix3Xd result = Matrix3Xd::Zero(3, m);
  if (!numbers.has_size(value, path, m, "lists of three numbers, one for each shape")) return result;
  for (int k = 0; k < m; ++k) result.col(k) = numbers.numbers(value[k], fmt::format("{}[{}]", path, k), 3);
  return result;
}

Eigen::Matrix4d four_by_four(const Json& value, const std::string& path, ImportNumbers& numbers) {
  const MatrixXd A = numbers.matrix(value, path, 4);
  if (A.size() == 0) return Eigen::Matrix4d::Zero();
  return A;
}

/// Displacements have no entry for the 1 of h = [1 x y z]ᵀ.
void demand_no_ones(const Eigen::Matrix4d& C, bool row_too, const std::string& path, ImportNumbers& numbers) {
  if (!C.col(0).isZero(0) || (row_too && !C.row(0).isZero(0)))
    numbers.complain(path, fmt::format("expected zeros in the first {}: shapes are [0 x y z]",
                                       row_too ? "row and column" : "column"));
}

/// ½∫[h₀; φ_1; …][…]ᵀ dm of the undeformed link and all shapes is the sum of squares that masses make: without negative
/// eigenvalues.
bool is_of_masses(const LinkConstants& c) {
  const int m = int(c.C_k.size()), n = 4 + 3 * m;
  MatrixXd whole(n, n);
  whole.topLeftCorner<4, 4>() = c.C;
  for (int k = 0; k < m; ++k) {
    whole.block<4, 3>(0, 4 + 3 * k) = c.C_k[size_t(k)].rightCols<3>();
    whole.block<3, 4>(4 + 3 * k, 0) = c.C_k[size_t(k)].rightCols<3>().transpose();
    for (int j = 0; j < m; ++j)
      whole.block<3, 3>(4 + 3 * k, 4 + 3 * j) = c.C_kj[size_t(k)][size_t(j)].bottomRightCorner<3, 3>();
  }
  // Shapes in any units: each row counts by its own size.
  VectorXd scale = whole.diagonal().cwiseMax(0).cwiseSqrt();
  for (double& s : scale) s = s > 0 ? 1 / s : 1;
  const MatrixXd scaled = scale.asDiagonal() * whole * scale.asDiagonal();
  return symmetric_eigenvalues(scaled)[0] > -1e-9 * n;
}

}  // namespace

void read_link_constants(const Json& root, ImportNumbers& numbers, ImportedLink& link) {
  check_keys(root, "", known(), 4, numbers);
  if (!root.contains("tip")) numbers.complain("tip", "missing");
  if (!root.contains("C_k") || !numbers.is_list(root["C_k"], "C_k", "matrices of 4 × 4, one for each shape")) return;
  if (!numbers.at_most(root["C_k"], "C_k", limits::shapes, "shapes")) return;
  const int m = int(root["C_k"].size());
  LinkConstants constants;
  if (root.contains("C")) {
    constants.C = four_by_four(root["C"], "C", numbers);
    if (!constants.C.isApprox(constants.C.transpose(), 1e-9)) numbers.complain("C", "expected a symmetric matrix");
    if (numbers.sound() && !(constants.C(0, 0) > 0))
      numbers.complain("C[0][0]", "expected half the mass, greater than zero");
  }
  for (int k = 0; k < m; ++k) {
    const std::string path = fmt::format("C_k[{}]", k);
    constants.C_k.push_back(four_by_four(root["C_k"][k], path, numbers));
    demand_no_ones(constants.C_k.back(), false, path, numbers);
  }
  constants.C_kj.assign(size_t(m), std::vector<Eigen::Matrix4d>(size_t(m), Eigen::Matrix4d::Zero()));
  if (root.contains("C_kj") && numbers.has_size(root["C_kj"], "C_kj", m, "lists, one for each shape")) {
    for (int k = 0; k < m; ++k) {
      const std::string row = fmt::format("C_kj[{}]", k);
      if (!numbers.has_size(root["C_kj"][k], row, m, "matrices of 4 × 4, one for each shape")) continue;
      for (int j = 0; j < m; ++j) {
        const std::string path = fmt::format("{}[{}]", row, j);
        constants.C_kj[size_t(k)][size_t(j)] = four_by_four(root["C_kj"][k][j], path, numbers);
        demand_no_ones(constants.C_kj[size_t(k)][size_t(j)], true, path, numbers);
      }
    }
    auto size = [&](int k) { return constants.C_kj[size_t(k)][size_t(k)].cwiseAbs().maxCoeff(); };
    for (int k = 0; k < m && numbers.sound(); ++k)
      for (int j = 0; j <= k; ++j) {
        const Eigen::Matrix4d &one = constants.C_kj[size_t(k)][size_t(j)],
                              &other = constants.C_kj[size_t(j)][size_t(k)];
        const double gap = (one - other.transpose()).cwiseAbs().maxCoeff();
        if (gap > 1e-9 * std::sqrt(size(k) * size(j)))
          numbers.complain(fmt::format("C_kj[{}][{}]", k, j),
                           fmt::format("expected the transpose of C_kj[{}][{}] (book83, eq 25)", j, k));
      }
  }
  if (root.contains("K")) {
    link.stiffness = numbers.symmetric(root["K"], "K", m);
    if (numbers.sound() && !(definiteness(link.stiffness) > 0))
      numbers.complain("K", "expected a positive definite matrix: some deformation meets no resistance");
  }
  link.damping = MatrixXd::Zero(m, m);
  if (root.contains("damping")) link.damping = numbers.symmetric(root["damping"], "damping", m);
  // The link is known at its root, which shapes leave alone, and at its tip.
  link.nodes = Matrix3Xd::Zero(3, 2);
  link.shapes.assign(size_t(m), Matrix6Xd::Zero(6, 2));
  link.tip = 1;
  if (root.contains("tip")) {
    const Json& tip = root["tip"];
    if (!tip.is_object()) {
      numbers.complain("tip", "expected an object with " + comma_list(known_of_tip()));
      return;
    }
    check_keys(tip, "tip.", known_of_tip(), 3, numbers);
    if (tip.contains("place")) link.nodes.col(1) = numbers.numbers(tip["place"], "tip.place", 3);
    for (const int half : {0, 1}) {
      const std::string key = known_of_tip()[size_t(1 + half)];
      if (!tip.contains(key)) continue;
      const Matrix3Xd moved = vectors(tip[key], "tip." + key, m, numbers);
      for (int k = 0; k < m; ++k) link.shapes[size_t(k)].col(1).segment<3>(3 * half) = moved.col(k);
    }
  }
  if (numbers.sound() && !is_of_masses(constants))
    numbers.complain("C_kj", "no masses have these constants: C, C_k and C_kj together have a negative eigenvalue");
  link.constants = std::move(constants);
}

}  // namespace lithe
