// What can be done with every field of a case file: the reader fills the members from YAML, the writer turns them back into
// YAML, the schema describes them, the lister finds them in a text. Each is a `FieldVisitor`, and `fields` (case_fields.h)
// shows it the fields of an object one by one.
//
// All members are passed by mutable reference. A visitor that only looks takes a copy of the case.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case/vectors.h"
#include "lithe/describe/field.h"
#include "lithe/describe/fields/references.h"

namespace lithe {

struct ArmSpec;
struct Material;

class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;

  /// What the schema and the reference page call this kind of object. Objects that are written inside another have no name.
  virtual void type(const char*) {}

  // ---- quantities. Those of a joint have the units of its coordinate, those of a profile the units of what it describes.

  virtual void value(Need, const char* key, double&, const Dimension&, const Range&, const char* help) = 0;
  virtual void value(Need, const char* key, Vector3d&, const Dimension&, const Range&, const char* help) = 0;
  virtual void value(Need, const char* key, std::optional<double>&, const Dimension&, const Range&,
                     const char* help) = 0;
  virtual void value(Need, const char* key, std::optional<Vector3d>&, const Dimension&, const Range&,
                     const char* help) = 0;
  virtual void values(Need, const char* key, std::vector<double>&, const Dimension&, const Range&,
                      const char* help) = 0;
  virtual void vectors(Need, const char* key, std::vector<Vector3d>&, std::size_t count, const Dimension&,
                       const char* help) = 0;
  virtual void joint_value(Need, const char* key, double&, const JointDimension&, const Range&, const char* help) = 0;
  virtual void joint_value(Need, const char* key, std::optional<double>&, const JointDimension&, const Range&,
                           const char* help) = 0;
  virtual void profile_value(Need, const char* key, double&, const char* help) = 0;
  /// A value of the profile per time.
  virtual void profile_rate(Need, const char* key, double&, const char* help) = 0;

  // ---- whole numbers, booleans, names, words

  virtual void count(Need, const char* key, int&, int least, const char* help) = 0;
  virtual void count(Need, const char* key, std::optional<int>&, int least, const char* help) = 0;
  virtual void flag(Need, const char* key, bool&, const char* help) = 0;
  /// An optional flag that is written only where it is not `usual`.
  virtual void flag_unless(bool /*usual*/, const char* key, bool& member, const char* help) {
    flag(Need::optional, key, member, help);
  }
  /// A list of words, each of which sets a boolean.
  virtual void flags(Need, const char* key, Flags, const char* help) = 0;
  virtual void name(Need, const char* key, std::string&, const char* help) = 0;
  virtual void name(Need, const char* key, std::optional<std::string>&, const char* help) = 0;
  /// The name of a coordinate, which may have dots.
  virtual void coordinate(Need, const char* key, std::string&, const char* help) = 0;
  /// A name that may have spaces.
  virtual void label(Need, const char* key, std::string&, const char* help) = 0;
  /// A text of numbers, names and signs of arithmetic.
  virtual void formula(Need, const char* key, std::string&, const char* help) = 0;
  /// A coordinate, a rate or the position of the tip. Gives the dimension of its values, for `joint_value`, which has its units
  /// from here on.
  virtual JointDimension state_quantity(Need, const char* key, std::string&, const char* help) = 0;
  virtual void file(Need, const char* key, std::string&, const char* help) = 0;
  /// A kind of joint. The units of `joint_value` follow it.
  virtual void joint_type(Need, const char* key, std::string&, const char* help) = 0;
  template <class Enum>
  void choice(Need need, const char* key, Enum& member, const char* help) {
    EnumRef<Enum> choice(member);
    visit_choice(need, key, choice, help);
  }
  template <class Enum>
  void choice(Need need, const char* key, std::optional<Enum>& member, const char* help) {
    EnumRef<Enum> choice(member);
    visit_choice(need, key, choice, help);
  }

  // ---- objects inside objects

  /// `member` may be optional.
  template <class T>
  void object(Need need, const char* key, T& member, const char* help) {
    MemberSlot<T> slot(member);
    visit_object(need, key, slot, help);
  }
  template <class T>
  void list(Need need, const char* key, std::vector<T>& members, const char* help) {
    VectorRef<T> list(members);
    visit_list(need, key, list, help);
  }
  /// A list, or a single object in place of a list of one.
  template <class T>
  void one_or_list(Need need, const char* key, std::vector<T>& members, const char* help) {
    VectorRef<T> list(members);
    visit_one_or_list(need, key, list, help);
  }
  /// Objects by the name of a joint or of one of its coordinates.
  template <class T>
  void joint_map(const char* key, std::map<std::string, T>& members, const char* help) {
    NamedRef<T> map(members);
    visit_joint_map(key, map, help);
  }
  /// The same, where the names are keys beside the other fields. They may also be coordinates of links that deform.
  template <class T>
  void joint_entries(std::map<std::string, T>& members, const char* help) {
    NamedRef<T> map(members);
    visit_joint_entries(map, help);
  }
  /// Objects by the coordinates of the joint whose type was visited last.
  template <class T>
  void own_coordinates(Need need, const char* key, std::map<std::string, T>& members, const char* help) {
    NamedRef<T> map(members);
    visit_own_coordinates(need, key, map, help);
  }

  // ---- a scalar in place of the whole object

  template <class Enum>
  void short_choice(Enum& member, const char* help) {
    EnumRef<Enum> choice(member);
    visit_short_choice(choice, help);
  }
  /// True where the scalar has been read.
  virtual bool short_joint_value(double&, const JointDimension&, const Range&, const char* help) = 0;
  virtual void catalogue_name(Material&, const char* help) = 0;
  /// The alternative T of a variant, where it is written as a scalar; otherwise null.
  template <class T, class Variant>
  T* short_form(Variant& variant) {
    AlternativeSlot<T, Variant> slot(variant);
    return visit_short_form(slot) ? std::get_if<T>(&variant) : nullptr;
  }

  // ---- the alternatives of a variant, distinguished by a key

  /// A word that is the whole object.
  template <class T, class Variant>
  void word(const char* text, Variant& variant, const char* help) {
    if (visit_word(text, std::holds_alternative<T>(variant), help)) variant.template emplace<T>();
  }
  /// `key: {fields}`
  template <class T, class Variant>
  void tagged(const char* key, Variant& variant, const char* help) {
    AlternativeSlot<T, Variant> slot(variant);
    visit_tagged(key, slot, help);
  }
  /// `key: [objects]`
  template <class Variant, class T, class Item>
  void tagged_list(const char* key, Variant& variant, std::vector<Item> T::*items, const char* help) {
    AlternativeList<Variant, T, Item> list(variant, items);
    visit_tagged_list(key, list, help);
  }
  /// The fields of T beside the others; `key` is one of them.
  template <class T, class Variant>
  void inline_tagged(const char* key, Variant& variant) {
    AlternativeSlot<T, Variant> slot(variant);
    visit_inline_tagged(key, slot);
  }
  /// The fields of T, where no other alternative was given.
  template <class T, class Variant>
  void otherwise(Variant& variant) {
    AlternativeSlot<T, Variant> slot(variant);
    visit_otherwise(slot);
  }

  // ---- rules, and what holds from here on

  virtual void exactly_one(std::initializer_list<const char*> keys) = 0;
  /// The joints that maps may name.
  virtual void joints_of(const ArmSpec&) {}
  /// What a profile describes.
  virtual void profile_of(const JointDimension&) {}
  /// Files that make up the whole object (composition.h).
  virtual void composition(const char* carrier_help, const char* carries_help) = 0;

 protected:
  virtual void visit_choice(Need, const char* key, ChoiceRef&, const char* help) = 0;
  virtual void visit_object(Need, const char* key, Slot&, const char* help) = 0;
  virtual void visit_list(Need, const char* key, ListRef&, const char* help) = 0;
  virtual void visit_one_or_list(Need, const char* key, ListRef&, const char* help) = 0;
  virtual void visit_joint_map(const char* key, MapRef&, const char* help) = 0;
  virtual void visit_joint_entries(MapRef&, const char* help) = 0;
  virtual void visit_own_coordinates(Need, const char* key, MapRef&, const char* help) = 0;
  virtual void visit_short_choice(ChoiceRef&, const char* help) = 0;
  virtual bool visit_short_form(Slot&) = 0;
  /// Whether the word was read.
  virtual bool visit_word(const char* text, bool held, const char* help) = 0;
  virtual void visit_tagged(const char* key, Slot&, const char* help) = 0;
  virtual void visit_tagged_list(const char* key, AlternativeListRef&, const char* help) = 0;
  virtual void visit_inline_tagged(const char* key, Slot&) = 0;
  virtual void visit_otherwise(Slot&) = 0;
};

}  // namespace lithe
