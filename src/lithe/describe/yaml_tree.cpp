#include "lithe/describe/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <sstream>
#include <unordered_set>

#include "lithe/describe/quote.h"

namespace lithe {
namespace {

/// Reading ends here: the problem has already been reported.
struct EnoughRead {};

/// Builds our tree from yaml-cpp's events, so that every limit is met while reading and not when the whole is in memory.
/// Aliases are copied: a small file could unfold into a huge one ("billion laughs"), therefore copies count as nodes.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string file, DocumentBudget& budget, std::vector<Problem>& problems)
      : file_(std::move(file)), budget_(budget), problems_(problems) {}

  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    node.where = place(mark);
    add(std::move(node), anchor, {1, 1});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node;
    node.kind = Node::Kind::scalar;
    node.where = place(mark);
    node.scalar = value;
    node.quoted = tag == "!";  // yaml-cpp's mark of a quoted scalar
    add(std::move(node), anchor, {1, 1});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      // An alias to an enclosing node, which is not finished.
      for (const Frame& frame : open_)
        if (frame.anchor == anchor) too_deep(frame.node.where);
      too_deep(place(mark));
    }
    const Anchored& named = found->second;
    if (int(open_.size()) + named.size.height > limits::document_depth) too_deep(place(mark));
    demand(budget_.take_nodes(named.size.nodes - 1, place(mark)));
    add(Node(named.node), YAML::NullAnchor, named.size);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, Node::Kind::list, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, Node::Kind::mapping, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Size {
    std::size_t nodes = 1;
    int height = 1;
  };
  struct Anchored {
    Node node;
    Size size;
  };
  /// A list or mapping that is being read.
  struct Frame {
    Node node;
    YAML::anchor_t anchor = YAML::NullAnchor;
    Size size;
    // Of a mapping: the key whose value comes next, if it was a good one.
    bool after_key = false, key_counts = false;
    std::string key;
    Location key_where;
    std::unordered_set<std::string> keys;
  };

  Location place(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }
  void complain(const Location& where, std::string message) {
    problems_.push_back({Problem::Severity::error, where, "", std::move(message)});
    if (problems_.size() >= limits::problems_listed) throw EnoughRead{};
  }
  static void demand(bool enough) {
    if (!enough) throw EnoughRead{};
  }
  [[noreturn]] void too_deep(const Location& where) {
    problems_.push_back({Problem::Severity::error, where, "", "nested too deeply (an alias that contains itself?)"});
    throw EnoughRead{};
  }

  void open(const YAML::Mark& mark, Node::Kind kind, YAML::anchor_t anchor) {
    if (int(open_.size()) >= limits::document_depth) too_deep(place(mark));
    Frame& frame = open_.emplace_back();
    frame.node.kind = kind;
    frame.node.where = place(mark);
    frame.anchor = anchor;
  }
  void close() {
    Frame done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.node), done.anchor, done.size);
  }

  /// Puts a finished node into the list or mapping that is open.
  void add(Node node, YAML::anchor_t anchor, Size size) {
    demand(budget_.take_nodes(1, node.where));
    if (anchor != YAML::NullAnchor) {
      demand(budget_.take_nodes(size.nodes, node.where));  // kept a second time
      anchors_.insert_or_assign(anchor, Anchored{node, size});
    }
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = open_.back();
    frame.size.nodes += size.nodes;
    frame.size.height = std::max(frame.size.height, size.height + 1);
    if (frame.node.kind == Node::Kind::list) {
      frame.node.items.push_back(std::move(node));
    } else if (!frame.after_key) {
      frame.after_key = true;
      frame.key_counts = good_key(frame, node);
      frame.key = std::move(node.scalar);
      frame.key_where = std::move(node.where);
    } else {
      frame.after_key = false;
      if (!frame.key_counts) return;
      // A missing value has no place: report that of its key.
      if (node.kind == Node::Kind::null) node.where = frame.key_where;
      frame.node.entries.push_back({std::move(frame.key), std::move(frame.key_where), std::move(node)});
    }
  }

  bool good_key(Frame& frame, const Node& key) {
    if (key.kind != Node::Kind::scalar) {
      complain(key.where, "expected a word as key");
    } else if (key.scalar.size() > limits::name_length) {
      complain(key.where, fmt::format("expected a key of at most {} characters, got {} of {}", limits::name_length,
                                      shortened(key.scalar), key.scalar.size()));
    } else if (!frame.keys.insert(key.scalar).second) {
      complain(key.where, fmt::format("key '{}' is given twice", shortened(key.scalar)));
    } else {
      return true;
    }
    return false;
  }

  const std::string file_;
  DocumentBudget& budget_;
  std::vector<Problem>& problems_;
  std::vector<Frame> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  Node root_;
};

/// Only checks whether the document has content.
class Ignorer : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override { throw EnoughRead{}; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

bool another_document(YAML::Parser& parser) {
  Ignorer ignorer;
  try {
    return parser.HandleNextDocument(ignorer);
  } catch (const EnoughRead&) {
    return true;
  }
}

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

}  // namespace

Node yaml_tree(const std::string& text, const std::string& name, DocumentBudget& budget,
               std::vector<Problem>& problems) {
  TreeBuilder builder(name, budget, problems);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (another_document(parser))
      problems.push_back({Problem::Severity::error, {name, 0, 0}, "", "expected one YAML document, got several"});
  } catch (const EnoughRead&) {
    return {};
  } catch (const YAML::Exception& error) {
    const int tab = tab_in_indentation(text, error.mark.line);
    problems.push_back({Problem::Severity::error,
                        {name, error.mark.line + 1, tab > 0 ? tab : error.mark.column + 1},
                        "",
                        tab > 0 ? "not YAML: a tab in the indentation, where only spaces are allowed"
                                : "not YAML: " + shortened(error.msg, 120)});
    return {};
  }
  Node node = builder.take();
  if (node.where.line <= 0) node.where = {name, 1, 1};
  return node;
}

}  // namespace lithe
