#include "lithe/view/page_access.h"

#include <charconv>

namespace lithe {
namespace {

/// In a time that does not depend on how much of it was right.
bool same(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned char differs = 0;
  for (size_t i = 0; i < a.size(); ++i) differs |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differs == 0;
}

}  // namespace

bool is_loopback(const std::string& host) {
  // A name may begin with 127. and lead anywhere.
  const bool number = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || host == "::1" || (number && host.starts_with("127."));
}

Refusal PageAccess::refusal(const Asker& asker) const {
  if (!asker.unequivocal) return {400, "expected one Host and one Content-Length"};
  if (is_loopback(host)) {
    const std::string suffix = ":" + std::to_string(port);
    const auto is = [&](const std::string& name) {
      return asker.host == name + suffix || (port == 80 && asker.host == name);  // browsers leave 80 out
    };
    if (!is("localhost") && !is("127.0.0.1") && !is("[::1]") && !is(host))
      return {403, "this viewer answers only at localhost" + suffix + " or 127.0.0.1" + suffix};
  }
  if (token.empty() || !same(asker.token, token))
    return {403, "expected the token: open the address that `lithe view` printed"};
  if (asker.method != "GET" && asker.method != "POST") return {405, "expected GET or POST"};
  if (asker.encoded) return {411, "expected a plain body with its length"};
  size_t length = 0;
  const char* end = asker.length.data() + asker.length.size();
  const auto [rest, error] = std::from_chars(asker.length.data(), end, length);
  if (error == std::errc::result_out_of_range || length > most_body) return {413, "the request is too large"};
  if (!asker.length.empty() && (error != std::errc() || rest != end)) return {400, "expected a length in digits"};
  const bool ours = asker.origin.empty() || asker.origin == "http://" + asker.host;
  const bool same_site = asker.fetch_site.empty() || asker.fetch_site == "same-origin" || asker.fetch_site == "none";
  if (!ours || (asker.method == "POST" && !same_site)) return {403, "this viewer refuses requests of other pages"};
  if (asker.method == "POST" && !asker.content_type.starts_with("application/json"))
    return {415, "expected application/json"};
  return {};
}

}  // namespace lithe
