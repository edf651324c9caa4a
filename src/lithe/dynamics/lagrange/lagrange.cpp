#include "lithe/dynamics/lagrange/lagrange.h"

#include "lithe/arm/stiffening.h"
#include "lithe/describe/field.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

constexpr std::string_view own_name = word(Lagrange::kind);

/// Returns the arm if (1) is valid for it.
const Arm& covered(const Arm& arm) {
  refuse_constraints(arm, own_name);
  refuse_exact_links(arm, own_name);
  refuse_stiffening(arm, own_name);
  for (const Link& link : arm.links()) {
    if (!link.flex) continue;
    if (arm.tip_rotation() == TipRotation::small)
      throw UnsupportedError("arm.tip_rotation",
                             "formulation 'lagrange' treats carried links as rigid bodies, but with a small tip "
                             "rotation they do not move as such; recursive-lagrangian covers that");
    if (arm.inertia_order() == InertiaOrder::first_order)
      throw UnsupportedError(
          "arm.inertia",
          "formulation 'lagrange' keeps all terms of the kinetic energy; recursive-lagrangian covers "
          "first-order");
  }
  return refuse_guides(arm, own_name);
}

}  // namespace

Lagrange::Lagrange(const Arm& given) : DenseFormulation(kind, covered(given), DenseMethod::cholesky) {}

void Lagrange::coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm().nv());
  equations_.evaluate_coriolis(state.q, state.v, state.t);
  C = equations_.C();
}

}  // namespace lithe
