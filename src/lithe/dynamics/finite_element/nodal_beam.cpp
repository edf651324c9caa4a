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
  if (elements->stiffening)
    throw UnsupportedError(path,
                           fmt::format("finite-element: link '{}' cannot have `stiffening`: its elements are linear "
                                       "in their deflection",
                                       spec.name));
  if (elements->keep)
    throw UnsupportedError(path + ".keep",
                           fmt::format("finite-element: link '{}' cannot have its elements reduced", spec.name));
  return *elements;
}

/// Adds a body on a section to the consistent mass matrix: linear elements move it as they move their own mass there.
void add_along_body(const AlongBody& along, const LinkSpec& spec, NodalBeam& beam) {
  const CarriedBody& body = along.body;
  if (!body.com.isZero(0))
    throw UnsupportedError(along.path + ".com",
                           fmt::format("finite-element: a body along link '{}' must have its mass centre on the link's "
                                       "axis, at `at`; expected no `com`, or a payload on the tip",
                                       spec.name));
  const ElementPlace place = element_at(beam.x, along.x());
  const double l = beam.x[place.element + 1] - beam.x[place.element];
  const FieldValues field = element_field(ElementKind::linear, {}, l, place.s);
  const MatrixXd M =
      body.mass * field.phi.transpose() * field.phi + field.psi.transpose() * body.inertia_com * field.psi;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < M.rows(); ++i)
    for (int j = 0; j < M.cols(); ++j)
      if (M(i, j) != 0) entries.emplace_back(6 * place.element + i, 6 * place.element + j, M(i, j));
  SparseMatrixd sum(beam.M.rows(), beam.M.cols());
  sum.setFromTriplets(entries.begin(), entries.end());
  beam.M += sum;
}

}  // namespace

std::vector<std::optional<NodalBeam>> nodal_beams(const Case& data, const Arm& arm) {
  if (arm.small_tips()) throw UnsupportedError("arm.tip_rotation", "finite-element: tip_rotation must be `finite`");
  if (arm.inertia_order() != InertiaOrder::complete)
    throw UnsupportedError("arm.inertia", "finite-element: inertia must be `complete`");
  std::vector<std::optional<NodalBeam>> beams;
  for (const Link& link : arm.links()) {
    const bool is_base = link.role == LinkRole::base;
    if ((link.nv() > 1 && !is_base) || link.joint->directions_change())
      throw UnsupportedError(fmt::format("arm.links[{}].joint.type", link.i_case),
                             fmt::format("finite-element: expected joints with one coordinate, but '{}' is {}; "
                                         "articulated and kane support all joints",
                                         link.joint_name, link.joint->word()));
    if (link.role == LinkRole::segment)
      throw UnsupportedError(
          "arm.links",
          fmt::format("finite-element: link '{}' consists of segments, which are not supported", link.name));
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
    for (const AlongBody& body : link.along) add_along_body(body, spec, beam);
    if (link.guide) {
      std::vector<double> fractions = beam.x;
      for (double& place : fractions) place /= spec.beam->length;
      beam.sliding.emplace(spec, data.arm.rotary_inertia, std::move(fractions));
    }
  }
  return beams;
}

double flow_force_at_rest(const Link& link, const VectorXd& q, const Vector3d& gravity_B) {
  LinkSpec spec;
  spec.name = link.name;
  spec.joint.name = link.joint_name;
  spec.joint.guide = link.guide;
  spec.beam = link.guided->beam;
  const Elements& elements = std::get<Elements>(spec.beam->flexibility);
  std::vector<double> fractions = element_nodes(*spec.beam, elements);
  for (double& place : fractions) place /= spec.beam->length;
  SlidingBeam beam(spec, link.guided->rotary_inertia, std::move(fractions));
  beam.slide(q[link.q0], 0, 0);
  const std::vector<int> components = components_of(elements.plane);
  const auto delta = q.segment(link.flex_q0(), link.n_flex());
  for (int node = 1; node < beam.n_nodes(); ++node)
    for (size_t k = 0; k < components.size(); ++k)
      beam.u(components[k], node) = delta[int(components.size()) * (node - 1) + int(k)];
  VectorXd force = VectorXd::Zero(6 * beam.n_nodes());
  const double lifted = beam.inertia_forces({Vector3d::Zero(), Vector3d::Zero(), -gravity_B}, force).on_slide;
  return lifted + beam.add_elastic_forces(force);
}

}  // namespace lithe
