#include "bench/provenance.h"

#include <fstream>
#include <string>

namespace lithe::bench {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace

nlohmann::json provenance() {
  return {{"commit", BENCH_COMMIT}, {"compiler", BENCH_COMPILER}, {"flags", BENCH_FLAGS}, {"cpu", cpu_model()}};
}

}  // namespace lithe::bench
