#include "lithe/app/parse_message.h"

#include <fmt/format.h>

#include <cctype>

#include "lithe/app/results_file.h"
#include "lithe/describe/spelling.h"

namespace lithe::app {
namespace {

/// `--name` or `-n`; a negative number is none.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])) != 0);
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

}  // namespace

std::string parse_message(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  const std::string called = parsed.empty() ? "lithe" : "lithe " + command.get_name();
  for (const std::string& word : app.remaining(/*recurse=*/true)) {
    if (!is_option(word)) continue;
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("`{}` has no option '{}'{} `{}` lists them", called, name,
                       guess_in_sentence(name, options_of(command)),
                       parsed.empty() ? "lithe --help" : "lithe help " + command.get_name());
  }
  // If a case is given in place of results, a missing option is the lesser mistake.
  if (const CLI::Option* results = command.get_option_no_throw("RESULTS"))
    for (const std::string& file : results->results())
      if (const std::string advice = advice_about_case(file); !advice.empty()) return advice;
  return fmt::format("{}\nlithe: --help lists the commands and their options", error.what());
}

}  // namespace lithe::app
