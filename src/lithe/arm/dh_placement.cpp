#include "lithe/arm/dh_placement.h"

#include <fmt/format.h>

#include <cmath>

#include "lithe/describe/problem.h"

namespace lithe {
namespace {

Pose turn_x(double angle) { return {axis_rotation(Vector3d::UnitX(), angle), Vector3d::Zero()}; }
Pose turn_z(double angle) { return {axis_rotation(Vector3d::UnitZ(), angle), Vector3d::Zero()}; }
Pose shift(double x, double y, double z) { return {Matrix3d::Identity(), {x, y, z}}; }

}  // namespace

void place_by_dh(const DenavitHartenberg& dh, bool is_beam, double length, const std::string& path, Pose& X_PF,
                 Pose& X_BD, Vector3d& axis) {
  axis = Vector3d::UnitZ();
  const Pose along_axis = turn_z(dh.theta) * shift(0, 0, dh.d);
  if (dh.convention == DhConvention::modified) {
    X_PF = turn_x(dh.alpha) * shift(dh.a, 0, 0) * along_axis;
    return;
  }
  if (!is_beam) {
    X_PF = along_axis;
    X_BD = shift(dh.a, 0, 0) * turn_x(dh.alpha);
    return;
  }
  // A beam spans the common normal and its section axes are those of its DH frame.
  if (std::abs(length - dh.a) > 1e-9 * length)
    throw FieldError(path + ".beam.length",
                     fmt::format("expected the length of the common normal, dh.a = {:g} m, got {:g} m{}", dh.a, length,
                                 std::abs(length - std::abs(dh.d)) <= 1e-9 * length
                                     ? ": a beam lies along the joint's axis, as long as dh.d, only where dh.a = 0"
                                     : ""));
  X_PF = along_axis * turn_x(dh.alpha);
  axis = turn_x(-dh.alpha).R * axis;
}

Pose stand_on_axis(const DenavitHartenberg& dh, double length, const std::string& path, Pose& X_PF, Vector3d& axis) {
  if (std::abs(length - std::abs(dh.d)) > 1e-9 * length)
    throw FieldError(
        path + ".beam.length",
        fmt::format("expected the offset along the joint's axis, |dh.d| = {:g} m, which the beam spans where "
                    "dh.a = 0; got {:g} m",
                    std::abs(dh.d), length));
  const double side = dh.d > 0 ? 1 : -1;
  Pose along;  // B in the joint's own frame
  along.R << 0, 0, -side, 0, 1, 0, side, 0, 0;
  X_PF = turn_z(dh.theta) * along;
  axis = side * Vector3d::UnitX();
  return along.inverse() * turn_x(dh.alpha);
}

}  // namespace lithe
