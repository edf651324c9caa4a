#include "lithe/dynamics/kane/section_poses.h"

#include <algorithm>
#include <cmath>

#include "lithe/beam/exact/strain_basis.h"
#include "lithe/spatial/counted.h"
#include "lithe/spatial/demand.h"
#include "lithe/spatial/exp_map.h"
#include "lithe/spatial/quadrature.h"

namespace lithe::kane {
namespace {

/// Legendre's polynomial of z = 2s − 1 by its sum over powers, from the highest down, every second of which is zero:
/// Σ (−1)ᵏ (2n−2k)! / (2ⁿ k! (n−k)! (n−2k)!) zⁿ⁻²ᵏ.
double legendre(int n, double s) {
  const double z = 2 * s - 1;
  double term = 1, sum = 0;
  for (int k = 1; k <= n; ++k) term *= (2 * k - 1) / double(k);
  for (int k = 0; 2 * k <= n; ++k) {
    sum += term * std::pow(z, n - 2 * k);
    term *= -double((n - 2 * k) * (n - 2 * k - 1)) / double(2 * (k + 1) * (2 * n - 2 * k - 1));
  }
  return sum;
}

/// The polynomial that is 1 at points[j] and 0 at the others.
double lagrange(const std::vector<double>& points, int j, double x) {
  double product = 1;
  for (int i = 0; i < int(points.size()); ++i)
    if (i != j) product *= (x - points[size_t(i)]) / (points[size_t(j)] - points[size_t(i)]);
  return product;
}

template <class S>
Eigen::Matrix3<S> cross_matrix(const Eigen::Vector3<S>& v) {
  Eigen::Matrix3<S> result;
  result << S(0), -v.z(), v.y(), v.z(), S(0), -v.x(), -v.y(), v.x(), S(0);
  return result;
}

/// w with [w]× the skew part of A.
template <class S>
Eigen::Vector3<S> axial_vector(const Eigen::Matrix3<S>& A) {
  return S(0.5) * Eigen::Vector3<S>(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1));
}

/// d²b/dx² of b = (1 − cos|θ|)/x: by its series, or from x b′ = a/2 − b with a′ = (c − b)/2.
template <class S>
S second_slope_of_b(const ExpMapOf<S>& at) {
  if (!(at.x < S(1))) return ((at.c - at.b) / S(4) - S(2) * at.db) / at.x;
  static constexpr ExpSeries<12> terms;
  S sum = 0;
  for (int k = 11; k >= 2; --k) sum = sum * at.x + S(k * (k - 1) * terms.b[size_t(k)]);
  return sum;
}

}  // namespace

template <class S>
SectionPoses<S>::SectionPoses(const Link& link) {
  const StrainBasis& basis = *link.flex->exact;
  const Strains& strains = basis.strains;
  LITHE_DEMAND(strains.order == 4);
  length_ = basis.length;
  const std::pair<int, Term> kinds[] = {{strains.bending_y, {2, 1, 0}}, {strains.bending_z, {1, -1, 0}},
                                        {strains.torsion, {0, 1, 0}},   {strains.axial, {3, 1, 0}},
                                        {strains.shear_y, {4, 1, 0}},   {strains.shear_z, {5, 1, 0}}};
  for (const auto& [count, kind] : kinds)
    for (int degree = 0; degree < count; ++degree) terms_.push_back({kind.row, kind.sign, degree});

  std::vector<double> points, weights;
  for (const QuadraturePoint& point : gauss_points(0, length_, strains.points)) {
    points.push_back(point.x);
    weights.push_back(point.weight);
    std::vector<double> here;
    for (const Term& term : terms_)
      here.push_back(term.row < 3 ? 0 : term.sign * legendre(term.degree, point.x / length_));
    strains_.push_back(std::move(here));
  }

  // Sections from root to tip: points, bodies, the tip.
  struct Place {
    double x;
    int point;
    RigidInertia body;
  };
  std::vector<Place> places;
  for (int j = 0; j < strains.points; ++j) places.push_back({points[size_t(j)], j, {}});
  for (const AlongBody& body : link.along) places.push_back({body.x(), -1, body.body.about_frame()});
  places.push_back({length_, -1, {}});
  std::ranges::stable_sort(places, {}, &Place::x);
  double before = 0;
  for (const Place& place : places) {
    constants_.push_back(constants(before, place.x, points, strains.initial_curvature));
    constants_.back().point = place.point;
    before = place.x;
    Section section;
    section.body = place.body;
    section.turn = section.slide = Eigen::Matrix3X<S>::Zero(3, size());
    sections_.push_back(std::move(section));
  }
  make_masses(link, points, weights);
  R_.resize(sections_.size());
  p_.resize(sections_.size());
  t_.resize(points.size());
  unit_.setZero(size());
}

/// A section's mass and inertia are polynomials of x, of degree four at most: a taper changes its dimensions linearly. So five stations of the
/// link give them everywhere.
template <class S>
void SectionPoses<S>::make_masses(const Link& link, const std::vector<double>& points,
                                  const std::vector<double>& weights) {
  const Stations& stations = link.flex->stations;
  constexpr int n = 5;
  std::vector<double> places;
  std::vector<size_t> which;
  for (int i = 0; i < n; ++i) {
    const double wanted = length_ * i / (n - 1);
    const auto nearest = std::ranges::min_element(stations.x, {}, [&](double x) { return std::abs(x - wanted); });
    which.push_back(size_t(nearest - stations.x.begin()));
    places.push_back(*nearest);
  }
  for (size_t s = 0; s < sections_.size(); ++s) {
    const int point = constants_[s].point;
    if (point < 0) continue;
    double mass = 0;
    Vector3d rotary = Vector3d::Zero();
    for (int i = 0; i < n; ++i) {
      const double share = lagrange(places, i, points[size_t(point)]);
      mass += share * stations.mass[which[size_t(i)]];
      rotary += share * stations.rotary[which[size_t(i)]];
    }
    const double weight = weights[size_t(point)];
    sections_[s].body = RigidInertia::about_com(weight * mass, Vector3d::Zero(), (weight * rotary).asDiagonal());
  }
}

template <class S>
typename SectionPoses<S>::Constants SectionPoses<S>::constants(double from, double to,
                                                               const std::vector<double>& points,
                                                               const Vector3d& curvature) const {
  Constants result;
  const double h = to - from;
  result.moment0.assign(terms_.size(), 0);
  result.moment1.assign(terms_.size(), 0);
  constexpr int enough = 12;  // for polynomials of degree 23: the terms are a few
  for (const QuadraturePoint& at : gauss_points(-0.5, 0.5, enough)) {
    const double x = (from + to) / 2 + at.x * h, weight = at.weight * h;
    for (size_t k = 0; k < terms_.size(); ++k) {
      if (terms_[k].row >= 3) continue;
      const double curved = terms_[k].sign * legendre(terms_[k].degree, x / length_) / length_;
      result.moment0[k] += weight * curved;
      result.moment1[k] += weight * at.x * curved;
    }
    result.initial0 += weight * curvature;
    result.initial1 += weight * at.x * curvature;
  }
  for (int j = 0; j < int(points.size()); ++j) {
    double sum = 0;
    for (const QuadraturePoint& at : gauss_points(0, to, enough)) sum += at.weight * lagrange(points, j, at.x);
    result.reach.push_back(sum);
  }
  return result;
}

/// exp[θ]× = 1 + a[θ]× + b[θ]×².
template <class S>
typename SectionPoses<S>::MatrixJet SectionPoses<S>::rotation(const VectorJet& theta) {
  const ExpMapOf<S> at(theta.value);
  const Jet<S> x = product<S>(theta, theta, [](const Vector& u, const Vector& v) { return S(u.dot(v)); });
  const Jet<S> a = function<S>(x, at.a, (at.c - at.b) / S(2), (at.dc - at.db) / S(2));
  const Jet<S> b = function<S>(x, at.b, at.db, second_slope_of_b(at));
  const MatrixJet once{cross_matrix(theta.value), cross_matrix(theta.first), cross_matrix(theta.second)};
  const auto scaled = [](const S& s, const Matrix& A) { return Matrix(s * A); };
  const MatrixJet twice = product<Matrix>(once, once, [](const Matrix& A, const Matrix& B) { return Matrix(A * B); });
  const MatrixJet of_a = product<Matrix>(a, once, scaled), of_b = product<Matrix>(b, twice, scaled);
  return {Matrix::Identity() + of_a.value + of_b.value, of_a.first + of_b.first, of_a.second + of_b.second};
}

/// Poses of all sections on the way from δ along a direction (5), (2).
template <class S>
void SectionPoses<S>::move_along(const Coordinates& delta, const Coordinates& direction) {
  const auto turned = [](const Matrix& A, const Vector& v) { return Vector(A * v); };
  MatrixJet R{Matrix::Identity(), Matrix::Zero(), Matrix::Zero()};
  for (size_t s = 0; s < sections_.size(); ++s) {
    const Constants& here = constants_[s];
    VectorJet a{here.initial0.template cast<S>(), Vector::Zero(), Vector::Zero()};
    VectorJet beta{here.initial1.template cast<S>(), Vector::Zero(), Vector::Zero()};
    for (int k = 0; k < size(); ++k) {
      const int row = terms_[size_t(k)].row;
      if (row >= 3) continue;
      const S z0 = here.moment0[size_t(k)], z1 = here.moment1[size_t(k)];
      a.value[row] += z0 * delta[k];
      a.first[row] += z0 * direction[k];
      beta.value[row] += z1 * delta[k];
      beta.first[row] += z1 * direction[k];
    }
    const VectorJet twist =
        product<Vector>(a, beta, [](const Vector& u, const Vector& v) { return Vector(u.cross(v)); });
    const MatrixJet step = rotation({a.value + twist.value, a.first + twist.first, a.second + twist.second});
    R = product<Matrix>(R, step, [](const Matrix& A, const Matrix& B) { return Matrix(A * B); });
    R_[s] = R;
    if (here.point < 0) continue;
    VectorJet nu{Vector::UnitX(), Vector::Zero(), Vector::Zero()};
    for (int k = 0; k < size(); ++k) {
      const int row = terms_[size_t(k)].row;
      if (row < 3) continue;
      const S strain = strains_[size_t(here.point)][size_t(k)];
      nu.value[row - 3] += strain * delta[k];
      nu.first[row - 3] += strain * direction[k];
    }
    t_[size_t(here.point)] = product<Vector>(R, nu, turned);
  }
  for (size_t s = 0; s < sections_.size(); ++s) {
    p_[s] = {Vector::Zero(), Vector::Zero(), Vector::Zero()};
    for (size_t j = 0; j < t_.size(); ++j) {
      const S reach = constants_[s].reach[j];
      p_[s].value += reach * t_[j].value;
      p_[s].first += reach * t_[j].first;
      p_[s].second += reach * t_[j].second;
    }
  }
}

template <class S>
void SectionPoses<S>::update(const Coordinates& delta, const Coordinates& rate) {
  for (int k = 0; k < size(); ++k) {
    unit_.setZero();
    unit_[k] = S(1);
    move_along(delta, unit_);
    for (size_t s = 0; s < sections_.size(); ++s) {
      sections_[s].turn.col(k) = axial_vector(Matrix(R_[s].first * R_[s].value.transpose()));
      sections_[s].slide.col(k) = p_[s].first;
    }
  }
  move_along(delta, rate);
  for (size_t s = 0; s < sections_.size(); ++s) {
    sections_[s].R = R_[s].value;
    sections_[s].p = p_[s].value;
    // R̈Rᵀ = [ẇ]× + [w]×², of which the second is symmetric.
    sections_[s].turn_bias = axial_vector(Matrix(R_[s].second * R_[s].value.transpose()));
    sections_[s].slide_bias = p_[s].second;
  }
}

template class SectionPoses<double>;
template class SectionPoses<Counted>;

}  // namespace lithe::kane
