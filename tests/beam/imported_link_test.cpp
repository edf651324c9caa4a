// Links from a file: a beam written out as nodes, shapes and matrices is that beam again; mistakes are named.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "beam/sample_beams.h"
#include "lithe/beam/beam_elements.h"
#include "lithe/beam/imported_basis.h"
#include "lithe/describe/whole_file.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"
#include "support/beam_points.h"
#include "support/random_arm.h"

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

/// Book's constants by sums over slices of the beam: nothing of the library's integrals. ½ and all.
Json constants_of(const Beam& beam) {
  const testing::BeamPoints points(beam, false);
  const int m = points.size();
  auto shape = [&](const testing::BeamPoint& at, int k) {
    return Eigen::Vector4d(0, at.phi(0, k), at.phi(1, k), at.phi(2, k));
  };
  MatrixXd C = MatrixXd::Zero(4, 4);
  std::vector<MatrixXd> C_k(size_t(m), C);
  std::vector<std::vector<MatrixXd>> C_kj(size_t(m), C_k);
  for (const testing::BeamPoint& slice : points.slices) {
    const Eigen::Vector4d h(1, slice.x, 0, 0);
    C += slice.mass / 2 * h * h.transpose();
    for (int k = 0; k < m; ++k) {
      C_k[size_t(k)] += slice.mass / 2 * h * shape(slice, k).transpose();
      for (int j = 0; j < m; ++j)
        C_kj[size_t(k)][size_t(j)] += slice.mass / 2 * shape(slice, k) * shape(slice, j).transpose();
    }
  }
  Json by_shape = Json::array(), by_pair = Json::array(), displacement = Json::array(), rotation = Json::array();
  for (int k = 0; k < m; ++k) {
    by_shape.push_back(rows(C_k[size_t(k)]));
    Json row = Json::array();
    for (int j = 0; j < m; ++j) row.push_back(rows(C_kj[size_t(k)][size_t(j)]));
    by_pair.push_back(row);
    displacement.push_back({points.tip.phi(0, k), points.tip.phi(1, k), points.tip.phi(2, k)});
    rotation.push_back({points.tip.psi(0, k), points.tip.psi(1, k), points.tip.psi(2, k)});
  }
  return {{"C", rows(C)},
          {"C_k", by_shape},
          {"C_kj", by_pair},
          {"K", rows(points.K)},
          {"damping", rows(points.D)},
          {"tip", {{"place", {beam.length, 0, 0}}, {"displacement", displacement}, {"rotation", rotation}}}};
}

TEST(ImportedLink, ConstantsOfABeamAreTheBeamAgain) {
  Beam beam = bar(Modes{2, 2, 0, 1});
  beam.section.shape = GeneralSection{6e-4, 4.5e-8, 2e-8, 4e-8};  // a uniform section, as slices know it
  beam.damping = RayleighDamping{0.1, 1e-5};
  const TemporaryFile file(constants_of(beam).dump());
  const FlexBasis basis = beam_basis(beam, false, {}), back = imported_basis(read_imported_link(file.path()));
  EXPECT_LT(difference(basis, back), 1e-11);  // of the slices' quadrature
  EXPECT_EQ(back.tip_coordinates, basis.tip_coordinates);
  // Nothing is known in between: no section to put a body on, no strain.
  EXPECT_FALSE(back.section_at(0.5 * beam.length));
  EXPECT_TRUE(back.section_at(beam.length));
  EXPECT_EQ(back.stations.x, (std::vector<double>{0, beam.length}));
  EXPECT_EQ(back.stations.strain.nonZeros(), 0);
  EXPECT_TRUE(back.stations.fibres.empty());

  // And it moves as the beam does, in an arm.
  Case by_shapes;
  by_shapes.arm.rotary_inertia = false;
  for (const char* name : {"a", "b"}) {
    LinkSpec link;
    link.name = link.joint.name = name;
    link.joint.axis = Vector3d(0.2, -1, 0.4);
    link.beam = beam;
    link.payloads = {{1.5, {0.1, 0, 0.05}, {0.01, 0.02, 0.03, 0, 0, 0}}};
    by_shapes.arm.links.push_back(link);
  }
  Case by_constants = by_shapes;
  by_constants.arm.links[0].beam.reset();
  by_constants.arm.links[0].imported = ImportedFile{file.path()};
  for (const TipRotation tip : {TipRotation::finite, TipRotation::small}) {
    by_shapes.arm.tip_rotation = by_constants.arm.tip_rotation = tip;
    const Arm one = Arm::assemble(by_shapes), other = Arm::assemble(by_constants);
    const State state = testing::random_state(one, 4);
    const VectorXd tau = testing::random_vector(one.nv(), 4, 10);
    VectorXd a(one.nv()), b(one.nv());
    RecursiveLagrangian(one).forward(state, tau, a);
    RecursiveLagrangian(other).forward(state, tau, b);
    EXPECT_LT((a - b).norm(), 1e-8 * a.norm());
  }
}

TEST(ImportedLink, EveryMistakeInConstantsIsNamed) {
  const Json sound = constants_of(bar(Modes{1, 1, 0, 0}));
  auto complaints = [](const Json& json) {
    const TemporaryFile file(json.dump());
    std::vector<Problem> problems;
    read_imported_link(whole_file(file.path()), file.path(), problems);
    std::string all;
    for (const Problem& problem : problems) all += problem.path + ": " + problem.message + "\n";
    return all;
  };
  EXPECT_EQ(complaints(sound), "");
  Json bad = sound;
  bad["C_j"] = 1;
  bad.erase("K");
  EXPECT_EQ(complaints(bad),
            "C_j: unknown key, did you mean 'C_k'? Known: C, C_k, C_kj, K, damping, tip\nK: missing\n");
  bad = sound;
  bad["C"][0][1] = 5;
  EXPECT_EQ(complaints(bad), "C: expected a symmetric matrix\n");
  bad = sound;
  bad["C_k"][1][2][0] = 0.1;
  EXPECT_EQ(complaints(bad), "C_k[1]: expected zeros in the first column: shapes are [0 x y z]\n");
  bad = sound;
  bad["C_kj"][1][0][2][2] = 0.1;
  EXPECT_EQ(complaints(bad), "C_kj[1][0]: expected the transpose of C_kj[0][1] (book83, eq 25)\n");
  bad = sound;
  bad["C_kj"][0] = Json::array();
  EXPECT_EQ(complaints(bad), "C_kj[0]: expected 2 matrices of 4 × 4, one for each shape, got a list of 0\n");
  bad = sound;
  bad["K"][0][0] = -1;
  EXPECT_EQ(complaints(bad), "K: expected a positive definite matrix: some deformation meets no resistance\n");
  bad = sound;
  for (Json& row : bad["C_kj"][0][0])
    for (Json& value : row) value = value.get<double>() / 2;  // less than Schwarz's inequality allows beside C_k
  EXPECT_EQ(complaints(bad),
            "C_kj: no masses have these constants: C, C_k and C_kj together have a negative eigenvalue\n");
  bad = sound;
  bad["tip"]["rotation"].erase(0);
  EXPECT_EQ(complaints(bad), "tip.rotation: expected 2 lists of three numbers, one for each shape, got a list of 1\n");
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
