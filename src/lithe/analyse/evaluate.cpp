#include "lithe/analyse/evaluate.h"

#include <fmt/format.h>

#include <stdexcept>

#include "lithe/arm/cut.h"
#include "lithe/arm/small_motion.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/spelling.h"
#include "lithe/dynamics/composed/composed.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

namespace lithe {
namespace {

constexpr EvaluatedItem items[] = {
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

}  // namespace

std::span<const EvaluatedItem> evaluated_items() { return items; }

std::vector<std::string> evaluated_names() {
  std::vector<std::string> names;
  for (const EvaluatedItem& item : items) names.emplace_back(item.name);
  for (const BlockName& block : block_names()) names.emplace_back(block.name);
  return names;
}

EvaluatedValue evaluate(const std::string& name, ConstrainedDynamics& dynamics, const EvaluationPoint& at) {
  const Arm& arm = dynamics.arm();
  Formulation& formulation = dynamics.model();
  const int nv = arm.nv();
  const State& state = at.state;
  const Kinematics& kin = at.kin;
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
    return vector;
  }
  if (const BlockName* block = find_block(name)) {
    const MatrixXd value = block->of(Composed(cut_at(formulation.arm(), at.split)).blocks(state, 0));
    if (name[0] == 'G') return VectorXd(value);
    return value;
  }
  if (name == "mass_matrix") {
    formulation.mass_matrix(state, matrix);
    return matrix;
  }
  if (name == "coriolis_matrix") {
    Lagrange(formulation.arm()).coriolis_matrix(state, matrix);
    return matrix;
  }
  if (name == "stiffness_matrix") {
    Triplets entries;
    add_elastic_stiffness(arm, state, entries);
    return MatrixXd(assembled(nv, entries));
  }
  if (name == "input_matrix") {
    matrix.setZero(nv, Eigen::Index(arm.torque_inputs().size()));
    for (size_t k = 0; k < arm.torque_inputs().size(); ++k) matrix(arm.torque_inputs()[k].v, Eigen::Index(k)) = 1;
    return matrix;
  }
  if (name == "acceleration") {
    dynamics.forward(state, at.tau, vector);
    return vector;
  }
  if (name == "torque") {
    formulation.inverse(state, at.vdot, vector);
    return vector;
  }
  if (name == "kinetic_energy")
    return arm.small_tips() ? RecursiveLagrangian(arm).kinetic_energy(state) : kinetic_energy(arm, state, kin);
  if (name == "potential_energy") return gravity_energy(arm, kin) + elastic_energy(arm, state);
  if (arm.small_tips() && (name == "momentum" || name == "jacobian"))
    throw std::invalid_argument(
        fmt::format("'{}' is not available with `tip_rotation: small`, whose links do not move as rigid bodies; "
                    "--set arm.tip_rotation=finite gives it for tips that turn by a true rotation",
                    name));
  if (name == "centre_of_mass") return VectorXd(centre_of_mass(arm, kin));
  if (name == "momentum") return VectorXd(momentum(arm, state, kin));
  if (name == "jacobian") return MatrixXd(tip_jacobian(arm, kin, at.i_tip));
  if (name == "tip") return kin.X_WT[at.i_tip];
  const std::vector<std::string> known = evaluated_names();
  throw std::invalid_argument(
      fmt::format("no '{}'{} Known: {}", name, guess_in_sentence(name, known), comma_list(known)));
}

void demand_dense(const Arm& arm, const std::string& who, const std::string& instead) {
  const int n = arm.nv();
  if (n <= limits::dense_coordinates) return;
  throw FieldError("arm.links", fmt::format("{} needs a row and a column for each of {} coordinates; at most {}: {}",
                                            who, n, limits::dense_coordinates, instead));
}

}  // namespace lithe
