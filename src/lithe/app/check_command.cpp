#include <fmt/format.h>

#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/json.h"
#include "lithe/describe/case_writer.h"
#include "lithe/simulate/examine_run.h"

namespace lithe::app {
namespace {

nlohmann::ordered_json listed(const std::vector<Problem>& problems) {
  auto list = nlohmann::ordered_json::array();
  for (const Problem& problem : problems)
    list.push_back({{"file", problem.where.file},
                    {"line", problem.where.line},
                    {"column", problem.where.column},
                    {"path", shown_path(problem.path)},
                    {"message", problem.message}});
  return list;
}

int check(const CaseOptions& options, bool print) {
  if (print && options.json) throw UsageError("--print writes YAML: leave out --json");
  Findings findings = examine(options);
  examine_drives(findings);
  examine_run(findings);
  // The file has no mistake: report what the other commands will reject, and continue.
  for (Problem& problem : findings.unsupported) {
    if (!options.strict) problem.severity = Problem::Severity::warning;
    (options.strict ? findings.errors : findings.warnings).push_back(problem);
  }
  if (options.json) {
    std::cout << text_of(Json{{"errors", listed(findings.errors)}, {"warnings", listed(findings.warnings)}}) << "\n";
  } else {
    for (const Problem& problem : findings.warnings) std::cerr << problem.text() << "\n";
    for (const Problem& problem : findings.errors) std::cerr << problem.text() << "\n";
  }
  if (!findings.errors.empty()) return bad_input;
  if (print) {
    std::cout << write_case(findings.loaded.file.data);
  } else if (!options.json) {
    std::cout << fmt::format("{}: valid; {} links", options.file, findings.loaded.file.data.arm.links.size());
    if (findings.loaded.arm)
      std::cout << fmt::format(", {} coordinates: {}", findings.loaded.arm->nv(),
                               fmt::join(findings.loaded.arm->coordinates(), ", "));
    std::cout << "\n";
  }
  return done;
}

}  // namespace

void add_check(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("check", "list every mistake in a case file without running it");
  auto options = std::make_shared<CaseOptions>();
  auto print = std::make_shared<bool>(false);
  options->add_to(*command);
  command->add_flag("--print", *print,
                    "print the case as understood: with includes and --set applied, in SI units, with all defaults");
  command->callback([=, &chosen] { chosen = [=] { return check(*options, *print); }; });
}

}  // namespace lithe::app
