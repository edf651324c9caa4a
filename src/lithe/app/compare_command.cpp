#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "lithe/analyse/agreement.h"
#include "lithe/app/command.h"
#include "lithe/app/dense.h"
#include "lithe/app/json.h"
#include "lithe/describe/spelling.h"

namespace lithe::app {
namespace {

struct CompareOptions : CaseOptions {
  int states = 20;
  std::uint32_t seed = 1;
  double tolerance = 1e-9;
  bool count = false;
};

std::string outside_text(const Agreement::Member& member) {
  return fmt::format("{}: {}", shown_path(member.path), member.reason);
}

Json json_of(const WorkCount& work) {
  return {{"multiplications", work.multiplications},
          {"additions", work.additions},
          {"divisions", work.divisions},
          {"roots", work.roots},
          {"functions", work.functions}};
}

void print_json(const Arm& arm, const CompareOptions& options, const Agreement& found, bool agree) {
  Json members = Json::array(), pairs = Json::array();
  for (const auto& member : found.members) {
    Json entry{{"name", member.name}, {"covers", member.covers}};
    if (member.covers) {
      entry["microseconds"] = member.microseconds;
      entry["singular_states"] = member.n_singular;
      if (member.work) entry["work"] = json_of(*member.work);
    } else {
      entry["path"] = shown_path(member.path);
      entry["reason"] = member.reason;
    }
    members.push_back(entry);
  }
  for (const auto& pair : found.pairs) {
    Json worst = Json::object(), where = Json::object();
    for (size_t k = 0; k < compared_names.size(); ++k) {
      const auto& difference = pair.differences[k];
      worst[compared_names[k]] = difference.worst;
      if (found.states.empty()) continue;
      const State& state = found.states[difference.i_state];
      where[compared_names[k]] = {{"t", double(state.t)}, {"q", list_of(state.q)}, {"v", list_of(state.v)}};
    }
    pairs.push_back({{"formulations", {found.members[pair.a].name, found.members[pair.b].name}},
                     {"worst", worst},
                     {"worst_states", where}});
  }
  Json answer{{"coordinates", arm.coordinates()},
              {"states", int(found.states.size()) - found.n_singular},
              {"singular_states", found.n_singular},
              {"seed", options.seed},
              {"tolerance", options.tolerance},
              {"agree", agree},
              {"formulations", members},
              {"pairs", pairs}};
  if (found.batch)
    answer["batch"] = {{"acceleration", found.batch->acceleration.worst},
                       {"state", found.batch->acceleration.i_state},
                       {"microseconds", found.batch->microseconds}};
  std::cout << answer.dump() << "\n";
}

void print_differences(const Agreement& found) {
  constexpr const char* titles[] = {"acceleration", "mass matrix", "bias", "kinetic", "potential"};
  static_assert(std::size(titles) == compared_names.size());
  auto name_of = [&](const Agreement::Pair& pair) {
    return fmt::format("{} / {}", found.members[pair.a].name, found.members[pair.b].name);
  };
  size_t widest = 10;
  for (const auto& pair : found.pairs) widest = std::max(widest, name_of(pair).size());
  std::cout << fmt::format("\n{:<{}}", "worst relative difference", std::max<size_t>(widest + 2, 25));
  for (const char* title : titles) std::cout << fmt::format("  {:>12}", title);
  std::cout << "\n";
  for (const auto& pair : found.pairs) {
    std::cout << fmt::format("  {:<{}}", name_of(pair), std::max<size_t>(widest, 23));
    for (const auto& difference : pair.differences) std::cout << fmt::format("  {:>12.1e}", difference.worst);
    std::cout << "\n";
  }
}

void print_members(const Agreement& found) {
  size_t widest = 0;
  double fastest = INFINITY;
  for (const auto& member : found.members) {
    widest = std::max(widest, member.name.size());
    if (member.covers) fastest = std::min(fastest, member.microseconds);
  }
  if (found.n_covering() > 0) std::cout << "\ncost of one forward evaluation\n";
  for (const auto& member : found.members) {
    if (!member.covers) continue;
    std::cout << fmt::format("  {:<{}}  {:>10.2f} us  {:>8.1f} x", member.name, widest, member.microseconds,
                             member.microseconds / fastest);
    if (member.work)
      std::cout << fmt::format("  {:>10} multiplications  {:>10} additions", member.work->multiplications,
                               member.work->additions);
    std::cout << "\n";
  }
  if (found.batch)
    std::cout << fmt::format(
        "  {:<{}}  {:>10.2f} us  {:>8.2f} x  with articulated, 64 states at once; accelerations agree within {:.1e}\n",
        "per state", widest, found.batch->microseconds, found.batch->microseconds / fastest,
        found.batch->acceleration.worst);
  if (found.n_covering() < int(found.members.size())) std::cout << "\nnot applicable to this case\n";
  for (const auto& member : found.members)
    if (!member.covers) std::cout << fmt::format("  {:<{}}  {}\n", member.name, widest, outside_text(member));
}

/// A state as `lithe eval` takes it, with all digits, if it is not too long to be read.
std::string as_options(const State& state) {
  if (state.q.size() > 20) return "a state that is too long to show here; --json prints it";
  return fmt::format("--q={} --v={}", fmt::join(state.q, ","), fmt::join(state.v, ","));
}

/// The pair and quantity with the largest difference, and its state.
void print_disagreement(const Agreement& found, double tolerance) {
  if (found.batch && !(found.batch->acceleration.worst <= tolerance)) {
    std::cout << fmt::format(
        "\nno agreement: articulated on many states at once differs by {:.1e}, more than {:g}, at\n  {}\n",
        found.batch->acceleration.worst, tolerance, as_options(found.states[found.batch->acceleration.i_state]));
    return;
  }
  const Agreement::Pair* worst_pair = nullptr;
  size_t worst = 0;
  for (const auto& pair : found.pairs)
    for (size_t k = 0; k < compared_names.size(); ++k)
      if (!worst_pair || is_worse(pair.differences[k].worst, worst_pair->differences[worst].worst))
        worst_pair = &pair, worst = k;
  const auto& difference = worst_pair->differences[worst];
  const State& state = found.states[difference.i_state];
  std::cout << fmt::format("\nno agreement: {} of {} and {} differ by {:.1e}, more than {:g}, at\n  {}\n",
                           compared_names[worst], found.members[worst_pair->a].name, found.members[worst_pair->b].name,
                           difference.worst, tolerance, as_options(state));
  if (state.t != 0) std::cout << fmt::format("  and t = {} s\n", double(state.t));
}

void print_text(const Arm& arm, const CompareOptions& options, const Agreement& found, bool agree) {
  std::cout << fmt::format("{}: {} coordinates, {} random states (seed {})\n", options.file, arm.nv(),
                           found.states.size(), options.seed);
  for (const auto& member : found.members)
    if (member.n_singular > 0)
      std::cout << fmt::format("{} of them are left out: {} finds the mass matrix singular there\n", member.n_singular,
                               member.name);
  if (!found.pairs.empty()) print_differences(found);
  print_members(found);
  if (found.pairs.empty()) {
    std::cout << "\nnothing to compare: fewer than two formulations cover this case\n";
  } else if (agree) {
    std::cout << fmt::format("\nall agree within {:g}\n", options.tolerance);
  } else {
    print_disagreement(found, options.tolerance);
  }
}

// ------------------------------------------------------------------------------------------------ counts alone

void print_work_json(const Arm& arm, const std::vector<Agreement::Member>& members) {
  Json list = Json::array();
  for (const auto& member : members) {
    Json entry{{"name", member.name}, {"covers", member.covers}};
    if (member.work) entry["work"] = json_of(*member.work);
    if (!member.covers) {
      entry["path"] = shown_path(member.path);
      entry["reason"] = member.reason;
    }
    list.push_back(entry);
  }
  std::cout << Json{{"coordinates", arm.coordinates()}, {"formulations", list}}.dump() << "\n";
}

void print_work(const Arm& arm, const CompareOptions& options, const std::vector<Agreement::Member>& members) {
  size_t widest = 0;
  for (const auto& member : members) widest = std::max(widest, member.name.size());
  std::cout << fmt::format("{}: {} coordinates; operations of one forward evaluation, q, v, tau to accelerations\n\n",
                           options.file, arm.nv());
  std::cout << fmt::format("  {:<{}}  {:>15}  {:>10}  {:>9}  {:>6}  {:>13}\n", "", widest, "multiplications",
                           "additions", "divisions", "roots", "sin, cos, tanh");
  for (const auto& member : members)
    if (member.work)
      std::cout << fmt::format("  {:<{}}  {:>15}  {:>10}  {:>9}  {:>6}  {:>13}\n", member.name, widest,
                               member.work->multiplications, member.work->additions, member.work->divisions,
                               member.work->roots, member.work->functions);
  const bool all = std::all_of(members.begin(), members.end(), [](const auto& member) { return member.covers; });
  if (!all) std::cout << "\nnot applicable to this case\n";
  for (const auto& member : members)
    if (!member.covers) std::cout << fmt::format("  {:<{}}  {}\n", member.name, widest, outside_text(member));
}

int count_work(const CompareOptions& options, const Arm& arm) {
  const std::vector<Agreement::Member> members = forward_work(arm, options.seed);
  if (options.json) {
    print_work_json(arm, members);
  } else {
    print_work(arm, options, members);
  }
  return done;
}

int run(const CompareOptions& options) {
  if (options.count && options.strict)
    throw UsageError("--strict is about agreement, and --count compares nothing: leave one of them out");
  CaseOptions lax = options;  // here `strict` is about agreement
  lax.strict = false;
  const LoadedCase loaded = load(lax);
  demand_dense(loaded, "compare", "use fewer elements or segments");
  const Arm& arm = *loaded.arm;
  if (arm.nv() == 0) throw UsageError("compare: nothing moves: the arm has no coordinates");
  if (options.count) return count_work(options, arm);
  const Agreement found = agreement(arm, {options.states, options.seed});
  std::vector<std::string> who;
  for (const auto& member : found.members)
    if (member.n_singular > 0) who.push_back(member.name);
  if (found.n_singular == options.states)
    throw std::runtime_error(fmt::format(
        "nothing was compared: the mass matrix is singular at every state, according to {}", comma_list(who)));
  const bool agree = found.worst() <= options.tolerance;
  if (options.json) {
    print_json(arm, options, found, agree);
  } else {
    print_text(arm, options, found, agree);
  }
  const bool compared = !found.pairs.empty();
  return options.strict && !(agree && compared) ? work_failed : done;
}

}  // namespace

void add_compare(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("compare", "compare every formulation with every other at random states");
  auto options = std::make_shared<CompareOptions>();
  options->add_to(*command,
                  "exit with 1 if any two formulations differ by more than --tolerance, or if nothing can be compared");
  auto* count = command->add_flag(
      "--count", options->count,
      "only count the operations of one forward evaluation by each formulation: nothing is compared or timed");
  command->add_option("--states", options->states, "number of random states")
      ->excludes(count)
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "seed of the random states; the same seed gives the same states")
      ->capture_default_str();
  command->add_option("--tolerance", options->tolerance, "largest relative difference that counts as agreement")
      ->excludes(count)
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->footer(
      "Accelerations are compared as forces (M times their difference), and forces relative to the largest one, in "
      "units in\n"
      "which every coordinate has unit inertia. Kinetic energy is v'Mv/2; potential energy is the work of each "
      "formulation's\n"
      "own gravity and elastic forces. Times are medians. Operations are counted by running a formulation's own code "
      "on a\n"
      "number type that counts them (docs/work-count.md). A formulation that does not cover the case is listed with "
      "the reason.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
