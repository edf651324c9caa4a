#pragma once

#include "lithe/describe/import_numbers.h"
#include "lithe/describe/imported_link.h"

namespace lithe {

/// The form of an imported link that gives its constants instead of nodes and masses (ImportedLink): sets all of `link`.
void read_link_constants(const nlohmann::json& root, ImportNumbers& numbers, ImportedLink& link);

}  // namespace lithe
