#pragma once

namespace lithe::testing {

/// How many times operator new or malloc-backed Eigen storage has been asked for memory by this thread so far.
long allocations();

}  // namespace lithe::testing
