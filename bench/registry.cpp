#include "bench/registry.h"

#include <algorithm>

namespace lithe::bench {
namespace {

/// Inside a function, so that it exists whichever file registers first.
std::vector<Benchmark>& list() {
  static std::vector<Benchmark> benchmarks;
  return benchmarks;
}

}  // namespace

const std::vector<Benchmark>& benchmarks() { return list(); }

Registration::Registration(Benchmark benchmark) {
  const auto place = std::ranges::lower_bound(list(), benchmark.name, {}, &Benchmark::name);
  list().insert(place, std::move(benchmark));
}

}  // namespace lithe::bench
