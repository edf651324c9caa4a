#pragma once

#include <filesystem>
#include <string>

namespace lithe {

/// Every byte of a file. Throws std::system_error with the operating system's reason; a folder has one too.
std::string whole_file(const std::filesystem::path& file);

}  // namespace lithe
