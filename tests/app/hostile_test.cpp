// Files that ask for too much, by mistake or on purpose: each ends within seconds and a bounded memory, with exit 2 and one
// sentence that names the place. And a run that is told to end does so, whatever it is at.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/run_program.h"

namespace lithe::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr rlim_t most_memory = rlim_t(2) << 30, most_seconds = 10;

/// `lithe` as a child with bounded memory, its words to a file.
class Child {
 public:
  Child(const TemporaryFolder& scratch, const std::vector<std::string>& words) : err_(scratch.path() + "/err") {
    pid_ = fork();
    if (pid_ != 0) return;
    const rlimit memory{most_memory, most_memory};
    setrlimit(RLIMIT_AS, &memory);
    const rlimit seconds{most_seconds, most_seconds};  // of processor time: others may be busy too
    setrlimit(RLIMIT_CPU, &seconds);
    if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen(err_.c_str(), "w", stderr) == nullptr)
      _exit(98);
    std::vector<char*> arguments{const_cast<char*>(LITHE_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(LITHE_PROGRAM, arguments.data());
    _exit(99);
  }
  ~Child() {
    if (wait(0)) return;
    kill(pid_, SIGKILL);
    wait(10);
  }
  void signal(int number) const { kill(pid_, number); }
  /// Whether it has ended, at the latest after so many seconds.
  bool wait(double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (!ended_) {
      ended_ = waitpid(pid_, &status_, WNOHANG) == pid_;
      if (ended_ || Clock::now() > end) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return ended_;
  }
  int code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_); }
  std::string err() const { return read_text(err_); }

 private:
  std::string err_;
  pid_t pid_ = 0;
  int status_ = 0;
  bool ended_ = false;
};

std::string beam(const std::string& flexibility) {
  return "arm:\n  links:\n    - name: a\n      joint: {name: p, type: revolute, axis: [0, 0, 1]}\n      beam: {length: "
         "1, "
         "material: steel, section: {circle: {diameter: 0.01}}, flexibility: " +
         flexibility + "}\n";
}
const char* bar =
    "arm: {links: [{name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, com: [1, 0, 0]}}]}\n";

struct Hostile {
  const char* name;
  std::string text;
  const char* place;  // that the message begins with, after the folder
};
void PrintTo(const Hostile& file, std::ostream* out) { *out << file.name; }

std::vector<Hostile> hostile_files() {
  std::string keys = bar, laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n", names, joints = bar, dashes, links;
  for (int i = 0; i < 100000; ++i) keys += "k" + std::to_string(i) + ": 1\n";
  for (int k = 1; k < 9; ++k) {
    laughs += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [";
    for (int i = 0; i < 10; ++i) laughs += (i > 0 ? ", *a" : "*a") + std::to_string(k - 1);
    laughs += "]\n";
  }
  joints += "motion:\n";
  for (int i = 0; i < 50000; ++i) joints += "  j" + std::to_string(i) + ": 1\n";
  for (int i = 0; i < 1'200'000; ++i) dashes += "-\n";
  links = "arm:\n  links:\n";
  for (int i = 0; i < 30000; ++i) links += "    - {name: l" + std::to_string(i) + "}\n";
  return {
      {"elements", beam("{elements: 1000000000}"), "case.yaml:3:7: links[0]: asks for 6000000001 coordinates"},
      {"shapes", beam("{modes: {bending_y: 20000}}"),
       "case.yaml:5:100: links[0].beam.flexibility.modes: asks for 20000"},
      {"segments", beam("{segments: 1000000000}"), "case.yaml:3:7: links[0]: asks for 3000000004 coordinates"},
      {"kept", beam("{elements: 9000, keep: 50000}"),
       "case.yaml:5:115: links[0].beam.flexibility.keep: asks for 50000"},
      {"rows", std::string(bar) + "simulate: {for: 1 s, output_step: 1e-30}\n",
       "case.yaml:2:35: simulate.output_step: "},
      {"checkpoints", std::string(bar) + "simulate: {for: 1000 s, checkpoint: 1 ns}\n",
       "case.yaml:2:37: simulate.check"},
      {"samples",
       std::string(bar) + "simulate: {for: 100 s}\ntorque: {p: {pd: {kp: 1, kd: 1, target: 0, sample_time: 1 ns}}}\n",
       "case.yaml:3:57: torque.p.pd.sample_time: asks for 1e+11 samples"},
      {"keys", keys, "case.yaml:2:1: unknown key 'k0'"},
      {"long_key", "arm: {" + std::string(500, 'k') + ": 1}\n", "case.yaml:1:7: expected a key of at most 200"},
      {"longer_key", "arm: {" + std::string(60000, 'k') + ": 1}\n", "case.yaml:1:7: "},
      {"long_name", "arm: {links: [{name: " + std::string(60000, 'n') + ", joint: {type: fixed}, rigid: {mass: 1}}]}\n",
       "case.yaml:1:22: links[0].name: expected a name of at most 200"},
      {"long_word", std::string(bar) + "simulate: {for: 1 s, method: " + std::string(60000, 'w') + "}\n",
       "case.yaml:2:30: simulate.method: expected one of"},
      {"aliases", laughs, "case.yaml:6:"},
      {"alias_of_itself", "a: &a {b: *a}\n", "case.yaml:1:4: nested too deeply"},
      {"brackets", std::string(100000, '['), "case.yaml:1:"},
      {"braces", std::string(100000, '{'), "case.yaml:1:"},
      {"questions", std::string(100000, '?'), "case.yaml"},
      {"dashes", dashes, "case.yaml:"},
      {"joints", joints, "case.yaml:3:3: motion.j0: no joint 'j0'"},
      {"links", links, "case.yaml:3:7: links"},
      {"zeros", std::string(100000, '\0'), "case.yaml"},
  };
}

class HostileFile : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileFile, IsRefusedInSecondsWithItsPlace) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", GetParam().text);
  Child child(scratch, {"check", file});
  ASSERT_TRUE(child.wait(100)) << "takes too long";
  const std::string err = child.err();
  EXPECT_EQ(child.code(), 2) << err.substr(0, 500);
  EXPECT_TRUE(err.starts_with(scratch.path() + "/" + GetParam().place)) << err.substr(0, 500);
  EXPECT_LT(err.size(), 200'000u);
  EXPECT_EQ(err.find("exception"), std::string::npos) << err.substr(0, 500);
}

INSTANTIATE_TEST_SUITE_P(Files, HostileFile, ::testing::ValuesIn(hostile_files()),
                         [](const auto& file) { return file.param.name; });

TEST(HostileInput, ThatIsNoFileIsRefused) {
  const TemporaryFolder scratch;
  const std::string pipe = scratch.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& [file, words] :
       {std::pair<std::string, std::string>{"/dev/zero", "cannot be read: more than 64 MiB"},
        {pipe, "cannot be read: a pipe that nothing writes to"},
        {scratch.path(), "cannot be read: Is a directory"}}) {
    Child child(scratch, {"check", file});
    ASSERT_TRUE(child.wait(100)) << file;
    EXPECT_EQ(child.code(), 2) << file;
    EXPECT_EQ(child.err(), file + ": " + words + "\n");
  }
  const std::string including = scratch.write("case.yaml", "include: " + pipe + "\n");
  Child included(scratch, {"check", including});
  ASSERT_TRUE(included.wait(100));
  EXPECT_EQ(included.code(), 2);
  EXPECT_EQ(included.err(),
            including + ":1:10: include: cannot read \"" + pipe + "\": a pipe that nothing writes to\n");
  const std::string link =
      scratch.write("case.yaml", "arm: {links: [{name: a, joint: {type: fixed}, imported: {file: " + pipe + "}}]}\n");
  Child child(scratch, {"check", link});
  ASSERT_TRUE(child.wait(100));
  EXPECT_EQ(child.err(),
            link + ":1:64: links[0].imported.file: cannot read \"" + pipe + "\": a pipe that nothing writes to\n");
}

TEST(HostileInput, FilesNamedTooLongAreOneLine) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", "include: " + std::string(60000, 'x') + "\n");
  Child child(scratch, {"check", file});
  ASSERT_TRUE(child.wait(100));
  EXPECT_EQ(child.code(), 2);
  EXPECT_TRUE(child.err().starts_with(file + ":1:10: include: cannot read \"")) << child.err();
  EXPECT_TRUE(child.err().ends_with("…\": File name too long\n")) << child.err();
}

/// A results file of some kB that claims 10^9 rows.
TEST(HostileInput, ResultsThatOnlyDeclareTheirRowsAreRefused) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", std::string(bar) + "simulate: {for: 1 s}\n");
  Child run(scratch, {"run", file, "-o", scratch.path()});
  ASSERT_TRUE(run.wait(100));
  ASSERT_EQ(run.code(), 0) << run.err();
  const std::string results = scratch.path() + "/results.h5";
  const hid_t h5 = H5Fopen(results.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(h5, 0);
  const hsize_t n = 1'000'000'000;
  std::vector<std::string> names{"time"};
  const hid_t group = H5Gopen2(h5, "series", H5P_DEFAULT);
  H5Literate(
      group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr,
      [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
        static_cast<std::vector<std::string>*>(list)->push_back(std::string("series/") + name);
        return 0;
      },
      &names);
  H5Gclose(group);
  ASSERT_GT(names.size(), 5u);
  for (const std::string& name : names) {
    const hid_t series = H5Dopen2(h5, name.c_str(), H5P_DEFAULT);
    ASSERT_GE(H5Dset_extent(series, &n), 0) << name;
    H5Dclose(series);
  }
  const hid_t rows = H5Aopen(h5, "rows", H5P_DEFAULT);
  const long long claimed = (long long)n;
  ASSERT_GE(H5Awrite(rows, H5T_NATIVE_LLONG, &claimed), 0);
  H5Aclose(rows);
  H5Fclose(h5);
  ASSERT_LT(std::filesystem::file_size(results), 2'000'000u);
  Child info(scratch, {"info", results});
  ASSERT_TRUE(info.wait(100));
  EXPECT_EQ(info.err(), "lithe: cannot read " + results + ": damaged: 1000000000 numbers are declared but missing\n");
}

// ------------------------------------------------------------------------------------------------- told to end

TEST(Interrupt, EndsWhateverIsGoingOn) {
  const TemporaryFolder scratch;
  // Long in reading, checking, and finding the start: nothing is written yet, so it just ends.
  std::string links = "arm:\n  links:\n";
  for (int i = 0; i < 19000; ++i)
    links += "    - {name: l" + std::to_string(i) +
             ", joint: {type: revolute, axis: [0, 1, 0], spring: {stiffness: 100}}, " +
             "rigid: {mass: 1, length: 0.1, com: [0.05, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}\n";
  const std::string file =
      scratch.write("case.yaml", links + "initial: {deformation: static}\nsimulate: {for: 1 s, method: dopri5}\n");
  for (const int ms : {50, 400, 1200}) {
    Child child(scratch, {"run", file, "-o", scratch.path() + "/out"});
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    child.signal(SIGINT);
    ASSERT_TRUE(child.wait(30)) << "after " << ms << " ms";
    EXPECT_TRUE(child.code() == -SIGINT || child.code() == 1) << child.code() << child.err();
  }
}

TEST(Interrupt, EndsAlsoTheSearchForTheStart) {
  // A servo's gains by the largest inertia that its joint can see: a long search over all positions of 300 links, between the
  // checks of the case and the first row.
  const TemporaryFolder scratch;
  std::string links = "arm:\n  links:\n";
  for (int i = 0; i < 300; ++i)
    links += "    - {name: l" + std::to_string(i) + ", joint: {name: j" + std::to_string(i) +
             ", type: revolute, axis: [0, 1, 0]}, rigid: {mass: 1, length: 0.1, com: [0.05, 0, 0]}}\n";
  const std::string file = scratch.write(
      "case.yaml", links + "torque: {j0: {servo: {structural_frequency: 1 Hz, target: 0}}}\nsimulate: {for: 1 s}\n");
  Child child(scratch, {"run", file, "-o", scratch.path() + "/out"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  child.signal(SIGINT);
  ASSERT_TRUE(child.wait(100));
  EXPECT_EQ(child.code(), -SIGINT) << child.err();
}

TEST(Interrupt, OfAMarchKeepsItsRowsAndASecondOneDoesNotWait) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", std::string(bar) + "simulate: {for: 1e7 s, output_step: 1 s}\n");
  Child child(scratch, {"run", file, "-o", scratch.path()});
  const auto end = Clock::now() + std::chrono::seconds(20);
  while (!std::filesystem::exists(scratch.path() + "/results.h5") && Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  child.signal(SIGINT);
  ASSERT_TRUE(child.wait(60));
  EXPECT_EQ(child.code(), 1);
  EXPECT_NE(child.err().find("interrupted at t = "), std::string::npos) << child.err();
}

}  // namespace
}  // namespace lithe::testing
