// Results files that others made: they lead to no other file, steer no terminal and break no JSON.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/run_program.h"
#include "lithe/describe/printable.h"
#include "lithe/results/stored_case.h"
#include "lithe/show/report.h"
#include "lithe/show/shown_run.h"
#include "results/sample.h"

namespace lithe::testing {
namespace {

using Json = nlohmann::json;

/// A sound file of a few rows, then changed by someone.
class ForeignResults : public ::testing::Test {
 protected:
  std::string file() const { return scratch_.path() + "/results.h5"; }
  void write(const ResultsHeader& header = sample_header()) {
    ResultsWriter writer = ResultsWriter::create(file(), header);
    append_rows(writer, 0, 6);
    writer.checkpoint({0.05, {1, 2}});
    writer.finish({{"steps", 12}}, "interrupted");
  }
  void change(const std::function<void(hid_t)>& how) {
    const hid_t opened = H5Fopen(file().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(opened, 0);
    how(opened);
    H5Fclose(opened);
  }
  /// Puts another list of doubles in the place of one, made with `creation`.
  void replace(const char* name, hid_t creation, hsize_t n) {
    change([&](hid_t opened) {
      ASSERT_GE(H5Ldelete(opened, name, H5P_DEFAULT), 0);
      const hid_t space = H5Screate_simple(1, &n, nullptr);
      const hid_t set = H5Dcreate2(opened, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
      ASSERT_GE(set, 0);
      const hid_t type = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
      H5Tset_size(type, H5T_VARIABLE);
      const hid_t unit = H5Acreate2(set, "unit", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
      const char* text = "m";
      H5Awrite(unit, type, &text);
      H5Aclose(unit), H5Sclose(scalar), H5Tclose(type), H5Dclose(set), H5Sclose(space);
    });
  }
  std::string refusal() const {
    try {
      Results::read(file());
    } catch (const ResultsError& error) {
      const std::string prefix = "cannot read " + file() + ": ", said = error.what();
      return said.starts_with(prefix) ? said.substr(prefix.size()) : said;
    }
    return "not refused";
  }
  TemporaryFolder scratch_;
};

TEST_F(ForeignResults, WithExternalStorageAreRefused) {
  const std::string secret = scratch_.write("secret", std::string(800, 's'));
  for (const char* name : {"/time", "/series/tip.x", "/checkpoint/memory"}) {
    write();
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    ASSERT_GE(H5Pset_external(creation, secret.c_str(), 0, 48), 0);
    replace(name, creation, 6);
    H5Pclose(creation);
    const std::string last = std::string(name).substr(std::string(name).rfind('/') + 1);
    if (last == "memory") {  // read by who resumes alone
      Checkpoint checkpoint;
      try {
        ResultsWriter::resume(file(), sample_header(), checkpoint);
        ADD_FAILURE() << "resumed";
      } catch (const ResultsError& error) {
        EXPECT_NE(std::string(error.what()).find("memory is in another file"), std::string::npos) << error.what();
      }
    } else {
      EXPECT_EQ(refusal(), last + " is in another file; only data in the file itself is read");
      const Finished exported = run_program({"export", file()});
      EXPECT_EQ(exported.code, 2);
      EXPECT_EQ(exported.out, "");
    }
  }
  EXPECT_EQ(read_text(secret), std::string(800, 's'));
}

TEST_F(ForeignResults, WithVirtualDatasetsAreRefused) {
  write();
  std::filesystem::copy_file(file(), scratch_.path() + "/other.h5");
  const hsize_t n = 6;
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, nullptr);
  ASSERT_GE(H5Pset_virtual(creation, space, (scratch_.path() + "/other.h5").c_str(), "/time", space), 0);
  replace("/series/shoulder", creation, n);
  H5Sclose(space), H5Pclose(creation);
  EXPECT_EQ(refusal(), "shoulder is in another file; only data in the file itself is read");
}

TEST_F(ForeignResults, WithLinksAreRefused) {
  const std::string other = scratch_.path() + "/other.h5";
  write();
  std::filesystem::copy_file(file(), other);
  const auto said = [](const std::string& name) { return name + " is a link; only data in the file itself is read"; };
  for (const char* name : {"/series/tip.x", "/series", "/case", "/columns", "/time", "/statistics"}) {
    write();
    change([&](hid_t opened) {
      H5Ldelete(opened, name, H5P_DEFAULT);
      ASSERT_GE(H5Lcreate_external(other.c_str(), name, opened, name, H5P_DEFAULT, H5P_DEFAULT), 0);
    });
    EXPECT_EQ(refusal(), said(std::string(name).substr(std::string(name).rfind('/') + 1)));
  }
  // A link within the file may lead through one that leads out.
  write();
  change([&](hid_t opened) {
    H5Ldelete(opened, "/time", H5P_DEFAULT);
    H5Lcreate_external(other.c_str(), "/", opened, "/door", H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(H5Lcreate_soft("/door/time", opened, "/time", H5P_DEFAULT, H5P_DEFAULT), 0);
  });
  EXPECT_EQ(refusal(), said("time"));
}

TEST_F(ForeignResults, LoadNoPlugins) {
  // A filter that only a plugin has: HDF5 would look for it in this folder, and load what is there into the process.
  write();
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 6;
  H5Pset_chunk(creation, 1, &chunk);
  const H5Z_class2_t fake{H5Z_CLASS_T_VERS,
                          32099,
                          1,
                          1,
                          "fake",
                          nullptr,
                          nullptr,
                          [](unsigned, size_t, const unsigned*, size_t n, size_t*, void**) { return n; }};
  ASSERT_GE(H5Zregister(&fake), 0);
  ASSERT_GE(H5Pset_filter(creation, 32099, H5Z_FLAG_MANDATORY, 0, nullptr), 0);
  replace("/time", creation, chunk);
  change([](hid_t opened) {
    const hid_t set = H5Dopen2(opened, "/time", H5P_DEFAULT);
    const double t[6] = {0, 1, 2, 3, 4, 5};
    ASSERT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, t), 0);
    H5Dclose(set);
  });
  H5Pclose(creation);
  ASSERT_GE(H5Zunregister(32099), 0);
  // What a plugin looks like to the loader: a library that says so when it is loaded.
  const std::string plugins = scratch_.path() + "/plugins", mark = scratch_.path() + "/loaded";
  std::filesystem::create_directory(plugins);
  const std::string source = scratch_.write(
      "plugin.c", "#include <stdio.h>\n__attribute__((constructor)) static void here(void) { fclose(fopen(\"" + mark +
                      "\", \"w\")); }\n");
  ASSERT_EQ(std::system(("cc -shared -fPIC -o '" + plugins + "/libplugin.so' '" + source + "'").c_str()), 0);
  ::setenv("HDF5_PLUGIN_PATH", plugins.c_str(), 1);
  const Finished exported = run_program({"export", file()});
  ::unsetenv("HDF5_PLUGIN_PATH");
  EXPECT_EQ(exported.code, 2) << exported.out;
  EXPECT_FALSE(std::filesystem::exists(mark)) << "the plugin was loaded";
}

// ------------------------------------------------------------------------------------------------ texts

TEST(Printable, KeepsWordsAndDropsWhatSteers) {
  const std::string odd = "\uFFFD";
  EXPECT_EQ(printable("60° épaule ✓ 𝄞\n\tnext\r\n"), "60° épaule ✓ 𝄞\n\tnext\r\n");
  EXPECT_EQ(printable("a\x1b[31mred\x07\x7f"), "a" + odd + "[31mred" + odd + odd);
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            odd + "2J")
      << "C1: the same in one character";
  EXPECT_EQ(printable("over\rwritten"), "over" + odd + "written");
  EXPECT_EQ(printable("\u202Egnp.exe"), odd + "gnp.exe");
  EXPECT_EQ(printable_line("two\nlines\t"), "two" + odd + "lines" + odd);
  // Not UTF-8: Latin-1, cut short, longer than need be, half a pair, beyond Unicode.
  for (const char* bad : {"\xe9", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff\xfe"}) {
    const std::string clean = printable(bad);
    EXPECT_NE(clean.find(odd), std::string::npos);
    EXPECT_EQ(clean.find_first_not_of(odd), std::string::npos) << bad;
    EXPECT_NO_THROW(Json(clean).dump());
  }
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a" + odd + "b");
}

TEST_F(ForeignResults, SteerNoTerminalAndBreakNoJson) {
  const std::string odd = "\uFFFD", evil = "\x1b]0;owned\x07", latin = "\xe9paule";
  ResultsHeader header = sample_header();
  header.columns = {{"shoulder" + evil, "rad" + evil}, {latin, "\xb0"}, {"two\nlines", ""}, {"plain", "m"}};
  header.case_file = "a" + evil + ".yaml";
  header.case_text = "# " + evil + latin + "\n" + header.case_text;
  header.version = "0" + evil;
  ResultsWriter writer = ResultsWriter::create(file(), header);
  append_rows(writer, 0, 3);
  writer.finish({{"steps" + evil, 1}}, "because" + evil);

  const auto clean = [&](const std::string& text) {
    return printable(text) == text && text.find('\x1b') == std::string::npos;
  };
  for (const std::vector<std::string>& words : {std::vector<std::string>{"info", file()},
                                                {"info", file(), "--json"},
                                                {"info", file(), "--case"},
                                                {"export", file()},
                                                {"export", file(), "--json"},
                                                {"export", file(), "--columns", "none"},
                                                {"plot", file(), "--y", "none", "-o", scratch_.path() + "/f.svg"},
                                                {"report", file(), "-o", scratch_.path() + "/r.html"},
                                                {"image", file(), "-o", scratch_.path() + "/i.png"}}) {
    const Finished finished = run_program(words);
    EXPECT_TRUE(clean(finished.out)) << words[0];
    EXPECT_TRUE(clean(finished.err)) << words[0] << ": " << finished.err;
    EXPECT_TRUE(words.back() != "--json" || Json::accept(finished.out)) << words[0];
  }
  const Json info = Json::parse(run_program({"info", file(), "--json"}).out);
  EXPECT_EQ(info["columns"][0]["name"], "shoulder" + odd + "]0;owned" + odd);
  EXPECT_EQ(info["columns"][1]["name"], odd + "paule");
  EXPECT_EQ(info["columns"][2]["name"], "two" + odd + "lines");
  // The series are found all the same.
  EXPECT_EQ(Results::read(file()).series[1][2], sample_row(2)[1]);
  const Finished one = run_program({"export", file(), "--columns", odd + "paule"});
  EXPECT_EQ(one.out.substr(0, one.out.find('\n')), "t [s]," + odd + "paule [" + odd + "]");
}

TEST(CaseFiles, SteerNoTerminalAndBreakNoJson) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("bad.yaml", "arm:\n  links: \"\\e[2J\xe9\"\n");
  const Finished said = run_program({"check", file}), json = run_program({"check", file, "--json"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(printable(said.err), said.err);
  EXPECT_EQ(said.err.find('\x1b'), std::string::npos);
  EXPECT_TRUE(Json::accept(json.out)) << json.out;
  // Nor does a name of a file.
  std::filesystem::copy_file(example("03_planar_elbow/case.yaml"), scratch.path() + "/\xe9.yaml");
  const Finished named = run_program({"sketch", "\xe9.yaml", "-o", "\xe9.svg", "--json"}, scratch.path());
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_EQ(Json::parse(named.out)["written"], "\uFFFD.svg");
}

// ------------------------------------------------------------------------------------------------ cases that stand alone

const char* bar = R"(
arm:
  links:
    - name: bar
      joint: {name: hub, type: revolute, axis: [0, 1, 0]}
      rigid: {length: 1, mass: 2, com: [0.5, 0, 0]}
)";

/// Results with this case, and a first column that fits its arm.
ResultsHeader header_with(const std::string& case_text) {
  ResultsHeader header = sample_header();
  header.case_text = case_text;
  header.columns[0].name = "hub";
  return header;
}

TEST_F(ForeignResults, OpenNoFileThatTheirCaseNames) {
  const std::string table = scratch_.write("secret.csv", "0,0\n1,0.5\n2,0.5\n"),
                    part = scratch_.write("secret.yaml", std::string(bar).substr(1)),
                    shapes = scratch_.write("secret.json", "{\"secret\": 1}");
  const std::string up = "../" + std::filesystem::path(scratch_.path()).filename().string();
  const std::string motion = std::string(bar) + "motion: {hub: {table: {file: ";
  for (const std::string& text : {
           motion + table + "}}}\n",
           motion + "../../../../../.." + table + "}}}\n",
           "include: " + part + "\n",
           "include: [" + up + "/secret.yaml]\n",
           "arm: {carrier: " + part + ", carries: " + part + "}\n",
           "arm: {links: [{name: bar, joint: {name: hub, type: revolute, axis: [0, 1, 0]}, imported: {file: " + shapes +
               "}}]}\n",
           // Relative to where the results lie, to where lithe runs, or to the case's own file.
           std::string("include: secret.yaml\n"),
           motion + "secret.csv}}}\n",
       }) {
    ResultsHeader header = header_with(text);
    header.case_file = part;
    write(header);
    ShownRun run{.label = "", .file = file(), .results = Results::read(file())};
    add_arm(run);
    const bool in_motion = text.find("file: secret.csv") != std::string::npos;
    if (in_motion) {  // the arm stands alone, what drives it does not
      EXPECT_TRUE(run.commanded.empty());
    } else {
      EXPECT_FALSE(run.arm) << text;
      EXPECT_FALSE(run.no_scene.empty()) << text;
    }
    if (report_page().empty()) continue;
    const Finished page = run_program({"report", file(), "-o", scratch_.path() + "/r.html"}, scratch_.path());
    EXPECT_EQ(page.code, 0) << page.err;
    EXPECT_EQ(page.err.find("no 3-D view: ") != std::string::npos, !in_motion) << page.err;
  }
  // Said by name, with what to do.
  write(header_with(motion + "/etc/hostname}}}\n"));
  try {
    StoredCase(Results::read(file()).header).read();
    ADD_FAILURE() << "read";
  } catch (const CaseError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("file: \"/etc/hostname\" is not in the results; only files that came with them are read"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(ForeignResults, WithFilesOfOddNamesAreRefused) {
  for (const char* name : {"../evil", ".hidden", "case.yaml", "sub/evil"}) {
    ResultsHeader header = header_with(bar);
    header.files = {{"fine.csv", "0,0\n"}};
    write(header);
    change([&](hid_t opened) {
      const hid_t links = H5Pcreate(H5P_LINK_CREATE);
      H5Pset_create_intermediate_group(links, 1);
      ASSERT_GE(H5Lmove(opened, "/files/fine.csv", opened, (std::string("/files/") + name).c_str(), links, H5P_DEFAULT),
                0);
      H5Pclose(links);
    });
    EXPECT_NE(refusal(), "not refused") << name;
  }
}

/// The files that a case names travel with its results: they are shown and run again where the case is not.
TEST(StoredCases, StandAlone) {
  const TemporaryFolder scratch, elsewhere;
  scratch.write("turn.csv", "0,0\n0.5,0.4\n1,0.5\n");
  std::filesystem::create_directory(scratch.path() + "/sub");
  scratch.write("sub/turn.csv", "0,0\n0.5,3\n1,2\n");
  scratch.write("strip.json",
                R"({"nodes": [[0, 0, 0], [0.25, 0, 0], [0.5, 0, 0]], "mass": [0.1, 0.2, 0.1], "tip": 2,
                    "shapes": [[[0, 0, 0, 0, 0, 0], [0, 0, 0.3, 0, -2, 0], [0, 0, 1, 0, -3, 0]]], "stiffness": [[200]]})");
  const std::string file = scratch.write("case.yaml", R"(
arm:
  links:
    - name: bar
      joint: {name: hub, type: revolute, axis: [0, 1, 0]}
      rigid: {length: 1, mass: 2, com: [0.5, 0, 0]}
    - name: strip
      joint: {name: wrist, type: revolute, axis: [0, 1, 0]}
      imported: {file: strip.json}
motion: {hub: {table: {file: turn.csv}}}
torque: {wrist: {profile: {table: {file: sub/turn.csv}}}}
simulate: {for: 1 s, output_step: 50 ms}
)");
  const std::string out = elsewhere.path() + "/out", again = elsewhere.path() + "/again";
  const Finished ran = run_program({"run", file, "-o", out});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Results first = Results::read(out + "/results.h5");
  ASSERT_EQ(first.header.files.size(), 3u);
  EXPECT_EQ(first.header.case_text.find(scratch.path()), std::string::npos) << "no folder of this machine";
  std::filesystem::remove_all(scratch.path() + "/sub");
  for (const char* gone : {"turn.csv", "strip.json", "case.yaml"}) std::filesystem::remove(scratch.path() + "/" + gone);

  ShownRun shown{.label = "", .file = out, .results = first};
  add_arm(shown);
  EXPECT_TRUE(shown.arm) << shown.no_scene;
  add_modes(shown);
  EXPECT_FALSE(shown.modes.empty()) << shown.no_modes;

  const Finished text = run_program({"info", out, "--case"});
  EXPECT_EQ(text.out, first.header.case_text);
  EXPECT_NE(text.err.find("names files, which " + out + "/results.h5 also contains: -o FOLDER"), std::string::npos)
      << text.err;
  ASSERT_EQ(run_program({"info", out, "--case", "-o", again}).code, 0);
  const Finished reran = run_program({"run", again + "/case.yaml", "-o", again + "/out"});
  ASSERT_EQ(reran.code, 0) << reran.err;
  const Results second = Results::read(again + "/out/results.h5");
  EXPECT_EQ(second.series, first.series);
  EXPECT_EQ(second.header.case_text, first.header.case_text);
  EXPECT_EQ(second.header.files, first.header.files);
}

TEST(StoredCases, ATableThatChangedIsNotResumed) {
  const TemporaryFolder scratch;
  scratch.write("turn.csv", "0,0\n0.5,0.4\n1,0.5\n");
  const std::string file =
      scratch.write("case.yaml", std::string(bar) + "motion: {hub: {table: {file: turn.csv}}}\nsimulate: {for: 1 s}\n");
  ASSERT_EQ(run_program({"run", file, "-o", scratch.path() + "/out"}).code, 0);
  EXPECT_EQ(run_program({"run", file, "-o", scratch.path() + "/out", "--resume"}).code, 0);
  scratch.write("turn.csv", "0,0\n0.5,0.4\n1,0.6\n");
  const Finished refused = run_program({"run", file, "-o", scratch.path() + "/out", "--resume"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "lithe: cannot resume " + scratch.path() +
                             "/out/results.h5: turn.csv has changed since it was started: choose another folder with "
                             "-o, or give --overwrite instead of --resume\n");
}

}  // namespace
}  // namespace lithe::testing
