#pragma once

#include <string>
#include <vector>

namespace lithe::app {

/// What another program gave back.
struct ToolAnswer {
  bool found = true;  // false: there is no such program on this machine
  int code = -1;      // its exit code; −1 when a signal ended it
  std::string out, err;
};

/// Runs a program with `input` on its standard input and gathers what it prints. Throws std::runtime_error when the
/// operating system has no pipe or process left.
ToolAnswer run_tool(const std::vector<std::string>& words, const std::string& input);

}  // namespace lithe::app
