#include "lithe/dynamics/finite_element/nodal_beam.h"

#include <fmt/format.h>

#include "lithe/beam/beam_elements.h"

namespace lithe {
namespace {

std::vector<int> components_of(BendingPlane plane) {
  if (plane == BendingPlane::y) return {0, 1, 5};
  if (plane == BendingPlane::z) return {0, 2, 4};
  return {0, 1, 2, 3, 4, 5};
}

const Elements& linear_elements_of(const LinkSpec& spec, const std::string& path) {
  const Elements* elements = spec.beam ? std::get_if<Elements>(&spec.beam->flexibility) : nullptr;
  if (elements == nullptr || elements->element != ElementKind::linear)
    throw UnsupportedError(
        path,
        fmt::format("finite-element: link '{}' must be rigid or have {{elements: N, element: linear}}", spec.name));
  if (elements->keep)
    throw UnsupportedError(path + ".keep",
                           fmt::format("finite-element: link '{}' cannot have its elements reduced", spec.name));
  return *elements;
}

}  // namespace

std::vector<std::optional<NodalBeam>> nodal_beams(const Case& data, const Arm& arm) {
  if (arm.small_tips()) throw UnsupportedError("arm.tip_rotation", "finite-element: tips must turn by `finite`");
  if (arm.inertia_order() != InertiaOrder::complete)
    throw UnsupportedError("arm.inertia", "finite-element: inertia must be `complete`");
  if (!arm.transmissions().empty())
    throw UnsupportedError("arm.links", "finite-element: elastic transmissions are outside this formulation");
  std::vector<std::optional<NodalBeam>> beams;
  for (const Link& link : arm.links()) {
    if (link.is_base) throw UnsupportedError("arm.base", "finite-element: the base must be fixed or of given motion");
    if (link.nv() > 1 || link.joint->directions_change())
      throw UnsupportedError(
          fmt::format("arm.links[{}].joint.type", link.i_case),
          fmt::format("finite-element: expected joints of one coordinate, and '{}' is {}; articulated and "
                      "kane take all",
                      link.joint_name, link.joint->word()));
    if (link.is_segment)
      throw UnsupportedError("arm.links", fmt::format("finite-element: link '{}' is made of segments", link.name));
    beams.emplace_back();
    if (!link.flex) continue;
    const LinkSpec& spec = data.arm.links[link.i_case];
    Elements elements = linear_elements_of(spec, fmt::format("arm.links[{}].beam.flexibility", link.i_case));
    NodalBeam& beam = beams.back().emplace();
    beam.components = components_of(elements.plane);
    elements.plane = BendingPlane::both;
    FreeBeam free = free_beam(*spec.beam, elements, data.arm.rotary_inertia);
    beam.x = std::move(free.x);
    beam.M = std::move(free.M);
    beam.K = std::move(free.K);
    if (link.guide) {
      std::vector<double> fractions = beam.x;
      for (double& place : fractions) place /= spec.beam->length;
      beam.sliding.emplace(spec, data.arm.rotary_inertia, std::move(fractions));
    }
  }
  return beams;
}

}  // namespace lithe
