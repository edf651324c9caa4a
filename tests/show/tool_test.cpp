// Other programs: fed and listened to at once, and their absence told.
#include "lithe/show/tool.h"

#include <gtest/gtest.h>

#include "lithe/show/figure.h"

namespace lithe::testing {
namespace {

TEST(Tool, GivesBackWhatItIsFed) {
  const std::string much(300000, 'x');
  const ToolAnswer answer = run_tool({"cat"}, much);
  EXPECT_TRUE(answer.found);
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out, much);
}

TEST(Tool, TellsItsCodeItsComplaintAndItsAbsence) {
  const ToolAnswer answer = run_tool({"sh", "-c", "echo no >&2; exit 3"}, "");
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.err, "no\n");
  EXPECT_FALSE(run_tool({"no-such-program-of-lithe"}, "").found);
}

TEST(Figure, HasTheFormatOfItsEnding) {
  EXPECT_EQ(figure_format_of("a.svg"), PlotFormat::svg);
  EXPECT_EQ(figure_format_of("b/c.pdf"), PlotFormat::pdf);
  EXPECT_EQ(figure_format_of("a.jpg"), std::nullopt);
}

}  // namespace
}  // namespace lithe::testing
