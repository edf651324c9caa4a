#include "lithe/arm/transmission.h"

#include <fmt/format.h>

#include "lithe/arm/arm.h"

namespace lithe {

TransmissionSlopes Transmission::slopes(double x, double rate) const {
  if (in_gap(x)) return {};
  const double s = pressed(x), elastic_slope = stiffness + 3 * hardening * s * s;
  const bool cut = gap > 0 && (elastic(x) + damping * rate) * s < 0;
  return cut ? TransmissionSlopes{elastic_slope, -elastic_slope, 0} : TransmissionSlopes{elastic_slope, 0, damping};
}

double Transmission::energy(double x) const {
  const double s = pressed(x);
  return stiffness * s * s / 2 + hardening * s * s * s * s / 4;
}

double Transmission::twist_under(double torque) const {
  // stiffness·s + hardening·s³ = torque is monotonic, so Newton's method converges.
  double s = torque / stiffness;
  for (int k = 0; k < 50; ++k)
    s -= (stiffness * s + hardening * s * s * s - torque) / (stiffness + 3 * hardening * s * s);
  return s > 0 ? s + gap : s < 0 ? s - gap : 0;
}

double* Transmission::switches(double x, double rate, double* values) const {
  if (!(gap > 0)) return values;
  *values++ = x - gap;
  *values++ = x + gap;
  if (damping > 0) *values++ = elastic(x) + damping * rate;
  return values;
}

void refuse_inside_backlash(const Arm& arm, const VectorXd& q, std::string_view who) {
  for (const Transmission& one : arm.transmissions()) {
    const Link &joint = arm.link(one.joint_link), &rotor = arm.link(one.rotor_link);
    if (one.in_gap(q[rotor.q0] - q[joint.q0]))
      throw FieldError(
          fmt::format("arm.links[{}].joint.motor.backlash", joint.i_case),
          fmt::format(
              "{}: joint '{}' is inside the gap of its gear, where nothing holds it against its motor; expected a "
              "position that presses a flank: the equilibrium under a weight or a load, or values of '{}' and '{}'",
              who, joint.joint_name, joint.joint_name, rotor.joint_name));
  }
}

}  // namespace lithe
