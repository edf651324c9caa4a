// view/ — the viewer: a small server on this machine that shows the page of a report together with the case, to edit and run.
// Takes a case or results, gives pages and JSON; runs are separate processes. Contains no mechanics: it calls the other rooms.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lithe/drive/examine.h"
#include "lithe/view/named_files.h"
#include "lithe/view/view_error.h"

namespace lithe {

/// A message without what it quotes, from the first quotation mark to the last: quotes may contain such marks.
std::string without_quotes(std::string message);

/// Analyses of the text of a case without running it. Texts come from the page; each request has its own.
class EditedCase {
 public:
  /// `file` is where the case is (or would be), absolute; `text` as it was before any edit.
  EditedCase(const std::string& text, std::string file);

  /// {errors, warnings: [{line, column, path, message}], parameters, scene, joints, q, can_run}; of an arm that cannot be
  /// assembled only the first.
  nlohmann::ordered_json described(const std::string& text) const;

  /// Natural modes about a pose: {modes: [{frequency_hz, description, shape}], note}. `joints`: locked or free.
  nlohmann::ordered_json modes(const std::string& text, const std::vector<double>& q, const std::string& joints) const;

  /// At rest under its weight with the joints as in q: {q, sag, tip}.
  nlohmann::ordered_json sag(const std::string& text, const std::vector<double>& q) const;

  /// The mistakes for which a run would be rejected, with their places. Messages about other files that the case names do not quote them.
  Findings examined(const std::string& text) const;

  /// Throws ViewError if this text cannot be run.
  void demand_runnable(const std::string& text) const;

  /// `upper.length 1 m → 1.2 m, …`: what changed from one text to the other; empty where nothing did.
  std::string changes(const std::string& before, const std::string& after) const;

 private:
  LoadedCase sound(const std::string& text) const;

  std::string file_;
  NamedFiles files_;
};

}  // namespace lithe
