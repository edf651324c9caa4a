// Arms mounted on one another, built in memory.
#pragma once

#include <string>

#include "lithe/describe/case.h"

namespace lithe::testing {

/// `carried` on the last tip of `carrier`, its links and joints renamed by `prefix`.
inline Case mounted(Case carrier, const Case& carried, const std::string& prefix) {
  carrier.arm.mounts.push_back({prefix + carried.arm.links.front().name, carried.arm.base.origin});
  for (LinkSpec link : carried.arm.links) {
    link.name = prefix + link.name;
    link.joint.name = prefix + link.joint.name;
    if (link.parent && *link.parent != "base") link.parent = prefix + *link.parent;
    carrier.arm.links.push_back(link);
  }
  for (MountSpec mount : carried.arm.mounts) {
    mount.link = prefix + mount.link;
    carrier.arm.mounts.push_back(mount);
  }
  return carrier;
}

}  // namespace lithe::testing
