#include "lithe/analyse/aeroelastic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "lithe/aero/linearised_lattice.h"
#include "lithe/analyse/eigenmodes.h"
#include "lithe/drive/lifting_surfaces.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;

/// Forces of the air between oscillating modes, at any speed from one lattice.
class HarmonicAir {
 public:
  HarmonicAir(const aero::LinearisedLattice& lattice, MatrixXd modes, double speed)
      : lattice_(lattice), modes_(std::move(modes)), speed_(speed) {}

  /// Q at frequency ω in a wind V, scaled by ρV² and ω/V.
  MatrixXcd at(double omega, double speed) const {
    const double ratio = speed / speed_;
    return ratio * ratio * lattice_.harmonic_forces(omega / ratio, modes_);
  }

 private:
  const aero::LinearisedLattice& lattice_;
  MatrixXd modes_;
  double speed_;
};

/// Modes of unit mass in still air: s² + s D + Λ = 0.
struct ModalArm {
  VectorXd lambda;
  MatrixXd D, shapes;  // shapes: of the coordinates that can move
};

/// (1) of the header.
class PkMethod {
 public:
  PkMethod(const ModalArm& arm, const HarmonicAir& air) : arm_(arm), air_(air) {}

  /// The root near s at that speed.
  Complex root(Complex s, double speed) const {
    const double smallest = 1e-3 * std::sqrt(std::abs(arm_.lambda[0]) + 1e-12);
    for (int iteration = 0; iteration < 60; ++iteration) {
      const double omega = std::max(std::abs(s.imag()), smallest);
      const Complex next = nearest(s, omega, speed);
      const double change = std::abs(next - s);
      // Half a step if the fixed-point iteration oscillates.
      s = iteration < 20 ? next : (s + next) / 2.0;
      if (change <= 1e-10 * std::abs(s)) break;
    }
    return s;
  }

 private:
  Complex nearest(Complex s, double omega, double speed) const {
    const Eigen::Index n = arm_.lambda.size();
    const MatrixXcd Q = air_.at(omega, speed);
    MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
    A.topRightCorner(n, n).setIdentity();
    A.bottomLeftCorner(n, n) = Q.real();
    A.bottomLeftCorner(n, n).diagonal() -= arm_.lambda;
    A.bottomRightCorner(n, n) = Q.imag() / omega - arm_.D;
    const Eigen::VectorXcd roots = complex_eigenvalues(A);
    Complex best = roots[0];
    for (const Complex& root : roots)
      if (root.imag() >= 0 && (std::abs(root - s) < std::abs(best - s) || best.imag() < 0)) best = root;
    return best;
  }

  const ModalArm& arm_;
  const HarmonicAir& air_;
};

double frequency(const Complex& s) { return std::abs(s.imag()) / (2 * std::numbers::pi); }
double damping(const Complex& s) { return -s.real() / std::abs(s); }

/// The largest positive eigenvalue of K⁻¹Q from `least` on, and its vector: K x = (V/V₀)² Q x.
std::optional<std::pair<double, VectorXd>> softest(const MatrixXd& K, const MatrixXd& Q, double least) {
  const ComplexModes modes = complex_modes(solve_symmetric(K, Q));
  // If the air does nothing at all, rounding leaves small values.
  least = std::max(least, 1e-12 * modes.values.cwiseAbs().maxCoeff());
  int best = -1;
  for (int k = 0; k < K.rows(); ++k) {
    const Complex mu = modes.values[k];
    if (mu.real() < least || std::abs(mu.imag()) > 1e-8 * std::abs(mu)) continue;
    if (best < 0 || mu.real() > modes.values[best].real()) best = k;
  }
  if (best < 0) return {};
  return std::pair{modes.values[best].real(), VectorXd(modes.vectors.col(best).real())};
}

/// Something must be able to move, and springs must hold it; otherwise there is no speed at which the air overcomes them.
void check_held(const Arm& arm, const SmallSystem& system) {
  if (system.moving.empty())
    throw FieldError("arm.links", "nothing can diverge or flutter: no link bends, and the joints are locked");
  for (size_t k = 0; k < system.moving.size(); ++k)
    if (system.K.coeff(int(k), int(k)) == 0)
      throw FieldError("arm.links", fmt::format("nothing holds '{}' against the wind: it has no stiffness",
                                                arm.coordinates()[size_t(system.moving[k])]));
}

}  // namespace

AeroelasticResult aeroelastic_stability(const Case& data, const Arm& arm, const State& state,
                                        const AeroelasticOptions& options) {
  const WindSpec& wind = data.wind.value();
  const LiftingSurfaces surfaces(data, arm, state);
  const Kinematics kin = kinematics_of(arm, state);
  aero::Points corners;
  surfaces.place(state, kin, corners);
  surfaces.check_wind(corners, aero::Points::Zero(3, corners.cols()), wind.direction.normalized());
  const double dt = surfaces.shortest_panel() / wind.speed;
  std::optional<aero::LinearisedLattice> lattice;
  try {
    lattice.emplace(surfaces.lattice(), corners, aero::Wind{wind.speed * wind.direction.normalized(), wind.density, {}},
                    dt, lattice_options(wind, surfaces, dt));
  } catch (const aero::LatticeError& error) {
    throw FieldError(
        "wind.direction",
        fmt::format("stability is computed for surfaces along the wind, without its incidence: {}", error.what()));
  }

  const SmallSystem system = small_system(arm, state, options.modes);
  check_held(arm, system);
  const MatrixXd all_shapes = surfaces.shapes(state, kin);
  const MatrixXd shapes = all_shapes(Eigen::all, system.moving);
  AeroelasticResult result;
  const double slowness = wind.speed / speed_of_sound;
  if (const auto found = softest(MatrixXd(system.K), lattice->steady_stiffness(shapes), slowness * slowness)) {
    result.divergence_speed = wind.speed / std::sqrt(found->first);
    result.divergence_shape = VectorXd::Zero(arm.nv());
    Eigen::Index largest = 0;
    found->second.cwiseAbs().maxCoeff(&largest);
    result.divergence_shape(system.moving) = found->second / found->second[largest];
  }

  const ModesResult modes = natural_modes_of(arm, state, options.modes);
  const Eigen::Index n = Eigen::Index(modes.modes.size());
  ModalArm modal{VectorXd(n), {}, MatrixXd(Eigen::Index(system.moving.size()), n)};
  for (Eigen::Index k = 0; k < n; ++k) {
    const Mode& mode = modes.modes[size_t(k)];
    const double omega = 2 * std::numbers::pi * mode.frequency_hz;
    modal.lambda[k] = mode.growth_rate > 0 ? -mode.growth_rate * mode.growth_rate : omega * omega;
    modal.shapes.col(k) = mode.shape(system.moving);
  }
  modal.D = modal.shapes.transpose() * system.D * modal.shapes;
  const HarmonicAir air(*lattice, shapes * modal.shapes, wind.speed);
  const PkMethod pk(modal, air);

  for (int k = 0; k < options.n_speeds; ++k)
    result.speeds.push_back(options.slowest +
                            (options.fastest - options.slowest) * k / std::max(1, options.n_speeds - 1));
  for (Eigen::Index mode = 0; mode < n; ++mode) {
    FlutterBranch branch{modes.modes[size_t(mode)].description, {}, {}};
    Complex s(-modal.D(mode, mode) / 2, std::sqrt(std::max(0.0, modal.lambda[mode])));
    for (size_t k = 0; k < result.speeds.size(); ++k) {
      const Complex before = s;
      s = pk.root(s, result.speeds[k]);
      branch.frequency_hz.push_back(frequency(s));
      branch.damping.push_back(damping(s));
      const bool crosses = k > 0 && before.real() <= 0 && s.real() > 0 && s.imag() > 0;
      if (!crosses || (result.flutter && result.flutter->speed <= result.speeds[k - 1])) continue;
      double low = result.speeds[k - 1], high = result.speeds[k];
      Complex from = before;
      while (high - low > 1e-9 * high) {
        const double middle = (low + high) / 2;
        const Complex at = pk.root(from, middle);
        (at.real() > 0 ? high : low) = middle;
        from = at;
      }
      if (!result.flutter || high < result.flutter->speed)
        result.flutter = AeroelasticResult::Flutter{high, frequency(from), branch.description};
    }
    result.branches.push_back(std::move(branch));
  }
  return result;
}

}  // namespace lithe
