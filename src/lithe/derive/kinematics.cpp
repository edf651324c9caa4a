#include "lithe/derive/kinematics.h"

#include <algorithm>

namespace lithe::derive {

std::string link_code(const std::string& prefix, const std::string& link, std::vector<std::string>& taken) {
  const std::string code = prefix + "_" + Names::identifier(link).substr(0, 30);
  std::string candidate = code;
  for (int k = 2; std::find(taken.begin(), taken.end(), candidate) != taken.end(); ++k)
    candidate = fmt::format("{}_{}_", code, k);
  taken.push_back(candidate);
  return candidate;
}

}  // namespace lithe::derive
