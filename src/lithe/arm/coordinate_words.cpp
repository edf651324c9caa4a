#include "lithe/arm/coordinate_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "lithe/arm/coordinate_list.h"
#include "lithe/arm/state.h"
#include "lithe/describe/field.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/trimmed.h"

namespace lithe {
namespace {

/// Splits at commas. An empty text is no value; an empty piece is a mistake.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> pieces;
  if (text.empty()) return pieces;
  size_t start = 0;
  while (true) {
    const size_t comma = std::min(text.find(',', start), text.size());
    pieces.push_back(text.substr(start, comma - start));
    if (pieces.back().find_first_not_of(' ') == std::string::npos)
      throw std::invalid_argument(fmt::format("expected numbers separated by commas, got \"{}\"", text));
    if (comma == text.size()) return pieces;
    start = comma + 1;
  }
}

double number(const std::string& name, const std::string& text, const Dimension& dimension) {
  const Quantity quantity = read_quantity(text, dimension);
  if (!quantity.complaint.empty()) throw std::invalid_argument(fmt::format("{}: {}", name, quantity.complaint));
  return quantity.value;
}

/// One value of a list and which of the names it is for.
struct Assignment {
  int at;
  std::string text;
};

/// Plain values in the order of the list (coordinate_list.h), then values by name: `elbow=90deg`.
std::vector<Assignment> assignments(const std::string& text, const CoordinateList& list) {
  std::vector<Assignment> given;
  const auto pieces = split(text);
  const auto is_named = [](const std::string& piece) { return piece.find('=') != std::string::npos; };
  const size_t plain = size_t(std::find_if(pieces.begin(), pieces.end(), is_named) - pieces.begin());
  for (const int entry : entries_of(list, plain)) given.push_back({entry, pieces[given.size()]});
  for (size_t k = plain; k < pieces.size(); ++k) {
    if (!is_named(pieces[k]))
      throw std::invalid_argument(
          fmt::format("expected numbers without a name before those with one, got \"{}\"", text));
    const size_t equals = pieces[k].find('=');
    const std::string name(trimmed(pieces[k].substr(0, equals)));
    const int entry = find_entry(list, name);
    if (entry < 0)
      throw std::invalid_argument(fmt::format("no '{}'{} Known: {}", name, guess_in_sentence(name, list.names),
                                              comma_list(list.names, most_names_shown)));
    if (std::any_of(given.begin(), given.end(), [&](const Assignment& other) { return other.at == entry; }))
      throw std::invalid_argument(fmt::format("{} is given twice", list.names[size_t(entry)]));
    given.push_back({entry, pieces[k].substr(equals + 1)});
  }
  return given;
}

/// Values of the nv coordinates, each in the unit of its kind.
VectorXd per_coordinate(const Arm& arm, const std::string& text, const CoordinateList& list,
                        const JointDimension& unit) {
  VectorXd values = VectorXd::Zero(arm.nv());
  for (const Assignment& given : assignments(text, list))
    values[given.at] = number(list.names[given.at], given.text, unit.of(arm.unit(given.at)));
  return values;
}

}  // namespace

VectorXd positions_in_words(const Arm& arm, const std::string& words) {
  std::vector<Dimension> dimensions;
  for (const Link& link : arm.links()) {
    const int quaternion = link.joint->quaternion();
    for (int k = 0; k < link.nq(); ++k) {
      if (link.joint->rates_are_coordinates())
        dimensions.push_back(joint_dimension::position.of(arm.unit(link.v0 + k)));
      else
        dimensions.push_back(k >= quaternion && k < quaternion + 4 ? dimension::number : dimension::length);
    }
    for (int k = 0; k < link.n_flex(); ++k)
      dimensions.push_back(joint_dimension::position.of(arm.unit(link.flex_v0() + k)));
  }
  VectorXd q = State::zero(arm).q;
  for (const Assignment& given : assignments(words, position_list(arm)))
    q[given.at] = number(arm.positions()[given.at], given.text, dimensions[given.at]);
  if (!normalise_quaternions(arm, q)) throw std::invalid_argument("expected quaternions w, x, y, z other than zero");
  return q;
}

bool words_give_position(const Arm& arm, const std::string& words, const std::string& name) {
  const auto given = assignments(words, position_list(arm));
  return std::any_of(given.begin(), given.end(),
                     [&](const Assignment& one) { return arm.positions()[one.at] == name; });
}

VectorXd rates_in_words(const Arm& arm, const std::string& words) {
  return per_coordinate(arm, words, rate_list(arm), joint_dimension::rate);
}

VectorXd accelerations_in_words(const Arm& arm, const std::string& words) {
  return per_coordinate(arm, words, rate_list(arm),
                        JointDimension{dimension::angular_acceleration, dimension::acceleration});
}

VectorXd torques_in_words(const Arm& arm, const std::string& words) {
  return per_coordinate(arm, words, torque_list(arm), joint_dimension::effort);
}

Vector3d three_in_words(const std::string& words, const Dimension& dimension) {
  const auto pieces = split(words);
  if (pieces.size() != 3) throw std::invalid_argument(fmt::format("expected three numbers, got {}", pieces.size()));
  Vector3d value;
  for (int k = 0; k < 3; ++k) value[k] = number(fmt::format("[{}]", k), pieces[k], dimension);
  return value;
}

int tip_link_named(const Arm& arm, const std::string& name) {
  if (name.empty()) return arm.last_link();
  std::vector<std::string> names;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!arm.is_body(i)) continue;
    if (link.name == name) return i;
    names.push_back(link.name);
  }
  throw std::invalid_argument(
      fmt::format("no link '{}'{} Links: {}", name, guess_in_sentence(name, names), comma_list(names)));
}

}  // namespace lithe
