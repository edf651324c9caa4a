// What property tests draw. RapidCheck's own ranges start with their lowest values and reach the highest only in the last trials,
// so that "one to eight links" has a mean of two: these are even from the first trial to the last. They still shrink.
#pragma once

#include <rapidcheck.h>

#include <cstdint>

namespace lithe::testing {

/// low … high, both included.
inline int any_within(int low, int high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1)).as("a number");
}
/// Of links: the larger of two even draws, so that long arms are common (mean 5.8 of at most 8) and short ones still occur.
inline int any_link_count(int most) {
  const int one = any_within(1, most), other = any_within(1, most);
  return one > other ? one : other;
}
inline std::uint32_t any_seed() {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0u, 1u << 30)).as("seed");
}

}  // namespace lithe::testing
