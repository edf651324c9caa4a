// How messages quote what stands in a file.
#include "lithe/describe/quote.h"

#include <gtest/gtest.h>

#include "lithe/describe/case_reader.h"

namespace lithe {
namespace {

TEST(Quotes, LeaveShortPlainTextAsItIs) {
  EXPECT_EQ(shortened("3 kg"), "3 kg");
  EXPECT_EQ(in_quotes("60000 µm, 日本"), "\"60000 µm, 日本\"");
  EXPECT_EQ(shortened(std::string(60, 'x')), std::string(60, 'x'));
}

TEST(Quotes, AreCutByCharacters) {
  EXPECT_EQ(shortened(std::string(61, 'x')), std::string(60, 'x') + "…");
  std::string letters, sixty;
  for (int k = 0; k < 100; ++k) letters += "µ";
  for (int k = 0; k < 60; ++k) sixty += "µ";
  EXPECT_EQ(shortened(letters), sixty + "…");
  EXPECT_EQ(shortened("abcdef", 3), "abc…");
}

TEST(Quotes, SpellWhatDoesNotPrint) {
  EXPECT_EQ(shortened("a\nb\tc\r\x1b[31m\x7f"), "a\\nb\\tc\\r\\x1b[31m\\x7f");
  EXPECT_EQ(shortened(std::string_view("\0x", 2)), "\\x00x");
  EXPECT_EQ(shortened("\xc2\x85"), "\\x85") << "C1, a control of terminals";
  EXPECT_EQ(shortened("a\xe2\x80\xae"
                      "b\xe2\x80\xa8\xef\xbb\xbf"),
            "a\\u202eb\\u2028\\ufeff");
  for (const char* broken : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xe2\x82", "\xf5\x80\x80\x80", "\x80"})
    EXPECT_EQ(shortened(broken).substr(0, 2), "\\x") << "no UTF-8";
  EXPECT_LE(shortened(std::string(1000, '\x1b')).size(), 64u) << "what is spelt out counts as long as it is";
}

/// Whatever a case holds, no message about it is longer than its words and a few short quotes.
TEST(Quotes, KeepMessagesAboutACaseShort) {
  const std::string huge(20000, 'x'), links = "{name: a, joint: {type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1}}";
  for (const std::string& text :
       {huge, "arm: " + huge, huge + ": 3", "arm: {gravity: " + huge + "}",
        "arm: {links: [" + links + "]}\nmotion: {" + huge + ": 1}",
        "arm: {links: [{name: a, joint: {type: " + huge + "}}]}",
        "arm: {links: [" + links + "]}\nloads: [{link: " + huge + "}]", "arm: {include: " + huge + "}",
        "a: 1\n" + huge + ": 1\n" + huge + ": 2", "arm: {gravity: [0, 0, 1 " + huge + "]}",
        "arm: {carrier: " + huge + ", " + huge + ": 2}"}) {
    try {
      read_case_text(text, "case.yaml");
      ADD_FAILURE() << text.substr(0, 60);
    } catch (const CaseError& error) {
      for (const Problem& problem : error.problems())
        EXPECT_LT(problem.message.size(), 700u) << problem.message.substr(0, 100);
    }
  }
}

}  // namespace
}  // namespace lithe
