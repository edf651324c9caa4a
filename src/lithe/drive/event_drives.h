#pragma once

#include "lithe/drive/drives.h"

namespace lithe {

/// The arm of `stage`, which an event made of the case of `before` by changing what a link carries. Constraints that the case does not
/// tell of go along. Throws FieldError where links would bend by other shapes, so that positions do not mean the same any more.
Arm arm_after(const Case& stage, const Arm& before);

/// Makes what every event would, one after the other as in the file. Throws FieldError, with the path of the event, for laws that
/// cannot be made and arms that cannot move.
void check_event_drives(const Case& data, const Arm& arm, const DriveAdditions& additions = {});

}  // namespace lithe
