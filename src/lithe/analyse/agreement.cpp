#include "lithe/analyse/agreement.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "lithe/analyse/random_states.h"
#include "lithe/arm/kinematics.h"
#include "lithe/describe/field.h"
#include "lithe/dynamics/articulated/batch_forward.h"
#include "lithe/dynamics/work_count.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

using Formulations = std::vector<std::unique_ptr<Formulation>>;

/// The results of one formulation at a state, in units of unit inertia, and the scale of their parts.
struct Answer {
  MatrixXd M;
  VectorXd h, coriolis, gravity, vdot;
  double kinetic = 0, potential = 0;
  double force_scale = 0, coriolis_scale = 0, gravity_scale = 0, kinetic_scale = 0, potential_scale = 0;
};

/// Five-point Gauss–Legendre rule on [0, 1].
constexpr std::array<std::pair<double, double>, 5> gauss{{{0.046910077030668, 0.118463442528095},
                                                          {0.230765344947158, 0.239314335249683},
                                                          {0.5, 0.284444444444444},
                                                          {0.769234655052842, 0.239314335249683},
                                                          {0.953089922969332, 0.118463442528095}}};

/// Work of gravity and elastic forces from the zero position along `way`, the coordinates moving in proportion. Exact or not,
/// the rule is the same for every formulation.
void add_potential(Formulation& dynamics, const State& state, const VectorXd& way, Answer& answer) {
  VectorXd force(way.size());
  for (const auto& [at, weight] : gauss) {
    State there = State::zero(dynamics.arm());
    there.t = state.t;
    displace(dynamics.arm(), there.q, at * way);
    dynamics.bias(there, Terms::gravity | Terms::elastic, force);
    answer.potential += weight * force.dot(way);
    answer.potential_scale += weight * force.cwiseAbs().dot(way.cwiseAbs());
  }
}

/// The displacement of the coordinates from zero to a state; a free base and ball joints stay where they are.
VectorXd way_to(const Arm& arm, const State& state) {
  VectorXd way = VectorXd::Zero(arm.nv());
  for (const Link& link : arm.links()) {
    if (link.joint->rates_are_coordinates()) way.segment(link.v0, link.nv()) = state.q.segment(link.q0, link.nq());
    way.segment(link.flex_v0(), link.n_flex()) = state.q.segment(link.flex_q0(), link.n_flex());
  }
  return way;
}

Answer ask(Formulation& dynamics, const State& state, const VectorXd& tau, const VectorXd& size) {
  const int nv = dynamics.arm().nv();
  Answer answer{MatrixXd(nv, nv), VectorXd(nv), VectorXd(nv), VectorXd(nv), VectorXd(nv)};
  dynamics.forward(state, tau, answer.vdot);
  dynamics.mass_matrix(state, answer.M);
  dynamics.bias(state, Terms::all, answer.h);
  dynamics.bias(state, Terms::coriolis, answer.coriolis);
  dynamics.bias(state, Terms::gravity, answer.gravity);
  answer.kinetic = state.v.dot(answer.M * state.v) / 2;
  answer.kinetic_scale = state.v.cwiseAbs().dot(answer.M.cwiseAbs() * state.v.cwiseAbs()) / 2;
  add_potential(dynamics, state, way_to(dynamics.arm(), state), answer);
  // To units of unit inertia.
  answer.M = (size.cwiseInverse().asDiagonal() * answer.M * size.cwiseInverse().asDiagonal()).eval();
  for (VectorXd* force : {&answer.h, &answer.coriolis, &answer.gravity}) force->array() /= size.array();
  answer.vdot.array() *= size.array();
  answer.force_scale =
      (answer.M.cwiseAbs() * answer.vdot.cwiseAbs() + answer.h.cwiseAbs() + tau.cwiseQuotient(size).cwiseAbs())
          .maxCoeff();
  // Forces that vanish by symmetry still have rounding errors: they are compared with what rates and weight of this size may cause,
  //   |∫Jᵀg dm| ≤ |g| √m √M_kk   (Cauchy–Schwarz)     and     rate × momentum.
  answer.coriolis_scale = std::max(answer.coriolis.cwiseAbs().maxCoeff(),
                                   state.v.cwiseAbs().maxCoeff() * state.v.cwiseProduct(size).cwiseAbs().maxCoeff());
  answer.gravity_scale = dynamics.arm().gravity().norm() * std::sqrt(total_mass(dynamics.arm()));
  return answer;
}

/// Zero where both are zero.
double relative(double difference, double scale) { return difference == 0 ? 0 : std::abs(difference) / scale; }
double relative(const MatrixXd& difference, double scale) {
  return difference.allFinite() ? relative(difference.cwiseAbs().maxCoeff(), scale) : NAN;
}

std::array<double, compared_names.size()> differences(const Answer& a, const Answer& b) {
  const double force = std::max(a.force_scale, b.force_scale);
  return {relative(a.M * (a.vdot - b.vdot), force), relative(a.M - b.M, a.M.cwiseAbs().maxCoeff()),
          std::max({relative(a.h - b.h, force),
                    relative(a.coriolis - b.coriolis, std::max(a.coriolis_scale, b.coriolis_scale)),
                    relative(a.gravity - b.gravity, a.gravity_scale)}),
          relative(a.kinetic - b.kinetic, std::max(a.kinetic_scale, b.kinetic_scale)),
          relative(a.potential - b.potential, std::max(a.potential_scale, b.potential_scale))};
}

/// √ of the largest M_kk over all states: the unit of coordinate k.
VectorXd coordinate_sizes(Formulation& dynamics, const std::vector<State>& states) {
  const int nv = dynamics.arm().nv();
  VectorXd largest = VectorXd::Zero(nv);
  MatrixXd M(nv, nv);
  for (const State& state : states) {
    dynamics.mass_matrix(state, M);
    largest = largest.cwiseMax(M.diagonal());
  }
  for (double& entry : largest) entry = entry > 0 ? std::sqrt(entry) : 1;
  return largest;
}

/// Median over repetitions long enough for the clock.
template <class Work>
double median_microseconds(const Work& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int n_batches = 15;
  const std::chrono::duration<double> long_enough(200e-6);
  std::vector<double> times;
  for (int batch = 0; batch < n_batches; ++batch) {
    int n = 0;
    const auto start = Clock::now();
    std::chrono::duration<double> spent(0);
    while (spent < long_enough) {
      work();
      ++n;
      spent = Clock::now() - start;
    }
    times.push_back(1e6 * spent.count() / n);
  }
  std::nth_element(times.begin(), times.begin() + n_batches / 2, times.end());
  return times[n_batches / 2];
}

/// Evaluates by `articulated`, several at once, states that it has also evaluated one by one.
class BatchWitness {
 public:
  BatchWitness(const Arm& arm, const VectorXd& size)
      : batch_(arm),
        size_(size),
        q_(arm.nq(), handful),
        v_(arm.nv(), handful),
        tau_(arm.nv(), handful),
        vdot_(arm.nv(), handful),
        t_(handful) {}

  void add(int i_state, const State& state, const VectorXd& tau, const Answer& answer, Agreement::Batch& found) {
    const int column = int(expected_.size());
    q_.col(column) = state.q;
    v_.col(column) = state.v;
    tau_.col(column) = tau;
    t_[column] = state.t;
    expected_.push_back({i_state, answer});
    if (column + 1 == handful) compare(found);
  }
  void compare(Agreement::Batch& found) {
    const int n = int(expected_.size());
    batch_.forward(q_.leftCols(n), v_.leftCols(n), tau_.leftCols(n), vdot_.leftCols(n), t_.head(n));
    for (int i = 0; i < n; ++i) {
      const Answer& answer = expected_[i].answer;
      const VectorXd difference = vdot_.col(i).cwiseProduct(size_) - answer.vdot;
      const double worst = relative(answer.M * difference, answer.force_scale);
      if (is_worse(worst, found.acceleration.worst)) found.acceleration = {worst, expected_[i].i_state};
    }
    expected_.clear();
  }
  double microseconds_per_state(const State& state) {
    q_.colwise() = state.q;
    v_.colwise() = state.v;
    t_.setConstant(state.t);
    tau_.setZero();
    return median_microseconds([&] { batch_.forward(q_, v_, tau_, vdot_, t_); }) / handful;
  }

 private:
  static constexpr int handful = 64;
  struct Expected {
    int i_state;
    Answer answer;
  };
  BatchForward batch_;
  VectorXd size_;
  MatrixXd q_, v_, tau_, vdot_;
  VectorXd t_;
  std::vector<Expected> expected_;
};

void add_costs(Formulation& dynamics, const State& state, Agreement::Member& member) {
  const VectorXd tau = VectorXd::Zero(dynamics.arm().nv());
  VectorXd vdot(tau.size());
  member.microseconds = median_microseconds([&] { dynamics.forward(state, tau, vdot); });
  const auto counted = count_forward(dynamics.name(), dynamics.arm(), state, tau);
  if (counted) member.work = counted->work;
}

}  // namespace

bool is_worse(double difference, double than) { return !std::isnan(than) && !(difference <= than); }

int Agreement::n_covering() const {
  return int(std::count_if(members.begin(), members.end(), [](const Member& member) { return member.covers; }));
}

double Agreement::worst() const {
  double worst = 0;
  for (const Pair& pair : pairs)
    for (const Difference& difference : pair.differences)
      if (is_worse(difference.worst, worst)) worst = difference.worst;
  if (batch && is_worse(batch->acceleration.worst, worst)) worst = batch->acceleration.worst;
  return worst;
}

Agreement agreement_of(const Formulations& formulations, const AgreementOptions& options) {
  LITHE_DEMAND(options.states > 0);
  Agreement result;
  for (const auto& dynamics : formulations) result.members.push_back({std::string(dynamics->name()), true});
  const int n = int(formulations.size());
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b) result.pairs.push_back({a, b, {}});
  if (n == 0 || formulations[0]->arm().nv() == 0) return result;

  const Arm& arm = formulations[0]->arm();
  result.states = random_states(arm, options.states, options.seed);
  const VectorXd size = coordinate_sizes(*formulations[0], result.states);
  std::mt19937 engine(options.seed);
  std::uniform_real_distribution<double> acceleration(-10, 10);
  int i_regular = -1;
  std::vector<Answer> answers(n);
  std::optional<BatchWitness> at_once;
  if (formulations[0]->name() == word(RunFormulation::articulated)) {
    at_once.emplace(arm, size);
    result.batch.emplace();
  }
  for (int i = 0; i < options.states; ++i) {
    const VectorXd tau = size.cwiseAbs2().unaryExpr([&](double inertia) { return inertia * acceleration(engine); });
    bool regular = true;
    for (int f = 0; f < n; ++f) {
      try {
        answers[f] = ask(*formulations[f], result.states[i], tau, size);
      } catch (const SingularError&) {
        ++result.members[f].n_singular;
        regular = false;
      }
    }
    if (!regular) {
      ++result.n_singular;
      continue;
    }
    i_regular = i;
    if (at_once) at_once->add(i, result.states[i], tau, answers[0], *result.batch);
    for (Agreement::Pair& pair : result.pairs) {
      const auto found = differences(answers[pair.a], answers[pair.b]);
      for (size_t k = 0; k < found.size(); ++k)
        if (is_worse(found[k], pair.differences[k].worst)) pair.differences[k] = {found[k], i};
    }
  }
  if (at_once) at_once->compare(*result.batch);
  if (options.costs && i_regular >= 0) {
    for (int f = 0; f < n; ++f) add_costs(*formulations[f], result.states[i_regular], result.members[f]);
    if (at_once) result.batch->microseconds = at_once->microseconds_per_state(result.states[i_regular]);
  }
  return result;
}

std::vector<Agreement::Member> forward_work(const Arm& given, std::uint32_t seed) {
  const Arm arm = given.without_constraints();
  const State state = random_states(arm, 1, seed).front();
  std::vector<Agreement::Member> members;
  for (const std::string& name : formulation_names()) {
    Agreement::Member& member = members.emplace_back();
    member.name = name;
    try {
      make_formulation(name, arm);
      member.covers = true;
      if (const auto counted = count_forward(name, arm, state, VectorXd::Zero(arm.nv()))) member.work = counted->work;
    } catch (const FieldError& error) {
      member.path = error.path();
      member.reason = error.what();
    }
  }
  return members;
}

Agreement agreement(const Arm& arm, const AgreementOptions& options) {
  Formulations covering;
  std::vector<Agreement::Member> outside;
  for (const std::string& name : formulation_names()) {
    try {
      // Constraints act on top of any of them, and in the same way.
      covering.push_back(make_formulation(name, arm.without_constraints()));
    } catch (const FieldError& error) {
      outside.push_back({name, false, error.path(), error.what()});
    }
  }
  Agreement result = agreement_of(covering, options);
  result.members.insert(result.members.end(), outside.begin(), outside.end());
  return result;
}

}  // namespace lithe
