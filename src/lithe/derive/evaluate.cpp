#include "lithe/derive/evaluate.h"

#include <cmath>
#include <limits>

#include "lithe/analyse/random_states.h"
#include "lithe/arm/kinematics.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/spatial/demand.h"
#include "lithe/spatial/exp_map.h"

namespace lithe::derive {
namespace {

double function_value(const std::string& name, double x) {
  if (name == "sin") return std::sin(x);
  if (name == "cos") return std::cos(x);
  if (name == "tanh") return std::tanh(x);
  if (name == "positive_part") return std::max(x, 0.0);
  if (name == "negative_part") return std::min(x, 0.0);
  const ExpMap map(Vector3d(std::sqrt(x), 0, 0));
  if (name == "rot_a") return map.a;
  if (name == "rot_b") return map.b;
  if (name == "rot_c") return map.c;
  if (name == "rot_da") return (map.c - map.b) / 2;  // a′ = (cos|θ| − a)/2x, cos|θ| = 1 − x b, a = 1 − x c
  if (name == "rot_db") return map.db;
  return map.dc;
}

}  // namespace

Evaluator::Evaluator(const Equations& equations) : e_(equations) {
  for (const Name& name : e_.names.all())
    if (name.kind == Kind::parameter) values_[name.code] = name.value;
}

double Evaluator::operator()(const ex& expression) const {
  using namespace GiNaC;
  if (is_a<numeric>(expression)) return ex_to<numeric>(expression).to_double();
  if (is_a<symbol>(expression)) return values_.at(ex_to<symbol>(expression).get_name());
  if (is_a<power>(expression)) return std::pow((*this)(expression.op(0)), ex_to<numeric>(expression.op(1)).to_double());
  if (is_a<function>(expression))
    return function_value(ex_to<function>(expression).get_name(), (*this)(expression.op(0)));
  double value = is_a<mul>(expression) ? 1 : 0;
  for (const ex& part : expression) is_a<mul>(expression) ? value *= (*this)(part) : value += (*this)(part);
  return value;
}

void Evaluator::update(const VectorXd& q, const VectorXd& v) {
  for (const Name& name : e_.names.all()) {
    if (name.kind == Kind::coordinate) values_[name.code] = q[name.place];
    if (name.kind == Kind::rate) values_[name.code] = v[name.place];
  }
  for (const Name& name : e_.names.all())
    if (name.kind == Kind::constant || name.kind == Kind::wave || name.kind == Kind::derived)
      values_[name.code] = (*this)(name.definition);
}

MatrixXd Evaluator::operator()(const ExMatrix& matrix) const {
  MatrixXd result(matrix.size(), matrix.empty() ? 0 : matrix[0].size());
  for (Eigen::Index k = 0; k < result.rows(); ++k)
    for (Eigen::Index j = 0; j < result.cols(); ++j) result(k, j) = (*this)(matrix[k][j]);
  return result;
}

VectorXd Evaluator::operator()(const std::vector<ex>& vector) const {
  VectorXd result(vector.size());
  for (Eigen::Index k = 0; k < result.size(); ++k) result[k] = (*this)(vector[k]);
  return result;
}

VectorXd Evaluator::passive(const VectorXd& v) const {
  VectorXd z = VectorXd::Zero(e_.nv);
  for (int k = 0; k < e_.nv; ++k)
    if (GiNaC::is_a<GiNaC::symbol>(e_.names.coordinate(k))) z[k] = (*this)(e_.names.coordinate(k));
  return (*this)(e_.K) * z + (*this)(e_.D) * v + (*this)(e_.f);
}

namespace {

/// The largest difference, each relative to the largest entry of its kind.
class Comparison {
 public:
  void operator()(const MatrixXd& ours, const MatrixXd& theirs, double least) {
    if (ours.size() == 0) return;
    const double difference = (ours - theirs).cwiseAbs().maxCoeff();
    // NaN counts as the worst.
    if (!(difference <= 0)) worst_ = std::max(worst_, difference / std::max(theirs.cwiseAbs().maxCoeff(), least));
    if (std::isnan(difference)) worst_ = std::numeric_limits<double>::infinity();
  }
  double worst() const { return worst_; }

 private:
  double worst_ = 0;
};

MatrixXd reordered(const Equations& e, const MatrixXd& M) {
  MatrixXd result = M;
  for (int k = 0; k < e.nv; ++k)
    for (int j = 0; j < e.nv; ++j) result(k, j) = M(e.order[size_t(k)], e.order[size_t(j)]);
  return result;
}

void compare_kinematics(const Equations& e, const Evaluator& derived, const Arm& arm, const State& state,
                        Comparison& compare) {
  if (e.links.empty()) return;
  const Kinematics kin = kinematics_of(arm, state);
  auto pose = [&](const ExMatrix& T, const Pose& theirs) {
    const MatrixXd ours = derived(T);
    compare(ours.topLeftCorner(3, 3), theirs.R, 1);
    compare(ours.topRightCorner(3, 1), theirs.p, 1);
  };
  for (const auto& link : e.links) {
    const size_t i = size_t(link.i_link);
    pose(link.T, link.far_end ? kin.X_WT[i] * arm.link(link.i_link).X_TD : kin.X_WB[i]);
  }
  for (const auto& tip : e.tips) {
    pose(tip.T, kin.X_WT[size_t(tip.i_link)]);
    const Matrix6Xd theirs = tip_jacobian(arm, kin, tip.i_link);
    const MatrixXd ours = derived(tip.jacobian);
    for (int k = 0; k < e.nv; ++k) compare(ours.col(k), theirs.col(e.order[size_t(k)]), theirs.cwiseAbs().maxCoeff());
  }
}

}  // namespace

double disagreement(const Equations& equations, const Arm& arm, int n_states, unsigned seed) {
  const auto library =
      make_formulation(arm.small_tips() ? RunFormulation::recursive_lagrangian : RunFormulation::lagrange, arm);
  Evaluator derived(equations);
  Comparison compare;
  MatrixXd M(arm.nv(), arm.nv());
  VectorXd coriolis(arm.nv()), gravity(arm.nv()), passive(arm.nv());
  for (const State& state : random_states(arm, n_states, seed)) {
    library->mass_matrix(state, M);
    library->bias(state, Terms::coriolis, coriolis);
    library->bias(state, Terms::gravity, gravity);
    library->bias(state, Terms::elastic | Terms::damping, passive);
    const VectorXd v = equations.rates(state.v);
    derived.update(equations.positions(state.q), v);
    // Each is compared with its own largest entry: next to a stiff link's elastic forces a wrong inertia would not show. What
    // cancels to zero is compared with the size of its terms.
    const double inertia = M.cwiseAbs().maxCoeff();
    compare(derived(equations.M), reordered(equations, M), 0);
    compare(derived(equations.C) * v, equations.rates(coriolis), 1e-2 * inertia * v.squaredNorm());
    compare(derived(equations.G), equations.rates(gravity), 1e-2 * inertia * arm.gravity().norm());
    compare(derived.passive(v), equations.rates(passive), std::numeric_limits<double>::min());
    compare_kinematics(equations, derived, arm, state, compare);
  }
  return compare.worst();
}

double coupling_disagreement(const Equations& coupling, const Equations& whole, const Arm& arm, int n_states,
                             unsigned seed) {
  LITHE_DEMAND(coupling.split && whole.split && coupling.order == whole.order);
  Evaluator alone(coupling), both(whole);
  Comparison compare;
  for (const State& state : random_states(arm, n_states, seed)) {
    const VectorXd q = whole.positions(state.q), v = whole.rates(state.v);
    alone.update(q, v);
    both.update(q, v);
    const double inertia = both(whole.M).cwiseAbs().maxCoeff(), velocity = 1e-2 * inertia * v.norm();
    const double weight = 1e-2 * inertia * arm.gravity().norm();
    const auto &a = *coupling.split, &b = *whole.split;
    compare(alone(a.load), both(b.load), inertia);
    compare(alone(a.M_cp(coupling.M)), both(b.M_cp(whole.M)), inertia);
    compare(alone(a.C_LS), both(b.C_LS), velocity);
    compare(alone(a.C_Lcp), both(b.C_Lcp), velocity);
    compare(alone(a.C_cp1), both(b.C_cp1), velocity);
    compare(alone(a.C_cp2), both(b.C_cp2), velocity);
    compare(alone(a.C_Scp), both(b.C_Scp), velocity);
    compare(alone(a.load_gravity), both(b.load_gravity), weight);
    for (const int k : b.carried)
      compare(MatrixXd::Constant(1, 1, alone(coupling.G[size_t(k)])),
              MatrixXd::Constant(1, 1, both(whole.G[size_t(k)])), weight);
  }
  return compare.worst();
}

}  // namespace lithe::derive
