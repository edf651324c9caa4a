// What a user adds to the installed library: a joint kind, a control law, a force, constraints on rates and on positions, somebody who watches
// the rows, and generalised speeds of one's own.
#include <iostream>

#include "expect.h"

namespace extension {
namespace {

int count = 0;

}  // namespace

void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << "not so: " << what << "\n";
  ++count;
}

int faults() { return count; }

}  // namespace extension

int main() {
  extension::try_joint();
  extension::try_law_and_force();
  extension::try_constraint();
  extension::try_speeds();
  extension::try_wire();
  return extension::faults();
}
