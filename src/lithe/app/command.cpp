#include "lithe/app/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <span>

#include "lithe/describe/field.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/whole_file.h"
#include "lithe/dynamics/formulation.h"
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

/// Values in the order of the names, or by name: `elbow=90deg`.
std::vector<Assignment> assignments(const std::string& option, const std::string& text,
                                    const std::vector<std::string>& names) {
  std::vector<Assignment> list;
  const auto pieces = split(option, text);
  if (pieces.size() > names.size())
    throw UsageError(fmt::format("{}: expected at most {} numbers ({}), got {}", option, names.size(),
                                 comma_list(names), pieces.size()));
  for (const std::string& piece : pieces) {
    const size_t equals = piece.find('=');
    if (equals == std::string::npos) {
      list.push_back({int(list.size()), piece});
      continue;
    }
    const std::string name = piece.substr(0, equals);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw UsageError(
          fmt::format("{}: no '{}'{} Known: {}", option, name, guess_in_sentence(name, names), comma_list(names)));
    list.push_back({int(found - names.begin()), piece.substr(equals + 1)});
  }
  return list;
}

JointType type_of(const Link& link) {
  return std::holds_alternative<Prismatic>(link.joint) ? JointType::prismatic : JointType::revolute;
}

}  // namespace

void CaseOptions::add_to(CLI::App& command, const char* strict_help) {
  command.add_option("CASE", file, "case file (YAML)")->required();
  command.add_option("--set", sets, "change a field: --set arm.links[0].beam.length=1.2 (may be repeated)")
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
      throw UsageError(fmt::format("--text: cannot read \"{}\": {}", options.text_file, error.code().message()));
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
    const bool free = std::holds_alternative<Free>(link.joint);
    for (int k = 0; k < link.nq(); ++k)
      dimensions.push_back(!free   ? joint_dimension::position.of(type_of(link))
                           : k < 3 ? dimension::length
                                   : dimension::number);
    for (int k = 0; k < link.n_flex(); ++k)
      dimensions.push_back(arm.turns()[link.flex_v0() + k] ? dimension::angle : dimension::length);
  }
  VectorXd q = State::zero(arm).q;
  for (const Assignment& given : assignments("--q", text, arm.positions()))
    q[given.at] = number("--q", arm.positions()[given.at], given.text, dimensions[given.at]);
  for (const Link& link : arm.links()) {
    if (!std::holds_alternative<Free>(link.joint)) continue;
    const double norm = q.segment<4>(link.q0 + 3).stableNorm();
    if (!(norm > 1e-6) || !std::isfinite(norm))
      throw UsageError("--q: expected a quaternion w, x, y, z other than zero for the free base");
    q.segment<4>(link.q0 + 3) /= norm;
  }
  return q;
}

VectorXd rates(const Arm& arm, const std::string& option, const std::string& text) {
  const bool second = option == "--acceleration";
  const JointDimension joint =
      second ? JointDimension{dimension::angular_acceleration, dimension::acceleration} : joint_dimension::rate;
  VectorXd v = VectorXd::Zero(arm.nv());
  for (const Assignment& given : assignments(option, text, arm.coordinates())) {
    const Dimension& dimension = arm.turns()[given.at] ? joint.revolute : joint.prismatic;
    v[given.at] = number(option, arm.coordinates()[given.at], given.text, dimension);
  }
  return v;
}

VectorXd torques(const Arm& arm, const std::string& text) {
  std::vector<std::string> names;
  for (const int i : arm.torque_links()) names.push_back(arm.link(i).joint_name);
  VectorXd tau = VectorXd::Zero(arm.nv());
  for (const Assignment& given : assignments("--tau", text, names)) {
    const Link& link = arm.link(arm.torque_links()[given.at]);
    tau[link.v0] = number("--tau", names[given.at], given.text, joint_dimension::effort.of(type_of(link)));
  }
  return tau;
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

std::string formulation_help() { return comma_list(formulation_names()) + "; the first unless given"; }

void write_file(const std::string& file, const std::string& text) {
  std::cout.flush();  // it may be standard output
  if (const std::string reason = replace_file(file, std::as_bytes(std::span(text))); !reason.empty())
    throw std::runtime_error(fmt::format("cannot write {}: {}", file, reason));
}

}  // namespace lithe::app
