#include "lithe/arm/arm.h"

#include <algorithm>

#include "lithe/arm/base_profiles.h"

namespace lithe {

Arm::Arm() = default;
Arm::Arm(const Arm&) = default;
Arm::Arm(Arm&&) noexcept = default;
Arm& Arm::operator=(const Arm&) = default;
Arm& Arm::operator=(Arm&&) noexcept = default;
Arm::~Arm() = default;

RootMotion Arm::root(Instant now_at) const {
  if (!root_moves_) return root0_;
  if (base_profiles_) return base_profiles_->at(now_at);
  const double t = now_at.t;
  RootMotion now = root0_;
  now.X_WR.p += t * root0_.velocity + t * t / 2 * root0_.acceleration;
  // Angular velocity and acceleration are parallel (checked on reading): a turn about one axis.
  now.X_WR.R = exp_rotation(t * root0_.omega + t * t / 2 * root0_.alpha) * root0_.X_WR.R;
  now.velocity += t * root0_.acceleration;
  now.omega += t * root0_.alpha;
  return now;
}

std::span<const double> Arm::root_corners() const {
  return base_profiles_ ? std::span<const double>(base_profiles_->corners()) : std::span<const double>();
}

bool Arm::small_tips() const {
  return tip_rotation_ == TipRotation::small &&
         std::any_of(links_.begin(), links_.end(), [](const Link& link) { return link.flex != nullptr; });
}

int Arm::last_link() const {
  int i = n_links() - 1;
  while (i > 0 && links_[i].role == LinkRole::rotor) --i;
  return i;
}

bool Arm::is_body(int i) const {
  if (links_[i].role == LinkRole::rotor) return false;
  const bool carries_more_base = i + 1 < n_links() && links_[i + 1].role == LinkRole::base;
  return !(links_[i].role == LinkRole::base && carries_more_base);
}

const std::string& Arm::case_name(const Link& link) const {
  const Link* named = &link;
  if (link.i_case >= 0)
    for (const Link& other : links_)
      if (other.i_case == link.i_case && other.role != LinkRole::rotor) named = &other;  // the last piece bears it
  return named->name;
}

int Arm::find_link(std::string_view name) const {
  for (int i = 0; i < n_links(); ++i)
    if (links_[i].name == name) return i;
  return -1;
}

const TorqueInput* Arm::find_torque_input(std::string_view name) const {
  const auto found = std::find_if(torque_inputs_.begin(), torque_inputs_.end(),
                                  [&](const TorqueInput& input) { return input.name == name; });
  return found == torque_inputs_.end() ? nullptr : &*found;
}

}  // namespace lithe
