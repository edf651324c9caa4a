#include "lithe/view/run_store.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lithe/describe/whole_file.h"
#include "lithe/error.h"
#include "lithe/results/results.h"
#include "lithe/show/run_json.h"
#include "lithe/show/shown_run.h"

namespace lithe {

std::string RunStore::file(int id, const char* ending) const {
  return folder_.path() + "/" + std::to_string(id) + ending;
}

const RunStore::Kept* RunStore::find(int id) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.run.id == id; });
  return found == kept_.end() ? nullptr : &*found;
}

nlohmann::ordered_json keep_run(const std::string& results_file, const std::string& label, const std::string& shown_as,
                                const std::string& stem) {
  ShownRun shown{.label = label, .file = shown_as, .results = Results::read(results_file)};
  add_arm(shown);
  add_modes(shown);
  std::ofstream texts(stem + ".json");
  texts << run_json(shown).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  texts.close();
  std::ofstream numbers(stem + ".numbers", std::ios::binary);
  std::vector<std::string> keys{"t"};
  const auto write = [&](const std::vector<double>& values) {
    numbers.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(double)));
  };
  write(shown.results.time);
  for (size_t i = 0; i < shown.results.series.size(); ++i) {
    write(shown.results.series[i]);
    keys.push_back("c" + std::to_string(i));
  }
  for (const auto& [i, values] : shown.commanded) {
    write(values);
    keys.push_back("q" + std::to_string(i));
  }
  numbers.close();
  if (!texts || !numbers)
    throw Error("cannot keep the run in " + std::filesystem::path(stem).parent_path().string() + ": is the disk full?");
  return {{"rows", shown.results.time.size()}, {"keys", keys}};
}

StoredRun RunStore::add(const std::string& results_file, std::string label) {
  int id = 0;
  {
    const std::lock_guard lock(mutex_);
    id = ++last_id_;
  }
  const bool ours = results_file.starts_with(folder_.path());
  Kept kept{{id, std::move(label), 0}, {}};
  try {
    const nlohmann::ordered_json request{{"kind", "keep"},
                                         {"results", results_file},
                                         {"label", kept.run.label},
                                         {"shown", ours ? "kept until the viewer ends" : results_file},
                                         {"stem", file(id, "")}};
    // Results are not limited in size: the run had the memory for them.
    const auto answer = nlohmann::ordered_json::parse(worker_.ask(request, {.seconds = 300, .bytes = 0}));
    kept.run.rows = answer.at("rows");
    kept.keys = answer.at("keys").get<std::vector<std::string>>();
  } catch (...) {
    forget(id);
    throw;
  }
  const StoredRun run = kept.run;
  std::vector<int> gone;
  {
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(kept));
    for (size_t i = 0; i + most_ < kept_.size(); ++i) gone.push_back(kept_[i].run.id);
  }
  for (const int old : gone) forget(old);
  return run;
}

void RunStore::forget(int id) {
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const Kept& kept) { return kept.run.id == id; });
  std::error_code ignored;
  for (const char* ending : {".json", ".numbers"}) std::filesystem::remove(file(id, ending), ignored);
}

std::vector<StoredRun> RunStore::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<StoredRun> runs;
  for (const Kept& kept : kept_) runs.push_back(kept.run);
  return runs;
}

std::optional<std::string> RunStore::texts(int id) const {
  const std::lock_guard lock(mutex_);
  if (find(id) == nullptr) return std::nullopt;
  return whole_file(file(id, ".json"));
}

std::optional<std::string> RunStore::numbers(int id, char kind, int index) const {
  std::ifstream stream;
  size_t bytes = 0;
  std::streamoff at = 0;
  {
    const std::lock_guard lock(mutex_);
    const Kept* kept = find(id);
    if (kept == nullptr) return std::nullopt;
    const std::string key = kind == 't' ? "t" : kind + std::to_string(index);
    const auto found = std::find(kept->keys.begin(), kept->keys.end(), key);
    if (found == kept->keys.end()) return std::nullopt;
    bytes = size_t(kept->run.rows) * sizeof(double);
    at = std::streamoff(bytes) * (found - kept->keys.begin());
    stream.open(file(id, ".numbers"), std::ios::binary);
  }
  std::string answer(bytes, '\0');
  stream.seekg(at);
  stream.read(answer.data(), std::streamsize(bytes));
  if (!stream) return std::nullopt;
  return answer;
}

}  // namespace lithe
