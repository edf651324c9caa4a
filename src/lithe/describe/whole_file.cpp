#include "lithe/describe/whole_file.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

namespace lithe {

std::string whole_file(const std::filesystem::path& file) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(file, ignored);
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || folder) throw std::system_error(folder ? EISDIR : errno, std::generic_category(), file.string());
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (stream.bad() || text.bad()) throw std::system_error(EIO, std::generic_category(), file.string());
  return std::move(text).str();
}

}  // namespace lithe
