#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <system_error>
#include <thread>

#include "lithe/app/command.h"
#include "lithe/app/results_file.h"
#include "lithe/describe/whole_file.h"
#include "lithe/results/stored_case.h"
#include "lithe/show/report.h"
#include "lithe/view/answer_request.h"
#include "lithe/view/server.h"

namespace lithe::app {
namespace {

struct ViewCommand {
  std::string file, host = "127.0.0.1";
  double patience = 20, memory = 0;  // s and GB for looking at a case
  std::optional<size_t> worker;      // of the viewer itself: answer one request, with so much memory
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

/// `stored` holds the case of results, and must live as long as they are viewed.
Viewed viewed(const std::string& file, std::optional<StoredCase>& stored) {
  const std::filesystem::path path = std::filesystem::absolute(file).lexically_normal();
  if (is_results(file)) {
    const Results results = load_results(file);
    if (results.time.empty()) throw UsageError(fmt::format("{} holds no rows yet", results_file(file)));
    const std::filesystem::path h5 = std::filesystem::absolute(results_file(file)).lexically_normal();
    const std::string name = std::filesystem::path(results.header.case_file).filename().string();
    const std::string beside = (h5.parent_path() / (name.empty() ? "case.yaml" : name)).string();
    return {.file = stored.emplace(results.header).folder().empty() ? beside : stored->file(),
            .text = results.header.case_text,
            .title = run_labels({file}, "").front(),
            .results = h5.string(),
            .on_disk = false};
  }
  try {
    return {.file = path.string(), .text = whole_file(path), .title = case_name(path)};
  } catch (const std::system_error& error) {
    throw UsageError(fmt::format("{}: cannot be read: {}", file, error.code().message()));
  }
}

/// A page that only its owner can read and that redirects to the address, because all users of the machine can see the arguments with
/// which a browser is started.
std::string page_leading_to(const std::string& address, const std::string& folder) {
  const std::string file = folder + "/open.html";
  const std::string page = fmt::format(
      "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer>"
      "<meta http-equiv=refresh content=\"0; url={0}\"><title>lithe view</title><a href=\"{0}\">lithe view</a>\n",
      address);
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool written = fd >= 0 && ::write(fd, page.data(), page.size()) == ssize_t(page.size());
  if (fd >= 0) ::close(fd);
  return written ? file : "";
}

/// With the desktop's browser, which lives on when the viewer ends.
void open_browser(const std::string& file) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  char name[] = "xdg-open";
  std::string page = file;
  char* words[] = {name, page.data(), nullptr};
  pid_t browser = 0;
  const int failed = posix_spawnp(&browser, name, &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0 || file.empty()) {
    std::cerr << "lithe: cannot start a browser with xdg-open: open the address yourself\n";
    return;
  }
  // Some of these programs end only when the browser does.
  std::thread([browser] { ::waitpid(browser, nullptr, 0); }).detach();
}

/// The signals that end the viewer; a terminal that closes not where it was started with nohup.
sigset_t ending_signals() {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&ends, signal);
  struct sigaction hangup {};
  if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaddset(&ends, SIGHUP);
  return ends;
}

/// Waits for one of them. A second one ends the program at once, whatever is being computed.
void wait_for_the_end(const sigset_t& ends, const std::vector<std::string>& folders) {
  int which = 0;
  ::sigwait(&ends, &which);
  std::thread([ends, folders] {
    int again = 0;
    ::sigwait(&ends, &again);
    std::error_code ignored;
    for (const std::string& folder : folders) std::filesystem::remove_all(folder, ignored);
    ::_exit(1);
  }).detach();
}

bool has_desktop() { return ::getenv("DISPLAY") != nullptr || ::getenv("WAYLAND_DISPLAY") != nullptr; }

int view(const ViewCommand& options) {
  if (options.worker) return answer_request(options.file, *options.worker);
  if (options.open && options.no_open) throw UsageError("--open and --no-open: expected only one of them");
  if (report_page().empty())
    throw std::runtime_error(
        "view: this lithe was built without its web page: rebuild it with Node installed (Debian: nodejs, npm)");
  // Ctrl-C reaches this thread alone, when it looks.
  const sigset_t ends = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  ::signal(SIGPIPE, SIG_IGN);

  const WorkerLimits limits{options.patience,
                            options.memory > 0 ? size_t(1e9 * options.memory) : usual_worker_memory()};
  std::optional<StoredCase> stored;
  Session session(viewed(options.file, stored), std::filesystem::read_symlink("/proc/self/exe").string(), limits);
  const std::unique_ptr<ViewServer> server = [&] {
    try {
      return std::make_unique<ViewServer>(session, ServerOptions{options.host, options.port, options.port_asked_for});
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("--host: {}", error.what()));
    }
  }();
  if (server->beyond_this_machine())
    std::cerr
        << "lithe: anyone with this address can see, change and run the case, and the connection is not encrypted\n";
  std::cout << server->address() << std::endl;
  std::thread serving([&] { server->serve(); });
  if (options.open || (!options.no_open && has_desktop()))
    open_browser(page_leading_to(server->address(), session.runs().folder()));
  wait_for_the_end(ends, {session.runs().folder(), stored ? stored->folder() : ""});
  server->stop();
  serving.join();
  return done;
}

}  // namespace

void add_view(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("view", "see, edit and run a case in the browser");
  auto options = std::make_shared<ViewCommand>();
  command->add_option("CASE", options->file, "case file (YAML), or results: their file or folder")->required();
  auto* port = command
                   ->add_option("--port", options->port,
                                "port to listen on; default: 8420, or the next free one; 0: any free one")
                   ->check(CLI::Range(0, 65535));
  command->add_option("--host", options->host, "address to listen on; default: 127.0.0.1, this machine only");
  command->add_flag("--open", options->open, "open the browser; default if there is a desktop");
  command->add_flag("--no-open", options->no_open, "only print the address");
  command
      ->add_option("--patience", options->patience,
                   "time limit in seconds for each analysis of the case (its shape, modes, sag); default: 20")
      ->check(CLI::Range(0.1, 1e5));
  command
      ->add_option("--memory", options->memory,
                   "memory limit in GB for each analysis; default: a quarter of the machine's, from 1 to 4")
      ->check(CLI::Range(0.1, 1e5));
  command->add_option("--worker", options->worker)->group("");  // the viewer's own: src/lithe/view/worker.h
  command->footer("Prints the address of the page and serves it until Ctrl-C. docs/view.md describes the page.");
  command->callback([=, &chosen] {
    chosen = [=] {
      options->port_asked_for = port->count() > 0;
      return view(*options);
    };
  });
}

}  // namespace lithe::app
