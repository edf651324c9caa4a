#pragma once

#include "lithe/dynamics/composed/part.h"
#include "lithe/dynamics/composed/tip_motion.h"

namespace lithe::composed {

/// The equations of motion of arms mounted on one another, from those of each arm alone (lew-book §4, eqs 26–47, corrected).
///
/// A carried arm S is affected by its carrier L only through the frame T on which it is mounted, whose velocity is V = J q̇_L
/// (`TipMotion`). On a base with given motion (`Part`), S has
///   M_ext = [[I, N], [Nᵀ, M_S]]       C_ext = [[C_VV, C_VS], [C_SV, C_SS]]      in the rates [V; q̇_S]
/// and the pair follows by substituting V = J q̇_L, V̇ = J q̈_L + J̇ q̇_L:
///
///   M = [[M_L + M_L/S, M_cp], [M_cpᵀ, M_S]]      M_L/S = Jᵀ I J,   M_cp = Jᵀ N                            (1)   eqs 36–38
///   C_LL = C_L + Jᵀ(C_VV J + I J̇)     C_LS = Jᵀ C_VS                                                      (2)   eqs 41–44
///   C_SL = C_SV J + Nᵀ J̇              C_SS = C_SS of S alone, with V                                            eqs 45–47
///   G = [G_L − Jᵀ I γ;  −Nᵀ γ]         γ = [0; R_Lᵀ g], gravity in T's axes                               (3)
///
/// (2) is the Christoffel form where the parts have it: the connection that S's kinetic energy defines, restricted to the
/// motions V = J q̇_L allows, is that of the pair; so Ṁ − 2C is skew. Instead of derivatives of M_L/S and M_cp by all
/// coordinates it needs one derivative of J and S's own C, which saves work.
///
/// In a chain the pair is the next arm's carrier: parts are added one by one, each with everything before it as L.
///
/// S is double or `Counted`.
template <class S>
class Equations {
 public:
  using Vector = Eigen::VectorX<S>;
  using Matrix = Eigen::MatrixX<S>;
  using State = Eigen::Ref<const Vector>;

  /// `parts`: one for each `arm.part(k)`.
  Equations(const Arm& arm, std::vector<std::unique_ptr<Part<S>>> parts);
  explicit Equations(const Arm& arm) : Equations(arm, lagrange_parts<S>(arm)) {}

  /// Sets M.
  void evaluate_mass(const State& q, Instant t);
  /// Sets M and the chosen terms of h.
  void evaluate(const State& q, const State& v, Instant t, Terms terms = Terms::all) {
    evaluate_first(n_parts(), q, v, t, terms);
  }
  /// Sets C, and also M, for parts that have a C.
  void evaluate_coriolis(const State& q, const State& v, Instant t) { evaluate_coriolis_of_first(n_parts(), q, v, t); }
  /// The same for the first n parts alone, in the leading entries of h, M and C.
  void evaluate_first(int n, const State& q, const State& v, Instant t, Terms terms);
  void evaluate_coriolis_of_first(int n, const State& q, const State& v, Instant t);

  const Matrix& M() const { return M_; }
  const Matrix& C() const { return C_; }
  const Vector& h() const { return h_; }

  int n_parts() const { return int(mounted_.size()); }
  /// The parts, and for carried ones, as of the last evaluation: J and J̇ by the coordinates before it, and gravity, in the axes
  /// of its base; where its own coordinates begin; the part's positions and rates, those of its base first.
  Part<S>& part(int k) { return *mounted_[k].part; }
  const lagrange::Matrix6X<S>& J(int k) const { return mounted_[k].J; }
  const lagrange::Matrix6X<S>& J_dot(int k) const { return mounted_[k].J_dot; }
  Eigen::Vector3<S> gravity(int k) const {
    return mounted_[k].tip->R_WT().transpose() * arm_.gravity().template cast<S>();
  }
  int first_column(int k) const { return mounted_[k].v0; }
  const Vector& positions(int k) const { return mounted_[k].q; }
  const Vector& rates(int k) const { return mounted_[k].rate; }

 private:
  /// A mounted part.
  struct Mounted {
    std::unique_ptr<Part<S>> part;
    int q0 = 0, v0 = 0, n = 0;  // where its own coordinates begin in q and v, and how many they are
    Vector q, rate;             // of the part: a carried one's base at rest in its own axes, and moving with V
    // Of carried parts:
    std::unique_ptr<TipMotion<S>> tip;  // on which it stands, of the part before
    lagrange::Matrix6X<S> J, J_dot;     // 6 × v0: by all coordinates before
    lagrange::Matrix6X<S> product;      // 6 × v0
    lagrange::Vector6<S> A;             // V̇ without J q̈, less gravity
  };

  void set_state(const State& q, const State* v, Instant t);
  /// J of part k, of (1); what it stands on has been evaluated.
  void place(int k);
  /// V and J̇ of part k; after `place`.
  void move(int k);
  /// A of part k; after `place`, and for its velocity terms `move`.
  void accelerate(int k, Terms terms);
  /// (1)
  void add_mass(int k);

  const Arm& arm_;
  std::vector<Mounted> mounted_;
  int n_given_ = 0;  // leading columns of a first part whose base's motion is given
  lagrange::Vector6<S> given_acceleration_ = lagrange::Vector6<S>::Zero();
  Matrix M_, C_;
  Vector h_;
};

}  // namespace lithe::composed
