#include "lithe/arm/axle.h"

#include <fmt/format.h>

#include <cmath>

namespace lithe {
namespace {

class Axle final : public Constraint {
 public:
  Axle(double place, int q0, int v0) : place_(place), q0_(q0), v0_(v0) {}

  std::string what_binds() const override { return "wheels that do not slip constrain"; }
  std::string path() const override { return "arm.base.axle"; }
  const std::vector<Reaction>& reactions() const override { return reactions_; }

  void fill_rows(const ConstraintReading& now, Eigen::Ref<MatrixXd> a) const override {
    const double yaw = now.state.q[q0_ + 2];
    a(0, v0_) = -std::sin(yaw);
    a(0, v0_ + 1) = std::cos(yaw);
    a(0, v0_ + 2) = place_;
  }
  void fill_rate(const ConstraintReading& now, Eigen::Ref<VectorXd> adot_v) const override {
    const double yaw = now.state.q[q0_ + 2];
    const double* v = &now.state.v[v0_];
    adot_v[0] = -v[2] * (std::cos(yaw) * v[0] + std::sin(yaw) * v[1]);
  }
  std::string broken(double slip) const override {
    return fmt::format("the base moves sideways over its wheels, by {:.3g} m/s", slip);
  }

 private:
  double place_;
  int q0_, v0_;
  std::vector<Reaction> reactions_{{"base.side_force", "N"}};
};

}  // namespace

std::shared_ptr<const Constraint> make_axle(double place, int q0, int v0) {
  return std::make_shared<Axle>(place, q0, v0);
}

}  // namespace lithe
