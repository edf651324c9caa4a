#include "lithe/drive/examine.h"

#include "lithe/drive/drives.h"
#include "lithe/drive/event_drives.h"
#include "lithe/drive/lifting_surfaces.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/gauges.h"

namespace lithe {
namespace {

Problem problem_of(const FieldError& error, const CaseFile& file) {
  return {Problem::Severity::error, file.locate(error.path()), error.path(), error.what()};
}

}  // namespace

Findings examine(const std::function<CaseFile()>& read) {
  Findings findings;
  try {
    findings.loaded.file = read();
    findings.warnings = findings.loaded.file.warnings;
    const Arm arm = Arm::assemble(findings.loaded.file.data);
    check_regular(arm);
    findings.loaded.arm = arm;
  } catch (const CaseError& error) {
    findings.errors = error.problems();
  } catch (const UnsupportedError& error) {
    findings.unsupported.push_back(problem_of(error, findings.loaded.file));
  } catch (const FieldError& error) {
    findings.errors.push_back(problem_of(error, findings.loaded.file));
  }
  return findings;
}

void examine_drives(Findings& findings) {
  if (!findings.loaded.arm) return;
  const Case data = undeformed_start(findings.loaded.file.data);  // nothing is run, so no equilibrium is needed
  try {
    check_initial(findings.loaded.file.data, *findings.loaded.arm);
    const Drives drives(data, *findings.loaded.arm);
    check_event_drives(data, *findings.loaded.arm);
    const Gauges gauges(data, *findings.loaded.arm);
    if (data.wind) {
      // The steps of the air follow from the surfaces on the arm.
      const LiftingSurfaces surfaces(data, *findings.loaded.arm, drives.initial_state());
      const double step =
          data.simulate ? air_step(*data.wind, surfaces, *data.simulate) : surfaces.shortest_panel() / data.wind->speed;
      lattice_options(*data.wind, surfaces, step);
    }
  } catch (const FieldError& error) {
    findings.errors.push_back(problem_of(error, findings.loaded.file));
  }
}

}  // namespace lithe
