#include "lithe/show/scene_surface.h"

#include "lithe/drive/drives.h"
#include "lithe/drive/lifting_surfaces.h"

namespace lithe {

std::vector<SceneSurface> surfaces_of(const Case& data, const Arm& arm) {
  std::vector<SceneSurface> list;
  for (size_t i = 0; i < data.arm.links.size(); ++i)
    if (const auto& surface = data.arm.links[i].surface)
      list.push_back({data.arm.links[i].name, surface->panels_chord, surface->panels_span, int(i),
                      std::vector<std::vector<CarriedPart>>(size_t(surface->panels_chord + 1) *
                                                            size_t(surface->panels_span + 1))});
  if (list.empty()) return list;
  try {
    const Drives drives(undeformed_start(data), arm);
    const LiftingSurfaces surfaces(data, arm, drives.initial_state());
    // The lattice counts surface by surface, as the list does.
    std::vector<std::pair<int, int>> owners(size_t(surfaces.lattice().n_corners()));
    for (int s = 0; s < int(list.size()); ++s)
      for (int i = 0; i <= list[s].n_chord; ++i)
        for (int j = 0; j <= list[s].n_span; ++j)
          owners[size_t(surfaces.lattice().corner(s, i, j))] = {s, list[s].corner(i, j)};
    for (const LiftingSurfaces::Attachment& at : surfaces.attachments()) {
      const auto [s, corner] = owners[size_t(at.corner)];
      list[s].corners[size_t(corner)].push_back({at.link, at.weight, at.place, at.shape});
    }
  } catch (const Error&) {
    list.clear();
  }
  return list;
}

std::vector<Vector3d> corner_places(const SceneSurface& surface, const Arm& arm, const State& state,
                                    const Kinematics& kinematics) {
  std::vector<Vector3d> places;
  places.reserve(surface.corners.size());
  for (const std::vector<CarriedPart>& parts : surface.corners) {
    Vector3d place = Vector3d::Zero();
    for (const CarriedPart& part : parts) {
      Vector3d own = part.place;
      if (part.shape.cols() > 0) own += part.shape * state.q.segment(arm.link(part.link).flex_q0(), part.shape.cols());
      place += part.weight * (kinematics.X_WB[part.link] * own);
    }
    places.push_back(place);
  }
  return places;
}

}  // namespace lithe
