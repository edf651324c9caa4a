#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lithe/arm/arm.h"

namespace lithe {

/// How a list of numbers becomes q, v or τ: the meaning of each entry, and which entries are those of the joints.
///
/// Plain numbers mean joints, in order, and the rest stays zero; exactly as many as there are entries mean all of them, in coordinate
/// order. A base that moves comes before the joints. Rotors, hinges of segments and shapes are not joints.
struct CoordinateList {
  std::vector<std::string> names;                    // of all entries
  std::vector<int> joints;                           // the entries that plain numbers fill
  std::vector<std::pair<std::string, int>> aliases;  // other names, which take precedence over those of the entries
};
CoordinateList position_list(const Arm& arm);  // of q
CoordinateList rate_list(const Arm& arm);      // of v
/// Of τ: of the joints alone, because nothing drives a base; behind an elastic transmission a joint's torque acts on its rotor.
CoordinateList torque_list(const Arm& arm);

/// The entries to which `count` plain numbers refer. Throws std::invalid_argument with a message that shows the possible lists.
std::vector<int> entries_of(const CoordinateList& list, size_t count);
/// The entry of that name, or −1.
int find_entry(const CoordinateList& list, std::string_view name);
/// The largest number of names that a message about a list shows.
inline constexpr size_t most_names_shown = 30;

/// Gives the quaternions of a free base and of ball joints unit length. False if one has almost no length.
bool normalise_quaternions(const Arm& arm, Eigen::Ref<VectorXd> q);

/// q, v and τ by plain numbers in SI. Throw std::invalid_argument.
VectorXd listed_positions(const Arm& arm, std::span<const double> numbers);
VectorXd listed_rates(const Arm& arm, std::span<const double> numbers);
VectorXd listed_torques(const Arm& arm, std::span<const double> numbers);

}  // namespace lithe
