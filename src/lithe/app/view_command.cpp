#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "lithe/app/command.h"
#include "lithe/app/results_file.h"
#include "lithe/show/report.h"
#include "lithe/view/server.h"

namespace lithe::app {
namespace {

struct ViewCommand {
  std::string file, host = "127.0.0.1";
  int port = 8420;
  bool port_asked_for = false, open = false, no_open = false;
};

/// HDF5, or a folder that has such results.
bool is_results(const std::string& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return true;
  char start[4] = {};
  std::ifstream(file, std::ios::binary).read(start, sizeof start);
  return std::string_view(start, sizeof start) == "\x89HDF";
}

Viewed viewed(const std::string& file) {
  const std::filesystem::path path = std::filesystem::absolute(file).lexically_normal();
  if (is_results(file)) {
    const Results results = load_results(file);
    if (results.time.empty()) throw UsageError(fmt::format("{} holds no rows yet", results_file(file)));
    const std::filesystem::path h5 = std::filesystem::absolute(results_file(file)).lexically_normal();
    const std::string name = std::filesystem::path(results.header.case_file).filename().string();
    return {.file = (h5.parent_path() / (name.empty() ? "case.yaml" : name)).string(),
            .text = results.header.case_text,
            .title = run_labels({file}, "").front(),
            .results = h5.string(),
            .on_disk = false};
  }
  std::error_code ignored;
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream)
    throw UsageError(
        fmt::format("{}: cannot be read: {}", file,
                    std::filesystem::exists(path, ignored) ? "is it empty?" : "No such file or directory"));
  const std::string stem = path.stem().string();
  const bool plain = stem == "case" && path.parent_path().has_filename();
  return {.file = path.string(), .text = text.str(), .title = plain ? path.parent_path().filename().string() : stem};
}

/// With the desktop's browser, which lives on when the viewer ends.
void open_browser(const std::string& address) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  char name[] = "xdg-open";
  std::string page = address;
  char* words[] = {name, page.data(), nullptr};
  pid_t browser = 0;
  const int failed = posix_spawnp(&browser, name, &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    std::cerr << "lithe: no xdg-open here: please open the address in a browser yourself\n";
    return;
  }
  // Some of them end only when the browser does.
  std::thread([browser] { ::waitpid(browser, nullptr, 0); }).detach();
}

bool has_desktop() { return ::getenv("DISPLAY") != nullptr || ::getenv("WAYLAND_DISPLAY") != nullptr; }

int view(const ViewCommand& options) {
  if (options.open && options.no_open) throw UsageError("--open and --no-open: expected one of them");
  if (report_page().empty())
    throw std::runtime_error(
        "view: this lithe was built without its page: build it where Node is installed (Debian: nodejs, npm)");
  // Ctrl-C reaches this thread alone, when it looks.
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  ::signal(SIGPIPE, SIG_IGN);

  Session session(viewed(options.file), std::filesystem::read_symlink("/proc/self/exe").string());
  const std::unique_ptr<ViewServer> server = [&] {
    try {
      return std::make_unique<ViewServer>(session, ServerOptions{options.host, options.port, options.port_asked_for});
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("--host: {}", error.what()));
    }
  }();
  if (server->beyond_this_machine())
    std::cerr
        << "lithe: whoever has this address can see, change and run the case, over a connection that others can read\n";
  std::cout << server->address() << std::endl;
  std::thread serving([&] { server->serve(); });
  if (options.open || (!options.no_open && has_desktop())) open_browser(server->address());
  int which = 0;
  ::sigwait(&ends, &which);
  server->stop();
  serving.join();
  return done;
}

}  // namespace

void add_view(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("view", "see, edit and run a case in the browser");
  auto options = std::make_shared<ViewCommand>();
  command->add_option("CASE", options->file, "case file (YAML), or results: their file or folder")->required();
  auto* port =
      command->add_option("--port", options->port, "to listen on; 8420, or the next free one, unless given; 0: any")
          ->check(CLI::Range(0, 65535));
  command->add_option("--host", options->host, "address to listen on; 127.0.0.1, this machine alone, unless given");
  command->add_flag("--open", options->open, "open the browser; done without it where there is a desktop");
  command->add_flag("--no-open", options->no_open, "only print the address");
  command->footer("Prints the address of the page and serves it until Ctrl-C. docs/view.md says what is on the page.");
  command->callback([=, &chosen] {
    chosen = [=] {
      options->port_asked_for = port->count() > 0;
      return view(*options);
    };
  });
}

}  // namespace lithe::app
