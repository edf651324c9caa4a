#pragma once

#include <vector>

#include "lithe/describe/case.h"
#include "lithe/spatial/spatial.h"
#include "support/jet.h"

namespace lithe::testing {

/// A uniform exact link taken apart: which sections carry its mass, and where they are at given coordinates. What docs/exact-links.md says of
/// curvatures, exponentials and Lagrange's polynomials (1), (2), (5), written out again on jets.
class RodPoints {
 public:
  /// `places`: of bodies along it, from which the sections' rotations are interrupted.
  RodPoints(const Beam& beam, bool rotary_inertia, const std::vector<double>& places = {});

  int size() const { return int(terms_.size()); }
  MatrixXd K, D;

  struct Section {
    double mass = 0;  // of one of Gauss's points; 0: a body's section, or the tip
    Vector3d rotary = Vector3d::Zero();
    int body = -1;  // which of `places`
    JetMatrix R = JetMatrix::Identity();
    JetVector p = JetVector::Zero();
  };
  /// From root to tip, which is the last.
  std::vector<Section> sections(const std::vector<Jet>& delta) const;

 private:
  struct Term {
    int row;      // of [κ; ν]
    double sign;  // with which it counts there
    int degree;
  };
  struct Edge {
    double x;
    int point, body;
  };
  double strain(const Term& term, double x) const;
  double reach(int point, double x) const;

  double length_, mass_;
  Vector3d rotary_ = Vector3d::Zero();
  std::vector<Term> terms_;
  std::vector<double> x_, weight_;  // of Gauss's points
  std::vector<Edge> edges_;
};

}  // namespace lithe::testing
