// Whom the viewer answers. That its server asks is tested over sockets, in tests/web/view_server_test.mjs.
#include "lithe/view/page_access.h"

#include <gtest/gtest.h>

namespace lithe::testing {
namespace {

const PageAccess local{.port = 8420, .token = "0123"};
Asker page(const std::string& method) {
  Asker asker{.method = method, .host = "localhost:8420", .origin = "http://localhost:8420"};
  asker.fetch_site = "same-origin";
  asker.content_type = "application/json";
  asker.token = "0123";
  return asker;
}

TEST(PageAccess, AnswersItsOwnPage) {
  EXPECT_EQ(local.refusal(page("GET")).status, 0);
  EXPECT_EQ(local.refusal(page("POST")).status, 0);
}

TEST(PageAccess, KnowsItselfOnThePortThatBrowsersLeaveOut) {
  Asker asker{.method = "GET", .host = "localhost", .token = "0123"};
  const PageAccess plain{.port = 80, .token = "0123"};
  EXPECT_EQ(plain.refusal(asker).status, 0);
  EXPECT_EQ(local.refusal(asker).status, 403);
  EXPECT_EQ(local.refusal(asker).words, "this viewer answers only at localhost:8420 or 127.0.0.1:8420");
}

TEST(PageAccess, KnowsOthersByHostOriginAndKind) {
  const auto status = [](auto change, const char* method = "POST") {
    Asker asker = page(method);
    change(asker);
    return local.refusal(asker).status;
  };
  EXPECT_EQ(status([](Asker& a) { a.host = "evil.example:8420"; }, "GET"), 403);
  EXPECT_EQ(status([](Asker& a) { a.host = a.origin = ""; }, "GET"), 403);
  EXPECT_EQ(status([](Asker& a) { a.origin = "http://evil.example"; }), 403);
  EXPECT_EQ(status([](Asker& a) { a.origin = "http://127.0.0.1:8420"; }), 403) << "another name is another page";
  EXPECT_EQ(status([](Asker& a) { a.fetch_site = "cross-site"; }), 403);
  EXPECT_EQ(status([](Asker& a) { a.fetch_site = "none"; }, "GET"), 0) << "typed by the user";
  EXPECT_EQ(status([](Asker& a) { a.content_type = "text/plain"; }), 415) << "what a form can send";
  EXPECT_EQ(status([](Asker& a) { a.encoded = true; }), 411);
  EXPECT_EQ(status([](Asker& a) { a.length = "4194305"; }), 413);
  EXPECT_EQ(status([](Asker& a) { a.length = "99999999999999999999999"; }), 413);
  EXPECT_EQ(status([](Asker& a) { a.length = "12x"; }), 400);
  EXPECT_EQ(status([](Asker& a) { a.unequivocal = false; }), 400);
  EXPECT_EQ(status([](Asker&) {}, "DELETE"), 405);
}

TEST(PageAccess, NeedsTheTokenForEverything) {
  for (const char* method : {"GET", "POST"})
    for (const char* wrong : {"", "012", "01234", "0124", "1123"}) {
      Asker asker = page(method);
      asker.token = wrong;
      EXPECT_EQ(local.refusal(asker).status, 403) << method << " " << wrong;
    }
  Asker nobody = page("GET");
  nobody.token = "";
  EXPECT_EQ(PageAccess{.port = 8420}.refusal(nobody).status, 403) << "a server without a token answers nobody";
}

TEST(PageAccess, BeyondThisMachineTakesAnyNameOfIt) {
  const PageAccess open{.host = "0.0.0.0", .port = 8420, .token = "0123"};
  Asker asker = page("POST");
  asker.host = "robot.lab:8420";
  asker.origin = "http://robot.lab:8420";
  asker.token = "0124";
  EXPECT_EQ(open.refusal(asker).status, 403);
  asker.token = "0123";
  EXPECT_EQ(open.refusal(asker).status, 0);
  asker.origin = "http://evil.example";
  EXPECT_EQ(open.refusal(asker).status, 403);
  EXPECT_TRUE(is_loopback("127.0.0.1") && is_loopback("::1") && is_loopback("localhost"));
  EXPECT_FALSE(is_loopback("0.0.0.0") || is_loopback("192.168.0.2") || is_loopback("") ||
               is_loopback("127.evil.example"));
}

}  // namespace
}  // namespace lithe::testing
