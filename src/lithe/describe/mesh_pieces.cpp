#include "lithe/describe/mesh_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "lithe/describe/limits.h"

namespace lithe {
namespace {

/// A closed surface that is connected by edges.
struct Piece {
  std::vector<std::uint32_t> triangles;
  Vector3d low, high;
  double volume = 0;  // negative: it faces inwards

  bool may_hold(const Vector3d& p) const { return (p.array() >= low.array() && p.array() <= high.array()).all(); }
  bool may_meet(const Piece& other) const {
    return (low.array() <= other.high.array() && other.low.array() <= high.array()).all();
  }
};

class Pieces {
 public:
  Pieces(std::span<const Vector3d> corners, std::span<const MeshTriangle> triangles)
      : corners_(corners), triangles_(triangles) {}

  std::string fault(std::span<const std::array<std::uint32_t, 2>> neighbours) {
    divide(neighbours);
    if (pieces_.size() == 1) return "";
    if (pieces_.size() > limits::mesh_pieces)
      return fmt::format("{} separate surfaces; at most {}", pieces_.size(), limits::mesh_pieces);
    double volume = 0;
    for (Piece& piece : pieces_) {
      measure(piece);
      volume += piece.volume;
    }
    turned_ = volume < 0 ? -1 : 1;
    std::int64_t comparisons = 0;
    for (const Piece& piece : pieces_) {
      std::vector<const Piece*> others;
      for (const Piece& other : pieces_)
        if (&other != &piece && piece.may_meet(other)) {
          others.push_back(&other);
          comparisons += std::int64_t(other.triangles.size());
        }
      if (comparisons > limits::mesh_comparisons)
        return "too many separate surfaces may lie in each other: expected fewer, or fewer triangles";
      if (std::string fault = fault_of(piece, others); !fault.empty()) return fault;
    }
    return "";
  }

 private:
  void divide(std::span<const std::array<std::uint32_t, 2>> neighbours) {
    std::vector<std::uint32_t> root(triangles_.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::uint32_t i) {
      for (; root[i] != i; i = root[i]) root[i] = root[root[i]];
      return i;
    };
    for (const auto& [a, b] : neighbours) root[find(a)] = find(b);
    constexpr auto none = std::numeric_limits<size_t>::max();
    std::vector<size_t> number(triangles_.size(), none);
    for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
      size_t& own = number[find(i)];
      if (own == none) {
        own = pieces_.size();
        pieces_.emplace_back();
      }
      pieces_[own].triangles.push_back(i);
    }
  }

  std::array<Vector3d, 3> places(std::uint32_t i) const {
    const MeshTriangle& triangle = triangles_[i];
    return {corners_[triangle[0]], corners_[triangle[1]], corners_[triangle[2]]};
  }

  void measure(Piece& piece) const {
    piece.low = piece.high = places(piece.triangles.front())[0];
    for (const std::uint32_t i : piece.triangles)
      for (const Vector3d& corner : places(i)) {
        piece.low = piece.low.cwiseMin(corner);
        piece.high = piece.high.cwiseMax(corner);
      }
    const Vector3d from = (piece.low + piece.high) / 2;
    for (const std::uint32_t i : piece.triangles) {
      const auto [a, b, c] = places(i);
      piece.volume += (a - from).dot((b - from).cross(c - from)) / 6;
    }
  }

  /// How often the pieces' surfaces enclose a point, those that face inwards counted as minus one: the sum of the solid angles over 4π.
  /// [Van Oosterom and Strackee 1983] IEEE Transactions on Biomedical Engineering 30, 125-126.
  double enclosed(const Vector3d& p, const std::vector<const Piece*>& pieces) const {
    double angle = 0;
    for (const Piece* piece : pieces) {
      if (!piece->may_hold(p)) continue;
      for (const std::uint32_t i : piece->triangles) {
        auto [a, b, c] = places(i);
        a -= p, b -= p, c -= p;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        angle += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
      }
    }
    return turned_ * angle / (2 * std::numbers::pi);
  }

  /// A point inside the piece: on the way from a point of the triangle, perpendicular to it, to the next triangle. `share`: how far.
  std::optional<Vector3d> inside(const Piece& piece, std::uint32_t i, double u, double v, double share) const {
    const auto [a, b, c] = places(i);
    const Vector3d normal = (b - a).cross(c - a);
    if (!(normal.norm() > 0)) return {};
    const Vector3d from = a + u * (b - a) + v * (c - a), way = (piece.volume > 0 ? -1 : 1) * normal.normalized();
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::uint32_t k : piece.triangles) {
      if (k == i) continue;
      // [Möller and Trumbore 1997] Journal of Graphics Tools 2, 21-28; edges belong to both triangles.
      const auto [o, p, q] = places(k);
      const Vector3d e1 = p - o, e2 = q - o, h = way.cross(e2), s = from - o;
      const double det = e1.dot(h);
      if (det == 0) continue;
      const double x = s.dot(h) / det, y = way.dot(s.cross(e1)) / det;
      if (x < 0 || y < 0 || x + y > 1) continue;
      const double t = e2.dot(s.cross(e1)) / det;
      if (t > 0) nearest = std::min(nearest, t);
    }
    if (!std::isfinite(nearest) || !(nearest > 1e-9 * (piece.high - piece.low).maxCoeff())) return {};
    return from + share * nearest * way;
  }

  std::string fault_of(const Piece& piece, const std::vector<const Piece*>& others) const {
    const bool hollow = turned_ * piece.volume < 0;
    if (others.empty() && !hollow) return "";
    size_t work = piece.triangles.size();
    for (const Piece* other : others) work += other->triangles.size();
    const size_t most = std::clamp<size_t>(20'000'000 / work / pieces_.size(), 1, 64);

    // Evenly over the surface: triangles by their area, and places by multiples of irrational numbers.
    std::vector<double> areas;
    double area = 0;
    for (const std::uint32_t i : piece.triangles) {
      const auto [a, b, c] = places(i);
      areas.push_back(area += (b - a).cross(c - a).norm());
    }
    const auto part = [](double of) { return of - std::floor(of); };
    size_t n = 0, wrong = 0;
    bool twice = false;
    Vector3d where = Vector3d::Zero();
    for (size_t k = 1; k <= most; ++k) {
      const auto at = std::lower_bound(areas.begin(), areas.end(), area * part(double(k) * 0.8566748838545029));
      const std::uint32_t i = piece.triangles[size_t(std::min(at, areas.end() - 1) - areas.begin())];
      double u = part(double(k) * 0.7338918566271260), v = part(double(k) * 0.6287067210378087);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const std::optional<Vector3d> p = inside(piece, i, u, v, 0.05 + 0.9 * part(double(k) * 0.5385972572236101));
      if (!p) continue;
      ++n;
      const long times = std::lround(enclosed(*p, others)) + (hollow ? -1 : 1);
      if (times == 0 || times == 1) continue;
      if (wrong++ == 0) {
        where = *p;
        twice = times > 1;
      }
    }
    if (20 * wrong <= n) return "";
    const std::string there = fmt::format("({:g}, {:g}, {:g})", where.x(), where.y(), where.z());
    return twice ? fmt::format(
                       "a separate surface faces outwards and lies in another, or overlaps it: around {}; a "
                       "hollow must face inwards, and pieces must not overlap",
                       there)
                 : fmt::format("a separate surface faces inwards, but is no hollow in another: around {}", there);
  }

  std::span<const Vector3d> corners_;
  std::span<const MeshTriangle> triangles_;
  std::vector<Piece> pieces_;
  double turned_ = 1;
};

}  // namespace

std::string fault_of_pieces(std::span<const Vector3d> corners, std::span<const MeshTriangle> triangles,
                            std::span<const std::array<std::uint32_t, 2>> neighbours) {
  return Pieces(corners, triangles).fault(neighbours);
}

}  // namespace lithe
