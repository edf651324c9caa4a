#pragma once

#include "lithe/error.h"

namespace lithe {

/// A request of the page cannot be fulfilled; the message is for its reader.
class ViewError : public Error {
 public:
  using Error::Error;
};

}  // namespace lithe
