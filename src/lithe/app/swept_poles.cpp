#include "lithe/app/swept_poles.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>

#include "lithe/analyse/pole_sweep.h"
#include "lithe/app/configuration.h"
#include "lithe/app/figure.h"
#include "lithe/app/json.h"
#include "lithe/app/sweep_option.h"
#include "lithe/arm/coordinate_list.h"
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

Swept swept_of(const std::string& words, const Arm& arm) {
  Swept swept{sweep_text("--sweep", words)};
  auto refuse = [&] {
    throw UsageError(fmt::format("--sweep {}: expected a joint with one coordinate", swept.text.name));
  };
  for (const Link& link : arm.links())
    if (link.joint_name == swept.text.name && link.nq() != 1) refuse();
  const CoordinateList list = position_list(arm);
  const int entry = find_entry(list, swept.text.name);
  const auto joint = std::find(list.joints.begin(), list.joints.end(), entry);
  if (joint == list.joints.end()) return swept;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (entry < link.q0 || entry >= link.q0 + link.nq()) continue;
    if (link.nq() != 1) refuse();
    swept.place = entry;
    swept.turns = link.joint->coordinates()[0].turns;
  }
  swept.check();
  return swept;
}

class Sweeper {
 public:
  Sweeper(const SweptPolesRequest& request, const PolesOf& poles_of)
      : on_(request.on), loaded_(load(on_)), poles_of_(poles_of) {
    for (const std::string& words : request.sweeps) swept_.push_back(swept_of(words, *loaded_.arm));
  }

  const std::vector<Swept>& swept() const { return swept_; }

  Eigen::VectorXcd at(const std::vector<double>& values) {
    CaseOptions on = on_;
    std::vector<std::pair<int, double>> placed;
    bool changed = false;
    for (size_t k = 0; k < values.size(); ++k) {
      if (swept_[k].place >= 0) {
        placed.emplace_back(swept_[k].place, swept_[k].position(values[k]));
        continue;
      }
      on.sets.push_back(swept_[k].text.name + "=" + swept_[k].text.span.at(values[k]));
      changed = true;
    }
    if (!changed) return with_places(loaded_, [&] { return poles_of_(loaded_, placed); });
    Findings found = examine(on);  // its warnings were printed once
    found.errors.insert(found.errors.end(), found.unsupported.begin(), found.unsupported.end());
    if (!found.errors.empty()) throw CaseError(found.errors);
    return with_places(found.loaded, [&] { return poles_of_(found.loaded, placed); });
  }

 private:
  CaseOptions on_;
  LoadedCase loaded_;
  const PolesOf& poles_of_;
  std::vector<Swept> swept_;
};

std::string name_of(const Swept& swept, double value) {
  const std::string& unit = swept.text.span.unit;
  return fmt::format("{} = {:.4g}{}", swept.text.name, value, unit.empty() ? "" : " " + unit);
}

Json json_of(const PoleSweep& sweep) {
  Json branches = Json::array(), stable = Json::array();
  for (const auto& branch : sweep.branches) {
    Json poles = Json::array();
    for (const std::complex<double>& pole : branch) poles.push_back({pole.real(), pole.imag()});
    branches.push_back(std::move(poles));
  }
  for (const auto& [from, to] : stable_stretches(sweep)) stable.push_back({from, to});
  return {{"values", sweep.values},
          {"growth", sweep.growth},
          {"damping", sweep.damping},
          {"stable", stable},
          {"poles", branches}};
}

void print(const PoleSweep& sweep) {
  const std::string unit = sweep.unit.empty() ? "" : " " + sweep.unit;
  std::cout << fmt::format("{:>16} {:>22} {:>16}\n", sweep.name + (unit.empty() ? "" : " [" + sweep.unit + "]"),
                           "largest real part", "least damping");
  const size_t every = std::max<size_t>(1, (sweep.values.size() + 15) / 16);
  for (size_t i = 0; i < sweep.values.size(); i += every)
    std::cout << fmt::format("{:>16.5g} {:>18.5g} 1/s {:>14.4g} %{}\n", sweep.values[i], sweep.growth[i],
                             100 * sweep.damping[i], sweep.stable(i) ? "" : "   unstable");
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
  const std::vector<int> counts = counts_of(request.points);
  for (const std::string& file : request.files)
    if (!file.ends_with(".csv")) figure_format(file);
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
