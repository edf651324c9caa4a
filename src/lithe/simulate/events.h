#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lithe/arm/state.h"
#include "lithe/describe/case.h"

namespace lithe {

/// Something that happened in a run.
struct HappenedEvent {
  size_t event = 0;  // by its place in the case
  double t = 0;
};

/// The events of a case while it runs: what they wait for, which have happened, and what they have made of the case.
///
/// All that cannot be known from the case goes into checkpoints: when each event happened, and where the arm was when laws began.
class Events {
 public:
  explicit Events(const Case& data);
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  bool empty() const { return list_.empty(); }
  const std::vector<Event>& list() const { return list_; }
  /// The case as it is now.
  const Case& stage() const { return stage_; }
  const std::vector<HappenedEvent>& happened() const { return happened_; }
  std::string title(size_t i) const;

  /// Times at which one happens.
  std::vector<double> times() const;
  /// Those whose time has come and that have not happened, in the order of the file.
  std::vector<size_t> due(double t) const;

  /// A quantity that passes zero, upwards (1), downwards (−1) or either way (0), where an event happens. It stays away from zero once the
  /// event cannot happen any more. Not longer than these Events live. Throws FieldError for a coordinate that the arm does not have.
  struct Watch {
    size_t event;
    int direction;
    std::function<double(const State&)> quantity;
  };
  std::vector<Watch> watches(const Arm& arm) const;

  /// The case from then on.
  void enter_stage(size_t i);
  /// It has happened, with the arm at positions q. Throws std::runtime_error where events happen without end.
  void note(size_t i, double t, const VectorXd& q);

  /// Nothing has happened.
  void reset();
  /// What a checkpoint keeps, in numbers.
  void save(std::vector<double>& list) const;
  /// Reads it back from `at`, up to `end`; false where these are not such numbers. The stage is still that of the start: whoever asked goes
  /// through the stages in their order.
  bool restore(const double*& at, const double* end, int nq);
  /// Of events that have happened and changed laws or payloads: those whose change may still be in force, the last of each, in the order
  /// in which they happened, with the arm's positions then (empty where no law began).
  struct Change {
    size_t event;
    double t;
    VectorXd q;
  };
  std::vector<Change> changes() const;

 private:
  bool is_open(size_t i) const { return counts_[i] == 0 || list_[i].again; }
  bool changes_laws(size_t i) const { return !list_[i].torque.empty(); }

  std::vector<Event> list_;
  Case beginning_, stage_;
  std::vector<HappenedEvent> happened_;
  std::vector<long> counts_;         // how often each has happened
  std::vector<VectorXd> positions_;  // per event: of the arm when it happened last, of those that change laws
};

}  // namespace lithe
