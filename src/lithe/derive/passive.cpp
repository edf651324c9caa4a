#include "lithe/derive/passive.h"

#include <fmt/format.h>

#include "lithe/arm/arm.h"
#include "lithe/derive/functions.h"

namespace lithe::derive {
namespace {

constexpr double stop_depth = 1e-3;  // over which the damping of a stop sets in (docs/model.md)

/// Viscous damping of a joint: its own, and its motor's times the gear ratio squared.
ex damping(const Link& link, const SymbolicLink& symbolic, Names& names) {
  return names.parameter("b", link.joint_name, "", symbolic.own_damping, "viscous damping") +
         symbolic.motor_ratio * symbolic.motor_ratio * symbolic.motor_damping;
}

void add_joint(const Link& link, const SymbolicLink& symbolic, Equations& e) {
  Names& names = e.names;
  const int k = e.number_of(link.v0);
  const std::string& joint = link.joint_name;
  const ex q = names.coordinate(k), rate = names.rate(k);
  e.D[k][k] += damping(link, symbolic, names);
  if (const auto& spring = link.forces[0].spring) {
    const ex stiffness = names.parameter("k", joint, "", spring->stiffness, "stiffness of the joint's spring");
    const ex rest = names.parameter("r", joint, "", spring->rest, "rest position of the joint's spring");
    e.K[k][k] += stiffness;
    e.f[k] -= stiffness * rest;
    e.potential += stiffness * GiNaC::pow(q - rest, 2) / 2;
  }
  if (const auto& friction = link.forces[0].friction) {
    const ex level = names.parameter("tf", joint, "", friction->forward, "Coulomb friction, forwards");
    const ex smooth =
        tanh(rate / names.parameter("vs", joint, "", friction->smoothing, "rate over which friction sets in"));
    if (friction->forward == friction->backward) {
      e.f[k] += level * smooth;
    } else {
      const ex back = names.parameter("tb", joint, "", friction->backward, "Coulomb friction, backwards");
      e.f[k] += level * positive_part(smooth) + back * negative_part(smooth);
    }
  }
  if (const auto& limits = link.forces[0].limits; limits && limits->stiffness > 0) {
    // Beyond a limit: a spring, and a damper that acts only on the way in.
    const ex stiffness = names.parameter("ks", joint, "", limits->stiffness, "stiffness of the stops");
    const ex above = positive_part(q - names.parameter("qu", joint, "", limits->upper, "upper limit"));
    const ex below = negative_part(q - names.parameter("ql", joint, "", limits->lower, "lower limit"));
    e.f[k] += stiffness * (above + below);
    e.potential += stiffness * (GiNaC::pow(above, 2) + GiNaC::pow(below, 2)) / 2;
    const ex damping = names.parameter("ds", joint, "", limits->damping, "damping of the stops");
    const ex depth = GiNaC::numeric(stop_depth);
    e.f[k] += damping * (positive_part(rate) * tanh(above / depth) - negative_part(rate) * tanh(below / depth));
  }
}

}  // namespace

void add_passive_terms(const Arm& arm, const SymbolicArm& symbolic, Equations& e) {
  Names& names = e.names;
  const ExMatrix zero(e.nv, std::vector<ex>(e.nv, 0));
  e.K = e.D = zero;
  e.f.assign(e.nv, 0);
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (link.nv() == 1) add_joint(link, symbolic.links[size_t(i)], e);
    const int own0 = link.n_flex() > 0 ? e.number_of(link.flex_v0()) : 0;  // they stay together in any order
    for (int l = 0; l < link.n_flex(); ++l)
      for (int k = 0; k <= l; ++k) {
        const std::string suffix = fmt::format("{}{}", k + 1, l + 1);
        const FlexBasis& flex = *link.flex;
        // Shapes are orthogonal up to rounding: relative to the diagonal these entries are zero.
        auto entry = [&](const SparseMatrixd& A, const char* letter, const char* meaning) {
          const double value = A.coeff(k, l), scale = std::sqrt(std::abs(A.coeff(k, k) * A.coeff(l, l)));
          return names.parameter(letter, link.name, suffix, std::abs(value) < 1e-13 * scale ? 0 : value, meaning, true);
        };
        const int row = own0 + k, column = own0 + l;
        e.K[row][column] = e.K[column][row] = entry(flex.K, "K", "modal stiffness");
        e.D[row][column] = e.D[column][row] = entry(flex.D, "D", "modal damping");
        e.potential += e.K[row][column] * names.coordinate(row) * names.coordinate(column) / (k == l ? 2 : 1);
      }
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    if (spring.gap > 0)
      throw UnsupportedError(fmt::format("arm.links[{}].joint.motor.backlash", joint.i_case),
                             "closed-form equations have no gap in which a torque vanishes; leave `backlash` out");
    const ex k = names.parameter("kt", joint.joint_name, "", spring.stiffness, "stiffness of the transmission");
    const ex c = names.parameter("dt", joint.joint_name, "", spring.damping, "damping of the transmission");
    const ex h = names.parameter("kh", joint.joint_name, "", spring.hardening, "hardening of the transmission");
    const int a = e.number_of(joint.v0), b = e.number_of(rotor.v0);
    const ex x = names.coordinate(b) - names.coordinate(a);
    e.K[a][a] += k, e.K[b][b] += k, e.K[a][b] -= k, e.K[b][a] -= k;
    e.D[a][a] += c, e.D[b][b] += c, e.D[a][b] -= c, e.D[b][a] -= c;
    e.f[a] -= h * GiNaC::pow(x, 3);
    e.f[b] += h * GiNaC::pow(x, 3);
    e.potential += k * GiNaC::pow(x, 2) / 2 + h * GiNaC::pow(x, 4) / 4;
  }
}

}  // namespace lithe::derive
