#include "lithe/describe/case_schema.h"

#include <map>
#include <typeindex>

#include "lithe/describe/fields/case_fields.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/json_tree.h"
#include "lithe/describe/materials.h"

namespace lithe {
namespace {

using Json = JsonTree;

/// The definitions made so far: their names by type, and their text by name.
struct Definitions {
  std::map<std::type_index, std::string> names;
  Json made = Json::object();
};

/// Describes each field of a default-constructed object in JSON Schema. Fills the object's optional members, lists and
/// alternatives to reach their fields.
class Schema final : public FieldVisitor {
 public:
  /// A reference to the definition of this type of object, which is made on first use.
  static Json reference(ObjectRef object, Definitions& definitions) {
    const std::type_index type(*object.type);
    if (!definitions.names.contains(type)) {
      Schema schema(definitions, type);
      object.visit(schema);
      definitions.made[definitions.names.at(type)] = schema.finish();
    }
    return Json::object({{"$ref", "#/$defs/" + definitions.names.at(type)}});
  }

  void type(const char* name) override {
    definitions_.names[type_] = name;
    definitions_.made[name] = Json::object();  // holds the place, and the order
  }
  void value(Need need, const char* key, double& member, const Dimension& d, const Range& range,
             const char* help) override {
    Json property = quantity(d.unit, range, help);
    if (need == Need::optional) property["default"] = member;
    add(need, key, property);
  }
  void value(Need need, const char* key, Vector3d& member, const Dimension& d, const Range&,
             const char* help) override {
    Json property = vector_of(d, help);
    if (need == Need::optional) property["default"] = Json::list({member[0], member[1], member[2]});
    add(need, key, property);
  }
  void values(Need need, const char* key, std::vector<double>&, const Dimension& d, const Range& r,
              const char* help) override {
    Json item = quantity(d.unit, r, "");
    item.erase("description");
    // A single value is allowed in place of a list of one. In JSON Schema, keywords for numbers and strings do not apply to
    // lists, and vice versa.
    Json property = item;
    if (!item.at("type").is_list()) property["type"] = Json::list({item.at("type")});
    property["type"].push_back("array");
    property["items"] = item;
    property["minItems"] = 1;
    property["description"] = help;
    add(need, key, property);
  }
  void value(Need need, const char* key, std::optional<double>&, const Dimension& d, const Range& r,
             const char* help) override {
    add(need, key, quantity(d.unit, r, help));
  }
  void value(Need need, const char* key, std::optional<Vector3d>&, const Dimension& d, const Range&,
             const char* help) override {
    add(need, key, vector_of(d, help));
  }
  void joint_value(Need need, const char* key, double& member, const JointDimension& d, const Range& range,
                   const char* help) override {
    Json property = quantity(both(d), range, help);
    if (need == Need::optional) property["default"] = member;
    add(need, key, property);
  }
  void joint_value(Need need, const char* key, std::optional<double>&, const JointDimension& d, const Range& range,
                   const char* help) override {
    add(need, key, quantity(both(d), range, help));
  }
  void profile_value(Need need, const char* key, double&, const char* help) override {
    add(need, key, quantity("of the profile", range::any, help));
  }
  void profile_rate(Need need, const char* key, double&, const char* help) override {
    add(need, key, quantity("of the profile, per time", range::any, help));
  }
  void file(Need need, const char* key, std::string&, const char* help) override {
    add(need, key, Json::object({{"type", "string"}, {"description", help}}));
  }
  void count(Need need, const char* key, int& member, int least, const char* help) override {
    Json property = whole_number(least, help);
    if (need == Need::optional) property["default"] = member;
    add(need, key, property);
  }
  void count(Need need, const char* key, std::optional<int>&, int least, const char* help) override {
    add(need, key, whole_number(least, help));
  }
  void flag(Need need, const char* key, bool& member, const char* help) override {
    add(need, key, Json::object({{"type", "boolean"}, {"default", member}, {"description", help}}));
  }
  void flags(Need need, const char* key, Flags flags, const char* help) override {
    Json words = Json::list();
    for (const auto& [word, member] : flags) words.push_back(word);
    add(need, key,
        Json::object({{"type", "array"}, {"items", Json::object({{"enum", words}})}, {"description", help}}));
  }
  void name(Need need, const char* key, std::string&, const char* help) override {
    identifier(need, key, "^[A-Za-z0-9_-]+$", help);
  }
  void name(Need need, const char* key, std::optional<std::string>&, const char* help) override {
    identifier(need, key, "^[A-Za-z0-9_-]+$", help);
  }
  void coordinate(Need need, const char* key, std::string&, const char* help) override {
    identifier(need, key, "^[A-Za-z0-9_.-]+$", help);
  }
  void label(Need need, const char* key, std::string&, const char* help) override {
    identifier(need, key, "^[A-Za-z0-9_ -]+$", help);
  }
  void formula(Need need, const char* key, std::string&, const char* help) override {
    identifier(need, key, "^[A-Za-z0-9_ .,+*/^()-]+$", help, "formula");
  }
  JointDimension state_quantity(Need need, const char* key, std::string& member, const char* help) override {
    coordinate(need, key, member, help);
    return joint_dimension::position;
  }
  void composition(const char* carrier, const char* carries) override {
    const Json file = Json::object({{"type", "string"}});
    // A file, or where and under what names it is mounted.
    const Json words = Json::list({"string", "object"});
    const Json keys = Json::object(
        {{"file", file}, {"onto", file}, {"prefix", file}, {"origin", Json::object({{"type", "object"}})}});
    const Json item = Json::object(
        {{"type", words}, {"properties", keys}, {"required", Json::list({"file"})}, {"additionalProperties", false}});
    const Json files = Json::object({{"type", Json::list({"string", "object", "array"})},
                                     {"properties", keys},
                                     {"required", Json::list({"file"})},
                                     {"additionalProperties", false},
                                     {"items", item},
                                     {"minItems", 1}});
    const Json properties =
        Json::object({{"carrier", described(file, carrier)}, {"carries", described(files, carries)}});
    whole_forms_.push_back({properties, Json::list({"carrier", "carries"})});
  }
  void joint_type(Need need, const char* key, std::string&, const char* help) override {
    add(need, key,
        Json::object({{"enum", Json::words(joint_types())},
                      {"meanings", Json::words(joint_type_meanings())},
                      {"description", help}}));
  }
  void vectors(Need need, const char* key, std::vector<Vector3d>&, size_t count, const Dimension& d,
               const char* help) override {
    Json item = vector_of(d, "");
    item.erase("description");
    add(need, key,
        Json::object({{"type", "array"},
                      {"items", item},
                      {"minItems", int(count)},
                      {"maxItems", int(count)},
                      {"description", help}}));
  }
  bool short_joint_value(double&, const JointDimension& d, const Range& range, const char* help) override {
    short_forms_.push_back(quantity(both(d), range, help));
    return false;
  }
  void catalogue_name(Material&, const char* help) override {
    Json names = Json::list();
    for (const CatalogueMaterial& entry : material_catalogue()) names.push_back(std::string(entry.name));
    short_forms_.push_back(Json::object({{"enum", names}, {"description", help}}));
  }
  void exactly_one(std::initializer_list<const char*> keys) override {
    one_of_ = Json::list();
    for (const char* key : keys) one_of_.push_back(Json::object({{"required", Json::list({key})}}));
  }

 protected:
  void visit_choice(Need need, const char* key, ChoiceRef& choice, const char* help) override {
    Json property = words(choice, help);
    const auto chosen = choice.chosen();
    if (need == Need::optional && chosen) property["default"] = std::string(*chosen);
    add(need, key, property);
  }
  void visit_object(Need need, const char* key, Slot& slot, const char* help) override {
    add(need, key, described(reference(slot.fill(), definitions_), help));
  }
  void visit_list(Need need, const char* key, ListRef& list, const char* help) override {
    add(need, key, described(list_of(list), help));
  }
  void visit_one_or_list(Need need, const char* key, ListRef& list, const char* help) override {
    const Json many = list_of(list);
    add(need, key, Json::object({{"anyOf", Json::list({many.at("items"), many})}, {"description", help}}));
  }
  void visit_joint_map(const char* key, MapRef& map, const char* help) override {
    visit_own_coordinates(Need::optional, key, map, help);
  }
  void visit_joint_entries(MapRef& map, const char* help) override {
    others_ = described(reference(map.make("name"), definitions_), help);
  }
  void visit_own_coordinates(Need need, const char* key, MapRef& map, const char* help) override {
    const Json named = reference(map.make("name"), definitions_);
    add(need, key, Json::object({{"type", "object"}, {"additionalProperties", named}, {"description", help}}));
  }
  void visit_short_choice(ChoiceRef& choice, const char* help) override { short_forms_.push_back(words(choice, help)); }
  bool visit_short_form(Slot& slot) override {
    slot.fill();
    return true;
  }
  bool visit_word(const char* text, bool, const char* help) override {
    short_forms_.push_back(Json::object({{"const", text}, {"description", help}}));
    return false;
  }
  void visit_tagged(const char* key, Slot& slot, const char* help) override {
    alternative(key, described(reference(slot.fill(), definitions_), help));
  }
  void visit_tagged_list(const char* key, AlternativeListRef& list, const char* help) override {
    list.fill();
    alternative(key, described(list_of(list), help));
  }
  void visit_inline_tagged(const char*, Slot& slot) override { visit_otherwise(slot); }
  void visit_otherwise(Slot& slot) override {
    Schema own(definitions_, type_);
    slot.fill().visit(own);
    alternatives_.push_back({own.properties_, own.required_});
  }

 private:
  /// The keys of one form of the object.
  struct Form {
    Json properties = Json::object(), required = Json::list();
  };

  Schema(Definitions& definitions, std::type_index type) : definitions_(definitions), type_(type) {}

  static std::string both(const JointDimension& d) {
    const std::string first(d.turning.unit), second(d.sliding.unit);
    return first == second ? first : first + " or " + second;
  }

  static Json quantity(const std::string& unit, const Range& range, const char* help) {
    Json property = Json::object({{"type", Json::list({"number", "string"})}});
    // Text is a number and a unit; whether the unit fits, the reader decides. A pure number may be in percent.
    property["pattern"] = unit.empty() ? R"(^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*%?\s*$)"
                                       : R"(^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?(\s*[^0-9\s].*)?$)";
    if (range.low > -range::infinity) property[range.low_itself ? "minimum" : "exclusiveMinimum"] = range.low;
    if (range.high < range::infinity) property["maximum"] = range.high;
    if (!range.zero) property["not"] = Json::object({{"const", 0}});
    if (!unit.empty()) property["unit"] = unit;
    property["description"] = help;
    return property;
  }
  static Json vector_of(const Dimension& d, const char* help) {
    Json item = quantity(d.unit, range::any, "");
    item.erase("description");
    return Json::object({{"type", "array"}, {"items", item}, {"minItems", 3}, {"maxItems", 3}, {"description", help}});
  }
  static Json words(const ChoiceRef& choice, const char* help) {
    return Json::object({{"enum", Json::words(choice.words())}, {"description", help}});
  }
  static Json whole_number(int least, const char* help) {
    return Json::object({{"type", "integer"}, {"minimum", least}, {"description", help}});
  }
  static Json described(Json property, const char* help) {
    property["description"] = help;
    return property;
  }
  Json list_of(ListRef& list) {
    list.resize(1);
    return Json::object({{"type", "array"}, {"items", reference(list.at(0), definitions_)}, {"minItems", 1}});
  }
  void alternative(const char* key, Json property) {
    Form& form = alternatives_.emplace_back();
    form.properties[key] = std::move(property);
    form.required.push_back(key);
  }
  void identifier(Need need, const char* key, const char* pattern, const char* help, const char* format = "name") {
    // A name may look like a number: YAML then reads `name: 1` as one. The reference page calls it by its format.
    add(need, key,
        Json::object({{"type", Json::list({"string", "integer"})},
                      {"format", format},
                      {"pattern", pattern},
                      {"description", help}}));
  }
  void add(Need need, const char* key, Json property) {
    properties_[key] = std::move(property);
    if (need == Need::required) required_.push_back(key);
  }

  Json finish() const {
    const Json include =
        Json::object({{"type", Json::list({"string", "array"})},
                      {"items", Json::object({{"type", "string"}})},
                      {"description", "a file, or several, whose keys are defaults for the keys beside this"}});
    std::vector<Json> forms = short_forms_;
    auto object = [&](Json properties, Json required) {
      // Any mapping may take its keys from another file; what must be given may then be there.
      properties["include"] = include;
      Json form = Json::object({{"type", "object"}, {"properties", std::move(properties)}});
      form["additionalProperties"] = others_.is_null() ? Json(false) : others_;
      Json rules = Json::object();
      if (!required.empty()) rules["required"] = std::move(required);
      if (!one_of_.is_null()) rules["oneOf"] = one_of_;
      if (!rules.empty()) {
        form["if"] = Json::object({{"not", Json::object({{"required", Json::list({"include"})}})}});
        form["then"] = rules;
      }
      return form;
    };
    for (Form form : alternatives_) {
      for (const auto& [key, property] : properties_.members()) form.properties[key] = property;
      for (const Json& key : required_.items()) form.required.push_back(key);
      forms.push_back(object(form.properties, form.required));
    }
    if (alternatives_.empty()) forms.push_back(object(properties_, required_));
    for (const Form& whole : whole_forms_) forms.push_back(object(whole.properties, whole.required));
    if (forms.size() == 1) return forms.front();
    return Json::object({{"anyOf", Json::list(forms)}});
  }

  Definitions& definitions_;
  std::type_index type_;  // of the object
  Json properties_ = Json::object(), required_ = Json::list(), others_, one_of_;
  std::vector<Json> short_forms_;
  std::vector<Form> alternatives_, whole_forms_;
};

}  // namespace

JsonTree case_schema_tree() {
  Definitions all;
  const CaseObject sample = default_case();
  Schema::reference(sample.object, all);
  Json root = Json::object(
      {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
       {"title", "lithe case file"},
       {"description", "A robot arm, what moves it, and how to simulate it. Plain numbers are in SI units."}});
  for (const auto& [key, value] : all.made.at("case").members()) root[key] = value;
  all.made.erase("case");
  root["$defs"] = all.made;
  return root;
}

std::string case_schema() { return case_schema_tree().printed_in_lines() + "\n"; }

}  // namespace lithe
