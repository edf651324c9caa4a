#pragma once

#include <utility>

#include "lithe/dynamics/dense_solve.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/spatial/demand.h"

namespace lithe {

/// Base of formulations that give a dense M and h; the rest is linear algebra, the same for all of them.
///
/// `Equations` are made for an arm. `evaluate_mass` sets M(), `evaluate` both M() and the chosen terms of h(), and `evaluate_bias`, if
/// they have it, only h().
template <class Equations>
class DenseFormulation : public Formulation {
 public:
  void mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) final {
    LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
    equations_.evaluate_mass(state.q, state.t);
    M = equations_.M();
  }
  void bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) final {
    LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
    LITHE_DEMAND_EQUAL(h.size(), arm().nv());
    if constexpr (requires { equations_.evaluate_bias(state.q, state.v, state.t, terms); })
      equations_.evaluate_bias(state.q, state.v, state.t, terms);
    else
      equations_.evaluate(state.q, state.v, state.t, terms);
    h = equations_.h();
  }
  void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) final {
    evaluate(state);
    solver_.forward(equations_.M(), equations_.h(), tau, vdot);
  }
  void inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) final {
    evaluate(state);
    tau = equations_.h();
    tau.noalias() += equations_.M() * vdot;
  }
  void hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
              Eigen::Ref<VectorXd> vdot) final {
    evaluate(state);
    solver_.hybrid(equations_.M(), equations_.h(), driven, tau, vdot);
  }

 protected:
  /// `more` is passed to the equations.
  template <class... More>
  DenseFormulation(RunFormulation kind, const Arm& given, DenseMethod method, More&&... more)
      : Formulation(word(kind), given), equations_(arm(), std::forward<More>(more)...), solver_(arm().nv(), method) {}

  Equations equations_;

 private:
  void evaluate(const State& state) {
    LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
    LITHE_DEMAND_EQUAL(state.v.size(), arm().nv());
    equations_.evaluate(state.q, state.v, state.t);
  }

  DenseSolver solver_;
};

}  // namespace lithe
