// dynamics/ — the equations of motion: (q, v, τ) → M, bias, accelerations, torques. Several published formulations
// with the same results, behind one interface, so that each can be chosen by name and checks the others. Does not depend
// on files or on time marching.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"
#include "lithe/error.h"

namespace lithe {

/// Parts of the bias h in M z̈ + h = τ, which can be evaluated together or separately.
enum class Terms : unsigned {
  coriolis = 1,  // velocity terms, and what a moving base's given motion adds
  gravity = 2,   // ∂V/∂z of the weight
  elastic = 4,   // joint springs, soft stops, transmissions, bent links
  damping = 8,   // viscous damping, friction, damping of stops
  all = 15
};
constexpr Terms operator|(Terms a, Terms b) { return Terms(unsigned(a) | unsigned(b)); }
constexpr bool has(Terms set, Terms term) { return (unsigned(set) & unsigned(term)) != 0; }

/// An evaluation failed: the mass matrix is singular.
class SingularError : public Error {
 public:
  using Error::Error;
};

/// A formulation of the equations of motion M(z) z̈ + h(z, ż) = τ of an arm. Vectors have nv entries. For a free base z̈ means
/// v̇, and its six entries of τ are the wrench [moment; force] on the base, in base axes.
///
/// Holds its working memory, sized once: evaluations allocate nothing, and each thread needs its own.
class Formulation {
 public:
  Formulation(std::string_view name, Arm arm) : name_(name), arm_(std::move(arm)) {}
  virtual ~Formulation() = default;
  Formulation(const Formulation&) = delete;
  Formulation& operator=(const Formulation&) = delete;
  const Arm& arm() const { return arm_; }

  /// Its word in case files, or the name of a formulation that user code defines.
  const std::string& name() const { return name_; }

  virtual void mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) = 0;

  /// The chosen terms of h.
  virtual void bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) = 0;

  /// τ (joint torques given) → v̇.
  virtual void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) = 0;

  /// v̇ (all motion given) → τ.
  virtual void inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) = 0;

  /// Per coordinate either driven (v̇ given, τ is the answer) or free (τ given, v̇ is the answer). `driven` has nv
  /// entries; the coordinates of a free base are driven all or none.
  virtual void hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                      Eigen::Ref<VectorXd> vdot) = 0;

 private:
  std::string name_;
  Arm arm_;
};

/// Names of all formulations, the default first.
const std::vector<std::string>& formulation_names();

/// One of the formulations of case files, except finite-element, which is for time integration only.
std::unique_ptr<Formulation> make_formulation(RunFormulation kind, const Arm& arm);

/// By name; throws std::invalid_argument naming the known ones, and UnsupportedError naming the option or joint for which the
/// arm is outside the domain.
std::unique_ptr<Formulation> make_formulation(std::string_view name, const Arm& arm);

/// Whether the mass matrix can be inverted. Published tables leave out what cannot be observed (a massless first link),
/// which is acceptable if every coordinate moves some inertia. Throws FieldError naming the joint that does not.
void check_regular(const Arm& arm);

}  // namespace lithe
