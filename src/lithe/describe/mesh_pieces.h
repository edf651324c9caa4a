#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe {

/// Three corners, by their number.
using MeshTriangle = std::array<std::uint32_t, 3>;

/// What is wrong with the separate pieces of a closed surface, or "": the divergence theorem adds what lies in two of them twice, and
/// subtracts one that is turned inside-out. With pieces that face inwards, hollows, counted as minus one, every place must be enclosed once
/// or not at all; if most of the volume faces inwards, the whole is turned first. Pieces may touch. Up to 64 points in each piece are
/// compared with the others: an overlap by less than a tenth of a piece may pass.
/// `neighbours`: the pairs of triangles that share an edge, which are in one piece.
std::string fault_of_pieces(std::span<const Vector3d> corners, std::span<const MeshTriangle> triangles,
                            std::span<const std::array<std::uint32_t, 2>> neighbours);

}  // namespace lithe
