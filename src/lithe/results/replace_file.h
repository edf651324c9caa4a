#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace lithe {

/// Puts `bytes` in the place of `file` whole or not at all: written beside it as `file.part`, brought to the disk,
/// moved over it. Readers and a process killed at any moment see the old file or the new one. Returns "" or the
/// operating system's reason; the old file is then untouched. A file-size limit is such a reason, not the end of the
/// process (SIGXFSZ). `rights`: those of the new file, as chmod has them; as usual unless given.
std::string replace_file(const std::string& file, std::span<const std::byte> bytes,
                         std::optional<unsigned> rights = {});

}  // namespace lithe
