#pragma once

#include <string>

#include "lithe/describe/case/run.h"

namespace lithe {

class System;

/// A method, and in a few words why; no words where it is simply the default.
struct SuitableMethod {
  Method method = Method::cvode;
  std::string reason;
};

/// The method for a case that gives none. Arms whose links bend by `strains` are undamped and mildly stiff, which explicit methods follow
/// at less cost than `cvode`, unless something in them is fast, such as stretch and shear. Other arms get the usual default. Depends on
/// the case and its state at the start alone, so that a resumed run continues by the same method.
SuitableMethod suitable_method(System& system, const Simulate& options, const double* y_start);

}  // namespace lithe
