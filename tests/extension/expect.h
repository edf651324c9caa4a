#pragma once

#include <string>

namespace extension {

/// Complains where it does not hold, and counts.
void expect(bool holds, const std::string& what);
int faults();

// One question each, in a file of its own.
void try_joint();
void try_law_and_force();
void try_constraint();
void try_speeds();
void try_wire();

}  // namespace extension
