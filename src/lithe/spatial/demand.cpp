#include "lithe/spatial/demand.h"

#include <stdexcept>

namespace lithe {

void demand_failed(const char* expression, const char* file, int line, const std::string& details) {
  throw std::logic_error("demand failed: " + std::string(expression) + (details.empty() ? "" : " (" + details + ")") +
                         " at " + file + ":" + std::to_string(line));
}

}  // namespace lithe
