#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace lithe::bench {

/// A link of a chain of revolute joints, in the form KDL is quickest with: every joint turns about z of the frame before it.
/// Frame E is at the far end of the link, where the next joint's z axis is; N is the joint's frame after its turn.
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
  using In = std::span<const double>;
  using Out = std::span<double>;

  /// Gravity is in the frame of the first joint.
  KdlPeer(const std::vector<KdlLink>& links, const std::array<double, 3>& gravity);
  ~KdlPeer();
  KdlPeer(const KdlPeer&) = delete;
  KdlPeer& operator=(const KdlPeer&) = delete;

  void mass_matrix(In q, Out M);                                // n × n
  void inverse(In q, In v, In vdot, Out tau);
  void forward_by_mass_matrix(In q, In v, In tau, Out vdot);    // ChainFdSolver_RNE
  void forward_by_recursion(In q, In v, In tau, Out vdot);      // ChainHdSolver_Vereshchagin, constraining nothing

 private:
  struct Solvers;
  std::unique_ptr<Solvers> solvers_;
};

}  // namespace lithe::bench
