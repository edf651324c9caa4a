#pragma once

#include <functional>

#include "lithe/app/command.h"

namespace lithe::app {

/// What `linearise --sweep` was asked.
struct SweptPolesRequest {
  const CaseOptions& on;
  const std::vector<std::string>& sweeps;
  const std::string& points;
  const std::vector<std::string>& files;
};

/// The poles of a case's linear model, with some positions replaced.
using PolesOf =
    std::function<Eigen::VectorXcd(const LoadedCase& loaded, const std::vector<std::pair<int, double>>& placed)>;

/// Sweeps, then writes, draws or prints what came of it. Returns the exit code.
int answer_swept_poles(const SweptPolesRequest& request, const PolesOf& poles_of);

}  // namespace lithe::app
