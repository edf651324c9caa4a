// lithe-derive, the program that `lithe derive` runs. It is separate because GiNaC is under the GPL.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/failure.h"
#include "lithe/app/json.h"
#include "lithe/derive/cost.h"
#include "lithe/derive/equations.h"
#include "lithe/derive/evaluate.h"
#include "lithe/derive/literal.h"
#include "lithe/derive/routines.h"
#include "lithe/derive/write.h"
#include "lithe/describe/printable.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/whole_file.h"
#include "lithe/results/own_folder.h"
#include "lithe/show/tool.h"

namespace {

using namespace lithe;
using app::Json, app::UsageError;

struct Options : app::CaseOptions {
  std::string format = "latex", output, name, order = "by-link";
  bool pdf = false;
  derive::DeriveOptions how;
};

constexpr double agreement = 1e-10;  // of the largest force: the required agreement of the equations with the library

constexpr const char* footer =
    "M z'' + C z' + K z + D z' + G + f = B tau, with C from Christoffel symbols; f: nonlinear joint forces such as "
    "friction\n"
    "and stops. For serial arms and trees on a fixed, planar or free base, with rigid links and links that bend by "
    "modes,\n"
    "elements or imported shapes. The result is compared with the library's own dynamics at random states before it "
    "is\n"
    "written (not with --neglect).\n"
    "Example: lithe derive examples/03_planar_elbow/case.yaml --format markdown";

/// Shows the current step and its duration, only on a terminal.
class Progress {
 public:
  void operator()(const std::string& what) {
    if (!isatty(STDERR_FILENO)) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    std::cerr << fmt::format("\r\033[K{:7.1f} s  {}", seconds, what) << std::flush;
    shown_ = true;
  }
  void end() const {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

std::string written(const derive::Equations& equations, const derive::Heading& heading, const std::string& format) {
  if (format == "latex") return derive::write_latex(equations, heading);
  if (format == "markdown") return derive::write_markdown(equations, heading);
  if (format == "cpp") return derive::write_cpp(equations, heading);
  if (format == "python") return derive::write_python(equations, heading);
  if (format == "sympy") return derive::write_sympy(equations, heading);
  return derive::write_matlab(equations, heading);
}

void make_pdf(const std::string& latex_file) {
  // The auxiliary files of pdflatex are of no use to the reader, and no file beside the document may be overwritten.
  const OwnFolder scratch("derive");
  const auto answer = run_tool({"pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error",
                                "-jobname", "document", "-output-directory", scratch.path(), latex_file},
                               "");
  if (!answer.found)
    throw std::runtime_error(
        "--pdf: pdflatex is not installed (Debian: texlive-latex-recommended); the LaTeX file was written");
  if (answer.code != 0) throw std::runtime_error("--pdf: pdflatex failed:\n" + answer.out);
  app::write_file(std::filesystem::path(latex_file).replace_extension(".pdf").string(),
                  whole_file(scratch.path() + "/document.pdf"));
}

/// Options that do not go together, before anything is read or derived.
void check_options(const Options& options) {
  if (options.pdf && (options.format != "latex" || !options.output.ends_with(".tex")))
    throw UsageError("--pdf: needs --format latex and -o FILE.tex");
  // pdflatex interprets its arguments as TeX.
  if (options.pdf && (options.output[0] == '-' || options.output.find_first_of("\\%#$~^&{}\"'`") != std::string::npos))
    throw UsageError(
        "--pdf: -o: pdflatex does not accept a file name that contains \\ % # $ ~ ^ & { } or quotes, or begins with -");
  if (options.json && options.output.empty()) throw UsageError("--json: needs -o FILE for the equations");
  if (options.how.factored && options.how.numbers)
    throw UsageError("--factored: numbers have no common factors; use it without --numeric");
  if (!options.name.empty() && (options.format == "python" || options.format == "sympy"))
    throw UsageError(fmt::format("--name: a {} module takes its name from its file", options.format));
}

std::string name_of_program(const Options& options) {
  const std::string name = options.name.empty() ? derive::program_name(options.file) : options.name;
  if (name != derive::Names::identifier(name))
    throw UsageError(fmt::format("--name: expected letters, digits and underscores, got {}", in_quotes(name)));
  if (!derive::can_name_a_program(name))
    throw UsageError(
        fmt::format("--name: {} cannot be the name of a program: it is too long, or a reserved word of C++, MATLAB or "
                    "the program itself",
                    in_quotes(name)));
  return name;
}

/// What deriving took: operations, the same on every machine, and time, for information.
Json cost_of(const derive::Equations& equations) {
  const derive::Operations cost = derive::operations(equations);
  return {{"products_of_terms", equations.products_of_terms},
          {"multiplications", cost.multiplications},
          {"additions", cost.additions},
          {"seconds", equations.seconds}};
}

std::string cost_line(const char* what, const derive::Equations& equations) {
  const derive::Operations cost = derive::operations(equations);
  return fmt::format("lithe:   {:<10}{:>20}{:>18}{:>12}{:>12.3f} s\n", what, equations.products_of_terms,
                     cost.multiplications, cost.additions, equations.seconds);
}

/// The arm's equations, with mistakes in options under their names.
derive::Equations equations_of(const LoadedCase& loaded, const derive::DeriveOptions& how, const Progress& progress) {
  try {
    return derive::derive_equations(*loaded.arm, how);
  } catch (const FieldError& error) {
    progress.end();
    throw CaseError({{Problem::Severity::error, loaded.file.locate(error.path()), error.path(), error.what()}});
  } catch (const std::invalid_argument& error) {
    progress.end();
    throw UsageError(std::string("--split: ") + error.what());
  }
}

int derive_case(Options options) {
  check_options(options);
  const LoadedCase loaded = app::load(options);
  const Arm& arm = *loaded.arm;
  if (options.how.coupling_only && options.how.split.empty() && arm.mounts().empty())
    throw UsageError("--coupling-only: the arm carries no other: say with --split LINK where to divide it");
  Progress progress;
  options.how.progress = [&](const std::string& what) { progress(what); };
  options.how.data = &loaded.file.data;
  options.how.order =
      options.order == "joints-first" ? derive::CoordinateOrder::joints_first : derive::CoordinateOrder::by_link;
  derive::Heading heading{options.file, name_of_program(options)};
  const derive::Equations equations = equations_of(loaded, options.how, progress);
  for (const std::string& pattern : equations.names.unmet()) {
    progress.end();
    throw UsageError(fmt::format("--neglect: no parameter is called {}", in_quotes(pattern)));
  }
  for (const derive::Routine& routine : derive::routines(equations))
    if (routine.name == heading.name) {
      progress.end();
      throw UsageError(
          fmt::format("--name: {} is the name of one of the program's functions", in_quotes(heading.name)));
    }
  // The coupling is compared with that of the whole arm, and the whole arm with the library.
  std::optional<derive::Equations> whole;
  if (options.how.coupling_only) {
    derive::DeriveOptions how = options.how;
    how.coupling_only = false;
    whole = equations_of(loaded, how, progress);
  }
  if (options.how.neglected.empty()) {
    progress("comparing with the library");
    heading.disagreement = derive::disagreement(whole ? *whole : equations, arm, 3, 20261115);
  }
  const double of_coupling = whole ? derive::coupling_disagreement(equations, *whole, arm, 3, 20261115) : 0;
  progress("writing");
  const std::string text = written(equations, heading, options.format);
  progress.end();
  if (!(std::max(heading.disagreement, of_coupling) <= agreement))
    throw std::runtime_error(
        fmt::format("the equations differ from the library's dynamics by {:.1e} of the largest force",
                    std::max(heading.disagreement, of_coupling)));
  if (!equations.folded)
    std::cerr << fmt::format(
        "lithe: the equations are not folded{}, and intermediate results are named: {} (--time-limit {:g})\n",
        options.how.factored ? " and not factored" : "", equations.unfolded_because, options.how.time_limit);
  if (whole)
    std::cerr << "lithe: deriving  products of terms   multiplications   additions        time\n"
              << cost_line("coupling", equations) << cost_line("whole arm", *whole);
  if (options.output.empty()) {
    std::cout << text;
  } else {
    app::write_file(options.output, text);
    if (options.pdf) make_pdf(options.output);
    if (options.json) {
      Json result{{"written", options.output},
                  {"format", options.format},
                  {"coordinates", equations.coordinate_names},
                  {"folded", equations.folded},
                  {"seconds", equations.seconds},
                  {"disagreement", heading.disagreement < 0 ? Json() : Json(heading.disagreement)},
                  {"cost", cost_of(equations)}};
      if (equations.reordered()) result["order"] = equations.order;
      if (whole) result["cost_of_the_whole"] = cost_of(*whole);
      std::cout << app::text_of(result) << "\n";
    }
  }
  return app::done;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("closed-form equations of motion from a case: a document or a program", "lithe derive");
  Options options;
  options.add_to(program);
  program
      .add_option(
          "--format", options.format,
          "documents: latex, markdown; programs: cpp, python (numpy), sympy, matlab (also Octave); default: latex")
      ->check(CLI::IsMember({"latex", "markdown", "cpp", "python", "sympy", "matlab"}));
  program.add_option("-o,--output", options.output, "the file to write; default: standard output");
  program.add_option(
      "--name", options.name,
      "name of the C++ namespace, of the MATLAB function or in the document's title; default: from the case's name");
  program.add_flag("--numeric", options.how.numbers, "use the numbers of the case instead of symbols");
  program.add_option("--split,--mount", options.how.split,
                     "cut the arm at this link's joint: carrier, carried arm and their coupling in separate blocks; "
                     "default: at the last mount of a composed arm");
  program.add_flag(
      "--coupling-only", options.how.coupling_only,
      "only the coupling of a divided arm, to be added to the equations of its two parts; also prints on standard "
      "error what this costs compared with the whole arm");
  program.add_flag("--factored", options.how.factored,
                   "take common factors out of the entries, as one does by hand; default: sums of cosines and sines");
  program
      .add_option("--order", options.order,
                  "by-link, or joints-first: all joint coordinates before all deformations; default: by-link")
      ->check(CLI::IsMember({"by-link", "joints-first"}));
  program.add_flag("--kinematics", options.how.kinematics, "also poses of links and tips, and Jacobians of tips");
  program.add_option("--neglect", options.how.neglected, "set these parameters to zero: names, with * as a wildcard")
      ->delimiter(',');
  program
      .add_option("--time-limit", options.how.time_limit,
                  "time limit in seconds for folding sines and cosines; beyond it, the equations are written unfolded "
                  "(default: 60)")
      ->check(CLI::NonNegativeNumber);
  program.add_flag("--pdf", options.pdf, "also run pdflatex on the document");
  program.footer(footer);
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return program.exit(help);
  } catch (const CLI::ParseError& error) {
    std::cerr << "lithe: " << printable(error.what()) << "\nlithe: derive --help lists the options\n";
    return app::bad_input;
  }
  try {
    const int code = derive_case(options);
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("cannot write to standard output");
    return code;
  } catch (...) {
    const app::Failure failure = app::failure_of(std::current_exception(), "derive");
    std::cerr << failure.text << "\n";
    return failure.code;
  }
}
