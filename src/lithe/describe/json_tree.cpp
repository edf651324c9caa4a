#include "lithe/describe/json_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", int(c));
    else
      result += c;
  }
  return result + '"';
}

auto with_key(const std::string& key) {
  return [&key](const JsonTree::Member& member) { return member.first == key; };
}

}  // namespace

JsonTree::JsonTree(double value) : text_(fmt::format("{}", value)) {
  if (text_.find_first_not_of("-0123456789") == std::string::npos) text_ += ".0";
}

JsonTree JsonTree::object(std::initializer_list<std::pair<const char*, JsonTree>> members) {
  JsonTree tree;
  tree.kind_ = Kind::object;
  for (const auto& [key, value] : members) tree[key] = value;
  return tree;
}

JsonTree JsonTree::list(std::vector<JsonTree> items) {
  JsonTree tree;
  tree.kind_ = Kind::list;
  tree.items_ = std::move(items);
  return tree;
}

JsonTree JsonTree::words(const std::vector<std::string>& words) {
  return list(std::vector<JsonTree>(words.begin(), words.end()));
}

const JsonTree* JsonTree::find(const std::string& key) const {
  const auto found = std::find_if(members_.begin(), members_.end(), with_key(key));
  return found == members_.end() ? nullptr : &found->second;
}

const JsonTree& JsonTree::at(const std::string& key) const {
  const JsonTree* found = find(key);
  LITHE_DEMAND(found != nullptr);
  return *found;
}

std::string JsonTree::text_at(const std::string& key) const {
  const JsonTree* found = find(key);
  return found == nullptr ? "" : found->text_;
}

JsonTree& JsonTree::operator[](const std::string& key) {
  const auto found = std::find_if(members_.begin(), members_.end(), with_key(key));
  return found == members_.end() ? members_.emplace_back(key, JsonTree()).second : found->second;
}

void JsonTree::erase(const std::string& key) { std::erase_if(members_, with_key(key)); }

std::string JsonTree::printed(int depth) const {
  if (kind_ == Kind::plain) return text_;
  if (kind_ == Kind::text) return quoted(text_);
  const bool in_lines = depth >= 0;
  const int inner = in_lines ? depth + 1 : -1;
  std::vector<std::string> parts;
  for (const JsonTree& item : items_) parts.push_back(item.printed(inner));
  for (const auto& [key, value] : members_)
    parts.push_back(quoted(key) + (in_lines ? ": " : ":") + value.printed(inner));
  const char *open = kind_ == Kind::list ? "[" : "{", *close = kind_ == Kind::list ? "]" : "}";
  if (parts.empty()) return std::string(open) + close;
  auto new_line = [&](int indent) { return in_lines ? "\n" + std::string(size_t(2 * indent), ' ') : ""; };
  std::string result = open;
  for (size_t i = 0; i < parts.size(); ++i) result += (i == 0 ? "" : ",") + new_line(depth + 1) + parts[i];
  return result + new_line(depth) + close;
}

}  // namespace lithe
