#include "lithe/dynamics/composed/composed.h"

#include <fmt/format.h>

#include "lithe/arm/modal_damping.h"
#include "lithe/arm/stiffening.h"
#include "lithe/describe/field.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

constexpr std::string_view own_name = word(Composed::kind);

/// Each part stands on the one before it: what two arms on one carrier do to each other is no block of this formulation.
void check_chain(const Arm& arm) {
  const auto mounts = arm.mounts();
  for (size_t k = 1; k < mounts.size(); ++k)
    if (mounts[k].carrier_link < mounts[k - 1].first_link)
      throw UnsupportedError(
          "arm",
          fmt::format(
              "formulation 'composed' joins arms in a chain, but '{}' does not stand on the arm before it, which "
              "begins at '{}'; use another formulation, which treats the whole as one arm",
              arm.link(mounts[k].first_link).name, arm.link(mounts[k - 1].first_link).name));
}

/// The arm back, if it is composed and its parts move together as they do alone.
const Arm& covered(const Arm& arm) {
  refuse_constraints(arm, own_name);
  if (arm.mounts().empty())
    throw UnsupportedError(
        "arm",
        "formulation 'composed' joins arms whose dynamics are known separately, but this is a single arm; compose it "
        "from files (arm: {carrier: ..., carries: ...}) or give in `mounts` where a carried arm begins");
  refuse_modal_damping(arm, own_name);
  refuse_exact_links(arm, own_name);
  refuse_stiffening(arm, own_name);
  check_chain(arm);
  for (const Link& link : arm.links()) {
    if (!link.flex) continue;
    if (arm.tip_rotation() == TipRotation::small)
      throw UnsupportedError(
          "arm.tip_rotation",
          "formulation 'composed' treats a carried arm as if it were alone, but a small tip rotation, which is not "
          "exactly a rotation, stretches it; recursive-lagrangian covers that");
    if (arm.inertia_order() == InertiaOrder::first_order)
      throw UnsupportedError(
          "arm.inertia",
          "formulation 'composed' keeps all terms of the kinetic energy; recursive-lagrangian covers first-order");
  }
  return arm;
}

std::vector<std::unique_ptr<composed::Part<double>>> named_parts(const Arm& arm,
                                                                 const std::vector<std::string>& formulations) {
  LITHE_DEMAND_EQUAL(int(formulations.size()), arm.n_parts());
  std::vector<std::unique_ptr<composed::Part<double>>> parts;
  for (int k = 0; k < arm.n_parts(); ++k) {
    const Arm part = arm.part(k);
    if (formulations[size_t(k)] == word(RunFormulation::lagrange))
      parts.push_back(std::make_unique<composed::LagrangePart<double>>(part));
    else
      parts.push_back(std::make_unique<composed::NamedPart>(formulations[size_t(k)], part));
  }
  return parts;
}

}  // namespace

const std::vector<BlockName>& block_names() {
  using B = CoupledBlocks;
  static const std::vector<BlockName> names{
      {"M_L", "the carrier's own inertia", false, [](const B& b) { return b.M_L; }},
      {"M_LS", "inertia of the carried arm, held rigid, as a load on the carrier", false,
       [](const B& b) { return b.M_LS; }},
      {"M_cp", "inertial reaction: force on the carrier per acceleration of the carried arm, and back by its transpose",
       false, [](const B& b) { return b.M_cp; }},
      {"M_S", "the carried arm's own inertia", true, [](const B& b) { return b.M_S; }},
      {"C_L", "the carrier's own C", false, [](const B& b) { return b.C_L; }},
      {"C_LS", "what the inertia of that load adds to it", false, [](const B& b) { return b.C_LS; }},
      {"C_Lcp", "what the carried arm's momentum adds to it", false, [](const B& b) { return b.C_Lcp; }},
      {"C_cp1", "from the carried arm's rates to forces on the carrier", false, [](const B& b) { return b.C_cp1; }},
      {"C_cp2", "from the carrier's rates to forces on the carried arm", true, [](const B& b) { return b.C_cp2; }},
      {"C_S", "the carried arm's own C", true, [](const B& b) { return b.C_S; }},
      {"C_Scp", "what the carrier's motion adds to it", true, [](const B& b) { return b.C_Scp; }},
      {"G_L", "the carrier's own weight", false, [](const B& b) { return MatrixXd(b.G_L); }},
      {"G_LS", "weight of the carried arm on the carrier", false, [](const B& b) { return MatrixXd(b.G_LS); }},
      {"G_S", "weight of the carried arm on its own joints", true, [](const B& b) { return MatrixXd(b.G_S); }}};
  return names;
}

Composed::Composed(const Arm& given) : DenseFormulation(kind, covered(given), DenseMethod::cholesky) {}

Composed::Composed(const Arm& given, const std::vector<std::string>& formulations)
    : DenseFormulation(kind, covered(given), DenseMethod::cholesky, named_parts(given, formulations)) {}

void Composed::coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm().nv());
  equations_.evaluate_coriolis(state.q, state.v, state.t);
  C = equations_.C();
}

CoupledBlocks Composed::blocks(const State& state, int i_mount) {
  LITHE_DEMAND(i_mount >= 0 && i_mount < int(arm().mounts().size()));
  const int k = i_mount + 1, n_L = equations_.first_column(k);
  composed::Part<double>& part = equations_.part(k);
  const int n_S = part.arm().nv() - 6;
  CoupledBlocks blocks;
  // The carrier alone.
  equations_.evaluate_first(k, state.q, state.v, state.t, Terms::gravity);
  blocks.G_L = equations_.h().head(n_L);
  equations_.evaluate_coriolis_of_first(k, state.q, state.v, state.t);
  blocks.M_L = equations_.M().topLeftCorner(n_L, n_L);
  blocks.C_L = equations_.C().topLeftCorner(n_L, n_L);
  // With the arm on it: (1), (2) and (3) of `composed::Equations`.
  equations_.evaluate_coriolis_of_first(k + 1, state.q, state.v, state.t);
  const Matrix6Xd &J = equations_.J(k), &J_dot = equations_.J_dot(k);
  const Matrix6d I = part.M().topLeftCorner<6, 6>(), C_VV = part.C().topLeftCorner<6, 6>();
  const Matrix6Xd N = part.M().topRightCorner(6, n_S);
  blocks.M_LS = J.transpose() * I * J;
  blocks.M_cp = J.transpose() * N;
  blocks.M_S = part.M().bottomRightCorner(n_S, n_S);
  // The contribution of M_cp to the carrier's own block, ½Σ(∂M_cp^ki/∂q_j − ∂M_cp^ji/∂q_k) q̇_S,i: the momentum p = N q̇_S, turned
  // with T.
  const VectorXd &rates = equations_.rates(k), p = N * rates.tail(n_S);
  Matrix6d turned;
  turned << skew(p.head<3>()), skew(p.tail<3>()), skew(p.tail<3>()), Matrix3d::Zero();
  blocks.C_Lcp = -0.5 * J.transpose() * turned * J;
  blocks.C_LS = J.transpose() * (C_VV * J + I * J_dot) - blocks.C_Lcp;
  blocks.C_cp1 = J.transpose() * part.C().topRightCorner(6, n_S);
  blocks.C_cp2 = part.C().bottomLeftCorner(n_S, 6) * J + N.transpose() * J_dot;
  Vector6d gravity;
  gravity << Vector3d::Zero(), equations_.gravity(k);
  blocks.G_LS = -J.transpose() * (I * gravity);
  blocks.G_S = -N.transpose() * gravity;
  // The carried arm alone, on a base at rest.
  blocks.C_Scp = part.C().bottomRightCorner(n_S, n_S);
  VectorXd at_rest = rates;
  at_rest.head<6>().setZero();
  part.evaluate_coriolis(equations_.positions(k), at_rest, state.t);
  blocks.C_S = part.C().bottomRightCorner(n_S, n_S);
  blocks.C_Scp -= blocks.C_S;
  return blocks;
}

}  // namespace lithe
