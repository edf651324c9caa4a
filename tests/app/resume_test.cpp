// `lithe run --resume` as a script says it: after any end, kill −9 among them, the same command brings the run to the same bits.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/run_program.h"
#include "lithe/results/results.h"

namespace lithe::testing {
namespace {

/// A bending arm that swings freely under a sampled controller: some seconds of work, with a memory of its own in the drives.
const char* swinging = R"(
arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 1, 0], friction: 0.05 N.m}
      beam: {length: 0.8 m, material: aluminium, section: {rectangle: {width_y: 40 mm, height_z: 4 mm}}, flexibility: {modes: {bending_z: 1}}}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, 1, 0]}
      rigid: {shape: {rod: {length: 0.5}}, mass: 0.4}
initial: {shoulder: 20 deg, elbow: 50 deg}
torque: {elbow: {pd: {kp: 4, kd: 0.4, target: 1, sample_time: 10 ms}}}
simulate: {for: 14 s, output_step: 50 ms, checkpoint: 50 ms, rtol: 1e-10, atol: 1e-11}
)";

class ResumedRun : public ::testing::Test {
 protected:
  ResumedRun() : file_(scratch_.write("case.yaml", swinging)) {}

  std::string out() const { return scratch_.path() + "/out"; }
  std::string results() const { return out() + "/results.h5"; }
  size_t rows() const { return std::filesystem::exists(results()) ? Results::read(results()).time.size() : 0; }
  Finished resumed(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"run", file_, "-o", out(), "--resume"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  /// Starts the program as a script does.
  pid_t started() const {
    const pid_t child = fork();
    if (child != 0) return child;
    const std::string nothing = "/dev/null";
    if (freopen(nothing.c_str(), "w", stdout) == nullptr) _exit(126);
    execl(LITHE_PROGRAM, LITHE_PROGRAM, "run", file_.c_str(), "-o", out().c_str(), "--resume", nullptr);
    _exit(127);
  }
  /// Kills it as nothing can be caught; false where it had come to its end before.
  static bool killed(pid_t child) {
    ::kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
  }
  static void expect_same(const Results& a, const Results& b) {
    EXPECT_TRUE(b.complete);
    EXPECT_EQ(b.time, a.time);
    ASSERT_EQ(b.series.size(), a.series.size());
    for (size_t i = 0; i < a.series.size(); ++i) EXPECT_EQ(b.series[i], a.series[i]) << a.header.columns[i].name;
    for (const char* count : {"steps", "failed_steps", "evaluations", "energy_residual"})
      EXPECT_EQ(b.statistics.at(count), a.statistics.at(count)) << count;
  }

  TemporaryFolder scratch_;
  std::string file_;
};

TEST_F(ResumedRun, KilledAtManyInstantsEndsWithTheSameBits) {
  const std::string whole_folder = scratch_.path() + "/whole";
  ASSERT_EQ(run_program({"run", file_, "-o", whole_folder}).code, 0);
  const Results whole = Results::read(whole_folder + "/results.h5");

  // At once, while it reads the case, while it makes the file: whatever is there, the next one goes on.
  for (const int milliseconds : {0, 5, 15, 30, 60}) {
    const pid_t child = started();
    usleep(useconds_t(1000 * milliseconds));
    EXPECT_TRUE(killed(child));
  }
  // Then each time a while after it got further, amid a step or amid the next checkpoint.
  int n_kills = 0;
  for (size_t before = rows(); n_kills < 4; before = rows()) {
    const pid_t child = started();
    const auto start = std::chrono::steady_clock::now();
    while (rows() <= before && std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) {
      if (waitpid(child, nullptr, WNOHANG) != 0) break;
      usleep(2000);
    }
    usleep(useconds_t(37'000 * n_kills));
    if (!killed(child)) break;
    ++n_kills;
    EXPECT_GT(rows(), before);
    EXPECT_FALSE(Results::read(results()).complete);
  }
  EXPECT_GE(n_kills, 2) << "the run was too short for this test to mean anything";
  EXPECT_LT(rows(), whole.time.size());
  const Finished last = resumed();
  EXPECT_EQ(last.code, 0) << last.err;
  expect_same(whole, Results::read(results()));
  // Of all that was killed nothing is left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(out()), {}), 1);
}

TEST_F(ResumedRun, StartsWhereThereIsNothingToResume) {
  const std::vector<std::string> brief{"--set", "simulate.for=0.5 s"};
  const Finished first = resumed(brief);
  ASSERT_EQ(first.code, 0) << first.err;
  const Results whole = Results::read(results());
  // A run that was killed between making its file and its first checkpoint.
  ResultsWriter::create(results(), whole.header);
  ASSERT_FALSE(Results::read(results()).has_checkpoint);
  const Finished second = resumed(brief);
  EXPECT_EQ(second.code, 0) << second.err;
  expect_same(whole, Results::read(results()));
}

TEST_F(ResumedRun, LeavesACompleteRunAlone) {
  const std::vector<std::string> brief{"--set", "simulate.for=0.5 s"};
  ASSERT_EQ(resumed(brief).code, 0);
  const std::string bytes = read_text(results());
  const Finished again = resumed(brief);
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.out, results() + ": complete, 11 rows up to t = 0.5 s; nothing left to do\n");
  EXPECT_EQ(again.err, "");
  const Finished json = resumed({"--set", "simulate.for=0.5 s", "--json"});
  EXPECT_EQ(json.code, 0);
  EXPECT_EQ(nlohmann::json::parse(json.out),
            (nlohmann::json{{"results", results()}, {"already_complete", true}, {"end_time", 0.5}, {"rows", 11}}));
  EXPECT_EQ(read_text(results()), bytes);
  // But one of another case is not "complete": that would be taken for an answer.
  const Finished other = resumed({"--set", "simulate.for=0.6 s"});
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(other.err, "lithe: cannot resume " + results() +
                           ": the case is not the one it was started with: simulate.for is \"0.5\" there and \"0.6\" "
                           "here: choose another folder with -o, or give --overwrite instead of --resume\n");
  EXPECT_EQ(read_text(results()), bytes);
  const Finished both = resumed({"--overwrite"});
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(both.err, "lithe: --overwrite: leave out --resume, which continues what is there\n");
}

}  // namespace
}  // namespace lithe::testing
