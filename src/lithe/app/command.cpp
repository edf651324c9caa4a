#include "lithe/app/command.h"

#include <fmt/format.h>

#include <iostream>

#include "lithe/arm/coordinate_words.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/whole_file.h"
#include "lithe/results/replace_file.h"

namespace lithe::app {
namespace {

std::vector<Override> overrides_of(const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    const size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--set: expected PATH=VALUE, got \"{}\"", set));
    overrides.push_back({set.substr(0, equals), set.substr(equals + 1)});
  }
  return overrides;
}

}  // namespace

void CaseOptions::add_to(CLI::App& command, const char* strict_help) {
  command.add_option("CASE", file, "case file (YAML)")->required();
  command
      .add_option("--set", sets,
                  "change a field, as in --set arm.links[0].beam.length=1.2 or --set initial.upper.1=5mm; PATH= "
                  "removes it; any other key that contains dots needs double quotes (may be repeated)")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command.add_flag("--strict", strict, strict_help);
  command.add_flag("--json", json, "print JSON");
}

Findings examine(const CaseOptions& options) {
  Findings findings = lithe::examine([&] {
    const std::vector<Override> overrides = overrides_of(options.sets);
    if (options.text_file.empty()) return read_case(options.file, overrides);
    try {
      return read_case_text(whole_file(options.text_file), options.file, overrides);
    } catch (const std::system_error& error) {
      throw UsageError(fmt::format("--text: cannot read \"{}\": {}", options.text_file,
                                   why_unread(error.code(), limits::data_file_bytes)));
    }
  });
  if (options.strict) {
    for (Problem warning : findings.warnings) {
      warning.severity = Problem::Severity::error;
      findings.errors.push_back(warning);
    }
    findings.warnings.clear();
  }
  return findings;
}

LoadedCase load(const CaseOptions& options) {
  Findings findings = examine(options);
  for (const Problem& warning : findings.warnings) std::cerr << warning.text() << "\n";
  findings.errors.insert(findings.errors.end(), findings.unsupported.begin(), findings.unsupported.end());
  if (!findings.errors.empty()) throw CaseError(findings.errors);
  return std::move(findings.loaded);
}

VectorXd positions(const Arm& arm, const std::string& text) {
  return with_option_name("--q", [&] { return positions_in_words(arm, text); });
}

VectorXd rates(const Arm& arm, const std::string& option, const std::string& text) {
  return with_option_name(option, [&] {
    return option == "--acceleration" ? accelerations_in_words(arm, text) : rates_in_words(arm, text);
  });
}

VectorXd torques(const Arm& arm, const std::string& text) {
  return with_option_name("--tau", [&] { return torques_in_words(arm, text); });
}

Vector3d three(const std::string& option, const std::string& text, const Dimension& dimension) {
  return with_option_name(option, [&] { return three_in_words(text, dimension); });
}

int tip_link(const Arm& arm, const std::string& name) {
  return with_option_name("--tip", [&] { return tip_link_named(arm, name); });
}

void write_file(const std::string& file, const std::string& text) {
  std::cout.flush();  // it may be standard output
  write_text_file(file, text);
}

}  // namespace lithe::app
