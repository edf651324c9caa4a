#pragma once

#include <sys/types.h>

namespace lithe {

/// Descriptors for a child's standard input, output and error; −1: none.
struct ChildEnds {
  int in = -1, out = -1, err = -1;
};

/// In a forked child: becomes another program, which inherits only these descriptors, and gets the signal `with_owner` when the
/// thread that forked it ends. Calls only what may be called between fork and exec.
[[noreturn]] void become(char* const* words, const ChildEnds& ends, int with_owner, pid_t owner);

}  // namespace lithe
