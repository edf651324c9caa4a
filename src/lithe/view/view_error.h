#pragma once

#include "lithe/error.h"


namespace lithe {

/// What the page asked for cannot be done, in words for its reader.
class ViewError : public Error {
 public:
  using Error::Error;
};

}  // namespace lithe
