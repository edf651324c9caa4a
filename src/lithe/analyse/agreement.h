#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/dynamics/formulation.h"
#include "lithe/spatial/counted.h"

namespace lithe {

/// The quantities that are compared. Potential energy is the work of a formulation's own gravity and elastic forces from the
/// zero position; kinetic energy is ½ vᵀMv.
inline constexpr std::array<const char*, 5> compared_names{"acceleration", "mass_matrix", "bias", "kinetic_energy",
                                                           "potential_energy"};

/// How many states to compare at, which, and whether to time.
struct AgreementOptions {
  int states = 20;
  std::uint32_t seed = 1;
  bool costs = true;  // time and count a forward evaluation of each
};

/// Whether a difference is worse than another: larger, or NaN.
bool is_worse(double difference, double than);

/// How well the formulations agree on one arm, over random states.
///
/// Differences are relative, and sized so that neither the units of coordinates nor the condition of M matter. Coordinate k is
/// measured in units in which its inertia, the largest M_kk of all states, is one. Accelerations are compared as forces, M times their
/// difference, relative to the largest force |M||z̈| + |h| + |τ| at the state. So is the bias. Because stiff shapes cause
/// forces that would hide all others, its Coriolis and gravity parts are also compared by themselves, relative to the largest of
/// them, or to what rates and weight of that size cause if that is larger. M is relative to its largest entry, energies to the sum of the
/// magnitudes of their parts.
struct Agreement {
  /// One formulation: whether it covers the arm, and what it costs.
  struct Member {
    std::string name;
    bool covers = false;
    std::string path, reason;       // what lies outside its domain, if it does not cover the arm
    double microseconds = 0;        // one forward evaluation: median of repeated ones
    std::optional<WorkCount> work;  // of the same, if its code can count
    int n_singular = 0;             // states at which it finds that M cannot be inverted
  };
  /// The largest difference and at which state.
  struct Difference {
    double worst = 0;
    int i_state = 0;  // where
  };
  /// Two formulations beside each other.
  struct Pair {
    int a = 0, b = 0;  // members
    std::array<Difference, compared_names.size()> differences;
  };

  /// `articulated` evaluated on many states at once, compared with its evaluation one by one.
  struct Batch {
    Difference acceleration;
    double microseconds = 0;  // per state
  };

  std::vector<State> states;
  int n_singular = 0;  // states left out, because some member finds that M cannot be inverted there
  std::vector<Member> members;
  std::vector<Pair> pairs;
  std::optional<Batch> batch;  // where `articulated` covers the arm

  int n_covering() const;
  /// The largest difference of all; NaN if some result is NaN.
  double worst() const;
};

/// What one forward evaluation costs by each formulation, counted at one random state: members without times. No state is compared.
std::vector<Agreement::Member> forward_work(const Arm& arm, std::uint32_t seed = 1);

/// Every formulation against every other.
Agreement agreement(const Arm& arm, const AgreementOptions& options = {});

/// These against each other; all are of the same arm.
Agreement agreement_of(const std::vector<std::unique_ptr<Formulation>>& formulations,
                       const AgreementOptions& options = {});

}  // namespace lithe
