#include "lithe/describe/case_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <limits>
#include <tuple>

#include "lithe/describe/case_checks.h"
#include "lithe/describe/case_fields.h"
#include "lithe/describe/deformation_names.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/materials.h"
#include "lithe/describe/plausible.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"
#include "lithe/joint/kinds.h"

namespace lithe {
namespace {

/// A mistake, and the place by which it is listed: its own, or that of its cause.
struct Listed {
  Location rank;
  Problem problem;
};

/// What all readers of one document share.
struct Reading {
  std::vector<Listed> problems;
  std::vector<std::string> unread;  // paths of what could not be read
  size_t unlisted = 0;              // problems beyond those that are listed
  SourceMap source;
  std::map<std::string, JointName> joints;  // by name, once the arm is read
  const ArmSpec* arm = nullptr;             // the same
};

/// What the units of a field may depend on: what the joint's coordinate counts, and what a profile is a profile of.
struct Context {
  CoordinateUnit joint = CoordinateUnit::radians;
  JointDimension profile = joint_dimension::position;
};

/// Visits `fields` (case_fields.h) of one mapping of the document.
class Reader {
 public:
  Reader(const Node& node, std::string path, Reading& reading, const Context& context)
      : node_(node), path_(std::move(path)), reading_(reading), context_(context) {}

  /// Reads one object from `node`, complaining about what is not a mapping and about keys no field claimed.
  template <class T>
  static void read(const Node& node, const std::string& path, Reading& reading, T& object, const Context& context) {
    reading.source[path] = node.where;
    Reader reader(node, path, reading, context);
    fields(reader, object);
    reader.finish();
  }

  // ---- plain members

  void value(Need need, const char* key, double& member, const Dimension& dimension, const Range& range, const char*) {
    if (const Node* node = claim(key, need, expectation(dimension, range)))
      quantity(*node, at(key), member, dimension, range);
  }
  void value(Need need, const char* key, Vector3d& member, const Dimension& dimension, const Range&, const char*) {
    const std::string expected = fmt::format("a list of three, each {}", dimension.noun);
    const Node* node = claim(key, need, expected);
    if (node == nullptr) return;
    if (node->kind != Node::Kind::list || node->items.size() != 3) return mismatch(*node, at(key), expected);
    for (int i = 0; i < 3; ++i)
      quantity(node->items[i], fmt::format("{}[{}]", at(key), i), member[i], dimension, range::any);
  }
  void values(Need need, const char* key, std::vector<double>& members, const Dimension& dimension, const Range& range,
              const char*) {
    const std::string expected = fmt::format("a list, each {}", expectation(dimension, range));
    const Node* node = claim(key, need, expected);
    if (node == nullptr) return;
    if (node->kind == Node::Kind::scalar) {  // one stands for a list of one
      members.resize(1);
      return quantity(*node, at(key), members[0], dimension, range);
    }
    if (node->kind != Node::Kind::list || node->items.empty()) return mismatch(*node, at(key), expected);
    members.resize(node->items.size());
    for (size_t i = 0; i < members.size(); ++i)
      quantity(node->items[i], fmt::format("{}[{}]", at(key), i), members[i], dimension, range);
  }
  void vectors(Need need, const char* key, std::vector<Vector3d>& members, size_t count, const Dimension& dimension,
               const char*) {
    const std::string expected = fmt::format("a list of {} vectors, each of three numbers", count);
    const Node* node = claim(key, need, expected);
    if (node == nullptr) return;
    auto is_vector = [](const Node& item) { return item.kind == Node::Kind::list && item.items.size() == 3; };
    if (node->kind != Node::Kind::list || node->items.size() != count ||
        !std::all_of(node->items.begin(), node->items.end(), is_vector))
      return mismatch(*node, at(key), expected);
    reading_.source[at(key)] = node->where;
    members.resize(count);
    for (size_t i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k)
        quantity(node->items[i].items[size_t(k)], fmt::format("{}[{}][{}]", at(key), i, k), members[i][k], dimension,
                 range::any);
  }
  template <class T>
  void value(Need need, const char* key, std::optional<T>& member, const Dimension& dimension, const Range& range,
             const char* help) {
    if (!has(key)) return claimed(key);
    T given{};
    value(need, key, given, dimension, range, help);
    member = given;
  }
  void joint_value(Need need, const char* key, double& member, const JointDimension& dimension, const Range& range,
                   const char* help) {
    value(need, key, member, dimension.of(context_.joint), range, help);
  }
  void joint_value(Need need, const char* key, std::optional<double>& member, const JointDimension& dimension,
                   const Range& range, const char* help) {
    value(need, key, member, dimension.of(context_.joint), range, help);
  }
  void profile_value(Need need, const char* key, double& member, const char* help) {
    value(need, key, member, context_.profile.of(context_.joint), range::any, help);
  }
  /// A file named relative to the one that names it.
  void file(Need need, const char* key, std::string& member, const char*) {
    const Node* node = claim(key, need, "the name of a file");
    if (node == nullptr) return;
    if (node->kind != Node::Kind::scalar || node->scalar.empty()) return mismatch(*node, at(key), "the name of a file");
    const std::filesystem::path named_in = node->where.line > 0 ? std::filesystem::path(node->where.file) : "";
    member = (named_in.parent_path() / node->scalar).lexically_normal().string();
  }
  void count(Need need, const char* key, int& member, int least, const char*) {
    const std::string expected = fmt::format("a whole number of at least {}", least);
    const Node* node = claim(key, need, expected);
    if (node == nullptr) return;
    int given = 0;
    const char* end = node->scalar.data() + node->scalar.size();
    const auto [rest, error] = std::from_chars(node->scalar.data(), end, given);
    if (node->kind == Node::Kind::scalar && error == std::errc::result_out_of_range && rest == end)
      return mismatch(*node, at(key), fmt::format("{} and at most {}", expected, std::numeric_limits<int>::max()));
    if (node->kind != Node::Kind::scalar || error != std::errc() || rest != end || given < least)
      return mismatch(*node, at(key), expected);
    member = given;
  }
  void count(Need need, const char* key, std::optional<int>& member, int least, const char* help) {
    if (!has(key)) return claimed(key);
    int given = least;
    count(need, key, given, least, help);
    member = given;
  }
  void flag(Need need, const char* key, bool& member, const char*) {
    const Node* node = claim(key, need, "true or false");
    if (node == nullptr) return;
    if (node->kind != Node::Kind::scalar || node->quoted || (node->scalar != "true" && node->scalar != "false"))
      return mismatch(*node, at(key), "true or false");
    member = node->scalar == "true";
  }
  void flags(Need need, const char* key, Flags flags, const char*) {
    std::vector<std::string> words;
    for (const auto& [word, member] : flags) words.emplace_back(word);
    const std::string expected = "a list of " + comma_list(words);
    const Node* node = claim(key, need, expected);
    if (node == nullptr) return;
    if (node->kind != Node::Kind::list) return mismatch(*node, at(key), expected);
    for (size_t i = 0; i < node->items.size(); ++i) {
      const Node& item = node->items[i];
      const auto found = std::find(words.begin(), words.end(), item.scalar);
      if (item.kind != Node::Kind::scalar || found == words.end())
        mismatch(item, fmt::format("{}[{}]", at(key), i), "one of " + comma_list(words), hint(item.scalar, words));
      else
        *flags.begin()[found - words.begin()].second = true;
    }
  }
  void name(Need need, const char* key, std::string& member, const char*) {
    identifier(need, key, member, "_-", "a name of letters, digits, _ and -");
  }
  void coordinate(Need need, const char* key, std::string& member, const char*) {
    identifier(need, key, member, "_-.", "the name of a coordinate");
  }
  void identifier(Need need, const char* key, std::string& member, std::string_view signs, const char* expected) {
    const Node* node = claim(key, need, expected);
    if (node == nullptr) return;
    const auto fits = [&](unsigned char c) { return std::isalnum(c) || signs.find(char(c)) != signs.npos; };
    if (node->kind != Node::Kind::scalar || node->scalar.empty() ||
        !std::all_of(node->scalar.begin(), node->scalar.end(), fits))
      return mismatch(*node, at(key), expected);
    if (node->scalar.size() > limits::name_length)
      return complain(node->where, at(key),
                      fmt::format("expected a name of at most {} characters, got one of {}", limits::name_length,
                                  node->scalar.size()));
    member = node->scalar;
  }
  void name(Need need, const char* key, std::optional<std::string>& member, const char* help) {
    if (!has(key)) return claimed(key);
    std::string given;
    name(need, key, given, help);
    if (!given.empty()) member = given;
  }
  template <class Enum>
  void choice(Need need, const char* key, Enum& member, const char*) {
    if (const Node* node = claim(key, need, "one of " + comma_list(words_of<Enum>()))) word_of(*node, at(key), member);
  }
  template <class Enum>
  void choice(Need need, const char* key, std::optional<Enum>& member, const char* help) {
    if (!has(key) && need == Need::optional) return claimed(key);
    Enum given{};
    choice(need, key, given, help);
    member = given;
  }

  // ---- nested members

  template <class T>
  void object(Need need, const char* key, T& member, const char*) {
    if (const Node* node = claim(key, need, "a mapping")) read(*node, at(key), reading_, member, context_);
  }
  template <class T>
  void object(Need need, const char* key, std::optional<T>& member, const char* help) {
    if (!has(key) && need == Need::optional) return claimed(key);
    T given{};
    object(need, key, given, help);
    member = given;
  }
  template <class T>
  void list(Need need, const char* key, std::vector<T>& members, const char*) {
    const Node* node = claim(key, need, "a list");
    if (node == nullptr) return;
    if (node->kind != Node::Kind::list || node->items.empty())
      return mismatch(*node, at(key), "a list of at least one");
    reading_.source[at(key)] = node->where;
    members.resize(node->items.size());
    for (size_t i = 0; i < members.size(); ++i)
      read(node->items[i], fmt::format("{}[{}]", at(key), i), reading_, members[i], context_);
  }
  template <class T>
  void one_or_list(Need need, const char* key, std::vector<T>& members, const char*) {
    const Node* node = claim(key, need, "a mapping, or a list of them");
    if (node == nullptr) return;
    const bool is_list = node->kind == Node::Kind::list;
    if (is_list && node->items.empty()) return mismatch(*node, at(key), "a mapping, or a list of at least one");
    members.resize(is_list ? node->items.size() : 1);
    for (size_t i = 0; i < members.size(); ++i)
      read(is_list ? node->items[i] : *node, item_path(at(key), members.size(), i), reading_, members[i], context_);
  }
  template <class T>
  void joint_map(const char* key, std::map<std::string, T>& members, const char*) {
    const Node* node = claim(key, Need::optional, "a mapping from joint names");
    if (node == nullptr) return;
    if (node->kind != Node::Kind::mapping) return mismatch(*node, at(key), "a mapping from joint names");
    for (const Node::Entry& entry : node->entries)
      joint_entry(entry, fmt::format("{}.{}", at(key), entry.key), members);
  }
  template <class T>
  void joint_entries(std::map<std::string, T>& members, const char*) {
    open_ = true;
    if (node_.kind != Node::Kind::mapping) return;
    for (const Node::Entry& entry : node_.entries) {
      if (is_known(entry.key)) continue;
      const std::string path = at(entry.key.c_str());
      const auto deforms =
          reading_.arm != nullptr ? deformation_unit(*reading_.arm, entry.key) : std::optional<CoordinateUnit>();
      if (deforms)
        read(entry.value, path, reading_, members[entry.key], {*deforms, context_.profile});
      else if (reading_.arm != nullptr && !reading_.joints.contains(entry.key))
        refuse_coordinate(entry, path);
      else
        joint_entry(entry, path, members);
    }
  }
  /// The joints that maps may name from here on.
  void joints_of(const ArmSpec& arm) {
    reading_.joints = joint_names(arm);
    reading_.arm = &arm;
  }
  /// Files that make up the object: they have been read in its place (composition.h).
  void composition(const char*, const char*) {
    for (const char* key : {"carrier", "carries"}) {
      claimed(key);
      if (const Node* node = node_.find(key))
        complain(node->where, at(key), "files are read before --set: it can change what they say, not which they are");
    }
  }
  /// A kind of joint, whose units `joint_value` uses from here on.
  void joint_type(Need need, const char* key, std::string& member, const char*) {
    std::vector<std::string> words;
    for (const JointKind& kind : joint_kinds()) words.push_back(kind.word);
    const std::string expected = "one of " + comma_list(words);
    const Node* node = claim(key, need, expected);
    if (node == nullptr) return;
    reading_.source[at(key)] = node->where;
    if (node->kind != Node::Kind::scalar || find_joint_kind(node->scalar) == nullptr)
      return mismatch(*node, at(key), expected, hint(node->scalar, words));
    member = node->scalar;
    joint_word_ = member;
    context_.joint = joint_unit(member);
  }
  /// What the coordinates of that kind do, by what follows the joint's name.
  template <class T>
  void own_coordinates(Need need, const char* key, std::map<std::string, T>& members, const char*) {
    const JointKind* kind = find_joint_kind(joint_word_);
    const Node* node = claim(key, need, "a mapping of the joint's coordinates");
    if (node == nullptr || kind == nullptr) return;
    if (node->kind != Node::Kind::mapping) return mismatch(*node, at(key), "a mapping of the joint's coordinates");
    if (kind->coordinates.size() < 2)
      return complain(
          node->where, at(key),
          fmt::format("a {} joint does not have several: expected damping, friction, spring and limits beside "
                      "`type`",
                      kind->word));
    reading_.source[at(key)] = node->where;
    std::vector<std::string> names;
    for (const JointCoordinate& one : kind->coordinates) names.push_back(one.suffix.substr(1));
    for (const Node::Entry& entry : node->entries) {
      const std::string path = fmt::format("{}.{}", at(key), entry.key);
      const auto found = std::find(names.begin(), names.end(), entry.key);
      if (found == names.end()) {
        complain(entry.key_where, path,
                 fmt::format("a {} joint has no coordinate '{}'{} Coordinates: {}", kind->word, shortened(entry.key),
                             guess_in_sentence(entry.key, names), comma_list(names)));
        continue;
      }
      const JointCoordinate& one = kind->coordinates[size_t(found - names.begin())];
      read(entry.value, path, reading_, members[entry.key],
           {one.turns ? CoordinateUnit::radians : CoordinateUnit::metres, context_.profile});
    }
  }
  /// The dimension that `profile_value` uses from here on.
  void profile_of(const JointDimension& dimension) { context_.profile = dimension; }

  // ---- a scalar that stands for the whole object

  template <class Enum>
  void short_choice(Enum& member, const char*) {
    if (is_scalar()) word_of(node_, path_, member);
  }
  bool short_joint_value(double& member, const JointDimension& dimension, const Range& range, const char*) {
    if (is_scalar()) quantity(node_, path_, member, dimension.of(context_.joint), range);
    return is_scalar();
  }
  void catalogue_name(Material& material, const char*) {
    if (!is_scalar()) return;
    if (const CatalogueMaterial* found = find_material(node_.scalar)) {
      material = {node_.scalar, found->E, found->nu, found->density, found->G, found->yield_strength};
      return;
    }
    std::vector<std::string> names;
    for (const CatalogueMaterial& entry : material_catalogue()) names.emplace_back(entry.name);
    mismatch(node_, path_, fmt::format("one of {}, or {{E, nu, density}}", comma_list(names)),
             hint(node_.scalar, names));
  }

  // ---- the members of a variant

  template <class T, class Variant>
  void word(const char* text, Variant& variant, const char*) {
    alternatives_.push_back(text);
    if (node_.kind != Node::Kind::scalar || node_.scalar != text) return;
    variant = T{};
    chosen_ = true;
  }
  template <class T, class Variant>
  void tagged(const char* key, Variant& variant, const char* help) {
    alternatives_.push_back(key);
    claimed(key);
    if (!has(key) || twice(key)) return;
    T given{};
    object(Need::required, key, given, help);
    variant = given;
    chosen_ = true;
  }
  template <class Variant, class T, class Item>
  void tagged_list(const char* key, Variant& variant, std::vector<Item> T::*items, const char* help) {
    alternatives_.push_back(key);
    claimed(key);
    if (!has(key) || twice(key)) return;
    T given{};
    list(Need::required, key, given.*items, help);
    variant = given;
    chosen_ = true;
  }
  /// A scalar that stands for one member.
  template <class T, class Variant, class Read>
  void short_form(Variant& variant, Read read_scalar) {
    if (node_.kind != Node::Kind::scalar) return;
    T given{};
    read_scalar(*this, given);
    variant = given;
  }
  template <class T, class Variant>
  void inline_tagged(const char* key, Variant& variant) {
    alternatives_.push_back(key);
    claimed(key);
    if (!has(key) || twice(key)) return;
    T given{};
    fields(*this, given);
    variant = given;
    chosen_ = true;
  }
  template <class T, class Variant>
  void otherwise(Variant& variant) {
    if (chosen_ || node_.kind != Node::Kind::mapping) return;
    T given{};
    fields(*this, given);
    variant = given;
    chosen_ = true;
  }

  // ---- rules between keys

  void exactly_one(std::initializer_list<const char*> keys) {
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

 private:
  std::string at(const char* key) const { return path_.empty() ? key : path_ + "." + key; }
  bool has(const char* key) const { return node_.find(key) != nullptr; }
  bool is_known(const std::string& key) const { return std::find(known_.begin(), known_.end(), key) != known_.end(); }
  void claimed(const char* key) {
    if (!is_known(key)) known_.emplace_back(key);
  }
  /// True, and marks the object as read, when a plain scalar stands for the whole mapping.
  bool is_scalar() {
    if (node_.kind == Node::Kind::scalar) chosen_ = true;
    return node_.kind == Node::Kind::scalar;
  }

  /// The node of a key, or nullptr; missing required keys are reported.
  const Node* claim(const char* key, Need need, const std::string& expected) {
    claimed(key);
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

  bool twice(const char* key) {
    if (chosen_)
      complain(node_.find(key)->where, at(key), fmt::format("only one of {} may be given", comma_list(alternatives_)));
    return chosen_;
  }

  void finish() {
    look_at_keys();
    list_missing();
  }

  void look_at_keys() {
    if (node_.kind == Node::Kind::scalar && chosen_) return;
    if (!alternatives_.empty() && !chosen_) {
      // A mapping with a misspelt tag: its key is the word to guess from.
      const std::string& said =
          node_.kind == Node::Kind::mapping && !node_.entries.empty() ? node_.entries[0].key : node_.scalar;
      if (node_.kind == Node::Kind::scalar &&
          std::find(alternatives_.begin(), alternatives_.end(), said) != alternatives_.end())
        return mismatch(node_, path_, fmt::format("{{{}: {{…}}}} with its sizes", said));
      return mismatch(node_, path_, fmt::format("one of {}", comma_list(alternatives_)), hint(said, alternatives_));
    }
    if (node_.kind != Node::Kind::mapping)
      return mismatch(node_, path_, fmt::format("a mapping with keys {}", comma_list(known_)));
    if (open_) return;  // other keys are names, already looked at
    for (const Node::Entry* entry : unknown_keys()) {
      if (!room()) continue;
      complain(entry->key_where, path_,
               fmt::format("unknown key '{}'{} Known: {}", shortened(entry->key), guess_in_sentence(entry->key, known_),
                           comma_list(known_)));
    }
  }

  std::vector<const Node::Entry*> unknown_keys() const {
    std::vector<const Node::Entry*> unknown;
    if (open_) return unknown;
    for (const Node::Entry& entry : node_.entries)
      if (!is_known(entry.key)) unknown.push_back(&entry);
    return unknown;
  }

  /// What a misspelt key left out is no second mistake. Whatever else is missing is listed after the keys that may be its cause.
  void list_missing() {
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

  static std::string expectation(const Dimension& dimension, const Range& range) {
    return std::string(dimension.noun) + range.words;
  }

  void quantity(const Node& node, const std::string& path, double& member, const Dimension& dimension,
                const Range& range) {
    reading_.source[path] = node.where;
    if (node.kind != Node::Kind::scalar) return mismatch(node, path, expectation(dimension, range));
    const Quantity given = read_quantity(node.scalar, dimension);
    if (!given.complaint.empty()) return complain(node.where, path, given.complaint);
    if (!range.contains(given.value)) return mismatch(node, path, expectation(dimension, range));
    member = given.value;
  }

  template <class Enum>
  static std::vector<std::string> words_of() {
    std::vector<std::string> words;
    for (const auto& [value, text] : Words<Enum>::list) words.emplace_back(text);
    return words;
  }
  template <class Enum>
  void word_of(const Node& node, const std::string& path, Enum& member) {
    if (node.kind == Node::Kind::scalar) {
      for (const auto& [value, text] : Words<Enum>::list) {
        if (node.scalar != text) continue;
        member = value;
        return;
      }
    }
    const auto words = words_of<Enum>();
    mismatch(node, path, "one of " + comma_list(words), hint(node.scalar, words));
  }

  template <class T>
  void joint_entry(const Node::Entry& entry, const std::string& path, std::map<std::string, T>& members) {
    const auto joint = reading_.joints.find(entry.key);
    if (joint == reading_.joints.end()) {
      if (!room()) return;
      const std::vector<std::string> names = moving_joints();
      return complain(entry.key_where, path,
                      fmt::format("no joint '{}'{} Joints: {}", shortened(entry.key),
                                  guess_in_sentence(entry.key, names), comma_list(names)));
    }
    const JointName& known = joint->second;
    if (known.kind == JointName::Kind::fixed)
      return complain(entry.key_where, path, fmt::format("joint '{}' is fixed and has no motion", entry.key));
    // Only `initial` has something to say about a joint as a whole.
    const bool whole = known.kind == JointName::Kind::turned && std::is_same_v<T, InitialJoint>;
    if (!known.coordinates.empty() && !whole)
      return complain(entry.key_where, path,
                      fmt::format("joint '{}' has several coordinates: expected one of {}", entry.key,
                                  comma_list(known.coordinates)));
    read(entry.value, path, reading_, members[entry.key], {known.unit, context_.profile});
  }

  void refuse_coordinate(const Node::Entry& entry, const std::string& path) {
    if (!room()) return;
    constexpr size_t shown = 6;
    std::vector<std::string> names = moving_joints();
    for (std::string& name : deformations_like(*reading_.arm, entry.key)) names.push_back(std::move(name));
    const std::vector<std::string> near = nearest_words(entry.key, names, shown);
    complain(
        entry.key_where, path,
        fmt::format("no joint or coordinate '{}'{} {}: {}", shortened(entry.key), guess_in_sentence(entry.key, near),
                    near.size() < names.size() ? "Nearest" : "Known", comma_list(near)));
  }
  std::vector<std::string> moving_joints() const {
    std::vector<std::string> names;
    for (const auto& [name, known] : reading_.joints)
      if (known.kind != JointName::Kind::fixed && known.coordinates.empty()) names.push_back(name);
    return names;
  }

  /// At the end of a message: the word that was probably meant.
  static std::string hint(const std::string& word, const std::vector<std::string>& known) {
    const std::string near = nearest_word(word, known);
    return near.empty() ? "" : fmt::format(", did you mean '{}'?", near);
  }

  void mismatch(const Node& node, const std::string& path, const std::string& expected, const std::string& more = "") {
    complain(node.where, path, fmt::format("expected {}, got {}{}", expected, node.shown(), more));
  }
  void complain(const Location& where, const std::string& path, std::string message) {
    if (!room()) return;
    reading_.unread.push_back(path);
    reading_.problems.push_back({where, {Problem::Severity::error, where, path, std::move(message)}});
  }
  /// Whether one more problem will be listed; counts it where not.
  bool room() {
    const bool listed = reading_.problems.size() < limits::problems_listed;
    if (!listed) ++reading_.unlisted;
    return listed;
  }

  /// One of `keys` should have been there.
  struct Missing {
    std::vector<std::string> keys;
    std::string path, message;
  };

  const Node& node_;
  std::string path_;
  Reading& reading_;
  Context context_;
  std::string joint_word_;  // of the joint being read
  std::vector<std::string> known_, alternatives_;
  std::vector<Missing> missing_;
  bool chosen_ = false;  // a scalar or one alternative has been read
  bool open_ = false;    // keys beyond the known ones are names
};

/// Names that follow from others.
void fill_in(Case& data) {
  for (LinkSpec& link : data.arm.links) link.joint.name = joint_name(link);
}

/// Whether a physical check of field `checked` may rest on what could not be read at `unread`: the same field, one inside the
/// other, or two fields of one body, section or the like, whose numbers only make sense together.
bool rests_on(const std::string& checked, const std::string& unread) {
  auto parent = [](const std::string& path) { return path.substr(0, path.find_last_of(".[")); };
  if (unread.starts_with(checked) || unread == parent(checked) || unread == parent(parent(checked))) return true;
  for (const char* whole :
       {".rigid", ".payload", ".section", ".limits", ".base", ".motor", ".servo", ".flexibility", "simulate"})
    if (const size_t at = checked.find(whole); at != std::string::npos) {
      size_t end = at + std::strlen(whole);
      if (end < checked.size() && checked[end] == '[') end = checked.find(']', end) + 1;  // one body of several
      if (unread.starts_with(checked.substr(0, end))) return true;
    }
  return false;
}

/// What was written at a path; "" where nothing was, or no scalar.
std::string text_at(const Node& root, const std::string& path) {
  const Node* node = &root;
  for (size_t start = 0; start < path.size() && node != nullptr;) {
    const size_t end = std::min(path.find_first_of(".[", start), path.size());
    if (start > 0 && path[start - 1] == '[') {
      const size_t index = std::stoul(path.substr(start));
      node = index < node->items.size() ? &node->items[index] : nullptr;
    } else if (end > start) {
      node = node->find(path.substr(start, end - start));
    }
    start = end + 1;
  }
  return node == nullptr ? "" : node->scalar;
}

CaseFile finish(const Node& root, std::vector<Problem> problems) {
  if (!problems.empty()) throw CaseError(std::move(problems));
  CaseFile file;
  Reading reading;
  Reader::read(root, "", reading, file.data, {});
  file.source = std::move(reading.source);
  // Physical checks beside what could not be read, but not about it: a missing number would bring a second, misleading
  // complaint.
  fill_in(file.data);
  for (Problem& problem : check_case(file.data)) {
    auto doubted = [&](const std::string& unread) { return rests_on(problem.path, unread); };
    if (problem.where.file.empty()) {  // else it is in a file that the case names
      if (std::any_of(reading.unread.begin(), reading.unread.end(), doubted)) continue;
      problem.where = file.locate(problem.path);
    }
    if (problem.severity == Problem::Severity::error)
      reading.problems.push_back({problem.where, problem});
    else
      file.warnings.push_back(problem);
  }
  if (!reading.problems.empty()) {
    std::stable_sort(reading.problems.begin(), reading.problems.end(), [](const Listed& a, const Listed& b) {
      return std::tie(a.rank.file, a.rank.line, a.rank.column) < std::tie(b.rank.file, b.rank.line, b.rank.column);
    });
    for (Listed& listed : reading.problems) problems.push_back(std::move(listed.problem));
    if (reading.unlisted > 0)
      problems.push_back({Problem::Severity::error,
                          {root.where.file, 0, 0},
                          "",
                          fmt::format("and {} more mistakes", reading.unlisted)});
    throw CaseError(std::move(problems));
  }
  for (Problem& doubt : doubts_about(file.data, [&](const std::string& path) { return text_at(root, path); })) {
    doubt.where = file.locate(doubt.path);
    file.warnings.push_back(std::move(doubt));
  }
  return file;
}

}  // namespace

const std::vector<std::string>& case_keys() {
  static const std::vector<std::string> keys{"arm",    "wind",    "motion",   "torque", "loads",
                                             "forces", "initial", "simulate", "include"};
  return keys;
}

Location CaseFile::locate(std::string path) const {
  while (true) {
    if (const auto found = source.find(path); found != source.end()) return found->second;
    const size_t cut = path.find_last_of(".[");
    if (cut == std::string::npos) break;
    path.resize(cut);
  }
  const auto root = source.find("");
  return root == source.end() ? Location{} : root->second;
}

CaseFile read_case(const std::string& file, const std::vector<Override>& overrides) {
  std::vector<Problem> problems;
  const Node root = load_document(file, overrides, problems);
  return finish(root, std::move(problems));
}

CaseFile read_case_text(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  std::vector<Problem> problems;
  const Node root = parse_document(text, name, overrides, problems);
  return finish(root, std::move(problems));
}

}  // namespace lithe
