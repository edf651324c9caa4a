#include "lithe/beam/beam_matter.h"

namespace lithe {

BeamMatter::BeamMatter(const Beam& beam, bool rotary_inertia)
    : beam_(beam), rotary_inertia_(rotary_inertia), breaks_{0, beam.length} {
  parts_.push_back(matter(section_constants(beam.section, beam.material.nu)));
}

SectionMatter BeamMatter::matter(const SectionConstants& section) const {
  const double E = beam_.material.E, G = beam_.material.shear_modulus(), density = beam_.material.density;
  SectionMatter result;
  result.mass = density * section.area;
  result.polar_mass = density * Vector3d(section.polar(), section.Iy, section.Iz);
  if (rotary_inertia_) result.rotary = result.polar_mass;
  result.stretch = {E * section.area, G * section.area * section.shear_y, G * section.area * section.shear_z};
  result.bending = {G * section.J, E * section.Iy, E * section.Iz};
  return result;
}

SectionMatter BeamMatter::at(double) const { return parts_[0]; }

}  // namespace lithe
