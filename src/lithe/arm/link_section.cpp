#include "lithe/arm/link_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lithe {
namespace {

[[noreturn]] void refuse_place(const std::string& path, const std::string& link, double length, double x) {
  throw FieldError(path, fmt::format("expected a place on link '{}', x from 0 to its tip at {:g} m, got x = {:g} m",
                                     link, length, x));
}

/// The piece of a segmented link that contains x: a hinge belongs to the piece beyond it.
LinkPlace place_on_pieces(const Arm& arm, int i_last, const Vector3d& point, const std::string& path) {
  std::vector<int> pieces{i_last};
  while (arm.link(pieces.back()).role == LinkRole::segment) pieces.push_back(arm.link(pieces.back()).parent);
  std::reverse(pieces.begin(), pieces.end());
  double length = 0, start = 0;
  for (const int i : pieces) length += arm.link(i).X_BT.p.x();
  const double x = point.x(), hair = 1e-9 * length;
  if (x < -hair || x > length + hair) refuse_place(path, arm.link(i_last).name, length, x);
  for (const int i : pieces) {
    const double own = arm.link(i).X_BT.p.x();
    if (i == i_last || (own > 0 && x < start + own)) return {tip_section(arm, i), point - Vector3d(start + own, 0, 0)};
    start += own;
  }
  return {};
}

/// Makes a section that of an exact link, all of whose coordinates move it once it is bent.
void exact_section(const FlexBasis& flex, double x, LinkSection& section) {
  section.rod = std::make_shared<const RodSection>(*flex.exact, x);
  SectionShapes all;
  all.place = section.shapes.place;
  all.phi.setZero(3, flex.size());
  all.psi.setZero(3, flex.size());
  for (int k = 0; k < flex.size(); ++k) all.coordinates.push_back(k);
  for (int k = 0; k < section.shapes.size(); ++k) {
    all.phi.col(section.shapes.coordinates[size_t(k)]) = section.shapes.phi.col(k);
    all.psi.col(section.shapes.coordinates[size_t(k)]) = section.shapes.psi.col(k);
  }
  section.shapes = std::move(all);
}

/// Makes a section that of a link with `stiffening`: those coordinates move it, too, that draw it in without moving it otherwise.
void drawn_section(const FlexBasis& flex, const SparseMatrixd& G, LinkSection& section) {
  Matrix3Xd phi = Matrix3Xd::Zero(3, flex.size()), psi = phi;
  std::vector<bool> moves(size_t(flex.size()), false);
  for (int k = 0; k < section.shapes.size(); ++k) {
    const int coordinate = section.shapes.coordinates[size_t(k)];
    phi.col(coordinate) = section.shapes.phi.col(k);
    psi.col(coordinate) = section.shapes.psi.col(k);
    moves[size_t(coordinate)] = true;
  }
  for (int l = 0; l < G.cols(); ++l)
    for (SparseMatrixd::InnerIterator entry(G, l); entry; ++entry)
      if (entry.value() != 0) moves[size_t(l)] = true;
  SectionShapes all;
  all.place = section.shapes.place;
  for (int k = 0; k < flex.size(); ++k)
    if (moves[size_t(k)]) all.coordinates.push_back(k);
  all.phi = phi(Eigen::all, all.coordinates);
  all.psi = psi(Eigen::all, all.coordinates);
  section.shortening = MatrixXd(MatrixXd(G)(all.coordinates, all.coordinates)).sparseView(0.0, 0.0);
  section.shapes = std::move(all);
}

}  // namespace

LinkSection tip_section(const Arm& arm, int i_link) {
  const Link& link = arm.link(i_link);
  LinkSection tip{i_link, link.X_BT, link.flex ? link.flex->tip_section() : SectionShapes{}, nullptr, true};
  if (link.flex && link.flex->exact) exact_section(*link.flex, link.flex->exact->length, tip);
  if (link.flex && link.flex->shortening) drawn_section(*link.flex, link.flex->shortening->tip, tip);
  return tip;
}

bool at_tip(const Link& link, const Vector3d& point) { return (link.X_TD * point).norm() <= 1e-9 * link.X_TD.p.norm(); }

std::string no_node_text(const FlexBasis& basis, const std::string& link, double x) {
  std::string known;
  int n = 0;
  for (const double node : basis.stations.x)
    if (basis.section_at(node) && ++n <= 8) known += fmt::format("{}{:g}", known.empty() ? "" : ", ", node);
  return fmt::format("expected a node of the imported link '{}' on its x axis, got x = {:g} m; such nodes: {}{}", link,
                     x, known.empty() ? "none" : known, n > 8 ? ", …" : "");
}

LinkPlace place_on_link(const Arm& arm, int i_link, const Vector3d& point, const std::string& path) {
  const Link& link = arm.link(i_link);
  if (link.role == LinkRole::segment) return place_on_pieces(arm, i_link, point, path);
  const LinkSection tip = tip_section(arm, i_link);
  if (!link.flex || at_tip(link, {point.x(), 0, 0})) return {tip, link.X_TD * point};
  if (link.guide)
    throw FieldError(path, fmt::format("joint '{}' slides the beam through a guide, so no section stays in place; "
                                       "expected no point: a load on link '{}' acts at its tip frame",
                                       link.joint_name, link.name));
  const bool is_beam = !link.flex->stations.mass.empty();
  const double x = point.x(), length = link.X_BT.p.x();
  if (is_beam && !(x >= 0 && x <= length)) refuse_place(path, link.name, length, x);
  const std::optional<SectionShapes> shapes = link.flex->section_at(x);
  if (!shapes) throw FieldError(path, no_node_text(*link.flex, link.name, x));
  LinkSection section{i_link, {Matrix3d::Identity(), shapes->place}, *shapes, nullptr, false};
  if (link.flex->exact) exact_section(*link.flex, x, section);
  if (link.flex->shortening) drawn_section(*link.flex, link.flex->shortening->at(x), section);
  return {std::move(section), point - shapes->place};
}

namespace {

/// Gδ; returns δᵀGδ.
double draw_in_section(const LinkSection& section, const double* delta, Drawn<double>& drawn) {
  Drawn<double> own(section.shapes.size());
  for (int k = 0; k < section.shapes.size(); ++k) own[k] = delta[section.shapes.coordinates[size_t(k)]];
  draw_in<double>(section.shortening, own, drawn);
  return drawn.dot(own);
}

}  // namespace

SectionFrame::SectionFrame(const Arm& arm, const LinkSection& section, const State& state, const Kinematics& kinematics)
    : shapes_(&section.shapes),
      is_rod_(section.rod != nullptr),
      map_(is_rod_ ? Vector3d(Vector3d::Zero())
                   : section.shapes.turn(state.q.data() + arm.link(section.link).flex_q0())) {
  const Pose& X_WB = kinematics.X_WB[section.link];
  Pose X_BS = section.X_BS;
  R_WB_ = turning_ = X_WB.R;
  if (is_rod_) {
    kinematics.rods[size_t(section.link)]->section(*section.rod, rod_);
    X_BS = {rod_.R, rod_.p};
  } else if (section.shapes.size() > 0) {
    const double* delta = state.q.data() + arm.link(section.link).flex_q0();
    X_BS.p += section.shapes.displacement(delta);
    if (section.shortening.size() > 0) X_BS.p.x() -= draw_in_section(section, delta, drawn_) / 2;
    X_BS.R =
        arm.tip_rotation() == TipRotation::finite ? map_.rotation() : Matrix3d(Matrix3d::Identity() + skew(map_.theta));
    turning_ = X_WB.R * map_.left_jacobian();
  }
  X_WS = X_WB * X_BS;
}

SectionSlopes::SectionSlopes(const LinkSection& section, const SectionFrame& frame, RodSlopes* rod)
    : frame_(&frame),
      rod_(section.rod ? &rod->section(*section.rod) : nullptr),
      shortening_(section.shortening.size() > 0 ? &section.shortening : nullptr) {}

}  // namespace lithe
