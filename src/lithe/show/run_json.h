#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lithe/show/shown_run.h"

namespace lithe {

/// Numbers in a row.
nlohmann::ordered_json json_list(const Eigen::Ref<const VectorXd>& values);

/// An arm as the page draws it (web/src/data.ts: Scene).
nlohmann::ordered_json scene_json(const Arm& arm, const Scene& scene);

/// What of a run is text (web/src/data.ts: RunTexts). Its numbers go beside it, so that the page reads only what is looked at.
nlohmann::ordered_json run_json(const ShownRun& run);

/// JSON within HTML: nothing in it may end the script it stands in.
std::string embedded(const nlohmann::ordered_json& json);

}  // namespace lithe
