#include "lithe/describe/mesh_solid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <optional>
#include <system_error>
#include <variant>

#include "lithe/describe/kept_results.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/mesh_pieces.h"
#include "lithe/describe/problem.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/whole_file.h"

namespace lithe {
namespace {

constexpr size_t most_triangles = limits::data_file_values / 12;
constexpr size_t binary_header = 84, binary_triangle = 50;

[[noreturn]] void fail(const std::string& message) { throw FieldError("", message); }

using Corners = std::vector<Vector3d>;  // three for each triangle

void demand_few(size_t n, const std::string& file) {
  if (n > most_triangles) fail(fmt::format("{}: {} triangles; at most {}", in_quotes(file, 300), n, most_triangles));
}

std::uint32_t whole_number_at(const std::string& bytes, size_t at) {
  std::uint32_t value = 0;
  for (size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

bool is_binary(const std::string& text) {
  return text.size() >= binary_header &&
         text.size() == binary_header + binary_triangle * size_t(whole_number_at(text, 80));
}

/// Normals are not read: the order of corners says which side is outside.
Corners binary_corners(const std::string& bytes, const std::string& file) {
  const size_t n = whole_number_at(bytes, 80);
  demand_few(n, file);
  Corners corners;
  corners.reserve(3 * n);
  for (size_t i = 0; i < n; ++i)
    for (size_t corner = 1; corner <= 3; ++corner) {
      Vector3d place;
      for (size_t k = 0; k < 3; ++k)
        place[Eigen::Index(k)] = double(
            std::bit_cast<float>(whole_number_at(bytes, binary_header + binary_triangle * i + 12 * corner + 4 * k)));
      if (!place.allFinite())
        fail(fmt::format("{}: triangle {} has a corner that is not a number", in_quotes(file, 300), i + 1));
      corners.push_back(place);
    }
  return corners;
}

/// solid NAME, then facets, then endsolid; several of these in turn are one surface.
class TextReader {
 public:
  TextReader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  Corners read() {
    while (more()) {
      expect("solid");
      end_line();
      while (true) {
        const std::string_view next = word();
        if (same(next, "endsolid")) break;
        if (!same(next, "facet")) complain("facet or endsolid", next);
        facet();
      }
      end_line();
    }
    return std::move(corners_);
  }

 private:
  void facet() {
    expect("normal");
    for (int k = 0; k < 3; ++k) word();  // not used, and often wrong
    expect("outer");
    expect("loop");
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      Vector3d place;
      for (double& value : place) value = number();
      corners_.push_back(place);
    }
    expect("endloop");
    expect("endfacet");
    demand_few(corners_.size() / 3, file_);
  }

  double number() {
    const std::string_view next = word();
    const char* begin = next.data() + (next.starts_with('+') ? 1 : 0);
    double value = 0;
    const auto [rest, error] = std::from_chars(begin, next.data() + next.size(), value);
    if (error != std::errc() || rest != next.data() + next.size() || !std::isfinite(value)) complain("a number", next);
    return value;
  }
  void expect(const char* wanted) {
    const std::string_view next = word();
    if (!same(next, wanted)) complain(wanted, next);
  }
  static bool same(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char c, unsigned char d) { return std::tolower(c) == d; });
  }
  [[noreturn]] void complain(const std::string& expected, std::string_view got) const {
    fail(fmt::format("{}:{}: expected {}, got {}", shortened(file_, 300), line_, expected,
                     got.empty() ? "the end of the file" : in_quotes(got, 30)));
  }

  bool more() {
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_) line_ += text_[at_] == '\n';
    return at_ < text_.size();
  }
  std::string_view word() {
    if (!more()) return {};
    const size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    return std::string_view(text_).substr(begin, at_ - begin);
  }
  /// The name of a solid may have any words.
  void end_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

  const std::string& text_;
  const std::string& file_;
  size_t at_ = 0;
  int line_ = 1;
  Corners corners_;
};

/// Numbers corners with equal coordinates alike; `corners` becomes the list of different ones.
std::vector<MeshTriangle> merged(Corners& corners) {
  std::vector<std::uint32_t> order(corners.size()), number(corners.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [](const Vector3d& a, const Vector3d& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t i, std::uint32_t j) { return before(corners[i], corners[j]); });
  Corners different;
  for (const std::uint32_t i : order) {
    if (different.empty() || different.back() != corners[i]) different.push_back(corners[i]);
    number[i] = std::uint32_t(different.size() - 1);
  }
  corners = std::move(different);
  std::vector<MeshTriangle> triangles;
  for (size_t i = 0; i + 2 < number.size(); i += 3) {
    const MeshTriangle triangle{number[i], number[i + 1], number[i + 2]};
    if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
      triangles.push_back(triangle);
  }
  return triangles;
}

/// Each edge must be passed once in each direction. Gives the pairs of triangles that share an edge.
std::vector<std::array<std::uint32_t, 2>> demand_closed(const Corners& corners,
                                                        const std::vector<MeshTriangle>& triangles,
                                                        const std::string& file) {
  struct Edge {
    std::uint32_t low, high, triangle;
    bool upwards;
    bool same_place(const Edge& other) const { return low == other.low && high == other.high; }
  };
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (size_t i = 0; i < triangles.size(); ++i)
    for (size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = triangles[i][k], b = triangles[i][(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), std::uint32_t(i), a < b});
    }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; });
  std::vector<std::array<std::uint32_t, 2>> pairs;
  pairs.reserve(edges.size() / 2);
  size_t open = 0, crowded = 0, turned = 0;
  const Edge *first_open = nullptr, *first_crowded = nullptr, *first_turned = nullptr;
  for (size_t i = 0, end = 0; i < edges.size(); i = end) {
    end = i + 1;
    while (end < edges.size() && edges[end].same_place(edges[i])) ++end;
    const auto count = [&](size_t& n, const Edge*& first) {
      if (n++ == 0) first = &edges[i];
    };
    if (end - i == 1) count(open, first_open);
    if (end - i > 2) count(crowded, first_crowded);
    if (end - i == 2) pairs.push_back({edges[i].triangle, edges[i + 1].triangle});
    if (end - i == 2 && edges[i].upwards == edges[i + 1].upwards) count(turned, first_turned);
  }
  const auto complain = [&](size_t n, const Edge* first, const char* what) {
    if (n == 0) return;
    const Vector3d &a = corners[first->low], &b = corners[first->high];
    fail(fmt::format(
        "{}: expected a closed surface: {} of its edges {}, the first from ({:g}, {:g}, {:g}) to ({:g}, {:g}, "
        "{:g})",
        in_quotes(file, 300), n, what, a.x(), a.y(), a.z(), b.x(), b.y(), b.z()));
  };
  complain(open, first_open, "are open, at one triangle only");
  complain(crowded, first_crowded, "are at more than two triangles");
  complain(turned, first_turned, "are between triangles that face opposite sides");
  return pairs;
}

}  // namespace

MeshSolid mesh_solid_of(const std::string& text, const std::string& file, double unit) {
  Corners corners;
  if (is_binary(text)) {
    corners = binary_corners(text, file);
  } else if (const size_t begin = text.find("solid");
             begin != text.npos && begin == text.find_first_not_of(" \t\r\n")) {
    corners = TextReader(text, file).read();
  } else {
    fail(fmt::format("{}: expected an STL file: text that begins with `solid`, or 84 bytes and 50 for each triangle",
                     in_quotes(file, 300)));
  }
  const std::vector<MeshTriangle> triangles = merged(corners);
  if (triangles.empty()) fail(fmt::format("{}: expected triangles, got none", in_quotes(file, 300)));
  const std::vector<std::array<std::uint32_t, 2>> neighbours = demand_closed(corners, triangles, file);
  if (const std::string fault = fault_of_pieces(corners, triangles, neighbours); !fault.empty())
    fail(fmt::format("{}: {}", in_quotes(file, 300), fault));

  MeshSolid solid;
  solid.bytes = text.size();
  solid.low = solid.high = corners.front();
  for (const Vector3d& corner : corners) {
    solid.low = solid.low.cwiseMin(corner);
    solid.high = solid.high.cwiseMax(corner);
  }
  // Tetrahedra between the triangles and one place: with s = a + b + c and six times the volume d = a·(b×c),
  //   ∫dV = d/6,   ∫r dV = d s/24,   ∫r rᵀ dV = d (s sᵀ + a aᵀ + b bᵀ + c cᵀ)/120.
  const Vector3d from = (solid.low + solid.high) / 2, extent = solid.high - solid.low;
  double volume = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const MeshTriangle& triangle : triangles) {
    const Vector3d a = corners[triangle[0]] - from, b = corners[triangle[1]] - from, c = corners[triangle[2]] - from,
                   s = a + b + c;
    const double d = a.dot(b.cross(c));
    volume += d / 6;
    first += d / 24 * s;
    second += d / 120 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  if (!(std::abs(volume) > 1e-9 * std::pow(extent.maxCoeff(), 3)))
    fail(fmt::format("{}: expected a surface with a volume inside", in_quotes(file, 300)));
  if (volume < 0) {
    volume = -volume;
    first = -first;
    second = -second;
  }
  const Vector3d centre = first / volume;
  const Matrix3d about_centre = second - volume * centre * centre.transpose();
  const double unit3 = unit * unit * unit;
  solid.volume = unit3 * volume;
  solid.centre = unit * (from + centre);
  solid.inertia = unit3 * unit * unit * (about_centre.trace() * Matrix3d::Identity() - about_centre);
  solid.low *= unit;
  solid.high *= unit;
  return solid;
}

MeshSolid mesh_solid(const Mesh& mesh) {
  using Known = std::variant<MeshSolid, std::string>;  // or what is wrong with the file
  static KeptResults<Known> kept;
  constexpr const char* field = ".shape.mesh.file";
  std::error_code none;
  std::string key = mesh.file;
  key += '\0';
  append_bytes(key, mesh.unit);
  append_bytes(key, std::filesystem::last_write_time(mesh.file, none).time_since_epoch().count());
  append_bytes(key, std::filesystem::file_size(mesh.file, none));
  std::optional<Known> known = kept.find(key);
  if (!known) {
    std::string text;
    try {
      text = whole_file(mesh.file, limits::data_file_bytes);
    } catch (const std::system_error& failure) {
      throw FieldError(field, fmt::format("cannot read {}: {}", in_quotes(mesh.file, 300),
                                          why_unread(failure.code(), limits::data_file_bytes)));
    }
    try {
      known = mesh_solid_of(text, mesh.file, mesh.unit);
    } catch (const FieldError& error) {
      known = std::string(error.what());
    }
    kept.keep(key, *known);
  }
  if (const auto* fault = std::get_if<std::string>(&*known)) throw FieldError(field, *fault);
  return std::get<MeshSolid>(*known);
}

}  // namespace lithe
