#pragma once

#include "lithe/beam/flex_basis.h"

namespace lithe {

/// The passive forces of a flexible link and their slopes, at coordinates δ and rates δ̇: elastic forces K δ and damping D δ̇, with the
/// constants of the basis. All uses go through this class, so that a nonlinear elastic force would need a change only here; K is the
/// stiffness of the undeformed link. (The plan of `articulated` holds K and D entry by entry.)
///
/// `add` takes (coordinate, force), `add_slope` takes (row, column, value), both any number of times.
template <class Delta, class Add>
void elastic_force(const FlexBasis& basis, const Delta& delta, Add add) {
  for (int k = 0; k < basis.K.outerSize(); ++k)
    for (SparseMatrixd::InnerIterator entry(basis.K, k); entry; ++entry)
      add(int(entry.row()), entry.value() * delta[k]);
}
template <class Delta, class Rate, class Add>
void damping_force(const FlexBasis& basis, const Delta&, const Rate& rate, Add add) {
  for (int k = 0; k < basis.D.outerSize(); ++k)
    for (SparseMatrixd::InnerIterator entry(basis.D, k); entry; ++entry) add(int(entry.row()), entry.value() * rate[k]);
}

/// ∂(elastic force)/∂δ and ∂(damping force)/∂δ̇.
template <class Delta, class AddSlope>
void elastic_slopes(const FlexBasis& basis, const Delta&, AddSlope add_slope) {
  for (int k = 0; k < basis.K.outerSize(); ++k)
    for (SparseMatrixd::InnerIterator entry(basis.K, k); entry; ++entry) add_slope(int(entry.row()), k, entry.value());
}
template <class Delta, class AddSlope>
void damping_slopes(const FlexBasis& basis, const Delta&, AddSlope add_slope) {
  for (int k = 0; k < basis.D.outerSize(); ++k)
    for (SparseMatrixd::InnerIterator entry(basis.D, k); entry; ++entry) add_slope(int(entry.row()), k, entry.value());
}

/// Adds ½ δᵀK δ.
template <class Delta>
void add_elastic_energy(const FlexBasis& basis, const Delta& delta, double& energy) {
  for (int k = 0; k < basis.K.outerSize(); ++k)
    for (SparseMatrixd::InnerIterator entry(basis.K, k); entry; ++entry)
      energy += entry.value() * delta[entry.row()] * delta[k] / 2;
}

}  // namespace lithe
