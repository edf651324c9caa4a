#pragma once

#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "lithe/describe/problem.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

/// A flexible link given by its shapes, as exported by a finite-element program. All values are in link axes and SI units:
///
///   {"nodes":     [[x, y, z], …],          n places of the undeformed link, from the link frame
///    "mass":      [m, …]                   n lumped masses, or an n × n matrix that is the same for each direction
///    "inertia":   [[jx, jy, jz], …],       optional: n × 3 moments of inertia of the nodes about themselves
///    "shapes":    [[[ux, uy, uz, rx, ry, rz], …], …],   per coordinate and node: displacement and rotation
///    "stiffness": [[…], …],                m × m
///    "damping":   [[…], …],                optional: m × m
///    "tip":       7}                       the node, counted from zero, that carries the next link
struct ImportedLink {
  Matrix3Xd nodes;                   // 3 × n
  Eigen::SparseMatrix<double> mass;  // n × n; lumped masses are its diagonal
  Matrix3Xd inertia;                 // 3 × n
  std::vector<Matrix6Xd> shapes;     // m of 6 × n: displacement above, rotation below
  MatrixXd stiffness, damping;       // m × m
  int tip = 0;
};

/// From the text of a file. Every mistake is added to `problems`, with the name of the file and the path of the entry. The result is
/// valid only if there was none.
ImportedLink read_imported_link(const std::string& text, const std::string& file, std::vector<Problem>& problems);

/// From a file; throws CaseError when it cannot be read or there is a mistake.
ImportedLink read_imported_link(const std::string& file);

}  // namespace lithe
