#include "lithe/view/parameter_names.h"

#include <charconv>

namespace lithe {
namespace {

constexpr std::string_view links = "arm.links[";

/// `beam.section.tube.outer_diameter` in words; without the kind of body.
std::string in_words(std::string text) {
  for (const char* body : {"beam.", "rigid."})
    if (text.starts_with(body)) text.erase(0, std::string_view(body).size());
  for (char& c : text)
    if (c == '.' || c == '_') c = ' ';
  return text;
}

std::string last_key(const std::string& path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

ParameterName name_of(const Parameter& parameter, const Case& data) {
  const std::string& path = parameter.path;
  if (path.starts_with(links)) {
    size_t i = 0;
    const auto [end, error] = std::from_chars(path.data() + links.size(), path.data() + path.size(), i);
    const size_t rest = path.find("].", links.size());
    if (error == std::errc() && rest != std::string::npos && i < data.arm.links.size()) {
      const std::string inside = path.substr(rest + 2), &name = data.arm.links[i].name;
      return {name, in_words(inside), name + "." + last_key(inside)};
    }
  }
  const size_t dot = std::min(path.find('.'), path.size());
  const std::string group = path.substr(0, dot), inside = path.substr(std::min(dot + 1, path.size()));
  if (group == "motion" || group == "torque")  // by joint
    return {
        group, in_words(inside),
        inside.substr(0, inside.find('.')) + "." + (inside.find('.') == std::string::npos ? group : last_key(inside))};
  return {group, in_words(inside.empty() ? group : inside), group + "." + last_key(inside)};
}

}  // namespace lithe
