#pragma once

#include <memory>

#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/lagrange/equations.h"

namespace lithe::composed {

/// One arm of a composition by itself, by any formulation: M, h, and the poses of its frames. A carried arm stands on a free
/// base without mass (`Arm::part`), so that its M, with the base's six rates first, is
///   [[I, N], [Nᵀ, M_S]]        I = ∫[−[r]× 1]ᵀ[−[r]× 1] dm,   N = ∫[−[r]× 1]ᵀ J_S dm
/// the arm's moments of order 0, 1 and 2 about its base, and the momentum its own rates give it.
///
/// S is double or `Counted`.
template <class S>
class Part {
 public:
  using Vector = Eigen::VectorX<S>;
  using Matrix = Eigen::MatrixX<S>;
  using State = Eigen::Ref<const Vector>;

  virtual ~Part() = default;
  virtual const Arm& arm() const = 0;

  /// Sets M and the frames.
  virtual void evaluate_mass(const State& q, Instant t) = 0;
  /// Sets M, the frames and the chosen terms of h.
  virtual void evaluate(const State& q, const State& v, Instant t, Terms terms) = 0;
  /// Sets M, the frames and C; throws UnsupportedError if the formulation has no C.
  virtual void evaluate_coriolis(const State& q, const State& v, Instant t) = 0;

  virtual Eigen::Ref<const Matrix> M() const = 0;
  virtual Eigen::Ref<const Matrix> C() const = 0;
  virtual Eigen::Ref<const Vector> h() const = 0;
  virtual const lagrange::ScrewTable<S>& screws() const = 0;
};

/// By the Euler–Lagrange equations, which have a C.
template <class S>
class LagrangePart : public Part<S> {
 public:
  using typename Part<S>::Vector;
  using typename Part<S>::Matrix;
  using typename Part<S>::State;

  explicit LagrangePart(Arm arm) : arm_(std::move(arm)), equations_(arm_) {}
  const Arm& arm() const override { return arm_; }
  void evaluate_mass(const State& q, Instant t) override { equations_.evaluate_mass(q, t); }
  void evaluate(const State& q, const State& v, Instant t, Terms terms) override {
    equations_.evaluate(q, v, t, terms);
  }
  void evaluate_coriolis(const State& q, const State& v, Instant t) override { equations_.evaluate_coriolis(q, v, t); }
  Eigen::Ref<const Matrix> M() const override { return equations_.M(); }
  Eigen::Ref<const Matrix> C() const override { return equations_.C(); }
  Eigen::Ref<const Vector> h() const override { return equations_.h(); }
  const lagrange::ScrewTable<S>& screws() const override { return equations_.screws(); }

 private:
  Arm arm_;
  lagrange::Equations<S> equations_;
};

/// By a formulation of any name.
class NamedPart : public Part<double> {
 public:
  NamedPart(std::string_view formulation, const Arm& arm);
  const Arm& arm() const override { return formulation_->arm(); }
  void evaluate_mass(const State& q, Instant t) override;
  void evaluate(const State& q, const State& v, Instant t, Terms terms) override;
  void evaluate_coriolis(const State& q, const State& v, Instant t) override;
  Eigen::Ref<const MatrixXd> M() const override { return M_; }
  Eigen::Ref<const MatrixXd> C() const override;
  Eigen::Ref<const VectorXd> h() const override { return h_; }
  const lagrange::ScrewTable<double>& screws() const override { return screws_; }

 private:
  std::unique_ptr<Formulation> formulation_;
  lagrange::ScrewTable<double> screws_;
  lithe::State state_;
  MatrixXd M_;
  VectorXd h_;
};

/// Each part of the arm by `lagrange`.
template <class S>
std::vector<std::unique_ptr<Part<S>>> lagrange_parts(const Arm& arm) {
  std::vector<std::unique_ptr<Part<S>>> parts;
  for (int k = 0; k < arm.n_parts(); ++k) parts.push_back(std::make_unique<LagrangePart<S>>(arm.part(k)));
  return parts;
}

}  // namespace lithe::composed
