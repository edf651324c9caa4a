#include "lithe/dynamics/composed/part.h"

#include <fmt/format.h>

namespace lithe::composed {

NamedPart::NamedPart(std::string_view formulation, const Arm& arm)
    : formulation_(make_formulation(formulation, arm)),
      screws_(formulation_->arm()),
      state_(lithe::State::zero(arm)),
      M_(MatrixXd::Zero(arm.nv(), arm.nv())),
      h_(VectorXd::Zero(arm.nv())) {}

void NamedPart::evaluate_mass(const State& q, Instant t) {
  state_.t = t;
  state_.q = q;
  screws_.update(q, t);
  formulation_->mass_matrix(state_, M_);
}

void NamedPart::evaluate(const State& q, const State& v, Instant t, Terms terms) {
  state_.v = v;
  evaluate_mass(q, t);
  formulation_->bias(state_, terms, h_);
}

void NamedPart::evaluate_coriolis(const State&, const State&, Instant) {
  throw UnsupportedError(
      "arm", fmt::format("formulation '{}' does not provide the matrix C; lagrange does", formulation_->name()));
}

Eigen::Ref<const MatrixXd> NamedPart::C() const { throw std::logic_error("C has not been evaluated"); }

}  // namespace lithe::composed
