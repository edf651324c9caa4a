#include "bench/timing.h"

#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

namespace lithe::bench {
namespace {

/// Keeps every repetition's time instead of printing it.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.run_type == Run::RT_Iteration) times_[run.run_name.function_name].push_back(run.GetAdjustedCPUTime());
  }

  double median(const std::string& name) {
    std::vector<double>& times = times_.at(name);
    const auto middle = times.begin() + std::ptrdiff_t(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
  }

 private:
  std::map<std::string, std::vector<double>> times_;
};

/// Taking turns can be asked for only by Google Benchmark's command line.
void initialise_once() {
  static const bool done = [] {
    char program[] = "lithe-bench", interleave[] = "--benchmark_enable_random_interleaving=true";
    char* arguments[] = {program, interleave, nullptr};
    int n_arguments = 2;
    benchmark::Initialize(&n_arguments, arguments);
    return true;
  }();
  static_cast<void>(done);
}

/// By place, not by name: two contenders may be called alike.
std::string key(size_t i_contender) { return std::to_string(i_contender); }

}  // namespace

std::vector<double> median_ns(const std::vector<Contender>& contenders) {
  initialise_once();
  for (size_t i = 0; i < contenders.size(); ++i) {
    const Contender& contender = contenders[i];
    const auto loop = [&contender](benchmark::State& state) {
      int k = 0;
      for (auto _ : state) {
        contender.call(k);
        benchmark::ClobberMemory();
        k = (k + 1) % n_variants;
      }
    };
    benchmark::RegisterBenchmark(key(i).c_str(), loop)->MinTime(0.02)->Repetitions(11);
  }
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector, "all");
  benchmark::ClearRegisteredBenchmarks();
  std::vector<double> medians;
  for (size_t i = 0; i < contenders.size(); ++i) medians.push_back(collector.median(key(i)));
  return medians;
}

double growth_order(const std::vector<double>& sizes, const std::vector<double>& times) {
  const Eigen::ArrayXd x = Eigen::Map<const Eigen::ArrayXd>(sizes.data(), Eigen::Index(sizes.size())).log();
  const Eigen::ArrayXd y = Eigen::Map<const Eigen::ArrayXd>(times.data(), Eigen::Index(times.size())).log();
  const Eigen::ArrayXd from_mean = x - x.mean();
  return (from_mean * y).sum() / from_mean.square().sum();
}

}  // namespace lithe::bench
