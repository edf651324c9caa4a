#pragma once

#include <vector>

#include "lithe/arm/arm.h"

namespace lithe::book83 {

/// A link of the chain: its joint's place in z and what is constant about it.
struct ChainLink {
  int q = -1;                       // where q_j stands in z; −1: a fixed joint, which has none
  int delta = 0;                    // where δ_j1 stands in z
  const FlexBasis* flex = nullptr;  // null: rigid, m_j = 0
  // The joint matrix: A_j = A_0 + A_slide q_j + A_sin sin q_j + A_cos cos q_j. The paper has the turns alone.
  bool turns = false, slides = false;
  Eigen::Matrix4d A_0 = Eigen::Matrix4d::Identity(), A_slide = Eigen::Matrix4d::Zero();
  Eigen::Matrix4d A_sin = Eigen::Matrix4d::Zero(), A_cos = Eigen::Matrix4d::Zero();
  Eigen::Matrix4d H = Eigen::Matrix4d::Identity();  // E_j undeformed (eq 6)
  Eigen::Matrix4d C = Eigen::Matrix4d::Zero();      // ½∫h hᵀ dm of a rigid link (eq 30)
  // Of a link that bends, where sections or bodies along it have inertia of their own (`has_rotary`): ∫ρρᵀ dm of them, and
  // what they add to the modal masses.
  bool has_rotary = false;
  Matrix3d rotary_moments = Matrix3d::Zero();
  SparseMatrixd rotary_mass;

  bool flexible() const { return flex != nullptr; }
  int m() const { return flex ? flex->size() : 0; }
};

/// The arm in book83's terms: links 1 … n, each with its joint on the inboard side; entry 0 represents the base. A payload on
/// the tip of a link that bends is one more rigid link, fixed to Ŵ_i, unless it is among the link's integrals already. A joint
/// of several coordinates, such as a universal one, is a chain of links without mass. Rotors behind elastic transmissions are
/// not links: they spin by themselves.
///
/// Positions and rates are numbered alike here, because no joint of the chain has more of one than of the other.
struct Chain {
  /// Throws UnsupportedError naming what lies outside: trees; joints that are no product of turns and slides by coordinates, as
  /// ball joints and free bases; beams that slide through guides. The arm must outlive the chain.
  explicit Chain(const Arm& arm);

  int n() const { return int(links.size()) - 1; }

  std::vector<ChainLink> links;
  Vector3d g;
  bool base_moves;          // as given
  bool small_tip_rotation;  // eq 5; otherwise a true rotation
  bool shortcuts;           // Tr{C} for Tr{W C Wᵀ} in eqs 72–73, as printed
};

}  // namespace lithe::book83
