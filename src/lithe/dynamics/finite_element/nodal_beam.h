// dynamics/finite_element/ — naganathan86: links as nodal Timoshenko elements. Takes a case and its arm (links of linear elements,
// or rigid), gives the beams with their nodes and the effect of a moving frame on them. docs/finite-element.md has the equations; the
// models made of these beams are in simulate/finite_element/. Does not depend on drives or time marching.
#pragma once

#include <optional>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/dynamics/finite_element/sliding_beam.h"

namespace lithe {

/// A link of linear elements with its root node, so that it can be attached to anything. Six coordinates per node in link axes,
/// (u_x, u_y, u_z, θ_x, θ_y, θ_z), root first, whatever plane the case confines the bending to.
///
/// Displacements are interpolated linearly between nodes, and so is everything that is linear in them: a rigid motion, and the
/// acceleration a_b + α×r + ω×(ω×r) + 2ω×u̇ + ü of the points of a link whose frame moves. The consistent mass matrix M times
/// the accelerations of the nodes is therefore the whole inertia force, Coriolis and centrifugal forces included.
struct NodalBeam {
  std::vector<double> x;        // of the nodes
  std::vector<int> components;  // which of a node's six are coordinates of the arm
  SparseMatrixd M, K;
  std::optional<SlidingBeam> sliding;  // of a beam in a guide; M and K are then those of the whole beam, all of it free

  /// Places the nodes of a beam in a guide, whose joint is there and moves like that. Throws GuideError.
  void slide(double q, double rate, double acceleration) {
    sliding->slide(q, rate, acceleration);
    for (int node = 0; node < n_nodes(); ++node) x[node] = sliding->x(node);
  }
  int n_nodes() const { return int(x.size()); }
  /// Place of component number k of `components`, at a node beyond the root, among the link's flexible coordinates.
  int flexible(int node, int k) const { return int(components.size()) * (node - 1) + k; }
};

/// One per link of the arm, nothing for rigid ones. Throws UnsupportedError naming the link or joint that is outside the
/// method: joints of several coordinates, modes, segments, imported links, exact or reduced elements, `tip_rotation: small` and
/// `inertia: first-order`.
std::vector<std::optional<NodalBeam>> nodal_beams(const Case& data, const Arm& arm);

/// The force on the drive of a beam in a guide at rest beyond the weight along the slide, at position q of the arm, with gravity in link
/// axes: ∂V/∂ℓ of the elastic energy and of the weight of what the flow would lift. Zero with `transport: false`.
double flow_force_at_rest(const Link& link, const VectorXd& q, const Vector3d& gravity_B);

}  // namespace lithe
