#include "lithe/dynamics/finite_element/sliding_beam.h"

#include <fmt/format.h>

namespace lithe {
namespace {

/// [moment; force] about the origin of a force [f; m] at r.
Vector6d wrench_of(const Vector3d& r, const Vector6d& force) {
  Vector6d wrench;
  wrench << r.cross(force.head<3>()) + force.tail<3>(), force.head<3>();
  return wrench;
}

}  // namespace

SlidingBeam::SlidingBeam(const LinkSpec& spec, bool rotary_inertia, std::vector<double> fractions)
    : link_(spec.name),
      joint_(spec.joint.name),
      guide_(*spec.joint.guide),
      length_(spec.beam->length),
      full_integration_(std::get<Elements>(spec.beam->flexibility).integration == Integration::full),
      matter_(BeamMatter(*spec.beam, rotary_inertia).at(0)),
      xi_(std::move(fractions)) {
  if (spec.beam->damping) beta_ = std::get<RayleighDamping>(*spec.beam->damping).beta;
  inertia_ << Vector3d::Constant(matter_.mass), matter_.rotary;
  for (Matrix6Xd* values : {&u, &rate, &acceleration}) values->setZero(6, n_nodes());
  // [u_x′, u_y′ − θ_z, u_z′ + θ_y, θ′], shear by the rotation in the middle
  mean_part_.setZero();
  slope_part_ << -Matrix6d::Identity(), Matrix6d::Identity();
  for (const int node : {0, 6}) {
    mean_part_(1, node + 5) = -0.5;
    mean_part_(2, node + 4) = 0.5;
  }
}

void SlidingBeam::slide(double q, double v, double a) {
  free_ = length_ + q - guide_.exit;
  true_speed_ = v;
  speed_ = guide_.transport ? v : 0;
  growth_ = guide_.transport ? a : 0;
  if (!(free_ > 0) || free_ > length_ * (1 + 1e-9))
    throw GuideError(fmt::format(
        "the beam of link '{}' {} its guide: with joint '{}' at {:.9g} m its free length is {:.9g} m of {:.9g} m",
        link_, free_ > 0 ? "has left" : "has been drawn into", joint_, q, free_, length_));
}

SlidingBeam::Span SlidingBeam::span(int element) const {
  const double d_xi = xi_[element + 1] - xi_[element];
  return {free_ * d_xi, d_xi, (u.col(element + 1) - u.col(element)) / d_xi,
          (rate.col(element + 1) - rate.col(element)) / d_xi};
}

Vector6d SlidingBeam::jump(int node) const {
  return node == 0 ? span(0).slope : Vector6d(span(node).slope - span(node - 1).slope);
}
Vector6d SlidingBeam::mean_slope(int node) const {
  return node == 0 ? Vector6d(span(0).slope / 2) : Vector6d((span(node).slope + span(node - 1).slope) / 2);
}

Vector6d SlidingBeam::material(double l) const {
  Vector6d stiffness;
  stiffness << matter_.stretch, matter_.bending;
  // Shear integrated fully: what the one point leaves out acts on the difference of the rotations.
  if (full_integration_) stiffness.tail<2>() += l * l / 12 * Eigen::Vector2d(matter_.stretch.z(), matter_.stretch.y());
  return stiffness;
}

Eigen::Matrix<double, 12, 1> SlidingBeam::ends(const Matrix6Xd& values, int element) const {
  Eigen::Matrix<double, 12, 1> both;
  both << values.col(element), values.col(element + 1);
  return both;
}

SlidingBeam::Reaction SlidingBeam::inertia_forces(const FrameMotion& B, Eigen::Ref<VectorXd> force) const {
  Reaction reaction;
  reaction.on_base = inertia_wrench(straight_part(), B);
  force.setZero();
  const double bend = growth_ / free_ - 2 * speed_ * speed_ / (free_ * free_);  // ξ̈ = (1−ξ) bend
  Vector3d spin = Vector3d::Zero();                                             // ∫ j(ω + θ̇) dx beyond the exit
  auto place = [&](int node) { return Vector3d(Vector3d(x(node), 0, 0) + u.col(node).head<3>()); };
  for (int element = 0; element + 1 < n_nodes(); ++element) {
    const Span here = span(element);
    Vector6d a[2];
    for (int end = 0; end < 2; ++end) {
      const int node = element + end;
      const Vector6d velocity = rate.col(node) + flow(node) * speed_ * here.slope;
      a[end] = acceleration.col(node) + 2 * flow(node) * speed_ * here.slope_rate + (1 - xi_[node]) * bend * here.slope;
      a[end].head<3>() += B.a + B.of_point(place(node)) + 2 * B.omega.cross(Vector3d(velocity.head<3>()));
      a[end].tail<3>() += B.alpha;
      spin += here.l / 2 * matter_.rotary.cwiseProduct(B.omega + velocity.tail<3>());
    }
    for (int end = 0; end < 2; ++end) {
      const int node = element + end;
      const Vector6d share = here.l / 6 * inertia_.cwiseProduct(2 * a[end] + a[1 - end]);
      force.segment<6>(6 * node) += share;
      reaction.on_slide += flow(node) * here.slope.dot(share);
    }
  }
  // Sections that pass a kink.
  for (int node = 0; node + 1 < n_nodes(); ++node) {
    const double passing = (1 - xi_[node]) * speed_;
    const Vector6d kick = passing * passing / free_ * inertia_.cwiseProduct(jump(node));
    force.segment<6>(6 * node) += kick;
    reaction.on_slide += flow(node) * mean_slope(node).dot(kick);
  }
  for (int node = 0; node < n_nodes(); ++node) reaction.on_base += wrench_of(place(node), force.segment<6>(6 * node));
  reaction.on_base.head<3>() += B.omega.cross(spin);
  if (!guide_.transport) reaction.on_slide = 0;
  return reaction;
}

/// An element that grows stretches what is fixed to its nodes less: ∂strain/∂ℓ = −slopes/ℓ.
Vector6d SlidingBeam::strain_rate(int element) const {
  const double l = free_ * (xi_[element + 1] - xi_[element]);
  return mean_part_ * ends(rate, element) + slope_part_ * ends(rate, element) / l -
         speed_ / free_ * (slope_part_ * ends(u, element) / l);
}

double SlidingBeam::power_lost() const {
  double power = 0;
  for (int element = 0; beta_ > 0 && element + 1 < n_nodes(); ++element) {
    const double l = free_ * (xi_[element + 1] - xi_[element]);
    const Vector6d rates = strain_rate(element);
    power += beta_ * l * rates.dot(material(l).cwiseProduct(rates));
  }
  return power;
}

double SlidingBeam::add_elastic_forces(Eigen::Ref<VectorXd> force) const {
  double on_slide = 0;
  for (int element = 0; element + 1 < n_nodes(); ++element) {
    const double l = free_ * (xi_[element + 1] - xi_[element]);
    const Vector6d C = material(l), slopes = slope_part_ * ends(u, element) / l;
    const Vector6d strain = mean_part_ * ends(u, element) + slopes;
    const Vector6d stress = C.cwiseProduct(strain + beta_ * strain_rate(element));
    const Eigen::Matrix<double, 12, 1> share = l * (mean_part_.transpose() * stress) + slope_part_.transpose() * stress;
    force.segment<12>(6 * element) += share;
    double growth = strain.dot(C.cwiseProduct(strain)) / 2;
    if (full_integration_) growth += strain.tail<2>().cwiseAbs2().dot((C - material(0)).tail<2>());
    on_slide += (l * growth - l * slopes.dot(stress)) / free_;
  }
  return guide_.transport ? on_slide : 0;
}

SlidingBeam::Flow SlidingBeam::flow_momentum(Matrix6Xd& on_nodes) const {
  Flow sum;
  on_nodes.setZero();
  if (!guide_.transport) return sum;
  for (int element = 0; element + 1 < n_nodes(); ++element) {
    const Span here = span(element);
    for (int end = 0; end < 2; ++end) {
      const int node = element + end, other = element + 1 - end;
      const Vector6d share = here.l / 6 * (2 * flow(node) + flow(other)) * inertia_.cwiseProduct(here.slope);
      on_nodes.col(node) += share;
      sum.itself += flow(node) * here.slope.dot(share);
    }
  }
  for (int node = 0; node < n_nodes(); ++node)
    sum.on_base += wrench_of(Vector3d(x(node), 0, 0) + u.col(node).head<3>(), on_nodes.col(node));
  return sum;
}

double SlidingBeam::kinetic_energy(const Vector6d& V_B) const {
  const Vector3d omega = V_B.head<3>(), v = V_B.tail<3>();
  double energy = V_B.dot(straight_part().matrix() * V_B) / 2;
  for (int element = 0; element + 1 < n_nodes(); ++element) {
    const Span here = span(element);
    Vector6d w[2];
    for (int end = 0; end < 2; ++end) {
      const int node = element + end;
      w[end] = rate.col(node) + flow(node) * true_speed_ * here.slope;
      w[end].head<3>() += v + omega.cross(Vector3d(x(node), 0, 0) + u.col(node).head<3>());
      w[end].tail<3>() += omega;
    }
    energy += here.l / 6 * inertia_.dot(w[0].cwiseAbs2() + w[0].cwiseProduct(w[1]) + w[1].cwiseAbs2());
  }
  return energy;
}

double SlidingBeam::elastic_energy() const {
  double energy = 0;
  for (int element = 0; element + 1 < n_nodes(); ++element) {
    const double l = free_ * (xi_[element + 1] - xi_[element]);
    const Vector6d strain = mean_part_ * ends(u, element) + slope_part_ * ends(u, element) / l;
    energy += l / 2 * strain.dot(material(l).cwiseProduct(strain));
  }
  return energy;
}

Vector3d SlidingBeam::first_moment() const {
  Vector3d sum = straight_part().first_moment;
  for (int element = 0; element + 1 < n_nodes(); ++element)
    for (int end = 0; end < 2; ++end)
      sum += matter_.mass * span(element).l / 2 * (Vector3d(x(element + end), 0, 0) + u.col(element + end).head<3>());
  return sum;
}

RigidInertia SlidingBeam::straight_part() const {
  const double x0 = x(0), mass = matter_.mass * x0;
  RigidInertia body;
  body.mass = mass;
  body.first_moment = {mass * x0 / 2, 0, 0};
  body.J = (x0 * matter_.rotary + mass * x0 * x0 / 3 * Vector3d(0, 1, 1)).asDiagonal();
  return body;
}

SlidingBeam::Matrix12d SlidingBeam::element_stiffness(int element) const {
  const double l = free_ * (xi_[element + 1] - xi_[element]);
  const Strain strain = mean_part_ + slope_part_ / l;
  return l * strain.transpose() * material(l).asDiagonal() * strain;
}

Matrix6d SlidingBeam::mass(int i, int j) const {
  double length = 0;
  for (int element = std::max(i, j) - 1; element <= std::min(i, j); ++element)
    if (element >= 0 && element + 1 < n_nodes()) length += free_ * (xi_[element + 1] - xi_[element]);
  return (length / (i == j ? 3 : 6) * inertia_).asDiagonal();
}

Matrix6d SlidingBeam::stiffness(int i, int j) const {
  Matrix6d sum = Matrix6d::Zero();
  for (int element = std::max(i, j) - 1; element <= std::min(i, j); ++element)
    if (element >= 0 && element + 1 < n_nodes())
      sum += element_stiffness(element).block<6, 6>(6 * (i - element), 6 * (j - element));
  return sum;
}

void SlidingBeam::add_transport(int i, int j, const FrameMotion& B, FrameTerms& terms) const {
  if (!guide_.transport) return;
  const double bend = growth_ / free_ - 2 * speed_ * speed_ / (free_ * free_);
  const Matrix6d A = inertia_.asDiagonal();
  for (int element = std::max(i, j) - 1; element <= std::min(i, j); ++element) {
    if (element < 0 || element + 1 >= n_nodes()) continue;
    const double d_xi = xi_[element + 1] - xi_[element], l = free_ * d_xi;
    // ∫ N_i (1−ξ) N_j′ dx with the slope N_j′ = ±1/Δξ
    const int other = 2 * element + 1 - i;
    const double slope = (j == element ? -1 : 1) / d_xi, passing = (1 - xi_[i]) * speed_;
    const double weight = l / 6 * (2 * (1 - xi_[i]) + (1 - xi_[other])) * slope;
    const double kink = (i == element ? 1 : -1) * passing * passing * slope / free_;
    const Matrix6d first = weight * speed_ / free_ * A;
    terms.C += 2 * first;
    terms.K_b += node_terms(first, 0, B).C + (weight * bend + kink) * A;
    // Strains change with the length: see add_elastic_forces.
    if (beta_ > 0) {
      const Strain strain = mean_part_ + slope_part_ / l;
      const Matrix12d D = beta_ * speed_ / free_ * strain.transpose() * material(l).asDiagonal() * slope_part_;
      terms.K_b -= D.block<6, 6>(6 * (i - element), 6 * (j - element));
    }
  }
  // Behind the exit the beam has the slope of the guide, θ×e_x.
  if (i == 0 && j == 0) {
    terms.K_b(1, 5) -= speed_ * speed_ * matter_.mass;
    terms.K_b(2, 4) += speed_ * speed_ * matter_.mass;
  }
}

}  // namespace lithe
