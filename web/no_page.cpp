// Stands in for the bundled page where lithe is built without Node: `lithe report` says what is missing.
#include <string_view>

namespace lithe {
std::string_view report_page() { return {}; }
}  // namespace lithe
