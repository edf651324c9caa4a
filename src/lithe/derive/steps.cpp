#include "lithe/derive/steps.h"

#include <cmath>
#include <optional>

namespace lithe::derive {
namespace {

constexpr double rounding = 1e-12;  // of a rotation's entries

bool is_zero(const Triple& t) { return t[0].is_zero() && t[1].is_zero() && t[2].is_zero(); }

/// The axis ±1, ±2, ±3 that a unit vector lies along, or 0.
int principal(const Vector3d& v) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(std::abs(v[k]) - 1) < rounding) return v[k] > 0 ? k + 1 : -(k + 1);
  return 0;
}

Triple turned(const Matrix3d& R, const Triple& t) {
  Triple result;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) result[a] += exactly(R(a, b)) * t[b];
  return result;
}

/// The second turn with the first added to its angle; both about the same axis, which `flip` says points the other way.
Turn added(const Turn& first, const Turn& second, int flip) {
  Turn sum = second;
  sum.form = second.form + first.sign * flip * second.sign * first.form;
  // The sum is named after the joint; two bends one after the other (with a fixed joint between them) keep both names.
  if (!std::isdigit(static_cast<unsigned char>(second.token[0]))) {
    sum.token = first.token + second.token;
    sum.latex = first.latex + second.latex;
  }
  return sum;
}

/// One pass over neighbours; false if nothing was left to do.
bool simplify_once(Way& way) {
  auto erase = [&](size_t k) { way.erase(way.begin() + long(k)); };
  for (size_t k = 0; k < way.size(); ++k) {
    if (const auto* shift = std::get_if<Shift>(&way[k]); shift && is_zero(shift->by)) return erase(k), true;
    if (const auto* turn = std::get_if<ConstantTurn>(&way[k]); turn && turn->R.isIdentity(rounding))
      return erase(k), true;
    if (k + 1 == way.size()) break;
    Step &here = way[k], &next = way[k + 1];
    const auto* turn_here = std::get_if<ConstantTurn>(&here);
    if (auto* shift = std::get_if<Shift>(&next)) {
      if (auto* before = std::get_if<Shift>(&here)) {
        for (int a = 0; a < 3; ++a) before->by[a] += shift->by[a];
        return erase(k + 1), true;
      }
      if (turn_here) {
        shift->by = turned(turn_here->R, shift->by);
        return std::swap(here, next), true;
      }
    }
    if (auto* after = std::get_if<ConstantTurn>(&next); after && turn_here) {
      after->R = turn_here->R * after->R;
      return erase(k), true;
    }
    const auto* first = std::get_if<Turn>(&here);
    if (!first) continue;
    if (const auto* second = std::get_if<Turn>(&next); second && second->axis == first->axis) {
      next = added(*first, *second, 1);
      return erase(k), true;
    }
    // Rot(e) C = C Rot(Cᵀe): past the constant turn it may meet one about its own axis.
    const auto* between = std::get_if<ConstantTurn>(&next);
    if (!between || k + 2 == way.size()) continue;
    const auto* second = std::get_if<Turn>(&way[k + 2]);
    const int seen = principal(between->R.row(first->axis).transpose());
    if (second && std::abs(seen) == second->axis + 1) {
      way[k + 2] = added(*first, *second, seen > 0 ? 1 : -1);
      return erase(k), true;
    }
  }
  return false;
}

/// R = Rot(e_axis, angle) P with P one of the 24 rotations of a cube.
struct OneAxisTurn {
  int axis;
  double angle;
  Matrix3d P;
};
std::optional<OneAxisTurn> one_axis_turn(const Matrix3d& R) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      const int seen = principal(R.row(a).transpose());  // the axis that R turns into ±e_a
      if (seen == 0 || std::abs(seen) != b + 1) continue;
      Matrix3d P = Matrix3d::Zero();
      P(a, b) = seen > 0 ? 1 : -1;
      P((a + 1) % 3, (b + 1) % 3) = 1;
      P((a + 2) % 3, (b + 2) % 3) = seen > 0 ? 1 : -1;
      const Matrix3d rest = R * P.transpose();
      return OneAxisTurn{a, std::atan2(rest((a + 2) % 3, (a + 1) % 3), rest((a + 1) % 3, (a + 1) % 3)), P};
    }
  return std::nullopt;
}

bool is_cube_turn(const Matrix3d& R) {
  return principal(R.col(0)) != 0 && principal(R.col(1)) != 0 && principal(R.col(2)) != 0;
}

}  // namespace

ex exactly(double number) {
  const double whole = std::round(number);
  return std::abs(number - whole) < rounding && std::abs(whole) <= 1 ? ex(int(whole)) : ex(GiNaC::numeric(number));
}

Way simplified(const Way& way) {
  Way result = way;
  while (simplify_once(result)) {
  }
  return result;
}

void register_angles(Way& way, Names& names) {
  for (Step& step : way)
    if (auto* turn = std::get_if<Turn>(&step)) turn->angle = names.angle(turn->token, turn->latex, turn->form);
}

Way constant_turn(const Matrix3d& R, const std::string& owner, const std::string& token, Names& names) {
  if (is_cube_turn(R) || names.numbers()) return {ConstantTurn{R}};
  const auto turn = one_axis_turn(R);
  if (!turn) return {ConstantTurn{R}};
  const ex angle = names.parameter("alpha", owner, "", turn->angle, "constant angle of the joint's frame");
  return {Turn{turn->axis, 1, token, "\\alpha_{" + token.substr(1) + "}", angle}, ConstantTurn{turn->P}};
}

Way joint_turn(const Vector3d& axis, const std::string& token, const std::string& latex, const ex& coordinate) {
  const int along = principal(axis);
  if (along != 0) return {Turn{std::abs(along) - 1, along > 0 ? 1 : -1, token, latex, coordinate}};
  const Matrix3d A = rotation_taking_z_to(axis);
  return {ConstantTurn{A}, Turn{2, 1, token, latex, coordinate}, ConstantTurn{A.transpose()}};
}

}  // namespace lithe::derive
