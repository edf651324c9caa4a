#include "lithe/beam/beam_matter.h"

#include <algorithm>

#include "lithe/spatial/quadrature.h"

namespace lithe {

BeamMatter::BeamMatter(const Beam& beam, bool rotary_inertia)
    : beam_(beam), rotary_inertia_(rotary_inertia), tapered_(beam.tip_section), breaks_(section_breaks(beam)) {
  if (!tapered_)
    for (size_t i = 0; i + 1 < breaks_.size(); ++i) parts_.push_back(computed_at(breaks_[i]));
}

SectionMatter BeamMatter::computed_at(double x) const {
  return matter(section_constants(section_at(beam_, x), beam_.material.nu));
}

SectionMatter BeamMatter::matter(const SectionConstants& section) const {
  const double E = beam_.material.E, G = beam_.material.shear_modulus(), density = beam_.material.density;
  SectionMatter result;
  result.mass = density * section.area;
  result.section_inertia = density * Vector3d(section.polar(), section.Iy, section.Iz);
  if (rotary_inertia_) result.rotary = result.section_inertia;
  result.stretch = {E * section.area, G * section.area * section.shear_y, G * section.area * section.shear_z};
  result.bending = {G * section.J, E * section.Iy, E * section.Iz};
  return result;
}

/// The part whose start is the last one not beyond x.
size_t BeamMatter::part_at(double x) const {
  return size_t(std::upper_bound(breaks_.begin() + 1, breaks_.end() - 1, x) - breaks_.begin()) - 1;
}

SectionMatter BeamMatter::at(double x) const { return tapered_ ? computed_at(x) : parts_[part_at(x)]; }

std::vector<std::shared_ptr<const Fibres>> BeamMatter::fibres_at(const std::vector<double>& places) const {
  std::vector<std::shared_ptr<const Fibres>> result, of_parts(parts_.size());
  for (const double x : places) {
    std::shared_ptr<const Fibres> fibres = tapered_ ? nullptr : of_parts[part_at(x)];
    if (!fibres) fibres = Fibres::of(section_at(beam_, x), beam_.material);
    if (!tapered_) of_parts[part_at(x)] = fibres;
    result.push_back(std::move(fibres));
  }
  return result;
}

SectionMatter BeamMatter::mean() const {
  SectionMatter sum;
  for (size_t i = 0; i + 1 < breaks_.size(); ++i)
    for (const QuadraturePoint& point : gauss_points(breaks_[i], breaks_[i + 1], tapered_ ? 20 : 1)) {
      const SectionMatter here = at(point.x);
      const double share = point.weight / length();
      sum.mass += share * here.mass;
      sum.rotary += share * here.rotary;
      sum.section_inertia += share * here.section_inertia;
      sum.stretch += share * here.stretch;
      sum.bending += share * here.bending;
    }
  return sum;
}

}  // namespace lithe
