#include "lithe/show/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lithe/beam/exact/strain_basis.h"
#include "lithe/show/joint_glyphs.h"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

/// Column by column.
Json columns(const MatrixXd& matrix) { return std::vector<double>(matrix.data(), matrix.data() + matrix.size()); }

Json pose(const Pose& X) {
  const Quaterniond turn(X.R);
  return Json::array({X.p.x(), X.p.y(), X.p.z(), turn.w(), turn.x(), turn.y(), turn.z()});
}

/// A joint by the elementary motions that the page moves it by, and what it draws.
Json joint_json(const Link& link) {
  constexpr const char* kinds[] = {"turn", "slide", "shift", "quaternion"};
  constexpr const char* glyphs[] = {"hinge", "sleeve", "ball"};
  constexpr const char* groups[] = {"none", "rotation", "motion"};
  const Joint& joint = *link.joint;
  Json answer{{"nq", joint.nq()}, {"nv", joint.nv()}, {"group", groups[int(joint.group())]}};
  answer["coordinates"] = Json::array();
  for (const JointCoordinate& one : joint.coordinates())
    if (one.has_position) answer["coordinates"].push_back(link.joint_name + one.suffix);
  answer["steps"] = Json::array();
  for (const ElementaryMotion& step : joint.steps())
    answer["steps"].push_back({{"kind", kinds[int(step.kind)]},
                               {"axis", json_list(step.axis)},
                               {"index", step.index},
                               {"factor", step.factor}});
  if (joint.nv() > 0 && answer["steps"].empty())
    throw UnsupportedError(
        fmt::format("arm.links[{}].joint.type", link.i_case),
        fmt::format("the page moves joints by elementary motions, but a {} joint provides none: it needs Joint::steps",
                    joint.word()));
  answer["glyphs"] = Json::array();
  for (const JointGlyph& glyph : joint_glyphs(joint))
    answer["glyphs"].push_back({{"kind", glyphs[int(glyph.kind)]}, {"axis", json_list(glyph.axis)}});
  answer["slides"] = joint_slides(joint);
  return answer;
}

Json station_json(const SceneStation& station) {
  const Outline& outline = station.outline;
  Json item{{"place", json_list(station.place)},
            {"round", outline.round},
            {"outline", {outline.y, outline.z, outline.hole_y, outline.hole_z}}};
  if (station.phi.cols() > 0) {
    item["phi"] = columns(station.phi);
    item["psi"] = columns(station.psi);
  }
  return item;
}

Json solid_json(const SceneSolid& solid) {
  constexpr const char* forms[] = {"box", "cylinder", "sphere", "bar"};
  constexpr const char* frames[] = {"parent", "link", "tip", "station"};
  constexpr const char* roles[] = {"body", "offset", "payload", "base"};
  Json item{{"form", forms[int(solid.form)]},
            {"frame", frames[int(solid.frame)]},
            {"role", roles[int(solid.role)]},
            {"place", pose(solid.place)},
            {"size", json_list(solid.size)}};
  if (solid.station >= 0) item["station"] = solid.station;
  return item;
}

/// How a link deforms: shapes of its tip, or an exact link's strains, from which the page integrates its bent axis. Coordinates run piece by
/// piece between `breaks`; in a piece by strain, and of each by degree of Legendre's polynomials (docs/exact-links.md (1)).
Json flex_json(const FlexBasis& flex) {
  Json item{{"size", flex.size()}, {"tip", json_list(flex.tip0)}};
  if (!flex.exact) {
    item["phi"] = columns(flex.tip_phi);
    item["psi"] = columns(flex.tip_psi);
    return item;
  }
  const Strains& strains = flex.exact->strains;
  item["rod"] = {
      {"breaks", flex.exact->breaks},
      {"terms",
       {strains.bending_y, strains.bending_z, strains.torsion, strains.axial, strains.shear_y, strains.shear_z}},
      {"initial", json_list(strains.initial_curvature)}};
  return item;
}

Json link_json(const Link& link, const SceneLink& drawn) {
  Json item{{"name", drawn.name},
            {"parent", link.parent},
            {"joint_name", link.joint_name},
            {"joint", joint_json(link)},
            {"X_PF", pose(link.X_PF)},
            {"X_BT", pose(link.X_BT)},
            {"q0", link.q0},
            {"v0", link.v0},
            {"colour", drawn.colour}};
  if (link.role == LinkRole::segment) item["deforms"] = true;
  if (link.role == LinkRole::base) item["base"] = true;
  if (link.flex) item["flex"] = flex_json(*link.flex);
  if (link.guide) item["guide"] = {{"exit", link.guide->exit}, {"length", drawn.length}};
  if (link.yield_strength) item["yield_strength"] = *link.yield_strength;
  if (drawn.joint_size > 0) item["joint_size"] = drawn.joint_size;
  for (const SceneStation& station : drawn.stations) item["stations"].push_back(station_json(station));
  for (const SceneSolid& solid : drawn.solids) item["solids"].push_back(solid_json(solid));
  return item;
}

/// Each corner as the sum of the parts of it that links carry.
Json surface_json(const SceneSurface& surface) {
  Json corners = Json::array();
  for (const std::vector<CarriedPart>& parts : surface.corners) {
    Json corner = Json::array();
    for (const CarriedPart& part : parts) {
      Json item{{"link", part.link}, {"weight", part.weight}, {"place", json_list(part.place)}};
      if (part.shape.cols() > 0) item["shape"] = columns(part.shape);
      corner.push_back(std::move(item));
    }
    corners.push_back(std::move(corner));
  }
  return {{"link", surface.link},
          {"n_chord", surface.n_chord},
          {"n_span", surface.n_span},
          {"colour", surface.colour},
          {"corners", corners}};
}

/// Least and greatest value of a series and the first rows that have them; −1 if no value is finite.
Json extremes(const std::vector<double>& values) {
  int least = -1, most = -1;
  for (int i = 0; i < int(values.size()); ++i) {
    if (!std::isfinite(values[i])) continue;
    if (least < 0 || values[i] < values[least]) least = i;
    if (most < 0 || values[i] > values[most]) most = i;
  }
  if (least < 0) return {{"min_row", -1}, {"max_row", -1}};
  return {{"min", values[least]}, {"min_row", least}, {"max", values[most]}, {"max_row", most}};
}

}  // namespace

Json json_list(const Eigen::Ref<const VectorXd>& values) { return std::vector<double>(values.begin(), values.end()); }

nlohmann::ordered_json scene_json(const Arm& arm, const Scene& scene) {
  const RootMotion root = arm.root(0);
  Json links = Json::array();
  for (int i = 0; i < arm.n_links(); ++i) links.push_back(link_json(arm.link(i), scene.links[i]));
  for (const Transmission& one : arm.transmissions()) links[one.joint_link]["rotor"] = arm.link(one.rotor_link).q0;
  Json answer{{"up", json_list(scene.up)},
              {"reach", scene.reach},
              {"footing", scene.footing},
              {"tip", arm.last_link()},
              {"bends", arm.bends()},
              {"small_tips", arm.small_tips()},
              {"positions", arm.positions()},
              {"root", {{"pose", pose(root.X_WR)}}},
              {"links", links}};
  for (const SceneSurface& surface : scene.surfaces) answer["surfaces"].push_back(surface_json(surface));
  if (arm.root_by_profiles()) {
    answer["root"]["recorded"] = true;  // the columns base.x … base.qz of a run say where it is
  } else if (arm.root_moves()) {
    answer["root"]["velocity"] = json_list(root.velocity);
    answer["root"]["acceleration"] = json_list(root.acceleration);
    answer["root"]["omega"] = json_list(root.omega);
    answer["root"]["alpha"] = json_list(root.alpha);
  }
  return answer;
}

nlohmann::ordered_json run_json(const ShownRun& run) {
  const Results& results = run.results;
  Json names = Json::array(), statistics = Json::object();
  for (size_t i = 0; i < results.series.size(); ++i) {
    Json column{{"name", results.header.columns[i].name}, {"unit", results.header.columns[i].unit}};
    column.update(extremes(results.series[i]));
    names.push_back(std::move(column));
  }
  for (const auto& [name, number] : results.statistics) statistics[name] = number;
  Json answer{{"label", run.label},
              {"file", run.file},
              {"case_file", results.header.case_file},
              {"case", results.header.case_text},
              {"version", results.header.version},
              {"complete", results.complete},
              {"stopped_because", results.stopped_because},
              {"rows", results.time.size()},
              {"columns", names},
              {"statistics", statistics}};
  if (run.measured) answer["measured"] = true;
  if (run.arm) {
    answer["scene"] = scene_json(*run.arm, run.scene);
    answer["commanded"] = Json::array();
    for (const auto& [i, values] : run.commanded) answer["commanded"].push_back(i);
  } else {
    answer["no_scene"] = run.no_scene;
  }
  if (run.wake) {
    answer["wake"] = {{"at", run.wake->at}, {"sheets", Json::array()}};
    for (const WakeFrames::Sheet& sheet : run.wake->sheets)
      answer["wake"]["sheets"].push_back({{"rows", sheet.rows}, {"columns", sheet.columns}});
  }
  answer["modes"] = Json::array();
  for (const ShownMode& mode : run.modes)
    answer["modes"].push_back(
        {{"frequency_hz", mode.frequency_hz}, {"description", mode.description}, {"shape", json_list(mode.shape)}});
  if (run.modes.empty()) {
    answer["no_modes"] = run.no_modes;
  } else {
    answer["modes_q"] = json_list(run.modes_q);
  }
  return answer;
}

std::string embedded(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

}  // namespace lithe
