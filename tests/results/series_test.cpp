// Series of results by name and as CSV, without a command line.
#include "lithe/results/series.h"

#include <gtest/gtest.h>

namespace lithe::testing {
namespace {

Results sample() {
  Results results;
  results.header.columns = {{"elbow", "rad"}, {"odd, \"name\"", ""}};
  results.time = {0, 0.1};
  results.series = {{1, 2.5}, {-0.0, 1.0 / 3}};
  return results;
}

std::string refusal(const Results& results, const std::string& names) {
  try {
    chosen_series(results, names);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Series, BecomeCsvThatReadsBack) {
  const Results results = sample();
  EXPECT_EQ(csv_of(all_series(results)),
            "t [s],elbow [rad],\"odd, \"\"name\"\" [1]\"\n0,1,-0\n0.1,2.5,0.3333333333333333\n");
}

TEST(Series, AreChosenByName) {
  const Results results = sample();
  const auto chosen = chosen_series(results, "elbow, t");
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].values, &results.series[0]);
  EXPECT_EQ(chosen[1].values, &results.time);
  EXPECT_EQ(refusal(results, "elbwo"), "no series 'elbwo', did you mean 'elbow'? Series: t, elbow, odd, \"name\"");
  EXPECT_EQ(refusal(results, "t,,elbow"), "expected names separated by commas, got \"t,,elbow\"");
}

TEST(Series, HaveExtremesWhereTheyHaveNumbers) {
  const std::vector<double> time{0, 1, 2, 3}, values{NAN, 2, -1, 2}, none{NAN, NAN, NAN, NAN};
  const Extremes found = extremes_of(time, values);
  EXPECT_EQ(found.min, -1);
  EXPECT_EQ(found.t_min, 2);
  EXPECT_EQ(found.max, 2);
  EXPECT_EQ(found.t_max, 1);  // the first time
  EXPECT_TRUE(std::isnan(extremes_of(time, none).max));
}

}  // namespace
}  // namespace lithe::testing
