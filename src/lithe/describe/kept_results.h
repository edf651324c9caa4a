#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "lithe/describe/limits.h"

namespace lithe {

/// Results of costly questions by a key that says all of the question; beyond a number that no case asks for, the oldest are forgotten.
/// Any thread may use it.
template <class Result>
class KeptResults {
 public:
  std::optional<Result> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto known = results_.find(key);
    return known == results_.end() ? std::nullopt : std::optional<Result>(known->second);
  }
  void keep(const std::string& key, const Result& result) {
    const std::lock_guard lock(mutex_);
    if (!results_.emplace(key, result).second) return;
    order_.push_back(key);
    if (order_.size() <= most) return;
    results_.erase(order_.front());
    order_.pop_front();
  }

 private:
  static constexpr size_t most =
      2 * limits::links;  // a body for each link of a case, one for its base, and room for another case

  std::mutex mutex_;
  std::unordered_map<std::string, Result> results_;
  std::deque<std::string> order_;
};

/// The bytes of a number, for a key.
template <class Number>
void append_bytes(std::string& key, const Number& number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace lithe
