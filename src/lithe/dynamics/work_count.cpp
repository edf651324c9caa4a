#include "lithe/dynamics/work_count.h"

#include "lithe/dynamics/dense_solve.h"
#include "lithe/dynamics/kane/equations.h"

namespace lithe {
namespace {

using Vector = Eigen::VectorX<Counted>;

/// Any equations that give M and h.
template <class Equations>
Vector dense_forward(Equations& equations, const Vector& q, const Vector& v, double t, const Vector& tau) {
  Vector vdot(v.size());
  DenseSolverOf<Counted> solver(int(v.size()));
  equations.evaluate(q, v, t);
  solver.forward(equations.M(), equations.h(), tau, vdot);
  return vdot;
}

}  // namespace

std::optional<CountedForward> count_forward(std::string_view name, const Arm& arm, const State& state,
                                            const VectorXd& tau) {
  if (name != "kane") return {};
  kane::Equations<Counted> equations(arm);
  const Vector q = unknown<Counted>(state.q), v = unknown<Counted>(state.v), torque = unknown<Counted>(tau);
  const WorkCount before = Counted::work();
  const Vector vdot = dense_forward(equations, q, v, state.t, torque);
  return CountedForward{Counted::work() - before, vdot.cast<double>()};
}

}  // namespace lithe
