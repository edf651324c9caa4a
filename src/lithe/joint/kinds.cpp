#include "lithe/joint/kinds.h"

#include <algorithm>
#include <stdexcept>

#include "lithe/joint/kind_list.h"

namespace lithe {
namespace {

std::vector<JointKind>& list() {
  static std::vector<JointKind> kinds{
      fixed_kind(),       revolute_kind(),  prismatic_kind(), helical_kind(),
      cylindrical_kind(), universal_kind(), spherical_kind(), planar_kind(),
  };
  return kinds;
}

}  // namespace

const std::vector<JointKind>& joint_kinds() { return list(); }

const JointKind* find_joint_kind(std::string_view word) {
  const auto found =
      std::find_if(list().begin(), list().end(), [&](const JointKind& kind) { return kind.word == word; });
  return found == list().end() ? nullptr : &*found;
}

void add_joint_kind(JointKind kind) {
  if (find_joint_kind(kind.word) != nullptr)
    throw std::invalid_argument("a joint kind '" + kind.word + "' exists already");
  list().push_back(std::move(kind));
}

}  // namespace lithe
