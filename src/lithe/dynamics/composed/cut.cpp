#include "lithe/dynamics/composed/cut.h"

#include <algorithm>

#include "lithe/describe/problem.h"
#include "lithe/spatial/demand.h"

namespace lithe {

Case cut_at_mount(Case data, int i_mount) {
  LITHE_DEMAND(i_mount >= 0 && i_mount < int(data.arm.mounts.size()));
  std::vector<LinkSpec>& links = data.arm.links;
  std::vector<MountSpec>& mounts = data.arm.mounts;
  // From the last one on: links that a later mount makes its own no longer call anything before it `base`.
  for (; int(mounts.size()) > i_mount + 1; mounts.pop_back()) {
    const MountSpec& mount = mounts.back();
    const auto first =
        std::find_if(links.begin(), links.end(), [&](const LinkSpec& l) { return l.name == mount.link; });
    LITHE_DEMAND(first != links.end());
    // A frame without mass stands for the base.
    if (mount.onto) {
      // What stands on an arm before the cut belongs to that arm, which comes first.
      const auto cut =
          std::find_if(links.begin(), first, [&](const LinkSpec& l) { return l.name == mounts[size_t(i_mount)].link; });
      if (std::none_of(cut, first, [&](const LinkSpec& l) { return l.name == *mount.onto; }))
        throw FieldError("arm.mounts", "the arm cannot be cut there: what begins at '" + mount.link + "' stands on '" +
                                           *mount.onto + "', on the other side of the cut");
    }
    LinkSpec base;
    base.name = base.joint.name = mount.link + ".base";  // no name of a case has a dot
    base.joint.type = "fixed";
    base.joint.origin = mount.origin;
    base.parent = mount.onto;
    base.rigid = RigidBody{};
    base.rigid->mass = 0;
    for (auto link = first; link != links.end(); ++link)
      if (link->parent == "base") link->parent = base.name;
    links.insert(first, std::move(base));
  }
  return data;
}

}  // namespace lithe
