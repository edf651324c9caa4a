#include "lithe/aero/influence_factor.h"

#include <limits>

namespace lithe::aero {

InfluenceFactor::InfluenceFactor(const Lattice& lattice, const Stencils& stencils, std::optional<SymmetryPlane> plane,
                                 double core, double rigid_tolerance)
    : stencils_(stencils),
      plane_(std::move(plane)),
      core_(core),
      tolerance_(rigid_tolerance),
      reference_(Points::Zero(3, lattice.n_corners())),
      geometry_(lattice),
      matrix_(MatrixXd::Zero(lattice.n_panels(), lattice.n_panels())),
      factor_(lattice.n_panels()) {}

bool InfluenceFactor::serves(const Points& corners) const {
  const Vector3d centre = corners.rowwise().mean(), reference_centre = reference_.rowwise().mean();
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  if (!plane_) {
    // The rotation that takes the reference nearest to the corners: from the covariance's singular vectors.
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (int k = 0; k < corners.cols(); ++k)
      covariance += (corners.col(k) - centre) * (reference_.col(k) - reference_centre).transpose();
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    turn = svd.matrixU() * Vector3d(1, 1, sign).asDiagonal() * svd.matrixV().transpose();
  }
  double extent = 0, distance = 0;
  for (int k = 0; k < corners.cols(); ++k) {
    const Vector3d arm = reference_.col(k) - reference_centre;
    extent = std::max(extent, arm.norm());
    distance = std::max(distance, (corners.col(k) - centre - turn * arm).norm());
  }
  if (plane_) distance = std::max(distance, std::abs((centre - reference_centre).dot(plane_->normal.normalized())));
  // Far from the origin the corners have larger rounding errors.
  const double rounding = 8 * std::numeric_limits<double>::epsilon() *
                          std::max(corners.cwiseAbs().maxCoeff(), reference_.cwiseAbs().maxCoeff());
  return distance <= tolerance_ * extent + rounding;
}

void InfluenceFactor::make(const Points& corners) {
  reference_ = corners;
  geometry_.place(stencils_, corners);
  bound_influence(geometry_, plane_, core_, matrix_);
  factor_.compute(matrix_);
  made_ = true;
}

bool InfluenceFactor::update(const Points& corners, bool keep) {
  if (made_ && (keep || serves(corners))) return false;
  make(corners);
  return true;
}

}  // namespace lithe::aero
