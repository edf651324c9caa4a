#include "lithe/beam/exact/rod_state.h"

#include "lithe/beam/exact/exact_link.h"
#include "lithe/beam/exact/rod_section.h"

namespace lithe {
namespace {

Vector3d vector(const Triple<double>& v) { return {v.x, v.y, v.z}; }
Matrix3d matrix(const Columns<double>& R) {
  Matrix3d result;
  result << vector(R.x), vector(R.y), vector(R.z);
  return result;
}

}  // namespace

struct RodState::Work {
  std::shared_ptr<const StrainBasis> basis;
  ExactLink<double> link;
  std::vector<double> delta;
  Triple<double> omega = Triple<double>::zero();
  std::vector<double> rate;

  explicit Work(std::shared_ptr<const StrainBasis> given)
      : basis(std::move(given)),
        link(*basis, true, LinkDetail::sections),
        delta(size_t(basis->size())),
        rate(size_t(basis->size())) {}
};

RodState::RodState(std::shared_ptr<const StrainBasis> basis) : work_(std::make_unique<Work>(std::move(basis))) {}
RodState::RodState(const RodState& other) : work_(std::make_unique<Work>(*other.work_)) {}
RodState::RodState(RodState&&) noexcept = default;
RodState& RodState::operator=(const RodState& other) {
  if (this != &other) work_ = std::make_unique<Work>(*other.work_);
  return *this;
}
RodState& RodState::operator=(RodState&&) noexcept = default;
RodState::~RodState() = default;

const StrainBasis& RodState::basis() const { return *work_->basis; }

void RodState::place(const double* delta) {
  std::copy_n(delta, work_->delta.size(), work_->delta.begin());
  work_->link.place(delta);
}

void RodState::move(const Vector3d& omega, const double* rate) {
  work_->omega = {omega.x(), omega.y(), omega.z()};
  std::copy_n(rate, work_->rate.size(), work_->rate.begin());
  work_->link.move(omega.data(), rate);
}

RigidInertia RodState::inertia() const {
  const RodInertia<double>& own = work_->link.inertia();
  const double* J = own.J;
  RigidInertia result;
  result.mass = basis().mass;
  result.first_moment = vector(own.s);
  result.J << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
  return result;
}
Vector3d RodState::angular(int k) const { return vector(work_->link.inertia().angular[size_t(k)]); }
Vector3d RodState::linear(int k) const { return vector(work_->link.inertia().linear[size_t(k)]); }
double RodState::M_ff(int k, int l) const { return work_->link.M_ff(k, l); }

Pose RodState::X_BT() const { return {matrix(work_->link.tip().R), vector(work_->link.tip().p)}; }
Vector3d RodState::tip_turn(int k) const { return vector(work_->link.tip().turn[size_t(k)]); }
Vector3d RodState::tip_slide(int k) const { return vector(work_->link.tip().slide[size_t(k)]); }

void RodState::section(const RodSection& at, RodSectionPose& pose) const {
  const int m = basis().size();
  Columns<double> R;
  Triple<double> p, turn[most_rod_coordinates], slide[most_rod_coordinates];
  RodPlace<double>::Interval interval;
  rod::section_place(work_->link, at, work_->delta.data(), interval, R, p, turn, slide);
  pose.R = matrix(R);
  pose.p = vector(p);
  pose.moves.resize(6, m);
  for (int k = 0; k < m; ++k) pose.moves.col(k) << vector(turn[k]), vector(slide[k]);
}

Vector6d RodState::bias() const {
  return stacked(vector(work_->link.forces().moment), vector(work_->link.forces().force));
}
double RodState::bias_of(int k) const { return work_->link.forces().p_f[size_t(k)]; }

RodSectionMotion RodState::tip_motion() const {
  const RodFrame<double>& tip = work_->link.tip();
  return {vector(tip.spin), vector(tip.zeta_angular), vector(tip.zeta_linear)};
}

RodSectionMotion RodState::section_motion(const RodSection& at) const {
  Columns<double> R;
  Triple<double> p, turn[most_rod_coordinates], slide[most_rod_coordinates], spin, angular, linear;
  RodPlace<double>::Interval interval;
  rod::section_place(work_->link, at, work_->delta.data(), interval, R, p, turn, slide);
  rod::section_motion(work_->link, at, work_->omega, work_->rate.data(), interval, p, spin, angular, linear);
  return {vector(spin), vector(angular), vector(linear)};
}

}  // namespace lithe
