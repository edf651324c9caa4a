#include "lithe/beam/damping.h"

#include "lithe/beam/natural_modes.h"

namespace lithe {

std::optional<double> damping_ratio(const StructuralDamping& damping) {
  if (const auto* given = std::get_if<DampingRatio>(&damping)) return given->ratio;
  if (const auto* given = std::get_if<LossFactor>(&damping)) return given->loss_factor / 2;
  return {};
}

void set_damping(FlexBasis& basis, const StructuralDamping& damping) {
  if (basis.size() == 0) return;
  if (const auto* rayleigh = std::get_if<RayleighDamping>(&damping)) {
    basis.D = rayleigh->alpha * basis.M + rayleigh->beta * basis.K;
    return;
  }
  const double ratio = *damping_ratio(damping);
  if (basis.size() > most_modally_damped) {
    const NaturalModes modes = natural_modes(basis.K, basis.M, 10);
    const double first = modes.omega[0], tenth = modes.omega[9];
    basis.D = 2 * ratio / (first + tenth) * (first * tenth * basis.M + basis.K);
    return;
  }
  // With φᵀKφ = 1 instead, Mφ = Kφ/ω² and D = Σ (2ζ/ω) (Kφ)(Kφ)ᵀ, which holds for modes without mass too (ω = ∞: nothing).
  const NaturalModes modes = natural_modes(basis.K, basis.M, basis.size());
  const MatrixXd forces = basis.K * modes.shapes;
  const MatrixXd D = forces * (2 * ratio * modes.omega.cwiseInverse()).asDiagonal() * forces.transpose();
  basis.D = D.sparseView(0.0, 0.0);
}

}  // namespace lithe
