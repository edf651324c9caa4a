#include "lithe/simulate/examine_run.h"

#include <fmt/format.h>

#include "lithe/drive/initial_state.h"
#include "lithe/simulate/simulation.h"

namespace lithe {

void examine_run(Findings& findings) {
  const LoadedCase& loaded = findings.loaded;
  if (!loaded.arm || !loaded.file.data.simulate || !findings.errors.empty()) return;
  const Case data = undeformed_start(loaded.file.data);
  try {
    if (data.simulate->formulation == RunFormulation::finite_element) {
      const Simulation simulation(data, *loaded.arm);
    } else if (data.simulate->method == Method::midpoint) {
      refuse_jumping_forces(data, *loaded.arm);
    }
  } catch (const FieldError& error) {
    findings.errors.push_back({Problem::Severity::error, loaded.file.locate(error.path()), error.path(), error.what()});
  } catch (const Error&) {
    // Of the start: the run reports it.
  }
}

void refuse_jumping_forces(const Case& data, const Arm& arm) {
  const char* const text =
      "midpoint cannot step over the jump of a damper that sets in at a touch: leave the damping out, or use another "
      "method (dopri5)";
  for (size_t i = 0; i < data.forces.size(); ++i)
    if (const auto* contact = std::get_if<Contact>(&data.forces[i].force); contact != nullptr && contact->damping > 0)
      throw UnsupportedError(fmt::format("forces[{}].contact.damping", i), text);
  for (const Transmission& one : arm.transmissions())
    if (one.gap > 0 && one.damping > 0)
      throw UnsupportedError(fmt::format("arm.links[{}].joint.motor.backlash", arm.link(one.joint_link).i_case), text);
}

}  // namespace lithe
