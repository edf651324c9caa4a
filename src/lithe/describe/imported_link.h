#pragma once

#include <Eigen/SparseCore>
#include <optional>
#include <string>
#include <vector>

#include "lithe/describe/problem.h"
#include "lithe/spatial/spatial.h"

namespace lithe {

/// The constants of Book's method. Their ½ is the paper's.
struct LinkConstants {
  Eigen::Matrix4d C = Eigen::Matrix4d::Zero();
  std::vector<Eigen::Matrix4d> C_k;                // m
  std::vector<std::vector<Eigen::Matrix4d>> C_kj;  // m of m
};

/// A flexible link given by its shapes, as exported by a finite-element program. All values are in link axes and SI units:
///
///   {"nodes":     [[x, y, z], …],          n places of the undeformed link, from the link frame
///    "mass":      [m, …]                   n lumped masses, or an n × n matrix that is the same for each direction
///    "inertia":   [[jx, jy, jz], …],       optional: n × 3 moments of inertia of the nodes about themselves
///    "shapes":    [[[ux, uy, uz, rx, ry, rz], …], …],   per coordinate and node: displacement and rotation
///    "stiffness": [[…], …],                m × m
///    "damping":   [[…], …],                optional: m × m
///    "tip":       7}                       the node, counted from zero, that carries the next link
///
/// or by its constants, those of Book's method (book83, eqs 25, 28, 30, 42; h₀ = [1 x y z]ᵀ undeformed, φ_k = [0 u_x u_y u_z]ᵀ):
///
///   {"C":       4 × 4                      ½∫ h₀ h₀ᵀ dm
///    "C_k":     m of 4 × 4                 ½∫ h₀ φ_kᵀ dm
///    "C_kj":    m × m of 4 × 4             ½∫ φ_k φ_jᵀ dm
///    "K":       [[…], …],                  m × m
///    "damping": [[…], …],                  optional: m × m
///    "tip":     {"place": [x, y, z],       where the undeformed link carries the next one
///                "displacement": [[ux, uy, uz], …], "rotation": [[rx, ry, rz], …]}}      the shapes there
///
/// Then nothing is known of the link between its root and its tip, which are its two nodes.
struct ImportedLink {
  Matrix3Xd nodes;                   // 3 × n
  Eigen::SparseMatrix<double> mass;  // n × n; lumped masses are its diagonal
  Matrix3Xd inertia;                 // 3 × n
  std::vector<Matrix6Xd> shapes;     // m of 6 × n: displacement above, rotation below
  MatrixXd stiffness, damping;       // m × m
  int tip = 0;
  std::optional<LinkConstants> constants;  // instead of masses
};

/// From the text of a file. Every mistake is added to `problems`, with the name of the file and the path of the entry. The result is
/// valid only if there was none.
ImportedLink read_imported_link(const std::string& text, const std::string& file, std::vector<Problem>& problems);

/// From a file; throws CaseError when it cannot be read or there is a mistake.
ImportedLink read_imported_link(const std::string& file);

}  // namespace lithe
