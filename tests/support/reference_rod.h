// Exact links as files of tests/reference describe them.
#pragma once

#include <map>
#include <string>

#include "lithe/beam/exact/strain_basis.h"
#include "support/exact_links.h"
#include "support/reference_data.h"

namespace lithe::testing {

inline SectionMatter section_of(const nlohmann::json& data) {
  SectionMatter section;
  section.mass = data.at("rhoA");
  section.rotary = vector(data.at("rho_j"));
  section.bending << data.at("GJ").get<double>(), data.at("EI_y").get<double>(), data.at("EI_z").get<double>();
  section.stretch << data.at("EA").get<double>(), data.at("GA_y").get<double>(), data.at("GA_z").get<double>();
  return section;
}

inline StrainBasis basis_of(const nlohmann::json& data) {
  Strains terms;
  terms.points = data.at("points");
  terms.initial_curvature = vector(data.at("initial_curvature"));
  for (const std::string name : data.at("coordinates")) {
    const std::map<std::string, int*> counts{{"bending_y", &terms.bending_y}, {"bending_z", &terms.bending_z},
                                             {"torsion", &terms.torsion},     {"axial", &terms.axial},
                                             {"shear_y", &terms.shear_y},     {"shear_z", &terms.shear_z}};
    ++*counts.at(name.substr(0, name.size() - 1));
  }
  std::vector<SectionBody> bodies;
  if (data.contains("bodies"))
    for (const nlohmann::json& body : data.at("bodies"))
      bodies.push_back({body.at("at"), {body.at("mass"), vector(body.at("com")), matrix(body.at("inertia"))}});
  return StrainBasis(uniform(data.at("length"), section_of(data)), terms, bodies);
}

}  // namespace lithe::testing
