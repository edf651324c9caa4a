#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/describe/document.h"
#include "lithe/describe/fields/field_visitor.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/problem.h"

namespace lithe {

/// Data that all readers of one document share.
struct Reading {
  /// A mistake, and the place by which it is sorted: its own, or that of its cause.
  struct Listed {
    Location rank;
    Problem problem;
  };
  std::vector<Listed> problems;
  std::vector<std::string> unread;  // paths of what could not be read
  size_t unlisted = 0;              // number of problems beyond those listed
  SourceMap source;
  std::map<std::string, JointName> joints;  // by name, once the arm is read
  const ArmSpec* arm = nullptr;             // the same
};

/// Fills one object from one mapping of the document.
class ObjectReader final : public FieldVisitor {
 public:
  /// Reports as mistakes: a node that is not a mapping, keys that no field has, required keys that are missing, values out of
  /// range.
  static void read(const Node& node, const std::string& path, Reading& reading, ObjectRef object,
                   const UnitContext& units);

  void value(Need, const char* key, double&, const Dimension&, const Range&, const char* help) override;
  void value(Need, const char* key, Vector3d&, const Dimension&, const Range&, const char* help) override;
  void value(Need, const char* key, std::optional<double>&, const Dimension&, const Range&, const char* help) override;
  void value(Need, const char* key, std::optional<Vector3d>&, const Dimension&, const Range&,
             const char* help) override;
  void values(Need, const char* key, std::vector<double>&, const Dimension&, const Range&, const char* help) override;
  void vectors(Need, const char* key, std::vector<Vector3d>&, size_t count, const Dimension&,
               const char* help) override;
  void joint_value(Need, const char* key, double&, const JointDimension&, const Range&, const char* help) override;
  void joint_value(Need, const char* key, std::optional<double>&, const JointDimension&, const Range&,
                   const char* help) override;
  void profile_value(Need, const char* key, double&, const char* help) override;
  void profile_rate(Need, const char* key, double&, const char* help) override;
  void count(Need, const char* key, int&, int least, const char* help) override;
  void count(Need, const char* key, std::optional<int>&, int least, const char* help) override;
  void flag(Need, const char* key, bool&, const char* help) override;
  void flags(Need, const char* key, Flags, const char* help) override;
  void name(Need, const char* key, std::string&, const char* help) override;
  void name(Need, const char* key, std::optional<std::string>&, const char* help) override;
  void coordinate(Need, const char* key, std::string&, const char* help) override;
  void label(Need, const char* key, std::string&, const char* help) override;
  void formula(Need, const char* key, std::string&, const char* help) override;
  JointDimension state_quantity(Need, const char* key, std::string&, const char* help) override;
  void file(Need, const char* key, std::string&, const char* help) override;
  void joint_type(Need, const char* key, std::string&, const char* help) override;
  bool short_joint_value(double&, const JointDimension&, const Range&, const char* help) override;
  void catalogue_name(Material&, const char* help) override;
  void exactly_one(std::initializer_list<const char*> keys) override;
  void joints_of(const ArmSpec&) override;
  void profile_of(const JointDimension&) override;
  void composition(const char*, const char*) override;

 protected:
  void visit_choice(Need, const char* key, ChoiceRef&, const char* help) override;
  void visit_object(Need, const char* key, Slot&, const char* help) override;
  void visit_list(Need, const char* key, ListRef&, const char* help) override;
  void visit_one_or_list(Need, const char* key, ListRef&, const char* help) override;
  void visit_joint_map(const char* key, MapRef&, const char* help) override;
  void visit_joint_entries(MapRef&, const char* help) override;
  void visit_own_coordinates(Need, const char* key, MapRef&, const char* help) override;
  void visit_short_choice(ChoiceRef&, const char* help) override;
  bool visit_short_form(Slot&) override;
  bool visit_word(const char* text, bool held, const char* help) override;
  void visit_tagged(const char* key, Slot&, const char* help) override;
  void visit_tagged_list(const char* key, AlternativeListRef&, const char* help) override;
  void visit_inline_tagged(const char* key, Slot&) override;
  void visit_otherwise(Slot&) override;

 private:
  ObjectReader(const Node& node, std::string path, Reading& reading, const UnitContext& units)
      : node_(node), path_(std::move(path)), reading_(reading), units_(units) {}

  // Members (object_reader.cpp).
  void quantity(const Node&, const std::string& path, double&, const Dimension&, const Range&);
  void identifier(Need, const char* key, std::string&, std::string_view signs, const char* expected);
  void word_of(const Node&, const std::string& path, ChoiceRef&);

  // Joints by name (nested_reader.cpp).
  enum class Whole { refused, allowed };  // may a joint with several coordinates be named as a whole?
  void joint_entry(const Node::Entry&, const std::string& path, MapRef&, Whole);
  void refuse_coordinate(const Node::Entry&, const std::string& path);
  std::vector<std::string> moving_joints() const;

  // Keys and mistakes (nested_reader.cpp).
  std::string at(const char* key) const { return path_.empty() ? key : path_ + "." + key; }
  bool has(const char* key) const { return node_.find(key) != nullptr; }
  bool is_known(const std::string& key) const;
  void know(const char* key);
  /// True, and marks the object as read, where a plain scalar is given in place of the whole mapping.
  bool is_scalar();
  /// The node of a key, or nullptr. Reports a required key that is missing.
  const Node* claim(const char* key, Need need, const std::string& expected);
  /// Whether this is the alternative that was given. Reports a second one.
  bool is_alternative(const char* key);
  void finish();
  void look_at_keys();
  void list_missing();
  std::vector<const Node::Entry*> unknown_keys() const;
  void mismatch(const Node&, const std::string& path, const std::string& expected, const std::string& more = "");
  void complain(const Location& where, const std::string& path, std::string message);
  /// Whether one more problem is listed. Counts it where it is not.
  bool room();

  /// Reports that one of `keys` must be given.
  struct Missing {
    std::vector<std::string> keys;
    std::string path, message;
  };

  const Node& node_;
  std::string path_;
  Reading& reading_;
  UnitContext units_;
  std::string joint_word_;  // the type of the joint that is being read
  std::vector<std::string> known_, alternatives_;
  std::vector<Missing> missing_;
  bool chosen_ = false;     // a scalar or one alternative has been read
  bool open_ = false;       // keys beyond the known ones are names
  bool unit_known_ = true;  // of values whose unit is that of a quantity named beside them
};

/// The end of a message: the word that was probably intended, or nothing.
std::string hint(const std::string& word, const std::vector<std::string>& known);

}  // namespace lithe
