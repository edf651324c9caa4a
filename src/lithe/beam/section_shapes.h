#pragma once

#include <vector>

#include "lithe/spatial/exp_map.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

/// How a link's coordinates move one of its sections: u = Σ φ_k δ_k and θ = Σ ψ_k δ_k there. Only those that move or rotate the
/// section are listed: of thousands of element coordinates, those of two nodes.
struct SectionShapes {
  Vector3d place = Vector3d::Zero();  // of the undeformed section, from B
  std::vector<int> coordinates;       // of the link, ascending
  Matrix3Xd phi, psi;                 // 3 × as many

  int size() const { return int(coordinates.size()); }

  /// From shapes of all coordinates.
  static SectionShapes of(const Vector3d& place, const Matrix3Xd& phi, const Matrix3Xd& psi);
  /// The same section in coordinates η with δ = T η.
  SectionShapes transformed(const MatrixXd& T) const;

  // Of the link's coordinates (or their rates, or accelerations), from the first on.
  Vector3d displacement(const double* delta) const { return sum(phi, delta); }
  Vector3d turn(const double* delta) const { return sum(psi, delta); }

 private:
  Vector3d sum(const Matrix3Xd& shapes, const double* delta) const {
    Vector3d result = Vector3d::Zero();
    for (int k = 0; k < size(); ++k) result += delta[coordinates[k]] * shapes.col(k);
    return result;
  }
};

/// A rigid body on a frame: its mass, its centre and its inertia about that, in the frame's axes. Stored as given, without the
/// rounding of a RigidInertia's shift to the frame and back: a point mass has exactly zero inertia.
struct CarriedBody {
  double mass = 0;
  Vector3d com = Vector3d::Zero();
  Matrix3d inertia_com = Matrix3d::Zero();

  RigidInertia about_frame() const { return RigidInertia::about_com(mass, com, inertia_com); }
};

/// A body on the section at x along the undeformed link.
struct SectionBody {
  double x = 0;
  CarriedBody body;
};

}  // namespace lithe
