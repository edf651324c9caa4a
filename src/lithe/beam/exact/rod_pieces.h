#pragma once

#include "lithe/beam/exact/rod_inertia.h"

namespace lithe {

/// Joins the pieces of a link, which are links of their own about the frames they start from. A piece's coordinates move all beyond its
/// end E as one body: by their twist [W_k; U_k] there. So the blocks of the whole follow as those of a chain of bodies do, from the tip
/// inwards, with the inertia I = (m, s, J) about E of what is beyond:
///
///   h_k = I [W_k; U_k]     M_ff,kl += [W_l; U_l]·h_k (k, l of this piece)     F_k = M_Bf,k of the piece + h_k, taken to its start
///   M_ff,kl = [W_l; U_l]·F_k (l of a piece before, F_k taken to its end)       M_Bf,k = F_k, taken to the root                    (11)
///
/// Velocity terms go outwards as a tip's do: the start of a piece has a spin and, with δ̈ = 0 and B not accelerated, an acceleration A. With
/// the forces f of velocities, [p_B; p_f] of the piece with the spin of its start, and f beyond its end,
///
///   p_f,k = p_f,k of the piece + M_Bf,k·A + [W_k; U_k]·f     f = p_B + M_BB A + f, taken to the start                           (12)
///
/// All in axes of B. The discrete link is the one that nodes and arms of the whole would give: same points, same rotations, same places.
template <class S>
class RodPieces {
 public:
  struct Piece {
    explicit Piece(const StrainBasis& basis)
        : mass(basis.mass),
          size(basis.size()),
          turn(size_t(size)),
          slide(size_t(size)),
          angular(size_t(size)),
          linear(size_t(size)) {}
    double mass;
    int size;
    Columns<S> R;                                         // of its start
    Triple<S> p, way;                                     // of its start; from there to its end
    std::vector<Triple<S>> turn, slide, angular, linear;  // by coordinate: [W; U] at its end; M_Bf about its start
    Triple<S> s;
    S J[6];                        // about its start
    Triple<S> spin, alpha, accel;  // of its start
    Triple<S> moment, force;       // about its start
  };

  explicit RodPieces(const StrainBasis& basis) {
    for (const StrainBasis& piece : basis.pieces) pieces_.emplace_back(piece);
  }
  const Piece& operator[](int i) const { return pieces_[size_t(i)]; }

  /// Sets the blocks and the tip's place from those of the pieces.
  template <class Links>
  void place(const Links& links, bool with_tip, RodInertia<S>& inertia, RodFrame<S>& tip) {
    start(links);
    gather(links, inertia);
    if (with_tip) place_tip(links[pieces_.size() - 1].tip(), tip);
  }

  /// Sets the forces and the tip's motion; `move_piece(i, ω)` moves a piece whose start has the spin ω, in its axes.
  template <class Links, class MovePiece>
  void move(const Links& links, const Triple<S>& omega, bool with_tip, const MovePiece& move_piece,
            RodForces<S>& forces, RodFrame<S>& tip) {
    Triple<S> spin = omega, alpha = Triple<S>::zero(), accel = Triple<S>::zero();
    const size_t n = pieces_.size();
    for (size_t i = 0; i < n; ++i) {
      Piece& piece = pieces_[i];
      piece.spin = spin;
      piece.alpha = alpha;
      piece.accel = accel;
      move_piece(i, i == 0 ? spin : in_axes(piece.R, spin));
      const RodForces<S>& own = links[i].forces();
      const S mass = piece.mass;
      piece.moment = in_B(i, own.moment);
      piece.force = in_B(i, own.force);
      if (i > 0) {
        piece.moment += rod::times(piece.J, alpha) + cross(piece.s, accel);
        piece.force += mass * accel + cross(alpha, piece.s);
      }
      if (i + 1 == n && !with_tip) break;
      const RodFrame<S>& end = links[i].tip();
      spin = in_B(i, end.spin);
      accel = accel + cross(alpha, piece.way) + in_B(i, end.zeta_linear);
      alpha = alpha + in_B(i, end.zeta_angular);
    }
    if (with_tip) {
      tip.spin = spin;
      tip.zeta_angular = alpha;
      tip.zeta_linear = accel;
    }

    // (12), inwards.
    Triple<S> moment = Triple<S>::zero(), force = Triple<S>::zero();
    int first = int(forces.p_f.size());
    for (size_t i = n; i-- > 0;) {
      const Piece& piece = pieces_[i];
      first -= piece.size;
      for (int k = 0; k < piece.size; ++k) {
        S p_f = links[i].forces().p_f[size_t(k)];
        if (i > 0) p_f += dot(piece.angular[k], piece.alpha) + dot(piece.linear[k], piece.accel);
        if (i + 1 < n) p_f += dot(piece.turn[k], moment) + dot(piece.slide[k], force);
        forces.p_f[size_t(first + k)] = p_f;
      }
      if (i + 1 < n) moment += cross(piece.way, force);
      moment += piece.moment;
      force += piece.force;
    }
    forces.moment = moment;
    forces.force = force;
  }

 private:
  /// The first piece starts at B.
  LITHE_INLINE Triple<S> in_B(size_t i, const Triple<S>& v) const { return i == 0 ? v : pieces_[i].R * v; }

  /// R J Rᵀ; as in RodInertia xx yy zz xy xz yz.
  LITHE_INLINE static void turn(const Columns<S>& R, const S* J, S* result) {
    const Triple<S> x = R * Triple<S>{J[0], J[3], J[4]}, y = R * Triple<S>{J[3], J[1], J[5]},
                    z = R * Triple<S>{J[4], J[5], J[2]};  // R J
    result[0] = x.x * R.x.x + y.x * R.y.x + z.x * R.z.x;
    result[1] = x.y * R.x.y + y.y * R.y.y + z.y * R.z.y;
    result[2] = x.z * R.x.z + y.z * R.y.z + z.z * R.z.z;
    result[3] = x.x * R.x.y + y.x * R.y.y + z.x * R.z.y;
    result[4] = x.x * R.x.z + y.x * R.y.z + z.x * R.z.z;
    result[5] = x.y * R.x.z + y.y * R.y.z + z.y * R.z.z;
  }

  /// Starts of pieces, and what their own code gave in axes of B.
  template <class Links>
  void start(const Links& links) {
    const S zero = 0.0, one = 1.0;
    Columns<S> R{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    Triple<S> p = Triple<S>::zero();
    for (size_t i = 0; i < pieces_.size(); ++i) {
      Piece& piece = pieces_[i];
      const RodInertia<S>& own = links[i].inertia();
      piece.R = R;
      piece.p = p;
      piece.s = in_B(i, own.s);
      if (i == 0) {
        for (int k = 0; k < 6; ++k) piece.J[k] = own.J[k];
      } else {
        turn(R, own.J, piece.J);
      }
      for (int k = 0; k < piece.size; ++k) {
        piece.angular[k] = in_B(i, own.angular[k]);
        piece.linear[k] = in_B(i, own.linear[k]);
      }
      if (!links[i].with_tip()) break;
      const RodFrame<S>& end = links[i].tip();
      for (int k = 0; k < piece.size; ++k) {
        piece.turn[k] = in_B(i, end.turn[k]);
        piece.slide[k] = in_B(i, end.slide[k]);
      }
      piece.way = in_B(i, end.p);
      p += piece.way;
      if (i == 0) {
        R = end.R;
      } else {
        R = {R * end.R.x, R * end.R.y, R * end.R.z};
      }
    }
  }

  /// (11)
  template <class Links>
  void gather(const Links& links, RodInertia<S>& result) {
    const int n = int(pieces_.size()), m = int(result.angular.size());
    S mass = 0.0;  // of what is beyond, about the end of the piece
    Triple<S> s = Triple<S>::zero();
    S* J = result.J;
    int first = m;
    for (int i = n - 1; i >= 0; --i) {
      const Piece& piece = pieces_[size_t(i)];
      first -= piece.size;
      for (int k = 0; k < piece.size; ++k) {
        Triple<S> angular = piece.angular[k], linear = piece.linear[k];
        S* column = &result.M_ff[size_t(first * m + first + k)];
        for (int l = 0; l <= k; ++l) column[l * m] = links[size_t(i)].M_ff(l, k);
        if (i + 1 < n) {
          const Triple<S>&W = piece.turn[k], &U = piece.slide[k];
          const Triple<S> momentum = mass * U + cross(W, s), about_end = rod::times(J, W) + cross(s, U);
          for (int l = 0; l <= k; ++l) column[l * m] += dot(piece.turn[l], about_end) + dot(piece.slide[l], momentum);
          angular += about_end + cross(piece.way, momentum);
          linear += momentum;
        }
        int first_before = first;
        for (int b = i - 1; b >= 0; --b) {
          const Piece& before = pieces_[size_t(b)];
          first_before -= before.size;
          for (int l = 0; l < before.size; ++l)
            result.M_ff[size_t((first_before + l) * m + first + k)] =
                dot(before.turn[l], angular) + dot(before.slide[l], linear);
          angular += cross(before.way, linear);
        }
        result.angular[size_t(first + k)] = angular;
        result.linear[size_t(first + k)] = linear;
      }
      if (i + 1 == n) {
        s = piece.s;
        for (int k = 0; k < 6; ++k) J[k] = piece.J[k];
      } else {
        // To the start: J + (2 s·d + m d·d) 1 − s dᵀ − d sᵀ − m d dᵀ with the way d there.
        const Triple<S>& d = piece.way;
        const Triple<S> half = s + S(0.5) * (mass * d), both = half + half;
        J[0] += both.y * d.y + both.z * d.z + piece.J[0];
        J[1] += both.x * d.x + both.z * d.z + piece.J[1];
        J[2] += both.x * d.x + both.y * d.y + piece.J[2];
        J[3] += piece.J[3] - half.x * d.y - half.y * d.x;
        J[4] += piece.J[4] - half.x * d.z - half.z * d.x;
        J[5] += piece.J[5] - half.y * d.z - half.z * d.y;
        s += mass * d + piece.s;
      }
      mass += S(piece.mass);
    }
    result.s = s;
  }

  void place_tip(const RodFrame<S>& end, RodFrame<S>& tip) const {
    const Piece& last = pieces_.back();
    tip.R = {last.R * end.R.x, last.R * end.R.y, last.R * end.R.z};
    tip.p = last.p + last.way;
    size_t at = 0;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const Triple<S> beyond = tip.p - piece.p - piece.way;
      for (int k = 0; k < piece.size; ++k, ++at) {
        tip.turn[at] = piece.turn[k];
        tip.slide[at] = piece.slide[k];
        if (i + 1 < pieces_.size()) tip.slide[at] += cross(piece.turn[k], beyond);
      }
    }
  }

  std::vector<Piece> pieces_;
};

}  // namespace lithe
