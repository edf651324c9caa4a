#include "lithe/describe/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "lithe/describe/limits.h"
#include "lithe/describe/name_prefix.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/whole_file.h"

namespace lithe {
namespace {

using Problems = std::vector<Problem>;

constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

Node& entry(Node& mapping, const std::string& key, const Location& where, Node::Kind kind) {
  if (Node* found = mapping.find(key)) return *found;
  mapping.entries.push_back({key, where, Node{.kind = kind, .where = where}});
  return mapping.entries.back().value;
}

bool is_mapping(const Node* node) { return node != nullptr && node->kind == Node::Kind::mapping; }
bool is_list(const Node* node) { return node != nullptr && node->kind == Node::Kind::list; }

class Composer {
 public:
  Composer(const ReadFile& read, Problems& problems) : read_(read), problems_(problems) {}

  void compose(Node& root) {
    Node* arm = root.find("arm");
    if (!is_mapping(arm) || (arm->find("carrier") == nullptr && arm->find("carries") == nullptr)) return;
    const std::vector<NamedPart> parts = named_parts(*arm);
    if (parts.empty()) return;
    const size_t before = problems_.size();
    Node whole = part(*parts[0].file, "arm.carrier");
    if (problems_.size() == before) refuse_tips(whole);
    Names taken;
    if (problems_.size() == before) take_names(*whole.find("arm")->find("links"), taken);
    for (size_t i = 1; i < parts.size() && problems_.size() == before; ++i) {
      Node carried = part(*parts[i].file, "arm.carries");
      if (problems_.size() > before) break;
      if (i + 1 < parts.size()) refuse_tips(carried);
      if (parts[i].prefix != nullptr) prefix_names(carried, parts[i].prefix->scalar);
      mount(whole, std::move(carried), parts[i], file_name(*parts[0].file), taken);
    }
    if (problems_.size() > before) return;
    whole.find("arm")->where = arm->where;
    whole.where = root.where;  // the case is this file, even though its parts come from others
    root.entries.erase(
        std::find_if(root.entries.begin(), root.entries.end(), [](const auto& e) { return e.key == "arm"; }));
    say_over(whole, std::move(root), /*carried=*/false);
    root = std::move(whole);
  }

 private:
  using Names = std::map<std::string, Location>;  // and where they were given

  void complain(const Location& where, const std::string& path, const std::string& message) {
    problems_.push_back({Problem::Severity::error, where, path, message});
  }

  static std::string file_name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }
  static std::string file_name(const Node& name) { return file_name_of(name.scalar); }

  /// One part as the composing case names it.
  struct NamedPart {
    const Node *file, *on = nullptr, *prefix = nullptr, *origin = nullptr;
  };

  /// The carrier, then the carried arms; empty where there is a mistake.
  std::vector<NamedPart> named_parts(const Node& arm) {
    const size_t before = problems_.size();
    std::vector<NamedPart> parts;
    for (const Node::Entry& other : arm.entries)
      if (other.key != "carrier" && other.key != "carries")
        complain(other.key_where, "arm",
                 fmt::format("'{}' is not allowed beside carrier and carries: their files describe the arm",
                             shortened(other.key)));
    for (const char* key : {"carrier", "carries"}) {
      const std::string path = std::string("arm.") + key;
      const Node* node = arm.find(key);
      const bool carried = path == "arm.carries";
      if (node == nullptr) {
        complain(arm.where, path, "missing; expected the name of a case file");
      } else if (carried && is_list(node) && !node->items.empty()) {
        if (node->items.size() > size_t(limits::carried_arms)) {
          complain(node->where, path,
                   fmt::format("asks for {} carried arms; at most {}: compose some of them first", node->items.size(),
                               limits::carried_arms));
          break;
        }
        for (size_t i = 0; i < node->items.size(); ++i)
          parts.push_back(carried_part(node->items[i], path, fmt::format("{}[{}]", path, i)));
      } else if (carried) {
        parts.push_back(carried_part(*node, path, path));
      } else {
        parts.push_back({scalar(*node, path, "the name of a case file")});
      }
    }
    if (problems_.size() > before) parts.clear();
    return parts;
  }

  const Node* scalar(const Node& node, const std::string& path, const char* what) {
    if (node.kind != Node::Kind::scalar || node.scalar.empty())
      complain(node.where, path, fmt::format("expected {}, got {}", what, node.shown()));
    return &node;
  }

  /// The name of a file, or a mapping that says how it is mounted too.
  NamedPart carried_part(const Node& node, const std::string& bare, const std::string& path) {
    if (node.kind != Node::Kind::mapping) return {scalar(node, bare, "the name of a case file")};
    NamedPart part{&node};
    if (node.find("file") == nullptr) complain(node.where, path + ".file", "missing; expected the name of a case file");
    for (const Node::Entry& key : node.entries) {
      const std::string where = path + "." + key.key;
      if (key.key == "file") {
        part.file = scalar(key.value, where, "the name of a case file");
      } else if (key.key == "onto") {
        part.on = scalar(key.value, where, "the name of a link of the arms before");
      } else if (key.key == "prefix") {
        part.prefix = scalar(key.value, where, "what to put before the names in that file");
        if (key.value.scalar.find_first_not_of(name_letters) != std::string::npos)
          complain(key.value.where, where,
                   fmt::format("expected letters, digits and _, got {}", in_quotes(key.value.scalar)));
        else if (key.value.scalar.size() > limits::name_length)  // put before every name before any is checked
          complain(key.value.where, where,
                   fmt::format("expected at most {} characters, got {}", limits::name_length, key.value.scalar.size()));
      } else if (key.key == "origin") {
        part.origin = &key.value;
      } else {
        const std::vector<std::string> known{"file", "onto", "prefix", "origin"};
        complain(key.key_where, path,
                 fmt::format("no field '{}'{} Known: {}", shortened(key.key), guess_in_sentence(key.key, known),
                             comma_list(known)));
      }
    }
    return part;
  }

  /// The case in a file, composed where necessary, with an arm that has links.
  Node part(const Node& name, const char* asked_as) {
    const size_t before = problems_.size();
    const std::filesystem::path file = std::filesystem::path(name.where.file).parent_path() / name.scalar;
    const std::filesystem::path here = file_identity(file);
    if (std::find(open_.begin(), open_.end(), here) != open_.end()) {
      complain(name.where, asked_as, fmt::format("{} contains itself", in_quotes(name.scalar)));
      return {};
    }
    if (int(open_.size()) >= limits::include_depth) {
      complain(name.where, asked_as, fmt::format("files are nested more than {} deep", limits::include_depth));
      return {};
    }
    open_.push_back(here);
    Node root = read_(file.string(), name.where, asked_as);
    if (problems_.size() == before) compose(root);
    open_.pop_back();
    const Node* arm = root.find("arm");
    if (problems_.size() == before &&
        (!is_mapping(arm) || !is_list(arm->find("links")) || arm->find("links")->items.empty()))
      complain(name.where, asked_as, fmt::format("no arm with links in {}", in_quotes(name.scalar)));
    return root;
  }

  void mount(Node& whole, Node carried, const NamedPart& part, const std::string& carrier_file, Names& taken) {
    Node &arm = *whole.find("arm"), &other = *carried.find("arm");
    check_base(other, carrier_file);
    check_options(arm, other, carrier_file);
    Node &links = *arm.find("links"), &other_links = *other.find("links");
    if (part.on != nullptr) check_on(*part.on, links);
    check_names(other_links, taken);

    const Node* base = other.find("base");
    Node begins{.kind = Node::Kind::mapping, .where = other.where};
    if (const Node* name = other_links.items[0].find("name")) begins.entries.push_back({"link", name->where, *name});
    if (part.on != nullptr) begins.entries.push_back({"onto", part.on->where, *part.on});
    const Node* origin = part.origin != nullptr ? part.origin : is_mapping(base) ? base->find("origin") : nullptr;
    if (origin != nullptr) begins.entries.push_back({"origin", origin->where, *origin});
    std::move(other_links.items.begin(), other_links.items.end(), std::back_inserter(links.items));
    std::vector<Node>& mounts = entry(arm, "mounts", other.where, Node::Kind::list).items;  // `links` may move
    mounts.push_back(std::move(begins));
    if (Node* further = other.find("mounts"))
      std::move(further->items.begin(), further->items.end(), std::back_inserter(mounts));

    // The reader reports keys that no arm has.
    std::unordered_set<std::string> known;
    for (const Node::Entry& key : arm.entries) known.insert(key.key);
    for (Node::Entry& key : other.entries)
      if (key.key == "damping")
        complain(key.key_where, "arm.damping",
                 "modal damping is for a whole arm, and this one is carried: give it in the carrier or in the "
                 "composing file");
      else if (!known.contains(key.key) && key.key != "base" && key.key != "gravity" && key.key != "tip_rotation" &&
               key.key != "inertia" && key.key != "rotary_inertia")
        arm.entries.push_back(std::move(key));
    say_over(whole, std::move(carried), /*carried=*/true);
  }

  void check_base(const Node& arm, const std::string& carrier_file) {
    const Node* base = arm.find("base");
    if (base == nullptr) return;
    const Node* type = is_mapping(base) ? base->find("type") : base;
    if (type != nullptr && type->scalar != "fixed")
      complain(type->where, "arm.base", fmt::format("expected fixed: this arm is carried by {}", carrier_file));
    for (const Node::Entry& key : base->entries)
      if (key.key != "type" && key.key != "origin")
        complain(key.key_where, "arm.base",
                 fmt::format("the base of a carried arm has an origin, but no '{}'", shortened(key.key)));
  }

  /// The options that must be the same in all files, with their defaults.
  void check_options(const Node& arm, const Node& other, const std::string& carrier_file) {
    for (const auto& [key, otherwise] :
         {std::pair{"tip_rotation", "finite"}, {"inertia", "complete"}, {"rotary_inertia", "true"}}) {
      const Node *ours = arm.find(key), *theirs = other.find(key);
      const std::string want = ours ? ours->scalar : otherwise, got = theirs ? theirs->scalar : otherwise;
      if (want != got)
        complain(theirs ? theirs->where : other.where, std::string("arm.") + key,
                 fmt::format("expected {} as in {}, got {}", want, carrier_file, got));
    }
  }

  template <class Use>
  static void each_name(const Node& list, Use use) {
    for (size_t i = 0; i < list.items.size(); ++i) {
      const Node *name = list.items[i].find("name"), *joint = list.items[i].find("joint");
      if (name != nullptr) use(*name, i, "name");
      if (is_mapping(joint) && joint->find("name") != nullptr) use(*joint->find("name"), i, "joint.name");
    }
  }
  static void take_names(const Node& links, Names& taken) {
    each_name(links, [&](const Node& name, size_t, const char*) { taken.emplace(name.scalar, name.where); });
  }

  void check_on(const Node& on, const Node& links) {
    std::vector<std::string> names;
    for (const Node& link : links.items)
      if (const Node* name = link.find("name")) names.push_back(name->scalar);
    if (std::find(names.begin(), names.end(), on.scalar) == names.end())
      complain(on.where, "arm.carries",
               fmt::format("no link '{}' in the arms before{} Links: {}", shortened(on.scalar),
                           guess_in_sentence(on.scalar, names), comma_list(names)));
  }

  /// Checks that the mounted arm shares no name with the arms before it, and adds its names to theirs.
  void check_names(const Node& links, Names& taken) {
    each_name(links, [&](const Node& name, size_t i, const char* key) {
      const auto found = taken.find(name.scalar);
      if (found == taken.end()) return;
      const bool itself = found->second.file == name.where.file && found->second.line == name.where.line;
      complain(name.where, fmt::format("arm.links[{}].{}", i, key),
               itself
                   ? fmt::format("the name '{}' is taken, because the file is used twice: give one of them a prefix, "
                                 "carries: [{{file: {}, prefix: left_}}, …]",
                                 shortened(name.scalar), file_name_of(name.where.file))
                   : fmt::format("the name '{}' is taken at {}:{}", shortened(name.scalar), found->second.file,
                                 found->second.line));
    });
    take_names(links, taken);
  }

  /// An event of an arm that others follow cannot wait for `tip.x`, which is the tip of the last.
  void refuse_tips(const Node& part) {
    const Node* events = part.find("events");
    if (events == nullptr) return;
    const auto check = [&](const Node& event, size_t i) {
      const Node* when = event.find("when");
      const Node* of = is_mapping(when) ? when->find("of") : nullptr;
      if (of != nullptr && of->scalar.starts_with("tip."))
        complain(of->where, fmt::format("events[{}].when.of", i),
                 fmt::format("{} is the tip of the whole composed arm, not of this part: leave out the event here, or "
                             "give it in the composing file",
                             shortened(of->scalar)));
    };
    if (is_mapping(events)) check(*events, 0);
    for (size_t i = 0; i < events->items.size(); ++i) check(events->items[i], i);
  }

  /// Adds to `whole` what `other` says about its joints; from a carried arm only that, its loads, its forces, its events and its
  /// gauges.
  void say_over(Node& whole, Node other, bool carried) {
    std::unordered_map<std::string, size_t> places;
    for (size_t i = 0; i < whole.entries.size(); ++i) places.emplace(whole.entries[i].key, i);
    for (Node::Entry& said : other.entries) {
      const auto place = places.emplace(said.key, whole.entries.size()).first->second;
      Node* existing = place < whole.entries.size() ? &whole.entries[place].value : nullptr;
      if (said.key == "arm") continue;
      if (carried && (said.key == "simulate" || said.key == "wind")) continue;
      if (said.key == "motion" || said.key == "torque" || said.key == "initial") {
        if (existing != nullptr && (!is_mapping(existing) || !is_mapping(&said.value))) {
          if (existing->kind == Node::Kind::mapping) *existing = std::move(said.value);  // the reader reports it
          continue;
        }
        Node& mapping = existing ? *existing : entry(whole, said.key, said.key_where, Node::Kind::mapping);
        mapping.where = said.value.where;
        auto counts = [&](const Node::Entry& joint) {
          return !(carried && said.key == "initial" &&
                   (joint.key == "deformation" || joint.key == "base" || joint.key == "loads"));
        };
        std::unordered_set<std::string> joints;
        for (const Node::Entry& joint : said.value.entries)
          if (counts(joint)) joints.insert(joint.key);
        // A joint has either a motion or a torque: the later one replaces the earlier.
        if (said.key != "initial") erase(whole.find(said.key == "motion" ? "torque" : "motion"), joints);
        erase(&mapping, joints);
        for (Node::Entry& joint : said.value.entries)
          if (counts(joint)) mapping.entries.push_back(std::move(joint));
      } else if ((said.key == "loads" || said.key == "forces" || said.key == "events" || said.key == "gauges") &&
                 is_list(existing) && is_list(&said.value)) {
        std::move(said.value.items.begin(), said.value.items.end(), std::back_inserter(existing->items));
      } else if (existing != nullptr) {
        *existing = std::move(said.value);
      } else {
        whole.entries.push_back(std::move(said));
      }
    }
  }

  static void erase(Node* mapping, const std::unordered_set<std::string>& keys) {
    if (mapping == nullptr) return;
    std::erase_if(mapping->entries, [&](const Node::Entry& e) { return keys.contains(e.key); });
  }

  const ReadFile& read_;
  Problems& problems_;
  std::vector<std::filesystem::path> open_;  // parts that are being read, to detect cycles
};

}  // namespace

void compose_arms(Node& root, const ReadFile& read, Problems& problems) { Composer(read, problems).compose(root); }

}  // namespace lithe
