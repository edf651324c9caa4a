// Links from a file: a beam written out as nodes, shapes and matrices is that beam again; mistakes are named.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "beam/sample_beams.h"
#include "lithe/beam/beam_elements.h"
#include "lithe/beam/imported_basis.h"
#include "lithe/describe/whole_file.h"

namespace lithe {
namespace {

using Json = nlohmann::json;

Json rows(const MatrixXd& A) {
  Json list = Json::array();
  for (int i = 0; i < A.rows(); ++i) {
    Json row = Json::array();
    for (int j = 0; j < A.cols(); ++j) row.push_back(A(i, j));
    list.push_back(row);
  }
  return list;
}

/// What a finite-element program would write: linear elements have the mass matrix ρAl/6 [2 1; 1 2] in each direction.
Json exported(const FlexBasis& basis, double L, int n) {
  const double mu = soft.density * 0.02 * 0.03, l = L / n;
  MatrixXd mass = MatrixXd::Zero(n + 1, n + 1);
  for (int i = 0; i < n; ++i) {
    mass(i, i) += mu * l / 3;
    mass(i + 1, i + 1) += mu * l / 3;
    mass(i, i + 1) += mu * l / 6;
    mass(i + 1, i) += mu * l / 6;
  }
  Json nodes = Json::array(), shapes = Json::array();
  for (int i = 0; i <= n; ++i) nodes.push_back({l * i, 0, 0});
  for (int k = 0; k < basis.size(); ++k) {
    MatrixXd shape = MatrixXd::Zero(n + 1, 6);
    shape(1 + k / 6, k % 6) = 1;
    shapes.push_back(rows(shape));
  }
  return {{"nodes", nodes},           {"mass", rows(mass)},
          {"shapes", shapes},         {"stiffness", rows(basis.K)},
          {"damping", rows(basis.D)}, {"tip", n}};
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("lithe_import_" + std::to_string(std::hash<std::string>{}(text)) + ".json")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(ImportedLink, BeamWrittenOutIsTheBeamAgain) {
  const int n = 3;
  Beam beam = bar(Elements{n, ElementKind::linear});
  beam.damping = RayleighDamping{0.1, 1e-5};
  FlexBasis basis = beam_basis(beam, false, {});
  // Damping in the file is what it is there, whatever made it.
  const TemporaryFile file(exported(basis, beam.length, n).dump());
  const FlexBasis back = imported_basis(read_imported_link(file.path()));
  EXPECT_LT(difference(basis, back), 1e-13);
  EXPECT_EQ(back.names[3], "4");
  EXPECT_EQ(back.tip_coordinates, basis.tip_coordinates);
  ASSERT_EQ(back.stations.x.size(), size_t(n + 1));
  EXPECT_EQ(back.stations.phi.coeff(3 * n + 1, 6 * (n - 1) + 1), 1);
}

TEST(ImportedLink, LumpedMassesAndInertiasCount) {
  const TemporaryFile file(R"({"nodes": [[0,0,0],[1,0,0.5],[2,0,1]], "mass": [1, 2, 3],
    "inertia": [[0,0,0],[0.1,0.2,0.3],[0,0,0]],
    "shapes": [[[0,0,0,0,0,0],[0,0.5,0,0.1,0,0],[0,1,0,0.2,0,0]]], "stiffness": [[100]], "tip": 2})");
  const FlexBasis basis = imported_basis(read_imported_link(file.path()));
  EXPECT_EQ(basis.mass, 6);
  EXPECT_EQ(basis.s0, Vector3d(8, 0, 4));
  EXPECT_EQ(basis.tip0, Vector3d(2, 0, 1));
  EXPECT_DOUBLE_EQ(basis.S(1, 0), 2 * 0.5 + 3);
  EXPECT_DOUBLE_EQ(basis.P0[2](1, 0), 2 * 0.5 * 0.5 + 3);
  EXPECT_DOUBLE_EQ(basis.H(0, 0), 0.1 * 0.1);
  EXPECT_DOUBLE_EQ(basis.M.coeff(0, 0), 2 * 0.25 + 3 + 0.1 * 0.01);
  EXPECT_EQ(basis.D.coeff(0, 0), 0);
}

TEST(ImportedLink, EveryMistakeIsNamed) {
  auto complaints = [](const std::string& text) {
    const TemporaryFile file(text);
    std::vector<Problem> problems;
    read_imported_link(whole_file(file.path()), file.path(), problems);
    std::string all;
    for (const Problem& problem : problems) {
      EXPECT_EQ(problem.where.file, file.path());
      all += problem.path + ": " + problem.message + "\n";
    }
    return all;
  };
  EXPECT_EQ(complaints("[1, 2"), ": invalid JSON at byte 6\n");
  EXPECT_EQ(complaints("[]"), ": expected an object with nodes, mass, inertia, shapes, stiffness, damping, tip\n");
  EXPECT_EQ(
      complaints(R"({"nodes": [[0,0,0],[1,0]], "mass": [1], "shapes": [[[0,0,0,0,0,0],[0,0,"a",0,0,0]]],
                           "stiffnes": 3, "tip": 2})"),
      "stiffnes: unknown key, did you mean 'stiffness'? Known: nodes, mass, inertia, shapes, stiffness, damping, tip\n"
      "stiffness: missing\n"
      "nodes[1]: expected 3 numbers, got a list of 2\n"
      "mass: expected 2 numbers, got a list of 1\n"
      "tip: expected a node from 0 to 1, got 2\n"
      "shapes[0][1][2]: expected a number, got \"a\"\n");
  const std::string shape = R"("shapes": [[[0,1,0,0,0,0]],[[0,0,1,0,0,0]]], "tip": 0})";
  EXPECT_EQ(complaints(R"({"nodes": [[1,0,0]], "mass": [-1], "stiffness": [[1, 0], [0, 1]], )" + shape),
            "mass[0]: expected no negative mass\n");
  EXPECT_EQ(complaints(R"({"nodes": [[1,0,0]], "mass": [1], "stiffness": [[1, 2], [0, 1]], )" + shape),
            "stiffness: expected a symmetric matrix, got 0 at [1][0] and 2 at [0][1]\n");
  EXPECT_EQ(complaints(R"({"nodes": [[1,0,0]], "mass": [1], "stiffness": [[1, 2], [2, 1]], )" + shape),
            "stiffness: expected a positive definite matrix: some deformation meets no resistance\n");
  EXPECT_THROW(read_imported_link("no_such_file.json"), CaseError);
}

}  // namespace
}  // namespace lithe
