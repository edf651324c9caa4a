// app/ — the command line: parses words, calls one room, prints. One file per command; main.cpp lists them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/units.h"
#include "lithe/drive/examine.h"

namespace lithe::app {

/// Exit codes of the program.
enum Exit { done = 0, work_failed = 1, bad_input = 2 };

/// A mistake on the command line: exit 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The options of every command about a case.
struct CaseOptions {
  std::string file;
  std::vector<std::string> sets;
  std::string text_file;  // holds the case's text instead of `file`
  bool strict = false, json = false;

  /// `strict_help` describes --strict for a command where it is not about warnings.
  void add_to(CLI::App& command, const char* strict_help = "treat warnings about the case as errors");
};

/// A case read, checked and assembled. Prints warnings on stderr; with `strict` they are mistakes.
LoadedCase load(const CaseOptions& options);
/// The same with mistakes collected instead of thrown.
Findings examine(const CaseOptions& options);

/// Uses the value of an option; an error of the library becomes a UsageError that names the option.
template <class Call>
decltype(auto) with_option_name(const std::string& option, Call call) {
  try {
    return call();
  } catch (const std::invalid_argument& error) {
    throw UsageError(option + ": " + error.what());
  }
}

/// `--q`: positions in words (arm/coordinate_words.h); missing ones are zero.
VectorXd positions(const Arm& arm, const std::string& text);
/// `--v`, `--acceleration`: the same for the nv rates.
VectorXd rates(const Arm& arm, const std::string& option, const std::string& text);
/// `--tau`: the same for generalised forces (nv), without the base among the joints.
VectorXd torques(const Arm& arm, const std::string& text);
/// `--position`, `--rpy`: exactly three.
Vector3d three(const std::string& option, const std::string& text, const Dimension& dimension);
/// `--tip NAME`; default: the last listed link.
int tip_link(const Arm& arm, const std::string& name);

/// Writes a file completely or not at all (replace_file.h). Throws Error naming the file and the reason.
void write_file(const std::string& file, const std::string& text);

// Each adds its subcommand, whose action returns the exit code.
using Action = std::function<int()>;
void add_check(CLI::App& app, Action& chosen);
void add_compare(CLI::App& app, Action& chosen);
void add_derive(CLI::App& app, Action& chosen);
void add_divergence(CLI::App& app, Action& chosen);
void add_eval(CLI::App& app, Action& chosen);
void add_export(CLI::App& app, Action& chosen);
void add_help(CLI::App& app, Action& chosen);
void add_image(CLI::App& app, Action& chosen);
void add_info(CLI::App& app, Action& chosen);
void add_linearise(CLI::App& app, Action& chosen);
void add_modes(CLI::App& app, Action& chosen);
void add_movie(CLI::App& app, Action& chosen);
void add_plot(CLI::App& app, Action& chosen);
void add_report(CLI::App& app, Action& chosen);
void add_run(CLI::App& app, Action& chosen);
void add_reach(CLI::App& app, Action& chosen);
void add_schema(CLI::App& app, Action& chosen);
void add_sketch(CLI::App& app, Action& chosen);
void add_spectrum(CLI::App& app, Action& chosen);
void add_static(CLI::App& app, Action& chosen);
void add_view(CLI::App& app, Action& chosen);

}  // namespace lithe::app
