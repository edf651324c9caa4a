#include "lithe/describe/case_parameters.h"

#include <fmt/format.h>

#include "lithe/describe/case_fields.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/materials.h"
#include "lithe/describe/parsed_text.h"
#include "lithe/joint/kinds.h"

namespace lithe {
namespace {

/// What the units of a field may depend on, as in the reader.
struct Context {
  CoordinateUnit joint = CoordinateUnit::radians;
  JointDimension profile = joint_dimension::position;
};

/// What all listers of one case share.
struct Listing {
  std::vector<Parameter> found;
  std::map<std::string, JointName> joints;  // by name
};

/// Visits `fields` (case_fields.h) of one object together with the mapping that it was read from.
class Lister {
 public:
  Lister(const Node& node, std::string path, const Context& context, Listing& listing)
      : node_(node), path_(std::move(path)), context_(context), listing_(listing) {}

  void value(Need, const char* key, double&, const Dimension& dimension, const Range&, const char* help) {
    if (const Node* node = node_.find(key)) quantity(*node, at(key), dimension, help);
  }
  void value(Need, const char* key, Vector3d&, const Dimension& dimension, const Range&, const char* help) {
    elements(key, dimension, help);
  }
  void values(Need, const char* key, std::vector<double>&, const Dimension& dimension, const Range&, const char* help) {
    elements(key, dimension, help);
  }
  void vectors(Need, const char* key, std::vector<Vector3d>&, size_t, const Dimension& dimension, const char* help) {
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    for (size_t i = 0; i < node->items.size(); ++i)
      for (size_t k = 0; k < node->items[i].items.size(); ++k)
        quantity(node->items[i].items[k], fmt::format("{}[{}][{}]", at(key), i, k), dimension, help);
  }
  template <class T>
  void value(Need need, const char* key, std::optional<T>& member, const Dimension& d, const Range& r,
             const char* help) {
    if (member) value(need, key, *member, d, r, help);
  }
  void joint_value(Need need, const char* key, double& member, const JointDimension& d, const Range& r,
                   const char* help) {
    value(need, key, member, d.of(context_.joint), r, help);
  }
  void joint_value(Need need, const char* key, std::optional<double>& member, const JointDimension& d, const Range& r,
                   const char* help) {
    if (member) joint_value(need, key, *member, d, r, help);
  }
  void profile_value(Need need, const char* key, double& member, const char* help) {
    value(need, key, member, context_.profile.of(context_.joint), range::any, help);
  }
  template <class Count>
  void count(Need, const char* key, Count&, int, const char* help) {
    if (const Node* node = node_.find(key)) add({.path = at(key), .help = help, .whole = true}, *node);
  }
  void flag(Need, const char* key, bool&, const char* help) {
    if (const Node* node = node_.find(key)) add({.path = at(key), .help = help, .options = {"true", "false"}}, *node);
  }
  void flags(Need, const char*, Flags, const char*) {}
  template <class Enum>
  void choice(Need, const char* key, Enum&, const char* help) {
    if (const Node* node = node_.find(key)) word_of<Enum>(*node, at(key), help);
  }
  template <class Enum>
  void choice(Need, const char* key, std::optional<Enum>&, const char* help) {
    if (const Node* node = node_.find(key)) word_of<Enum>(*node, at(key), help);
  }
  void file(Need, const char*, std::string&, const char*) {}
  void coordinate(Need, const char*, std::string&, const char*) {}
  template <class Name>
  void name(Need, const char*, Name&, const char*) {}

  template <class T>
  void object(Need, const char* key, T& member, const char*) {
    if (const Node* node = node_.find(key)) list_object(*node, at(key), member, context_);
  }
  template <class T>
  void object(Need need, const char* key, std::optional<T>& member, const char* help) {
    if (member) object(need, key, *member, help);
  }
  template <class T>
  void list(Need, const char* key, std::vector<T>& members, const char*) {
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    for (size_t i = 0; i < std::min(members.size(), node->items.size()); ++i)
      list_object(node->items[i], fmt::format("{}[{}]", at(key), i), members[i], context_);
  }
  template <class T>
  void one_or_list(Need, const char* key, std::vector<T>& members, const char*) {
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    const bool is_list = node->kind == Node::Kind::list;
    for (size_t i = 0; i < std::min(members.size(), is_list ? node->items.size() : 1); ++i)
      // As the text has it, also for a list of one: the path is for --set.
      list_object(is_list ? node->items[i] : *node, is_list ? fmt::format("{}[{}]", at(key), i) : at(key), members[i],
                  context_);
  }
  template <class T>
  void joint_map(const char* key, std::map<std::string, T>& members, const char*) {
    if (const Node* node = node_.find(key)) joints(*node, at(key), members);
  }
  template <class T>
  void joint_entries(std::map<std::string, T>& members, const char*) {
    joints(node_, path_, members);
  }
  void joints_of(const ArmSpec& arm) { listing_.joints = joint_names(arm); }
  void composition(const char*, const char*) {}
  void joint_type(Need, const char* key, std::string& member, const char* help) {
    context_.joint = joint_unit(member);
    joint_word_ = member;
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    Parameter parameter{.path = at(key), .help = help};
    for (const JointKind& kind : joint_kinds()) parameter.options.push_back(kind.word);
    add(std::move(parameter), *node);
  }
  template <class T>
  void own_coordinates(Need, const char* key, std::map<std::string, T>& members, const char*) {
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    for (const JointCoordinate& one : find_joint_kind(joint_word_)->coordinates) {
      const std::string name = one.suffix.empty() ? "" : one.suffix.substr(1);
      const Node* own = node->find(name);
      const auto member = members.find(name);
      if (own == nullptr || member == members.end()) continue;
      const CoordinateUnit unit = one.turns ? CoordinateUnit::radians : CoordinateUnit::metres;
      list_object(*own, at(key) + "." + name, member->second, {unit, context_.profile});
    }
  }
  void profile_of(const JointDimension& dimension) { context_.profile = dimension; }

  template <class Enum>
  void short_choice(Enum&, const char* help) {
    if (node_.kind == Node::Kind::scalar) word_of<Enum>(node_, path_, help);
  }
  bool short_joint_value(double&, const JointDimension& dimension, const Range&, const char* help) {
    if (node_.kind == Node::Kind::scalar) quantity(node_, path_, dimension.of(context_.joint), help);
    return node_.kind == Node::Kind::scalar;
  }
  void catalogue_name(Material&, const char* help) {
    if (node_.kind != Node::Kind::scalar) return;
    Parameter parameter{.path = path_, .help = help};
    for (const CatalogueMaterial& entry : material_catalogue()) parameter.options.emplace_back(entry.name);
    add(std::move(parameter), node_);
  }
  template <class T, class Variant>
  void word(const char*, Variant&, const char*) {}
  template <class T, class Variant>
  void tagged(const char* key, Variant& variant, const char* help) {
    if (auto* member = std::get_if<T>(&variant)) object(Need::required, key, *member, help);
  }
  template <class Variant, class T, class Item>
  void tagged_list(const char* key, Variant& variant, std::vector<Item> T::*items, const char* help) {
    if (auto* member = std::get_if<T>(&variant)) list(Need::required, key, member->*items, help);
  }
  template <class T, class Variant, class Read>
  void short_form(Variant& variant, Read read_scalar) {
    auto* member = std::get_if<T>(&variant);
    if (member != nullptr && node_.kind == Node::Kind::scalar) read_scalar(*this, *member);
  }
  template <class T, class Variant>
  void inline_tagged(const char*, Variant& variant) {
    otherwise<T>(variant);
  }
  template <class T, class Variant>
  void otherwise(Variant& variant) {
    if (auto* member = std::get_if<T>(&variant)) fields(*this, *member);
  }
  void exactly_one(std::initializer_list<const char*>) {}

 private:
  std::string at(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  template <class T>
  void list_object(const Node& node, const std::string& path, T& member, const Context& context) {
    Lister lister(node, path, context, listing_);
    fields(lister, member);
  }
  template <class T>
  void joints(const Node& node, const std::string& path, std::map<std::string, T>& members) {
    for (const Node::Entry& entry : node.entries) {
      const auto member = members.find(entry.key);
      if (member == members.end()) continue;
      Context context = context_;
      if (const auto type = listing_.joints.find(entry.key); type != listing_.joints.end())
        context.joint = type->second.unit;
      list_object(entry.value, path + "." + entry.key, member->second, context);
    }
  }
  void elements(const char* key, const Dimension& dimension, const char* help) {
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    for (size_t i = 0; i < node->items.size(); ++i)
      quantity(node->items[i], fmt::format("{}[{}]", at(key), i), dimension, help);
  }
  void quantity(const Node& node, const std::string& path, const Dimension& dimension, const char* help) {
    add({.path = path, .unit = dimension.unit, .help = help}, node);
  }
  template <class Enum>
  void word_of(const Node& node, const std::string& path, const char* help) {
    Parameter parameter{.path = path, .help = help};
    for (const auto& [value, text] : Words<Enum>::list) parameter.options.emplace_back(text);
    add(std::move(parameter), node);
  }
  void add(Parameter parameter, const Node& node) {
    if (node.kind != Node::Kind::scalar) return;
    parameter.text = node.scalar;
    parameter.where = node.where;
    listing_.found.push_back(std::move(parameter));
  }

  const Node& node_;
  std::string path_;
  Context context_;
  std::string joint_word_;  // of the joint being listed
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
  if (line[start] == '&') {  // an anchor stands before its value
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
  Case copy = data;  // the visitors' shared functions take mutable members
  Lister lister(root, "", {}, listing);
  fields(lister, copy);
  const std::vector<std::string_view> lines = lines_of(text);
  std::erase_if(listing.found, [&](Parameter& parameter) { return !place(parameter, lines); });
  return std::move(listing.found);
}

}  // namespace lithe
