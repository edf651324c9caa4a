#include "lithe/results/own_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "lithe/error.h"

namespace lithe {

OwnFolder::OwnFolder(const std::string& purpose) {
  const std::filesystem::path place = std::filesystem::temp_directory_path();
  path_ = (place / ("lithe-" + purpose + "-XXXXXX")).string();
  if (::mkdtemp(path_.data()) == nullptr)
    throw Error("cannot create a folder in " + place.string() + ": " + std::strerror(errno));
}
OwnFolder::~OwnFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace lithe
