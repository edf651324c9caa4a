#pragma once

#include "lithe/beam/beam_basis.h"
#include "lithe/beam/beam_matter.h"
#include "lithe/beam/integrals.h"

namespace lithe {

/// Places of the n + 1 nodes: by `mesh`, or equal within each part between steps, the parts sharing the elements by length.
std::vector<double> element_nodes(const Beam& beam, const Elements& elements);

/// The element that contains a place along the beam, and the distance of that place from its first node.
struct ElementPlace {
  int element = 0;
  double s = 0;
};
ElementPlace element_at(const std::vector<double>& nodes, double x);

/// The shape functions of the twelve coordinates (u_x, u_y, u_z, θ_x, θ_y, θ_z at node 1, then at node 2) of an element at s, 0 ≤ s ≤ l.
///
/// `linear`: all six interpolated linearly. `exact`: the deformation of a uniform Timoshenko beam under end loads, so that the
/// stiffness is exact for these and cannot lock. With ξ = s/l, Φ = 12 EI/(κGA l²), µ = 1/(1 + Φ), bending along y:
///
///   u_y = µ[1 + Φ(1−ξ) − 3ξ² + 2ξ³] u₁ + lµ[ξ − 2ξ² + ξ³ + Φ(ξ−ξ²)/2] θ₁
///       + µ[Φξ + 3ξ² − 2ξ³]         u₂ + lµ[ξ³ − ξ² − Φ(ξ−ξ²)/2]      θ₂                                    (1)
///   θ_z = 6µ/l (ξ²−ξ)(u₁ − u₂) + µ[1 − 4ξ + 3ξ² + Φ(1−ξ)] θ₁ + µ[3ξ² − 2ξ + Φξ] θ₂                          (2)
///
/// and along z with −θ_y for θ_z; twist and stretch linear. Φ → 0 is Hermite's cubic. `middle` gives Φ: where the section
/// tapers within the element, (1) and (2) are still compatible, though no longer the exact deformation.
/// [Friedman & Kosmatka 1993] Computers & Structures 47, 473.
FieldValues element_field(ElementKind kind, const SectionMatter& middle, double l, double s);

/// Mass and stiffness of one element, every integral of it, s from the beam's root x1. The linear element's shear is
/// integrated at one point (`reduced`) or fully, which locks: naganathan86, figs 46 and 51.
Integrals element_integrals(const BeamMatter& matter, const Elements& elements, double x1, double l);

/// The basis of `flexibility: {elements: …}`, root clamped, without reduction and damping; with stations at `places`, too. Memory and time grow linearly
/// with the number of elements. Coordinates node by node from the first free node: u_x, u_y, u_z, θ_x, θ_y, θ_z, or in a plane
/// u_x, u_y, θ_z (`y`) or u_x, u_z, θ_y (`z`).
FlexBasis element_basis(const Beam& beam, const Elements& elements, bool rotary_inertia,
                        std::span<const double> places = {});

/// Mass and stiffness of the same nodes without any support, the root's coordinates first, so that callers can add supports.
struct FreeBeam {
  std::vector<double> x;           // of the nodes
  std::vector<std::string> names;  // of the coordinates: n0.ux, …
  SparseMatrixd M, K;
};
FreeBeam free_beam(const Beam& beam, const Elements& elements, bool rotary_inertia);

/// What a coordinate mainly does, by its place in a node: u_x axial, u_y and θ_z bending_y, u_z and θ_y bending_z, θ_x torsion.
std::vector<Deflection> node_kinds(BendingPlane plane);

}  // namespace lithe
