// The laws of Drives at a state: what they need, ask for and remember, and the slopes of that.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lithe/describe/spelling.h"
#include "lithe/drive/drives.h"

namespace lithe {
namespace {

constexpr double difference_step = 1e-6;

}  // namespace

LawReading Drives::reading(const PlacedLaw& placed, const State& state) const {
  return {state, inside_, placed.law->needs().sagged_weight ? sagged_weight_ : weight_};
}

const double* Drives::states_of(const PlacedLaw& placed) const {
  return (placed.sampled() ? memory_.data() : law_states_.data()) + placed.states;
}

void Drives::find_what_laws_need(const State& state, Formulation& model) {
  if (any_weight_) model.bias(state, Terms::gravity, weight_);
  if (sag_) {
    moved_ = state;
    command_state(moved_);
    moved_.v.setZero();
    if (!sag_->weight(moved_, model, sagged_weight_))
      throw SingularError("`gravity_of: command`: the weight cannot be computed because the arm sags too much");
  }
  if (!any_computed_) return;
  wanted_.setZero();
  given_accelerations(state.t, wanted_);
  for (PlacedLaw& placed : laws_) {
    if (!placed.law->gives_accelerations()) continue;
    placed.law->outputs(reading(placed, state), states_of(placed), placed.asked.data());
    for (int i = 0; i < placed.n_outputs(); ++i) wanted_[placed.outputs[size_t(i)].v0] = placed.asked[i];
  }
  if (!arm_.bends()) {
    model.inverse(state, wanted_, computed_);
    return;
  }
  // Flexible coordinates and joints without a command are free.
  computed_.setZero();
  model.hybrid(state, commanded_, computed_, wanted_);
}

void Drives::ask(PlacedLaw& placed, const State& state) {
  if (placed.law->gives_accelerations()) {
    for (int i = 0; i < placed.n_outputs(); ++i) placed.asked[i] = computed_[placed.outputs[size_t(i)].v0];
  } else {
    placed.law->outputs(reading(placed, state), states_of(placed), placed.asked.data());
  }
}

void Drives::ask(const State& state, Formulation& model) {
  find_what_laws_need(state, model);
  for (PlacedLaw& placed : laws_) {
    if (placed.sampled()) {
      std::copy_n(memory_.data() + placed.held, placed.n_outputs(), placed.asked.data());
    } else {
      ask(placed, state);
    }
  }
}

void Drives::torques(const State& state, Formulation& model, Eigen::Ref<VectorXd> tau) {
  tau.setZero();
  ask(state, model);
  for (PlacedLaw& placed : laws_)
    for (int i = 0; i < placed.n_outputs(); ++i) {
      const int v0 = placed.outputs[size_t(i)].v0;
      const double applied = placed.actuator.apply(placed.asked[i], state.v[v0]);
      placed.excess[i] = applied - placed.asked[i];
      tau[v0] = applied;
    }
}

void Drives::law_state_rates(const State& state, double* rates) {
  for (const PlacedLaw& placed : laws_)
    if (!placed.sampled() && placed.law->n_states() > 0)
      placed.law->state_rates(reading(placed, state), states_of(placed), placed.excess.data(), rates + placed.states);
}

void Drives::unsaturated_torques(const State& state, Formulation& model, Eigen::Ref<VectorXd> tau) {
  tau.setZero();
  find_what_laws_need(state, model);
  for (PlacedLaw& placed : laws_) {
    ask(placed, state);
    for (int i = 0; i < placed.n_outputs(); ++i) tau[placed.outputs[size_t(i)].v0] = placed.asked[i];
  }
}

void Drives::sample(const State& state, Formulation& model, bool only_new) {
  find_what_laws_need(state, model);
  for (PlacedLaw& placed : laws_) {
    if (!placed.sample_time || (only_new && placed.begins != state.t)) continue;
    // A stop may represent this sample and another time that differs from it by rounding.
    const double since = state.t - placed.begins, k = std::round(since / *placed.sample_time);
    if (!(std::abs(k * *placed.sample_time - since) < 1e-9 * *placed.sample_time)) continue;
    ask(placed, state);
    std::copy_n(placed.asked.data(), placed.n_outputs(), memory_.data() + placed.held);
    if (placed.law->n_states() == 0) continue;
    for (int i = 0; i < placed.n_outputs(); ++i)
      placed.excess[i] =
          placed.actuator.apply(placed.asked[i], state.v[placed.outputs[size_t(i)].v0]) - placed.asked[i];
    placed.law->advance(reading(placed, state), *placed.sample_time, placed.excess.data(),
                        memory_.data() + placed.states, placed.x_rate.data());
  }
}

/// The slopes that the law provides, or central differences by all that it reads.
void Drives::raw_slopes(PlacedLaw& placed, const State& state, const double* x) {
  LawSlopes& slopes = placed.slopes;
  slopes.set_zero();
  if (placed.law->slopes(reading(placed, state), x, slopes)) return;
  const Eigen::Index n = placed.n_outputs(), n_states = placed.law->n_states();
  moved_ = state;
  std::copy_n(x, n_states, placed.x.data());
  auto evaluate = [&](VectorXd& at) {
    placed.law->outputs(reading(placed, moved_), placed.x.data(), at.data());
    placed.law->state_rates(reading(placed, moved_), placed.x.data(), placed.excess.data(), at.data() + n);
  };
  auto difference = [&](double& number, auto outputs, auto rates) {
    const double before = number, step = difference_step * (1 + std::abs(before));
    number = before + step;
    evaluate(placed.plus);
    number = before - step;
    evaluate(placed.minus);
    number = before;
    outputs = (placed.plus.head(n) - placed.minus.head(n)) / (2 * step);
    rates = (placed.plus.tail(n_states) - placed.minus.tail(n_states)) / (2 * step);
  };
  for (size_t k = 0; k < placed.reads.size(); ++k) {
    const Coordinate read = placed.reads[k];
    const auto c = Eigen::Index(k);
    if (read.q0 >= 0) difference(moved_.q[read.q0], slopes.by_position.col(c), slopes.state_by_position.col(c));
    difference(moved_.v[read.v0], slopes.by_rate.col(c), slopes.state_by_rate.col(c));
  }
  for (Eigen::Index k = 0; k < n_states; ++k)
    difference(placed.x[k], slopes.by_state.col(k), slopes.state_by_state.col(k));
  for (Eigen::Index i = 0; i < n && n_states > 0; ++i) {
    const double before = placed.excess[i], step = difference_step * (1 + std::abs(before));
    placed.excess[i] = before + step;
    evaluate(placed.plus);
    placed.excess[i] = before - step;
    evaluate(placed.minus);
    placed.excess[i] = before;
    slopes.state_by_excess.col(i) = (placed.plus.tail(n_states) - placed.minus.tail(n_states)) / (2 * step);
  }
}

void Drives::ideal_slopes(PlacedLaw& placed, const State& state) {
  placed.share.setOnes();
  placed.own_by_rate.setZero();
  placed.excess.setZero();
  raw_slopes(placed, state,
             placed.sampled() ? initial_memory_.data() + placed.states : initial_law_states_.data() + placed.states);
}

bool Drives::update_slopes(PlacedLaw& placed, const State& state) {
  if (placed.sampled() && !placed.actuator.envelope) return false;
  placed.share.setOnes();
  placed.own_by_rate.setZero();
  if (placed.actuator.limits())
    for (int i = 0; i < placed.n_outputs(); ++i) {
      const double v = state.v[placed.outputs[size_t(i)].v0];
      const Actuator::Slopes limit = placed.actuator.slopes(placed.asked[i], v);
      placed.share[i] = limit.by_torque;
      placed.own_by_rate[i] = limit.by_rate;
      placed.excess[i] = placed.actuator.apply(placed.asked[i], v) - placed.asked[i];
    }
  LawSlopes& slopes = placed.slopes;
  if (placed.sampled()) {
    // A held torque does not depend on the state, but the envelope that limits it depends on the rate.
    placed.share.setZero();
    slopes.set_zero();
    return !placed.own_by_rate.isZero(0);
  }
  raw_slopes(placed, state, states_of(placed));
  for (int i = 0; i < placed.n_outputs(); ++i) {
    if (placed.share[i] == 1) continue;
    // ẋ depends on what the limit cuts off, which changes with what was asked for and with the rate.
    const double less = placed.share[i] - 1;
    if (!placed.law->gives_accelerations()) {
      auto follow = [&](MatrixXd& rates, const MatrixXd& outputs) {
        for (Eigen::Index c = 0; c < outputs.cols(); ++c)
          rates.col(c) += (less * outputs(i, c)) * slopes.state_by_excess.col(i);
      };
      follow(slopes.state_by_position, slopes.by_position);
      follow(slopes.state_by_rate, slopes.by_rate);
      follow(slopes.state_by_state, slopes.by_state);
    }
    const int own = placed.outputs[size_t(i)].v0;
    for (size_t k = 0; k < placed.reads.size(); ++k)
      if (placed.reads[k].v0 == own) {
        slopes.state_by_rate.col(Eigen::Index(k)) += placed.own_by_rate[i] * slopes.state_by_excess.col(i);
        break;
      }
    slopes.by_position.row(i) *= placed.share[i];
    slopes.by_rate.row(i) *= placed.share[i];
    slopes.by_state.row(i) *= placed.share[i];
    slopes.by_weight[i] *= placed.share[i];
  }
  return true;
}

bool Drives::computed_torque_is_partial() const {
  return any_computed_ && !arm_.bends() && std::find(commanded_.begin(), commanded_.end(), false) != commanded_.end();
}

bool Drives::set_input(const std::string& joint, double value) {
  for (PlacedLaw& placed : laws_) {
    const auto before = placed.law->input();
    if (placed.joint == joint && placed.law->set_input(value)) return before != value;
  }
  std::vector<std::string> known;
  for (const PlacedLaw& placed : laws_)
    if (placed.law->input()) known.push_back(placed.joint);
  throw std::invalid_argument(fmt::format("joint '{}' has no input{} Joints with one: {}", joint,
                                          guess_in_sentence(joint, known), known.empty() ? "none" : comma_list(known)));
}

std::vector<double> Drives::inputs() const {
  std::vector<double> values;
  for (const PlacedLaw& placed : laws_)
    if (const auto value = placed.law->input()) values.push_back(*value);
  return values;
}

void Drives::restore_inputs(std::span<const double> values) {
  size_t k = 0;
  for (PlacedLaw& placed : laws_)
    if (placed.law->input()) placed.law->set_input(values[k++]);
}

std::vector<std::pair<std::string, double>> Drives::command_errors(const State& state) const {
  std::vector<std::pair<std::string, double>> errors;
  for (const PlacedLaw& placed : laws_)
    if (const auto want = placed.law->command(state.t, inside_))
      errors.emplace_back(placed.joint, want->value - state.q[placed.outputs.front().q0]);
  return errors;
}

}  // namespace lithe
