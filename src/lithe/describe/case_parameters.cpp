#include "lithe/describe/case_parameters.h"

#include <fmt/format.h>

#include "lithe/describe/events.h"
#include "lithe/describe/fields/case_fields.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/materials.h"
#include "lithe/describe/parsed_text.h"

namespace lithe {
namespace {

/// Data that all listers of one case share.
struct Listing {
  std::vector<Parameter> found;
  std::map<std::string, JointName> joints;  // by name
  const ArmSpec* arm = nullptr;
};

/// Visits the fields of one object together with the mapping that it was read from.
class Lister final : public FieldVisitor {
 public:
  static void list(const Node& node, const std::string& path, ObjectRef object, const UnitContext& units,
                   Listing& listing) {
    Lister lister(node, path, units, listing);
    object.visit(lister);
  }

  void value(Need, const char* key, double&, const Dimension& dimension, const Range&, const char* help) override {
    quantities(key, dimension, help);
  }
  void value(Need, const char* key, Vector3d&, const Dimension& dimension, const Range&, const char* help) override {
    quantities(key, dimension, help);
  }
  void value(Need, const char* key, std::optional<double>&, const Dimension& dimension, const Range&,
             const char* help) override {
    quantities(key, dimension, help);
  }
  void value(Need, const char* key, std::optional<Vector3d>&, const Dimension& dimension, const Range&,
             const char* help) override {
    quantities(key, dimension, help);
  }
  void values(Need, const char* key, std::vector<double>&, const Dimension& dimension, const Range&,
              const char* help) override {
    quantities(key, dimension, help);
  }
  void vectors(Need, const char* key, std::vector<Vector3d>&, size_t, const Dimension& dimension,
               const char* help) override {
    quantities(key, dimension, help);
  }
  void joint_value(Need, const char* key, double&, const JointDimension& dimension, const Range&,
                   const char* help) override {
    quantities(key, dimension.of(units_.joint), help);
  }
  void joint_value(Need, const char* key, std::optional<double>&, const JointDimension& dimension, const Range&,
                   const char* help) override {
    quantities(key, dimension.of(units_.joint), help);
  }
  void profile_value(Need, const char* key, double&, const char* help) override {
    quantities(key, units_.profile.of(units_.joint), help);
  }
  void profile_rate(Need, const char* key, double&, const char* help) override {
    quantities(key, per_time(units_.profile.of(units_.joint)), help);
  }
  void count(Need, const char* key, int&, int, const char* help) override { whole_number(key, help); }
  void count(Need, const char* key, std::optional<int>&, int, const char* help) override { whole_number(key, help); }
  void flag(Need, const char* key, bool&, const char* help) override {
    if (const Node* node = node_.find(key)) add({.path = at(key), .help = help, .options = {"true", "false"}}, *node);
  }
  void flags(Need, const char*, Flags, const char*) override {}
  void name(Need, const char*, std::string&, const char*) override {}
  void name(Need, const char*, std::optional<std::string>&, const char*) override {}
  void coordinate(Need, const char*, std::string&, const char*) override {}
  void label(Need, const char*, std::string&, const char*) override {}
  void formula(Need, const char*, std::string&, const char*) override {}
  JointDimension state_quantity(Need, const char*, std::string& member, const char*) override {
    const auto known = listing_.arm == nullptr ? std::nullopt : event_quantity(*listing_.arm, member);
    if (known) units_.joint = known->unit;
    return known && known->is_rate ? joint_dimension::rate : joint_dimension::position;
  }
  void file(Need, const char*, std::string&, const char*) override {}
  void joint_type(Need, const char* key, std::string& member, const char* help) override {
    units_.joint = joint_unit(member);
    joint_word_ = member;
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    add({.path = at(key), .help = help, .options = joint_types()}, *node);
  }
  bool short_joint_value(double&, const JointDimension& dimension, const Range&, const char* help) override {
    if (!is_scalar()) return false;
    quantities(node_, path_, dimension.of(units_.joint), help);
    return true;
  }
  void catalogue_name(Material&, const char* help) override {
    if (!is_scalar()) return;
    Parameter parameter{.path = path_, .help = help};
    for (const CatalogueMaterial& entry : material_catalogue()) parameter.options.emplace_back(entry.name);
    add(std::move(parameter), node_);
  }
  void exactly_one(std::initializer_list<const char*>) override {}
  void joints_of(const ArmSpec& arm) override {
    listing_.joints = joint_names(arm);
    listing_.arm = &arm;
  }
  void profile_of(const JointDimension& dimension) override { units_.profile = dimension; }
  void composition(const char*, const char*) override {}

 protected:
  void visit_choice(Need, const char* key, ChoiceRef& choice, const char* help) override {
    if (const Node* node = node_.find(key)) add({.path = at(key), .help = help, .options = choice.words()}, *node);
  }
  void visit_object(Need, const char* key, Slot& slot, const char*) override {
    const Node* node = node_.find(key);
    if (node != nullptr && slot.filled()) list(*node, at(key), slot.get(), units_, listing_);
  }
  void visit_list(Need, const char* key, ListRef& members, const char*) override {
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    for (size_t i = 0; i < std::min(members.size(), node->items.size()); ++i)
      list(node->items[i], fmt::format("{}[{}]", at(key), i), members.at(i), units_, listing_);
  }
  void visit_one_or_list(Need need, const char* key, ListRef& members, const char* help) override {
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    // A list of one keeps its index: the path is for --set, which follows the text.
    if (node->kind == Node::Kind::list) return visit_list(need, key, members, help);
    if (members.size() > 0) list(*node, at(key), members.at(0), units_, listing_);
  }
  void visit_joint_map(const char* key, MapRef& members, const char*) override {
    if (const Node* node = node_.find(key)) joints(*node, at(key), members);
  }
  void visit_joint_entries(MapRef& members, const char*) override { joints(node_, path_, members); }
  void visit_own_coordinates(Need, const char* key, MapRef& members, const char*) override {
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    for (const OwnCoordinate& one : lithe::own_coordinates(joint_word_)) {
      const Node* own = node->find(one.name);
      const auto member = members.find(one.name);
      if (own == nullptr || !member) continue;
      list(*own, at(key) + "." + one.name, *member, {one.unit, units_.profile}, listing_);
    }
  }
  void visit_short_choice(ChoiceRef& choice, const char* help) override {
    if (is_scalar()) add({.path = path_, .help = help, .options = choice.words()}, node_);
  }
  bool visit_short_form(Slot& slot) override { return slot.filled() && is_scalar(); }
  bool visit_word(const char*, bool, const char*) override { return false; }
  void visit_tagged(const char* key, Slot& slot, const char* help) override {
    visit_object(Need::required, key, slot, help);
  }
  void visit_tagged_list(const char* key, AlternativeListRef& items, const char* help) override {
    if (items.filled()) visit_list(Need::required, key, items, help);
  }
  void visit_inline_tagged(const char*, Slot& slot) override { visit_otherwise(slot); }
  void visit_otherwise(Slot& slot) override {
    if (slot.filled()) slot.get().visit(*this);
  }

 private:
  Lister(const Node& node, std::string path, const UnitContext& units, Listing& listing)
      : node_(node), path_(std::move(path)), units_(units), listing_(listing) {}

  std::string at(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  bool is_scalar() const { return node_.kind == Node::Kind::scalar; }

  void joints(const Node& node, const std::string& path, MapRef& members) {
    for (const Node::Entry& entry : node.entries) {
      const auto member = members.find(entry.key);
      if (!member) continue;
      UnitContext units = units_;
      if (const auto type = listing_.joints.find(entry.key); type != listing_.joints.end())
        units.joint = type->second.unit;
      list(entry.value, path + "." + entry.key, *member, units, listing_);
    }
  }
  void whole_number(const char* key, const char* help) {
    if (const Node* node = node_.find(key)) add({.path = at(key), .help = help, .whole = true}, *node);
  }
  void quantities(const char* key, const Dimension& dimension, const char* help) {
    if (const Node* node = node_.find(key)) quantities(*node, at(key), dimension, help);
  }
  /// One quantity, or all of a list.
  void quantities(const Node& node, const std::string& path, const Dimension& dimension, const char* help) {
    for (size_t i = 0; i < node.items.size(); ++i)
      quantities(node.items[i], fmt::format("{}[{}]", path, i), dimension, help);
    add({.path = path, .unit = dimension.unit, .help = help}, node);
  }
  void add(Parameter parameter, const Node& node) {
    if (node.kind != Node::Kind::scalar) return;
    parameter.text = node.scalar;
    parameter.where = node.where;
    listing_.found.push_back(std::move(parameter));
  }

  const Node& node_;
  std::string path_;
  UnitContext units_;
  std::string joint_word_;  // the type of the joint that is being listed
  Listing& listing_;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

/// Finds the characters of a value in its line; false where they are not its text: written with escapes, over several lines, or
/// by an alias.
bool place(Parameter& parameter, const std::vector<std::string_view>& lines) {
  if (parameter.where.line < 1 || size_t(parameter.where.line) > lines.size()) return false;
  const std::string_view line = lines[parameter.where.line - 1];
  size_t start = size_t(parameter.where.column - 1);
  if (start >= line.size()) return false;
  if (line[start] == '&') {  // an anchor precedes its value
    start = line.find_first_not_of(" \t", std::min(line.find_first_of(" \t", start), line.size()));
    if (start == std::string_view::npos) return false;
  }
  if (line[start] == '"' || line[start] == '\'') ++start;
  if (parameter.text.empty() || line.substr(start, parameter.text.size()) != parameter.text) return false;
  parameter.where.column = int(start) + 1;
  parameter.length = int(parameter.text.size());
  return true;
}

}  // namespace

std::vector<Parameter> parameters_of(const std::string& text, const std::string& name, const Case& data) {
  std::vector<Problem> problems;
  const Node root = parsed_text(text, name, problems);
  if (!problems.empty()) return {};
  Listing listing;
  const CaseObject copy = copied_case(data);
  Lister::list(root, "", copy.object, {}, listing);
  const std::vector<std::string_view> lines = lines_of(text);
  std::erase_if(listing.found, [&](Parameter& parameter) { return !place(parameter, lines); });
  return std::move(listing.found);
}

}  // namespace lithe
