// References to members of a case whose types only fields/ knows. A visitor of fields works with these, so it is compiled
// once and not once per type.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include "lithe/describe/case/nested.h"
#include "lithe/describe/case/words.h"

namespace lithe {

class FieldVisitor;

/// An object that has fields.
struct ObjectRef {
  void* object;
  const std::type_info* type;
  void (*visit_fields)(FieldVisitor& visitor, void* object);

  void visit(FieldVisitor& visitor) const { visit_fields(visitor, object); }
};

template <class T>
void visit_fields_of(FieldVisitor& visitor, void* object) {
  fields(visitor, *static_cast<T*>(object));
}
template <class T>
ObjectRef object_ref(T& object) {
  return {&object, &typeid(T), &visit_fields_of<T>};
}

/// A place for an object: a member, an optional member, or one alternative of a variant.
class Slot {
 public:
  virtual ~Slot() = default;
  virtual bool filled() const = 0;
  /// Puts a default-constructed object there; leaves a plain member as it is.
  virtual ObjectRef fill() = 0;
  /// The object. Only of a slot that is filled.
  virtual ObjectRef get() = 0;
};

template <class T>
class MemberSlot final : public Slot {
 public:
  explicit MemberSlot(T& member) : member_(member) {}
  bool filled() const override { return true; }
  ObjectRef fill() override { return get(); }
  ObjectRef get() override { return object_ref(member_); }

 private:
  T& member_;
};

template <class T>
class MemberSlot<std::optional<T>> final : public Slot {
 public:
  explicit MemberSlot(std::optional<T>& member) : member_(member) {}
  bool filled() const override { return member_.has_value(); }
  ObjectRef fill() override { return object_ref(member_.emplace()); }
  ObjectRef get() override { return object_ref(*member_); }

 private:
  std::optional<T>& member_;
};

template <class T>
class MemberSlot<Nested<T>> final : public Slot {
 public:
  explicit MemberSlot(Nested<T>& member) : member_(member) {}
  bool filled() const override { return member_.has_value(); }
  ObjectRef fill() override { return object_ref(member_.emplace()); }
  ObjectRef get() override { return object_ref(*member_); }

 private:
  Nested<T>& member_;
};

template <class T, class Variant>
class AlternativeSlot final : public Slot {
 public:
  explicit AlternativeSlot(Variant& variant) : variant_(variant) {}
  bool filled() const override { return std::holds_alternative<T>(variant_); }
  ObjectRef fill() override { return object_ref(variant_.template emplace<T>()); }
  ObjectRef get() override { return object_ref(*std::get_if<T>(&variant_)); }

 private:
  Variant& variant_;
};

/// A list of objects.
class ListRef {
 public:
  virtual ~ListRef() = default;
  virtual std::size_t size() const = 0;
  virtual void resize(std::size_t size) = 0;
  virtual ObjectRef at(std::size_t i) = 0;
};

template <class T>
class VectorRef final : public ListRef {
 public:
  explicit VectorRef(std::vector<T>& list) : list_(list) {}
  std::size_t size() const override { return list_.size(); }
  void resize(std::size_t size) override { list_.resize(size); }
  ObjectRef at(std::size_t i) override { return object_ref(list_[i]); }

 private:
  std::vector<T>& list_;
};

/// The list that one alternative of a variant holds.
class AlternativeListRef : public ListRef {
 public:
  /// Whether the variant holds that alternative. Without it there is no list.
  virtual bool filled() const = 0;
  virtual void fill() = 0;
};

template <class Variant, class T, class Item>
class AlternativeList final : public AlternativeListRef {
 public:
  AlternativeList(Variant& variant, std::vector<Item> T::*items) : variant_(variant), items_(items) {}
  bool filled() const override { return std::holds_alternative<T>(variant_); }
  void fill() override { variant_.template emplace<T>(); }
  std::size_t size() const override { return list().size(); }
  void resize(std::size_t size) override { list().resize(size); }
  ObjectRef at(std::size_t i) override { return object_ref(list()[i]); }

 private:
  std::vector<Item>& list() const { return std::get_if<T>(&variant_)->*items_; }

  Variant& variant_;
  std::vector<Item> T::*items_;
};

/// Objects by name.
class MapRef {
 public:
  virtual ~MapRef() = default;
  virtual std::vector<std::pair<std::string, ObjectRef>> entries() = 0;
  /// The object of that name, made where there is none.
  virtual ObjectRef make(const std::string& name) = 0;
  virtual std::optional<ObjectRef> find(const std::string& name) = 0;
};

template <class T>
class NamedRef final : public MapRef {
 public:
  explicit NamedRef(std::map<std::string, T>& map) : map_(map) {}
  std::vector<std::pair<std::string, ObjectRef>> entries() override {
    std::vector<std::pair<std::string, ObjectRef>> all;
    for (auto& [name, object] : map_) all.emplace_back(name, object_ref(object));
    return all;
  }
  ObjectRef make(const std::string& name) override { return object_ref(map_[name]); }
  std::optional<ObjectRef> find(const std::string& name) override {
    const auto found = map_.find(name);
    return found == map_.end() ? std::nullopt : std::optional(object_ref(found->second));
  }

 private:
  std::map<std::string, T>& map_;
};

/// A member that is one of several words.
class ChoiceRef {
 public:
  virtual ~ChoiceRef() = default;
  virtual std::size_t size() const = 0;
  virtual std::string_view word(std::size_t i) const = 0;
  /// The word of the member's value; none where an optional member is empty.
  virtual std::optional<std::string_view> chosen() const = 0;
  virtual void choose(std::size_t i) = 0;

  std::vector<std::string> words() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < size(); ++i) all.emplace_back(word(i));
    return all;
  }
};

template <class Enum>
class EnumRef final : public ChoiceRef {
 public:
  explicit EnumRef(Enum& member) : member_(&member) {}
  explicit EnumRef(std::optional<Enum>& member) : optional_(&member) {}
  std::size_t size() const override { return Words<Enum>::list.size(); }
  std::string_view word(std::size_t i) const override { return Words<Enum>::list[i].second; }
  std::optional<std::string_view> chosen() const override {
    if (optional_ != nullptr && !*optional_) return std::nullopt;
    return lithe::word(member_ != nullptr ? *member_ : **optional_);
  }
  void choose(std::size_t i) override {
    if (member_ != nullptr) *member_ = Words<Enum>::list[i].first;
    if (optional_ != nullptr) *optional_ = Words<Enum>::list[i].first;
  }

 private:
  Enum* member_ = nullptr;
  std::optional<Enum>* optional_ = nullptr;
};

}  // namespace lithe
