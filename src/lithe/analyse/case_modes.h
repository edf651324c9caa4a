#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lithe/analyse/modes.h"
#include "lithe/drive/drives.h"

namespace lithe {

/// `locked`, `free` or `servo`. Throws std::invalid_argument.
JointCondition joints_named(const std::string& word);
/// The supports of a beam, root, then tip: `clamped-free`. Throws std::invalid_argument.
std::pair<End, End> supports_named(const std::string& words);
/// The link of that name that bends, for beam_modes. Throws std::invalid_argument for an unknown name, or that of a beam in a guide.
const Link& bending_link_named(const Arm& arm, const std::string& name);

/// Options of natural modes with what the case adds: its outer forces and, with JointCondition::servo, the springs that its control laws
/// form in small motion. Throws std::invalid_argument if no law of the case is a spring, or one cannot be treated as one.
ModesOptions modes_options(JointCondition joints, int count, const Arm& arm, const Drives& drives);

/// Options of modes_of_case. A plain value.
struct CaseModesOptions {
  std::optional<State> about;                      // at rest; empty: where the case starts, with straight links
  JointCondition joints = JointCondition::locked;  // what the joints do
  int count = 12;
  bool deformed = false;  // about the arm as it sags from there
  bool loads = false;     // `loads` act too, in full; their stiffness must be symmetric
};
/// Result of modes_of_case.
struct CaseModes {
  State about;  // the state about which these are modes
  ModesResult result;
};
/// Natural modes of a case, as `lithe modes` prints them. Throws what natural_modes_of, find_equilibrium and modes_options throw.
CaseModes modes_of_case(const Arm& arm, const Drives& drives, const CaseModesOptions& options = {});

/// The lowest natural modes of the straight arm where a case starts, joints locked, with the damping of each. Empty for arms
/// without damping, and for those whose modes are not known.
std::vector<Mode> damped_modes(const Case& data, const Arm& arm);

}  // namespace lithe
