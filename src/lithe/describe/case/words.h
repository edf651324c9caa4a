// The words by which a case file names each choice.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace lithe {

/// `Words<Enum>::list`: each value of an enum and its word. Specialised beside each enum.
template <class Enum>
struct Words;
template <class Enum, std::size_t n>
using WordList = std::array<std::pair<Enum, std::string_view>, n>;

template <class Enum>
constexpr std::string_view word(Enum value) {
  for (const auto& [candidate, name] : Words<Enum>::list)
    if (candidate == value) return name;
  return "?";
}

}  // namespace lithe
