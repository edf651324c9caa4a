#pragma once

#include <string>

#include "lithe/analyse/evaluate.h"
#include "lithe/app/configuration.h"

namespace lithe::app {

/// The same for a case; the error has its location.
inline void demand_dense(const LoadedCase& loaded, const std::string& who, const char* instead) {
  with_places(loaded, [&] { lithe::demand_dense(*loaded.arm, who, instead); });
}

}  // namespace lithe::app
