// The one writer: what stands at a name is the old file or the new one, and what is no file is written into.
#include "lithe/results/replace_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <span>

#include "app/run_program.h"
#include "lithe/results/folder_lock.h"

namespace lithe::testing {
namespace {

namespace fs = std::filesystem;

std::string put(const std::string& file, const std::string& text) {
  return replace_file(file, std::as_bytes(std::span(text)));
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

mode_t rights_of(const std::string& file) {
  struct stat status {};
  EXPECT_EQ(::stat(file.c_str(), &status), 0);
  return status.st_mode & 07777;
}

/// The umask while it lives.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(::umask(mask)) {}
  ~Umask() { ::umask(before_); }

 private:
  mode_t before_;
};

TEST(ReplaceFile, KeepsRightsAndGivesNewFilesThoseOfTheUmask) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/a.txt";
  const Umask mask(027);
  EXPECT_EQ(put(file, "one"), "");
  EXPECT_EQ(rights_of(file), 0640u);
  for (const mode_t rights : {0600u, 0664u, 0755u}) {
    fs::permissions(file, fs::perms(rights));
    EXPECT_EQ(put(file, "two"), "");
    EXPECT_EQ(rights_of(file), rights);
  }
  EXPECT_EQ(read_text(file), "two");
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.txt"});
}

TEST(ReplaceFile, KeepsTheOwnerOfAFileThatRootReplaces) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const TemporaryFolder scratch;
  const std::string file = scratch.write("a.txt", "theirs");
  ASSERT_EQ(::chown(file.c_str(), 1234, 2345), 0);
  EXPECT_EQ(put(file, "new"), "");
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 1234u);
  EXPECT_EQ(status.st_gid, 2345u);
}

TEST(ReplaceFile, FollowsLinksAndLeavesThem) {
  const TemporaryFolder scratch;
  fs::create_directory(scratch.path() + "/far");
  const std::string real = scratch.write("far/real.txt", "old"), link = scratch.path() + "/link.txt";
  fs::create_symlink("far/real.txt", scratch.path() + "/middle.txt");
  fs::create_symlink("middle.txt", link);
  EXPECT_EQ(put(link, "new"), "");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::is_symlink(scratch.path() + "/middle.txt"));
  EXPECT_EQ(read_text(real), "new");
  // One that leads to nothing yet makes the file that it leads to.
  fs::create_symlink("far/later.txt", scratch.path() + "/later.txt");
  EXPECT_EQ(put(scratch.path() + "/later.txt", "there"), "");
  EXPECT_TRUE(fs::is_symlink(scratch.path() + "/later.txt"));
  EXPECT_EQ(read_text(scratch.path() + "/far/later.txt"), "there");
  fs::create_symlink("round.txt", scratch.path() + "/round.txt");
  EXPECT_EQ(put(scratch.path() + "/round.txt", ""), "Too many levels of symbolic links");
}

TEST(ReplaceFile, DoesNotFollowALinkThatAnotherUserPlanted) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make another user's link";
  const TemporaryFolder scratch;
  const std::string everybodys = scratch.path() + "/tmp", real = scratch.write("mine.txt", "mine");
  fs::create_directory(everybodys);
  fs::permissions(everybodys, fs::perms(01777));
  fs::create_symlink(real, everybodys + "/out.txt");
  ASSERT_EQ(::lchown((everybodys + "/out.txt").c_str(), 1234, 1234), 0);
  EXPECT_EQ(put(everybodys + "/out.txt", "gone"), "a link that another user made");
  EXPECT_EQ(read_text(real), "mine");
}

TEST(ReplaceFile, DoesNotFollowWhatIsPlantedInItsWay) {
  // The old fixed name of the file in the making.
  const TemporaryFolder scratch;
  const std::string victim = scratch.write("victim.txt", "precious"), file = scratch.path() + "/a.txt";
  fs::create_symlink(victim, file + ".part");
  EXPECT_EQ(put(file, "new"), "");
  EXPECT_EQ(read_text(victim), "precious");
  EXPECT_EQ(read_text(file), "new");
}

TEST(ReplaceFile, WritesIntoPipesAndDevices) {
  const TemporaryFolder scratch;
  const std::string pipe = scratch.path() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text(200'000, 'x');  // more than a pipe holds
  auto reader = std::async(std::launch::async, [&] { return read_text(pipe); });
  EXPECT_EQ(put(pipe, text), "");
  EXPECT_EQ(reader.get(), text);
  EXPECT_TRUE(fs::is_fifo(pipe));

  fs::create_symlink("/dev/null", scratch.path() + "/nothing");
  for (const std::string& device : {std::string("/dev/null"), scratch.path() + "/nothing"})
    EXPECT_EQ(put(device, text), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(put("/dev/full", text), "No space left on device");

  // By another program, too.
  auto second = std::async(std::launch::async, [&] { return read_text(pipe); });
  {
    ReplacedFile file(pipe);
    std::ofstream(file.path()) << text;
    EXPECT_EQ(file.place(), text.size());
  }
  EXPECT_EQ(second.get(), text);
  EXPECT_EQ(names_in(scratch.path()), (std::vector<std::string>{"nothing", "pipe"}));
}

TEST(ReplaceFile, WritesIntoADescriptorWhereItStands) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/log.txt";
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(::write(fd, "before ", 7), 7);
  EXPECT_EQ(put("/dev/fd/" + std::to_string(fd), "amid "), "");
  EXPECT_EQ(put("/proc/self/fd/" + std::to_string(fd), "and "), "");
  ASSERT_EQ(::write(fd, "after", 5), 5);
  ::close(fd);
  EXPECT_EQ(read_text(file), "before amid and after");
}

TEST(ReplaceFile, SaysWhyNot) {
  const TemporaryFolder scratch;
  EXPECT_EQ(put(scratch.path(), ""), "Is a directory");
  EXPECT_EQ(put(scratch.path() + "/new/", ""), "Is a directory");
  EXPECT_EQ(put(scratch.path() + "/none/a.txt", ""), "No such file or directory");
  EXPECT_EQ(put(scratch.write("file", "") + "/a.txt", ""), "Not a directory");
  EXPECT_EQ(put("", ""), "No such file or directory");
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"file"});
}

TEST(ReplaceFile, RespectsAReadOnlyFile) {
  const TemporaryFolder scratch;
  fs::permissions(scratch.path(), fs::perms(0777));
  const std::string file = scratch.write("kept.txt", "kept");
  fs::permissions(file, fs::perms(0444));
  const pid_t child = fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(1234) != 0) _exit(3);
    _exit(put(file, "lost") == "Permission denied" ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(read_text(file), "kept");
}

TEST(ReplaceFile, TakesTheLongestName) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/" + std::string(255, 'n');
  EXPECT_EQ(put(file, "long"), "");
  EXPECT_EQ(read_text(file), "long");
}

TEST(ReplaceFile, TwoWritersOfOneNameDoNotMix) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/a.txt";
  std::vector<std::future<void>> writers;
  for (const char c : {'a', 'b', 'c'})
    writers.push_back(std::async(std::launch::async, [&, c] {
      for (int k = 0; k < 20; ++k) EXPECT_EQ(put(file, std::string(300'000, c)), "");
    }));
  for (int k = 0; k < 50; ++k) {
    if (!fs::exists(file)) continue;
    const std::string text = read_text(file);
    ASSERT_EQ(text.size(), 300'000u);
    ASSERT_EQ(text.find_first_not_of(text[0]), std::string::npos);
  }
  for (auto& writer : writers) writer.get();
  EXPECT_EQ(names_in(scratch.path()), std::vector<std::string>{"a.txt"});
}

TEST(ReplaceFile, WhatKilledWritersLeftIsRemovedAndNothingElse) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("results.h5", "whole");
  pid_t child = fork();
  if (child == 0) {
    const ReplacedFile making(file);
    ::kill(::getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  ASSERT_EQ(names_in(scratch.path()).size(), 2u);
  for (const char* other : {".results.h5.part", ".results.h5.0123456789abcdeg.part", ".other.h5.0123456789abcdef.part"})
    scratch.write(other, "");
  remove_leftovers(file);
  EXPECT_EQ(names_in(scratch.path()),
            (std::vector<std::string>{".other.h5.0123456789abcdef.part", ".results.h5.0123456789abcdeg.part",
                                      ".results.h5.part", "results.h5"}));
  EXPECT_EQ(read_text(file), "whole");
}

TEST(FolderLock, IsHeldByOneAndEndsWithItsProcess) {
  const TemporaryFolder scratch;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock lock(scratch.path());
    if (::write(ready[1], "x", 1) != 1) _exit(1);
    pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  try {
    const FolderLock second(scratch.path());
    ADD_FAILURE() << "two have it";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), "cannot write " + scratch.path() +
                                ": another lithe is writing there; wait for it, or choose another folder");
  }
  ::kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(FolderLock{scratch.path()});
  EXPECT_TRUE(names_in(scratch.path()).empty());
  ::close(ready[0]);
  ::close(ready[1]);
}

}  // namespace
}  // namespace lithe::testing
