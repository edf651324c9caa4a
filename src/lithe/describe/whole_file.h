#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "lithe/describe/limits.h"

namespace lithe {

/// Every byte of a file, a device or a pipe, up to `most`. Throws std::system_error with the operating system's reason: EISDIR
/// for a folder, EFBIG for more than `most` bytes (of a regular file before any is read), ENODATA for a pipe that nothing
/// writes to.
std::string whole_file(const std::filesystem::path& file, std::size_t most = limits::data_file_bytes);

/// The file that a name refers to, with links resolved as far as possible: the same for two names of one file.
std::filesystem::path file_identity(const std::filesystem::path& file);

/// The message for an error of `whole_file`: that of the operating system, or a clearer one.
std::string why_unread(const std::error_code& code, std::size_t most);

/// A number of bytes in readable form: "64 MiB", "312 bytes".
std::string shown_bytes(std::size_t n);

}  // namespace lithe
