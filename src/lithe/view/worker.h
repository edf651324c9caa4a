#pragma once

#include <nlohmann/json_fwd.hpp>
#include <semaphore>
#include <string>

namespace lithe {

/// Limits of one computation.
struct WorkerLimits {
  double seconds = 20;
  size_t bytes = 0;  // of memory; 0: as much as there is
};

/// A quarter of the machine's memory, from 1 to 4 GB, because several computations run at a time and others use the machine too.
size_t usual_worker_memory();

/// Runs each computation in a separate process, so that a case that is too large, or never ends, affects only its own request.
/// All members may be called from several threads.
class Worker {
 public:
  /// `program` answers a request on its standard input: `PROGRAM view CASE --worker BYTES`, see answer_request().
  Worker(std::string program, std::string case_file, WorkerLimits limits)
      : program_(std::move(program)), case_file_(std::move(case_file)), limits_(limits) {}

  /// The answer as JSON text. Throws ViewError with the message of the process, or with the limit that it exceeded.
  std::string ask(const nlohmann::ordered_json& request) const;
  /// The connection that the calling thread answers: when its client disconnects, its request is abandoned. −1: none.
  static void answers_to(int connection);

  /// For requests that do not come from a page: with separate limits, and without waiting for others.
  std::string ask(const nlohmann::ordered_json& request, const WorkerLimits& limits) const;

 private:
  static constexpr int at_a_time = 3;  // a page asks about its case, modes and sag together

  std::string program_, case_file_;
  WorkerLimits limits_;
  mutable std::counting_semaphore<at_a_time> free_{at_a_time};
};

}  // namespace lithe
