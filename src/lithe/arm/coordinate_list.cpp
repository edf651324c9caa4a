#include "lithe/arm/coordinate_list.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "lithe/arm/state.h"
#include "lithe/describe/spelling.h"

namespace lithe {
namespace {

bool is_joint(const Link& link) { return link.role != LinkRole::rotor && link.role != LinkRole::segment; }

VectorXd filled(VectorXd values, const CoordinateList& list, std::span<const double> numbers) {
  const std::vector<int> entries = entries_of(list, numbers.size());
  for (size_t k = 0; k < numbers.size(); ++k) values[entries[k]] = numbers[k];
  return values;
}

}  // namespace

CoordinateList position_list(const Arm& arm) {
  CoordinateList list{arm.positions(), {}, {}};
  for (const Link& link : arm.links())
    for (int k = 0; k < link.nq(); ++k)
      if (is_joint(link)) list.joints.push_back(link.q0 + k);
  return list;
}

CoordinateList rate_list(const Arm& arm) {
  CoordinateList list{arm.coordinates(), {}, {}};
  for (const Link& link : arm.links())
    for (int k = 0; k < link.nv(); ++k)
      if (is_joint(link)) list.joints.push_back(link.v0 + k);
  return list;
}

CoordinateList torque_list(const Arm& arm) {
  CoordinateList list{arm.coordinates(), {}, {}};
  for (const TorqueInput& input : arm.torque_inputs()) list.joints.push_back(input.v);
  for (const Transmission& spring : arm.transmissions())
    list.aliases.emplace_back(arm.link(spring.joint_link).joint_name, arm.link(spring.rotor_link).v0);
  return list;
}

std::vector<int> entries_of(const CoordinateList& list, size_t count) {
  if (count <= list.joints.size()) return {list.joints.begin(), list.joints.begin() + std::ptrdiff_t(count)};
  if (count == list.names.size()) {
    std::vector<int> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<std::string> joints;
  for (const int entry : list.joints) joints.push_back(list.names[size_t(entry)]);
  if (joints.size() == list.names.size())
    throw std::invalid_argument(fmt::format("expected at most {} numbers ({}), got {}", joints.size(),
                                            comma_list(joints, most_names_shown), count));
  throw std::invalid_argument(fmt::format(
      "expected at most {} numbers for the joints ({}), or {} for all coordinates ({}), got {}", joints.size(),
      comma_list(joints, most_names_shown), list.names.size(), comma_list(list.names, most_names_shown), count));
}

int find_entry(const CoordinateList& list, std::string_view name) {
  for (const auto& [alias, entry] : list.aliases)
    if (alias == name) return entry;
  for (size_t k = 0; k < list.names.size(); ++k)
    if (list.names[k] == name) return int(k);
  return -1;
}

bool normalise_quaternions(const Arm& arm, Eigen::Ref<VectorXd> q) {
  for (const Link& link : arm.links()) {
    if (link.joint->quaternion() < 0) continue;
    auto quaternion = q.segment<4>(link.q0 + link.joint->quaternion());
    const double norm = quaternion.stableNorm();
    if (!(norm > 1e-6) || !std::isfinite(norm)) return false;
    quaternion /= norm;
  }
  return true;
}

VectorXd listed_positions(const Arm& arm, std::span<const double> numbers) {
  VectorXd q = filled(State::zero(arm).q, position_list(arm), numbers);
  if (!normalise_quaternions(arm, q)) throw std::invalid_argument("expected a quaternion w, x, y, z other than zero");
  return q;
}

VectorXd listed_rates(const Arm& arm, std::span<const double> numbers) {
  return filled(VectorXd::Zero(arm.nv()), rate_list(arm), numbers);
}

VectorXd listed_torques(const Arm& arm, std::span<const double> numbers) {
  return filled(VectorXd::Zero(arm.nv()), torque_list(arm), numbers);
}

}  // namespace lithe
