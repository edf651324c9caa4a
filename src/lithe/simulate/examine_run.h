#pragma once

#include "lithe/drive/examine.h"

namespace lithe {

/// Adds what the run that the case asks for would refuse before its first step: what the finite elements do not cover, and forces that
/// `midpoint` cannot pass. Nothing is integrated. A start that cannot be computed is left to the run. Does nothing where the case has a
/// mistake already.
void examine_run(Findings& findings);

/// Throws UnsupportedError for forces that jump where they set in: a damper that begins to push at a touch. The equations of a step of the
/// implicit midpoint rule across such a jump have no solution, whatever its length.
void refuse_jumping_forces(const Case& data, const Arm& arm);

}  // namespace lithe
