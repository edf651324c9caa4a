// bench/ — one file per question, each with the rivals in the same binary: same arm, same states, answers compared
// before anything is timed. A new benchmark is one new file that defines a `const Registration`.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace lithe::bench {

struct Benchmark {
  std::string name;
  std::string question;     // one line: what a reader learns from it
  nlohmann::json (*run)();  // prints a table, returns the figures
};

/// All benchmarks, by name.
const std::vector<Benchmark>& benchmarks();

/// A namespace-scope constant of this type puts a benchmark on the list.
struct Registration {
  explicit Registration(Benchmark benchmark);
};

/// Two contenders gave different answers, so their times mean nothing.
class Disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lithe::bench
