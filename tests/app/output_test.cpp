// What `-o` does to what is there: files, links, pipes, devices, and folders that others use.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <future>

#include "app/run_program.h"
#include "lithe/results/results.h"
#include "results/sample.h"

namespace lithe::testing {
namespace {

namespace fs = std::filesystem;

std::string brief(const std::string& joint = "hub") {
  return "arm:\n  links:\n    - name: bar\n      joint: {name: " + joint +
         ", type: revolute, axis: [0, 1, 0]}\n      rigid: {length: 1, mass: 2, com: [0.5, 0, 0]}\nsimulate: {for: 0.2 "
         "s}\n";
}

class Output : public ::testing::Test {
 protected:
  Output() {
    ResultsWriter writer = ResultsWriter::create(at("sample.h5"), sample_header());
    append_rows(writer, 0, 4);
    writer.finish({});
    csv_ = run_program({"export", at("sample.h5")}).out;
  }
  std::string at(const std::string& name) const { return scratch_.path() + "/" + name; }
  size_t n_files() const { return size_t(std::distance(fs::directory_iterator(scratch_.path()), {})); }
  Finished run(const std::string& file, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"run", file, "-o", at("out")};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  TemporaryFolder scratch_;
  std::string csv_;
};

TEST_F(Output, GoesIntoDevicesAndPipes) {
  for (const char* device : {"/dev/null", "/dev/stdout"}) {
    const Finished finished = run_program({"export", at("sample.h5"), "-o", device});
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_EQ(finished.out, std::string(device) == "/dev/stdout" ? csv_ : "");
  }
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  // Appended to what the shell's redirection holds, not written over it.
  const std::string log = at("log");
  ASSERT_EQ(std::system(("{ echo first; '" LITHE_PROGRAM "' export '" + at("sample.h5") +
                         "' -o /dev/stdout; echo last; } >'" + log + "' 2>/dev/null")
                            .c_str()),
            0);
  EXPECT_EQ(read_text(log), "first\n" + csv_ + "last\n");
  // What only pipes can be: another process's input.
  ASSERT_EQ(std::system(("'" LITHE_PROGRAM "' export '" + at("sample.h5") + "' -o /dev/stdout 2>/dev/null | cat >'" +
                         at("piped") + "'")
                            .c_str()),
            0);
  EXPECT_EQ(read_text(at("piped")), csv_);

  ASSERT_EQ(::mkfifo(at("pipe.svg").c_str(), 0600), 0);
  auto reader = std::async(std::launch::async, [&] { return read_text(at("pipe.svg")); });
  EXPECT_EQ(run_program({"sketch", example("03_planar_elbow/case.yaml"), "-o", at("pipe.svg")}).code, 0);
  EXPECT_NE(reader.get().find("</svg>"), std::string::npos);
  EXPECT_TRUE(fs::is_fifo(at("pipe.svg")));
  // A figure is drawn by another program, a matrix file by HDF5.
  auto figure = std::async(std::launch::async, [&] { return read_text(at("pipe.svg")); });
  EXPECT_EQ(run_program({"plot", at("sample.h5"), "--y", "tip.x", "-o", at("pipe.svg")}).code, 0);
  EXPECT_NE(figure.get().find("</svg>"), std::string::npos);
  fs::create_symlink("/dev/null", at("nothing.mat"));
  const Finished matrices = run_program({"linearise", example("03_planar_elbow/case.yaml"), "-o", at("nothing.mat")});
  EXPECT_EQ(matrices.code, 0) << matrices.err;
  EXPECT_TRUE(fs::is_symlink(at("nothing.mat")));
}

TEST_F(Output, FollowsLinksAndRefusesFolders) {
  scratch_.write("real.csv", "old");
  fs::permissions(at("real.csv"), fs::perms(0604));
  fs::create_symlink("real.csv", at("link.csv"));
  const size_t before = n_files();
  EXPECT_EQ(run_program({"export", at("sample.h5"), "-o", at("link.csv")}).code, 0);
  EXPECT_TRUE(fs::is_symlink(at("link.csv")));
  EXPECT_EQ(read_text(at("real.csv")), csv_);
  EXPECT_EQ(fs::status(at("real.csv")).permissions(), fs::perms(0604));
  const Finished refused = run_program({"export", at("sample.h5"), "-o", scratch_.path()});
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(refused.err, "lithe: cannot write " + scratch_.path() + ": Is a directory\n");
  EXPECT_EQ(n_files(), before);
}

// ------------------------------------------------------------------------------------------------ folders of runs

TEST_F(Output, ARerunReplacesItsOwnResultsAndNoOthers) {
  const std::string mine = scratch_.write("mine.yaml", brief());
  fs::create_directory(at("sub"));
  const std::string other = scratch_.write("sub/mine.yaml", brief("knee"));
  ASSERT_EQ(run(mine).code, 0);
  // The same case again, changed by --set or by hand, or called another way.
  EXPECT_EQ(run(mine, {"--set", "simulate.for=0.3 s"}).code, 0);
  scratch_.write("mine.yaml", brief("hub") + "initial: {hub: 0.1}\n");
  EXPECT_EQ(run_program({"run", "../mine.yaml", "-o", at("out")}, at("sub")).code, 0);
  // Another one, though of the same name.
  const std::string bytes = read_text(at("out/results.h5"));
  const Finished refused = run_program({"run", "mine.yaml", "-o", at("out")}, at("sub"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(
      refused.err,
      "lithe: " + at("out/results.h5") +
          " contains results of another case, ../mine.yaml: choose another folder with -o, or give --overwrite\n");
  EXPECT_EQ(read_text(at("out/results.h5")), bytes);
  const Finished resumed = run_program({"run", "mine.yaml", "-o", at("out"), "--resume"}, at("sub"));
  EXPECT_EQ(resumed.code, 2);
  EXPECT_EQ(resumed.err, "lithe: " + at("out/results.h5") +
                             " contains results of another case, ../mine.yaml: choose another folder with -o, or give "
                             "--overwrite instead of --resume\n");
  EXPECT_EQ(read_text(at("out/results.h5")), bytes);
  EXPECT_EQ(run(other, {"--overwrite"}).code, 0);
  EXPECT_EQ(Results::read(at("out/results.h5")).header.columns[0].name, "knee");
  // The very same case from another place loses nothing.
  EXPECT_EQ(run(scratch_.write("moved.yaml", brief("knee"))).code, 0);

  // What lithe did not make is not its to lose.
  scratch_.write("out/results.h5", "precious");
  const Finished foreign = run(mine);
  EXPECT_EQ(foreign.code, 2);
  EXPECT_EQ(foreign.err,
            "lithe: cannot read " + at("out/results.h5") +
                ": not an HDF5 file; a run would replace it: choose another folder with -o, or give --overwrite\n");
  EXPECT_EQ(read_text(at("out/results.h5")), "precious");
  EXPECT_EQ(run(mine, {"--overwrite"}).code, 0);
  // And no run can be kept in a pipe.
  fs::remove(at("out/results.h5"));
  ASSERT_EQ(::mkfifo(at("out/results.h5").c_str(), 0600), 0);
  const Finished pipe = run(mine, {"--overwrite"});
  EXPECT_EQ(pipe.code, 1);
  EXPECT_EQ(pipe.err, "lithe: cannot write " + at("out/results.h5") + ": not a regular file\n");
}

TEST_F(Output, TwoRunsDoNotShareAFolder) {
  const std::string file = scratch_.write("long.yaml", brief());  // a pendulum, which swings as long as it is let
  const pid_t child = fork();
  if (child == 0) {
    execl(LITHE_PROGRAM, LITHE_PROGRAM, "run", file.c_str(), "-o", at("out").c_str(), "--set", "simulate.for=1e5 s",
          "--set", "simulate.output_step=100 s", "--set", "simulate.checkpoint=10 s", "--set", "simulate.rtol=1e-12",
          nullptr);
    _exit(127);
  }
  for (int k = 0; k < 1000 && !fs::exists(at("out/results.h5")); ++k) usleep(10'000);
  for (const char* how : {"--overwrite", "--resume"}) {
    const Finished second = run(file, {how});
    EXPECT_EQ(second.code, 1);
    EXPECT_EQ(second.err, "lithe: cannot write " + at("out") +
                              ": another lithe is writing there; wait for it, or choose another folder\n");
  }
  // It may be read meanwhile; and the lock goes with the process, however that ends.
  EXPECT_EQ(run_program({"info", at("out")}).code, 0);
  ::kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(run(file).code, 0);
}

}  // namespace
}  // namespace lithe::testing
