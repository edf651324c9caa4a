#pragma once

#include "lithe/describe/case.h"

namespace lithe {

/// The same arm cut in two at one of its mounts: arms that began at later mounts become parts of the arm that carries them, so that
/// `Composed::blocks` at this mount are those of everything before it and everything from it on. Coordinates stay the same.
Case cut_at_mount(Case data, int i_mount);

}  // namespace lithe
