// What `lithe movie` and `lithe image` share: which runs, which part of them, and how they look.
#pragma once

#include <string>
#include <vector>

#include "lithe/app/command.h"
#include "lithe/show/film/film.h"

namespace lithe::app {

struct FilmOptions {
  std::vector<std::string> results, keys;
  std::string output, labels, size, from, to, exaggerate, views = "iso", orbit, eye, target, key_file, title;
  bool ghost = true, trail = true, caption = true, stress = false, wake = false, dark = false, json = false;

  void add_to(CLI::App& command);

  /// The runs with their arms. UsageError for results without rows or without an arm.
  std::vector<ShownRun> load_runs() const;
  /// Where the camera is when, of --key and --keys together, in the order of time; empty without.
  std::vector<film::CameraKey> camera_keys() const;
  /// As the options say; the default size is `width` × `height`.
  film::Look look(const std::vector<ShownRun>& runs, int width, int height) const;
  /// The part of the runs between --from and --to.
  film::Span span(const std::vector<ShownRun>& runs) const;
};

/// A number or quantity on the command line, in SI.
double quantity_option(const std::string& option, const std::string& text, const Dimension& dimension);
/// A time that must lie within the runs.
double time_within(const std::string& option, const std::string& text, film::Span whole);

}  // namespace lithe::app
