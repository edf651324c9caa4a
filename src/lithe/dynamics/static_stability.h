#pragma once

#include "lithe/arm/small_motion.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

/// How far a stiffness is from losing a direction: the least size of an eigenvalue of its symmetric part, scaled to a diagonal of about
/// one by `scale` (square roots of stiffnesses). By inverse iteration.
double least_stiffness(const SparseMatrixd& stiffness, const VectorXd& scale);

/// Whether an arm at rest with this stiffness returns when pushed slowly. With a symmetric stiffness: no negative pivot. With one that is
/// not, as of loads that follow their links: a positive determinant, so that no other equilibrium has crossed this one (such loads may
/// still excite oscillations that grow, which only mass decides).
bool statically_stable(const SparseMatrixd& stiffness, const VectorXd& scale);

}  // namespace lithe
