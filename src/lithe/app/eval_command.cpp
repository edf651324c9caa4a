#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/dense.h"
#include "lithe/app/json.h"
#include "lithe/arm/kinematics.h"
#include "lithe/arm/small_motion.h"
#include "lithe/describe/field.h"
#include "lithe/describe/spelling.h"
#include "lithe/dynamics/axle.h"
#include "lithe/dynamics/composed/composed.h"
#include "lithe/dynamics/composed/cut.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

namespace lithe::app {
namespace {

struct EvalOptions : CaseOptions {
  std::string q, v, tau, acceleration, formulation, tip, mount;
  std::vector<std::string> what;
};

/// One quantity that `eval` can give: its name, what it is, and how it comes about.
struct Item {
  const char* name;
  const char* help;
  bool by_default;
};
constexpr Item items[] = {
    {"mass_matrix", "M, with reflected rotor inertias", true},
    {"bias", "h: everything but M z'' on the left of M z'' + h = tau", true},
    {"gravity", "the gravity part of h", true},
    {"coriolis", "the velocity part of h", false},
    {"elastic", "the part of h from joint springs, soft stops, transmissions and bent links", false},
    {"damping", "the part of h from damping and friction", false},
    {"coriolis_matrix", "C by Christoffel symbols (always by lagrange)", false},
    {"stiffness_matrix", "K: how `elastic` changes with the coordinates", false},
    {"input_matrix", "B: on which coordinates the torques act, a column per torque", false},
    {"acceleration", "z'' under --tau", true},
    {"torque", "inverse dynamics: the generalised forces for --acceleration", false},
    {"kinetic_energy", "", true},
    {"potential_energy", "gravity (zero at the world's origin) plus elastic", true},
    {"tip", "position and rotation of the tip frame in the world", true},
    {"jacobian", "of the tip frame: [angular; linear] velocity in world axes per coordinate rate", false},
    {"centre_of_mass", "of the whole arm", false},
    {"momentum", "[angular about the mass centre; linear], world axes", false},
};

const BlockName* find_block(const std::string& name) {
  for (const BlockName& block : block_names())
    if (block.name == name) return &block;
  return nullptr;
}

/// The mount that --mount names by the carried arm's first link; the last one unless given.
int mount_of(const Arm& arm, const std::string& link) {
  const auto mounts = arm.mounts();
  std::vector<std::string> names;
  for (const Mount& mount : mounts) {
    names.push_back(arm.link(mount.first_link).name);
    if (names.back() == link) return int(names.size()) - 1;
  }
  if (link.empty()) return int(mounts.size()) - 1;
  if (names.empty()) throw UsageError("--mount: this arm carries none");
  throw UsageError(fmt::format("--mount: no arm begins at '{}'{} Mounted: {}", link, guess_in_sentence(link, names),
                               comma_list(names)));
}

/// `formulation` is of the arm without its wheels, which are added where they matter: to accelerations.
Json value_of(const std::string& name, const EvalOptions& options, const Arm& arm, Formulation& formulation,
              const State& state, const Kinematics& kin) {
  const int nv = arm.nv();
  VectorXd vector(nv);
  MatrixXd matrix(nv, nv);
  const std::pair<const char*, Terms> terms[] = {{"bias", Terms::all},
                                                 {"gravity", Terms::gravity},
                                                 {"coriolis", Terms::coriolis},
                                                 {"elastic", Terms::elastic},
                                                 {"damping", Terms::damping}};
  for (const auto& [term, flag] : terms) {
    if (name != term) continue;
    formulation.bias(state, flag, vector);
    return list_of(vector);
  }
  if (const BlockName* block = find_block(name)) {
    const MatrixXd value = block->of(Composed(formulation.arm()).blocks(state, mount_of(arm, options.mount)));
    return name[0] == 'G' ? list_of(VectorXd(value)) : rows_of(value);
  }
  if (name == "mass_matrix") {
    formulation.mass_matrix(state, matrix);
    return rows_of(matrix);
  }
  if (name == "coriolis_matrix") {
    Lagrange(formulation.arm()).coriolis_matrix(state, matrix);
    return rows_of(matrix);
  }
  if (name == "stiffness_matrix") {
    Triplets entries;
    add_elastic_stiffness(arm, state, entries);
    return rows_of(MatrixXd(assembled(nv, entries)));
  }
  if (name == "input_matrix") {
    matrix.setZero(nv, Eigen::Index(arm.torque_inputs().size()));
    for (size_t k = 0; k < arm.torque_inputs().size(); ++k) matrix(arm.torque_inputs()[k].v, Eigen::Index(k)) = 1;
    return rows_of(matrix);
  }
  if (name == "acceleration") {
    VectorXd tau = torques(arm, options.tau);
    if (arm.axle())
      Axle(arm).hybrid(formulation, state, std::vector<bool>(nv, false), tau, vector);
    else
      formulation.forward(state, tau, vector);
    return list_of(vector);
  }
  if (name == "torque") {
    formulation.inverse(state, rates(arm, "--acceleration", options.acceleration), vector);
    return list_of(vector);
  }
  if (name == "kinetic_energy")
    return arm.small_tips() ? RecursiveLagrangian(arm).kinetic_energy(state) : kinetic_energy(arm, state, kin);
  if (name == "potential_energy") return gravity_energy(arm, kin) + elastic_energy(arm, state);
  if (arm.small_tips() && (name == "momentum" || name == "jacobian"))
    throw UsageError(
        fmt::format("--what: no '{}' with tip_rotation: small, whose links do not move as rigid bodies", name));
  if (name == "centre_of_mass") return list_of(centre_of_mass(arm, kin));
  if (name == "momentum") return list_of(momentum(arm, state, kin));
  const int i_tip = tip_link(arm, options.tip);
  if (name == "jacobian") return rows_of(tip_jacobian(arm, kin, i_tip));
  return {{"position", list_of(kin.X_WT[i_tip].p)}, {"rotation", rows_of(kin.X_WT[i_tip].R)}};
}

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

/// `first_carried`: the first coordinate of the carried arm whose blocks are meant.
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
  std::vector<std::string> all, chosen;
  for (const Item& item : items) all.emplace_back(item.name);
  for (const BlockName& block : block_names()) all.emplace_back(block.name);
  for (const Item& item : items)
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

/// The formulation that is asked for, here or in the case. `finite-element` marches and evaluates nothing by itself.
std::string formulation_of(const EvalOptions& options, const Case& data) {
  if (!options.formulation.empty()) return options.formulation;
  if (!data.simulate) return formulation_names().front();
  const std::string wanted(word(data.simulate->formulation));
  const auto& known = formulation_names();
  if (std::find(known.begin(), known.end(), wanted) != known.end()) return wanted;
  std::cerr << fmt::format("lithe: eval has no '{}', which simulate.formulation asks for: evaluated by {}\n", wanted,
                           known.front());
  return known.front();
}

int evaluate(const EvalOptions& options) {
  const auto chosen = chosen_items(options);
  LoadedCase loaded = load(options);
  // The carried arm is all of it, as in `derive --split`: with what it carries itself.
  if (const int i_mount = mount_of(*loaded.arm, options.mount); i_mount + 1 < int(loaded.arm->mounts().size()))
    loaded.arm = Arm::assemble(cut_at_mount(loaded.file.data, i_mount));
  for (const std::string& name : chosen)
    if (name.ends_with("_matrix") || name.starts_with("M_") || name.starts_with("C_"))
      demand_dense(loaded, name, "ask for something else by --what");
  const Arm& arm = *loaded.arm;
  std::unique_ptr<Formulation> formulation;
  try {
    formulation = make_formulation(formulation_of(options, loaded.file.data), arm.without_axle());
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--formulation: {}", error.what()));
  } catch (const FieldError& error) {
    throw CaseError({{Problem::Severity::error, loaded.file.locate(error.path()), error.path(), error.what()}});
  }
  const State state{0, positions(arm, options.q), rates(arm, "--v", options.v)};
  if (arm.axle()) {
    const double slip = Axle(arm).slip(state);
    if (std::abs(slip) > 1e-9 * (1 + state.v.norm()))
      throw UsageError(fmt::format("--v: the base moves sideways over its wheels, by {:.3g} m/s", slip));
  }
  const Kinematics kin = kinematics_of(arm, state);
  // Every option is looked at, needed or not: a slip in one should not pass.
  tip_link(arm, options.tip);
  mount_of(arm, options.mount);
  torques(arm, options.tau);
  rates(arm, "--acceleration", options.acceleration);
  Json answer{{"coordinates", arm.coordinates()}};
  try {
    for (const std::string& name : chosen) answer[name] = value_of(name, options, arm, *formulation, state, kin);
  } catch (const UnsupportedError& error) {
    throw CaseError({{Problem::Severity::error, loaded.file.locate(error.path()), error.path(), error.what()}});
  }
  const Json flat = answer.flatten();
  for (const auto& [name, value] : flat.items())
    if (value.is_number_float() && !std::isfinite(value.get<double>()))
      throw std::runtime_error(
          fmt::format("{} is not finite at this state: the numbers are too large", name.substr(1)));
  if (options.json) {
    std::cout << answer.dump() << "\n";
  } else {
    const int i_mount = mount_of(arm, options.mount);
    print_text(answer, i_mount < 0 ? 0 : arm.link(arm.mounts()[i_mount].first_link).v0);
  }
  return done;
}

}  // namespace

void add_eval(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("eval", "mass matrix, bias, accelerations, energies and tip pose at a state");
  auto options = std::make_shared<EvalOptions>();
  options->add_to(*command);
  command->add_option("--q", options->q,
                      "positions, comma-separated: the joints in order (a base that moves first), missing ones zero; "
                      "or all coordinates; or "
                      "by name (elbow=30deg)");
  command->add_option("--v", options->v, "rates, the same way");
  command->add_option("--tau", options->tau, "torques, the same way; the base is not among the joints");
  command->add_option("--acceleration", options->acceleration,
                      "accelerations for inverse dynamics, as --v (adds `torque`)");
  command->add_option(
      "--formulation", options->formulation,
      comma_list(formulation_names()) + "; the case's `simulate.formulation`, or the first, unless given");
  command->add_option("--tip", options->tip, "the link whose tip is meant; the last one unless given");
  command->add_option(
      "--mount,--split", options->mount,
      "cut a composed arm at the joint of this link, where a carried arm begins: the blocks are those of "
      "all before it and all from it on, as in `derive --split`; the last mounted unless given");
  command->add_option("--what", options->what, "only these, comma-separated")->delimiter(',');
  std::string list = "--what knows:";
  for (const Item& item : items) list += fmt::format("\n  {:<17} {}", item.name, item.help);
  list += "\nand of an arm that is composed, carrier L and carried arm S (docs/composed.md):";
  for (const BlockName& block : block_names()) list += fmt::format("\n  {:<17} {}", block.name, block.help);
  command->footer(list + "\nEvery joint is free with the given --tau; `motion` and `torque` of the case are ignored.");
  command->callback([=, &chosen] { chosen = [=] { return evaluate(*options); }; });
}

}  // namespace lithe::app
