#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "lithe/analyse/evaluate.h"
#include "lithe/app/command.h"
#include "lithe/app/dense.h"
#include "lithe/app/json.h"
#include "lithe/arm/cut.h"
#include "lithe/describe/field.h"
#include "lithe/describe/spelling.h"
#include "lithe/dynamics/composed/composed.h"
#include "lithe/dynamics/constrained_dynamics.h"
#include "lithe/dynamics/formulation.h"

namespace lithe::app {
namespace {

struct EvalOptions : CaseOptions {
  std::string q, v, tau, acceleration, formulation, tip, split;
  std::vector<std::string> what;
};

const BlockName* find_block(const std::string& name) {
  for (const BlockName& block : block_names())
    if (block.name == name) return &block;
  return nullptr;
}

Json json_of(double value) { return value; }
Json json_of(const VectorXd& value) { return list_of(value); }
Json json_of(const MatrixXd& value) { return rows_of(value); }
Json json_of(const Pose& value) { return {{"position", list_of(value.p)}, {"rotation", rows_of(value.R)}}; }

// ------------------------------------------------------------------------------------------------ for people

std::string figure(const Json& number) {
  const double value = number.get<double>();
  return fmt::format("{:12.6g}", std::abs(value) < 1e-14 ? 0.0 : value);
}

void print_rows(const Json& rows, const std::vector<std::string>& names) {
  for (size_t i = 0; i < rows.size(); ++i) {
    std::string line = fmt::format("  {:>14}", i < names.size() ? names[i] : "");
    for (const Json& entry : rows[i]) line += " " + figure(entry);
    std::cout << line << "\n";
  }
}

/// `first_carried`: the first coordinate of the carried arm whose blocks are printed.
void print_text(const Json& answer, int first_carried) {
  const auto coordinates = answer["coordinates"].get<std::vector<std::string>>();
  for (const auto& [name, value] : answer.items()) {
    if (name == "coordinates") continue;
    std::vector<std::string> names = coordinates;
    const BlockName* block = find_block(name);
    if (block && block->carried_rows) names.erase(names.begin(), names.begin() + first_carried);
    if (value.is_number()) {
      std::cout << fmt::format("{} {}\n", name, figure(value));
    } else if (name == "tip") {
      std::cout << "tip position";
      for (const Json& entry : value["position"]) std::cout << figure(entry);
      std::cout << "\ntip rotation\n";
      print_rows(value["rotation"], {});
    } else if (!value.empty() && value[0].is_array()) {
      std::cout << name << "\n";
      print_rows(value, name == "jacobian" ? std::vector<std::string>{"wx", "wy", "wz", "vx", "vy", "vz"} : names);
    } else {
      std::cout << name << "\n";
      const bool per_coordinate =
          (block || value.size() == names.size()) && name != "centre_of_mass" && name != "momentum";
      for (size_t i = 0; i < value.size(); ++i)
        std::cout << fmt::format("  {:>14} {}\n", per_coordinate ? names[i] : "", figure(value[i]));
    }
  }
}

std::vector<std::string> chosen_items(const EvalOptions& options) {
  const std::vector<std::string> all = evaluated_names();
  std::vector<std::string> chosen;
  for (const EvaluatedItem& item : evaluated_items())
    if (options.what.empty() &&
        (item.by_default || (std::string(item.name) == "torque" && !options.acceleration.empty())))
      chosen.emplace_back(item.name);
  for (const std::string& word : options.what) {
    if (std::find(all.begin(), all.end(), word) == all.end())
      throw UsageError(fmt::format("--what: no '{}'{} Known: {}", word, guess_in_sentence(word, all), comma_list(all)));
    chosen.push_back(word);
  }
  return chosen;
}

/// The formulation requested here or in the case. `finite-element` is for time integration and cannot evaluate.
std::string formulation_of(const EvalOptions& options, const Case& data) {
  if (!options.formulation.empty()) return options.formulation;
  if (!data.simulate) return formulation_names().front();
  const std::string wanted(word(data.simulate->formulation));
  const auto& known = formulation_names();
  if (std::find(known.begin(), known.end(), wanted) != known.end()) return wanted;
  std::cerr << fmt::format("lithe: eval cannot use '{}', which simulate.formulation asks for; it uses {} instead\n",
                           wanted, known.front());
  return known.front();
}

int evaluate(const EvalOptions& options) {
  const auto chosen = chosen_items(options);
  const LoadedCase loaded = load(options);
  for (const std::string& name : chosen)
    if (name.ends_with("_matrix") || name.starts_with("M_") || name.starts_with("C_"))
      demand_dense(loaded, name, "choose other quantities with --what");
  const Arm& arm = *loaded.arm;
  std::optional<ConstrainedDynamics> dynamics;
  try {
    dynamics.emplace(formulation_of(options, loaded.file.data), arm);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--formulation: {}", error.what()));
  } catch (const FieldError& error) {
    throw CaseError({{Problem::Severity::error, loaded.file.locate(error.path()), error.path(), error.what()}});
  }
  EvaluationPoint at;
  at.state = {0, positions(arm, options.q), rates(arm, "--v", options.v)};
  if (const std::string broken = dynamics->broken(at.state); !broken.empty())
    throw UsageError(fmt::format("--v: {}", broken));
  at.kin = kinematics_of(arm, at.state);
  // Every option is read, even if it is not needed, so that a mistake in it is reported.
  at.i_tip = tip_link(arm, options.tip);
  at.split = options.split;
  const bool blocks = std::any_of(chosen.begin(), chosen.end(), find_block);
  int first_carried = 0;
  if (blocks || !options.split.empty()) {
    const Arm cut = with_option_name("--split", [&] { return cut_at(arm, options.split); });
    if (!cut.mounts().empty()) first_carried = cut.link(cut.mounts()[0].first_link).v0;
  }
  at.tau = torques(arm, options.tau);
  at.vdot = rates(arm, "--acceleration", options.acceleration);
  Json answer{{"coordinates", arm.coordinates()}};
  try {
    for (const std::string& name : chosen)
      answer[name] = std::visit([](const auto& value) { return json_of(value); },
                                with_option_name("--what", [&] { return lithe::evaluate(name, *dynamics, at); }));
  } catch (const UnsupportedError& error) {
    throw CaseError({{Problem::Severity::error, loaded.file.locate(error.path()), error.path(), error.what()}});
  }
  const Json flat = answer.flatten();
  for (const auto& [name, value] : flat.items())
    if (value.is_number_float() && !std::isfinite(value.get<double>()))
      throw std::runtime_error(fmt::format("{} is not finite at this state: the values are too large", name.substr(1)));
  if (options.json) {
    std::cout << answer.dump() << "\n";
  } else {
    print_text(answer, first_carried);
  }
  return done;
}

}  // namespace

void add_eval(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("eval", "mass matrix, bias, accelerations, energies and tip pose at a state");
  auto options = std::make_shared<EvalOptions>();
  options->add_to(*command);
  command->add_option("--q", options->q,
                      "positions, separated by commas: of the joints in order, after those of a free or planar base "
                      "(missing ones are zero); or of all coordinates; or by name (elbow=30deg)");
  command->add_option("--v", options->v, "rates, in the same form");
  command->add_option("--tau", options->tau, "torques, in the same form, but without those of the base");
  command->add_option("--acceleration", options->acceleration,
                      "accelerations for inverse dynamics, in the form of --v (adds `torque`)");
  command->add_option("--formulation", options->formulation,
                      comma_list(formulation_names()) + "; default: the case's `simulate.formulation`, or articulated");
  command->add_option("--tip", options->tip, "the link whose tip is used; default: the last one");
  command->add_option("--split,--mount", options->split,
                      "for the blocks: cut the arm at the joint of this link, with everything before it on one side "
                      "and everything that "
                      "it carries on the other, as `derive --split`; default: at the last mount of a composed arm");
  command->add_option("--what", options->what, "print only these, separated by commas")->delimiter(',');
  std::string list = "--what accepts:";
  for (const EvaluatedItem& item : evaluated_items()) list += fmt::format("\n  {:<17} {}", item.name, item.help);
  list +=
      "\nand for a composed arm, or with --split any arm, blocks of carrier L and carried arm S (docs/composed.md):";
  for (const BlockName& block : block_names()) list += fmt::format("\n  {:<17} {}", block.name, block.help);
  command->footer(list + "\nAll joints are free and driven by --tau; `motion` and `torque` of the case are ignored.");
  command->callback([=, &chosen] { chosen = [=] { return evaluate(*options); }; });
}

}  // namespace lithe::app
