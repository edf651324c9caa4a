#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lithe/arm/state.h"
#include "lithe/describe/case.h"

namespace lithe {

/// Something that happened in a run.
struct HappenedEvent {
  size_t event = 0;  // its index in the case
  double t = 0;
};

/// The events of a case during a run: what they wait for, which have happened, and how they have changed the case.
///
/// What cannot be known from the case is stored in checkpoints: when each event happened, and where the arm was when laws began.
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

  /// The given times of events.
  std::vector<double> times() const;
  /// Events whose time is reached and that have not happened, in the order of the file.
  std::vector<size_t> due(double t) const;

  /// A quantity that passes zero, upwards (1), downwards (−1) or either way (0), where an event happens. It stays away from zero once the
  /// event cannot happen any more. Valid only while these Events exist. Throws FieldError for a coordinate that the arm does not have.
  struct Watch {
    size_t event;
    int direction;
    std::function<double(const State&)> quantity;
  };
  std::vector<Watch> watches(const Arm& arm) const;

  /// Changes the case as event i does.
  void enter_stage(size_t i);
  /// Records that it happened, with the arm at positions q. Throws std::runtime_error if events happen without end.
  void note(size_t i, double t, const VectorXd& q);

  /// Returns to the beginning: nothing has happened.
  void reset();
  /// Appends the numbers that a checkpoint stores.
  void save(std::vector<double>& list) const;
  /// Reads it back from `at`, up to `end`; false if they are not valid. The stage is then still that of the start: the caller
  /// enters the stages in their order.
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
