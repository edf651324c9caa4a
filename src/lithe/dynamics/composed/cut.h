#pragma once

#include "lithe/describe/case.h"

namespace lithe {

/// The same arm cut in two at one of its mounts: what began at a later mount becomes a part of the arm that carries it, so that
/// `Composed::blocks` at this mount are those of everything before it and everything from it on. Coordinates stay the same.
Case cut_at_mount(Case data, int i_mount);

}  // namespace lithe
