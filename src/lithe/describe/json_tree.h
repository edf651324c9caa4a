#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace lithe {

/// A JSON value that can be built and printed; members keep their order. Reading is done by nlohmann's library. Without that
/// library the files that use this compile in a third of the time.
class JsonTree {
 public:
  using Member = std::pair<std::string, JsonTree>;

  JsonTree() = default;
  JsonTree(bool value) : text_(value ? "true" : "false") {}
  JsonTree(int value) : text_(std::to_string(value)) {}
  JsonTree(double value);
  JsonTree(const char* text) : kind_(Kind::text), text_(text) {}
  JsonTree(std::string text) : kind_(Kind::text), text_(std::move(text)) {}
  static JsonTree object(std::initializer_list<std::pair<const char*, JsonTree>> members = {});
  static JsonTree list(std::vector<JsonTree> items = {});
  static JsonTree words(const std::vector<std::string>& words);

  bool is_null() const { return kind_ == Kind::plain && text_ == "null"; }
  bool is_text() const { return kind_ == Kind::text; }
  bool is_list() const { return kind_ == Kind::list; }
  bool is_object() const { return kind_ == Kind::object; }
  bool empty() const { return items_.empty() && members_.empty(); }

  const std::string& text() const { return text_; }
  const std::vector<JsonTree>& items() const { return items_; }
  const std::vector<Member>& members() const { return members_; }
  /// The member with that key, or nullptr.
  const JsonTree* find(const std::string& key) const;
  /// The member with that key, which must be there.
  const JsonTree& at(const std::string& key) const;
  /// The text of a member, or "".
  std::string text_at(const std::string& key) const;

  /// The member with that key; added if there is none.
  JsonTree& operator[](const std::string& key);
  void push_back(JsonTree item) { items_.push_back(std::move(item)); }
  void erase(const std::string& key);

  /// On one line, or with members and items on lines of their own.
  std::string printed() const { return printed(-1); }
  std::string printed_in_lines() const { return printed(0); }

 private:
  enum class Kind { plain, text, list, object };
  std::string printed(int depth) const;

  Kind kind_ = Kind::plain;
  std::string text_ = "null";
  std::vector<JsonTree> items_;
  std::vector<Member> members_;
};

}  // namespace lithe
