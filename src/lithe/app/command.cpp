#include "lithe/app/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <span>

#include "lithe/arm/coordinate_list.h"
#include "lithe/describe/field.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/whole_file.h"
#include "lithe/results/replace_file.h"

namespace lithe::app {
namespace {

std::vector<Override> overrides_of(const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    const size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--set: expected PATH=VALUE, got \"{}\"", set));
    overrides.push_back({set.substr(0, equals), set.substr(equals + 1)});
  }
  return overrides;
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Splits at commas. An empty text is no value; an empty piece is a mistake.
std::vector<std::string> split(const std::string& option, const std::string& text) {
  std::vector<std::string> pieces;
  if (text.empty()) return pieces;
  size_t start = 0;
  while (true) {
    const size_t comma = std::min(text.find(',', start), text.size());
    pieces.push_back(text.substr(start, comma - start));
    if (pieces.back().find_first_not_of(' ') == std::string::npos)
      throw UsageError(fmt::format("{}: expected numbers separated by commas, got \"{}\"", option, text));
    if (comma == text.size()) return pieces;
    start = comma + 1;
  }
}

double number(const std::string& option, const std::string& name, const std::string& text, const Dimension& dimension) {
  const Quantity quantity = read_quantity(text, dimension);
  if (!quantity.complaint.empty()) throw UsageError(fmt::format("{}: {}: {}", option, name, quantity.complaint));
  return quantity.value;
}

/// One value of a list and which of the names it is for.
struct Assignment {
  int at;
  std::string text;
};

/// Plain values in the order of the list (coordinate_list.h), then values by name: `elbow=90deg`.
std::vector<Assignment> assignments(const std::string& option, const std::string& text, const CoordinateList& list) {
  std::vector<Assignment> given;
  const auto pieces = split(option, text);
  const auto is_named = [](const std::string& piece) { return piece.find('=') != std::string::npos; };
  const size_t plain = size_t(std::find_if(pieces.begin(), pieces.end(), is_named) - pieces.begin());
  try {
    for (const int entry : entries_of(list, plain)) given.push_back({entry, pieces[given.size()]});
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
  for (size_t k = plain; k < pieces.size(); ++k) {
    if (!is_named(pieces[k]))
      throw UsageError(
          fmt::format("{}: expected numbers without a name before those with one, got \"{}\"", option, text));
    const size_t equals = pieces[k].find('=');
    const std::string name = trimmed(pieces[k].substr(0, equals));
    const int entry = find_entry(list, name);
    if (entry < 0)
      throw UsageError(fmt::format("{}: no '{}'{} Known: {}", option, name, guess_in_sentence(name, list.names),
                                   comma_list(list.names, most_names_shown)));
    if (std::any_of(given.begin(), given.end(), [&](const Assignment& other) { return other.at == entry; }))
      throw UsageError(fmt::format("{}: {} is given twice", option, list.names[size_t(entry)]));
    given.push_back({entry, pieces[k].substr(equals + 1)});
  }
  return given;
}

}  // namespace

void CaseOptions::add_to(CLI::App& command, const char* strict_help) {
  command.add_option("CASE", file, "case file (YAML)")->required();
  command
      .add_option(
          "--set", sets,
          "change a field: --set arm.links[0].beam.length=1.2, --set initial.upper.1=5mm; PATH= removes it; other keys "
          "with dots stand in double quotes (may be repeated)")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command.add_flag("--strict", strict, strict_help);
  command.add_flag("--json", json, "print JSON");
}

Findings examine(const CaseOptions& options) {
  Findings findings = lithe::examine([&] {
    const std::vector<Override> overrides = overrides_of(options.sets);
    if (options.text_file.empty()) return read_case(options.file, overrides);
    try {
      return read_case_text(whole_file(options.text_file), options.file, overrides);
    } catch (const std::system_error& error) {
      throw UsageError(fmt::format("--text: cannot read \"{}\": {}", options.text_file,
                                   why_unread(error.code(), limits::data_file_bytes)));
    }
  });
  if (options.strict) {
    for (Problem warning : findings.warnings) {
      warning.severity = Problem::Severity::error;
      findings.errors.push_back(warning);
    }
    findings.warnings.clear();
  }
  return findings;
}

LoadedCase load(const CaseOptions& options) {
  Findings findings = examine(options);
  for (const Problem& warning : findings.warnings) std::cerr << warning.text() << "\n";
  findings.errors.insert(findings.errors.end(), findings.unsupported.begin(), findings.unsupported.end());
  if (!findings.errors.empty()) throw CaseError(findings.errors);
  return std::move(findings.loaded);
}

VectorXd positions(const Arm& arm, const std::string& text) {
  std::vector<Dimension> dimensions;
  for (const Link& link : arm.links()) {
    const int quaternion = link.joint->quaternion();
    for (int k = 0; k < link.nq(); ++k) {
      if (link.joint->rates_are_coordinates())
        dimensions.push_back(arm.turns()[link.v0 + k] ? dimension::angle : dimension::length);
      else
        dimensions.push_back(k >= quaternion && k < quaternion + 4 ? dimension::number : dimension::length);
    }
    for (int k = 0; k < link.n_flex(); ++k)
      dimensions.push_back(arm.turns()[link.flex_v0() + k] ? dimension::angle : dimension::length);
  }
  VectorXd q = State::zero(arm).q;
  for (const Assignment& given : assignments("--q", text, position_list(arm)))
    q[given.at] = number("--q", arm.positions()[given.at], given.text, dimensions[given.at]);
  if (!normalise_quaternions(arm, q)) throw UsageError("--q: expected quaternions w, x, y, z other than zero");
  return q;
}

bool gives_position(const Arm& arm, const std::string& text, const std::string& name) {
  const auto given = assignments("--q", text, position_list(arm));
  return std::any_of(given.begin(), given.end(),
                     [&](const Assignment& one) { return arm.positions()[one.at] == name; });
}

namespace {

/// Values of the nv coordinates, each in the unit of its kind.
VectorXd per_coordinate(const Arm& arm, const std::string& option, const std::string& text, const CoordinateList& list,
                        const JointDimension& unit) {
  VectorXd values = VectorXd::Zero(arm.nv());
  for (const Assignment& given : assignments(option, text, list))
    values[given.at] =
        number(option, list.names[given.at], given.text, arm.turns()[given.at] ? unit.turning : unit.sliding);
  return values;
}

}  // namespace

VectorXd rates(const Arm& arm, const std::string& option, const std::string& text) {
  const bool second = option == "--acceleration";
  return per_coordinate(
      arm, option, text, rate_list(arm),
      second ? JointDimension{dimension::angular_acceleration, dimension::acceleration} : joint_dimension::rate);
}

VectorXd torques(const Arm& arm, const std::string& text) {
  return per_coordinate(arm, "--tau", text, torque_list(arm), joint_dimension::effort);
}

Vector3d three(const std::string& option, const std::string& text, const Dimension& dimension) {
  const auto pieces = split(option, text);
  if (pieces.size() != 3) throw UsageError(fmt::format("{}: expected three numbers, got {}", option, pieces.size()));
  Vector3d value;
  for (int k = 0; k < 3; ++k) value[k] = number(option, fmt::format("[{}]", k), pieces[k], dimension);
  return value;
}

int tip_link(const Arm& arm, const std::string& name) {
  if (name.empty()) return arm.last_link();
  std::vector<std::string> names;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (link.is_rotor || (link.is_base && link.name != "base")) continue;
    if (link.name == name) return i;
    names.push_back(link.name);
  }
  throw UsageError(
      fmt::format("--tip: no link '{}'{} Links: {}", name, guess_in_sentence(name, names), comma_list(names)));
}

void write_file(const std::string& file, const std::string& text) {
  std::cout.flush();  // it may be standard output
  if (const std::string reason = replace_file(file, std::as_bytes(std::span(text))); !reason.empty())
    throw std::runtime_error(fmt::format("cannot write {}: {}", file, reason));
}

}  // namespace lithe::app
