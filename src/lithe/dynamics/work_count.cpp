#include "lithe/dynamics/work_count.h"

#include "lithe/describe/field.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/articulated/forward_recursion.h"
#include "lithe/dynamics/articulated/passive_plan.h"
#include "lithe/dynamics/composed/equations.h"
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

CountedForward articulated_forward(const Arm& arm, const State& state, const VectorXd& tau) {
  const PassivePlan forces(arm);
  ForwardRecursion<Counted> recursion(std::make_shared<RecursionPlan>(arm));
  const Vector q = unknown<Counted>(state.q), v = unknown<Counted>(state.v), torque = unknown<Counted>(tau);
  Vector vdot(arm.nv()), passive(arm.nv());
  ForwardRecursion<Counted>::Call call{
      .q = q.data(), .v = v.data(), .tau = torque.data(), .passive = nullptr, .vdot = vdot.data()};
  // A resting root's acceleration, gravity alone, is known in every joint's frame; a moving one's is not.
  const RootAcceleration motion = root_acceleration(arm, state.t);
  const auto set = [&](const Vector3d& values, Counted* numbers) {
    for (int k = 0; k < 3; ++k) numbers[k] = arm.root_moves() ? Counted::unknown(values[k]) : Counted(values[k]);
  };
  set(motion.omega, call.root.omega);
  set(motion.alpha, call.root.alpha);
  set(motion.a, call.root.a);
  const WorkCount before = Counted::work();
  if (forces.any()) {
    forces.evaluate(q.data(), v.data(), passive.data());
    call.passive = passive.data();
  }
  recursion.run(call);
  return {Counted::work() - before, vdot.cast<double>()};
}

}  // namespace

std::optional<CountedForward> count_forward(std::string_view name, const Arm& arm, const State& state,
                                            const VectorXd& tau) {
  const auto is = [&](RunFormulation kind) { return name == word(kind); };
  if (is(RunFormulation::kane)) return dense_forward<kane::Equations<Counted>>(arm, state, tau, DenseMethod::cholesky);
  if (is(RunFormulation::lagrange))
    return dense_forward<lagrange::Equations<Counted>>(arm, state, tau, DenseMethod::cholesky);
  if (is(RunFormulation::composed))
    return dense_forward<composed::Equations<Counted>>(arm, state, tau, DenseMethod::cholesky);
  if (is(RunFormulation::recursive_lagrangian))
    return dense_forward<book83::Equations<Counted>>(arm, state, tau, book83::solution_of(arm));
  if (is(RunFormulation::articulated)) return articulated_forward(arm, state, tau);
  return {};
}

}  // namespace lithe
