#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lithe::app {

/// What to say about words that the command line does not take: an option that is not there with the nearest one that is, a case given
/// for results; else what CLI11 says.
std::string parse_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace lithe::app
