#include "lithe/describe/object_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <limits>

#include "lithe/describe/case/matter.h"
#include "lithe/describe/events.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/materials.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"

namespace lithe {
namespace {

std::string expectation(const Dimension& dimension, const Range& range) {
  return std::string(dimension.noun) + range.words;
}

}  // namespace

void ObjectReader::value(Need need, const char* key, double& member, const Dimension& dimension, const Range& range,
                         const char*) {
  if (const Node* node = claim(key, need, expectation(dimension, range)))
    quantity(*node, at(key), member, dimension, range);
}

void ObjectReader::value(Need need, const char* key, Vector3d& member, const Dimension& dimension, const Range&,
                         const char*) {
  const std::string expected = fmt::format("a list of three, each {}", dimension.noun);
  const Node* node = claim(key, need, expected);
  if (node == nullptr) return;
  if (node->kind != Node::Kind::list || node->items.size() != 3) return mismatch(*node, at(key), expected);
  for (int i = 0; i < 3; ++i)
    quantity(node->items[i], fmt::format("{}[{}]", at(key), i), member[i], dimension, range::any);
}

void ObjectReader::values(Need need, const char* key, std::vector<double>& members, const Dimension& dimension,
                          const Range& range, const char*) {
  const std::string expected = fmt::format("a list, each {}", expectation(dimension, range));
  const Node* node = claim(key, need, expected);
  if (node == nullptr) return;
  if (node->kind == Node::Kind::scalar) {  // a single value in place of a list of one
    members.resize(1);
    return quantity(*node, at(key), members[0], dimension, range);
  }
  if (node->kind != Node::Kind::list || node->items.empty()) return mismatch(*node, at(key), expected);
  members.resize(node->items.size());
  for (size_t i = 0; i < members.size(); ++i)
    quantity(node->items[i], fmt::format("{}[{}]", at(key), i), members[i], dimension, range);
}

void ObjectReader::vectors(Need need, const char* key, std::vector<Vector3d>& members, size_t count,
                           const Dimension& dimension, const char*) {
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

void ObjectReader::value(Need need, const char* key, std::optional<double>& member, const Dimension& dimension,
                         const Range& range, const char* help) {
  if (!has(key)) return know(key);
  value(need, key, member.emplace(), dimension, range, help);
}

void ObjectReader::value(Need need, const char* key, std::optional<Vector3d>& member, const Dimension& dimension,
                         const Range& range, const char* help) {
  if (!has(key)) return know(key);
  value(need, key, member.emplace(Vector3d::Zero()), dimension, range, help);
}

void ObjectReader::joint_value(Need need, const char* key, double& member, const JointDimension& dimension,
                               const Range& range, const char* help) {
  value(need, key, member, dimension.of(units_.joint), range, help);
}

void ObjectReader::joint_value(Need need, const char* key, std::optional<double>& member,
                               const JointDimension& dimension, const Range& range, const char* help) {
  if (!unit_known_) return know(key);
  value(need, key, member, dimension.of(units_.joint), range, help);
}

void ObjectReader::profile_value(Need need, const char* key, double& member, const char* help) {
  value(need, key, member, units_.profile.of(units_.joint), range::any, help);
}

void ObjectReader::profile_rate(Need need, const char* key, double& member, const char* help) {
  value(need, key, member, per_time(units_.profile.of(units_.joint)), range::any, help);
}

/// A file named relative to the one that names it.
void ObjectReader::file(Need need, const char* key, std::string& member, const char*) {
  const Node* node = claim(key, need, "the name of a file");
  if (node == nullptr) return;
  if (node->kind != Node::Kind::scalar || node->scalar.empty()) return mismatch(*node, at(key), "the name of a file");
  const std::filesystem::path named_in = node->where.line > 0 ? std::filesystem::path(node->where.file) : "";
  member = (named_in.parent_path() / node->scalar).lexically_normal().string();
}

void ObjectReader::count(Need need, const char* key, int& member, int least, const char*) {
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

void ObjectReader::count(Need need, const char* key, std::optional<int>& member, int least, const char* help) {
  if (!has(key)) return know(key);
  int given = least;
  count(need, key, given, least, help);
  member = given;
}

void ObjectReader::flag(Need need, const char* key, bool& member, const char*) {
  const Node* node = claim(key, need, "true or false");
  if (node == nullptr) return;
  if (node->kind != Node::Kind::scalar || node->quoted || (node->scalar != "true" && node->scalar != "false"))
    return mismatch(*node, at(key), "true or false");
  member = node->scalar == "true";
}

void ObjectReader::flags(Need need, const char* key, Flags flags, const char*) {
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

void ObjectReader::name(Need need, const char* key, std::string& member, const char*) {
  identifier(need, key, member, "_-", "a name of letters, digits, _ and -");
}

void ObjectReader::coordinate(Need need, const char* key, std::string& member, const char*) {
  identifier(need, key, member, "_-.", "the name of a coordinate");
}

void ObjectReader::label(Need need, const char* key, std::string& member, const char*) {
  identifier(need, key, member, "_- ", "a name of letters, digits, spaces, _ and -");
}

void ObjectReader::formula(Need need, const char* key, std::string& member, const char*) {
  const char* const expected = "a formula of numbers, names, + - * / ^ and parentheses";
  const Node* node = claim(key, need, expected);
  if (node == nullptr) return;
  if (node->kind != Node::Kind::scalar || node->scalar.empty()) return mismatch(*node, at(key), expected);
  if (node->scalar.size() > limits::formula_length)
    return complain(node->where, at(key),
                    fmt::format("expected a formula of at most {} characters, got one of {}", limits::formula_length,
                                node->scalar.size()));
  member = node->scalar;
}

JointDimension ObjectReader::state_quantity(Need need, const char* key, std::string& member, const char* help) {
  coordinate(need, key, member, help);
  const bool given = !member.empty() && reading_.arm != nullptr;
  const auto known = given ? event_quantity(*reading_.arm, member) : std::nullopt;
  if (!known) {
    unit_known_ = false;
    if (given) complain(node_.find(key)->where, at(key), unknown_quantity(*reading_.arm, member));
    return joint_dimension::position;
  }
  units_.joint = known->unit;
  return known->is_rate ? joint_dimension::rate : joint_dimension::position;
}

void ObjectReader::identifier(Need need, const char* key, std::string& member, std::string_view signs,
                              const char* expected) {
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

void ObjectReader::name(Need need, const char* key, std::optional<std::string>& member, const char* help) {
  if (!has(key)) return know(key);
  std::string given;
  name(need, key, given, help);
  if (!given.empty()) member = given;
}

void ObjectReader::visit_choice(Need need, const char* key, ChoiceRef& choice, const char*) {
  if (const Node* node = claim(key, need, "one of " + comma_list(choice.words()))) word_of(*node, at(key), choice);
}

// ---------------------------------------------------------------------------------------------------- a scalar in place of the object

void ObjectReader::visit_short_choice(ChoiceRef& choice, const char*) {
  if (is_scalar()) word_of(node_, path_, choice);
}

bool ObjectReader::short_joint_value(double& member, const JointDimension& dimension, const Range& range, const char*) {
  if (is_scalar()) quantity(node_, path_, member, dimension.of(units_.joint), range);
  return is_scalar();
}

void ObjectReader::catalogue_name(Material& material, const char*) {
  if (!is_scalar()) return;
  if (const CatalogueMaterial* found = find_material(node_.scalar)) {
    material = {node_.scalar, found->E, found->nu, found->density, found->G, found->yield_strength};
    return;
  }
  std::vector<std::string> names;
  for (const CatalogueMaterial& entry : material_catalogue()) names.emplace_back(entry.name);
  mismatch(node_, path_, fmt::format("one of {}, or {{E, nu, density}}", comma_list(names)), hint(node_.scalar, names));
}

bool ObjectReader::visit_short_form(Slot& slot) {
  if (node_.kind != Node::Kind::scalar) return false;
  slot.fill();
  return true;
}

// ---------------------------------------------------------------------------------------------------- values

void ObjectReader::quantity(const Node& node, const std::string& path, double& member, const Dimension& dimension,
                            const Range& range) {
  reading_.source[path] = node.where;
  if (node.kind != Node::Kind::scalar) return mismatch(node, path, expectation(dimension, range));
  const Quantity given = read_quantity(node.scalar, dimension);
  if (!given.complaint.empty()) return complain(node.where, path, given.complaint);
  if (!range.contains(given.value)) return mismatch(node, path, expectation(dimension, range));
  member = given.value;
}

void ObjectReader::word_of(const Node& node, const std::string& path, ChoiceRef& choice) {
  const std::vector<std::string> words = choice.words();
  const auto found = std::find(words.begin(), words.end(), node.scalar);
  if (node.kind == Node::Kind::scalar && found != words.end()) return choice.choose(size_t(found - words.begin()));
  mismatch(node, path, "one of " + comma_list(words), hint(node.scalar, words));
}

}  // namespace lithe
