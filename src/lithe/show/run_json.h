#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lithe/show/shown_run.h"

namespace lithe {

/// Numbers in a row.
nlohmann::ordered_json json_list(const Eigen::Ref<const VectorXd>& values);

/// An arm as the page draws it (web/src/data.ts: Scene).
nlohmann::ordered_json scene_json(const Arm& arm, const Scene& scene);

/// The texts of a run (web/src/data.ts: RunTexts). Its numbers are stored separately, so that the page reads only those that it shows.
nlohmann::ordered_json run_json(const ShownRun& run);

/// JSON within HTML: nothing in it may end the enclosing script.
std::string embedded(const nlohmann::ordered_json& json);

}  // namespace lithe
