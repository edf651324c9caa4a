// How the reader follows keys into nested objects, finds joints by name, and reports mistakes.
#include <fmt/format.h>

#include <algorithm>

#include "lithe/describe/deformation_names.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/object_reader.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"

namespace lithe {

void ObjectReader::read(const Node& node, const std::string& path, Reading& reading, ObjectRef object,
                        const UnitContext& units) {
  reading.source[path] = node.where;
  ObjectReader reader(node, path, reading, units);
  object.visit(reader);
  reader.finish();
}

void ObjectReader::profile_of(const JointDimension& dimension) { units_.profile = dimension; }

// ---------------------------------------------------------------------------------------------------- nested objects

void ObjectReader::visit_object(Need need, const char* key, Slot& slot, const char*) {
  // A slot is filled even where its object cannot be read, so that nothing else is reported for the lack of it.
  if (has(key) || need == Need::required) slot.fill();
  if (const Node* node = claim(key, need, "a mapping")) read(*node, at(key), reading_, slot.get(), units_);
}

void ObjectReader::visit_list(Need need, const char* key, ListRef& members, const char*) {
  const Node* node = claim(key, need, "a list");
  if (node == nullptr) return;
  if (node->kind != Node::Kind::list || node->items.empty()) return mismatch(*node, at(key), "a list of at least one");
  members.resize(node->items.size());
  for (size_t i = 0; i < members.size(); ++i)
    read(node->items[i], fmt::format("{}[{}]", at(key), i), reading_, members.at(i), units_);
}

void ObjectReader::visit_one_or_list(Need need, const char* key, ListRef& members, const char*) {
  const Node* node = claim(key, need, "a mapping, or a list of them");
  if (node == nullptr) return;
  const bool is_list = node->kind == Node::Kind::list;
  if (is_list && node->items.empty()) return mismatch(*node, at(key), "a mapping, or a list of at least one");
  members.resize(is_list ? node->items.size() : 1);
  for (size_t i = 0; i < members.size(); ++i)
    read(is_list ? node->items[i] : *node, item_path(at(key), members.size(), i), reading_, members.at(i), units_);
}

void ObjectReader::composition(const char*, const char*) {
  for (const char* key : {"carrier", "carries"}) {
    know(key);
    if (const Node* node = node_.find(key))
      complain(node->where, at(key),
               "files are read before --set is applied: it can change their fields, not their names");
  }
}
// ---------------------------------------------------------------------------------------------------- alternatives

bool ObjectReader::visit_word(const char* text, bool, const char*) {
  alternatives_.push_back(text);
  if (node_.kind != Node::Kind::scalar || node_.scalar != text) return false;
  chosen_ = true;
  return true;
}

bool ObjectReader::is_alternative(const char* key) {
  alternatives_.push_back(key);
  know(key);
  if (!has(key)) return false;
  if (chosen_)
    complain(node_.find(key)->where, at(key), fmt::format("only one of {} may be given", comma_list(alternatives_)));
  return !chosen_;
}

void ObjectReader::visit_tagged(const char* key, Slot& slot, const char* help) {
  if (!is_alternative(key)) return;
  visit_object(Need::required, key, slot, help);
  chosen_ = true;
}

void ObjectReader::visit_tagged_list(const char* key, AlternativeListRef& list, const char* help) {
  if (!is_alternative(key)) return;
  list.fill();
  visit_list(Need::required, key, list, help);
  chosen_ = true;
}

void ObjectReader::visit_inline_tagged(const char* key, Slot& slot) {
  if (!is_alternative(key)) return;
  slot.fill().visit(*this);
  chosen_ = true;
}

void ObjectReader::visit_otherwise(Slot& slot) {
  if (chosen_ || node_.kind != Node::Kind::mapping) return;
  slot.fill().visit(*this);
  chosen_ = true;
}

void ObjectReader::exactly_one(std::initializer_list<const char*> keys) {
  if (node_.kind != Node::Kind::mapping) return;
  std::vector<std::string> all(keys.begin(), keys.end()), given;
  std::copy_if(all.begin(), all.end(), std::back_inserter(given), [&](const auto& key) { return has(key.c_str()); });
  const std::string message =
      fmt::format("expected exactly one of {}, got {}", comma_list(all), given.empty() ? "none" : comma_list(given));
  if (given.empty())
    missing_.push_back({all, path_, message});
  else if (given.size() > 1)
    complain(node_.where, path_, message);
}

// ---------------------------------------------------------------------------------------------------- joints by name

void ObjectReader::joints_of(const ArmSpec& arm) {
  reading_.joints = joint_names(arm);
  reading_.arm = &arm;
}

void ObjectReader::joint_type(Need need, const char* key, std::string& member, const char*) {
  const std::vector<std::string> words = joint_types();
  const std::string expected = "one of " + comma_list(words);
  const Node* node = claim(key, need, expected);
  if (node == nullptr) return;
  reading_.source[at(key)] = node->where;
  if (node->kind != Node::Kind::scalar || std::find(words.begin(), words.end(), node->scalar) == words.end())
    return mismatch(*node, at(key), expected, hint(node->scalar, words));
  member = node->scalar;
  joint_word_ = member;
  units_.joint = joint_unit(member);
}

void ObjectReader::visit_own_coordinates(Need need, const char* key, MapRef& members, const char*) {
  const std::vector<OwnCoordinate> own = lithe::own_coordinates(joint_word_);
  const Node* node = claim(key, need, "a mapping of the joint's coordinates");
  if (node == nullptr || joint_word_.empty()) return;
  if (node->kind != Node::Kind::mapping) return mismatch(*node, at(key), "a mapping of the joint's coordinates");
  if (own.size() < 2)
    return complain(
        node->where, at(key),
        fmt::format(
            "a {} joint does not have several coordinates: expected damping, friction, spring and limits beside `type`",
            joint_word_));
  reading_.source[at(key)] = node->where;
  std::vector<std::string> names;
  for (const OwnCoordinate& one : own) names.push_back(one.name);
  for (const Node::Entry& entry : node->entries) {
    const std::string path = fmt::format("{}.{}", at(key), entry.key);
    const auto found = std::find(names.begin(), names.end(), entry.key);
    if (found == names.end()) {
      complain(entry.key_where, path,
               fmt::format("a {} joint has no coordinate '{}'{} Coordinates: {}", joint_word_, shortened(entry.key),
                           guess_in_sentence(entry.key, names), comma_list(names)));
      continue;
    }
    const OwnCoordinate& one = own[size_t(found - names.begin())];
    read(entry.value, path, reading_, members.make(entry.key), {one.unit, units_.profile});
  }
}

void ObjectReader::visit_joint_map(const char* key, MapRef& members, const char*) {
  const Node* node = claim(key, Need::optional, "a mapping from joint names");
  if (node == nullptr) return;
  if (node->kind != Node::Kind::mapping) return mismatch(*node, at(key), "a mapping from joint names");
  for (const Node::Entry& entry : node->entries)
    joint_entry(entry, fmt::format("{}.{}", at(key), entry.key), members, Whole::refused);
}

void ObjectReader::visit_joint_entries(MapRef& members, const char*) {
  open_ = true;
  if (node_.kind != Node::Kind::mapping) return;
  for (const Node::Entry& entry : node_.entries) {
    if (is_known(entry.key)) continue;
    const std::string path = at(entry.key.c_str());
    const auto deforms =
        reading_.arm != nullptr ? deformation_unit(*reading_.arm, entry.key) : std::optional<CoordinateUnit>();
    if (deforms)
      read(entry.value, path, reading_, members.make(entry.key), {*deforms, units_.profile});
    else if (reading_.arm != nullptr && !reading_.joints.contains(entry.key))
      refuse_coordinate(entry, path);
    else
      joint_entry(entry, path, members, Whole::allowed);
  }
}

void ObjectReader::joint_entry(const Node::Entry& entry, const std::string& path, MapRef& members, Whole whole) {
  const auto joint = reading_.joints.find(entry.key);
  if (joint == reading_.joints.end()) {
    if (!room()) return;
    const std::vector<std::string> names = moving_joints();
    return complain(entry.key_where, path,
                    fmt::format("no joint '{}'{} Joints: {}", shortened(entry.key), guess_in_sentence(entry.key, names),
                                comma_list(names)));
  }
  const JointName& known = joint->second;
  if (known.kind == JointName::Kind::fixed)
    return complain(entry.key_where, path, fmt::format("joint '{}' is fixed and has no motion", entry.key));
  const bool as_whole = known.kind == JointName::Kind::turned && whole == Whole::allowed;
  if (!known.coordinates.empty() && !as_whole)
    return complain(entry.key_where, path,
                    fmt::format("joint '{}' has several coordinates: expected one of {}", entry.key,
                                comma_list(known.coordinates)));
  read(entry.value, path, reading_, members.make(entry.key), {known.unit, units_.profile});
}

void ObjectReader::refuse_coordinate(const Node::Entry& entry, const std::string& path) {
  if (!room()) return;
  constexpr size_t shown = 6;
  std::vector<std::string> names = moving_joints();
  for (std::string& name : deformations_like(*reading_.arm, entry.key)) names.push_back(std::move(name));
  const std::vector<std::string> near = nearest_words(entry.key, names, shown);
  complain(entry.key_where, path,
           fmt::format("no joint or coordinate '{}'{} {}: {}", shortened(entry.key), guess_in_sentence(entry.key, near),
                       near.size() < names.size() ? "Nearest" : "Known", comma_list(near)));
}

std::vector<std::string> ObjectReader::moving_joints() const {
  std::vector<std::string> names;
  for (const auto& [name, known] : reading_.joints)
    if (known.kind != JointName::Kind::fixed && known.coordinates.empty()) names.push_back(name);
  return names;
}

// ---------------------------------------------------------------------------------------------------- keys

bool ObjectReader::is_known(const std::string& key) const {
  return std::find(known_.begin(), known_.end(), key) != known_.end();
}

void ObjectReader::know(const char* key) {
  if (!is_known(key)) known_.emplace_back(key);
}

bool ObjectReader::is_scalar() {
  if (node_.kind == Node::Kind::scalar) chosen_ = true;
  return node_.kind == Node::Kind::scalar;
}

const Node* ObjectReader::claim(const char* key, Need need, const std::string& expected) {
  know(key);
  const Node* node = node_.find(key);
  if (node == nullptr) {
    if (need == Need::required && node_.kind == Node::Kind::mapping)
      missing_.push_back({{key}, at(key), fmt::format("missing; expected {}", expected)});
    return nullptr;
  }
  reading_.source[at(key)] = node->where;
  if (node->kind == Node::Kind::null) {
    mismatch(*node, at(key), expected);
    return nullptr;
  }
  return node;
}

void ObjectReader::finish() {
  look_at_keys();
  list_missing();
}

void ObjectReader::look_at_keys() {
  if (node_.kind == Node::Kind::scalar && chosen_) return;
  if (!alternatives_.empty() && !chosen_) {
    // A mapping with a misspelt tag: the guess is based on its key.
    const std::string& said =
        node_.kind == Node::Kind::mapping && !node_.entries.empty() ? node_.entries[0].key : node_.scalar;
    if (node_.kind == Node::Kind::scalar &&
        std::find(alternatives_.begin(), alternatives_.end(), said) != alternatives_.end())
      return mismatch(node_, path_, fmt::format("{{{}: {{…}}}} with its sizes", said));
    return mismatch(node_, path_, fmt::format("one of {}", comma_list(alternatives_)), hint(said, alternatives_));
  }
  if (node_.kind != Node::Kind::mapping)
    return mismatch(node_, path_, fmt::format("a mapping with keys {}", comma_list(known_)));
  if (open_) return;  // other keys are names, which have been checked
  for (const Node::Entry* entry : unknown_keys()) {
    if (!room()) continue;
    complain(entry->key_where, path_,
             fmt::format("unknown key '{}'{} Known: {}", shortened(entry->key), guess_in_sentence(entry->key, known_),
                         comma_list(known_)));
  }
}

std::vector<const Node::Entry*> ObjectReader::unknown_keys() const {
  std::vector<const Node::Entry*> unknown;
  if (open_) return unknown;
  for (const Node::Entry& entry : node_.entries)
    if (!is_known(entry.key)) unknown.push_back(&entry);
  return unknown;
}

/// A key that is missing because it was misspelt is not a second mistake. Other missing keys are listed after those that may be their cause.
void ObjectReader::list_missing() {
  std::vector<const Node::Entry*> unknown = unknown_keys();
  if (unknown.size() > limits::problems_listed) unknown.resize(limits::problems_listed);
  for (const Missing& missing : missing_) {
    if (reading_.unread.size() < limits::problems_listed) reading_.unread.push_back(missing.path);
    const bool is_misspelt = std::any_of(unknown.begin(), unknown.end(), [&](const Node::Entry* entry) {
      const std::string meant = nearest_word(entry->key, known_);
      return std::find(missing.keys.begin(), missing.keys.end(), meant) != missing.keys.end();
    });
    if (is_misspelt || !room()) continue;
    Location rank = node_.where;
    for (const Node::Entry* entry : unknown)
      if (entry->key_where.file == rank.file) rank = entry->key_where;
    reading_.problems.push_back({rank, {Problem::Severity::error, node_.where, missing.path, missing.message}});
  }
}

// ---------------------------------------------------------------------------------------------------- mistakes

std::string hint(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_word(word, known);
  return near.empty() ? "" : fmt::format(", did you mean '{}'?", near);
}

void ObjectReader::mismatch(const Node& node, const std::string& path, const std::string& expected,
                            const std::string& more) {
  complain(node.where, path, fmt::format("expected {}, got {}{}", expected, node.shown(), more));
}

void ObjectReader::complain(const Location& where, const std::string& path, std::string message) {
  if (!room()) return;
  reading_.unread.push_back(path);
  reading_.problems.push_back({where, {Problem::Severity::error, where, path, std::move(message)}});
}

bool ObjectReader::room() {
  const bool listed = reading_.problems.size() < limits::problems_listed;
  if (!listed) ++reading_.unlisted;
  return listed;
}

}  // namespace lithe
