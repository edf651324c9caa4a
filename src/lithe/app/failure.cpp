#include "lithe/app/failure.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "lithe/app/command.h"
#include "lithe/describe/printable.h"
#include "lithe/describe/quote.h"

namespace lithe::app {

std::string work_of(std::span<char* const> words) {
  std::string work = words.size() > 1 ? words[1] : "";
  // The file comes right after the command, or after options: the first word that is neither an option nor its value.
  for (size_t i = 2; i < words.size(); ++i) {
    const std::string word = words[i];
    if (word.starts_with('-')) break;
    return work + " " + shortened(word);
  }
  return work;
}

namespace {

Failure plain_failure(const std::exception_ptr& thrown, const std::string& work) {
  try {
    std::rethrow_exception(thrown);
  } catch (const CaseError& error) {
    return {error.what(), bad_input};
  } catch (const UsageError& error) {
    return {fmt::format("lithe: {}", error.what()), bad_input};
  } catch (const std::bad_alloc&) {
    return {fmt::format("lithe: {}: not enough memory: try fewer links, shapes, elements, panels or rows", work),
            work_failed};
  } catch (const std::length_error&) {
    return {fmt::format("lithe: {}: a size in it exceeds any memory: try fewer links, shapes, elements, panels or rows",
                        work),
            work_failed};
  } catch (const nlohmann::json::exception& error) {
    // "[json.exception.type_error.316] invalid UTF-8 byte …"
    const std::string said = error.what();
    const size_t end = said.find("] ");
    return {fmt::format("lithe: {}: JSON cannot represent this: {}", work,
                        end == std::string::npos ? said : said.substr(end + 2)),
            work_failed};
  } catch (const std::filesystem::filesystem_error& error) {
    return {fmt::format("lithe: {}: cannot use \"{}\": {}", work, error.path1().string(), error.code().message()),
            work_failed};
  } catch (const std::system_error& error) {
    return {fmt::format("lithe: {}: {}", work, error.what()), work_failed};
  } catch (const std::exception& error) {
    return {fmt::format("lithe: {}", error.what()), work_failed};
  } catch (...) {
    return {fmt::format("lithe: {}: stopped for an unknown reason", work), work_failed};
  }
}

}  // namespace

Failure failure_of(const std::exception_ptr& thrown, const std::string& work) {
  Failure failure = plain_failure(thrown, work);
  failure.text = printable(failure.text);
  return failure;
}

}  // namespace lithe::app
