#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "lithe/app/command.h"
#include "lithe/show/tool.h"

namespace lithe::app {
namespace {

/// `lithe-derive`, which is in the same folder: GiNaC is under the GPL, so it is never linked here.
std::string program() {
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "lithe-derive";
  if (!std::filesystem::exists(path))
    throw std::runtime_error(fmt::format(
        "derive: {} is missing: it is built only if GiNaC is installed (Debian: libginac-dev)", path.string()));
  return path.string();
}

/// Replaces this process by that program.
int become(const std::vector<std::string>& words) {
  std::string name = program();
  std::vector<char*> arguments{name.data()};
  std::vector<std::string> copies = words;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::cout.flush();
  ::execv(name.c_str(), arguments.data());
  throw std::runtime_error(fmt::format("derive: cannot run {}: {}", name, std::strerror(errno)));
}

}  // namespace

void add_derive(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("derive", "closed-form equations of motion: a document or a program");
  command->set_help_flag();  // lithe-derive reads all its arguments, also --help
  command->prefix_command();
  // `lithe help derive` prints the help of the program that has the options.
  command->formatter_fn([](const CLI::App*, const std::string&, CLI::AppFormatMode) {
    const ToolAnswer answer = run_tool({program(), "--help"}, "");
    if (answer.code != 0) throw std::runtime_error("derive: " + answer.out);
    return answer.out;
  });
  command->callback([command, &chosen] { chosen = [command] { return become(command->remaining()); }; });
}

}  // namespace lithe::app
