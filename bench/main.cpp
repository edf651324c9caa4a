// lithe-bench: lists the benchmarks, or runs one by name. With --json the last line of standard output is the figures.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "bench/provenance.h"
#include "bench/registry.h"

using lithe::bench::Benchmark;
using lithe::bench::benchmarks;

namespace {

void list(std::FILE* out) {
  for (const Benchmark& benchmark : benchmarks()) fmt::print(out, "{:<16} {}\n", benchmark.name, benchmark.question);
}

void run(const Benchmark& benchmark, bool json) {
  nlohmann::json report = lithe::bench::provenance();
  const auto fact = [&report](const char* key) { return report[key].get<std::string>(); };
  fmt::print("{}\n{}\n", benchmark.name, benchmark.question);
  fmt::print("commit {}   {}   {}   {}\n\n", fact("commit"), fact("compiler"), fact("flags"), fact("cpu"));
  report["benchmark"] = benchmark.name;
  report.update(benchmark.run());
  if (json) fmt::print("{}\n", report.dump());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Benchmarks of lithe beside its peers. Without a name: lists them.", "lithe-bench");
  std::string name;
  bool json = false;
  app.add_option("NAME", name, "which benchmark to run");
  app.add_flag("--json", json, "end with one JSON line of the figures");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  if (name.empty()) {
    list(stdout);
    nlohmann::json names = nlohmann::json::array();
    for (const Benchmark& benchmark : benchmarks()) names.push_back(benchmark.name);
    if (json) fmt::print("{}\n", nlohmann::json{{"benchmarks", names}}.dump());
    return 0;
  }
  const auto found = std::ranges::find(benchmarks(), name, &Benchmark::name);
  if (found == benchmarks().end()) {
    fmt::print(stderr, "lithe-bench: no benchmark is called '{}'. There are:\n", name);
    list(stderr);
    return 2;
  }
  try {
    run(*found, json);
  } catch (const std::exception& error) {
    fmt::print(stderr, "lithe-bench: {}: {}\n", name, error.what());
    return 1;
  }
  return 0;
}
