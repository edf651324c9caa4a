#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace lithe::app {

/// The message about arguments that the command line does not accept: an unknown option with the nearest known one, or a case given
/// in place of results; otherwise the message of CLI11.
std::string parse_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace lithe::app
