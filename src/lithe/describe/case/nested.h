#pragma once

#include <memory>
#include <utility>

namespace lithe {

/// An optional value of a type that is still incomplete where it is a member, as a profile inside a profile. Copies are deep.
template <class T>
class Nested {
 public:
  Nested() = default;
  Nested(T value)
      : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT(google-explicit-constructor): as std::optional
  Nested(const Nested& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Nested(Nested&&) noexcept = default;
  Nested& operator=(const Nested& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
    return *this;
  }
  Nested& operator=(Nested&&) noexcept = default;

  bool has_value() const { return value_ != nullptr; }
  T& emplace() { return *(value_ = std::make_unique<T>()); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  bool operator==(const Nested& other) const {
    return value_ && other.value_ ? *value_ == *other.value_ : !value_ && !other.value_;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace lithe
