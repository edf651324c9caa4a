#pragma once

#include <functional>

#include "lithe/drive/drives.h"

namespace lithe {

/// The arm of `stage`, the case after an event that changed what a link of `before` carries. Constraints that code has added are kept.
/// Throws FieldError if links would bend by other shapes, so that positions would change their meaning.
Arm arm_after(const Case& stage, const Arm& before);

/// Tries one stage of a case: what a formulation demands of it. Throws FieldError with the path of a field of that case.
using StageCheck = std::function<void(const Case& stage, const Arm& arm)>;

/// Tries the changes of all events, one after the other as in the file. Throws FieldError, with the path of the event, for laws that
/// cannot be made, arms that cannot move and what `check` rejects.
void check_event_drives(const Case& data, const Arm& arm, const DriveAdditions& additions = {},
                        const StageCheck& check = {});

}  // namespace lithe
