// joint/ — how one frame may move on another. Takes the few numbers that describe a joint (an axis, a pitch) and gives what
// all other parts need: where the moved frame is, along which directions it moves, what its coordinates are called and how
// it is drawn. Each kind has a file of its own and one line in kinds.cpp; nothing outside this folder asks which kind a
// joint is. Does not depend on links or arms.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe {

/// One of the coordinates by which a joint moves.
struct JointCoordinate {
  std::string suffix;        // its name is the joint's name and this: "" for the only one, ".turn", ".x"
  bool turns = true;         // in radians, and its force is a moment; otherwise in metres, and a force
  bool has_position = true;  // q has an entry that changes with this rate alone. Not so for a rate such as ω_x
};

/// One elementary motion, from F outwards: pictures and pages are drawn by these.
struct ElementaryMotion {
  enum class Kind {
    turn,        // about `axis` by factor·q[index]
    slide,       // along `axis` by factor·q[index]
    shift,       // by the vector q[index … index + 2]
    quaternion,  // by the unit quaternion w x y z in q[index … index + 3]
  };
  Kind kind = Kind::turn;
  Vector3d axis = Vector3d::UnitZ();
  int index = 0;
  double factor = 1;
};

/// At most six directions, seven numbers of a position: no heap.
using JointDirections = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
using JointChart = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 7, 7>;

/// A joint carries a frame M (on the child: its link frame B) on a frame F (on the parent).
///
/// Its position has nq numbers and its rate nv. The velocity of M, [ω; v of M's origin] in M axes, is
///
///   V_FM = H(q) v
///
/// If q̇ = v the rates are those of coordinates. A kind may choose other rates, such as the components of ω; `position_rate` and
/// `displace` then say how q follows from them.
///
/// Immutable; threads may share it. Nothing here allocates, except names and steps.
class Joint {
 public:
  virtual ~Joint() = default;

  /// The word that names the kind in case files.
  virtual std::string_view word() const = 0;

  int nq() const { return nq_; }
  int nv() const { return int(coordinates_.size()); }

  /// The coordinates in the order of v.
  const std::vector<JointCoordinate>& coordinates() const { return coordinates_; }
  /// Suffixes of the names of the nq positions, in the order of q. Those of the coordinates, unless the kind says otherwise.
  virtual std::vector<std::string> position_suffixes() const;

  virtual Pose X_FM(const double* q) const = 0;

  /// H(q): 6 × nv.
  virtual void directions(const double* q, JointDirections& H) const = 0;

  /// Whether H changes with q. If not, the three functions below are never called.
  virtual bool directions_change() const { return false; }
  /// Ḣv: what remains of the rate of V_FM, seen from M, with v̇ = 0.
  virtual Vector6d direction_rate(const double* q, const double* v) const;
  /// Slopes of H u for given u along each coordinate direction: 6 × nv. By differences, unless the kind provides them.
  virtual void direction_slopes(const double* q, const double* u, JointDirections& slopes) const;
  /// Slopes of Ḣv by position (along the coordinate directions) and by rate: 6 × nv each. By differences, unless the kind
  /// provides them.
  virtual void rate_slopes(const double* q, const double* v, JointDirections& by_position,
                           JointDirections& by_rate) const;

  /// The position at which M coincides with F, or is nearest to it.
  virtual void set_zero(double* q) const;
  /// q ⊕ dv: moves along the coordinate directions. Plain addition, unless the kind says otherwise.
  virtual void displace(double* q, const double* dv) const;
  /// q̇ at rate v. Equal to v, unless the kind says otherwise.
  virtual void position_rate(const double* q, const double* v, double* qdot) const;

  /// Whether q̇ = v: rates of coordinates.
  bool rates_are_coordinates() const { return group() == Group::none; }

  /// What the rates are components of, if they are not rates of coordinates: ω in M axes, or [ω; v] in M axes. Directions of
  /// such rates do not commute.
  enum class Group { none, rotation, motion };
  virtual Group group() const { return Group::none; }

  /// Where in q a unit quaternion begins; −1: there is none. Integration keeps its length.
  virtual int quaternion() const { return -1; }

  /// About a position, for rates that are not those of coordinates: `to_rates` (nv × nq) converts a small change of q to one along
  /// the coordinate directions, `to_positions` (nq × nv) is q̇ per rate, and `slope` (nq × nq) that of q̇ by q.
  virtual void chart(const double* q, const double* v, JointChart& to_rates, JointChart& to_positions,
                     JointChart& slope) const;

  /// The direction of a joint that only turns about an axis or only slides along it.
  struct Axis {
    bool turns = true;
    Vector3d axis = Vector3d::UnitZ();  // unit; the same in F and M
  };
  virtual std::optional<Axis> single_axis() const { return {}; }

  /// The elementary motions whose product X_FM is. Empty for a kind that has no such form: pictures then use its pose.
  virtual std::vector<ElementaryMotion> steps() const { return {}; }

 protected:
  Joint(int nq, std::vector<JointCoordinate> coordinates) : nq_(nq), coordinates_(std::move(coordinates)) {}

 private:
  int nq_;
  std::vector<JointCoordinate> coordinates_;
};

/// V_FM = H v at a position.
inline Vector6d joint_velocity(const Joint& joint, const double* q, const double* v) {
  JointDirections H(6, joint.nv());
  joint.directions(q, H);
  return H * Eigen::Map<const VectorXd>(v, joint.nv());
}

}  // namespace lithe
