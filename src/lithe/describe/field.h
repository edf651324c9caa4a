#pragma once

#include <array>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "lithe/describe/case.h"
#include "lithe/describe/units.h"

namespace lithe {

/// Words and the booleans that they set.
using Flags = std::initializer_list<std::pair<const char*, bool*>>;

/// Where item i stands of a list that a single mapping may stand for: a list of one has the path of that mapping.
inline std::string item_path(const std::string& list, size_t size, size_t i) {
  return size == 1 ? list : list + "[" + std::to_string(i) + "]";
}

/// Whether a key may be left out.
enum class Need { optional, required };

/// The values a number may take, and the words that say so after its noun: "expected a length" + words.
struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_itself = true;  // is `low` allowed?
  bool zero = true;        // is 0 allowed?
  const char* words = "";

  bool contains(double value) const {
    return (low_itself ? value >= low : value > low) && value <= high && (zero || value != 0);
  }
};

namespace range {
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Range any{};
inline constexpr Range positive{0, infinity, false, true, " greater than zero"};
inline constexpr Range non_negative{0, infinity, true, true, " of at least zero"};
inline constexpr Range non_zero{-infinity, infinity, true, false, " other than zero"};
inline constexpr Range fraction{0, 1, true, true, " from 0 to 1"};
inline constexpr Range poisson{-1, 0.5, false, true, " above -1 and up to 0.5"};
}  // namespace range

/// A field whose unit follows that of a joint's coordinate: angles for what turns, lengths for what slides.
struct JointDimension {
  Dimension turning, sliding;
  const Dimension& of(CoordinateUnit unit) const { return unit == CoordinateUnit::metres ? sliding : turning; }
};

namespace joint_dimension {
inline constexpr JointDimension position{dimension::angle, dimension::length};
inline constexpr JointDimension rate{dimension::angular_velocity, dimension::velocity};
inline constexpr JointDimension effort{dimension::torque, dimension::force};
inline constexpr JointDimension stiffness{dimension::angular_stiffness, dimension::stiffness};
inline constexpr JointDimension damping{dimension::angular_damping, dimension::damping};
inline constexpr JointDimension hardening{dimension::angular_hardening, dimension::hardening};
/// A length, whatever the joint does.
inline constexpr JointDimension place{dimension::length, dimension::length};
/// An angle, whatever the joint's type.
inline constexpr JointDimension turn{dimension::angle, dimension::angle};
/// A pure number, for profiles that scale.
inline constexpr JointDimension factor{dimension::number, dimension::number};
inline constexpr Dimension rotor_slide{"a mass", "kg"};
inline constexpr JointDimension inertia{dimension::inertia, rotor_slide};
/// Of something that turns, whatever the joint does.
inline constexpr JointDimension turning_inertia{dimension::inertia, dimension::inertia};
inline constexpr JointDimension turning_damping{dimension::angular_damping, dimension::angular_damping};
/// Torque per integral of the position error.
inline constexpr JointDimension integral_gain{dimension::angular_integral_gain, dimension::integral_gain};
}  // namespace joint_dimension

// The words by which a case names each choice; first the value, then its word.
template <class Enum>
struct Words;
template <class Enum, size_t n>
using WordList = std::array<std::pair<Enum, std::string_view>, n>;

template <>
struct Words<BaseType> {
  static constexpr WordList<BaseType, 4> list{{{BaseType::fixed, "fixed"},
                                               {BaseType::planar, "planar"},
                                               {BaseType::free, "free"},
                                               {BaseType::moving, "moving"}}};
};
template <>
struct Words<DhConvention> {
  static constexpr WordList<DhConvention, 2> list{
      {{DhConvention::standard, "standard"}, {DhConvention::modified, "modified"}}};
};
template <>
struct Words<TipRotation> {
  static constexpr WordList<TipRotation, 2> list{{{TipRotation::finite, "finite"}, {TipRotation::small, "small"}}};
};
template <>
struct Words<InertiaOrder> {
  static constexpr WordList<InertiaOrder, 2> list{
      {{InertiaOrder::complete, "complete"}, {InertiaOrder::first_order, "first-order"}}};
};
template <>
struct Words<ModeShape> {
  static constexpr WordList<ModeShape, 5> list{{{ModeShape::polynomial, "polynomial"},
                                                {ModeShape::clamped_free, "clamped-free"},
                                                {ModeShape::clamped_mass, "clamped-mass"},
                                                {ModeShape::pinned_free, "pinned-free"},
                                                {ModeShape::pinned_pinned, "pinned-pinned"}}};
};
template <>
struct Words<ElementKind> {
  static constexpr WordList<ElementKind, 2> list{{{ElementKind::exact, "exact"}, {ElementKind::linear, "linear"}}};
};
template <>
struct Words<Integration> {
  static constexpr WordList<Integration, 2> list{{{Integration::reduced, "reduced"}, {Integration::full, "full"}}};
};
template <>
struct Words<BendingPlane> {
  static constexpr WordList<BendingPlane, 3> list{
      {{BendingPlane::both, "both"}, {BendingPlane::y, "y"}, {BendingPlane::z, "z"}}};
};
template <>
struct Words<Reduction> {
  static constexpr WordList<Reduction, 2> list{
      {{Reduction::craig_bampton, "craig-bampton"}, {Reduction::eigenmodes, "eigenmodes"}}};
};
template <>
struct Words<SegmentSprings> {
  static constexpr WordList<SegmentSprings, 2> list{
      {{SegmentSprings::calibrated, "calibrated"}, {SegmentSprings::paper, "paper"}}};
};
template <>
struct Words<Deformation> {
  static constexpr WordList<Deformation, 3> list{
      {{Deformation::zero, "zero"}, {Deformation::at_rest, "static"}, {Deformation::settled, "settled"}}};
};
template <>
struct Words<GravityOf> {
  static constexpr WordList<GravityOf, 2> list{{{GravityOf::state, "state"}, {GravityOf::command, "command"}}};
};
template <>
struct Words<AntiWindup> {
  static constexpr WordList<AntiWindup, 3> list{{{AntiWindup::back_calculation, "back-calculation"},
                                                 {AntiWindup::clamping, "clamping"},
                                                 {AntiWindup::none, "none"}}};
};
template <>
struct Words<WakeModel> {
  static constexpr WordList<WakeModel, 2> list{{{WakeModel::prescribed, "prescribed"}, {WakeModel::free, "free"}}};
};
template <>
struct Words<Coupling> {
  static constexpr WordList<Coupling, 2> list{{{Coupling::strong, "strong"}, {Coupling::once, "once"}}};
};
template <>
struct Words<Axes> {
  static constexpr WordList<Axes, 2> list{{{Axes::world, "world"}, {Axes::link, "link"}}};
};
template <>
struct Words<Method> {
  static constexpr WordList<Method, 9> list{{{Method::cvode, "cvode"},
                                             {Method::cvode_adams, "cvode-adams"},
                                             {Method::merson, "merson"},
                                             {Method::dopri5, "dopri5"},
                                             {Method::rk4, "rk4"},
                                             {Method::esdirk, "esdirk"},
                                             {Method::midpoint, "midpoint"},
                                             {Method::newmark, "newmark"},
                                             {Method::generalised_alpha, "generalised-alpha"}}};
};
template <>
struct Words<RunFormulation> {
  static constexpr WordList<RunFormulation, 6> list{{{RunFormulation::articulated, "articulated"},
                                                     {RunFormulation::recursive_lagrangian, "recursive-lagrangian"},
                                                     {RunFormulation::kane, "kane"},
                                                     {RunFormulation::lagrange, "lagrange"},
                                                     {RunFormulation::composed, "composed"},
                                                     {RunFormulation::finite_element, "finite-element"}}};
};
template <>
struct Words<ElementModel> {
  static constexpr WordList<ElementModel, 4> list{{{ElementModel::nonlinear, "nonlinear"},
                                                   {ElementModel::linear, "linear"},
                                                   {ElementModel::quasi_static, "quasi-static"},
                                                   {ElementModel::literal, "literal"}}};
};

template <class Enum>
constexpr std::string_view word(Enum value) {
  for (const auto& [candidate, name] : Words<Enum>::list)
    if (candidate == value) return name;
  return "?";
}

}  // namespace lithe
