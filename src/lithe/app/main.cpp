#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/failure.h"
#include "lithe/app/parse_message.h"
#include "lithe/describe/printable.h"
#include "lithe/describe/spelling.h"

namespace {

constexpr const char* footer =
    "\n`lithe help COMMAND` lists a command's options."
    "\nA case file describes an arm in YAML; `lithe schema --markdown` lists every field."
    "\nExit codes: 0 done, 1 the work failed, 2 bad input."
    "\nExample: lithe eval examples/03_planar_elbow/case.yaml --q 0.3,0.5 --v 1,0";

int run(int argc, char** argv) {
  using namespace lithe::app;
  CLI::App app("lithe: dynamics of robot arms whose links bend", "lithe");
  app.set_version_flag("--version", std::string("lithe ") + LITHE_VERSION);
  app.require_subcommand(1);
  app.footer(footer);
  Action chosen;
  add_eval(app, chosen);
  add_check(app, chosen);
  add_compare(app, chosen);
  add_run(app, chosen);
  add_modes(app, chosen);
  add_static(app, chosen);
  add_linearise(app, chosen);
  add_divergence(app, chosen);
  add_derive(app, chosen);
  add_reach(app, chosen);
  add_sketch(app, chosen);
  add_info(app, chosen);
  add_export(app, chosen);
  add_plot(app, chosen);
  add_spectrum(app, chosen);
  add_report(app, chosen);
  add_movie(app, chosen);
  add_image(app, chosen);
  add_view(app, chosen);
  add_schema(app, chosen);
  add_help(app, chosen);
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end()) {
    std::cerr << fmt::format("lithe: no command '{}'{} Known: {}\n", argv[1], lithe::guess_in_sentence(argv[1], names),
                             lithe::comma_list(names));
    return bad_input;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    std::cerr << "lithe: " << lithe::printable(parse_message(app, error)) << "\n";
    return bad_input;
  }
  try {
    const int code = chosen();
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("cannot write to standard output");
    return code;
  } catch (...) {
    const Failure failure = failure_of(std::current_exception(), work_of({argv, size_t(argc)}));
    std::cerr << failure.text << "\n";
    return failure.code;
  }
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv); }
