#include "lithe/describe/materials.h"

namespace lithe {

namespace {
// Handbook values at room temperature, for a first estimate; a data sheet should replace them in design work.
constexpr CatalogueMaterial catalogue[] = {
    {"aluminium", 70e9, 0.33, 2700, std::nullopt, 270e6,
     "aluminium alloys; Gere & Goodno, Mechanics of Materials, appendix on properties (E 70-79 GPa, nu 0.33, "
     "2640-2800; yield of 6061-T6)"},
    {"steel", 207e9, 0.3, 7850, std::nullopt, 250e6,
     "carbon steel; Shigley, Mechanical Engineering Design, table A-5 (E 207 GPa, nu 0.292, here rounded to 0.3); "
     "yield of ASTM A36, its specified minimum"},
    {"titanium", 113.8e9, 0.342, 4430, std::nullopt, 880e6,
     "Ti-6Al-4V, annealed; ASM Aerospace Specification Metals data"},
    {"carbon-epoxy", 147e9, 0.27, 1600, 7.0e9, std::nullopt,
     "AS4/3501-6, unidirectional, along the fibres, G = G12; Daniel & Ishai, Engineering Mechanics of Composite "
     "Materials, table A.4; does not yield: judge it by a criterion of its own"},
};
}  // namespace

std::span<const CatalogueMaterial> material_catalogue() { return catalogue; }

const CatalogueMaterial* find_material(std::string_view name) {
  for (const CatalogueMaterial& entry : catalogue)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace lithe
