#include "lithe/describe/document.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "lithe/describe/case_reader.h"
#include "lithe/describe/composition.h"
#include "lithe/describe/parsed_text.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/whole_file.h"

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

/// Turns yaml-cpp's tree into ours. Aliases are copied, so a small file could unfold into a huge one ("billion
/// laughs"): the number of nodes is bounded, far above any case.
class Converter {
 public:
  Converter(std::string file, Problems& problems) : file_(std::move(file)), problems_(problems) {}

  Node convert(const YAML::Node& source) {
    Node node;
    node.where = place(source.Mark());
    // An alias may stand inside what it names; and no case is nested this deeply.
    if (++depth_ > max_depth) {
      if (!too_deep_) complain(problems_, node.where, "", "nested too deeply (an alias that contains itself?)");
      too_deep_ = true;
      --depth_;
      return node;
    }
    convert_into(source, node);
    --depth_;
    return node;
  }

 private:
  static constexpr int max_nodes = 1'000'000, max_depth = 100;

  void convert_into(const YAML::Node& source, Node& node) {
    if (++n_nodes_ > max_nodes) {
      if (n_nodes_ == max_nodes + 1) complain(problems_, node.where, "", fmt::format("more than {} nodes", max_nodes));
      return;
    }
    switch (source.Type()) {
      case YAML::NodeType::Scalar:
        node.kind = Node::Kind::scalar;
        node.scalar = source.Scalar();
        node.quoted = source.Tag() == "!";  // yaml-cpp's mark of a quoted scalar
        break;
      case YAML::NodeType::Sequence:
        node.kind = Node::Kind::list;
        for (const YAML::Node& item : source) node.items.push_back(convert(item));
        break;
      case YAML::NodeType::Map:
        node.kind = Node::Kind::mapping;
        for (const auto& pair : source) add_entry(node, pair.first, pair.second);
        break;
      default:
        break;
    }
  }

  Location place(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  void add_entry(Node& node, const YAML::Node& key, const YAML::Node& value) {
    const Location where = place(key.Mark());
    if (!key.IsScalar()) return complain(problems_, where, "", "expected a word as key");
    if (node.find(key.Scalar()) != nullptr)
      return complain(problems_, where, "", fmt::format("key '{}' is given twice", shortened(key.Scalar())));
    Node converted = convert(value);
    // A missing value has no place of its own: say where its key is.
    if (converted.kind == Node::Kind::null) converted.where = where;
    node.entries.push_back({key.Scalar(), where, std::move(converted)});
  }

  std::string file_;
  Problems& problems_;
  int n_nodes_ = 0, depth_ = 0;
  bool too_deep_ = false;
};

/// The column, from one, of a tab in the indentation of a line (counted from zero); 0: none.
int tab_in_indentation(const std::string& text, int line) {
  size_t start = 0;
  for (int k = 0; k < line && start != std::string::npos; ++k) {
    start = text.find('\n', start);
    if (start != std::string::npos) ++start;
  }
  if (line < 0 || start == std::string::npos) return 0;
  const size_t end = text.find_first_not_of(" \t", start), tab = text.find('\t', start);
  return tab < end ? int(tab - start) + 1 : 0;
}

Node parse(const std::string& text, const std::string& name, Problems& problems) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1) complain(problems, {name, 0, 0}, "", "expected one YAML document, got several");
    Node node = documents.empty() ? Node{} : Converter(name, problems).convert(documents.front());
    if (node.where.line <= 0) node.where = {name, 1, 1};
    return node;
  } catch (const YAML::Exception& error) {
    const int line = error.mark.line + 1, tab = tab_in_indentation(text, error.mark.line);
    if (tab > 0)
      complain(problems, {name, line, tab}, "", "not YAML: a tab in the indentation, which takes spaces only");
    else
      complain(problems, {name, line, error.mark.column + 1}, "", "not YAML: " + shortened(error.msg, 120));
    return {};
  }
}

/// `over` upon `base`: mappings merge key by key, anything else replaces.
Node merged(Node base, Node over) {
  if (base.kind != Node::Kind::mapping || over.kind != Node::Kind::mapping) return over;
  for (Node::Entry& entry : over.entries) {
    if (Node* existing = base.find(entry.key)) {
      *existing = merged(std::move(*existing), std::move(entry.value));
    } else {
      base.entries.push_back(std::move(entry));
    }
  }
  base.where = over.where;
  return base;
}

class Includer {
 public:
  explicit Includer(Problems& problems) : problems_(problems) {}

  /// `names_joints`: what the file says stands in a mapping from joint names.
  Node load(const std::filesystem::path& file, const Location& asked_from, const char* asked_as = "include",
            bool names_joints = false) {
    std::string text;
    try {
      text = whole_file(file);
    } catch (const std::system_error& error) {
      const std::string reason = error.code().message();
      if (asked_from.file.empty()) {
        complain(problems_, {file.string(), 0, 0}, "", "cannot be read: " + reason);
      } else {
        complain(problems_, asked_from, asked_as,
                 fmt::format("cannot read {}: {}", in_quotes(file.string(), 300), reason));
      }
      return {};
    }
    Node node = parse(text, file.string(), problems_);
    open_.push_back(std::filesystem::weakly_canonical(file));
    resolve(node, file.parent_path(), names_joints ? asked_as : "", names_joints);
    open_.pop_back();
    return node;
  }

  /// `key`: where the node stands; empty for a whole file.
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
    Node base;
    base.kind = Node::Kind::mapping;
    for (const Node& name : names) {
      if (name.kind != Node::Kind::scalar) {
        complain(problems_, name.where, "include", "expected the name of a file, got " + name.shown());
        continue;
      }
      const auto file = folder / name.scalar;
      if (std::find(open_.begin(), open_.end(), std::filesystem::weakly_canonical(file)) != open_.end()) {
        complain(problems_, name.where, "include", fmt::format("{} includes itself", in_quotes(name.scalar)));
        continue;
      }
      const size_t before = problems_.size();
      Node other = load(file, name.where, "include", names_joints);
      if (other.kind == Node::Kind::mapping) {
        base = merged(std::move(base), std::move(other));
      } else if (problems_.size() == before) {
        complain(problems_, name.where, "include",
                 fmt::format("{} is no case file: expected a map of fields", in_quotes(name.scalar)));
      }
    }
    node = merged(std::move(base), std::move(node));
  }

 private:
  /// Whether the keys of the mapping `key` inside `parent` are names of joints, one of which may be called `include`.
  static bool maps_joints(const std::string& parent, const std::string& key) {
    if (parent.empty()) return key == "motion" || key == "torque" || key == "initial";
    return parent == "damping" && key == "at";
  }
  /// What a joint does is a mapping or a quantity; files are named by other words, or by lists.
  static bool is_about_a_joint(const Node& value) {
    if (value.kind != Node::Kind::scalar) return value.kind == Node::Kind::mapping;
    const std::string extension = std::filesystem::path(value.scalar).extension().string();
    if (extension == ".yaml" || extension == ".yml") return false;
    const char* text = value.scalar.c_str();
    char* end = nullptr;
    std::strtod(text, &end);
    return end != text && std::isalpha(static_cast<unsigned char>(*text)) == 0;  // `inf.txt` is no number
  }

  Problems& problems_;
  std::vector<std::filesystem::path> open_;  // files being read, to see cycles
};

// ------------------------------------------------------------------------------------------------ --set

/// One step of a path: a key, or what stands in brackets (an index, or the name of a list's member).
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

/// `--set PATH=`: takes the key, or the member of a list, away.
void remove(const Override& change, const std::vector<Step>& steps, Node& root, Problems& problems) {
  Node *parent = nullptr, *node = &root;
  for (const Step& step : steps) {
    parent = node;
    node = step.bracket ? member(*parent, step.text) : parent->find(step.text);
    if (node == nullptr)
      return complain(problems, {"--set", 0, 0}, change.path,
                      fmt::format("nothing to remove: no '{}' there", step.text));
  }
  if (steps.back().bracket) {
    parent->items.erase(parent->items.begin() + (node - parent->items.data()));
  } else {
    std::erase_if(parent->entries, [&](const Node::Entry& entry) { return entry.key == steps.back().text; });
  }
}

void apply(const Override& change, Node& root, Problems& problems) {
  const Location where{"--set", 0, 0};
  auto steps = steps_of(change.path);
  if (!steps) return complain(problems, where, change.path, "expected a path like arm.links[0].beam.length");
  // What an error message calls a field can be typed here: paths inside `arm` may leave it out.
  const auto& roots = case_keys();
  if (std::find(roots.begin(), roots.end(), steps->front().text) == roots.end())
    steps->insert(steps->begin(), {false, "arm"});
  if (change.value.find_first_not_of(' ') == std::string::npos) return remove(change, *steps, root, problems);

  Problems syntax;
  Node value = parse(change.value, "--set", syntax);
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
                            : fmt::format("[{}] asked of what is not a list", step.text));
      node = next;
    } else {
      if (node->kind == Node::Kind::list)
        return complain(problems, where, change.path,
                        fmt::format("'{}' asked of a list: add [index]", shortened(step.text)));
      if (node->kind != Node::Kind::mapping) *node = Node{.kind = Node::Kind::mapping, .where = where};
      if (node->find(step.text) == nullptr) node->entries.push_back({step.text, where, Node{.where = where}});
      node = node->find(step.text);
    }
  }
  *node = std::move(value);
}

}  // namespace

namespace {

/// What is left when all files are read: one arm, and what --set changes of it.
void complete(Node& root, const std::vector<Override>& overrides, Problems& problems) {
  compose_arms(
      root,
      [&](const std::string& file, const Location& asked_from, const char* asked_as) {
        return Includer(problems).load(file, asked_from, asked_as);
      },
      problems);
  if (problems.empty())
    for (const Override& change : overrides) apply(change, root, problems);
}

}  // namespace

Node parsed_text(const std::string& text, const std::string& name, Problems& problems) {
  return parse(text, name, problems);
}

Node load_document(const std::string& file, const std::vector<Override>& overrides, Problems& problems) {
  Node root = Includer(problems).load(file, {});
  complete(root, overrides, problems);
  return root;
}

Node parse_document(const std::string& text, const std::string& name, const std::vector<Override>& overrides,
                    Problems& problems) {
  Node root = parse(text, name, problems);
  Includer(problems).resolve(root, std::filesystem::path(name).parent_path());
  complete(root, overrides, problems);
  return root;
}

}  // namespace lithe
