#pragma once

#include <stdexcept>

namespace lithe {

/// What the page asked for cannot be done, in words for its reader.
class ViewError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lithe
