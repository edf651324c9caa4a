#include "lithe/derive/evaluate.h"

#include <cmath>
#include <limits>

#include "lithe/analyse/random_states.h"
#include "lithe/dynamics/lagrange/lagrange.h"
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

double disagreement(const Equations& equations, const Arm& arm, int n_states, unsigned seed) {
  Lagrange library(arm);
  Evaluator derived(equations);
  double worst = 0;
  auto compare = [&](const MatrixXd& ours, const MatrixXd& theirs, double least) {
    const double difference = (ours - theirs).cwiseAbs().maxCoeff();
    if (difference > 0) worst = std::max(worst, difference / std::max(theirs.cwiseAbs().maxCoeff(), least));
  };
  MatrixXd M(arm.nv(), arm.nv());
  VectorXd coriolis(arm.nv()), gravity(arm.nv()), passive(arm.nv());
  for (const State& state : random_states(arm, n_states, seed)) {
    library.mass_matrix(state, M);
    library.bias(state, Terms::coriolis, coriolis);
    library.bias(state, Terms::gravity, gravity);
    library.bias(state, Terms::elastic | Terms::damping, passive);
    derived.update(state.q, state.v);
    // Each is compared with its own largest entry: next to a stiff link's elastic forces a wrong inertia would not show. What
    // cancels to zero is compared with the size of its terms.
    const double inertia = M.cwiseAbs().maxCoeff();
    compare(derived(equations.M), M, 0);
    compare(derived(equations.C) * state.v, coriolis, 1e-2 * inertia * state.v.squaredNorm());
    compare(derived(equations.G), gravity, 1e-2 * inertia * arm.gravity().norm());
    compare(derived.passive(state.v), passive, std::numeric_limits<double>::min());
  }
  return worst;
}

}  // namespace lithe::derive
