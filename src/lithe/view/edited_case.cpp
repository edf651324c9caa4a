#include "lithe/view/edited_case.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "lithe/analyse/modes.h"
#include "lithe/analyse/statics.h"
#include "lithe/arm/coordinate_list.h"
#include "lithe/describe/case_parameters.h"
#include "lithe/drive/drives.h"
#include "lithe/show/run_json.h"
#include "lithe/view/parameter_names.h"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

/// The page can name any file of the folder, also one that must not be shown there. Messages about files other than the case therefore
/// say what is wrong and where, without quotes.
void quote_only(const std::string& file, std::vector<Problem>& problems) {
  for (Problem& problem : problems) {
    if (problem.where.file == file) {
      // A mistake in a table is reported at the field that names the table.
      const size_t got = problem.path.ends_with(".file") ? problem.message.find(", got \"") : std::string::npos;
      if (got != std::string::npos) problem.message.resize(got);
      continue;
    }
    // An unknown name is at the end of the path as well.
    if ((problem.message.starts_with("unknown key") || problem.message.starts_with("no joint")))
      problem.path.resize(problem.path.find('.') == std::string::npos ? 0 : problem.path.rfind('.'));
    problem.message = without_quotes(problem.message);
  }
}

Json problems_json(const std::vector<Problem>& problems, const std::string& file) {
  Json answer = Json::array();
  for (const Problem& problem : problems) {
    const auto same = [&](const Problem& other) {
      return other.where.line == problem.where.line && other.where.column == problem.where.column &&
             other.where.file == problem.where.file && other.message == problem.message;
    };
    // An alias represents several fields: one message is enough.
    if (std::find_if(problems.begin(), problems.end(), same) != problems.begin() + (&problem - problems.data()))
      continue;
    Json item{{"path", shown_path(problem.path)}, {"message", problem.message}};
    if (problem.where.file == file) {
      item["line"] = problem.where.line;
      item["column"] = problem.where.column;
    } else if (!problem.where.file.empty()) {
      item["file"] = fmt::format("{}:{}", problem.where.file, problem.where.line);
    }
    answer.push_back(std::move(item));
  }
  return answer;
}

Json parameters_json(const std::vector<Parameter>& parameters, const Case& data) {
  Json answer = Json::array();
  for (const Parameter& one : parameters) {
    const ParameterName name = name_of(one, data);
    Json item{{"path", one.path},       {"group", name.group},        {"label", name.label},
              {"text", one.text},       {"unit", one.unit},           {"help", one.help},
              {"line", one.where.line}, {"column", one.where.column}, {"length", one.length}};
    if (one.whole) item["whole"] = true;
    if (!one.options.empty()) item["options"] = one.options;
    // One place under several names: an anchor and its aliases.
    const auto same_place = [&](const Parameter& other) {
      return other.where.line == one.where.line && other.where.column == one.where.column;
    };
    if (std::count_if(parameters.begin(), parameters.end(), same_place) > 1) {
      for (const Parameter& other : parameters)
        if (same_place(other)) item["shared"].push_back(name_of(other, data).brief);
    }
    answer.push_back(std::move(item));
  }
  return answer;
}

/// Coordinates that a slider can set: joints and slides of the base, not what deforms.
Json joints_json(const Arm& arm) {
  Json answer = Json::array();
  for (const Link& link : arm.links()) {
    if (link.role == LinkRole::segment || link.role == LinkRole::rotor) continue;
    for (int k = 0; k < link.nv(); ++k) {
      if (!link.joint->coordinates()[k].has_position) continue;
      Json item{{"name", arm.coordinates()[link.v0 + k]}, {"q0", link.q0 + k}, {"turns", arm.turns(link.v0 + k)}};
      if (const auto& limits = link.forces[k].limits) {
        item["lower"] = limits->lower;
        item["upper"] = limits->upper;
      }
      answer.push_back(std::move(item));
    }
  }
  return answer;
}

/// The start of the case; undeformed if no equilibrium is found.
State initial_state(const Case& data, const Arm& arm) {
  try {
    return Drives(data, arm).initial_state();
  } catch (const std::exception&) {
    return Drives(undeformed_start(data), arm).initial_state();
  }
}

State pose(const Arm& arm, const std::vector<double>& q) {
  if (int(q.size()) != arm.nq()) throw ViewError(fmt::format("q: expected {} numbers, got {}", arm.nq(), q.size()));
  State state = State::zero(arm);
  for (int i = 0; i < arm.nq(); ++i) state.q[i] = q[i];
  if (!state.q.allFinite()) throw ViewError("q: expected finite numbers");
  if (!normalise_quaternions(arm, state.q)) throw ViewError("q: expected quaternions other than zero");
  return state;
}

}  // namespace

std::string without_quotes(std::string message) {
  const size_t first = message.find_first_of("\"'"), last = message.find_last_of("\"'");
  if (first != std::string::npos && first < last) message.replace(first + 1, last - first - 1, "…");
  return message;
}

EditedCase::EditedCase(const std::string& text, std::string file) : file_(std::move(file)), files_(text, file_) {}

Findings EditedCase::examined(const std::string& text) const {
  Findings findings;
  findings.errors = files_.files_outside(text);
  if (!findings.errors.empty()) return findings;
  findings = examine([&] { return read_case_text(text, file_); });
  examine_drives(findings);
  findings.errors.insert(findings.errors.end(), findings.unsupported.begin(), findings.unsupported.end());
  quote_only(file_, findings.errors);
  quote_only(file_, findings.warnings);
  return findings;
}

void EditedCase::demand_runnable(const std::string& text) const {
  if (!sound(text).file.data.simulate) throw ViewError("simulate: missing; expected a duration: simulate: {for: 5 s}");
}

Json EditedCase::described(const std::string& text) const {
  const Findings findings = examined(text);
  Json answer{{"errors", problems_json(findings.errors, file_)}, {"warnings", problems_json(findings.warnings, file_)}};
  const Case& data = findings.loaded.file.data;
  if (!findings.errors.empty() || !findings.loaded.arm) return answer;
  const Arm& arm = *findings.loaded.arm;
  answer["parameters"] = parameters_json(parameters_of(text, file_, data), data);
  answer["scene"] = scene_json(arm, scene_of(data, arm));
  answer["joints"] = joints_json(arm);
  answer["q"] = json_list(initial_state(data, arm).q);
  answer["can_run"] = data.simulate.has_value();
  return answer;
}

LoadedCase EditedCase::sound(const std::string& text) const {
  Findings findings = examined(text);
  if (!findings.errors.empty()) throw ViewError(findings.errors.front().text());
  return std::move(findings.loaded);
}

Json EditedCase::modes(const std::string& text, const std::vector<double>& q, const std::string& joints) const {
  if (joints != "locked" && joints != "free") throw ViewError("joints: expected locked or free");
  const LoadedCase loaded = sound(text);
  const Arm& arm = *loaded.arm;
  const State state = pose(arm, q);
  Json answer{{"modes", Json::array()}};
  if (arm.has_guides()) {
    answer["note"] = "A beam slides through a guide: its natural modes change with its free length.";
    return answer;
  }
  const Drives drives(undeformed_start(loaded.file.data), arm);
  const ModesResult found =
      natural_modes_of(arm, state,
                       {.joints = joints == "free" ? JointCondition::free : JointCondition::locked,
                        .count = 12,
                        .outer = drives.forces_at_rest()});
  for (const Mode& mode : found.modes)
    if (mode.frequency_hz > 0)
      answer["modes"].push_back(
          {{"frequency_hz", mode.frequency_hz}, {"description", mode.description}, {"shape", json_list(mode.shape)}});
  if (answer["modes"].empty())
    answer["note"] =
        joints == "free" ? "Nothing vibrates at this pose." : "Nothing vibrates here with the joints locked.";
  else if (found.n_unstable > 0)
    answer["note"] = fmt::format("{} further mode{} no frequency: the arm would fall from this pose.", found.n_unstable,
                                 found.n_unstable == 1 ? " has" : "s have");
  return answer;
}

Json EditedCase::sag(const std::string& text, const std::vector<double>& q) const {
  const LoadedCase loaded = sound(text);
  const Arm& arm = *loaded.arm;
  const Drives drives(loaded.file.data, arm);
  const StaticResult result =
      static_deflection(arm, undeformed(arm, pose(arm, q)), arm.last_link(), drives.all_at_rest());
  return {{"q", json_list(result.rest.state.q)}, {"sag", json_list(result.sag)}, {"tip", json_list(result.X_WT.p)}};
}

std::string EditedCase::changes(const std::string& before, const std::string& after) const {
  if (before == after) return "";
  const auto parameters = [&](const std::string& text) {
    const CaseFile file = read_case_text(text, file_);
    std::map<std::string, std::pair<std::string, std::string>> found;  // by path: short name, text
    std::set<std::pair<int, int>> places;                              // several names may stand for one: an alias
    for (const Parameter& one : parameters_of(text, file_, file.data))
      if (places.emplace(one.where.line, one.where.column).second)
        found[one.path] = {name_of(one, file.data).brief, one.text};
    return found;
  };
  std::vector<std::string> list;
  try {
    const auto old = parameters(before), now = parameters(after);
    for (const auto& [path, entry] : now) {
      const auto same = old.find(path);
      if (same != old.end() && same->second.second != entry.second)
        list.push_back(fmt::format("{} {} → {}", entry.first, same->second.second, entry.second));
    }
  } catch (const std::exception&) {
    list.clear();  // files that it names have changed meanwhile: all the same, it was edited
  }
  if (list.empty()) return "edited";
  const size_t more = list.size() > 2 ? list.size() - 2 : 0;
  list.resize(list.size() - more);
  return fmt::format("{}{}", fmt::join(list, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace lithe
