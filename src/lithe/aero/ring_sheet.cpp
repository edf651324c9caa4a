#include "lithe/aero/ring_sheet.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace lithe::aero {
namespace {

constexpr int lanes = VectorArray::lanes;
/// The same of four targets: one register with AVX2, elsewhere the compiler splits it.
typedef double Pack __attribute__((vector_size(lanes * sizeof(double)), may_alias));

Pack load(const Eigen::ArrayXd& from, int k) { return Pack{from[k], from[k + 1], from[k + 2], from[k + 3]}; }

inline Pack root(Pack x) {
  Pack result;
  for (int lane = 0; lane < lanes; ++lane) result[lane] = std::sqrt(x[lane]);
  return result;
}

struct PackVector {
  Pack x, y, z;
};

struct Ray : PackVector {
  Pack length;  // from a node to four targets
};

/// A target closer to a segment's line than 1e-10 of its length counts as on it; here to the power that is compared.
constexpr double on_segment = 1e-20;

PackVector mirrored(const Eigen::Vector3d& point, const Eigen::Vector3d& n, const PackVector& p) {
  const Pack twice = 2 * (p.x * n.x() + p.y * n.y() + p.z * n.z() - point.dot(n));
  return {p.x - twice * n.x(), p.y - twice * n.y(), p.z - twice * n.z()};
}

}  // namespace

/// Sums over a sheet for four targets.
struct View {
  const RingSheet& sheet;
  PackVector at;  // the targets
  Ray *above, *below;

  View(const RingSheet& s, const PackVector& targets)
      : sheet(s), at(targets), above(reinterpret_cast<Ray*>(s.rows_seen_.data())), below(above + s.columns_ + 1) {}

  /// The next row of nodes comes below.
  void look(int i_row) {
    std::swap(above, below);
    const int first = sheet.node(i_row, 0);
    for (int j = 0; j <= sheet.columns_; ++j) {
      Ray ray;
      ray.x = at.x - sheet.nodes.x[first + j];
      ray.y = at.y - sheet.nodes.y[first + j];
      ray.z = at.z - sheet.nodes.z[first + j];
      ray.length = root(ray.x * ray.x + ray.y * ray.y + ray.z * ray.z);
      below[j] = ray;
    }
  }

  /// Eq. (2) without Γ/4π: gives r₁ × r₂ and its factor.
  static inline Pack factor(const Ray& a, const Ray& b, const RingSheet::Segment& segment, PackVector& cross) {
    cross.x = a.y * b.z - a.z * b.y;
    cross.y = a.z * b.x - a.x * b.z;
    cross.z = a.x * b.y - a.y * b.x;
    const Pack lengths = a.length * b.length, dot = a.x * b.x + a.y * b.y + a.z * b.z;
    const Pack cross2 = cross.x * cross.x + cross.y * cross.y + cross.z * cross.z;
    // Beside the segment both sides of the fraction are multiplied by |r₁||r₂| − r₁·r₂.
    const auto beside = dot < 0;
    const Pack scale = beside ? lengths - dot : Pack{1, 1, 1, 1};
    const Pack measure = beside ? cross2 : lengths + dot;
    const Pack quotient = (a.length + b.length) * scale / (lengths * measure + segment.core * scale);
    return cross2 > segment.least ? quotient : Pack{};
  }

  PackVector velocity() {
    PackVector sum{Pack{}, Pack{}, Pack{}};
    auto add = [&sum](const Ray& a, const Ray& b, const RingSheet::Segment& segment) {
      PackVector cross;
      const Pack f = segment.strength * factor(a, b, segment, cross);
      sum.x += f * cross.x;
      sum.y += f * cross.y;
      sum.z += f * cross.z;
    };
    const int columns = sheet.columns_;
    look(0);
    const RingSheet::Segment *span = sheet.along_span_.data(), *rear = sheet.to_rear_.data();
    for (int j = 0; j < columns; ++j) add(below[j], below[j + 1], *span++);
    for (int i = 0; i < sheet.rows; ++i) {
      look(i + 1);
      for (int j = 0; j <= columns; ++j) add(above[j], below[j], *rear++);
      for (int j = 0; j < columns; ++j) add(below[j], below[j + 1], *span++);
    }
    return sum;
  }

  /// Adds n · velocity by each ring of circulation one to the first `used` of four rows of a.
  void add_normal_velocity(const PackVector& normal, int used, double* a, Eigen::Index stride) {
    // Each segment belongs to the rings on both of its sides.
    auto add = [&](const Ray& p, const Ray& q, const RingSheet::Segment& segment, int plus_ring, int minus_ring) {
      PackVector cross;
      const Pack f = factor(p, q, segment, cross) / (4 * std::numbers::pi);
      const Pack normal_part = f * (cross.x * normal.x + cross.y * normal.y + cross.z * normal.z);
      for (int lane = 0; lane < used; ++lane) {
        if (plus_ring >= 0) a[plus_ring * stride + lane] += normal_part[lane];
        if (minus_ring >= 0) a[minus_ring * stride + lane] -= normal_part[lane];
      }
    };
    const int columns = sheet.columns_, rows = sheet.rows;
    for (int i = 0; i <= rows; ++i) {
      look(i);
      for (int j = 0; i > 0 && j <= columns; ++j)
        add(above[j], below[j], sheet.to_rear_[sheet.node(i - 1, j)], j > 0 ? sheet.ring(i - 1, j - 1) : -1,
            j < columns ? sheet.ring(i - 1, j) : -1);
      for (int j = 0; j < columns; ++j)
        add(below[j], below[j + 1], sheet.along_span_[sheet.ring(i, j)], i < rows ? sheet.ring(i, j) : -1,
            i > 0 ? sheet.ring(i - 1, j) : -1);
    }
  }
};

RingSheet::RingSheet(int most_rows, int columns)
    : nodes((most_rows + 1) * (columns + 1)),
      circulation(Eigen::ArrayXd::Zero(most_rows * columns)),
      most_rows_(most_rows),
      columns_(columns),
      along_span_((most_rows + 1) * columns),
      to_rear_(most_rows * (columns + 1)),
      rows_seen_(2 * (columns + 1) * int(sizeof(Ray) / sizeof(double))) {}

RingSheet::Segment RingSheet::segment(int node_a, int node_b, double gamma, double core) const {
  const double l2 = (nodes[node_b] - nodes[node_a]).squaredNorm();
  return {gamma / (4 * std::numbers::pi), 0.5 * core * core * l2, on_segment * l2 * l2};
}

void RingSheet::prepare(double core) {
  // Eq. (1).
  for (int i = 0; i <= rows; ++i)
    for (int j = 0; j < columns_; ++j) {
      const double gamma = (i < rows ? circulation[ring(i, j)] : 0) - (i > 0 ? circulation[ring(i - 1, j)] : 0);
      along_span_[ring(i, j)] = segment(node(i, j), node(i, j + 1), gamma, core);
    }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j <= columns_; ++j) {
      const double gamma = (j > 0 ? circulation[ring(i, j - 1)] : 0) - (j < columns_ ? circulation[ring(i, j)] : 0);
      to_rear_[node(i, j)] = segment(node(i, j), node(i + 1, j), gamma, core);
    }
}

void RingSheet::add_velocity(const VectorArray& targets, int first, const std::optional<SymmetryPlane>& plane,
                             VectorArray& velocity) const {
  if (rows == 0) return;
  const Eigen::Vector3d n = plane ? plane->normal.normalized() : Eigen::Vector3d::Zero();
  for (int k = first; k < targets.n; k += lanes) {
    // The last pack may reach beyond the padding: then it steps back and counts only what has not been counted.
    const int at = std::min(k, targets.padded() - lanes);
    const PackVector here{load(targets.x, at), load(targets.y, at), load(targets.z, at)};
    PackVector sum = View(*this, here).velocity();
    if (plane) {
      // The image flows as M v(M x) with M the reflection.
      const PackVector image = View(*this, mirrored(plane->point, n, here)).velocity();
      const PackVector back = mirrored(Eigen::Vector3d::Zero(), n, image);
      sum.x += back.x;
      sum.y += back.y;
      sum.z += back.z;
    }
    for (int lane = k - at; lane < lanes; ++lane) {
      velocity.x[at + lane] += sum.x[lane];
      velocity.y[at + lane] += sum.y[lane];
      velocity.z[at + lane] += sum.z[lane];
    }
  }
}

void RingSheet::add_influence(const VectorArray& targets, const VectorArray& normals,
                              const std::optional<SymmetryPlane>& plane, Eigen::Ref<Eigen::MatrixXd> a,
                              int first_column) const {
  const Eigen::Vector3d n = plane ? plane->normal.normalized() : Eigen::Vector3d::Zero();
  for (int k = 0; k < targets.n; k += lanes) {
    const PackVector here{load(targets.x, k), load(targets.y, k), load(targets.z, k)};
    const PackVector normal{load(normals.x, k), load(normals.y, k), load(normals.z, k)};
    const int used = std::min(lanes, targets.n - k);
    double* block = a.data() + first_column * a.outerStride() + k;
    View(*this, here).add_normal_velocity(normal, used, block, a.outerStride());
    if (plane)  // n · M v(M x) = M n · v(M x)
      View(*this, mirrored(plane->point, n, here))
          .add_normal_velocity(mirrored(Eigen::Vector3d::Zero(), n, normal), used, block, a.outerStride());
  }
}

}  // namespace lithe::aero
