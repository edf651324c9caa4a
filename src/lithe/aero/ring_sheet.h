#pragma once

#include <optional>
#include <vector>

#include "lithe/aero/vector_array.h"
#include "lithe/aero/wind.h"

namespace lithe::aero {

/// A sheet of vortex rings: (rows+1) by (columns+1) nodes, one circulation per ring.
///
/// Ring (i, j) runs through nodes (i, j) → (i, j+1) → (i+1, j+1) → (i+1, j): with rows to the rear and columns along
/// the span a positive circulation lifts upwards. Neighbours share segments, which carry the difference of two
/// circulations:
///
///   along the span at node row i:   Γ(i, j) − Γ(i−1, j)       to the rear at node column j:   Γ(i, j−1) − Γ(i, j)          (1)
///
/// A straight segment of circulation Γ from a to b induces at x, with r₁ = x − a, r₂ = x − b (Biot–Savart, Scully's core):
///
///                Γ          (|r₁| + |r₂|) r₁ × r₂
///   v(x) =  ————— · ————————————————————————————————————————————————                                                     (2)
///               4π    |r₁||r₂| (|r₁||r₂| + r₁·r₂) + ½ (r_c |b − a|)²
///
/// in van Garrel's arrangement, which is regular on the extensions of the segment. Near the middle of a long segment it
/// becomes Γ/2π · h/(h² + r_c²), the profile of Scully and Kaufmann (Vatistas with n = 1); r_c = 0 is the exact line.
/// For r₁·r₂ < 0 the sum |r₁||r₂| + r₁·r₂ would cancel, and |r₁ × r₂|²/(|r₁||r₂| − r₁·r₂) replaces it. On the
/// segment and its extensions v = 0. The sums go through four targets at a time, node by node: neighbours share |r|.
/// One object per thread. [van Garrel 2003] Development of a wind turbine aerodynamics simulation module, ECN-C-03-079.
class RingSheet {
 public:
  RingSheet() = default;
  RingSheet(int most_rows, int columns);

  int rows = 0;  // in use; as many as room was made for at most
  int columns() const { return columns_; }
  int most_rows() const { return most_rows_; }
  int n_nodes() const { return (rows + 1) * (columns_ + 1); }
  int n_rings() const { return rows * columns_; }

  int node(int i, int j) const { return i * (columns_ + 1) + j; }
  int ring(int i, int j) const { return i * columns_ + j; }
  VectorArray nodes;           // row by row
  Eigen::ArrayXd circulation;  // row by row

  /// Computes the segments from nodes and circulations; the sums below use them. `core` is r_c.
  void prepare(double core);

  /// Adds to `velocity` what the sheet (and its image) induces at the targets from `first` on.
  void add_velocity(const VectorArray& targets, int first, const std::optional<SymmetryPlane>& plane,
                    VectorArray& velocity) const;
  /// a(i, first_column + k) += n_i · (velocity at target i by ring k of circulation one).
  void add_influence(const VectorArray& targets, const VectorArray& normals, const std::optional<SymmetryPlane>& plane,
                     Eigen::Ref<Eigen::MatrixXd> a, int first_column) const;

 private:
  struct Segment {
    double strength, core, least;  // Γ/4π; ½ (r_c l)²; below which |r₁ × r₂|² a target counts as on it
  };
  friend struct View;  // four targets' view of the sheet

  Segment segment(int node_a, int node_b, double circulation, double core) const;

  int most_rows_ = 0, columns_ = 0;
  std::vector<Segment> along_span_, to_rear_;
  mutable Eigen::ArrayXd rows_seen_;  // two rows of nodes as four targets see them
};

}  // namespace lithe::aero
