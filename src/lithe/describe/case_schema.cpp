#include "lithe/describe/case_schema.h"

#include <nlohmann/json.hpp>

#include "lithe/describe/case_fields.h"
#include "lithe/describe/materials.h"
#include "lithe/joint/kinds.h"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

/// Visits `fields` (case_fields.h) of a default-constructed object and describes each in JSON Schema.
class Schema {
 public:
  explicit Schema(Json& definitions) : definitions_(definitions) {}

  /// A reference to the definition of T, made on first use.
  template <class T>
  static Json reference(Json& definitions) {
    T object{};
    const std::string name = type_name(object);
    if (!definitions.contains(name)) {
      definitions[name] = Json::object();  // holds the place, and the order
      Schema schema(definitions);
      fields(schema, object);
      definitions[name] = schema.finish();
    }
    return {{"$ref", "#/$defs/" + name}};
  }

  void value(Need need, const char* key, double& member, const Dimension& d, const Range& range, const char* help) {
    Json property = quantity(d.unit, range, help);
    if (need == Need::optional) property["default"] = member;
    add(need, key, property);
  }
  void value(Need need, const char* key, Vector3d& member, const Dimension& d, const Range&, const char* help) {
    Json property = vector_of(d, help);
    if (need == Need::optional) property["default"] = {member[0], member[1], member[2]};
    add(need, key, property);
  }
  void values(Need need, const char* key, std::vector<double>&, const Dimension& d, const Range& r, const char* help) {
    Json item = quantity(d.unit, r, "");
    item.erase("description");
    // One alone stands for a list of one. What is said of numbers and texts does not concern lists, nor the other way round.
    Json property = item;
    property["type"] = item["type"].is_array() ? item["type"] : Json::array({item["type"]});
    property["type"].push_back("array");
    property["items"] = item;
    property["minItems"] = 1;
    property["description"] = help;
    add(need, key, property);
  }
  void value(Need need, const char* key, std::optional<double>&, const Dimension& d, const Range& r, const char* help) {
    add(need, key, quantity(d.unit, r, help));
  }
  void value(Need need, const char* key, std::optional<Vector3d>&, const Dimension& d, const Range&, const char* help) {
    add(need, key, vector_of(d, help));
  }
  void joint_value(Need need, const char* key, double& member, const JointDimension& d, const Range& range,
                   const char* help) {
    Json property = quantity(both(d), range, help);
    if (need == Need::optional) property["default"] = member;
    add(need, key, property);
  }
  void joint_value(Need need, const char* key, std::optional<double>&, const JointDimension& d, const Range& range,
                   const char* help) {
    add(need, key, quantity(both(d), range, help));
  }
  void profile_value(Need need, const char* key, double&, const char* help) {
    add(need, key, quantity("of the profile", range::any, help));
  }
  void file(Need need, const char* key, std::string&, const char* help) {
    add(need, key, {{"type", "string"}, {"description", help}});
  }
  void count(Need need, const char* key, int& member, int least, const char* help) {
    Json property{{"type", "integer"}, {"minimum", least}, {"description", help}};
    if (need == Need::optional) property["default"] = member;
    add(need, key, property);
  }
  void count(Need need, const char* key, std::optional<int>&, int least, const char* help) {
    add(need, key, {{"type", "integer"}, {"minimum", least}, {"description", help}});
  }
  void flag(Need need, const char* key, bool& member, const char* help) {
    add(need, key, {{"type", "boolean"}, {"default", member}, {"description", help}});
  }
  void flags(Need need, const char* key, Flags flags, const char* help) {
    Json words = Json::array();
    for (const auto& [word, member] : flags) words.push_back(word);
    add(need, key, {{"type", "array"}, {"items", {{"enum", words}}}, {"description", help}});
  }
  template <class Text>
  void name(Need need, const char* key, Text&, const char* help) {
    // A name may look like a number: YAML then reads `name: 1` as one.
    add(need, key, {{"type", {"string", "integer"}}, {"pattern", "^[A-Za-z0-9_-]+$"}, {"description", help}});
  }
  void coordinate(Need need, const char* key, std::string&, const char* help) {
    add(need, key, {{"type", {"string", "integer"}}, {"pattern", "^[A-Za-z0-9_.-]+$"}, {"description", help}});
  }
  template <class Enum>
  void choice(Need need, const char* key, Enum& member, const char* help) {
    Json property = words<Enum>(help);
    if (need == Need::optional) property["default"] = std::string(lithe::word(member));
    add(need, key, property);
  }
  template <class Enum>
  void choice(Need need, const char* key, std::optional<Enum>&, const char* help) {
    add(need, key, words<Enum>(help));
  }
  template <class T>
  void object(Need need, const char* key, T&, const char* help) {
    Json property = reference<T>(definitions_);
    property["description"] = help;
    add(need, key, property);
  }
  template <class T>
  void object(Need need, const char* key, std::optional<T>&, const char* help) {
    T member{};
    object(need, key, member, help);
  }
  template <class T>
  void list(Need need, const char* key, std::vector<T>&, const char* help) {
    add(need, key, {{"type", "array"}, {"items", reference<T>(definitions_)}, {"minItems", 1}, {"description", help}});
  }
  template <class T>
  void one_or_list(Need need, const char* key, std::vector<T>&, const char* help) {
    const Json one = reference<T>(definitions_);
    add(need, key, {{"anyOf", {one, {{"type", "array"}, {"items", one}, {"minItems", 1}}}}, {"description", help}});
  }
  template <class T>
  void joint_map(const char* key, std::map<std::string, T>&, const char* help) {
    add(Need::optional, key,
        {{"type", "object"}, {"additionalProperties", reference<T>(definitions_)}, {"description", help}});
  }
  template <class T>
  void joint_entries(std::map<std::string, T>&, const char* help) {
    others_ = reference<T>(definitions_);
    others_["description"] = help;
  }
  void joints_of(const ArmSpec&) {}
  void composition(const char* carrier, const char* carries) {
    const Json file{{"type", "string"}};
    Json properties{{"carrier", file}, {"carries", {{"type", {"string", "array"}}, {"items", file}, {"minItems", 1}}}};
    properties["carrier"]["description"] = carrier;
    properties["carries"]["description"] = carries;
    whole_forms_.push_back({{"properties", properties}, {"required", {"carrier", "carries"}}});
  }
  void joint_type(Need need, const char* key, std::string&, const char* help) {
    Json words = Json::array(), meanings = Json::array();
    for (const JointKind& kind : joint_kinds()) words.push_back(kind.word), meanings.push_back(kind.meaning);
    add(need, key, {{"enum", words}, {"meanings", meanings}, {"description", help}});
  }
  template <class T>
  void own_coordinates(Need need, const char* key, std::map<std::string, T>&, const char* help) {
    add(need, key, {{"type", "object"}, {"additionalProperties", reference<T>(definitions_)}, {"description", help}});
  }
  void vectors(Need need, const char* key, std::vector<Vector3d>&, size_t count, const Dimension& d, const char* help) {
    Json item = vector_of(d, "");
    item.erase("description");
    add(need, key,
        {{"type", "array"}, {"items", item}, {"minItems", count}, {"maxItems", count}, {"description", help}});
  }
  void profile_of(const JointDimension&) {}

  template <class Enum>
  void short_choice(Enum&, const char* help) {
    short_forms_.push_back(words<Enum>(help));
  }
  bool short_joint_value(double&, const JointDimension& d, const Range& range, const char* help) {
    short_forms_.push_back(quantity(both(d), range, help));
    return false;
  }
  void catalogue_name(Material&, const char* help) {
    Json names = Json::array();
    for (const CatalogueMaterial& entry : material_catalogue()) names.push_back(std::string(entry.name));
    short_forms_.push_back({{"enum", names}, {"description", help}});
  }
  template <class T, class Variant>
  void word(const char* text, Variant&, const char* help) {
    short_forms_.push_back({{"const", text}, {"description", help}});
  }
  template <class T, class Variant>
  void tagged(const char* key, Variant&, const char* help) {
    Json property = reference<T>(definitions_);
    property["description"] = help;
    alternatives_.push_back({{"properties", {{key, property}}}, {"required", {key}}});
  }
  template <class Variant, class T, class Item>
  void tagged_list(const char* key, Variant&, std::vector<Item> T::*, const char* help) {
    const Json property{
        {"type", "array"}, {"items", reference<Item>(definitions_)}, {"minItems", 1}, {"description", help}};
    alternatives_.push_back({{"properties", {{key, property}}}, {"required", {key}}});
  }
  template <class T, class Variant, class Read>
  void short_form(Variant&, Read read_scalar) {
    T member{};
    read_scalar(*this, member);
  }
  template <class T, class Variant>
  void inline_tagged(const char*, Variant& variant) {
    otherwise<T>(variant);
  }
  template <class T, class Variant>
  void otherwise(Variant&) {
    Schema own(definitions_);
    T member{};
    fields(own, member);
    alternatives_.push_back({{"properties", own.properties_}, {"required", own.required_}});
  }
  void exactly_one(std::initializer_list<const char*> keys) {
    Json choices = Json::array();
    for (const char* key : keys) choices.push_back({{"required", {key}}});
    one_of_ = choices;
  }

 private:
  static std::string both(const JointDimension& d) {
    const std::string first(d.turning.unit), second(d.sliding.unit);
    return first == second ? first : first + " or " + second;
  }

  static Json quantity(const std::string& unit, const Range& range, const char* help) {
    Json property{{"type", {"number", "string"}}};
    // Text is a number and a unit; whether the unit fits, the reader decides.
    property["pattern"] = R"(^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?(\s*[^0-9\s].*)?$)";
    if (unit.empty()) property = {{"type", "number"}};
    if (range.low > -range::infinity) property[range.low_itself ? "minimum" : "exclusiveMinimum"] = range.low;
    if (range.high < range::infinity) property["maximum"] = range.high;
    if (!range.zero) property["not"] = {{"const", 0}};
    if (!unit.empty()) property["unit"] = unit;
    property["description"] = help;
    return property;
  }
  static Json vector_of(const Dimension& d, const char* help) {
    Json item = quantity(d.unit, range::any, "");
    item.erase("description");
    return {{"type", "array"}, {"items", item}, {"minItems", 3}, {"maxItems", 3}, {"description", help}};
  }
  template <class Enum>
  static Json words(const char* help) {
    Json list = Json::array();
    for (const auto& [value, text] : Words<Enum>::list) list.push_back(std::string(text));
    return {{"enum", list}, {"description", help}};
  }
  void add(Need need, const char* key, Json property) {
    properties_[key] = std::move(property);
    if (need == Need::required) required_.push_back(key);
  }

  Json finish() const {
    static const Json include{{"type", {"string", "array"}},
                              {"items", {{"type", "string"}}},
                              {"description", "a file, or several, whose keys are defaults for the keys beside this"}};
    std::vector<Json> forms = short_forms_;
    auto object = [&](Json properties, Json required) {
      // Any mapping may take its keys from another file; what must be given may then be there.
      properties["include"] = include;
      Json form{{"type", "object"}, {"properties", std::move(properties)}};
      form["additionalProperties"] = others_.is_null() ? Json(false) : others_;
      Json rules = Json::object();
      if (!required.empty()) rules["required"] = std::move(required);
      if (!one_of_.is_null()) rules["oneOf"] = one_of_;
      if (!rules.empty()) {
        form["if"] = {{"not", {{"required", {"include"}}}}};
        form["then"] = rules;
      }
      return form;
    };
    for (const Json& alternative : alternatives_) {
      Json properties = alternative["properties"], required = alternative["required"];
      properties.update(properties_);
      for (const Json& key : required_) required.push_back(key);
      forms.push_back(object(properties, required));
    }
    if (alternatives_.empty()) forms.push_back(object(properties_, required_));
    for (const Json& whole : whole_forms_) forms.push_back(object(whole["properties"], whole["required"]));
    if (forms.size() == 1) return forms.front();
    return {{"anyOf", forms}};
  }

  Json& definitions_;
  Json properties_ = Json::object(), required_ = Json::array(), others_, one_of_;
  std::vector<Json> short_forms_, alternatives_, whole_forms_;
};

Json schema_json() {
  Json definitions = Json::object();
  Schema::reference<Case>(definitions);
  Json root{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "lithe case file"},
            {"description", "A robot arm, what moves it, and how to simulate it. Plain numbers are SI."}};
  root.update(definitions["case"]);
  definitions.erase("case");
  root["$defs"] = definitions;
  return root;
}

}  // namespace

std::string case_schema() { return schema_json().dump(2) + "\n"; }

}  // namespace lithe
