#pragma once

#include <unordered_map>

#include "lithe/derive/equations.h"
#include "lithe/spatial/spatial.h"

namespace lithe::derive {

/// Evaluates derived equations numerically, name by name in order of definition, as a generated program does.
class Evaluator {
 public:
  explicit Evaluator(const Equations& equations);

  /// Replaces the arm's own value of a parameter. Throws std::out_of_range for an unknown name.
  void set_parameter(const std::string& code, double value) { values_.at(code) = value; }
  /// Evaluates all names at a state, given in the order of the equations (`Equations::positions`, `rates`).
  void update(const VectorXd& q, const VectorXd& v);

  double operator()(const ex& expression) const;
  MatrixXd operator()(const ExMatrix& matrix) const;
  VectorXd operator()(const std::vector<ex>& vector) const;

  /// K z + D ż + f and C ż + K z + D ż + G + f at the state of the last update.
  VectorXd passive(const VectorXd& v) const;
  VectorXd bias(const VectorXd& v) const { return (*this)(e_.C) * v + (*this)(e_.G) + passive(v); }

 private:
  const Equations& e_;
  std::unordered_map<std::string, double> values_;
};

/// How far the equations are from the library's `lagrange` (with small tips `recursive-lagrangian`) at some random states: the
/// largest difference in M, in C ż, in G, in the rest of h, and in poses and Jacobians where they were derived, each relative to the
/// largest entry of its kind.
double disagreement(const Equations& equations, const Arm& arm, int n_states, unsigned seed);

/// How far the coupling derived alone is from the same blocks of the whole arm, in the same way.
double coupling_disagreement(const Equations& coupling, const Equations& whole, const Arm& arm, int n_states,
                             unsigned seed);

}  // namespace lithe::derive
