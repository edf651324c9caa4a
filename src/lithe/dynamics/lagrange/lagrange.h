#pragma once

#include "lithe/arm/kinematics.h"
#include "lithe/dynamics/formulation.h"

namespace lithe {

/// The equations of motion D(q) q̈ + C(q, q̇) q̇ + g(q) = τ as the Euler–Lagrange textbook derivation gives them:
///
///   D = Σ m J_vᵀJ_v + J_ωᵀ (R I Rᵀ) J_ω        from the Jacobians of each body's mass centre                  (1)
///   C_kj = Σ_i c_ijk q̇_i                        with the Christoffel symbols
///   c_ijk = ½(∂d_kj/∂q_i + ∂d_ki/∂q_j − ∂d_ij/∂q_k)                                                          (2)
///   g_k = ∂P/∂q_k,   P = −Σ m gᵀ r_c                                                                         (3)
///
/// ∂D/∂q_i is exact: with w_j the angular and J_j the linear Jacobian column of a body's mass centre,
///   ∂J_j/∂q_i = w_min × J_max     (min, max: the inboard and the outboard of i and j)
///   ∂w_j/∂q_i = w_i × w_j         for i inboard of j, else zero
/// and zero where i does not move the body.
///
/// The six rates of a free base are not rates of coordinates but components in base axes, so brackets of these directions
/// do not vanish and (2) gains the structure constants of rigid motion (Koszul's formula for the Levi-Civita connection
/// in a moving frame):
///   c_ijk += ½( [i,j]·k − [j,k]·i + [k,i]·j ),   [a,b]·c = Σ_l s_ab^l d_lc                                   (4)
/// D itself does not depend on where the base is. With (2) and (4) Ḋ − 2C is skew. A base of given motion is the same with
/// its six rates known: its accelerations and rates enter h.
///
/// Cost O(bodies · nv³): the reading version, for checking and for control laws that need C itself.
class Lagrange : public Formulation {
 public:
  explicit Lagrange(const Arm& arm);
  std::string_view name() const override { return "lagrange"; }

  void mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) override;
  void bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) override;
  void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) override;
  void inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) override;
  void hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
              Eigen::Ref<VectorXd> vdot) override;

  /// C(q, q̇) of (2) and (4), nv × nv, such that Ḋ − 2C is skew-symmetric. With a moving base h has a further part,
  /// linear in the base's rates and accelerations; `bias` includes it.
  void coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C);

 private:
  /// Jacobians of one body: its mass centre's linear and its angular columns, in world axes, and the inertia there.
  struct Body {
    double mass = 0;
    Vector3d com_B = Vector3d::Zero();
    Matrix3d inertia_com_B = Matrix3d::Zero();
    std::vector<int> path;  // columns that move it, inboard first
    Eigen::Matrix3Xd Jv, Jw;
    Matrix3d I_W = Matrix3d::Zero();
  };

  void update(const State& state);             // kinematics and Jacobians
  void assemble_mass_matrix();                 // D_ from the Jacobians
  void assemble_coriolis(const State& state);  // C_ from the Jacobians and D_
  double gravity_column(int column) const;
  void given_base(const State& state);
  void demand_regular() const;  // of the factors just computed

  int n_;            // columns: nv, and six more in front where the base's motion is given
  int n_given_ = 0;  // those six, or zero
  int n_frame_ = 0;  // leading columns that are components in base axes: 6 for a free or moving base
  Kinematics kin_;
  std::vector<Body> bodies_;
  MatrixXd D_, C_;
  std::vector<MatrixXd> dD_;                       // ∂D/∂q_i
  VectorXd rate_, h_;                              // extended rates [base; v]
  Vector6d base_acceleration_ = Vector6d::Zero();  // v̇ of the given base rates
  MatrixXd hybrid_M_;
  VectorXd hybrid_h_, hybrid_rhs_;
  Eigen::LDLT<MatrixXd> ldlt_;
};

}  // namespace lithe
