#pragma once

// Included where ExactLink is compiled for a kind of number, and nowhere else.

#include <utility>

#include "lithe/beam/exact/exact_link.h"

namespace lithe {

template <class S>
ExactLink<S>::ExactLink(const StrainBasis& basis, bool with_tip, LinkDetail detail)
    : basis_(&basis), size_(basis.size()), with_tip_(with_tip), inertia_(basis), forces_(basis), tip_(basis) {
  if (!basis.pieces.empty()) {
    // All but the last have something at their ends.
    for (const StrainBasis& piece : basis.pieces)
      pieces_.emplace_back(piece, with_tip || &piece != &basis.pieces.back(), detail);
    joined_.emplace(basis);
    return;
  }
  if (detail == LinkDetail::blocks) compiled_ = compiled_for(basis, with_tip);
  if (compiled_) return;
  place_.emplace(basis);
  motion_.emplace(basis);
}

template <class S>
ExactLink<S>::ExactLink(const ExactLink& other)
    : basis_(other.basis_),
      size_(other.size_),
      with_tip_(other.with_tip_),
      inertia_(other.inertia_),
      forces_(other.forces_),
      tip_(other.tip_),
      place_(other.place_),
      motion_(other.motion_),
      compiled_(other.compiled_ ? other.compiled_->clone() : nullptr),
      pieces_(other.pieces_),
      joined_(other.joined_) {}

/// Calls visit(Size) with the size that a link has, if it is one of those that are compiled in space. Returns whether it is.
template <class Visit>
bool with_known_size(const StrainBasis& basis, Visit visit) {
  const auto fits = [&]<int y, int z, int x>(KnownSize<y, z, x> size) {
    if (!size.fits(basis)) return false;
    visit(size);
    return true;
  };
  return fits(KnownSize<1, 1, 1>(basis)) || fits(KnownSize<2, 2, 1>(basis)) || fits(KnownSize<2, 2, 0>(basis)) ||
         fits(KnownSize<3, 3, 1>(basis)) || fits(KnownSize<3, 3, 2>(basis));
}

/// Calls visit(Size): numbers of terms of common links are known to the compiler.
template <class S>
template <class Visit>
void ExactLink<S>::with_size(Visit visit) const {
  if constexpr (has_known_links<S>)
    if (with_known_size(*basis_, visit)) return;
  visit(AnySize{*basis_});
}

template <class S>
template <class Rod, class Plan>
struct ExactLink<S>::CompiledRod final : ExactLink<S>::Compiled {
  CompiledRod(const StrainBasis& basis, bool with_tip)
      : plan(std::make_shared<const Plan>(basis, &Rod::stride)), rod{*plan, with_tip} {}
  std::unique_ptr<Compiled> clone() const override { return std::make_unique<CompiledRod>(*this); }
  void place(const S* delta, RodInertia<S>& inertia, RodFrame<S>& tip) override {
    rod.place(delta, work, inertia, tip);
  }
  void move(const Triple<S>& omega, const S* rate, RodForces<S>& forces, RodFrame<S>& tip) override {
    rod.move(work, omega, rate, forces, tip);
  }
  std::shared_ptr<const Plan> plan;
  Rod rod;
  typename Rod::Work work;
};

template <class S>
std::unique_ptr<typename ExactLink<S>::Compiled> ExactLink<S>::compiled_for(const StrainBasis& basis, bool with_tip) {
  std::unique_ptr<Compiled> result;
  if (PlaneRodPlan::fits(basis)) {
    const auto make = [&]<int... n>(std::integer_sequence<int, n...>) {
      ((basis.size() == n + 1
            ? void(result = std::make_unique<CompiledRod<PlaneRod<S, n + 1>, PlaneRodPlan>>(basis, with_tip))
            : void()),
       ...);
    };
    make(std::make_integer_sequence<int, PlaneRodPlan::most_terms>());
  } else if constexpr (has_known_links<S>) {
    with_known_size(basis, [&]<int y, int z, int x>(KnownSize<y, z, x>) {
      result = std::make_unique<CompiledRod<SpatialRod<S, y, z, x>, SpatialRodPlan>>(basis, with_tip);
    });
  }
  return result;
}

template <class S>
void ExactLink<S>::place(const S* delta) {
  if (joined_) {
    for (ExactLink& piece : pieces_) {
      piece.place(delta);
      delta += piece.size_;
    }
    return joined_->place(pieces_, with_tip_, inertia_, tip_);
  }
  if (compiled_) return compiled_->place(delta, inertia_, tip_);
  with_size([&](const auto& size) {
    rod::place(size, *basis_, delta, with_tip_, *place_);
    rod::inertia(size, *basis_, *place_, inertia_);
    if (with_tip_) rod::tip_place(size, *basis_, *place_, tip_);
  });
}

template <class S>
void ExactLink<S>::move(const S* omega, const S* rate) {
  const Triple<S> of_B{omega[0], omega[1], omega[2]};
  if (joined_) {
    const auto move_piece = [&](size_t i, const Triple<S>& spin) {
      const S of_start[] = {spin.x, spin.y, spin.z};
      pieces_[i].move(of_start, rate + i * size_t(pieces_[i].size_));
    };
    return joined_->move(pieces_, of_B, with_tip_, move_piece, forces_, tip_);
  }
  if (compiled_) return compiled_->move(of_B, rate, forces_, tip_);
  with_size([&](const auto& size) {
    rod::move(size, *basis_, *place_, of_B, rate, with_tip_, *motion_);
    rod::forces(size, *basis_, *place_, *motion_, inertia_, forces_);
    if (with_tip_) rod::tip_motion(size, *basis_, *motion_, tip_);
  });
}

}  // namespace lithe
