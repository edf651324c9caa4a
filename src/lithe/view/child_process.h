#pragma once

#include <sys/types.h>

namespace lithe {

/// What a child has for its standard input, output and error; −1: nothing.
struct ChildEnds {
  int in = -1, out = -1, err = -1;
};

/// In a forked child: becomes another program, with nothing of its owner's but these ends, and ends by `with_owner` when the
/// thread that forked it does. Calls only what may be called between fork and exec.
[[noreturn]] void become(char* const* words, const ChildEnds& ends, int with_owner, pid_t owner);

}  // namespace lithe
