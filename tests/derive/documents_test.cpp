// Documents as a reader has them: whether TeX takes them, and what their formulas give as numbers, against formulations of the library that
// form no formula. read_document.py reads them; it shares nothing with the writers.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "app/run_program.h"
#include "lithe/arm/kinematics.h"
#include "lithe/derive/evaluate.h"
#include "lithe/derive/write.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/composed/composed.h"
#include "support/random_arm.h"

namespace lithe::derive {
namespace {

using namespace lithe::testing;
using Json = nlohmann::json;

// Of the largest entry of its kind: the documents' formulas with the arm's own numbers. Measured: 1e-14.
constexpr double tolerance = 1e-12;

// Of examples that are read, and of those that are read in every form: the others take seconds to minutes.
constexpr int most_coordinates = 6, most_in_every_form = 4;

std::string example_file(const std::string& name) {
  return std::string(LITHE_SOURCE_DIR) + "/examples/" + name + (name.ends_with(".yaml") ? "" : "/case.yaml");
}

std::string reader(const std::string& words) {
  return "PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 " + std::string(LITHE_SOURCE_DIR) +
         "/tests/derive/read_document.py " + words;
}

/// Faults of all documents in a folder, or nothing.
std::string faults_in(const TemporaryFolder& folder) {
  const std::string out = folder.path() + "/faults";
  const int code = std::system(("cd " + folder.path() + " && " + reader("check *.tex *.md >" + out)).c_str());
  return code == 0 ? "" : "\n" + read_text(out);
}

TEST(DerivedDocuments, AreSoundForTex) {
  const TemporaryFolder folder;
  int n = 0;
  auto write = [&](const Case& data, const DeriveOptions& options, const std::string& what) {
    const Equations e = derive_equations(Arm::assemble(data), options);
    folder.write(what + ".tex", write_latex(e, {"case.yaml", "arm", 0}));
    folder.write(what + ".md", write_markdown(e, {"case.yaml", "arm", 0}));
    ++n;
  };
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(LITHE_SOURCE_DIR) + "/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name = entry.path().parent_path().filename().string() + "_" + entry.path().stem().string();
    Case data;
    try {
      data = read_case(entry.path().string()).data;
      if (Arm::assemble(data).nv() > most_coordinates) continue;
      write(data, {.data = &data}, name);
      if (!data.arm.mounts.empty()) write(data, {.coupling_only = true, .data = &data}, name + "_coupling");
      if (Arm::assemble(data).nv() > most_in_every_form) continue;
    } catch (const Error&) {
      continue;  // what `derive` does not support, and files that are no cases
    }
    const DeriveOptions numbers{.numbers = true, .kinematics = true, .data = &data};
    write(data, numbers, name + "_numbers");
    write(data, {.time_limit = 0, .kinematics = true, .data = &data}, name + "_unfolded");
    write(data, {.factored = true, .kinematics = true, .order = CoordinateOrder::joints_first, .data = &data},
          name + "_factored");
  }
  EXPECT_GT(n, 60);
  // A Jacobian of more columns than LaTeX's matrices take.
  RandomArmOptions options;
  options.tree = false;
  write(random_case(12, 3, options), {.time_limit = 0, .kinematics = true}, "twelve");
  // Links and joints with any names.
  Case data = read_case(example_file("03_planar_elbow")).data;
  for (LinkSpec& link : data.arm.links) {
    link.name += " #1_a^b{$x$}%&~\\end{align*}|";
    link.joint.name += "_{2}^{3}\\\\ & \xc3\xa9";
  }
  write(data, {.split = data.arm.links[1].name, .kinematics = true, .data = &data}, "names");
  write(data, {.kinematics = true, .data = &data}, "names_whole");
  EXPECT_EQ(faults_in(folder), "");
}

/// The numbers that a document's formulas give at random states, with the arm's own parameters.
struct Read {
  std::vector<State> states;
  std::vector<VectorXd> accelerations;
  Json answers;

  Read(const Case& data, const DeriveOptions& options, int n_states = 2) {
    const Arm arm = Arm::assemble(data);
    const Equations e = derive_equations(arm, options);
    Json ask{{"parameters", Json::object()}, {"states", Json::array()}};
    for (const Name& name : e.names.all())
      if (name.kind == Kind::parameter) ask["parameters"][name.code] = name.value;
    auto list = [](const VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
    for (int s = 0; s < n_states; ++s) {
      states.push_back(random_state(arm, unsigned(s) + 1));
      accelerations.push_back(random_vector(arm.nv(), unsigned(s) + 7, 3));
      ask["states"].push_back({{"q", list(e.positions(states.back().q))},
                               {"v", list(e.rates(states.back().v))},
                               {"a", list(e.rates(accelerations.back()))}});
    }
    const TemporaryFolder folder;
    const std::string file = folder.write("case.md", write_markdown(e, {"case.yaml", "arm"})),
                      words = folder.write("ask.json", ask.dump()), out = folder.path() + "/out.json";
    EXPECT_EQ(std::system(reader("evaluate " + file + " <" + words + " >" + out).c_str()), 0);
    answers = Json::parse(read_text(out));
  }
  /// A named formula, zero where the document has none: entries not listed are zero.
  double at(int state, const std::string& name) const {
    const Json& names = answers[size_t(state)]["names"];
    return names.contains(name) ? names[name].get<double>() : 0;
  }
  MatrixXd matrix(int state, const std::string& name) const {
    const Json& rows = answers[size_t(state)]["names"].at(name);
    MatrixXd result(rows.size(), rows[0].size());
    for (long k = 0; k < result.rows(); ++k)
      for (long j = 0; j < result.cols(); ++j) result(k, j) = rows[size_t(k)][size_t(j)];
    return result;
  }
};

std::string entry(const std::string& letter, int k, int j) {
  return letter + "_{" + std::to_string(k + 1) + "," + std::to_string(j + 1) + "}";
}

/// M, C, K and D by entries, G and f, and M z̈ + h line by line.
void expect_motion(const Case& data, const DeriveOptions& options, const std::string& what) {
  const Arm arm = Arm::assemble(data);
  const Equations e = derive_equations(arm, options);  // for the order of coordinates
  const Read read(data, options);
  Articulated dynamics(arm);
  const int nv = arm.nv();
  for (size_t s = 0; s < read.states.size(); ++s) {
    MatrixXd M(nv, nv);
    VectorXd h(nv);
    dynamics.mass_matrix(read.states[s], M);
    dynamics.bias(read.states[s], Terms::all, h);
    const VectorXd forces = e.rates(M * read.accelerations[s] + h);
    const double scale = (M.cwiseAbs() * read.accelerations[s].cwiseAbs()).maxCoeff() + h.cwiseAbs().maxCoeff();
    const Json& lines = read.answers[s]["motion"];
    ASSERT_EQ(int(lines.size()), nv) << what;
    for (int k = 0; k < nv; ++k)
      EXPECT_NEAR(lines[size_t(k)].get<double>(), forces[k], tolerance * scale) << what << ", line " << k + 1;
    if (e.split) continue;
    for (int k = 0; k < nv; ++k)
      for (int j = k; j < nv; ++j)
        EXPECT_NEAR(read.at(int(s), entry("M", k, j)), M(e.order[size_t(k)], e.order[size_t(j)]),
                    tolerance * M.cwiseAbs().maxCoeff())
            << what << " " << k << j;
  }
}

// Up to four coordinates sums are written in full, beyond that the names of entries.
TEST(DerivedDocuments, EquationsOneByOneAreTheArms) {
  for (const char* name : {"01_single_link_motor", "02_cartesian", "03_planar_elbow", "04_cylindrical",
                           "10_pendulum_friction", "11_elastic_joints", "12_servo", "18_single_link_bang_bang",
                           "21_flexible_pendulum", "31_ralf_sam/ralf.yaml", "17_two_link_slew", "31_ralf_sam"}) {
    const Case data = read_case(example_file(name)).data;
    expect_motion(data, {.data = &data}, name);
    expect_motion(data, {.factored = true, .order = CoordinateOrder::joints_first, .data = &data},
                  name + std::string(", factored"));
  }
  const Case data = read_case(example_file("04_cylindrical")).data;
  expect_motion(data, {.split = "arm", .data = &data}, "split");
}

// c_ijk = ½(∂M_kj/∂z_i + ∂M_ki/∂z_j − ∂M_ij/∂z_k) by differences of the library's mass matrix.
TEST(DerivedDocuments, ChristoffelTableHasDifferencesOfMassMatrices) {
  for (const char* name : {"03_planar_elbow", "04_cylindrical", "21_flexible_pendulum", "31_ralf_sam/ralf.yaml"})
    for (const bool factored : {false, true}) {
      const Case data = read_case(example_file(name)).data;
      const Arm arm = Arm::assemble(data);
      const Read read(data, {.factored = factored, .data = &data}, 1);
      Articulated dynamics(arm);
      const int nv = arm.nv();
      const double step = 1e-5;
      std::vector<MatrixXd> slopes;
      double largest = 1;
      for (int i = 0; i < nv; ++i) {
        MatrixXd ahead(nv, nv), behind(nv, nv);
        State state = read.states[0];
        state.q[i] += step;
        dynamics.mass_matrix(state, ahead);
        state.q[i] -= 2 * step;
        dynamics.mass_matrix(state, behind);
        slopes.push_back((ahead - behind) / (2 * step));
        largest = std::max(largest, ahead.cwiseAbs().maxCoeff());
      }
      const Json& table = read.answers[0]["christoffel"];
      ASSERT_EQ(int(table.size()), nv) << name;
      for (int k = 0; k < nv; ++k) {
        ASSERT_EQ(int(table[size_t(k)].size()), nv * (nv + 1) / 2) << name;
        size_t column = 0;
        for (int i = 0; i < nv; ++i)
          for (int j = i; j < nv; ++j) {
            const double c = (slopes[size_t(i)](k, j) + slopes[size_t(j)](k, i) - slopes[size_t(k)](i, j)) / 2;
            // step² of third derivatives, and 1e-16/step of rounding
            EXPECT_NEAR(table[size_t(k)][column++].get<double>(), c, 1e-8 * largest) << name << " " << i << j << k;
          }
      }
    }
}

TEST(DerivedDocuments, PosesAndJacobiansAreTheArms) {
  for (const char* name :
       {"02_cartesian", "03_planar_elbow", "04_cylindrical", "21_flexible_pendulum", "28_kane_levinson_arm"})
    for (const bool factored : {false, true}) {
      const Case data = read_case(example_file(name)).data;
      const Arm arm = Arm::assemble(data);
      const Read read(data, {.factored = factored, .kinematics = true, .data = &data});
      for (size_t s = 0; s < read.states.size(); ++s) {
        const Kinematics kin = kinematics_of(arm, read.states[s]);
        const int last = arm.last_link();
        const Pose& tip = kin.X_WT[size_t(last)];
        const std::string link = arm.link(last).name;
        MatrixXd T = MatrixXd::Identity(4, 4);
        T.topLeftCorner(3, 3) = tip.R;
        T.topRightCorner(3, 1) = tip.p;
        EXPECT_LT((read.matrix(int(s), "T_{\\mathrm{" + link + ",tip}}") - T).cwiseAbs().maxCoeff(), tolerance * 10)
            << name;
        const MatrixXd J = tip_jacobian(arm, kin, last);
        EXPECT_LT((read.matrix(int(s), "\\mathcal{J}_{\\mathrm{" + link + "}}") - J).cwiseAbs().maxCoeff(),
                  tolerance * 10)
            << name;
      }
    }
}

TEST(DerivedDocuments, BlocksOfASplitArmAreThoseOfComposed) {
  for (const char* name : {"30_mobile_manipulator", "31_ralf_sam"}) {
    const Case data = read_case(example_file(name)).data;
    const Arm arm = Arm::assemble(data);
    const Read read(data, {.data = &data});
    Composed composed(arm);
    for (size_t s = 0; s < read.states.size(); ++s) {
      const CoupledBlocks b = composed.blocks(read.states[s], int(arm.mounts().size()) - 1);
      const double scale = (b.M_L + b.M_LS).cwiseAbs().maxCoeff() * (1 + read.states[s].v.norm());
      const int n = int(b.M_L.rows());
      auto expect = [&](const std::string& letter, const MatrixXd& block, int row, int column, bool symmetric) {
        for (int k = 0; k < block.rows(); ++k)
          for (int j = symmetric ? k : 0; j < block.cols(); ++j)
            EXPECT_NEAR(read.at(int(s), entry(letter, row + k, column + j)), block(k, j), tolerance * scale)
                << name << " " << letter << k << j;
      };
      auto of = [](const std::string& above) { return "^{" + above + "}"; };
      // The reader spells a letter's index before its exponent.
      auto spelt = [&](const std::string& letter, const std::string& above, const MatrixXd& block, int row, int column,
                       bool symmetric) {
        for (int k = 0; k < block.rows(); ++k)
          for (int j = symmetric ? k : 0; j < block.cols(); ++j)
            EXPECT_NEAR(read.at(int(s), entry(letter, row + k, column + j) + of(above)), block(k, j), tolerance * scale)
                << name << " " << letter << above << k << j;
      };
      spelt("M", "L", b.M_L, 0, 0, true);
      spelt("M", "L/S", b.M_LS, 0, 0, true);
      spelt("C", "L", b.C_L, 0, 0, false);
      spelt("C", "L/S", b.C_LS, 0, 0, false);
      spelt("C", "cp1", b.C_cp1, 0, n, false);
      spelt("C", "cp2", b.C_cp2, n, 0, false);
      spelt("C", "S", b.C_S, n, n, false);
      expect("{C_{L}^{cp}}", b.C_Lcp, 0, 0, false);
      expect("{C_{S}^{cp}}", b.C_Scp, n, n, false);
    }
  }
}

TEST(DerivedDocuments, CountInGoodEnglish) {
  const Finished one = run_program({"derive", example_file("02_cartesian"), "--format", "markdown"});
  EXPECT_NE(one.out.find("Evaluating $M$, $C$ and $G$ takes 1 multiplication and 2 additions."), std::string::npos)
      << one.out.substr(0, 1500);
}

}  // namespace
}  // namespace lithe::derive
