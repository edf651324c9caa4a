#pragma once

#include "lithe/describe/case.h"
#include "lithe/dynamics/segment_sections.h"

namespace lithe {

/// The strain gauges of a case: the strain along x at one place of a section, positive where the beam is stretched, from the force
/// [N, V_y, V_z] and the moment [T, M_y, M_z] through that section (signs as in InternalForces and Fibres):
///
///   ε = N/(EA) + M_y z/(E I_y) − M_z y/(E I_z)                                                                      (1)
///
/// Immutable; threads may share it.
class Gauges {
 public:
  /// Throws FieldError for a place where the forces inside the link are not known.
  Gauges(const Case& data, const Arm& arm);

  size_t size() const { return gauges_.size(); }
  const std::string& name(size_t i) const { return gauges_[i].name; }
  /// The strains in the order of the case, of the arm that these are gauges of. Allocates nothing.
  void strains(const Arm& arm, const InternalForces& internal, double* values) const;

 private:
  struct Placed {
    std::string name;
    int i_link = -1;                           // of one with stations, that link; of a segmented one, its root piece
    int i_station = -1;                        // −1: of a segmented link
    SegmentSection section = {};               // of a segmented link
    double per_N = 0, per_My = 0, per_Mz = 0;  // strain
  };
  std::vector<Placed> gauges_;
};

}  // namespace lithe
