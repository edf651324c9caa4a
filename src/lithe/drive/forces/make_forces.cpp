#include "lithe/drive/forces/make_forces.h"

#include <fmt/format.h>

#include "lithe/drive/forces/contact.h"
#include "lithe/drive/forces/spring_damper.h"

namespace lithe {

std::vector<std::shared_ptr<Force>> make_forces(const std::vector<ForceSpec>& specs, const Arm& arm) {
  std::vector<std::shared_ptr<Force>> forces;
  for (size_t i = 0; i < specs.size(); ++i) {
    const std::string path = fmt::format("forces[{}].", i);
    if (const auto* spring = std::get_if<SpringDamper>(&specs[i].force))
      forces.push_back(std::make_shared<SpringDamperForce>(*spring, path + "spring_damper", arm));
    if (const auto* contact = std::get_if<Contact>(&specs[i].force))
      forces.push_back(std::make_shared<ContactForce>(*contact, path + "contact", arm));
  }
  return forces;
}

}  // namespace lithe
