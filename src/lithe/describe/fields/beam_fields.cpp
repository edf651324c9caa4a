// Materials, sections, beams.
#include "lithe/describe/case/beam.h"
#include "lithe/describe/case/matter.h"
#include "lithe/describe/fields/case_fields.h"

namespace lithe {

void fields(FieldVisitor& v, Material& m) {
  v.type("material");
  v.catalogue_name(m, "a name from the catalogue");
  v.value(required, "E", m.E, dimension::pressure, range::positive, "Young's modulus");
  v.value(required, "nu", m.nu, dimension::number, range::poisson, "Poisson's ratio");
  v.value(required, "density", m.density, dimension::density, range::positive, "mass per volume");
  v.value(optional, "G", m.G, dimension::pressure, range::positive, "shear modulus; default: E/(2(1+nu))");
  v.value(optional, "yield_strength", m.yield_strength, dimension::pressure, range::positive,
          "a run warns when a stress exceeds it; it changes nothing else");
}

void fields(FieldVisitor& v, Circle& s) {
  v.type("circle");
  v.value(required, "diameter", s.diameter, dimension::length, range::positive, "of the solid bar");
}

void fields(FieldVisitor& v, Tube& s) {
  v.type("tube");
  v.value(required, "outer_diameter", s.outer_diameter, dimension::length, range::positive, "outer diameter");
  v.value(required, "inner_diameter", s.inner_diameter, dimension::length, range::non_negative,
          "inner diameter, smaller than the outer one");
}

void fields(FieldVisitor& v, Rectangle& s) {
  v.type("rectangle");
  v.value(required, "width_y", s.width_y, dimension::length, range::positive, "along the link's y");
  v.value(required, "height_z", s.height_z, dimension::length, range::positive, "along the link's z");
}

void fields(FieldVisitor& v, Box& s) {
  v.type("box");
  v.value(required, "width_y", s.width_y, dimension::length, range::positive, "outside, along the link's y");
  v.value(required, "height_z", s.height_z, dimension::length, range::positive, "outside, along the link's z");
  v.value(required, "thickness", s.thickness, dimension::length, range::positive,
          "of the walls; less than half the smaller side");
}

void fields(FieldVisitor& v, GeneralSection& s) {
  v.value(required, "area", s.area, dimension::area, range::positive, "of the section");
  v.value(required, "Iy", s.Iy, dimension::second_moment, range::positive, "second moment about y (bending along z)");
  v.value(required, "Iz", s.Iz, dimension::second_moment, range::positive, "second moment about z (bending along y)");
  v.value(optional, "J", s.J, dimension::second_moment, range::positive,
          "torsion constant; default: Iy + Iz, which is right for round sections only");
  v.value(optional, "outer_y", s.outer_y, dimension::length, range::positive,
          "distance of the outermost fibres from the axis along y; with outer_z, runs also give strain and stress");
  v.value(optional, "outer_z", s.outer_z, dimension::length, range::positive, "the same along z");
}

void fields(FieldVisitor& v, Section& s) {
  v.type("section");
  v.value(optional, "shear", s.shear, dimension::number, range::positive,
          "shear coefficient; default: by Cowper's formula");
  v.tagged<Circle>("circle", s.shape, "a solid round bar");
  v.tagged<Tube>("tube", s.shape, "a round tube");
  v.tagged<Rectangle>("rectangle", s.shape, "a solid rectangle");
  v.tagged<Box>("box", s.shape, "a rectangular tube");
  v.otherwise<GeneralSection>(s.shape);
}

void fields(FieldVisitor& v, InertiaEntries& i) {
  v.type("inertia");
  const char* diagonal = "matrix element about the mass centre, in link axes";
  const char* product = "matrix element: minus the integral of the product";
  v.value(optional, "xx", i.xx, dimension::inertia, range::any, diagonal);
  v.value(optional, "yy", i.yy, dimension::inertia, range::any, diagonal);
  v.value(optional, "zz", i.zz, dimension::inertia, range::any, diagonal);
  v.value(optional, "xy", i.xy, dimension::inertia, range::any, product);
  v.value(optional, "xz", i.xz, dimension::inertia, range::any, product);
  v.value(optional, "yz", i.yz, dimension::inertia, range::any, product);
}

void fields(FieldVisitor& v, Modes& m) {
  v.type("modes");
  v.count(optional, "bending_y", m.bending_y, 0, "shapes of deflection along y (curvature about z)");
  v.count(optional, "bending_z", m.bending_z, 0, "shapes of deflection along z");
  v.count(optional, "torsion", m.torsion, 0, "shapes of twist");
  v.count(optional, "axial", m.axial, 0, "shapes of stretch");
  v.choice(optional, "shape", m.shape, "kind of shape functions");
  v.flag(optional, "stiffening", m.stiffening,
         "whether the beam shortens as it bends (second order), so that fast spin and tension stiffen it and "
         "compression softens it");
}

void fields(FieldVisitor& v, StrainTerms& s) {
  v.type("strains");
  v.count(optional, "bending_y", s.bending_y, 0, "terms of the curvature that deflects along y");
  v.count(optional, "bending_z", s.bending_z, 0, "terms of the curvature that deflects along z");
  v.count(optional, "torsion", s.torsion, 0, "terms of the twist per length");
  v.count(optional, "axial", s.axial, 0, "terms of the stretch; without them the axis keeps its length");
  v.count(optional, "shear_y", s.shear_y, 0, "terms of the shear along y; needs rotary inertia");
  v.count(optional, "shear_z", s.shear_z, 0, "terms of the shear along z; needs rotary inertia");
  v.count(optional, "pieces", s.pieces, 1,
          "equal parts of the beam, each with its own terms; more for tips that turn far, or for waves along the beam");
}

void fields(FieldVisitor& v, Elements& e) {
  v.count(required, "elements", e.count, 1, "number of beam elements");
  v.choice(optional, "element", e.element,
           "`exact` cannot lock; `linear` is the two-node Timoshenko element with one-point shear");
  v.choice(optional, "integration", e.integration, "of the shear in the linear element; `full` locks");
  v.choice(optional, "plane", e.plane,
           "`both`; or bending along `y` or `z` only, with three coordinates per node instead of six");
  v.values(optional, "mesh", e.mesh, dimension::number, range::positive,
           "element lengths from root to tip, as fractions of the beam's length; default: all equal");
  v.count(optional, "keep", e.keep, 1, "number of coordinates left after a reduction; default: all");
  v.choice(optional, "reduction", e.reduction,
           "`craig-bampton` keeps unit motions of the tip, then modes with the tip held; `eigenmodes` keeps the lowest "
           "modes");
  v.flag(optional, "stiffening", e.stiffening,
         "whether the beam shortens as it bends (second order), so that fast spin and tension stiffen it and "
         "compression softens it; for at most 60 "
         "coordinates");
}

/// What `springs` of segments says: a rule by its word, or a rule and stiffnesses.
struct SpringsOfSegments {
  SegmentSprings rule = SegmentSprings::calibrated;
  HingeSprings given = {};
};

void fields(FieldVisitor& v, SpringsOfSegments& s) {
  v.type("springs");
  v.short_choice(s.rule,
                 "`calibrated`: a hinge in the middle of each segment, as soft as the segment; `paper`: a hinge at the "
                 "root side of each segment, the first at the beam's root");
  v.choice(optional, "rule", s.rule,
           "where the hinges are, and the stiffness of the directions that are not given here");
  std::vector<double> both;
  v.values(optional, "bending", both, dimension::angular_stiffness, range::positive,
           "stiffness of the hinges in both planes, from root to tip: one value for each hinge, or one for all");
  if (!both.empty()) s.given.bending_y = s.given.bending_z = both;
  v.values(optional, "bending_y", s.given.bending_y, dimension::angular_stiffness, range::positive,
           "the same for bending along y alone");
  v.values(optional, "bending_z", s.given.bending_z, dimension::angular_stiffness, range::positive,
           "the same for bending along z alone");
  v.values(optional, "torsion", s.given.torsion, dimension::angular_stiffness, range::positive, "the same for torsion");
}

void fields(FieldVisitor& v, Segments& s) {
  v.count(required, "segments", s.count, 1, "number of rigid pieces, joined by springs");
  SpringsOfSegments springs{s.springs, s.given};
  v.object(optional, "springs", springs, "stiffness of the hinges, or the rule for it");
  s.springs = springs.rule;
  s.given = springs.given;
  v.flags(optional, "locked",
          {{"bending_y", &s.locked.bending_y}, {"bending_z", &s.locked.bending_z}, {"torsion", &s.locked.torsion}},
          "directions in which the hinges do not turn; these have no coordinates");
}

void fields(FieldVisitor& v, Flexibility& f) {
  v.type("flexibility");
  v.word<NoFlexibility>("rigid", f, "the beam does not bend");
  v.tagged<Modes>("modes", f, "assumed shapes: how many of each kind");
  v.tagged<StrainTerms>("strains", f,
                        "exact for any deflection and spin: how many Legendre terms describe each strain");
  v.inline_tagged<Elements>("elements", f);
  v.inline_tagged<Segments>("segments", f);
}

void fields(FieldVisitor& v, SectionStep& s) {
  v.type("step");
  v.value(required, "at", s.at, dimension::length, range::positive, "distance from the root");
  v.object(required, "section", s.section, "the section from there on");
}

void fields(FieldVisitor& v, DampingRatio& d) {
  v.value(required, "ratio", d.ratio, dimension::number, range::non_negative,
          "fraction of critical damping in every natural mode of this link alone, clamped at its root and without the "
          "links and payloads that it carries; the modes of the arm are slower and get much less: see `damping` of the "
          "arm");
}

void fields(FieldVisitor& v, RayleighDamping& d) {
  v.type("rayleigh");
  v.value(optional, "alpha", d.alpha, dimension::gain_rate, range::non_negative, "times the mass matrix");
  v.value(optional, "beta", d.beta, dimension::time, range::non_negative, "times the stiffness matrix");
}

void fields(FieldVisitor& v, LossFactor& d) {
  v.value(required, "loss_factor", d.loss_factor, dimension::number, range::non_negative,
          "of the material; acts as a damping ratio of half its value");
}

void fields(FieldVisitor& v, StructuralDamping& d) {
  v.type("structural damping");
  v.inline_tagged<DampingRatio>("ratio", d);
  v.tagged<RayleighDamping>("rayleigh", d, "alpha M + beta K");
  v.inline_tagged<LossFactor>("loss_factor", d);
}

void fields(FieldVisitor& v, Beam& b) {
  v.type("beam");
  v.value(required, "length", b.length, dimension::length, range::positive,
          "along the neutral axis, which is the link's x");
  v.object(required, "material", b.material, "what it is made of");
  v.object(required, "section", b.section, "the cross-section");
  v.object(required, "flexibility", b.flexibility, "how the beam bends");
  v.object(optional, "tip_section", b.tip_section,
           "a section of the same kind at the tip; the dimensions taper linearly towards it");
  v.list(optional, "steps", b.steps, "places where the section changes");
  v.object(optional, "damping", b.damping, "of the beam itself; default: none");
}

}  // namespace lithe
