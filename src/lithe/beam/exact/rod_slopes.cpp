#include "lithe/beam/exact/exact_link_dual.h"
#include "lithe/beam/exact/rod_section.h"
#include "lithe/beam/exact/rod_state.h"

namespace lithe {
namespace {

Vector3d slope_of(const Triple<Dual4>& v, int direction) {
  return {v.x.slope[direction], v.y.slope[direction], v.z.slope[direction]};
}

}  // namespace

/// The link once per four coordinates, which are the directions of its duals.
struct RodSlopes::Work {
  std::shared_ptr<const StrainBasis> basis;
  struct Sweep {
    ExactLink<Dual4> link;
    std::vector<Dual4> delta;
  };
  std::vector<Sweep> sweeps;
  Matrix6Xd slopes;  // of the section asked for

  explicit Work(std::shared_ptr<const StrainBasis> given)
      : basis(std::move(given)), slopes(6, basis->size() * basis->size()) {
    for (int first = 0; first < basis->size(); first += 4)
      sweeps.push_back(
          {ExactLink<Dual4>(*basis, true, LinkDetail::sections), std::vector<Dual4>(size_t(basis->size()))});
  }
  const ExactLink<Dual4>& along(int l) const { return sweeps[size_t(l / 4)].link; }
};

RodSlopes::RodSlopes(std::shared_ptr<const StrainBasis> basis) : work_(std::make_unique<Work>(std::move(basis))) {}
RodSlopes::RodSlopes(RodSlopes&&) noexcept = default;
RodSlopes& RodSlopes::operator=(RodSlopes&&) noexcept = default;
RodSlopes::~RodSlopes() = default;

void RodSlopes::place(const double* delta) {
  const int m = work_->basis->size();
  for (size_t i = 0; i < work_->sweeps.size(); ++i) {
    auto& [link, duals] = work_->sweeps[i];
    for (int k = 0; k < m; ++k) duals[size_t(k)] = k / 4 == int(i) ? Dual4::along(delta[k], k % 4) : Dual4(delta[k]);
    link.place(duals.data());
  }
}

Vector3d RodSlopes::angular(int k, int l) const {
  return slope_of(work_->along(l).inertia().angular[size_t(k)], l % 4);
}
Vector3d RodSlopes::linear(int k, int l) const { return slope_of(work_->along(l).inertia().linear[size_t(k)], l % 4); }
Vector3d RodSlopes::tip_turn(int k, int l) const { return slope_of(work_->along(l).tip().turn[size_t(k)], l % 4); }
Vector3d RodSlopes::tip_slide(int k, int l) const { return slope_of(work_->along(l).tip().slide[size_t(k)], l % 4); }

const Matrix6Xd& RodSlopes::section(const RodSection& at) {
  Matrix6Xd& slopes = work_->slopes;
  const int m = work_->basis->size();
  Columns<Dual4> R;
  Triple<Dual4> p, turn[most_rod_coordinates], slide[most_rod_coordinates];
  RodPlace<Dual4>::Interval interval;
  for (size_t i = 0; i < work_->sweeps.size(); ++i) {
    const auto& [link, duals] = work_->sweeps[i];
    rod::section_place(link, at, duals.data(), interval, R, p, turn, slide);
    for (int k = 0; k < m; ++k)
      for (int l = 4 * int(i); l < std::min(m, 4 * int(i) + 4); ++l)
        slopes.col(k * m + l) << slope_of(turn[k], l % 4), slope_of(slide[k], l % 4);
  }
  return slopes;
}

}  // namespace lithe
