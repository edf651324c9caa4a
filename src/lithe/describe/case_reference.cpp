// The case-file reference page. Its tables are made from the JSON Schema alone.
#include <algorithm>
#include <cmath>

#include "lithe/describe/case/matter.h"
#include "lithe/describe/case_checks.h"
#include "lithe/describe/case_schema.h"
#include "lithe/describe/materials.h"

namespace lithe {
namespace {

using Json = JsonTree;

std::string anchor(const std::string& name) {
  std::string text = name;
  for (char& c : text)
    if (c == ' ') c = '-';
  return text;
}

std::string in_backticks(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "`" : ", `") + word + "`";
  return list;
}

/// What the value is: a quantity with its unit, a word of a list, another table.
std::string kind_of(const Json& property) {
  if (const Json* reference = property.find("$ref")) {
    const std::string name = reference->text().substr(8);
    return "[" + name + "](#" + anchor(name) + ")";
  }
  if (const Json* forms = property.find("anyOf")) return kind_of(forms->items()[0]) + ", or a list of them";
  if (const Json* word = property.find("const")) return "`" + word->text() + "`";
  if (const Json* words = property.find("enum")) {
    std::vector<std::string> all;
    for (const Json& word : words->items()) all.push_back(word.text());
    return in_backticks(all);
  }
  const Json& type = property.at("type");
  if (property.find("items") != nullptr && type.is_list()) return kind_of(property.at("items")) + ", or a list of them";
  if (const Json* unit = property.find("unit")) return unit->text();
  if (type.is_list() && type.items()[0].text() == "number") return "number";
  if (const Json* format = property.find("format")) return format->text();
  if (type.is_list()) return "string or mapping";
  if (type.text() == "array") {
    const std::string of = kind_of(property.at("items"));
    const Json* count = property.find("maxItems");
    return count != nullptr ? count->printed() + " × " + of : "list of " + of;
  }
  if (type.text() == "object") return "mapping of joints to " + kind_of(property.at("additionalProperties"));
  return type.text();
}

std::string limits_of(const Json& property) {
  if (const Json* above = property.find("exclusiveMinimum")) {
    const Json* most = property.find("maximum");
    return " > " + above->printed() + (most != nullptr ? ", ≤ " + most->printed() : "");
  }
  if (const Json* least = property.find("minimum")) return " ≥ " + least->printed();
  return property.find("not") != nullptr ? " ≠ 0" : "";
}

std::string default_of(const Json& property) {
  const Json* value = property.find("default");
  if (value == nullptr) return "";
  return value->is_text() ? "`" + value->text() + "`" : value->printed();
}

/// What each word of a list means, where the schema says it.
std::string meanings_of(const Json& property) {
  const Json* meanings = property.find("meanings");
  if (meanings == nullptr) return "";
  std::string text;
  for (size_t k = 0; k < meanings->items().size(); ++k)
    text += (k == 0 ? ": `" : "; `") + property.at("enum").items()[k].text() + "` " + meanings->items()[k].text();
  return text;
}

void table(std::string& page, const Json& form) {
  page += "\n| key | value | default | meaning |\n|---|---|---|---|\n";
  const Json* rules = form.find("then");
  const Json* required = rules == nullptr ? nullptr : rules->find("required");
  auto is_required = [&](const std::string& key) {
    return required != nullptr && std::any_of(required->items().begin(), required->items().end(),
                                              [&](const Json& one) { return one.text() == key; });
  };
  for (const auto& [key, property] : form.at("properties").members()) {
    if (key == "include") continue;  // described once, at the top of the page
    page += "| `" + key + "` | " + kind_of(property) + limits_of(property) + " | " +
            (is_required(key) ? "**required**" : default_of(property)) + " | " + property.text_at("description") +
            meanings_of(property) + " |\n";
  }
  if (const Json* others = form.find("additionalProperties"); others != nullptr && others->is_object())
    page += "| *joint* | " + kind_of(*others) + " | | " + others->text_at("description") + " |\n";
  if (const Json* choices = rules == nullptr ? nullptr : rules->find("oneOf")) {
    page += "\nExactly one of";
    for (const Json& choice : choices->items()) page += " `" + choice.at("required").items()[0].text() + "`";
    page += " must be given.\n";
  }
}

void section(std::string& page, const std::string& name, const Json& definition) {
  page += "\n## " + name + "\n";
  const Json* forms = definition.find("anyOf");
  if (forms == nullptr) return table(page, definition);
  bool first = true;
  for (const Json& form : forms->items()) {
    page += first ? "\nEither " : "\nor ";
    first = false;
    if (form.find("properties") != nullptr) {
      page += "a mapping:\n";
      table(page, form);
    } else {
      page += kind_of(form) + ": " + form.text_at("description") + "\n";
    }
  }
}

}  // namespace

std::string case_reference() {
  const Json schema = case_schema_tree();
  std::string page =
      "# Case-file reference\n\n"
      "Generated by `lithe schema --markdown` from the same source as the reader; a test compares the two.\n\n"
      "A quantity is a plain number in the SI unit shown, or text with a unit of the same dimension: `60 deg`, "
      "`350 mm^2`,\n"
      "`70 GPa`, `0.1 N.m.s/rad`. Where two units are shown, the first is for joints that turn and the second for "
      "joints "
      "that\n"
      "slide. `include: other.yaml` (or a list of files) in any mapping takes the keys of that file as defaults for "
      "the "
      "keys\n"
      "beside it; file names are relative to the file that contains them. Names of links and joints consist of "
      "letters,\n"
      "digits, `_` and `-`; these names are reserved: " +
      in_backticks(reserved_names()) +
      ".\n\n"
      "Any field can be changed from the command line: `--set arm.links[0].beam.length=1.2`, `--set\n"
      "'links[upper].payload={mass: 2 kg}'`. With nothing after the equals sign, `--set links[upper].payload=` removes "
      "the\n"
      "field. Coordinates in `initial` are named with their dots: `--set 'initial.upper.1=5 mm'`, `--set\n"
      "initial.upper.1.rate=2`. Any other key that contains dots needs double quotes.\n\n"
      "Values that are probably a mistake cause a warning:\n"
      "[docs/warnings.md](warnings.md#questionable-values-in-a-case).\n\n"
      "```yaml\n"
      "arm:\n"
      "  links:\n"
      "    - name: upper\n"
      "      joint: {name: shoulder, type: revolute, axis: [0, -1, 0], damping: 0.1 N.m.s/rad}\n"
      "      rigid: {length: 1 m, mass: 3 kg, com: [0.5, 0, 0], inertia: {yy: 0.25, zz: 0.25, xx: 0.01}}\n"
      "torque: {shoulder: {pd: {kp: 100 N.m/rad, kd: 20 N.m.s/rad, target: 30 deg}}}\n"
      "simulate: {for: 2 s}\n"
      "```\n";
  section(page, "case", schema);
  for (const auto& [name, definition] : schema.at("$defs").members()) section(page, name, definition);
  page +=
      "\n## The materials catalogue\n\n| name | E [GPa] | nu | density [kg/m^3] | G [GPa] | yield [MPa] | source "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const CatalogueMaterial& m : material_catalogue()) {
    const Material material{"", m.E, m.nu, m.density, m.G};
    auto number = [](double value) { return Json(std::round(value * 1000) / 1000).printed(); };
    page += "| `" + std::string(m.name) + "` | " + number(m.E / 1e9) + " | " + number(m.nu) + " | " +
            number(m.density) + " | " + number(material.shear_modulus() / 1e9) + " | " +
            (m.yield_strength ? number(*m.yield_strength / 1e6) : "") + " | " + std::string(m.source) + " |\n";
  }
  return page;
}

}  // namespace lithe
