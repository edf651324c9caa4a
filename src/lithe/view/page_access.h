#pragma once

#include <string>

namespace lithe {

/// Whether a host is this machine only.
bool is_loopback(const std::string& host);

/// Why a request is not answered; status 0: it is.
struct Refusal {
  int status = 0;
  std::string words;
};

/// The parts of a request that identify the client.
struct Asker {
  std::string method, host, origin, fetch_site, content_type, token;
  std::string length;       // of its body, as it says
  bool encoded = false;     // the body is in pieces or compressed
  bool unequivocal = true;  // has one Host and at most one length
};

/// Which clients the server answers. Other users of this machine can reach it as well as its owner can; only the token in the address that
/// the owner got distinguishes them. A page of another site in the same browser must not learn or change anything: it is recognised by its
/// Origin and, if it makes its own name refer to this machine, by Host.
struct PageAccess {
  std::string host = "127.0.0.1";  // that the server listens on
  int port = 0;
  std::string token;  // needed for everything; an empty one is never accepted
  size_t most_body = 4 << 20;

  Refusal refusal(const Asker& asker) const;
};

}  // namespace lithe
