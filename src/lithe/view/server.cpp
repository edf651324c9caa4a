#include "lithe/view/server.h"

// clang-format off
#include "lithe/show/report.h"  // before httplib, whose resolver headers define _res: a name that Eigen uses
// clang-format on

#include <fmt/format.h>
#include <httplib.h>
#include <netdb.h>
#include <sys/random.h>

#include <atomic>
#include <charconv>
#include <nlohmann/json.hpp>
#include <thread>

#include "lithe/error.h"
#include "lithe/view/bounded_stream.h"
#include "lithe/view/page_access.h"
#include "lithe/view/view_error.h"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t most_head = 64 << 10;
constexpr std::chrono::seconds to_ask{6}, to_take{60};
constexpr size_t n_threads = 16;

/// httplib's server, with limits for each client and one request per connection.
class BoundedServer : public httplib::Server {
 public:
  /// The number of clients that may wait to be accepted; the library's default is five.
  void let_wait(int clients) { ::listen(svr_sock_, clients); }

  /// As a numeric address: a name may have led to one of several addresses.
  std::string bound_address() const {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    char host[NI_MAXHOST] = "";
    auto* any = reinterpret_cast<sockaddr*>(&address);
    if (::getsockname(svr_sock_, any, &length) == 0)
      ::getnameinfo(any, length, host, sizeof host, nullptr, 0, NI_NUMERICHOST);
    return host;
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    BoundedStream stream(socket, most_head + PageAccess{}.most_body, to_ask, to_take);
    bool closed = false;
    Worker::answers_to(socket);
    const bool served = process_request(stream, /*close_connection=*/true, closed, [](httplib::Request& request) {
      // Compression for a reader on the same machine only takes time, and the library would use its highest level.
      request.headers.erase("Accept-Encoding");
      // Answers are sent completely: the library would send as many copies as the header names ranges.
      request.headers.erase("Range");
      request.ranges.clear();
    });
    Worker::answers_to(-1);
    // Unread bytes would make the system discard the answer: let the client read it first.
    ::shutdown(socket, SHUT_WR);
    char rest[4096];
    BoundedStream remains(socket, PageAccess{}.most_body, std::chrono::milliseconds(500), std::chrono::milliseconds(1));
    while (remains.read(rest, sizeof rest) > 0) {
    }
    ::close(socket);
    return served;
  }
};

std::string random_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != ssize_t(sizeof bytes))
    throw Error("cannot get random numbers for a token");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

int number_of(const std::string& digits) {
  int value = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

}  // namespace

class ViewServer::Impl {
 public:
  Impl(Session& session, const ServerOptions& options) : session_(session) {
    access_.host = options.host;
    access_.token = random_token();
    server_.new_task_queue = [] { return new httplib::ThreadPool(n_threads); };
    server_.set_socket_options([](socket_t socket) {
      // Not SO_REUSEPORT, the library's default: two viewers would share a port, and each get half of the other's requests.
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.set_payload_max_length(access_.most_body);
    server_.set_tcp_nodelay(true);
    bind(options);
    server_.let_wait(256);
    bound_ = server_.bound_address();
    access_.port = port_;
    add_routes();
  }

  void serve() {
    server_.listen_after_bind();
    ended_ = true;
  }
  void stop() {
    // The library forgets a stop that is requested before it has started.
    while (!server_.is_running() && !ended_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    server_.stop();
  }

  std::string address() const {
    const bool any = bound_ == "0.0.0.0" || bound_ == "::";
    char name[256] = "localhost";
    if (any) ::gethostname(name, sizeof name - 1);
    const std::string host = any ? name : is_loopback(bound_) ? bound_ : access_.host;
    const std::string bracketed = host.find(':') == std::string::npos ? host : "[" + host + "]";
    return fmt::format("http://{}:{}/?token={}", bracketed, port_, access_.token);
  }
  bool beyond_this_machine() const { return !is_loopback(bound_); }

 private:
  void bind(const ServerOptions& options) {
    addrinfo* found = nullptr;
    if (const int unknown = ::getaddrinfo(options.host.c_str(), nullptr, nullptr, &found); unknown != 0)
      throw std::invalid_argument(
          fmt::format("cannot find the address \"{}\": {}", options.host, ::gai_strerror(unknown)));
    ::freeaddrinfo(found);
    const int tries = options.port_asked_for ? 1 : 50;
    for (int k = 0; k < tries; ++k) {
      port_ = options.port + k;
      if (options.port == 0) port_ = server_.bind_to_any_port(options.host);
      if (options.port == 0 ? port_ > 0 : server_.bind_to_port(options.host, port_)) return;
    }
    throw Error(
        options.port_asked_for
            ? fmt::format(
                  "cannot listen on {} port {}: is another program using it? Without --port, a free port is chosen",
                  options.host, options.port)
            : fmt::format("cannot listen on {}: no free port from {} to {}", options.host, options.port,
                          options.port + tries - 1));
  }

  void add_routes() {
    server_.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                                 {"Cache-Control", "no-store"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"X-Frame-Options", "DENY"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Cross-Origin-Opener-Policy", "same-origin"}});
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      const Refusal refusal = access_.refusal(
          {request.method, request.get_header_value("Host"), request.get_header_value("Origin"),
           request.get_header_value("Sec-Fetch-Site"), request.get_header_value("Content-Type"),
           request.has_param("token") ? request.get_param_value("token") : request.get_header_value("X-Lithe-Token"),
           request.get_header_value("Content-Length"),
           request.has_header("Transfer-Encoding") || request.has_header("Content-Encoding"),
           request.get_header_value_count("Host") == 1 && request.get_header_value_count("Content-Length") <= 1});
      if (refusal.status == 0) return httplib::Server::HandlerResponse::Unhandled;
      refuse(response, refusal.status, refusal.words);
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty())
        refuse(response, response.status, response.status == 404 ? "not found" : "bad request");
    });
    server_.set_exception_handler([](const httplib::Request&, httplib::Response& response, std::exception_ptr thrown) {
      try {
        std::rethrow_exception(thrown);
      } catch (const std::exception& error) {
        refuse(response, 500, error.what());
      } catch (...) {
        refuse(response, 500, "internal error");
      }
    });

    server_.Get("/", [this](const httplib::Request&, httplib::Response& response) {
      response.set_header("Content-Security-Policy", page_policy);
      response.set_content(page(), "text/html; charset=utf-8");
    });
    get("/api/session", [this] { return session_.overview(); });
    get("/api/progress", [this] { return session_.progress(); });
    server_.Get(R"(/api/runs/(\d{1,6}))", [this](const httplib::Request& request, httplib::Response& response) {
      found(response, session_.runs().texts(number_of(request.matches[1])), "application/json");
    });
    server_.Get(R"(/api/runs/(\d{1,6})/([tcq])(\d{0,6}))",
                [this](const httplib::Request& request, httplib::Response& response) {
                  found(response,
                        session_.runs().numbers(number_of(request.matches[1]), request.matches[2].str()[0],
                                                number_of(request.matches[3])),
                        "application/octet-stream");
                });
    ask("/api/case", "case", {"text"});
    ask("/api/modes", "modes", {"text", "q", "joints"});
    ask("/api/sag", "sag", {"text", "q"});
    post("/api/run", [this](const Json& asked) {
      session_.start(asked.at("text"));
      return Json{{"started", true}};
    });
    post("/api/stop", [this](const Json&) {
      session_.stop();
      return Json{{"stopping", true}};
    });
    post("/api/forget", [this](const Json& asked) {
      session_.forget(asked.at("run"));
      return session_.overview();
    });
    post("/api/save", [this](const Json& asked) {
      session_.save(asked.at("text"));
      return Json{{"saved", true}};
    });
  }

  template <class Answer>
  void get(const char* path, Answer answer) {
    server_.Get(path, [answer](const httplib::Request&, httplib::Response& response) {
      response.set_content(text_of(answer()), "application/json");
    });
  }
  /// Answers a request of the page about the case, which has these parts.
  void ask(const char* path, const char* kind, std::vector<std::string> parts) {
    post_text(path, [this, kind, parts](const Json& asked) {
      Json request{{"kind", kind}};
      for (const std::string& part : parts)
        request[part] =
            part == "q" ? Json(asked.at(part).get<std::vector<double>>()) : Json(asked.at(part).get<std::string>());
      return session_.answer(std::move(request));
    });
  }
  template <class Answer>
  void post(const char* path, Answer answer) {
    post_text(path, [answer](const Json& asked) { return text_of(answer(asked)); });
  }
  template <class Answer>
  void post_text(const char* path, Answer answer) {
    server_.Post(path, [answer](const httplib::Request& request, httplib::Response& response) {
      try {
        response.set_content(answer(Json::parse(request.body)), "application/json");
      } catch (const Json::exception&) {
        refuse(response, 400, "the request is not the JSON expected at this address");
      } catch (const ViewError& error) {
        refuse(response, 422, error.what());
      } catch (const std::bad_alloc&) {
        refuse(response, 422, "not enough memory for this");
      } catch (const std::exception& error) {
        refuse(response, 422, error.what());
      }
    });
  }
  static void refuse(httplib::Response& response, int status, const std::string& words) {
    response.status = status;
    response.set_content(text_of(Json{{"error", words}}), "application/json");
  }
  static void found(httplib::Response& response, std::optional<std::string> content, const char* type) {
    if (!content) return refuse(response, 404, "this run is no longer kept");
    response.set_content(std::move(*content), type);
  }

  /// The page of a report, in which the network is this server.
  static std::string page() {
    std::string html(report_page());
    const auto replace = [&](std::string_view what, const std::string& by) {
      const size_t at = html.find(what);
      if (at != std::string::npos) html.replace(at, what.size(), by);
    };
    replace("img-src data: blob:", "img-src data: blob:; connect-src 'self'");
    replace("<title>lithe report</title>", "<title>lithe view</title>");
    replace(data_mark, "<script type=\"application/json\" id=\"lithe-viewer\">{}</script>");
    return html;
  }
  static constexpr const char* page_policy =
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src "
      "'self'; "
      "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  Session& session_;
  PageAccess access_;
  int port_ = 0;
  std::string bound_;  // the address in numbers
  std::atomic<bool> ended_ = false;
  BoundedServer server_;
};

ViewServer::ViewServer(Session& session, const ServerOptions& options)
    : impl_(std::make_unique<Impl>(session, options)) {}
ViewServer::~ViewServer() = default;
std::string ViewServer::address() const { return impl_->address(); }
bool ViewServer::beyond_this_machine() const { return impl_->beyond_this_machine(); }
void ViewServer::serve() { impl_->serve(); }
void ViewServer::stop() { impl_->stop(); }

}  // namespace lithe
