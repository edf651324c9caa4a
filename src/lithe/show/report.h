#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lithe/show/shown_run.h"

namespace lithe {

/// The page without its data, as bundled by Node when lithe was built; empty where it was built without.
std::string_view report_page();

/// The mark in that page that is replaced by the data.
inline constexpr std::string_view data_mark = "<!--lithe-data-->";

/// One self-contained page: scene, series and texts of the runs, and the program that shows them. Needs report_page().
///
/// Every series is there in full, as little-endian numbers (doubles for time and positions, floats for the rest), byte planes
/// one after the other (most significant last), deflated, in base64. web/src/data.ts reads them.
std::string report_html(const std::vector<ShownRun>& runs);

/// Numbers as a report stores them. `wide`: doubles, else floats.
std::string packed(const std::vector<double>& values, bool wide);

}  // namespace lithe
