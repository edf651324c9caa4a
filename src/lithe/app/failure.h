// What the program says when something is thrown that has no words of its own for a user.
#pragma once

#include <exception>
#include <span>
#include <string>

namespace lithe::app {

/// What was being done, in the user's words: the command and the file it is about.
std::string work_of(std::span<char* const> words);

/// One plain line about any exception, for stderr, and the exit code. Libraries' exceptions (of memory, files, JSON) name
/// neither what was being done nor, often, what went wrong; here they get both.
struct Failure {
  std::string text;
  int code;
};
Failure failure_of(const std::exception_ptr& thrown, const std::string& work);

}  // namespace lithe::app
