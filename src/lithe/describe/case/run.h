// A run: its initial state, and how it is integrated in time.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/describe/case/force.h"
#include "lithe/describe/case/vectors.h"
#include "lithe/describe/case/words.h"

namespace lithe {

/// Initial state of a coordinate of a joint, or of a deformation coordinate of a link.
struct InitialJoint {
  double position = 0;
  std::optional<double> rate = {};   // default: zero, or the rate of the motion of a driven joint
  std::optional<Vector3d> rpy = {};  // of a spherical joint, instead of a position
  bool operator==(const InitialJoint&) const = default;
};
/// Initial state of a free base. A planar base uses x and y of xyz and velocity, and z of rpy and angular_velocity.
struct InitialBase {
  Vector3d xyz = Vector3d::Zero(), rpy = Vector3d::Zero();
  Vector3d velocity = Vector3d::Zero(),
           angular_velocity = Vector3d::Zero();  // in base axes; for a planar base in the axes of its origin
  bool operator==(const InitialBase&) const = default;
};
enum class Deformation { zero, at_rest, settled };
struct Initial {
  std::map<std::string, InitialJoint> joints;
  std::optional<InitialBase> base;
  Deformation deformation = Deformation::zero;
  std::vector<Load> loads = {};  // in the equilibrium of `static` and `settled`; removed when the run begins
  bool operator==(const Initial&) const = default;
};
enum class Method { cvode, cvode_adams, merson, dopri5, rk4, esdirk, midpoint, newmark, generalised_alpha };
enum class RunFormulation { articulated, recursive_lagrangian, kane, lagrange, composed, finite_element };
/// Of the formulation `finite-element`.
enum class ElementModel { nonlinear, linear, quasi_static, literal };
struct Simulate {
  double duration = 1;
  RunFormulation formulation = RunFormulation::articulated;
  std::optional<ElementModel> model;
  std::optional<Method> method;  // default: cvode, or newmark for finite-element
  double rtol = 1e-8, atol = 1e-10;
  std::optional<double> step;          // required by midpoint; optional for rk4, newmark and generalised-alpha
  std::optional<double> rho_infinity;  // of generalised-alpha
  std::optional<double> output_step;   // default: duration / 500
  std::optional<double> checkpoint;    // interval of checkpoints; default: duration / 20

  /// The method, or its default where the case gives none and no link is exact (simulate/suitable_method.h).
  Method chosen_method() const {
    return method.value_or(formulation == RunFormulation::finite_element ? Method::newmark : Method::cvode);
  }
  double row_interval() const { return output_step.value_or(duration / 500); }
  double checkpoint_interval() const { return checkpoint.value_or(duration / 20); }
  bool operator==(const Simulate&) const = default;
};

// The words of the choices above.
template <>
struct Words<Deformation> {
  static constexpr WordList<Deformation, 3> list{
      {{Deformation::zero, "zero"}, {Deformation::at_rest, "static"}, {Deformation::settled, "settled"}}};
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

}  // namespace lithe
