#pragma once

#include <nlohmann/json.hpp>

namespace lithe::bench {

/// What a result was measured on: commit, compiler, flags, CPU. Compare only runs of one machine.
nlohmann::json provenance();

}  // namespace lithe::bench
