#pragma once

#include "lithe/derive/energy_terms.h"
#include "lithe/derive/placement.h"

namespace lithe::derive {

/// Sums over the bodies of an arm whose bent tips turn by 1 + [θ]× (book83 eq 5, lew-book eq 4). What such a tip carries is
/// strained as it turns, so its frames [R, p] have no angular velocity; their slopes by the coordinates take its place:
///   r = p + R(r₀ + Σ δ_k φ_k)        ∂_j r = ∂_j p + ∂_j R r′  (+ R φ_j for the link's own shapes)                     (1)
///   M_ij = m ∂_i p·∂_j p + ∂_i p·∂_j R s + ∂_j p·∂_i R s + tr(∂_i R Σ ∂_j Rᵀ)      s = ∫r′ dm, Σ = ∫r′r′ᵀ dm            (2)
///   M_ik = ∂_i p·R S_k + tr(∂_i R Q_k Rᵀ)                                           Q_k = ∫r′φ_kᵀ dm − ½[H_k]×           (3)
///   M_kl = μ_kl + tr((RᵀR − 1) P_kl)                                                 P_kl = ∫φ_kφ_lᵀ dm                   (4)
///   V = −Σ g·(m p + R s)                                                                                                (5)
/// H_k is what rotary inertia of sections adds: taken as along a link whose frame turns rigidly, as in the library's
/// recursive-lagrangian.
template <class Algebra>
class StrainedRecursion {
 public:
  using S = typename Algebra::Scalar;
  using Vector = typename Placement<Algebra>::Vector;
  using Matrix = typename Placement<Algebra>::Matrix;
  using Frame = typename Placement<Algebra>::Frame;

  StrainedRecursion(const SymbolicArm& arm, Algebra& algebra, std::vector<bool> known)
      : arm_(arm), algebra_(algebra), n_(int(known.size())), placement_(arm, algebra) {
    Frame root = Placement<Algebra>::identity();
    root.p = placement_.lifted(arm.root_place);
    placement_.start_from(root);
    for (auto& M : terms_.M) M.assign(size_t(n_), std::vector<S>(size_t(n_), S(0)));
    for (auto& V : terms_.potential) V = S(0);
  }

  void place(int i) { placement_.place(i); }

  void add_bodies(int i, bool carried) {
    const SymbolicLink& link = arm_.links[i];
    const Frame frame = placement_.of(i);
    if (link.body) add_rigid(frame, *link.body, carried);
    if (link.beam) add_beam(frame, *link.beam, link.first_own, carried);
    if (!link.on_tip.empty()) {
      Frame tip = frame;
      for (const Step& step : link.tip) placement_.advance(tip, step);
      placement_.settle(tip, fmt::format("{}t", i + 1));
      for (const SymbolicBody& body : link.on_tip) add_rigid(tip, body, carried);
    }
    if (!link.rotor_inertia.is_zero())
      terms_.M[carried][size_t(link.joint_coordinate)][size_t(link.joint_coordinate)] +=
          algebra_.lift(link.rotor_inertia);
  }

  EnergyTerms<S>& terms() { return terms_; }

 private:
  /// How a frame changes with a coordinate.
  struct Slope {
    int coordinate;
    Matrix R;
    Vector p;
  };

  std::vector<Slope> slopes(const Frame& frame) {
    std::vector<Slope> list;
    for (int k = 0; k < n_; ++k) {
      Slope slope{k, Matrix(), Vector()};
      bool any = false;
      auto of = [&](const S& value) {
        S result = algebra_.slope(value, k);
        any = any || !result.is_zero();
        return result;
      };
      for (int a = 0; a < 3; ++a) {
        slope.p[a] = of(frame.p[a]);
        for (int b = 0; b < 3; ++b) slope.R(a, b) = of(frame.R(a, b));
      }
      if (any) list.push_back(slope);
    }
    return list;
  }

  void add_rigid(const Frame& frame, const SymbolicBody& body, bool carried) {
    Triple s;
    Table Sigma;
    const ex half_trace = (body.inertia[0][0] + body.inertia[1][1] + body.inertia[2][2]) / 2;
    for (int a = 0; a < 3; ++a) {
      s[a] = body.mass * body.com[a];
      for (int b = 0; b < 3; ++b)
        Sigma[a][b] = body.mass * body.com[a] * body.com[b] + (a == b ? half_trace : ex(0)) - body.inertia[a][b];
    }
    add(frame, slopes(frame), body.mass, s, Sigma, carried);
  }

  void add_beam(const Frame& frame, const SymbolicBeam& beam, int own0, bool carried) {
    const std::vector<Slope> moves = slopes(frame);
    Table Sigma;
    const ex half_trace = (beam.inertia[0][0] + beam.inertia[1][1] + beam.inertia[2][2]) / 2;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) Sigma[a][b] = (a == b ? half_trace : ex(0)) - beam.inertia[a][b];
    add(frame, moves, beam.mass, beam.first_moment, Sigma, carried);
    auto& M = terms_.M[carried];
    const int n_own = int(beam.linear.size());
    // (3)
    for (int k = 0; k < n_own; ++k) {
      const Vector S_k = frame.R * placement_.lifted(beam.linear[size_t(k)]);
      const Matrix RQ = frame.R * lifted(beam.spread[size_t(k)]).transpose();
      for (const Slope& slope : moves)
        add_symmetric(M, slope.coordinate, own0 + k, dot(slope.p, S_k) + trace(slope.R, RQ));
    }
    // (4)
    const Matrix RtR = frame.R.transpose() * frame.R;
    for (int l = 0; l < n_own; ++l)
      for (int k = 0; k <= l; ++k) {
        S value = algebra_.lift(beam.modal_mass[size_t(k)][size_t(l)]);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            const ex& P = beam.products[size_t(k)][size_t(l)][size_t(a)][size_t(b)];
            if (P.is_zero()) continue;
            value += (RtR(a, b) - S(a == b ? 1 : 0)) * algebra_.lift(P);
          }
        add_symmetric(M, own0 + k, own0 + l, value);
      }
  }

  // (2), (5)
  void add(const Frame& frame, const std::vector<Slope>& moves, const ex& mass, const Triple& first,
           const Table& second, bool carried) {
    const S m = algebra_.lift(mass);
    const Vector s = placement_.lifted(first);
    const Matrix Sigma = lifted(second);
    for (size_t j = 0; j < moves.size(); ++j) {
      const Vector Rs = moves[j].R * s;
      const Matrix RSigma = moves[j].R * Sigma;
      Vector linear = Rs;
      for (int a = 0; a < 3; ++a) linear[a] += m * moves[j].p[a];
      for (size_t k = 0; k <= j; ++k)
        add_symmetric(terms_.M[carried], moves[k].coordinate, moves[j].coordinate,
                      dot(moves[k].p, linear) + dot(moves[j].p, Vector(moves[k].R * s)) + trace(moves[k].R, RSigma));
    }
    const Vector g = placement_.lifted(arm_.gravity);
    terms_.potential[carried] -= m * dot(g, frame.p) + dot(g, Vector(frame.R * s));
  }

  static void add_symmetric(typename EnergyTerms<S>::Matrix& M, int k, int j, const S& value) {
    M[size_t(k)][size_t(j)] += value;
    if (k != j) M[size_t(j)][size_t(k)] += value;
  }
  static S dot(const Vector& a, const Vector& b) {
    S sum = a[0] * b[0];
    sum += a[1] * b[1];
    sum += a[2] * b[2];
    return sum;
  }
  static S trace(const Matrix& A, const Matrix& B) {
    S sum = S(0);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) sum += A(a, b) * B(a, b);
    return sum;
  }
  Matrix lifted(const Table& A) const {
    Matrix result;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) result(a, b) = algebra_.lift(A[a][b]);
    return result;
  }

  const SymbolicArm& arm_;
  Algebra& algebra_;
  int n_;
  Placement<Algebra> placement_;
  EnergyTerms<S> terms_;
};

}  // namespace lithe::derive
