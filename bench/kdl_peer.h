#pragma once

#include <array>
#include <memory>
#include <vector>

namespace lithe::bench {

/// A link of a chain of revolute joints, in the form KDL is quickest with: every joint turns about z of the frame
/// before it. Frame E is at the far end of the link, where the next joint's z axis is; N is the joint's frame after its
/// turn.
struct KdlLink {
  std::array<double, 9> R_NE;  // row by row
  std::array<double, 3> p_NE;
  double mass;
  std::array<double, 3> com_E;
  std::array<double, 6> inertia_com_E;  // xx yy zz xy xz yz, about the mass centre
};

/// A chain in Orocos KDL. No type of Eigen's crosses this border: see CMakeLists.txt.
class __attribute__((visibility("default"))) KdlPeer {
 public:
  /// Gravity is in the frame of the first joint.
  KdlPeer(const std::vector<KdlLink>& links, const std::array<double, 3>& gravity);
  ~KdlPeer();
  KdlPeer(const KdlPeer&) = delete;
  KdlPeer& operator=(const KdlPeer&) = delete;

  // Every pointer is to n numbers, one per joint; M has n × n.
  void mass_matrix(const double* q, double* M);
  void inverse(const double* q, const double* v, const double* vdot, double* tau);
  /// ChainFdSolver_RNE: factors the mass matrix.
  void forward_by_mass_matrix(const double* q, const double* v, const double* tau, double* vdot);
  /// ChainHdSolver_Vereshchagin, constraining nothing: the articulated-body recursion.
  void forward_by_recursion(const double* q, const double* v, const double* tau, double* vdot);

 private:
  struct Solvers;
  std::unique_ptr<Solvers> solvers_;
};

}  // namespace lithe::bench
