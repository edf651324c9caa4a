#include "lithe/dynamics/articulated/passive_plan.h"

#include <map>

namespace lithe {

PassivePlan::PassivePlan(const Arm& arm) : nv_(arm.nv()) {
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k)
      if (link.forces[k].any()) joints_.push_back({link.q0 + k, link.v0 + k, link.forces[k]});
    if (!link.flex) continue;
    std::map<std::pair<int, int>, std::pair<double, double>> entries;
    const auto collect = [&](const SparseMatrixd& matrix, auto member) {
      for (int k = 0; k < matrix.outerSize(); ++k)
        for (SparseMatrixd::InnerIterator entry(matrix, k); entry; ++entry)
          if (entry.value() != 0) entries[{int(entry.row()), k}].*member = entry.value();
    };
    collect(link.flex->K, &std::pair<double, double>::first);
    collect(link.flex->D, &std::pair<double, double>::second);
    for (const auto& [place, values] : entries)
      links_.push_back({link.flex_v0() + place.first, link.flex_q0() + place.second, link.flex_v0() + place.second,
                        values.first, values.second});
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    transmissions_.push_back({joint.q0, joint.v0, rotor.q0, rotor.v0, spring});
  }
  if (const MatrixXd* D = arm.modal_damping())
    for (int i = 0; i < nv_; ++i)
      for (int k = 0; k < nv_; ++k)
        if ((*D)(i, k) != 0) links_.push_back({i, 0, k, 0.0, (*D)(i, k)});
}

}  // namespace lithe
