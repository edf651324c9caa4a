#include "lithe/analyse/linearise.h"

#include <algorithm>
#include <cmath>

#include "lithe/analyse/eigenmodes.h"
#include "lithe/arm/small_motion.h"
#include "lithe/dynamics/derivatives/forward_derivatives.h"
#include "lithe/dynamics/resting_arm.h"
#include "lithe/spatial/demand.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe {
namespace {

/// Names, inputs and outputs, which do not depend on how A is found. B is set where M⁻¹ is known.
LinearModel frame_of(const Arm& arm, const State& state, const LineariseOptions& options, MatrixXd& forces) {
  const int nv = arm.nv();
  LinearModel model;
  model.about = state;
  for (const std::string& name : arm.coordinates()) model.states.push_back(name);
  for (const std::string& name : arm.coordinates()) model.states.push_back(name + ".rate");
  std::vector<int> inputs = options.inputs;
  if (inputs.empty())
    for (const TorqueInput& input : arm.torque_inputs()) inputs.push_back(input.v);
  forces = MatrixXd::Zero(nv, Eigen::Index(inputs.size()));
  for (size_t k = 0; k < inputs.size(); ++k) {
    forces(inputs[k], Eigen::Index(k)) = 1;
    model.inputs.push_back(arm.coordinates()[inputs[k]]);
  }
  std::vector<Eigen::RowVectorXd> rows;
  if (options.coordinates_only) {
    for (int k = 0; k < nv; ++k) {
      rows.push_back(Eigen::RowVectorXd::Unit(nv, k));
      model.outputs.push_back(arm.coordinates()[k]);
    }
  } else {
    const Matrix6Xd J = tip_jacobian(arm, kinematics_of(arm, state), options.i_tip);
    const char* const names[] = {"tip.rx", "tip.ry", "tip.rz", "tip.x", "tip.y", "tip.z"};
    for (const int k : {3, 4, 5, 0, 1, 2}) {
      rows.push_back(J.row(k));
      model.outputs.push_back(names[k]);
    }
    for (const Link& link : arm.links()) {
      if (link.role == LinkRole::base || link.role == LinkRole::segment) continue;
      for (int k = 0; k < link.nv(); ++k) {
        rows.push_back(Eigen::RowVectorXd::Unit(nv, link.v0 + k));
        model.outputs.push_back(arm.coordinates()[link.v0 + k]);
      }
    }
  }
  model.C = MatrixXd::Zero(Eigen::Index(rows.size()), 2 * nv);
  for (size_t k = 0; k < rows.size(); ++k) model.C.row(Eigen::Index(k)).head(nv) = rows[k];
  model.D = MatrixXd::Zero(model.C.rows(), forces.cols());
  return model;
}

bool by_size(const std::complex<double>& a, const std::complex<double>& b) {
  // Conjugates stay together, the upper one first.
  const double difference = std::abs(a) - std::abs(b), size = std::abs(a) + std::abs(b);
  if (std::abs(difference) > 1e-12 * size) return difference < 0;
  if (std::abs(a.real() - b.real()) > 1e-9 * size) return a.real() < b.real();
  return a.imag() > b.imag();
}

/// Poles of M z̈ + D ż + K z = 0 in natural modes, where M and K are diagonal: low poles do not lose digits to high ones. A mode that
/// damping couples to no other has those of x² + d x + λ, so that rigid motions have their zeros exactly.
Eigen::VectorXcd modal_poles(const SparseMatrixd& M, const MatrixXd& D, const SparseMatrixd& K) {
  const Eigenmodes modes = lowest_modes(K, M, int(M.rows()));
  const MatrixXd damping = modes.shapes.transpose() * D * modes.shapes;
  std::vector<int> coupled;
  std::vector<std::complex<double>> poles;
  for (int k = 0; k < modes.lambda.size(); ++k) {
    const double d = damping(k, k), others = damping.row(k).cwiseAbs().sum() - std::abs(d);
    if (others > 1e-14 * damping.cwiseAbs().maxCoeff()) {
      coupled.push_back(k);
      continue;
    }
    const std::complex<double> swing = std::sqrt(std::complex<double>(d * d / 4 - modes.lambda[k]));
    poles.push_back(-d / 2 + swing);
    poles.push_back(-d / 2 - swing);
  }
  const int n = int(coupled.size());
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n).diagonal() = -modes.lambda(coupled);
  A.bottomRightCorner(n, n) = -damping(coupled, coupled);
  if (n > 0)
    for (const std::complex<double>& pole : balanced_eigenvalues(A)) poles.push_back(pole);
  std::sort(poles.begin(), poles.end(), by_size);
  return Eigen::Map<Eigen::VectorXcd>(poles.data(), Eigen::Index(poles.size()));
}

MatrixXd dense(const SparseMatrixd& matrix) { return MatrixXd(matrix); }

/// Slopes of the control laws, unsaturated and unsampled: of their torques by positions, rates and states of their own, and of the
/// rates of these.
struct LoopSlopes {
  MatrixXd by_position, by_rate, by_state;
  MatrixXd state_by_position, state_by_rate, state_by_state;
  std::vector<std::string> states;
};

/// Computed torque gives what inverse dynamics asks for at accelerations w = … − kp Δq − kd Δv of the joints commanded; those of
/// others follow where links bend (M_ff Δv̇_f = −ΔID_f), and are taken as zero where none does (Drives).
void add_computed_torque(const Arm& arm, const State& state, Drives& drives, Formulation& formulation,
                         LoopSlopes& slopes) {
  InverseDerivatives counted_on(arm);
  counted_on.update(state, drives.computed_accelerations());
  const MatrixXd& M = counted_on.mass_matrix();
  MatrixXd by_position = counted_on.by_position(), by_rate = counted_on.by_rate();
  MatrixXd by_state = MatrixXd::Zero(arm.nv(), slopes.by_state.cols());
  std::vector<int> outputs;
  int first = 0;
  drives.for_each_ideal_law(state, formulation, [&](const PlacedLaw& placed) {
    const int n_states = placed.law->n_states(), begin = first;
    first += n_states;
    if (!placed.law->gives_accelerations()) return;
    for (int i = 0; i < placed.n_outputs(); ++i) {
      const int v0 = placed.outputs[size_t(i)].v0;
      outputs.push_back(v0);
      for (size_t k = 0; k < placed.reads.size(); ++k) {
        by_position.col(placed.reads[k].v0) += placed.slopes.by_position(i, Eigen::Index(k)) * M.col(v0);
        by_rate.col(placed.reads[k].v0) += placed.slopes.by_rate(i, Eigen::Index(k)) * M.col(v0);
      }
      for (int k = 0; k < n_states; ++k) by_state.col(begin + k) += placed.slopes.by_state(i, k) * M.col(v0);
    }
  });
  if (arm.bends()) {
    std::vector<int> left;
    for (int k = 0; k < arm.nv(); ++k)
      if (!drives.commanded()[size_t(k)]) left.push_back(k);
    const MatrixXd inertia = M(left, left);
    for (MatrixXd* matrix : {&by_position, &by_rate, &by_state}) {
      const MatrixXd follow = solve_symmetric(inertia, (*matrix)(left, Eigen::all));
      *matrix -= M(Eigen::all, left) * follow;
    }
  }
  for (const int v0 : outputs) {
    slopes.by_position.row(v0) += by_position.row(v0);
    slopes.by_rate.row(v0) += by_rate.row(v0);
    slopes.by_state.row(v0) += by_state.row(v0);
  }
}

int n_law_states(const Drives& drives) {
  int n = 0;
  for (const PlacedLaw& placed : drives.laws()) n += placed.law->n_states();
  return n;
}
bool any_computed_torque(const Drives& drives) {
  return std::any_of(drives.laws().begin(), drives.laws().end(),
                     [](const PlacedLaw& placed) { return placed.law->gives_accelerations(); });
}

LoopSlopes loop_slopes(const Arm& arm, const State& state, Drives& drives, Formulation& formulation) {
  const int nv = arm.nv(), n = n_law_states(drives);
  LoopSlopes slopes{MatrixXd::Zero(nv, nv),
                    MatrixXd::Zero(nv, nv),
                    MatrixXd::Zero(nv, n),
                    MatrixXd::Zero(n, nv),
                    MatrixXd::Zero(n, nv),
                    MatrixXd::Zero(n, n),
                    {}};
  Triplets weight;
  small_motion(arm, state).add_weight_stiffness(arm.gravity(), weight);
  drives.for_each_ideal_law(state, formulation, [&](const PlacedLaw& placed) {
    const LawSlopes& own = placed.slopes;
    const auto begin = Eigen::Index(slopes.states.size()), count = Eigen::Index(placed.law->n_states());
    for (int k = 0; k < placed.law->n_states(); ++k)
      slopes.states.push_back(placed.joint + "." + placed.law->state_name(k));
    for (size_t k = 0; k < placed.reads.size(); ++k) {
      const int of = placed.reads[k].v0;
      slopes.state_by_position.col(of).segment(begin, count) += own.state_by_position.col(Eigen::Index(k));
      slopes.state_by_rate.col(of).segment(begin, count) += own.state_by_rate.col(Eigen::Index(k));
    }
    slopes.state_by_state.block(begin, begin, count, count) = own.state_by_state;
    if (placed.law->gives_accelerations()) return;
    for (int i = 0; i < placed.n_outputs(); ++i) {
      const int v0 = placed.outputs[size_t(i)].v0;
      for (size_t k = 0; k < placed.reads.size(); ++k) {
        slopes.by_position(v0, placed.reads[k].v0) += own.by_position(i, Eigen::Index(k));
        slopes.by_rate(v0, placed.reads[k].v0) += own.by_rate(i, Eigen::Index(k));
      }
      slopes.by_state.row(v0).segment(begin, count) += own.by_state.row(i);
      if (own.by_weight[i] == 0) continue;
      for (const auto& entry : weight)
        if (entry.row() == placed.weight_v0[size_t(i)])
          slopes.by_position(v0, entry.col()) += own.by_weight[i] * entry.value();
    }
  });
  if (any_computed_torque(drives)) {
    VectorXd torques(nv);
    drives.unsaturated_torques(state, formulation, torques);
    add_computed_torque(arm, state, drives, formulation, slopes);
  }
  return slopes;
}

LinearModel linearise_moving(const Arm& arm, const State& state, Drives& drives, const LineariseOptions& options) {
  const int nv = arm.nv();
  const auto formulation = make_formulation(RunFormulation::articulated, arm);
  const OuterForces loads = drives.all_at_rest();
  MatrixXd forces;
  LinearModel model = frame_of(arm, state, options, forces);

  // The torques at the state: such that no joint accelerates while the links move freely.
  std::vector<bool> driven(nv, false);
  for (const TorqueInput& input : arm.torque_inputs()) driven[input.v] = true;
  VectorXd tau = VectorXd::Zero(nv), vdot = VectorXd::Zero(nv);
  if (loads.add) loads.add(small_motion(arm, state), tau);  // forces by the state as it moves
  const VectorXd load = tau;
  formulation->hybrid(state, driven, tau, vdot);
  model.torque = tau - load;

  ForwardDerivatives slopes(arm);
  slopes.update_at(state, vdot, drives.loads().list_in_full());
  model.A = MatrixXd::Zero(2 * nv, 2 * nv);
  model.A.topRightCorner(nv, nv).setIdentity();
  model.A.bottomLeftCorner(nv, nv) = slopes.by_position();
  model.A.bottomRightCorner(nv, nv) = slopes.by_rate();
  if (drives.any_forces()) {
    Triplets by_position, by_rate;
    drives.difference_forces(state, by_position, by_rate);
    model.A.bottomLeftCorner(nv, nv) += slopes.by_torque() * dense(assembled(nv, by_position));
    model.A.bottomRightCorner(nv, nv) += slopes.by_torque() * dense(assembled(nv, by_rate));
  }
  // With feedback, the laws change the torques with the deviation.
  LoopSlopes loop;
  if (options.closed_loop) {
    loop = loop_slopes(arm, state, drives, *formulation);
    model.A.bottomLeftCorner(nv, nv) += slopes.by_torque() * loop.by_position;
    model.A.bottomRightCorner(nv, nv) += slopes.by_torque() * loop.by_rate;
  }
  // Deviations of a moving free base or ball are measured in axes that move: ξ̇ = Δv − ω×ξ, and a turn shifts what v means.
  for (const Link& link : arm.links()) {
    if (link.joint->rates_are_coordinates()) continue;
    const Vector3d omega = state.v.segment<3>(link.v0);
    model.A.block<3, 3>(link.v0, link.v0) = -skew(omega);
    if (link.joint->group() != Joint::Group::motion) continue;
    const Vector3d v = state.v.segment<3>(link.v0 + 3);
    model.A.block<3, 3>(link.v0 + 3, link.v0 + 3) = -skew(omega);
    model.A.block<3, 3>(link.v0 + 3, link.v0) = -skew(v);
  }
  model.B = MatrixXd::Zero(2 * nv, forces.cols());
  model.B.bottomRows(nv) = slopes.by_torque() * forces;
  if (!loop.states.empty()) {
    // States of the laws come after those of the arm.
    const auto n = Eigen::Index(loop.states.size());
    model.A.conservativeResizeLike(MatrixXd::Zero(2 * nv + n, 2 * nv + n));
    model.A.block(nv, 2 * nv, nv, n) = slopes.by_torque() * loop.by_state;
    model.A.bottomRows(n) << loop.state_by_position, loop.state_by_rate, loop.state_by_state;
    model.B.conservativeResizeLike(MatrixXd::Zero(2 * nv + n, forces.cols()));
    model.C.conservativeResizeLike(MatrixXd::Zero(model.C.rows(), 2 * nv + n));
    model.states.insert(model.states.end(), loop.states.begin(), loop.states.end());
  }
  model.poles = balanced_eigenvalues(model.A);
  return model;
}

}  // namespace

LinearModel linearise(const Arm& arm, const State& state, Drives& drives, const LineariseOptions& options) {
  if (options.joints_locked) {
    LineariseOptions free = options;
    free.joints_locked = free.closed_loop = false;
    free.inputs.clear();
    return with_joints_locked(arm, linearise(arm, state, drives, free));
  }
  refuse_guides(arm, "linearise");
  refuse_constraints(arm, "linearise");
  refuse_inside_backlash(arm, state.q, "linearise");
  const bool beyond_springs = options.closed_loop && (any_computed_torque(drives) || n_law_states(drives) > 0);
  const bool moving = !state.v.isZero(0) || beyond_springs;
  if (arm.small_tips() && moving)
    throw UnsupportedError("arm.tip_rotation",
                           beyond_springs
                               ? "linearise of a closed loop with computed torque or laws with states needs 'finite'; "
                                 "with 'small' leave out --closed-loop, or give the joints `pd` or `servo`"
                               : "linearise about a moving state needs 'finite'; with 'small' leave out --v, and the "
                                 "arm is taken at rest");
  if (arm.small_tips() && !options.coordinates_only)
    throw UnsupportedError("arm.tip_rotation",
                           "linearise with the tip among its outputs needs 'finite': with 'small', the tip has no "
                           "angular velocity; --output coordinates has every coordinate instead");
  if (moving) return linearise_moving(arm, state, drives, options);

  const int nv = arm.nv();
  const RestingArm motion(arm, state);
  const Vector3d gravity = effective_gravity(arm);
  const OuterForces loads = drives.all_at_rest();
  Triplets weight, stiffness, damping;
  motion.add_weight_stiffness(gravity, weight);
  stiffness = weight;
  add_elastic_stiffness(arm, state, stiffness);
  if (loads.add_stiffness) loads.add_stiffness(motion.bodies("loads and forces"), stiffness);
  add_damping(arm, state, damping);
  if (loads.add_damping) loads.add_damping(motion.bodies("loads and forces"), damping);
  if (options.closed_loop) {
    const auto formulation =
        make_formulation(arm.small_tips() ? RunFormulation::recursive_lagrangian : RunFormulation::articulated, arm);
    drives.for_each_ideal_law(state, *formulation, [&](const PlacedLaw& placed) {
      for (int i = 0; i < placed.n_outputs(); ++i) {
        const int v0 = placed.outputs[size_t(i)].v0;
        for (size_t k = 0; k < placed.reads.size(); ++k) {
          stiffness.emplace_back(v0, placed.reads[k].v0, -placed.slopes.by_position(i, Eigen::Index(k)));
          damping.emplace_back(v0, placed.reads[k].v0, -placed.slopes.by_rate(i, Eigen::Index(k)));
        }
        if (placed.slopes.by_weight[i] == 0) continue;
        // The motor's torque follows the weight on its joint.
        for (const auto& entry : weight)
          if (entry.row() == placed.weight_v0[size_t(i)])
            stiffness.emplace_back(v0, entry.col(), -placed.slopes.by_weight[i] * entry.value());
      }
    });
  }
  const SparseMatrixd M = motion.mass_matrix(), K = assembled(nv, stiffness);
  const MatrixXd D = dense(assembled(nv, damping));

  MatrixXd forces;
  LinearModel model = frame_of(arm, state, options, forces);
  MatrixXd right(nv, 2 * nv + forces.cols());
  right << -dense(K), -D, forces;
  const MatrixXd solved = solve_symmetric(dense(M), right);
  model.A = MatrixXd::Zero(2 * nv, 2 * nv);
  model.A.topRightCorner(nv, nv).setIdentity();
  model.A.bottomRows(nv) = solved.leftCols(2 * nv);
  model.B = MatrixXd::Zero(2 * nv, forces.cols());
  model.B.bottomRows(nv) = solved.rightCols(forces.cols());
  // The forces that hold the arm there: weight and springs against loads.
  model.torque = VectorXd::Zero(nv);
  if (loads.add) loads.add(motion.bodies("loads and forces"), model.torque);
  model.torque = motion.weight(gravity) - model.torque;
  add_passive_forces(arm, state, true, false, model.torque);
  const double asymmetry = dense(SparseMatrixd(K - SparseMatrixd(K.transpose()))).norm();
  model.poles = asymmetry <= 1e-12 * K.norm() ? modal_poles(M, D, K) : balanced_eigenvalues(model.A);
  return model;
}

Eigen::VectorXcd balanced_eigenvalues(MatrixXd A) {
  // Osborne's iteration with powers of two, which cause no rounding: rows and columns of equal norm.
  const int n = int(A.rows());
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < n; ++i) {
      const double row = A.row(i).cwiseAbs().sum() - std::abs(A(i, i)),
                   column = A.col(i).cwiseAbs().sum() - std::abs(A(i, i));
      if (row == 0 || column == 0) continue;
      const double factor = std::exp2(std::round(std::log2(row / column) / 2));
      if (column * factor + row / factor >= 0.95 * (row + column)) continue;
      A.col(i) *= factor;
      A.row(i) /= factor;
      changed = true;
    }
  }
  Eigen::VectorXcd values = complex_eigenvalues(A);
  std::sort(values.begin(), values.end(), by_size);
  return values;
}

std::vector<std::complex<double>> frequency_response(const LinearModel& model, int input, int output,
                                                     const std::vector<double>& omega) {
  using Complex = std::complex<double>;
  const int n = int(model.A.rows());
  const auto [H, Q] = hessenberg_form(model.A);
  const VectorXd b = Q.transpose() * model.B.col(input), c = Q.transpose() * model.C.row(output).transpose();
  std::vector<Complex> response;
  Eigen::MatrixXcd G(n, n);
  Eigen::VectorXcd x(n);
  for (const double w : omega) {
    // (jω − H) x = b by Gaussian elimination with row exchanges; one entry below the diagonal per column.
    G = -H.cast<Complex>();
    G.diagonal().array() += Complex(0, w);
    x = b.cast<Complex>();
    for (int k = 0; k + 1 < n; ++k) {
      if (std::abs(G(k + 1, k)) > std::abs(G(k, k))) {
        G.row(k).tail(n - k).swap(G.row(k + 1).tail(n - k));
        std::swap(x[k], x[k + 1]);
      }
      if (G(k, k) == 0.0) continue;
      const Complex factor = G(k + 1, k) / G(k, k);
      G.row(k + 1).tail(n - k) -= factor * G.row(k).tail(n - k);
      x[k + 1] -= factor * x[k];
    }
    for (int k = n - 1; k >= 0; --k) {
      for (int j = k + 1; j < n; ++j) x[k] -= G(k, j) * x[j];
      x[k] /= G(k, k);
    }
    response.push_back(c.cast<Complex>().dot(x) + model.D(output, input));
  }
  return response;
}

}  // namespace lithe
