#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lithe/describe/case.h"
#include "lithe/describe/problem.h"

namespace lithe {

/// Numbers of a sound case that can hardly be meant: no material, beam, joint or arm is like that, and a unit left out or mistaken
/// explains it. Warnings with the field and the quantity that was probably meant; places are not known here.
///
/// `text` gives what was written for a field, "" where nothing was: an angle of many turns in degrees is meant.
std::vector<Problem> doubts_about(const Case& data, const std::function<std::string(const std::string& path)>& text);

}  // namespace lithe
