#include "lithe/simulate/shape_estimate.h"

#include <algorithm>
#include <filesystem>

#include "lithe/describe/limits.h"

namespace lithe {
namespace {

struct Refine {
  void operator()(NoFlexibility&) const {}
  void operator()(Modes& modes) const {
    for (int* count : {&modes.bending_y, &modes.bending_z, &modes.torsion, &modes.axial})
      if (*count > 0) ++*count;
  }
  void operator()(StrainTerms& strains) const {
    for (int* count :
         {&strains.bending_y, &strains.bending_z, &strains.torsion, &strains.axial, &strains.shear_y, &strains.shear_z})
      if (*count > 0 && *count < limits::strain_terms) ++*count;
  }
  void operator()(Elements& elements) const {
    ++elements.count;
    if (elements.keep) ++*elements.keep;
    elements.mesh.clear();
  }
  void operator()(Segments& segments) const {
    // Pieces on springs that the case gives are the arm itself, not an approximation of a beam.
    if (segments.given == HingeSprings{}) ++segments.count;
  }
};

}  // namespace

Case refined(const Case& data) {
  Case finer = data;
  finer.gauges.clear();  // on segments they are at hinges, which are elsewhere then; nothing is compared there
  for (LinkSpec& link : finer.arm.links)
    if (link.beam) std::visit(Refine{}, link.beam->flexibility);
  return finer;
}

ShapeEstimate estimate_shapes(const CaseFile& file, const RunOptions& options) {
  CaseFile finer = file;
  finer.data = refined(file.data);
  RunOptions again = options;
  again.file = std::filesystem::path(options.file).replace_filename("estimate.h5").string();
  again.resume = false;
  again.overwrite = true;  // the folder is this case's
  run(finer, Arm::assemble(finer.data), again);
  const Results coarse = Results::read(options.file), fine = Results::read(again.file);
  auto point = [](const Results& results, const char* stem, size_t row) {
    Vector3d p;
    for (int k = 0; k < 3; ++k) p[k] = results.series[results.find(std::string(stem) + "xyz"[k])][row];
    return p;
  };
  ShapeEstimate estimate;
  for (size_t row = 0; row < std::min(coarse.time.size(), fine.time.size()); ++row) {
    estimate.tip_change = std::max(estimate.tip_change, (point(coarse, "tip.", row) - point(fine, "tip.", row)).norm());
    estimate.tip_error = std::max(estimate.tip_error, point(coarse, "tip_error.", row).norm());
  }
  return estimate;
}

}  // namespace lithe
