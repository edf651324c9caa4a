#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace lithe {

/// A catalogue entry: typical room-temperature values and where they come from.
struct CatalogueMaterial {
  std::string_view name;
  double E, nu, density;
  std::optional<double> G;  // where E/(2(1+ν)) would be wrong
  std::optional<double> yield_strength;
  std::string_view source;
};

std::span<const CatalogueMaterial> material_catalogue();

/// The material of that name, or nullptr.
const CatalogueMaterial* find_material(std::string_view name);

}  // namespace lithe
