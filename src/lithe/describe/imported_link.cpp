#include "lithe/describe/imported_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "lithe/describe/import_numbers.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/link_constants.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/whole_file.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe {
namespace {

class ImportReader : private ImportNumbers {
 public:
  using ImportNumbers::ImportNumbers;

  ImportedLink read(const std::string& text) {
    ImportedLink link;
    // Every value except the first follows one of these characters. They are counted before each value takes memory.
    const auto values =
        std::count_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == '{'; });
    if (size_t(values) > limits::data_file_values) {
      complain("", fmt::format("about {} values; at most {}: export fewer nodes or shapes", values,
                               limits::data_file_values));
      return link;
    }
    Json root;
    try {
      root = Json::parse(text);
    } catch (const Json::parse_error& error) {
      complain("", fmt::format("invalid JSON at byte {}", error.byte));
      return link;
    } catch (const Json::out_of_range&) {
      complain("", "a number is outside the range of double precision");
      return link;
    }
    if (!root.is_object()) {
      complain("", fmt::format("expected an object with {}", comma_list(known())));
      return link;
    }
    if (root.contains("C") || root.contains("C_k") || root.contains("C_kj")) {
      read_link_constants(root, *this, link);
      return link;
    }
    for (const auto& [key, value] : root.items())
      if (std::find(known().begin(), known().end(), key) == known().end())
        complain(shortened(key),
                 fmt::format("unknown key{} Known: {}", guess_in_sentence(key, known()), comma_list(known())));
    for (const char* key : {"nodes", "mass", "shapes", "stiffness", "tip"})
      if (!root.contains(key)) complain(key, "missing");
    if (!root.contains("nodes") || !is_list(root["nodes"], "nodes", "[x, y, z] of each node")) return link;

    if (!at_most(root["nodes"], "nodes", limits::imported_nodes, "nodes")) return link;
    const int n = int(root["nodes"].size());
    link.nodes = Matrix3Xd::Zero(3, n);
    for (int i = 0; i < n; ++i) link.nodes.col(i) = numbers(root["nodes"][i], fmt::format("nodes[{}]", i), 3);
    if (root.contains("mass")) link.mass = mass(root["mass"], n);
    link.inertia = Matrix3Xd::Zero(3, n);
    if (root.contains("inertia") && has_size(root["inertia"], "inertia", n, "moments of inertia, three for each node"))
      for (int i = 0; i < n; ++i) {
        const std::string path = fmt::format("inertia[{}]", i);
        link.inertia.col(i) = numbers(root["inertia"][i], path, 3);
        if (link.inertia.col(i).minCoeff() < 0) complain(path, "expected no negative moment of inertia");
      }
    if (root.contains("tip")) link.tip = node_index(root["tip"], n);
    if (!root.contains("shapes") || !is_list(root["shapes"], "shapes", "shapes, one for each coordinate")) return link;
    if (!at_most(root["shapes"], "shapes", limits::shapes, "shapes")) return link;
    const int m = int(root["shapes"].size());
    for (int k = 0; k < m; ++k) link.shapes.push_back(shape(root["shapes"][k], fmt::format("shapes[{}]", k), n));
    if (root.contains("stiffness")) {
      link.stiffness = symmetric(root["stiffness"], "stiffness", m);
      // A link that deforms without a force has no equilibrium.
      if (sound() && definiteness(link.stiffness) == 0)
        complain("stiffness", "expected a positive definite matrix: some deformation meets no resistance");
    }
    link.damping = MatrixXd::Zero(m, m);
    if (root.contains("damping")) link.damping = symmetric(root["damping"], "damping", m);
    return link;
  }

 private:
  static const std::vector<std::string>& known() {
    static const std::vector<std::string> keys{"nodes", "mass", "inertia", "shapes", "stiffness", "damping", "tip"};
    return keys;
  }

  Eigen::SparseMatrix<double> mass(const Json& value, int n) {
    if (!value.is_array() || value.empty() || !value[0].is_array()) {
      const VectorXd lumps = numbers(value, "mass", n);
      for (int i = 0; i < n; ++i)
        if (lumps[i] < 0) complain(fmt::format("mass[{}]", i), "expected no negative mass");
      if (sound() && !(lumps.sum() > 0)) complain("mass", "expected a total mass greater than zero");
      Eigen::SparseMatrix<double> diagonal(n, n);
      diagonal.reserve(Eigen::VectorXi::Ones(n));
      for (int i = 0; i < n; ++i) diagonal.insert(i, i) = lumps[i];
      return diagonal;
    }
    const MatrixXd result = symmetric(value, "mass", n);
    if (result.size() == 0) return {};
    const VectorXd eigenvalues = symmetric_eigenvalues(result);
    if (sound() && !(eigenvalues[0] >= -1e-9 * eigenvalues[n - 1] && eigenvalues[n - 1] > 0))
      complain("mass", fmt::format("expected a matrix without negative eigenvalues, got {:g}", eigenvalues[0]));
    return result.sparseView(0.0, 0.0);
  }

  Matrix6Xd shape(const Json& value, const std::string& path, int n) {
    Matrix6Xd result = Matrix6Xd::Zero(6, n);
    if (!has_size(value, path, n, "nodes")) return result;
    for (int i = 0; i < n; ++i) result.col(i) = numbers(value[i], fmt::format("{}[{}]", path, i), 6);
    return result;
  }

  int node_index(const Json& value, int n) {
    if (value.is_number_integer() && value.get<long>() >= 0 && value.get<long>() < n) return value.get<int>();
    complain("tip", fmt::format("expected a node from 0 to {}, got {}", n - 1, shown(value)));
    return 0;
  }
};

}  // namespace

ImportedLink read_imported_link(const std::string& text, const std::string& file, std::vector<Problem>& problems) {
  return ImportReader(file, problems).read(text);
}

ImportedLink read_imported_link(const std::string& file) {
  std::vector<Problem> problems;
  ImportedLink link;
  try {
    link = read_imported_link(whole_file(file, limits::data_file_bytes), file, problems);
  } catch (const std::system_error& error) {
    problems.push_back({Problem::Severity::error,
                        {file, 0, 0},
                        "",
                        "cannot be read: " + why_unread(error.code(), limits::data_file_bytes)});
  }
  if (!problems.empty()) throw CaseError(std::move(problems));
  return link;
}

}  // namespace lithe
