#include "lithe/view/answer_request.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "lithe/view/edited_case.h"
#include "lithe/view/run_store.h"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

/// Sanitizers reserve terabytes of addresses for their own data.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool can_bound_memory = false;
#else
constexpr bool can_bound_memory = true;
#endif

void bound(size_t bytes) {
  const rlimit no_core{0, 0}, memory{bytes, bytes};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (bytes > 0 && can_bound_memory) ::setrlimit(RLIMIT_AS, &memory);
}

Json answered(const Json& request, const std::string& case_file) {
  const std::string kind = request.at("kind");
  const auto text = [&](const char* key) { return request.at(key).get<std::string>(); };
  if (kind == "keep") return keep_run(text("results"), text("label"), text("shown"), text("stem"));
  const EditedCase edited(text("original"), case_file);
  if (kind == "case") return edited.described(text("text"));
  if (kind == "modes") return edited.modes(text("text"), request.at("q"), text("joints"));
  if (kind == "sag") return edited.sag(text("text"), request.at("q"));
  if (kind == "changes") return edited.changes(text("before"), text("after"));
  edited.demand_runnable(text("text"));
  return Json::object();
}

}  // namespace

int answer_request(const std::string& case_file, size_t bytes) {
  bound(bytes);
  std::string answer;
  try {
    const std::string asked{std::istreambuf_iterator<char>(std::cin), {}};
    answer = "+" + answered(Json::parse(asked), case_file).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  } catch (const std::bad_alloc&) {
    answer = bytes == 0
                 ? std::string("-not enough memory for this\n")
                 : fmt::format("-this needs more memory than its limit of {:.3g} GB (lithe view --memory sets it)\n",
                               1e-9 * double(bytes));
  } catch (const std::exception& error) {
    answer = std::string("-") + error.what() + "\n";
  }
  for (size_t done = 0; done < answer.size();) {
    const ssize_t n = ::write(STDOUT_FILENO, answer.data() + done, answer.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1);
    done += size_t(n);
  }
  ::_exit(0);  // the answer is written: no cleanup is needed
}

}  // namespace lithe
