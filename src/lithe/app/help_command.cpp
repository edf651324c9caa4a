#include <fmt/format.h>

#include <iostream>

#include "lithe/app/command.h"
#include "lithe/describe/spelling.h"

namespace lithe::app {
namespace {

int help(const CLI::App& app, const std::string& name) {
  if (name.empty()) {
    // `app.help()` would be this command's, which is the one that was chosen.
    std::cout << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    return done;
  }
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
    if (names.back() != name) continue;
    std::cout << command->help(app.get_name());
    return done;
  }
  throw UsageError(fmt::format("no command '{}'{} Known: {}", name, guess_in_sentence(name, names), comma_list(names)));
}

}  // namespace

void add_help(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("help", "show what a command does, and its options");
  auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name, "the command; default: all of them");
  command->callback([&app, name, &chosen] { chosen = [&app, name] { return help(app, *name); }; });
}

}  // namespace lithe::app
