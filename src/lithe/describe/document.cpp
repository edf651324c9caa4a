#include "lithe/describe/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <unordered_map>

#include "lithe/describe/case_reader.h"
#include "lithe/describe/composition.h"
#include "lithe/describe/document_budget.h"
#include "lithe/describe/parsed_text.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/whole_file.h"
#include "lithe/describe/yaml_tree.h"

namespace lithe {

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}
Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

std::string Node::shown() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::scalar:
      return in_quotes(scalar);
    case Kind::list:
      return fmt::format("a list of {}", items.size());
    case Kind::mapping:
      return "a mapping";
  }
  return "";
}

namespace {

using Problems = std::vector<Problem>;

void complain(Problems& problems, Location where, std::string path, std::string message) {
  problems.push_back({Problem::Severity::error, std::move(where), std::move(path), std::move(message)});
}

/// Merges layers, the last on top: mappings merge key by key, anything else replaces what is below it. All layers are merged at
/// once, so that the work is proportional to their size and not to the number of layers.
Node merged(std::vector<Node> layers) {
  size_t first = layers.size() - 1;
  if (layers[first].kind != Node::Kind::mapping) return std::move(layers[first]);
  while (first > 0 && layers[first - 1].kind == Node::Kind::mapping) --first;
  if (first == layers.size() - 1) return std::move(layers[first]);
  struct Pile {
    Node::Entry* bottom;
    std::vector<Node> values;
  };
  std::vector<Pile> piles;
  std::unordered_map<std::string_view, size_t> places;
  for (size_t k = first; k < layers.size(); ++k)
    for (Node::Entry& entry : layers[k].entries) {
      const auto [place, is_new] = places.emplace(entry.key, piles.size());
      if (is_new) piles.push_back({&entry, {}});
      piles[place->second].values.push_back(std::move(entry.value));
    }
  Node whole;
  whole.kind = Node::Kind::mapping;
  whole.where = layers.back().where;
  whole.entries.reserve(piles.size());
  for (Pile& pile : piles)
    whole.entries.push_back({pile.bottom->key, pile.bottom->key_where, merged(std::move(pile.values))});
  return whole;
}

class Includer {
 public:
  Includer(DocumentBudget& budget, Problems& problems) : budget_(budget), problems_(problems) {}

  /// `names_joints`: the content of the file belongs in a mapping from joint names.
  Node load(const std::filesystem::path& file, const Location& asked_from, const char* asked_as = "include",
            bool names_joints = false) {
    const bool asked = !asked_from.file.empty();
    const Location where = asked ? asked_from : Location{file.string(), 0, 0};
    const std::string path = asked ? asked_as : "";
    if (!budget_.take_file(where, path)) return {};
    std::string text;
    try {
      text = whole_file(file, limits::document_bytes);
    } catch (const std::system_error& error) {
      const std::string reason = why_unread(error.code(), limits::document_bytes);
      complain(problems_, where, path,
               asked ? fmt::format("cannot read {}: {}", in_quotes(file.string(), 300), reason)
                     : "cannot be read: " + reason);
      return {};
    }
    if (!budget_.take_bytes(text.size(), where, path)) return {};
    Node node = yaml_tree(text, file.string(), budget_, problems_);
    open_.push_back(file_identity(file));
    resolve(node, file.parent_path(), names_joints ? asked_as : "", names_joints);
    open_.pop_back();
    return node;
  }

  /// `key`: the key of the node; empty for a whole file.
  void resolve(Node& node, const std::filesystem::path& folder, const std::string& key = "",
               bool names_joints = false) {
    for (Node& item : node.items) resolve(item, folder, key + "[]");
    for (Node::Entry& entry : node.entries) resolve(entry.value, folder, entry.key, maps_joints(key, entry.key));
    const auto entry =
        std::find_if(node.entries.begin(), node.entries.end(), [](const auto& e) { return e.key == "include"; });
    if (entry == node.entries.end() || (names_joints && is_about_a_joint(entry->value))) return;
    const Node include = std::move(entry->value);
    node.entries.erase(entry);
    const std::vector<Node> names = include.kind == Node::Kind::list ? include.items : std::vector<Node>{include};
    std::vector<Node> layers;
    for (const Node& name : names) {
      if (budget_.spent() || problems_.size() >= limits::problems_listed) return;
      if (name.kind != Node::Kind::scalar) {
        complain(problems_, name.where, "include", "expected the name of a file, got " + name.shown());
        continue;
      }
      const auto file = folder / name.scalar;
      if (std::find(open_.begin(), open_.end(), file_identity(file)) != open_.end()) {
        complain(problems_, name.where, "include", fmt::format("{} includes itself", in_quotes(name.scalar)));
        continue;
      }
      if (int(open_.size()) >= limits::include_depth) {
        complain(
            problems_, name.where, "include",
            fmt::format("includes are nested more than {} deep: include the file directly", limits::include_depth));
        return;
      }
      const size_t before = problems_.size();
      Node other = load(file, name.where, "include", names_joints);
      if (other.kind == Node::Kind::mapping) {
        layers.push_back(std::move(other));
      } else if (problems_.size() == before) {
        complain(problems_, name.where, "include",
                 fmt::format("{} is not a case file: expected a mapping of fields", in_quotes(name.scalar)));
      }
    }
    layers.push_back(std::move(node));
    node = merged(std::move(layers));
  }

 private:
  /// Whether the keys of the mapping `key` inside `parent` are names of joints, one of which may be called `include`.
  static bool maps_joints(const std::string& parent, const std::string& key) {
    if (parent.empty()) return key == "motion" || key == "torque" || key == "initial";
    return (parent == "damping" && key == "at") || (parent == "events[]" && key == "torque");
  }
  /// The entry of a joint is a mapping or a quantity; anything else is the name of a file, or a list of names.
  static bool is_about_a_joint(const Node& value) {
    if (value.kind != Node::Kind::scalar) return value.kind == Node::Kind::mapping;
    const std::string extension = std::filesystem::path(value.scalar).extension().string();
    if (extension == ".yaml" || extension == ".yml") return false;
    const char* text = value.scalar.c_str();
    char* end = nullptr;
    std::strtod(text, &end);
    return end != text && std::isalpha(static_cast<unsigned char>(*text)) == 0;  // `inf.txt` is not a number
  }

  DocumentBudget& budget_;
  Problems& problems_;
  std::vector<std::filesystem::path> open_;  // files that are being read, to detect cycles
};

// ------------------------------------------------------------------------------------------------ --set

/// One step of a path: a key, or an index or name in brackets.
struct Step {
  bool bracket;
  std::string text;
};

std::optional<std::vector<Step>> steps_of(const std::string& path) {
  std::vector<Step> steps;
  size_t i = 0;
  while (i < path.size()) {
    if (path[i] == '[') {
      const size_t close = path.find(']', i);
      if (close == std::string::npos || close == i + 1) return std::nullopt;
      steps.push_back({true, path.substr(i + 1, close - i - 1)});
      i = close + 1;
      if (i < path.size() && path[i] == '.') ++i;
    } else if (path[i] == '"') {
      const size_t close = path.find('"', i + 1);
      if (close == std::string::npos || close == i + 1) return std::nullopt;
      steps.push_back({false, path.substr(i + 1, close - i - 1)});
      i = close + 1;
      if (i < path.size() && path[i] != '.' && path[i] != '[') return std::nullopt;
      if (i < path.size() && path[i] == '.') ++i;
    } else {
      const size_t end = std::min(path.find_first_of(".[", i), path.size());
      if (end == i) return std::nullopt;
      steps.push_back({false, path.substr(i, end - i)});
      i = end + (end < path.size() && path[end] == '.' ? 1 : 0);
    }
  }
  if (steps.empty()) return std::nullopt;
  return steps;
}

/// In `initial`, names of coordinates have dots (`upper.1`, `upper.n3.uy`): all that follows is one name, except for the fields of a
/// start, which come last.
void join_coordinate(std::vector<Step>& steps) {
  if (steps.size() < 3 || steps[0].text != "initial") return;
  for (const char* own : {"deformation", "loads", "base", "include"})
    if (steps[1].text == own) return;
  if (std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.bracket; })) return;
  const bool field = steps.back().text == "position" || steps.back().text == "rate";
  const auto end = steps.end() - (field ? 1 : 0);
  for (auto step = steps.begin() + 2; step < end; ++step) steps[1].text += "." + step->text;
  steps.erase(steps.begin() + 2, end);
}

/// The list member that `[step]` means: by index, or by its `name`.
Node* member(Node& list, const std::string& step) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error == std::errc() && end == step.data() + step.size())
    return index < list.items.size() ? &list.items[index] : nullptr;
  for (Node& item : list.items) {
    const Node* name = item.find("name");
    if (name != nullptr && name->scalar == step) return &item;
  }
  return nullptr;
}

void mark_all(Node& node, const Location& where) {
  node.where = where;
  for (Node& item : node.items) mark_all(item, where);
  for (Node::Entry& entry : node.entries) {
    entry.key_where = where;
    mark_all(entry.value, where);
  }
}

/// `--set PATH=`: removes the key, or the member of a list.
void remove(const Override& change, const std::vector<Step>& steps, Node& root, Problems& problems) {
  Node *parent = nullptr, *node = &root;
  for (const Step& step : steps) {
    parent = node;
    node = step.bracket ? member(*parent, step.text) : parent->find(step.text);
    if (node == nullptr)
      return complain(problems, {"--set", 0, 0}, change.path,
                      fmt::format("nothing to remove: there is no '{}'", shortened(step.text)));
  }
  if (steps.back().bracket) {
    parent->items.erase(parent->items.begin() + (node - parent->items.data()));
  } else {
    std::erase_if(parent->entries, [&](const Node::Entry& entry) { return entry.key == steps.back().text; });
  }
}

void apply(const Override& change, Node& root, DocumentBudget& budget, Problems& problems) {
  const Location where{"--set", 0, 0};
  auto steps = steps_of(change.path);
  if (!steps) return complain(problems, where, change.path, "expected a path like arm.links[0].beam.length");
  // As in error messages, paths inside `arm` may omit it.
  const auto& roots = case_keys();
  if (std::find(roots.begin(), roots.end(), steps->front().text) == roots.end())
    steps->insert(steps->begin(), {false, "arm"});
  join_coordinate(*steps);
  if (change.value.find_first_not_of(' ') == std::string::npos) return remove(change, *steps, root, problems);

  if (!budget.take_bytes(change.value.size(), where, change.path)) return;
  Problems syntax;
  Node value = yaml_tree(change.value, "--set", budget, syntax);
  if (budget.spent()) return;
  if (!syntax.empty()) return complain(problems, where, change.path, "not a value: " + shortened(change.value));
  mark_all(value, where);

  Node* node = &root;
  for (const Step& step : *steps) {
    if (step.bracket) {
      Node* next = node->kind == Node::Kind::list ? member(*node, step.text) : nullptr;
      if (next == nullptr)
        return complain(problems, where, change.path,
                        node->kind == Node::Kind::list
                            ? fmt::format("no [{}] in a list of {}", step.text, node->items.size())
                            : fmt::format("[{}] needs a list here", step.text));
      node = next;
    } else {
      if (node->kind == Node::Kind::list)
        return complain(problems, where, change.path,
                        fmt::format("'{}' needs a mapping, and this is a list: add [index]", shortened(step.text)));
      if (node->kind != Node::Kind::mapping) *node = Node{.kind = Node::Kind::mapping, .where = where};
      if (node->find(step.text) == nullptr) node->entries.push_back({step.text, where, Node{.where = where}});
      node = node->find(step.text);
    }
  }
  *node = std::move(value);
}

}  // namespace

namespace {

/// The last step after all files are read: one arm, with the changes of --set.
void complete(Node& root, const std::vector<Override>& overrides, DocumentBudget& budget, Problems& problems) {
  if (budget.spent()) return;
  compose_arms(
      root,
      [&](const std::string& file, const Location& asked_from, const char* asked_as) {
        return Includer(budget, problems).load(file, asked_from, asked_as);
      },
      problems);
  if (problems.empty())
    for (const Override& change : overrides) apply(change, root, budget, problems);
}

}  // namespace

Node parsed_text(const std::string& text, const std::string& name, Problems& problems) {
  DocumentBudget budget(problems);
  return budget.take_bytes(text.size(), {name, 0, 0}, "") ? yaml_tree(text, name, budget, problems) : Node{};
}

Node load_document(const std::string& file, const std::vector<Override>& overrides, Problems& problems) {
  DocumentBudget budget(problems);
  Node root = Includer(budget, problems).load(file, {});
  complete(root, overrides, budget, problems);
  return root;
}

Node parse_document(const std::string& text, const std::string& name, const std::vector<Override>& overrides,
                    Problems& problems) {
  DocumentBudget budget(problems);
  if (!budget.take_bytes(text.size(), {name, 0, 0}, "")) return {};
  Node root = yaml_tree(text, name, budget, problems);
  Includer(budget, problems).resolve(root, std::filesystem::path(name).parent_path());
  complete(root, overrides, budget, problems);
  return root;
}

}  // namespace lithe
