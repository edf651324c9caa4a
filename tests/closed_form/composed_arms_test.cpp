// lew-book's two case studies, block by block and entry by entry: the printed closed forms (headers beside this file), numbers that
// another program derived symbolically (tests/reference), and the library.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "closed_form/macro_micro_arm.h"
#include "closed_form/mobile_manipulator.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/composed/composed.h"
#include "support/reference_data.h"

namespace lithe::closed_form {
namespace {

using lithe::testing::expect_close, lithe::testing::matrix, lithe::testing::reference, lithe::testing::vector;

// Some dozens of operations on numbers up to a few hundred.
constexpr double rounding = 1e-12;

TEST(MobileManipulator, BlocksArePrintedOnes) {
  const auto data = reference("lewbook_mobile.json");
  const auto& p = data["parameters"];
  const MobileManipulator model{.L3 = p["L3"],
                                .L5 = p["L5"],
                                .L5c = p["L5c"],
                                .L6c = p["L6c"],
                                .m3 = p["m3"],
                                .m5 = p["m5"],
                                .m6 = p["m6"],
                                .I3z = p["I3z"],
                                .I5x = p["I5x"],
                                .I5y = p["I5y"],
                                .I5z = p["I5z"],
                                .I6x = p["I6x"],
                                .I6y = p["I6y"],
                                .I6z = p["I6z"]};
  // The paper's turret has no matter; the example's has.
  const Arm arm = Arm::assemble(
      read_case(LITHE_SOURCE_DIR "/examples/30_mobile_manipulator/case.yaml", {{"links[turret].rigid", "{mass: 0}"}})
          .data);
  Composed composed(arm);
  ASSERT_EQ(arm.nv(), 6);
  for (const auto& entry : data["states"]) {
    State state = State::zero(arm);
    state.q = vector(entry["q"]);
    const CoupledBlocks blocks = composed.blocks(state, 0);
    expect_close(blocks.M_L, model.M_v(), rounding, "M_v");
    expect_close(blocks.M_cp, model.M_cp(state.q), rounding, "M_cp");
    expect_close(blocks.M_LS, model.M_LS(state.q), rounding, "M_LS");
    expect_close(blocks.M_S, model.M_A(state.q), rounding, "M_A");
    MatrixXd M(6, 6);
    composed.mass_matrix(state, M);
    expect_close(M, matrix(entry["M"]), rounding, "M");
  }
}

/// RALF's links from a file: one shape with tip value `end` and tip slope `slope`, matter at three points. What SAM adds to the
/// pair does not depend on the matter.
class LinkFile {
 public:
  LinkFile(double length, double end, double slope) {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("lithe_ralf_" + std::to_string(::getpid()) + "_" + std::to_string(++count) + ".json");
    const nlohmann::json still{0, 0, 0, 0, 0, 0};
    const nlohmann::json link{{"nodes", {{0, 0, 0}, {length / 2, 0, 0}, {length, 0, 0}}},
                              {"mass", {3, 9, 6}},
                              {"shapes", {{still, {0, 0.3 * end, 0, 0, 0, 0}, {0, end, 0, 0, 0, slope}}}},
                              {"stiffness", {{2e4}}},
                              {"tip", 2}};
    std::ofstream(path_) << link;
  }
  LinkFile(const LinkFile&) = delete;
  ~LinkFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

LinkSpec link_of(const std::string& name) {
  LinkSpec link;
  link.name = name;
  link.joint.name = name + "_joint";
  link.joint.axis = Vector3d::UnitZ();
  return link;
}

Arm macro_micro(const MacroMicroArm& p, double slope1, double slope2) {
  const LinkFile first(p.l1, p.s1, slope1), second(p.l2, p.s2, slope2);
  Case data;
  for (const auto& [name, file] : {std::pair{"boom", &first}, {"jib", &second}}) {
    data.arm.links.push_back(link_of(name));
    data.arm.links.back().imported = ImportedFile{file->path()};
  }
  const std::tuple<const char*, double, double, double, double> stiff[] = {{"arm", p.l3, p.l3c, p.m3, p.d3},
                                                                           {"hand", p.l4c, p.l4c, p.m4, p.d4}};
  for (const auto& [name, length, centre, mass, about_joint] : stiff) {
    RigidBody body;
    body.length = length;
    body.mass = mass;
    body.com = Vector3d(centre, 0, 0);
    const double I = about_joint - mass * centre * centre;
    body.inertia = InertiaEntries{I, I, I};
    data.arm.links.push_back(link_of(name));
    data.arm.links.back().rigid = body;
  }
  data.arm.mounts = {{"arm", {}}};
  return Arm::assemble(data);
}

/// From the order of coordinates here, q₁ q_f1 q₂ q_f2, to the paper's q₁ q₂ q_f1 q_f2.
MatrixXd in_paper_order(const MatrixXd& M, bool both) {
  Eigen::PermutationMatrix<4> swap(Eigen::Vector4i(0, 2, 1, 3));
  MatrixXd result = swap * M;
  if (both) result = result * swap;
  return result;
}

MacroMicroArm macro_micro_model(const nlohmann::json& p) {
  return {.l1 = p["l1"],
          .l2 = p["l2"],
          .l3 = p["l3"],
          .l3c = p["l3c"],
          .l4c = p["l4c"],
          .m3 = p["m3"],
          .m4 = p["m4"],
          .d3 = p["d3"],
          .d4 = p["d4"],
          .s1 = p["she1"],
          .s2 = p["she2"]};
}

TEST(MacroMicroArm, BlocksArePrintedOnes) {
  const auto data = reference("lewbook_ralf_sam.json");
  const auto& p = data["parameters"];
  // The shapes' end values are one in the reference; others show that they are in every place.
  MacroMicroArm model = macro_micro_model(data["parameters"]);
  for (const double s2 : {model.s2, 0.7}) {
    model.s2 = s2;
    const Arm neglecting = macro_micro(model, 0, 0);
    Composed composed(neglecting);
    for (const auto& entry : data["states"]) {
      const VectorXd q = vector(entry["q"]);
      State state = State::zero(neglecting);
      state.q << q[0], q[2], q[1], q[3], q[4], q[5];
      const CoupledBlocks blocks = composed.blocks(state, 0);
      const MatrixXd M_LS = in_paper_order(blocks.M_LS, true), M_cp = in_paper_order(blocks.M_cp, false);
      expect_close(M_cp, model.M_cp(q), rounding, "M_cp");
      expect_close(M_LS, model.M_LS(q), 1e-11, "M_LS");
      expect_close(blocks.M_S, model.M_S(q), rounding, "M_S");
      if (s2 != p["she2"]) continue;
      const MatrixXd M = matrix(entry["M_SAM_no_slope"]);
      expect_close(M_LS, M.topLeftCorner(4, 4), 1e-11, "M_LS");
      expect_close(M_cp, M.topRightCorner(4, 2), rounding, "M_cp");
      expect_close(blocks.M_S, M.bottomRightCorner(2, 2), rounding, "M_S");
    }
  }
}

// What the paper leaves out: the tips of bending links turn what they carry.
TEST(MacroMicroArm, BlocksWithTurningTips) {
  const auto data = reference("lewbook_ralf_sam.json");
  const auto& p = data["parameters"];
  const MacroMicroArm model = macro_micro_model(data["parameters"]);
  const Arm arm = macro_micro(model, p["slope1"], p["slope2"]);
  Composed composed(arm);
  for (const auto& entry : data["states"]) {
    const VectorXd q = vector(entry["q"]);
    State state = State::zero(arm);
    state.q << q[0], q[2], q[1], q[3], q[4], q[5];
    const CoupledBlocks blocks = composed.blocks(state, 0);
    const MatrixXd M = matrix(entry["M_SAM_with_slope"]);
    expect_close(in_paper_order(blocks.M_LS, true), M.topLeftCorner(4, 4), 1e-11, "M_LS");
    expect_close(in_paper_order(blocks.M_cp, false), M.topRightCorner(4, 2), rounding, "M_cp");
    expect_close(blocks.M_S, M.bottomRightCorner(2, 2), rounding, "M_S");
  }
}

}  // namespace
}  // namespace lithe::closed_form
