#include "lithe/results/stored_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "lithe/describe/file_names.h"
#include "lithe/error.h"
#include "lithe/results/folder_lock.h"
#include "lithe/results/replace_file.h"

namespace lithe {
namespace {

bool leads_out(const std::string& name) {
  const std::filesystem::path path = name;
  return path.is_absolute() || std::any_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

}  // namespace

StoredCase::StoredCase(const ResultsHeader& header) : text_(header.case_text), file_(header.case_file) {
  if (file_names(text_, file_).empty()) return;
  folder_.emplace("case");
  file_ = folder_->path() + "/" + carrying_case;
  for (const CarriedFile& one : header.files) {
    const std::string place = folder_->path() + "/" + one.name;
    if (const std::string reason = replace_file(place, std::as_bytes(std::span(one.text))); !reason.empty())
      throw Error(fmt::format("cannot write {}: {}", place, reason));
  }
}

CaseFile StoredCase::read() const {
  std::vector<Problem> problems;
  for (const FileName& one : file_names(text_, file_))
    if (leads_out(one.name))
      problems.push_back({Problem::Severity::error, one.where, one.key,
                          fmt::format("\"{}\" is not in the results; only files that came with them are read. Run the "
                                      "case again to store them in one file",
                                      one.name)});
  if (!problems.empty()) throw CaseError(problems);
  return read_case_text(text_, file_);
}

std::string write_case_of(const ResultsHeader& header, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("cannot write {}: {}", folder, error.message()), folder);
  const FolderLock lock(folder);
  const std::filesystem::path place = folder;
  for (const CarriedFile& one : header.files) write_text_file((place / one.name).string(), one.text);
  const std::string file = (place / carrying_case).string();
  write_text_file(file, header.case_text);
  return file;
}

}  // namespace lithe
