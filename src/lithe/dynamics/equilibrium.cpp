#include "lithe/dynamics/equilibrium.h"

#include <fmt/format.h>
#include <kinsol/kinsol.h>
#include <kinsol/kinsol_ls.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <Eigen/SparseLU>
#include <cmath>

#include "lithe/arm/constraint.h"
#include "lithe/dynamics/finite_element/nodal_beam.h"
#include "lithe/dynamics/static_balance.h"
#include "lithe/dynamics/static_stability.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// KINSOL with a sparse stiffness of our own behind its interfaces for matrices and linear solvers.
class Kinsol {
 public:
  explicit Kinsol(StaticBalance& balance) : balance_(balance) {
    SUNContext_Create(nullptr, &context_);
    for (N_Vector* vector : {&u_, &u_scale_, &f_scale_}) *vector = N_VNew_Serial(balance.size(), context_);
    matrix_ = SUNMatNewEmpty(context_);
    matrix_->content = this;
    matrix_->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
    matrix_->ops->zero = [](SUNMatrix) { return 0; };
    linear_ = SUNLinSolNewEmpty(context_);
    linear_->content = this;
    linear_->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    linear_->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
    linear_->ops->setup = [](SUNLinearSolver solver, SUNMatrix) {
      return static_cast<Kinsol*>(solver->content)->factorise() ? 0 : 1;
    };
    linear_->ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
      auto* self = static_cast<Kinsol*>(solver->content);
      VectorXd step = self->factors_.solve(VectorXd(self->map(b)));
      self->balance_.bound(step);
      self->map(x) = step;
      return 0;
    };
    memory_ = KINCreate(context_);
    KINInit(memory_, residual, u_);
    KINSetErrHandlerFn(
        memory_, [](int, const char*, const char*, char*, void*) {}, nullptr);
    KINSetUserData(memory_, this);
    KINSetLinearSolver(memory_, linear_, matrix_);
    KINSetJacFn(memory_, jacobian);
    KINSetMaxSetupCalls(memory_, 1);  // a fresh stiffness at every step: Newton's own convergence
    KINSetNumMaxIters(memory_, 60);
    // Steps may be as large as they need: lengths and angles of an arm are of order one.
    KINSetMaxNewtonStep(memory_, 1e8);
  }
  ~Kinsol() {
    KINFree(&memory_);
    SUNLinSolFreeEmpty(linear_);
    SUNMatFreeEmpty(matrix_);
    for (N_Vector vector : {u_, u_scale_, f_scale_}) N_VDestroy(vector);
    SUNContext_Free(&context_);
  }
  Kinsol(const Kinsol&) = delete;
  Kinsol& operator=(const Kinsol&) = delete;

  /// From the present position to equilibrium. Returns to it, with false, if none is found.
  bool solve(const VectorXd& scale, double tolerance) {
    map(u_scale_) = scale;
    map(f_scale_) = scale.cwiseInverse();
    KINSetFuncNormTol(memory_, tolerance);
    KINSetScaledStepTol(memory_, 1e-15);
    const VectorXd before = position();
    balance_.get(N_VGetArrayPointer(u_));
    KINSol(memory_, u_, KIN_LINESEARCH, u_scale_, f_scale_);
    long n = 0;
    KINGetNumNonlinSolvIters(memory_, &n);
    iterations_ += int(n);
    balance_.set(N_VGetArrayPointer(u_));
    // Steps that are too short and failed searches may mean an equilibrium to rounding or a dead end: the residual decides,
    // whatever KINSOL returns.
    if (polish()) {
      const double left = balance_.residual().cwiseQuotient(scale).cwiseAbs().maxCoeff();
      if (left <= 1e3 * tolerance) return true;
    }
    balance_.set(before.data());
    return false;
  }
  int iterations() const { return iterations_; }
  VectorXd position() const {
    VectorXd u(balance_.size());
    balance_.get(u.data());
    return u;
  }

 private:
  Eigen::Map<VectorXd> map(N_Vector vector) { return {N_VGetArrayPointer(vector), balance_.size()}; }
  bool factorise() {
    factors_.compute(stiffness_);
    return factors_.info() == Eigen::Success;
  }
  /// Two more Newton steps, to rounding; kept if they reduce the residual.
  bool polish() {
    for (int k = 0; k < 2; ++k) {
      const VectorXd r = balance_.residual(), before = position();
      if (!r.allFinite()) return false;
      stiffness_ = balance_.stiffness();
      if (!factorise()) return true;
      const VectorXd after = before - factors_.solve(r);
      balance_.set(after.data());
      if (!(balance_.residual().norm() < r.norm())) {
        balance_.set(before.data());
        return true;
      }
    }
    return true;
  }
  static int residual(N_Vector u, N_Vector f, void* self_) {
    auto* self = static_cast<Kinsol*>(self_);
    self->balance_.set(N_VGetArrayPointer(u));
    self->map(f) = self->balance_.residual();
    return self->map(f).allFinite() ? 0 : 1;
  }
  static int jacobian(N_Vector u, N_Vector, SUNMatrix, void* self_, N_Vector, N_Vector) {
    auto* self = static_cast<Kinsol*>(self_);
    self->balance_.set(N_VGetArrayPointer(u));
    self->stiffness_ = self->balance_.stiffness();
    return 0;
  }

  StaticBalance& balance_;
  SUNContext context_ = nullptr;
  N_Vector u_ = nullptr, u_scale_ = nullptr, f_scale_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  void* memory_ = nullptr;
  SparseMatrixd stiffness_;
  Eigen::SparseLU<SparseMatrixd> factors_;  // not symmetric where a load follows its link
  int iterations_ = 0;
};

/// An arm under a growing load.
class LoadPath {
 public:
  LoadPath(StaticBalance& balance, const VectorXd& scale, double tolerance)
      : balance_(balance), scale_(scale), tolerance_(tolerance), solver_(balance) {}

  /// The whole load at once. False where that fails, or has led further than Newton's method can be trusted with: far, or to where the arm
  /// would not stay.
  bool at_once() {
    const VectorXd before = solver_.position();
    if (!solver_.solve(scale_, tolerance_)) return false;
    if (!balance_.bends_far() || (!balance_.far_from(before) && stable())) return true;
    balance_.set(before.data());
    return false;
  }

  /// In steps, halved where they fail and doubled where they do not, from the unloaded arm. Returns how many.
  int in_steps() {
    if (balance_.bends_far()) balance_.straighten_exact_links();
    double step = 0.25;
    int steps = 0;
    for (; done_ < 1; ++steps) {
      const double part = std::min(1.0, done_ + step);
      const VectorXd before = solver_.position();
      balance_.set_part(part);
      const bool solved = solver_.solve(scale_, tolerance_) && !balance_.far_from(before),
                 stays = !balance_.bends_far() || buckles_at_ || !solved || stable();
      if (solved && stays) {
        done_ = part;
        step = std::min(2 * step, 0.25);
        continue;
      }
      balance_.set(before.data());
      if ((step /= 2) >= 1e-4) continue;
      if (!solved) give_up();
      // However short the step, there is only equilibrium in which the arm would not stay: from here on that is followed.
      buckles_at_ = done_;
      step = 1e-3;
    }
    return steps;
  }

  std::optional<double> buckles_at() const { return buckles_at_; }
  int iterations() const { return solver_.iterations(); }

 private:
  bool stable() const { return statically_stable(balance_.stiffness(), scale_); }
  [[noreturn]] void give_up() {
    const double left = balance_.residual().cwiseAbs().maxCoeff();
    balance_.set_part(done_);
    if (balance_.bends_far() && done_ > 0 && least_stiffness(balance_.stiffness(), scale_) < 0.1)
      throw EquilibriumError(fmt::format(
          "the arm buckles or snaps at {:.4g} % of the load: no equilibrium was found beyond, and there it has "
          "lost nearly all stiffness in one direction",
          100 * done_));
    throw EquilibriumError(
        fmt::format("no equilibrium was found beyond {:.4g} % of the load (forces of {:.3g} remain unbalanced)",
                    100 * done_, left));
  }

  StaticBalance& balance_;
  const VectorXd& scale_;
  double tolerance_, done_ = 0;
  Kinsol solver_;
  std::optional<double> buckles_at_;
};

/// Backlash leaves joints without stiffness until a flank is pressed. Which one that will be, springs without a gap tell: from their
/// equilibrium every joint falls back through its half of the gap, and Newton's iteration starts there.
State on_flanks(const Arm& arm, const State& start, const std::vector<bool>& held, const Vector3d& gravity,
                const OuterForces& outer) {
  State state = find_equilibrium(arm.without_backlash(), start, held, gravity, outer).state;
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    if (!(spring.gap > 0) || held[size_t(joint.v0)]) continue;
    const double twist = state.q[rotor.q0] - state.q[joint.q0];
    // A twist by rounding presses no flank.
    if (std::abs(twist) > 1e-12 * spring.gap) state.q[joint.q0] -= std::copysign(spring.gap, twist);
  }
  return state;
}

/// Beams in guides do not slide: they are ordinary beams over their free length, but their drives bear the force that would push them out.
Equilibrium held_in_guides(const Arm& arm, const State& start, const std::vector<bool>& held, const Vector3d& gravity,
                           const OuterForces& outer) {
  demand_held_guides(arm, held, "equilibrium");
  Equilibrium rest = find_equilibrium(arm.with_guides_held(start.q), start, held, gravity, outer);
  const Kinematics kin = kinematics_of(arm, rest.state);
  for (int i = 0; i < arm.n_links(); ++i)
    if (arm.link(i).guide)
      rest.force[arm.link(i).v0] += flow_force_at_rest(arm.link(i), rest.state.q, kin.X_WB[i].R.transpose() * gravity);
  return rest;
}

}  // namespace

OuterForces together(const OuterForces& a, const OuterForces& b) {
  auto both = [](const auto& first, const auto& second) {
    if (!first || !second) return first ? first : second;
    std::remove_cvref_t<decltype(first)> sum = [first, second](const SmallMotion& motion, auto&& result) {
      first(motion, result);
      second(motion, result);
    };
    return sum;
  };
  return {both(a.add, b.add), both(a.add_stiffness, b.add_stiffness), both(a.add_damping, b.add_damping)};
}

std::vector<bool> held_by_motors(const Arm& arm) {
  std::vector<bool> held(arm.nv(), false);
  for (const Link& link : arm.links())
    if (link.role != LinkRole::segment)
      for (int k = 0; k < link.nv(); ++k) held[link.v0 + k] = true;
  for (const Transmission& spring : arm.transmissions()) held[arm.link(spring.joint_link).v0] = false;
  return held;
}

Equilibrium find_equilibrium(const Arm& arm, const State& start, const std::vector<bool>& held, const Vector3d& gravity,
                             const OuterForces& outer) {
  LITHE_DEMAND_EQUAL(int(held.size()), arm.nv());
  for (const auto& constraint : arm.constraints())
    if (constraint->binds_positions()) refuse_constraints(arm, "equilibrium");
  if (arm.has_guides()) return held_in_guides(arm, start, held, gravity, outer);
  StaticBalance balance(arm, arm.has_backlash() ? on_flanks(arm, start, held, gravity, outer) : start, held, gravity,
                        outer);
  Equilibrium result;
  if (balance.size() > 0) {
    // Energies scale alike: coordinates by √K, forces by 1/√K, so that metres, radians and modes weigh the same.
    balance.set_part(0);
    VectorXd scale = VectorXd(balance.stiffness().diagonal());
    const double largest = scale.maxCoeff();
    for (double& k : scale) k = std::sqrt(k > 1e-12 * largest ? k : std::max(largest, 1.0));
    const VectorXd unloaded = balance.residual();
    balance.set_part(1);
    const double load = (balance.residual() - unloaded).cwiseQuotient(scale).cwiseAbs().maxCoeff();
    const double strain = unloaded.cwiseQuotient(scale).cwiseAbs().maxCoeff();
    // If only rounding loads the arm, 1e-15 m, rad or of a shape counts as zero.
    const double tolerance = std::max(1e-13 * (load + strain), 1e-15 * scale.minCoeff());
    LoadPath path(balance, scale, tolerance);
    if (!path.at_once()) result.load_steps = path.in_steps();
    result.buckles_at = path.buckles_at();
    result.iterations = path.iterations();
  }
  result.state = balance.state();
  result.force = balance.force();
  for (int k = 0; k < arm.nv(); ++k)
    if (!held[k]) {
      result.residual = std::max(result.residual, std::abs(result.force[k]));
      result.force[k] = 0;
    }
  return result;
}

void wind_up(const Arm& arm, Equilibrium& equilibrium) {
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    State& state = equilibrium.state;
    // The present force of the spring is already among the forces.
    const double torque = equilibrium.force[joint.v0] + spring.elastic(state.q[rotor.q0] - state.q[joint.q0]);
    state.q[rotor.q0] = state.q[joint.q0] + spring.twist_under(torque);
    equilibrium.force[rotor.v0] = torque;
    equilibrium.force[joint.v0] = 0;
  }
}

}  // namespace lithe
