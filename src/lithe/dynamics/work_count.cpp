#include "lithe/dynamics/work_count.h"

#include "lithe/dynamics/dense_solve.h"
#include "lithe/dynamics/kane/equations.h"
#include "lithe/dynamics/lagrange/equations.h"
#include "lithe/dynamics/recursive_lagrangian/equations.h"

namespace lithe {
namespace {

using Vector = Eigen::VectorX<Counted>;

/// By any equations that give M and h.
template <class Equations>
CountedForward dense_forward(const Arm& arm, const State& state, const VectorXd& tau, DenseMethod method) {
  Equations equations(arm);
  DenseSolverOf<Counted> solver(arm.nv(), method);
  const Vector q = unknown<Counted>(state.q), v = unknown<Counted>(state.v), torque = unknown<Counted>(tau);
  Vector vdot(arm.nv());
  const WorkCount before = Counted::work();
  equations.evaluate(q, v, state.t);
  solver.forward(equations.M(), equations.h(), torque, vdot);
  return {Counted::work() - before, vdot.cast<double>()};
}

}  // namespace

std::optional<CountedForward> count_forward(std::string_view name, const Arm& arm, const State& state,
                                            const VectorXd& tau) {
  if (name == "kane") return dense_forward<kane::Equations<Counted>>(arm, state, tau, DenseMethod::cholesky);
  if (name == "lagrange") return dense_forward<lagrange::Equations<Counted>>(arm, state, tau, DenseMethod::cholesky);
  if (name == "recursive-lagrangian")
    return dense_forward<book83::Equations<Counted>>(arm, state, tau, book83::solution_of(arm));
  return {};
}

}  // namespace lithe
