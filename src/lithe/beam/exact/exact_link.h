#pragma once

#include <memory>
#include <optional>

#include "lithe/beam/exact/plane_rod.h"
#include "lithe/beam/exact/rod_pieces.h"
#include "lithe/beam/exact/spatial_rod.h"

namespace lithe {

/// Whether sizes of common links are compiled for this kind of number.
template <class S>
inline constexpr bool has_known_links = false;
template <>
inline constexpr bool has_known_links<double> = true;

/// What is asked of an ExactLink: the blocks of the equations of motion alone, by the fastest code for the link; or also its sections (`sections`,
/// `motion`), by the general code.
enum class LinkDetail { blocks, sections };

/// One exact link at a state: everything that the rest of an arm, and the equations of its coordinates, need of it. Memory is sized in the
/// constructor: evaluations allocate nothing. One per thread; the basis must outlive it.
template <class S>
class ExactLink {
 public:
  explicit ExactLink(const StrainBasis& basis, bool with_tip = true, LinkDetail detail = LinkDetail::blocks);
  ExactLink(const ExactLink& other);
  ExactLink(ExactLink&&) noexcept = default;

  /// Sets `inertia` and the place of `tip`, from the coordinates.
  void place(const S* delta);
  /// Sets `forces` and the motion of `tip`, from the angular velocity of B and the coordinates' rates, at the place of the last `place`.
  void move(const S* omega, const S* rate);

  const StrainBasis& basis() const { return *basis_; }
  bool with_tip() const { return with_tip_; }
  const RodInertia<S>& inertia() const { return inertia_; }
  const RodForces<S>& forces() const { return forces_; }
  const RodFrame<S>& tip() const { return tip_; }
  const S& M_ff(int k, int l) const { return inertia_.M_ff[k < l ? k * size_ + l : l * size_ + k]; }

  /// By LinkDetail::sections only; of several pieces each has its own.
  const RodPlace<S>& sections() const { return *place_; }
  const RodMotion<S>& motion() const { return *motion_; }

  /// Of a link of several pieces: each as a link of its own, and where they start.
  const ExactLink& piece(int i) const { return pieces_[size_t(i)]; }
  const typename RodPieces<S>::Piece& start(int i) const { return (*joined_)[i]; }

 private:
  template <class Visit>
  void with_size(Visit visit) const;

  const StrainBasis* basis_;
  int size_;
  bool with_tip_;
  RodInertia<S> inertia_;
  RodForces<S> forces_;
  RodFrame<S> tip_;
  std::optional<RodPlace<S>> place_;
  std::optional<RodMotion<S>> motion_;

  /// A link of a common size, with its constants and memory, known to the compiler.
  struct Compiled {
    virtual ~Compiled() = default;
    virtual std::unique_ptr<Compiled> clone() const = 0;
    virtual void place(const S* delta, RodInertia<S>& inertia, RodFrame<S>& tip) = 0;
    virtual void move(const Triple<S>& omega, const S* rate, RodForces<S>& forces, RodFrame<S>& tip) = 0;
  };
  template <class Rod, class Plan>
  struct CompiledRod;
  static std::unique_ptr<Compiled> compiled_for(const StrainBasis& basis, bool with_tip);
  std::unique_ptr<Compiled> compiled_;  // null: the general code
  std::vector<ExactLink> pieces_;       // none where it is of one piece
  std::optional<RodPieces<S>> joined_;
};

extern template class ExactLink<double>;

}  // namespace lithe
