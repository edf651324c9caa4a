#include "lithe/app/swept_poles.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <numbers>

#include "lithe/analyse/pole_sweep.h"
#include "lithe/app/configuration.h"
#include "lithe/app/figure.h"
#include "lithe/app/json.h"
#include "lithe/app/sweep_option.h"
#include "lithe/arm/coordinate_list.h"
#include "lithe/describe/spelling.h"
#include "lithe/show/analysis_figures.h"

namespace lithe::app {
namespace {

constexpr int most_points = 10'000;

/// `--points 61,5`.
std::vector<int> counts_of(const std::string& text) {
  std::vector<int> counts{61, 5};
  if (text.empty()) return counts;
  const char *at = text.data(), *const end = at + text.size();
  for (int& count : counts) {
    const auto read = std::from_chars(at, end, count);
    if (read.ec != std::errc() || count < 2 || count > most_points || (read.ptr != end && *read.ptr != ',')) break;
    if (read.ptr == end) return counts;
    at = read.ptr + 1;
  }
  throw UsageError(
      fmt::format("--points: expected one or two numbers from 2 to {}, as in 61,5, got \"{}\"", most_points, text));
}

std::vector<double> values_of(const SpanText& span, int count) {
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(span.low + (span.high - span.low) * k / (count - 1));
  return values;
}

/// Something that a sweep changes: a joint's position, or a field of the case.
struct Swept {
  SweepText text;
  int place = -1;  // in q
  bool turns = false;

  void check() const {
    if (place >= 0) position(text.span.low);
  }
  double position(double value) const {
    const Quantity read = read_quantity(text.span.at(value), turns ? dimension::angle : dimension::length);
    if (!read.complaint.empty()) throw UsageError(fmt::format("--sweep {}: {}", text.name, read.complaint));
    return read.value;
  }
};

/// The place of that name in this arm.
Swept swept_of(const SweepText& text, const Arm& arm) {
  Swept swept{text};
  auto refuse = [&] {
    throw UsageError(fmt::format("--sweep {}: expected a joint with one coordinate", swept.text.name));
  };
  for (const Link& link : arm.links())
    if (link.joint_name == swept.text.name && link.nq() != 1) refuse();
  const CoordinateList list = position_list(arm);
  const int entry = find_entry(list, swept.text.name);
  const auto joint = std::find(list.joints.begin(), list.joints.end(), entry);
  if (joint == list.joints.end()) {
    if (entry >= 0)
      throw UsageError(
          fmt::format("--sweep {}: expected a joint: equilibrium gives deflections, and rotors follow their "
                      "joints",
                      swept.text.name));
    // No number of a case stands at its top, or directly in `arm`.
    if (swept.text.name.find_first_of(".[") == std::string::npos) {
      std::vector<std::string> joints;
      for (const int place : list.joints) joints.push_back(list.names[size_t(place)]);
      throw UsageError(
          fmt::format("--sweep: no joint '{}'{} Joints: {}; or a field of the case, as in "
                      "torque.elbow.pd.kp",
                      swept.text.name, guess_in_sentence(swept.text.name, joints), comma_list(joints, 20)));
    }
    return swept;
  }
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (entry < link.q0 || entry >= link.q0 + link.nq()) continue;
    if (link.nq() != 1) refuse();
    swept.place = entry;
    swept.turns = link.joint->coordinates()[0].turns;
  }
  if (swept.place < 0) refuse();  // of a base
  swept.check();
  return swept;
}

/// An angle of many turns was hardly meant in radians: as in a case (describe/plausible.h).
void warn_of_turns(const Swept& swept) {
  if (swept.place < 0 || !swept.turns || !swept.text.span.unit.empty()) return;
  const double low = swept.text.span.low, high = swept.text.span.high,
               largest = std::max(std::abs(low), std::abs(high));
  if (largest <= 4 * std::numbers::pi * (1 + 1e-9)) return;
  std::cerr << fmt::format("--sweep {0}: warning: {1:g} rad is {2:.3g} turns: did you mean {0}={3:g}..{4:g}deg?\n",
                           swept.text.name, std::abs(low) > std::abs(high) ? low : high,
                           largest / (2 * std::numbers::pi), low, high);
}

class Sweeper {
 public:
  Sweeper(const SweptPolesRequest& request, const PolesOf& poles_of)
      : on_(request.on), loaded_(load(on_)), poles_of_(poles_of) {
    for (const std::string& words : request.sweeps) {
      swept_.push_back(swept_of(sweep_text("--sweep", words), *loaded_.arm));
      warn_of_turns(swept_.back());
    }
    if (swept_.size() == 2 && swept_[0].text.name == swept_[1].text.name)
      throw UsageError(fmt::format("--sweep: '{}' is given twice", swept_[0].text.name));
  }

  const std::vector<Swept>& swept() const { return swept_; }

  Eigen::VectorXcd at(const std::vector<double>& values) {
    CaseOptions on = on_;
    bool changed = false;
    for (size_t k = 0; k < values.size(); ++k) {
      if (swept_[k].place >= 0) continue;
      on.sets.push_back(swept_[k].text.name + "=" + swept_[k].text.span.at(values[k]));
      changed = true;
    }
    if (!changed) return with_places(loaded_, [&] { return poles_of_(loaded_, placed_in(*loaded_.arm, values)); });
    Findings found = examine(on);  // its warnings were printed once
    found.errors.insert(found.errors.end(), found.unsupported.begin(), found.unsupported.end());
    if (!found.errors.empty()) throw CaseError(found.errors);
    return with_places(found.loaded, [&] { return poles_of_(found.loaded, placed_in(*found.loaded.arm, values)); });
  }

 private:
  /// Positions by their places in this arm: a field of the case may have moved them.
  std::vector<std::pair<int, double>> placed_in(const Arm& arm, const std::vector<double>& values) const {
    std::vector<std::pair<int, double>> placed;
    for (size_t k = 0; k < values.size(); ++k) {
      if (swept_[k].place < 0) continue;
      const Swept here = swept_of(swept_[k].text, arm);
      if (here.place < 0)
        throw UsageError(fmt::format("--sweep {}: the other sweep takes this joint away", here.text.name));
      placed.emplace_back(here.place, here.position(values[k]));
    }
    return placed;
  }

  CaseOptions on_;
  LoadedCase loaded_;
  const PolesOf& poles_of_;
  std::vector<Swept> swept_;
};

bool is_figure(const std::string& file) {
  return file.ends_with(".svg") || file.ends_with(".png") || file.ends_with(".pdf");
}

std::string name_of(const Swept& swept, double value) {
  const std::string& unit = swept.text.span.unit;
  return fmt::format("{} = {:.4g}{}", swept.text.name, value, unit.empty() ? "" : " " + unit);
}

Json json_of(const PoleSweep& sweep) {
  Json branches = Json::array(), stable = Json::array(), at_zero = Json::array();
  for (size_t i = 0; i < sweep.values.size(); ++i) at_zero.push_back(sweep.at_zero(i));
  for (const auto& branch : sweep.branches) {
    Json poles = Json::array();
    for (const std::complex<double>& pole : branch) poles.push_back({pole.real(), pole.imag()});
    branches.push_back(std::move(poles));
  }
  for (const auto& [from, to] : stable_stretches(sweep)) stable.push_back({from, to});
  return {{"values", sweep.values}, {"growth", sweep.growth}, {"damping", sweep.damping},
          {"at_zero", at_zero},     {"stable", stable},       {"poles", branches}};
}

std::string remark_on(const PoleSweep& sweep, size_t i) {
  if (sweep.unstable(i)) return "   unstable";
  const int n = sweep.at_zero(i);
  return n > 0 ? fmt::format("   {} pole{} at zero", n, n > 1 ? "s" : "") : "";
}

void print(const PoleSweep& sweep) {
  const std::string unit = sweep.unit.empty() ? "" : " " + sweep.unit;
  std::cout << fmt::format("{:>16} {:>22} {:>16}\n", sweep.name + (unit.empty() ? "" : " [" + sweep.unit + "]"),
                           "largest real part", "least damping");
  const size_t every = std::max<size_t>(1, (sweep.values.size() + 15) / 16);
  for (size_t i = 0; i < sweep.values.size(); i += every)
    std::cout << fmt::format("{:>16.5g} {:>18.5g} 1/s {:>14.4g} %{}\n", sweep.values[i], sweep.growth[i],
                             100 * sweep.damping[i], remark_on(sweep, i));
  const auto stretches = stable_stretches(sweep);
  if (stretches.empty()) std::cout << "nowhere stable\n";
  for (const auto& [from, to] : stretches) std::cout << fmt::format("stable from {:.5g} to {:.5g}{}\n", from, to, unit);
}

/// Several sweeps in one table: a first column says which.
std::string csv_of_all(const std::vector<PoleSweep>& sweeps, const Swept& second, const std::vector<double>& values) {
  if (sweeps.size() == 1) return csv_of(sweeps[0]);
  const std::string& unit = second.text.span.unit;
  std::string text;
  for (size_t k = 0; k < sweeps.size(); ++k) {
    std::istringstream lines(csv_of(sweeps[k]));
    std::string line;
    std::getline(lines, line);
    if (k == 0)
      text = (unit.empty() ? second.text.name : fmt::format("{} [{}]", second.text.name, unit)) + "," + line + "\n";
    while (std::getline(lines, line)) text += fmt::format("{},{}\n", values[k], line);
  }
  return text;
}

}  // namespace

int answer_swept_poles(const SweptPolesRequest& request, const PolesOf& poles_of) {
  if (request.sweeps.size() > 2)
    throw UsageError("--sweep: expected one or two, got " + std::to_string(request.sweeps.size()));
  if (request.sweeps.size() == 1 && request.points.find(',') != std::string::npos)
    throw UsageError(fmt::format("--points: expected one number for one sweep, got \"{}\"", request.points));
  const std::vector<int> counts = counts_of(request.points);
  for (const std::string& file : request.files)
    if (!file.ends_with(".csv") && !is_figure(file))
      throw UsageError(
          fmt::format("-o: with --sweep, expected a file name ending in .svg, .png, .pdf or .csv, got \"{}\"", file));
  Sweeper sweeper(request, poles_of);
  const Swept &first = sweeper.swept().front(), &second = sweeper.swept().back();
  const bool two = sweeper.swept().size() == 2;
  const std::vector<double> values = values_of(first.text.span, counts[0]),
                            others = two ? values_of(second.text.span, counts[1]) : std::vector<double>{0};
  std::vector<PoleSweep> sweeps;
  std::vector<std::string> names;
  for (const double other : others) {
    sweeps.push_back(sweep_poles(first.text.name, first.text.span.unit, values, [&](double value) {
      return sweeper.at(two ? std::vector<double>{value, other} : std::vector<double>{value});
    }));
    names.push_back(two ? name_of(second, other) : "");
  }
  for (const std::string& file : request.files) {
    if (file.ends_with(".csv"))
      write_file(file, csv_of_all(sweeps, second, others));
    else
      draw_figure(pole_sweep_script(sweeps, names, figure_format(file)), file);
  }
  if (request.on.json) {
    Json answer = Json::array();
    for (size_t k = 0; k < sweeps.size(); ++k) {
      Json one = json_of(sweeps[k]);
      if (two) one[second.text.name] = others[k];
      answer.push_back(std::move(one));
    }
    std::cout << Json{{"sweep", first.text.name}, {"unit", first.text.span.unit}, {"results", answer}}.dump() << "\n";
    return done;
  }
  for (size_t k = 0; k < sweeps.size(); ++k) {
    if (two) std::cout << (k > 0 ? "\n" : "") << names[k] << "\n";
    print(sweeps[k]);
  }
  return done;
}

}  // namespace lithe::app
