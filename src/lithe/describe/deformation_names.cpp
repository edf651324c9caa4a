#include "lithe/describe/deformation_names.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "lithe/describe/case/arm.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/limits.h"

namespace lithe {
namespace {

/// A whole number from 1 to `most`; 0 for anything else.
int number_in(std::string_view text, int most) {
  int number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && rest == text.data() + text.size() && number >= 1 && number <= most ? number : 0;
}

std::optional<CoordinateUnit> shape_unit(const Modes& modes, std::string_view rest) {
  const int bending = modes.bending_y + modes.bending_z, k = number_in(rest, bending + modes.torsion + modes.axial);
  if (k == 0) return {};
  return k > bending && k <= bending + modes.torsion ? CoordinateUnit::radians : CoordinateUnit::metres;
}

/// Piece by piece, and on each strain by strain in the order of the fields: curvatures are in radians.
std::optional<CoordinateUnit> strain_unit(const StrainTerms& strains, std::string_view rest) {
  const int n = std::min(strains.of_a_piece(), limits::strain_coordinates);
  const int k = number_in(rest, std::min(strains.pieces, limits::strain_coordinates) * n);
  if (k == 0) return {};
  return (k - 1) % n < strains.bending_y + strains.bending_z + strains.torsion ? CoordinateUnit::radians
                                                                               : CoordinateUnit::number;
}

/// Reduced ones are numbered. By Craig and Bampton the first are the tip's own motion, node coordinates in their order; of modes only
/// the element basis knows which twist.
std::optional<CoordinateUnit> reduced_unit(const Elements& elements, std::string_view rest) {
  const int k = number_in(rest, *elements.keep);
  if (k == 0) return {};
  const bool in_space = elements.plane == BendingPlane::both;
  const int stretch = elements.stiffening ? 0 : 1, slides = (in_space ? 2 : 1) + stretch,
            of_tip = (in_space ? 5 : 2) + stretch;
  const bool turns = elements.reduction == Reduction::craig_bampton && k > slides && k <= of_tip;
  return turns ? CoordinateUnit::radians : CoordinateUnit::metres;
}

/// Node by node, `n3.uy`.
std::optional<CoordinateUnit> node_unit(const Elements& elements, std::string_view rest) {
  if (elements.keep) return reduced_unit(elements, rest);
  const size_t dot = rest.find('.');
  if (rest.empty() || rest[0] != 'n' || dot == rest.npos || number_in(rest.substr(1, dot - 1), elements.count) == 0)
    return {};
  const std::string_view direction = rest.substr(dot + 1);
  const char across = elements.plane == BendingPlane::y ? 'y' : 'z', about = across == 'y' ? 'z' : 'y';
  for (const char* known : {"ux", "uy", "uz", "rx", "ry", "rz"}) {
    if (direction != known || (elements.stiffening && direction == "ux")) continue;
    const bool turns = known[0] == 'r';
    if (elements.plane != BendingPlane::both && known[1] != (turns ? about : across) && direction != "ux") return {};
    return turns ? CoordinateUnit::radians : CoordinateUnit::metres;
  }
  return {};
}

std::optional<CoordinateUnit> hinge_unit(const Segments& segments, std::string_view rest) {
  const size_t dot = rest.find('.');
  if (rest.empty() || rest[0] != 's' || dot == rest.npos || number_in(rest.substr(1, dot - 1), segments.count) == 0)
    return {};
  const std::string_view direction = rest.substr(dot + 1);
  const bool known = direction == "x" || direction == "y" || direction == "z";
  return known ? std::optional(CoordinateUnit::radians) : std::nullopt;
}

/// The first names of a link's coordinates, at most so many.
void add_names(const LinkSpec& link, size_t most, std::vector<std::string>& names) {
  most += names.size();
  auto add = [&](const std::string& rest) {
    if (names.size() < most) names.push_back(link.name + "." + rest);
    return names.size() < most;
  };
  auto add_numbers = [&](int count) {
    for (int k = 1; k <= count; ++k)
      if (!add(std::to_string(k))) return;
  };
  auto add_each = [&](char letter, int count, const std::vector<const char*>& directions) {
    for (int k = 1; k <= count; ++k)
      for (const char* direction : directions)
        if (!add(letter + std::to_string(k) + "." + direction)) return;
  };
  if (!link.beam) return;
  if (const auto* modes = std::get_if<Modes>(&link.beam->flexibility))
    add_numbers(modes->bending_y + modes->bending_z + modes->torsion + modes->axial);
  if (const auto* strains = std::get_if<StrainTerms>(&link.beam->flexibility))
    add_numbers(std::min(strains->pieces, limits::strain_coordinates) *
                std::min(strains->of_a_piece(), limits::strain_coordinates));
  if (const auto* segments = std::get_if<Segments>(&link.beam->flexibility)) {
    std::vector<const char*> directions;
    if (!segments->locked.bending_y) directions.push_back("y");
    if (!segments->locked.bending_z) directions.push_back("z");
    if (!segments->locked.torsion) directions.push_back("x");
    add_each('s', segments->count, directions);
  }
  if (const auto* elements = std::get_if<Elements>(&link.beam->flexibility)) {
    if (elements->keep)
      add_numbers(*elements->keep);
    else {
      std::vector<const char*> directions;
      if (!elements->stiffening) directions.push_back("ux");
      if (elements->plane == BendingPlane::both) {
        directions.insert(directions.end(), {"uy", "uz", "rx", "ry", "rz"});
      } else if (elements->plane == BendingPlane::y) {
        directions.insert(directions.end(), {"uy", "rz"});
      } else {
        directions.insert(directions.end(), {"uz", "ry"});
      }
      add_each('n', elements->count, directions);
    }
  }
}

}  // namespace

std::vector<std::string> deformations_like(const ArmSpec& arm, const std::string& wrong) {
  constexpr size_t of_one = 300, of_each = 3, in_all = 300;
  std::vector<std::string> names;
  for (const LinkSpec& link : arm.links)
    if (wrong.starts_with(link.name + ".")) add_names(link, of_one, names);
  const bool one = !names.empty();
  for (const LinkSpec& link : arm.links) {
    if (names.size() >= in_all) break;
    if (!one) add_names(link, of_each, names);
    if (link.joint.motor && link.joint.motor->stiffness) names.push_back(joint_name(link) + ".motor");
  }
  return names;
}

std::optional<CoordinateUnit> deformation_unit(const ArmSpec& arm, const std::string& name) {
  for (const LinkSpec& link : arm.links) {
    if (link.joint.motor && link.joint.motor->stiffness && name == joint_name(link) + ".motor")
      return joint_unit(link.joint.type);
    if (!name.starts_with(link.name + ".")) continue;
    const std::string_view rest = std::string_view(name).substr(link.name.size() + 1);
    // The number of coordinates of an imported link is known only when the arm is assembled, which reports a wrong name.
    if (link.imported) return number_in(rest, 1'000'000) > 0 ? std::optional(CoordinateUnit::metres) : std::nullopt;
    if (!link.beam) return {};
    if (const auto* modes = std::get_if<Modes>(&link.beam->flexibility)) return shape_unit(*modes, rest);
    if (const auto* strains = std::get_if<StrainTerms>(&link.beam->flexibility)) return strain_unit(*strains, rest);
    if (const auto* elements = std::get_if<Elements>(&link.beam->flexibility)) return node_unit(*elements, rest);
    if (const auto* segments = std::get_if<Segments>(&link.beam->flexibility)) return hinge_unit(*segments, rest);
    return {};
  }
  return {};
}

}  // namespace lithe
