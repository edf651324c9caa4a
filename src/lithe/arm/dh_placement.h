#pragma once

#include <string>

#include "lithe/describe/case.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

/// Denavit–Hartenberg placement of the joint frame F and of the mass properties' frame D in B. The joint's own turn
/// or slide is about and along z, so the constant theta and d commute with it and go before it:
///   standard   D_parent · Rz(θ)Tz(d) · J(q) · Tx(a)Rx(α)
///   modified   D_parent · Rx(α)Tx(a) · Rz(θ)Tz(d) · J(q)
void place_by_dh(const DenavitHartenberg& dh, bool is_beam, double length, const std::string& path, Pose& X_PF,
                 Pose& X_BD, Vector3d& axis);

/// Without a common normal, a beam lies along the joint's axis and spans d: from the parent's frame D, about whose z the joint turns or
/// slides, to its own. Its x points along ±z and its y is that of D_parent·Rz(θ). Sets the place of F and the axis in B; returns the
/// link's frame D in its tip frame.
Pose stand_on_axis(const DenavitHartenberg& dh, double length, const std::string& path, Pose& X_PF, Vector3d& axis);

}  // namespace lithe
