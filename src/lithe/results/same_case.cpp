#include <fmt/format.h>

#include <cstdint>
#include <filesystem>

#include "lithe/results/results.h"

namespace lithe {

std::string case_origin(const std::string& case_file) {
  if (case_file.empty()) return "";
  const std::filesystem::path place = std::filesystem::weakly_canonical(std::filesystem::absolute(case_file));
  // FNV-1a: the results must not reveal the folders of this machine.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : place.string()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

void demand_same_case(const std::string& file, const ResultsHeader& header) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  ResultsHeader there;
  try {
    there = Results::read_head(file).header;
  } catch (const ResultsError& error) {
    throw OtherResults(fmt::format("{}; a run would replace it", error.what()));
  }
  const bool known = !there.case_origin.empty() && !header.case_origin.empty();
  const bool same_place = known ? there.case_origin == header.case_origin : there.case_file == header.case_file;
  if (!same_place && there.case_text != header.case_text)
    throw OtherResults(fmt::format("{} contains results of another case, {}", file, there.case_file));
}

}  // namespace lithe
