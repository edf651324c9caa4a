#pragma once

#include "lithe/dynamics/internal_forces.h"

namespace lithe {

/// A section of a segmented link that every run records: at its root, a hinge, or its tip.
struct SegmentSection {
  enum { root, hinge, tip } kind;
  int i_root;          // the piece on the link's own joint
  int i_link;          // whose joint bears what goes through the section; of a tip, the last piece
  int i_piece;         // what begins there: of a hinge, the last of its turns
  double x, fraction;  // of the straight link
};

/// Calls visit(SegmentSection) along every segmented link, root to tip.
template <class Visit>
void for_each_segment_section(const Arm& arm, Visit visit) {
  for (int first = 0; first < arm.n_links(); ++first) {
    const int i_root = arm.link(first).parent;
    if (arm.link(first).role != LinkRole::segment || arm.link(i_root).role == LinkRole::segment) continue;
    // A hinge is up to three turns, the last of which carries the next piece and alone has a length.
    double length = arm.link(i_root).X_BT.p.x();
    int end = first;
    for (; end < arm.n_links() && arm.link(end).role == LinkRole::segment &&
           arm.link(end).i_case == arm.link(first).i_case;
         ++end)
      length += arm.link(end).X_BT.p.x();
    visit(SegmentSection{SegmentSection::root, i_root, i_root, i_root, 0, 0});
    double x = arm.link(i_root).X_BT.p.x();
    for (int i = first; i < end; ++i) {
      const int turn = i;
      while (arm.link(i).X_BT.p.x() <= 0) ++i;
      if (x > 0) visit(SegmentSection{SegmentSection::hinge, i_root, turn, i, x, x / length});
      x += arm.link(i).X_BT.p.x();
    }
    visit(SegmentSection{SegmentSection::tip, i_root, end - 1, end - 1, length, 1});
  }
}

/// How a section of a segmented link moves relative to the link's frame B, and the forces through it.
struct SegmentForces {
  Vector3d u, force, moment;
  double twist;
};
SegmentForces through(const Arm& arm, const InternalForces& internal, const SegmentSection& section);

}  // namespace lithe
