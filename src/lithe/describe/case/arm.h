// The arm: links in a tree on a base.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case/air.h"
#include "lithe/describe/case/beam.h"
#include "lithe/describe/case/body.h"
#include "lithe/describe/case/joint.h"
#include "lithe/describe/case/profile.h"
#include "lithe/describe/case/vectors.h"
#include "lithe/describe/case/words.h"

namespace lithe {

struct LinkSpec {
  std::string name;
  std::optional<std::string> parent;  // default: the previous link
  JointSpec joint;
  std::optional<Beam> beam;
  std::optional<RigidBody> rigid;
  std::vector<Payload> payloads;
  std::optional<ImportedFile> imported;  // exactly one of beam, rigid, imported
  std::optional<SurfaceSpec> surface;
  bool operator==(const LinkSpec&) const = default;
};

enum class BaseType { fixed, planar, free, moving };
/// Given motion of a moving base, in one of two forms: velocities at t = 0 and constant accelerations, in world axes; or
/// profiles from zero, which are added to the position of the origin along world axes and to its roll, pitch and yaw.
struct GivenMotion {
  Vector3d velocity = Vector3d::Zero(), acceleration = Vector3d::Zero();
  Vector3d angular_velocity = Vector3d::Zero(), angular_acceleration = Vector3d::Zero();
  std::optional<Profile> x = {}, y = {}, z = {}, roll = {}, pitch = {}, yaw = {};
  bool operator==(const GivenMotion&) const = default;

  /// Names and profiles: first the positions, then the angles.
  std::array<std::pair<const char*, const std::optional<Profile>*>, 6> profiles() const {
    return {{{"x", &x}, {"y", &y}, {"z", &z}, {"roll", &roll}, {"pitch", &pitch}, {"yaw", &yaw}}};
  }
  bool by_profiles() const { return x || y || z || roll || pitch || yaw; }
};
struct BaseSpec {
  BaseType type = BaseType::fixed;
  Origin origin;                  // pose of a fixed base, start of a moving one, zero of a planar one
  std::optional<RigidBody> body;  // of a planar or free base
  std::optional<GivenMotion> motion;
  std::optional<double>
      axle;  // of a planar base on wheels: where on its x axis the wheels are, which do not slip sideways
  bool operator==(const BaseSpec&) const = default;
};
/// The links from `link` up to the next mount are a carried arm. Their `base` is the frame `origin` on the tip of the link `onto`.
struct MountSpec {
  std::string link;
  Origin origin;
  std::optional<std::string> onto = {};  // any earlier link; default: the one before `link`
  bool operator==(const MountSpec&) const = default;
};
struct JointPosition {
  double position = 0;
  bool operator==(const JointPosition&) const = default;
};
/// The same damping ratio in every natural mode of the whole arm at a pose, with locked joints and straight links.
struct ModalDamping {
  double modes = 0;
  std::map<std::string, JointPosition> at = {};  // of that pose; default: the start of the run
  bool operator==(const ModalDamping&) const = default;
};
enum class TipRotation { finite, small };
enum class InertiaOrder { complete, first_order };

struct ArmSpec {
  Vector3d gravity = {0, 0, -9.81};
  BaseSpec base;
  TipRotation tip_rotation = TipRotation::finite;
  InertiaOrder inertia = InertiaOrder::complete;
  bool rotary_inertia = true;
  std::vector<LinkSpec> links;
  std::vector<MountSpec> mounts;
  std::optional<ModalDamping> damping = {};
  bool operator==(const ArmSpec&) const = default;
};

// The words of the choices above.
template <>
struct Words<BaseType> {
  static constexpr WordList<BaseType, 4> list{{{BaseType::fixed, "fixed"},
                                               {BaseType::planar, "planar"},
                                               {BaseType::free, "free"},
                                               {BaseType::moving, "moving"}}};
};
template <>
struct Words<TipRotation> {
  static constexpr WordList<TipRotation, 2> list{{{TipRotation::finite, "finite"}, {TipRotation::small, "small"}}};
};
template <>
struct Words<InertiaOrder> {
  static constexpr WordList<InertiaOrder, 2> list{
      {{InertiaOrder::complete, "complete"}, {InertiaOrder::first_order, "first-order"}}};
};

}  // namespace lithe
