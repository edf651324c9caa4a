#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lithe/describe/problem.h"

namespace lithe {

/// A parsed YAML text that remembers where each piece came from, across included files and `--set` options.
///
/// yaml-cpp does the parsing. Its nodes know line and column but not the file, and lose both when they are merged;
/// therefore this small tree.
struct Node {
  enum class Kind { null, scalar, list, mapping };
  struct Entry;

  Kind kind = Kind::null;
  Location where;
  std::string scalar;          // text of a scalar, unquoted
  bool quoted = false;         // "1" in quotes is text, not a number
  std::vector<Node> items;     // of a list
  std::vector<Entry> entries;  // of a mapping, in the order written

  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);

  /// The node as an error message quotes it: its text, or what kind of thing it is.
  std::string shown() const;
};

/// A key of a mapping, its place, and its value.
struct Node::Entry {
  std::string key;
  Location key_where;
  Node value;
};

/// An option `--set arm.links[0].beam.length=1.2`, parsed. An empty value removes the key, or the member of a list.
///
/// A path consists of keys, separated by dots, and of [index] or [name] for a member of a list. A key that contains dots needs
/// quotes: initial."upper.1".rate. Names of coordinates in `initial` do not need them, because its fields are known: initial.upper.1.rate.
struct Override {
  std::string path, value;
};

/// Reads a case file: follows `include:` in any mapping (its keys are defaults for the keys beside it; mappings merge,
/// lists and values are replaced), joins the arms that `arm: {carrier: …, carries: …}` names (composition.h), then applies the
/// overrides in order. Syntax errors, duplicate keys, missing files,
/// include cycles and paths that lead nowhere are added to `problems`.
Node load_document(const std::string& file, const std::vector<Override>& overrides, std::vector<Problem>& problems);

/// The same for text that is not in a file; messages use `name` as the file name.
Node parse_document(const std::string& text, const std::string& name, const std::vector<Override>& overrides,
                    std::vector<Problem>& problems);

}  // namespace lithe
