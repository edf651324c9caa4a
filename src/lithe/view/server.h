#pragma once

#include <memory>
#include <string>

#include "lithe/view/session.h"

namespace lithe {

/// Where to listen.
struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 8420;
  bool port_asked_for = false;  // false: if it is in use, the next free one is taken
};

/// Serves the page and its requests. There are only fixed addresses; none leads to a file. It answers only clients that have its token and
/// address this machine by its own name, and makes changes only for its own page.
class ViewServer {
 public:
  /// Takes the port. Throws std::invalid_argument for an unknown host, Error if no port is free.
  ViewServer(Session& session, const ServerOptions& options);
  ~ViewServer();

  /// http://127.0.0.1:8420/?token=…: the address that it listens on. A name such as localhost may lead elsewhere first, where
  /// another user's program may wait for the token.
  std::string address() const;
  bool beyond_this_machine() const;

  /// Serves until stop() is called, from any thread.
  void serve();
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lithe
