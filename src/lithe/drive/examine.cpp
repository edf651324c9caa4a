#include "lithe/drive/examine.h"

#include "lithe/drive/drives.h"
#include "lithe/dynamics/formulation.h"

namespace lithe {

Findings examine(const std::function<CaseFile()>& read) {
  Findings findings;
  const auto problem = [&](const FieldError& error) {
    return Problem{Problem::Severity::error, findings.loaded.file.locate(error.path()), error.path(), error.what()};
  };
  try {
    findings.loaded.file = read();
    findings.warnings = findings.loaded.file.warnings;
    const Arm arm = Arm::assemble(findings.loaded.file.data);
    check_regular(arm);
    findings.loaded.arm = arm;
  } catch (const CaseError& error) {
    findings.errors = error.problems();
  } catch (const UnsupportedError& error) {
    findings.unsupported.push_back(problem(error));
  } catch (const FieldError& error) {
    findings.errors.push_back(problem(error));
  }
  return findings;
}

void examine_drives(Findings& findings) {
  if (!findings.loaded.arm) return;
  Case data = findings.loaded.file.data;
  data.initial.deformation = Deformation::zero;  // nothing is run, no equilibrium sought
  try {
    const Drives drives(data, *findings.loaded.arm);
  } catch (const FieldError& error) {
    findings.errors.push_back(
        {Problem::Severity::error, findings.loaded.file.locate(error.path()), error.path(), error.what()});
  }
}

}  // namespace lithe
