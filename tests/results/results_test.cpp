// The trajectory store: what goes in comes out, to the last bit, whatever happens on the way.
#include "lithe/results/results.h"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "app/run_program.h"
#include "results/sample.h"
#include "support/leftovers.h"

namespace lithe::testing {
namespace {

using Json = nlohmann::json;

/// The message with which something is refused.
template <class Work>
std::string refusal(Work&& work) {
  try {
    work();
  } catch (const ResultsError& error) {
    return error.what();
  }
  return "not refused";
}

/// Runs `work` in a child process, silently ended without cleaning up.
template <class Work>
pid_t in_child(Work&& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  try {
    work();
  } catch (...) {
    _exit(99);
  }
  _exit(0);
}

void expect_sample_header(const ResultsHeader& header) {
  const ResultsHeader expected = sample_header();
  EXPECT_EQ(header.case_text, expected.case_text);
  EXPECT_EQ(header.case_file, expected.case_file);
  EXPECT_EQ(header.version, expected.version);
  ASSERT_EQ(header.columns.size(), expected.columns.size());
  for (size_t i = 0; i < expected.columns.size(); ++i) {
    EXPECT_EQ(header.columns[i].name, expected.columns[i].name);
    EXPECT_EQ(header.columns[i].unit, expected.columns[i].unit);
  }
}

TEST(Results, ComeBackAsWritten) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/results.h5";
  {
    ResultsWriter writer = ResultsWriter::create(file, sample_header());
    append_rows(writer, 0, 1000);
    writer.checkpoint({9.99, {1, 2, 3}});
    append_rows(writer, 1000, 3000);  // across chunks
    writer.checkpoint({29.99, {4}});
    append_rows(writer, 3000, 3001);
    writer.finish({{"steps", 17}, {"cost.seconds", 0.25}});
  }
  const Results results = Results::read(file);
  expect_sample_header(results.header);
  EXPECT_TRUE(results.complete);
  EXPECT_EQ(results.stopped_because, "");
  EXPECT_EQ(results.statistics, (std::map<std::string, double>{{"steps", 17}, {"cost.seconds", 0.25}}));
  EXPECT_EQ(results.time.size(), 3001u);
  EXPECT_EQ(difference_from_sample(results), "");
  EXPECT_EQ(results.find("tip.x"), 2);
  EXPECT_EQ(results.find("tip"), -1);
  EXPECT_EQ(n_leftovers(scratch.path()), 0);
}

TEST(Results, SameRunGivesTheSameBytes) {
  const TemporaryFolder scratch;
  for (const char* name : {"/a.h5", "/b.h5"}) {
    ResultsWriter writer = ResultsWriter::create(scratch.path() + name, sample_header());
    append_rows(writer, 0, 10);
    writer.finish({});
    sleep(std::string(name) == "/a.h5" ? 1 : 0);  // a time stamp of seconds would show
  }
  EXPECT_EQ(read_text(scratch.path() + "/a.h5"), read_text(scratch.path() + "/b.h5"));
}

TEST(Results, OddRunsAreKeptToo) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/results.h5";
  ResultsWriter::create(file, {"", "", "", {}}).finish({});
  EXPECT_EQ(Results::read(file).time.size(), 0u);
  // Names with slashes, spaces and letters beyond ASCII, and one that was there before: replaced.
  ResultsWriter writer = ResultsWriter::create(file, {"", "", "", {{"left/shoulder", "rad"}, {"épaule 1", "°"}}});
  writer.append(0, std::vector<double>{1, 2});
  writer.finish({});
  const Results results = Results::read(file);
  EXPECT_EQ(results.header.columns[0].name, "left/shoulder");
  EXPECT_EQ(results.header.columns[1].unit, "°");
  EXPECT_EQ(results.series[1][0], 2);
}

TEST(Results, KeepBinaryFilesToTheLastByte) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/results.h5";
  // Zero bytes at both ends and inside; bytes that are no UTF-8; an empty file; a text.
  const std::string zeros("\0solid\0\0", 8), odd = "\xff\xfe part", text = "solid é\n";
  ResultsHeader header = sample_header();
  header.files = {{"a.stl", zeros}, {"b.stl", odd}, {"c.txt", ""}, {"d.txt", text}};
  {
    ResultsWriter writer = ResultsWriter::create(file, header);
    append_rows(writer, 0, 5);
    writer.checkpoint({0.04, {}});
  }
  EXPECT_EQ(Results::read(file).header.files, header.files);
  EXPECT_EQ(ResultsWriter::begun(file, header), ResultsWriter::Begun::checkpoint);  // "has changed" if a byte did
  header.files[0].text.back() = 'x';
  EXPECT_EQ(refusal([&] { ResultsWriter::begun(file, header); }),
            "cannot resume " + file + ": a.stl has changed since it was started");
  // Others read bytes as numbers.
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(opened, "/files/a.stl", H5P_DEFAULT), type = H5Dget_type(set);
  EXPECT_EQ(H5Tget_class(type), H5T_INTEGER);
  std::vector<unsigned char> bytes(8);
  EXPECT_GE(H5Dread(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0);
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), zeros);
  H5Tclose(type), H5Dclose(set), H5Fclose(opened);
}

TEST(Results, RowsReachTheFileAtCheckpointsOnly) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/results.h5";
  ResultsWriter writer = ResultsWriter::create(file, sample_header());
  EXPECT_EQ(Results::read(file).time.size(), 0u);  // readable from the start, and while the run goes on
  append_rows(writer, 0, 5);
  writer.checkpoint({0.04, {}});
  append_rows(writer, 5, 9);
  const Results results = Results::read(file);
  EXPECT_EQ(results.time.size(), 5u);
  EXPECT_FALSE(results.complete);
  EXPECT_EQ(results.stopped_because, "");
}

TEST(Results, StoppedRunSaysWhy) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/results.h5";
  ResultsWriter writer = ResultsWriter::create(file, sample_header());
  append_rows(writer, 0, 5);
  writer.finish({{"steps", 3}}, "elbow diverged at t = 0.05 s");
  const Results results = Results::read(file);
  EXPECT_FALSE(results.complete);
  EXPECT_EQ(results.stopped_because, "elbow diverged at t = 0.05 s");
  EXPECT_EQ(results.time.size(), 5u);
  EXPECT_EQ(results.statistics.at("steps"), 3);
}

// ------------------------------------------------------------------------------------------------ resuming

TEST(Resume, ContinuesFromTheLastCheckpoint) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/results.h5";
  {
    ResultsWriter writer = ResultsWriter::create(file, sample_header());
    append_rows(writer, 0, 2000);
    writer.checkpoint({19.99, {3.25, -1, 1e300}});
    // Rows that the resumed run computes anew: a wrong value here must not survive.
    for (int row = 2000; row < 2300; ++row) writer.append(sample_time(row), std::vector<double>(4, 777));
    writer.finish({{"old", 1}}, "interrupted");
  }
  EXPECT_EQ(Results::read(file).time.size(), 2300u);
  {
    Checkpoint checkpoint;
    ResultsWriter writer = ResultsWriter::resume(file, sample_header(), checkpoint);
    EXPECT_EQ(checkpoint.t, 19.99);
    EXPECT_EQ(checkpoint.memory, (std::vector<double>{3.25, -1, 1e300}));
    EXPECT_EQ(Results::read(file).time.size(), 2300u) << "nothing is written before the next checkpoint";
    append_rows(writer, 2000, 2100);
    writer.checkpoint({20.99, {5}});
    EXPECT_EQ(Results::read(file).stopped_because, "");
    append_rows(writer, 2100, 2500);
    writer.finish({{"steps", 9}});
  }
  const Results results = Results::read(file);
  EXPECT_TRUE(results.complete);
  EXPECT_EQ(results.time.size(), 2500u);
  EXPECT_EQ(difference_from_sample(results), "");
  EXPECT_EQ(results.statistics, (std::map<std::string, double>{{"steps", 9}}));
}

TEST(Resume, RefusesWhatItCannotContinue) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/r.h5";
  Checkpoint checkpoint;
  auto resume_with = [&](const ResultsHeader& header) {
    const std::string message = refusal([&] { ResultsWriter::resume(file, header, checkpoint); });
    const std::string prefix = "cannot resume " + file + ": ";
    return message.rfind(prefix, 0) == 0 ? message.substr(prefix.size()) : message;
  };
  EXPECT_EQ(resume_with(sample_header()), "cannot read " + file + ": No such file or directory");
  {
    ResultsWriter writer = ResultsWriter::create(file, sample_header());
    EXPECT_EQ(resume_with(sample_header()), "it was stopped before its first checkpoint");
    append_rows(writer, 0, 3);
    writer.checkpoint({0.02, {1}});
  }
  ResultsHeader other = sample_header();
  other.case_text.replace(other.case_text.find("for: 5"), 6, "for: 8");
  EXPECT_EQ(resume_with(other),
            "the case is not the one it was started with: simulate.for is \"5\" there and \"8\" here");
  other = sample_header();
  other.version = "0.2.0";
  EXPECT_EQ(resume_with(other), "it was started by lithe 0.1.0, this is lithe 0.2.0");
  other = sample_header();
  other.columns.pop_back();
  EXPECT_EQ(resume_with(other), "it has 4 columns, this run has 3");
  other = sample_header();
  other.columns[2] = {"tip.y", "m"};
  EXPECT_EQ(resume_with(other), "its column 3 is tip.x [m], this run's is tip.y [m]");
  other = sample_header();
  other.case_file = "moved/swing.yaml";
  EXPECT_EQ(resume_with(other), "not refused");
  ResultsWriter::resume(file, sample_header(), checkpoint).finish({});
  EXPECT_EQ(resume_with(sample_header()), "it is complete");
}

// ------------------------------------------------------------------------------------------------ bad files

TEST(Results, RefuseWhatIsNotTheirs) {
  const TemporaryFolder scratch;
  auto read_refusal = [&](const std::string& file) {
    const std::string message = refusal([&] { Results::read(file); }), prefix = "cannot read " + file + ": ";
    return message.rfind(prefix, 0) == 0 ? message.substr(prefix.size()) : message;
  };
  EXPECT_EQ(read_refusal(scratch.path() + "/none.h5"), "No such file or directory");
  EXPECT_EQ(read_refusal(scratch.path()), "Is a directory");
  EXPECT_EQ(read_refusal(scratch.write("empty.h5", "")), "not an HDF5 file");
  EXPECT_EQ(read_refusal(scratch.write("garbage.h5", std::string(5000, 'x'))), "not an HDF5 file");

  // Another program's file, which that program still holds open and locked.
  const std::string foreign = scratch.path() + "/foreign.h5", ready = scratch.path() + "/ready";
  const pid_t other = in_child([&] {
    const hid_t file = H5Fcreate(foreign.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    scratch.write("ready", "");
    pause();
  });
  while (!std::filesystem::exists(ready)) usleep(1000);
  EXPECT_EQ(read_refusal(foreign), "an HDF5 file, but not a results file of lithe");
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);

  const std::string good = scratch.path() + "/good.h5";
  ResultsWriter writer = ResultsWriter::create(good, sample_header());
  append_rows(writer, 0, 3000);
  writer.finish({});
  const std::string bytes = read_text(good);
  const std::string cut = read_refusal(scratch.write("cut.h5", bytes.substr(0, bytes.size() / 2)));
  EXPECT_EQ(cut.rfind("damaged or cut short: truncated file", 0), 0u) << cut;
  std::string newer = bytes;
  newer.replace(newer.find("lithe results 1"), 15, "lithe results 2");
  EXPECT_EQ(read_refusal(scratch.write("newer.h5", newer)),
            "its format is 'lithe results 2', but this version of lithe reads 'lithe results 1'");
}

TEST(Results, SaySoWhenTheyCannotBeWritten) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/none/results.h5";
  EXPECT_EQ(refusal([&] { ResultsWriter::create(file, sample_header()); }),
            "cannot write " + file + ": No such file or directory");
  const std::string in_the_way = scratch.path() + "/folder.h5";
  std::filesystem::create_directory(in_the_way);
  EXPECT_EQ(refusal([&] { ResultsWriter::create(in_the_way, sample_header()); }),
            "cannot write " + in_the_way + ": Is a directory");
}

// ------------------------------------------------------------------------------------------------ killed, disk full

TEST(Results, KilledRunLeavesAReadableFile) {
  const TemporaryFolder scratch;
  std::mt19937 random(20261115);
  size_t most = 0;
  unsigned longest = 20000;  // microseconds until it is killed
  for (int attempt = 0; attempt < 40; ++attempt) {
    if (attempt % 10 == 9 && most <= 6) longest *= 4;  // a busy machine gives children more time
    const std::string file = scratch.path() + "/results.h5";
    std::filesystem::remove(file);
    const pid_t child = in_child([&] {
      ResultsWriter writer = ResultsWriter::create(file, sample_header());
      // A checkpoint after every few rows, so that most kills fall amid one.
      for (int row = 0;; row += 3) {
        append_rows(writer, row, row + 3);
        writer.checkpoint({sample_time(row + 2), {double(row + 3)}});
      }
    });
    while (!std::filesystem::exists(file)) usleep(100);
    usleep(std::uniform_int_distribution<unsigned>(0, longest)(random));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const Results results = Results::read(file);
    EXPECT_FALSE(results.complete);
    EXPECT_EQ(results.time.size() % 3, 0u);
    EXPECT_EQ(difference_from_sample(results), "");
    most = std::max(most, results.time.size());
    if (results.time.empty()) continue;
    Checkpoint checkpoint;
    ResultsWriter::resume(file, sample_header(), checkpoint).finish({});
    EXPECT_EQ(checkpoint.memory[0], double(results.time.size()));
    EXPECT_TRUE(Results::read(file).complete);
  }
  EXPECT_GT(most, 6u) << "no child got far enough for this test to mean anything";
}

TEST(Results, FileSizeLimitIsReportedAndEarlierRowsStay) {
  for (const bool ignored : {true, false}) {  // the signal that comes with it
    const TemporaryFolder scratch;
    const std::string file = scratch.path() + "/results.h5";
    const pid_t child = in_child([&] {
      signal(SIGXFSZ, ignored ? SIG_IGN : SIG_DFL);
      const rlimit limit{200000, 200000};
      setrlimit(RLIMIT_FSIZE, &limit);
      const std::string words = file + ".words";
      if (freopen(words.c_str(), "w", stderr) == nullptr) _exit(98);
      int n_failed = 0;
      {
        ResultsWriter writer = ResultsWriter::create(file, sample_header());
        append_rows(writer, 0, 1000);
        writer.checkpoint({9.99, {}});
        append_rows(writer, 1000, 20000);
        for (int attempt = 0; attempt < 2; ++attempt)
          n_failed += refusal([&] { writer.checkpoint({199.99, {}}); }) == "cannot write " + file + ": File too large";
        n_failed += refusal([&] { writer.finish({}); }) == "cannot write " + file + ": File too large";
      }
      fflush(stderr);
      _exit(n_failed == 3 && std::filesystem::file_size(words) == 0 ? 42 : 1);
    });
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 42);
    const Results results = Results::read(file);
    EXPECT_EQ(results.time.size(), 1000u);
    EXPECT_FALSE(results.complete);
    EXPECT_EQ(difference_from_sample(results), "");
    EXPECT_EQ(n_leftovers(scratch.path()), 0);
  }
}

// ------------------------------------------------------------------------------------------------ another reader

TEST(Results, AreReadAlikeByH5py) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/results.h5", answer_file = scratch.path() + "/answer.json";
  ResultsWriter writer = ResultsWriter::create(file, sample_header());
  append_rows(writer, 0, 1500);
  writer.checkpoint({14.99, {0.1, 2}});
  append_rows(writer, 1500, 1600);
  writer.finish({{"steps", 0.1}});
  const std::string command =
      "/usr/bin/python3 '" LITHE_SOURCE_DIR "/tests/results/dump_with_h5py.py' '" + file + "' > '" + answer_file + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Json answer = Json::parse(read_text(answer_file));

  const ResultsHeader header = sample_header();
  EXPECT_EQ(answer["attributes"], (Json{{"format", "lithe results 1"},
                                        {"version", "0.1.0"},
                                        {"case_file", "swing.yaml"},
                                        {"complete", 1},
                                        {"stopped_because", ""},
                                        {"rows", 1600}}));
  EXPECT_EQ(answer["case"], header.case_text);
  EXPECT_EQ(answer["superblock"], 0);
  EXPECT_EQ(answer["time_unit"], "s");
  EXPECT_EQ(answer["statistics"], (Json{{"steps", 0.1}}));
  EXPECT_EQ(answer["checkpoint"], (Json{{"t", 14.99}, {"rows", 1500}, {"memory", {0.1, 2}}}));
  for (size_t i = 0; i < header.columns.size(); ++i) {
    EXPECT_EQ(answer["columns"][i], header.columns[i].name);
    EXPECT_EQ(answer["units"][header.columns[i].name], header.columns[i].unit);
  }
  ASSERT_EQ(answer["time"].size(), 1600u);
  for (int row = 0; row < 1600; ++row) {
    ASSERT_EQ(answer["time"][row].get<double>(), sample_time(row));
    const std::vector<double> expected = sample_row(row);
    for (size_t i = 0; i < expected.size(); ++i) {
      const Json& value = answer["series"][header.columns[i].name][row];
      ASSERT_TRUE(std::isnan(expected[i]) ? value.is_null() : value.get<double>() == expected[i]) << i << " " << row;
    }
  }
}

}  // namespace
}  // namespace lithe::testing
