#include "lithe/describe/name_prefix.h"

#include <initializer_list>

namespace lithe {
namespace {

/// Walks the places of a case where names stand. What is not of the expected kind is left to the reader to report.
class Prefixer {
 public:
  explicit Prefixer(const std::string& prefix) : prefix_(prefix) {}

  void run(Node& root) const {
    if (Node* arm = root.find("arm")) this->arm(*arm);
    for (const char* section : {"motion", "torque"}) keys(root.find(section));
    if (Node* torques = root.find("torque"))
      for (Node::Entry& joint : torques->entries) law(joint.value);
    if (Node* initial = root.find("initial")) {
      keys(initial, {"deformation", "base", "loads"});
      each(initial->find("loads"), [&](Node& load) { names(load, {"link"}); });
    }
    each(root.find("loads"), [&](Node& load) { names(load, {"link", "name"}); });
    each(root.find("gauges"), [&](Node& gauge) { names(gauge, {"link", "name"}); });
    each(root.find("forces"), [&](Node& force) {
      if (Node* spring = force.find("spring_damper"))
        for (const char* end : {"from", "to"})
          if (Node* attachment = spring->find(end)) names(*attachment, {"link"});
      if (Node* contact = force.find("contact")) names(*contact, {"link"});
    });
    each(root.find("events"), [&](Node& event) { this->event(event); });
  }

 private:
  void arm(Node& arm) const {
    each(arm.find("links"), [&](Node& link) {
      names(link, {"name", "parent"});
      if (Node* joint = link.find("joint")) names(*joint, {"name"});
    });
    each(arm.find("mounts"), [&](Node& mount) { names(mount, {"link", "onto"}); });
    if (Node* damping = arm.find("damping")) keys(damping->find("at"));
  }
  /// Some laws read other coordinates.
  void law(Node& torque) const {
    if (Node* pd = torque.find("pd")) each(pd->find("feedback"), [&](Node& gain) { names(gain, {"of"}); });
  }
  void event(Node& event) const {
    names(event, {"name"});
    if (Node* when = event.find("when")) names(*when, {"of"});
    if (Node* payload = event.find("payload")) names(*payload, {"link"});
    if (Node* load = event.find("load")) names(*load, {"name"});
    Node* torques = event.find("torque");
    keys(torques);
    if (torques != nullptr)
      for (Node::Entry& joint : torques->entries) law(joint.value);
  }

  /// A list may be written as a single mapping.
  template <class Use>
  static void each(Node* list, Use use) {
    if (list == nullptr) return;
    if (list->kind == Node::Kind::mapping) use(*list);
    for (Node& item : list->items) use(item);
  }
  void names(Node& mapping, std::initializer_list<const char*> keys) const {
    for (const char* key : keys)
      if (Node* name = mapping.find(key); name != nullptr && name->kind == Node::Kind::scalar) add_to(name->scalar);
  }
  void keys(Node* mapping, std::initializer_list<std::string_view> own = {}) const {
    if (mapping == nullptr) return;
    for (Node::Entry& entry : mapping->entries) {
      bool field = false;
      for (const std::string_view key : own) field |= entry.key == key;
      if (!field) add_to(entry.key);
    }
  }
  /// The base and the tip are not names of the case's own.
  void add_to(std::string& name) const {
    if (!name.empty() && name != "base" && !name.starts_with("base.") && !name.starts_with("tip."))
      name = prefix_ + name;
  }

  const std::string& prefix_;
};

}  // namespace

void prefix_names(Node& root, const std::string& prefix) { Prefixer(prefix).run(root); }

}  // namespace lithe
