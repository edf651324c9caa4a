#include "lithe/joint/kind_list.h"

namespace lithe {
namespace {

class Fixed final : public Joint {
 public:
  Fixed() : Joint(0, {}) {}
  std::string_view word() const override { return "fixed"; }
  Pose X_FM(const double*) const override { return {}; }
  void directions(const double*, JointDirections& H) const override { H.resize(6, 0); }
};

}  // namespace

std::shared_ptr<const Joint> fixed_joint() {
  static const auto joint = std::make_shared<const Fixed>();
  return joint;
}

JointKind fixed_kind() {
  return {.word = "fixed", .meaning = "does not move", .make = [](const JointParameters&) { return fixed_joint(); }};
}

}  // namespace lithe
