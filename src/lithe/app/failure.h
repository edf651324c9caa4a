// The messages for exceptions that have no message meant for a user.
#pragma once

#include <exception>
#include <span>
#include <string>

namespace lithe::app {

/// The action that failed, in the user's terms: the command and its file.
std::string work_of(std::span<char* const> words);

/// One plain line about any exception, for stderr, and the exit code. Exceptions of other libraries (memory, files, JSON) name
/// neither the action nor, often, the cause; both are added here.
struct Failure {
  std::string text;
  int code;
};
Failure failure_of(const std::exception_ptr& thrown, const std::string& work);

}  // namespace lithe::app
