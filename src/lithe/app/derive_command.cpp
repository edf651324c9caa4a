#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "lithe/app/command.h"

namespace lithe::app {
namespace {

/// Replaces this process by `lithe-derive`, which is in the same folder: GiNaC is under the GPL, so it is never linked here.
int become(const std::vector<std::string>& words) {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "lithe-derive";
  if (!std::filesystem::exists(program))
    throw std::runtime_error(fmt::format(
        "derive: {} is missing: it is built only if GiNaC is installed (Debian: libginac-dev)", program.string()));
  std::string name = program.string();
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
  command->callback([command, &chosen] { chosen = [command] { return become(command->remaining()); }; });
}

}  // namespace lithe::app
