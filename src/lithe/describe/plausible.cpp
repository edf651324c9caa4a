#include "lithe/describe/plausible.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "lithe/describe/bodies.h"
#include "lithe/describe/field.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/mesh_solid.h"
#include "lithe/describe/sections.h"

namespace lithe {
namespace {

// Bounds: wide enough for everything from which arms have been made, and narrow enough to detect a forgotten prefix, which is a factor
// of a thousand or more. Handbook values: Ashby, Materials Selection in Mechanical Design, appendix on properties.
constexpr double softest = 1e3, stiffest = 1.3e12;       // E [Pa]: hydrogel; diamond has 1.2e12
constexpr double densest = 23000;                        // [kg/m^3]: osmium has 22590
constexpr double slowest_wave = 3, fastest_wave = 30e3;  // √(E/ρ) [m/s]: hydrogel; diamond has 19e3
constexpr double airy = 10, airy_wave = 300;             // [kg/m^3], [m/s]: lighter solids are aerogels, which are soft
constexpr double heavy = 2300, heavy_wave = 300;         // no rubber or gel weighs more; lead has 1200 m/s, PTFE 480
constexpr double lightest_body = 10;                     // [kg/m^3] polystyrene foam
constexpr double least_shear = 1e-5;                     // G/E; graphite fibres across have 0.005
constexpr double weakest = 1e3, strongest = 1e11;        // yield strength [Pa]
constexpr double thickest = 2;                           // size of a section over length: a disc rather than a beam
constexpr double thinnest = 1e-5;                        // radius of gyration over length: a hair of 10 m
constexpr double least_roundness = 0.01;                 // (Iy + Iz)·2π/A²: at least 1, the value of a full circle
constexpr double most_sag = 1000;                        // in lengths, under its own weight: a thread
constexpr double slowest_beam = 1e-3,
                 fastest_beam = 1e7;  // first frequency, clamped [Hz]: solar sails; micro-cantilevers
constexpr double longest = 300;       // [m]: the longest booms have 100
constexpr double largest_mesh = 20;   // [m]: one solid part, of a file without its unit
constexpr double widest = 10;         // offset or radius of gyration over the arm's size
constexpr double heaviest_held = 100,
                 heaviest_floating = 1000;               // payload over mass of links; the Shuttle's arm moved 650
constexpr double strongest_gravity = 100;                // [m/s^2]: Jupiter has 25
constexpr double most_turns = 2, most_placed_turns = 1;  // of a joint; of an angle that places something

bool within(double value, double low, double high) { return value >= low && value <= high; }

class Doubter {
 public:
  Doubter(const Case& data, const std::function<std::string(const std::string&)>& text)
      : data_(data), text_(text), names_(joint_names(data.arm)) {}

  std::vector<Problem> run() {
    const ArmSpec& arm = data_.arm;
    if (const double g = arm.gravity.norm(); g > strongest_gravity)
      doubt("arm.gravity", fmt::format("{:g} m/s^2 is more than any planet's: did you mean {:g} mm/s^2?", g, g));
    measure();
    origin(arm.base.origin, "arm.base.origin");
    if (arm.base.body) body(*arm.base.body, "arm.base.rigid");
    for (size_t i = 0; i < arm.mounts.size(); ++i)
      origin(arm.mounts[i].origin, fmt::format("arm.mounts[{}].origin", i));
    for (size_t i = 0; i < arm.links.size(); ++i) link(arm.links[i], fmt::format("arm.links[{}]", i));
    motions();
    return std::move(doubts_);
  }

 private:
  void doubt(const std::string& path, std::string message) {
    doubts_.push_back({Problem::Severity::warning, {}, path, std::move(message)});
  }

  // ---- what the rest is compared with

  void measure() {
    for (const LinkSpec& link : data_.arm.links) {
      if (link.joint.origin) size_ += link.joint.origin->xyz.norm();
      if (link.joint.dh) size_ += std::hypot(link.joint.dh->a, link.joint.dh->d);
      if (link.beam) {
        size_ += link.beam->length;
        mass_ += beam_properties(*link.beam, false).mass;
      }
      if (link.rigid) {
        const BodyProperties body = body_properties(*link.rigid);
        size_ += body.length;
        mass_ += body.mass;
      }
      if (link.imported) mass_known_ = false;
    }
  }

  // ---- links

  void link(const LinkSpec& link, const std::string& path) {
    const JointSpec& joint = link.joint;
    if (joint.origin) origin(*joint.origin, path + ".joint.origin");
    if (joint.dh) {
      length(joint.dh->a, path + ".joint.dh.a");
      length(joint.dh->d, path + ".joint.dh.d");
      placed_angle(joint.dh->alpha, path + ".joint.dh.alpha");
      placed_angle(joint.dh->theta, path + ".joint.dh.theta");
    }
    if (joint_unit(joint.type) == CoordinateUnit::radians) {
      if (joint.limits) {
        joint_angle(joint.limits->lower, path + ".joint.limits.lower");
        joint_angle(joint.limits->upper, path + ".joint.limits.upper");
      }
      if (joint.spring) joint_angle(joint.spring->rest, path + ".joint.spring.rest");
    }
    if (link.beam) beam(*link.beam, path + ".beam");
    if (link.rigid) {
      if (link.rigid->length) length(*link.rigid->length, path + ".rigid.length");
      body(*link.rigid, path + ".rigid");
    }
    for (size_t k = 0; k < link.payloads.size(); ++k)
      payload(link.payloads[k], item_path(path + ".payload", link.payloads.size(), k));
  }

  void beam(const Beam& beam, const std::string& path) {
    const size_t before = doubts_.size();
    length(beam.length, path + ".length");
    if (!is_of_ones(beam.section)) {
      if (beam.material.name.empty()) material(beam.material, path + ".material");
      section(beam.section, beam.length, path + ".section");
    }
    if (beam.tip_section) section(*beam.tip_section, beam.length, path + ".tip_section");
    for (size_t i = 0; i < beam.steps.size(); ++i)
      section(beam.steps[i].section, beam.length, fmt::format("{}.steps[{}].section", path, i));
    if (doubts_.size() > before || std::holds_alternative<NoFlexibility>(beam.flexibility)) return;
    // Each number is possible by itself; here they are checked together, in the stiffer plane, because strips are thin in the other.
    const SectionConstants s = section_constants(beam.section, beam.material.nu);
    const double r2 = std::max(s.Iy, s.Iz) / s.area, c2 = beam.material.E / beam.material.density, L = beam.length;
    const double sag = data_.arm.gravity.norm() * L * L / (8 * c2 * r2) * L;
    const double f = 1.8751 * 1.8751 / (2 * std::numbers::pi) * std::sqrt(c2 * r2) / (L * L);
    if (sag > most_sag)
      doubt(path, fmt::format("held level, it would sag by {:.2g} times its length under its own weight: are the units "
                              "right (mm, GPa, kg/m^3)?",
                              sag));
    else if (!within(f, slowest_beam, fastest_beam))
      doubt(path, fmt::format(
                      "clamped at its root, it would vibrate at {:.2g} Hz: are the units right (mm, GPa, kg/m^3)?", f));
  }

  /// Area and second moments are 1: E and density then mean EI and mass per length, as papers give them.
  static bool is_of_ones(const Section& section) {
    const auto* numbers = std::get_if<GeneralSection>(&section.shape);
    return numbers != nullptr && numbers->area == 1 && numbers->Iy == 1 && numbers->Iz == 1;
  }

  void material(const Material& m, const std::string& path) {
    double E = m.E;  // the value that was probably intended, if E is questioned
    if (!within(E, softest, stiffest)) {
      const std::optional<double> meant = likely_modulus(E);
      doubt(path + ".E",
            fmt::format("{:g} Pa is {} than any solid has{}", E, E < softest ? "less" : "more", in_gpa(meant)));
      E = meant.value_or(E);
    }
    if (m.density > densest) {
      doubt(path + ".density",
            fmt::format("{:g} kg/m^3 is more than any solid has{}", m.density, likely_density(m.density)));
      return;
    }
    const double c = std::sqrt(E / m.density);
    if (c > fastest_wave || (m.density < airy && c > airy_wave)) {
      if (const std::string meant = likely_density(m.density); m.density < 25 && !meant.empty())
        doubt(path + ".density",
              fmt::format("{:g} kg/m^3 is less than any solid of such stiffness has{}", m.density, meant));
      else if (E == m.E)
        doubt(
            path,
            fmt::format(
                "E and density make a wave speed of {:.2g} m/s, more than in any solid: did you mean GPa, kg/m^3?", c));
    } else if (E == m.E && (c < slowest_wave || (m.density > heavy && c < heavy_wave))) {
      doubt(path + ".E",
            fmt::format("{:g} Pa makes a wave speed of {:.2g} m/s, less than in any solid of such density{}", E, c,
                        in_gpa(likely_modulus(E))));
    }
    if (m.G && *m.G < least_shear * E)
      doubt(path + ".G", fmt::format("{:g} Pa is less than any solid has{}", *m.G, in_gpa(likely_modulus(*m.G))));
    if (m.yield_strength && !within(*m.yield_strength, weakest, strongest))
      doubt(path + ".yield_strength",
            fmt::format("{:g} Pa is {} than any solid bears: did you mean {:g} MPa?", *m.yield_strength,
                        *m.yield_strength < weakest ? "less" : "more", *m.yield_strength));
  }

  /// The modulus of an engineering material that was probably meant, if the prefix is wrong.
  static std::optional<double> likely_modulus(double value) {
    for (const double factor : {1e9, 1e6, 1e3, 1e-9, 1e-6, 1e-3})
      if (within(value * factor, 1e8, stiffest)) return value * factor;
    return std::nullopt;
  }
  static std::string in_gpa(const std::optional<double>& meant) {
    return meant ? fmt::format(": did you mean {:g} GPa?", *meant / 1e9) : "";
  }
  static std::string likely_density(double value) {
    constexpr std::pair<double, const char*> units[] = {{1e3, "g/cm^3"}, {1e9, "kg/mm^3"}, {1e12, "t/mm^3"}};
    for (const auto& [factor, unit] : units)
      if (within(value * factor, 500, densest))
        return fmt::format(": did you mean {:g} {} ({:g} kg/m^3)?", value, unit, value * factor);
    if (within(value / 1e3, 500, densest)) return fmt::format(": did you mean {:g} kg/m^3?", value / 1e3);
    return "";
  }

  void section(const Section& section, double length, const std::string& path) {
    const auto size = [&](double across, const char* key) {
      if (across > thickest * length)
        doubt(path + key,
              fmt::format("{:g} m across, on a link {:g} m long: did you mean {:g} mm?", across, length, across));
    };
    if (const auto* circle = std::get_if<Circle>(&section.shape)) {
      size(circle->diameter, ".circle.diameter");
    } else if (const auto* tube = std::get_if<Tube>(&section.shape)) {
      size(tube->outer_diameter, ".tube.outer_diameter");
    } else if (const auto* rectangle = std::get_if<Rectangle>(&section.shape)) {
      size(rectangle->width_y, ".rectangle.width_y");
      size(rectangle->height_z, ".rectangle.height_z");
    } else if (const auto* box = std::get_if<Box>(&section.shape)) {
      size(box->width_y, ".box.width_y");
      size(box->height_z, ".box.height_z");
    } else if (const auto* numbers = std::get_if<GeneralSection>(&section.shape)) {
      return general(*numbers, length, path);
    }
    const SectionConstants s = section_constants(section, 0.3);
    if (const double r = std::sqrt(std::max(s.Iy, s.Iz) / s.area); r < thinnest * length)
      doubt(path, fmt::format("thinner than a hair on a link {:g} m long: did you mean mm?", length));
  }

  void general(const GeneralSection& s, double length, const std::string& path) {
    if (const double across = std::sqrt(s.area); across > thickest * length)
      return doubt(path + ".area",
                   fmt::format("{:g} m^2 is {:g} m across, on a link {:g} m long: did you mean {:g} mm^2?", s.area,
                               across, length, s.area));
    const auto radius = [&](double moment, const char* key) {
      const double r = std::sqrt(moment / s.area);
      if (r > thickest * length)
        doubt(path + key, fmt::format("with this area, it gives a radius of gyration of {:g} m, on a link {:g} m long: "
                                      "did you mean {:g} mm^4?",
                                      r, length, moment));
    };
    radius(s.Iy, ".Iy");
    radius(s.Iz, ".Iz");
    const bool is_tiny = (s.Iy + s.Iz) * 2 * std::numbers::pi < least_roundness * s.area * s.area;
    if (is_tiny || std::sqrt(std::max(s.Iy, s.Iz) / s.area) < thinnest * length)
      doubt(path, fmt::format(
                      "no section has so little Iy + Iz, {:g} m^4, with an area of {:g} m^2: did you mean mm^4, mm^2?",
                      s.Iy + s.Iz, s.area));
  }

  void body(const RigidBody& body, const std::string& path) {
    const BodyProperties p = body_properties(body);
    if (body.density && !within(*body.density, lightest_body, densest))
      doubt(path + ".density",
            fmt::format("{:g} kg/m^3 is {} than any solid has{}", *body.density,
                        *body.density < lightest_body ? "less" : "more", likely_density(*body.density)));
    if (const double volume = volume_of(body); !body.density_formula.empty() && volume > 0)
      if (const double mean = p.mass / volume; !within(mean, lightest_body, densest))
        doubt(path + ".density_formula", fmt::format("a mean of {:g} kg/m^3 is {} than any solid has{}", mean,
                                                     mean < lightest_body ? "less" : "more", likely_density(mean)));
    if (const auto* mesh = body.shape ? std::get_if<Mesh>(&*body.shape) : nullptr; mesh && mesh->unit == 1) {
      const MeshSolid solid = mesh_solid(*mesh);
      const double extent = (solid.high - solid.low).maxCoeff();
      // Such a file says no unit, and programs write millimetres.
      if (extent > largest_mesh && text_(path + ".shape.mesh.unit").empty())
        doubt(path + ".shape.mesh",
              fmt::format("{:g} m across: did you mean `unit: 1 mm`? If not, write `unit: 1 m`", extent));
    }
    if (const double volume = volume_of(body); body.mass && !body.density && volume > 0 && p.mass > densest * volume)
      doubt(path + ".mass",
            fmt::format("{:g} kg in {:g} m^3 is denser than any solid: did you mean {:g} g?", p.mass, volume, p.mass));
    const bool is_link = path != "arm.base.rigid";  // a base may be larger than the arm on it
    if (!is_link) return;
    if (body.com) offset(*body.com, path + ".com");
    if (body.inertia) inertia(*body.inertia, p.mass, path + ".inertia");
  }
  static double volume_of(const RigidBody& body) {
    if (!body.shape) return 0;
    if (const auto* block = std::get_if<Block>(&*body.shape)) return block->x * block->y * block->z;
    if (const auto* cylinder = std::get_if<Cylinder>(&*body.shape))
      return std::numbers::pi / 4 * cylinder->diameter * cylinder->diameter * cylinder->length;
    if (const auto* sphere = std::get_if<Sphere>(&*body.shape))
      return std::numbers::pi / 6 * std::pow(sphere->diameter, 3);
    if (const auto* mesh = std::get_if<Mesh>(&*body.shape)) return mesh_solid(*mesh).volume;
    return 0;
  }

  void payload(const Payload& payload, const std::string& path) {
    offset(payload.com, path + ".com");
    inertia(payload.inertia, payload.mass, path + ".inertia");
    const double most = data_.arm.gravity.norm() > 1 ? heaviest_held : heaviest_floating;
    if (mass_known_ && mass_ > 0 && payload.mass > most * mass_)
      doubt(path + ".mass",
            fmt::format("{:g} kg on links of {:g} kg in all: did you mean {:g} g?", payload.mass, mass_, payload.mass));
  }
  void offset(const Vector3d& com, const std::string& path) {
    if (size_ > 0 && com.norm() > widest * size_)
      doubt(path, fmt::format("{:g} m away, on an arm of {:g} m: did you mean mm?", com.norm(), size_));
  }
  void inertia(const InertiaEntries& entries, double mass, const std::string& path) {
    const double largest = std::max({entries.xx, entries.yy, entries.zz});
    if (size_ > 0 && mass > 0 && largest > mass * std::pow(widest * size_, 2))
      doubt(
          path,
          fmt::format(
              "{:g} kg.m^2 and {:g} kg give a radius of gyration of {:g} m, on an arm of {:g} m: did you mean kg.mm^2?",
              largest, mass, std::sqrt(largest / mass), size_));
  }

  // ---- places and angles

  void length(double value, const std::string& path) {
    if (std::abs(value) > longest)
      doubt(path, fmt::format("{:g} m is longer than any arm: did you mean {:g} mm?", value, value));
  }
  void origin(const Origin& origin, const std::string& path) {
    for (int k = 0; k < 3; ++k) {
      length(origin.xyz[k], fmt::format("{}.xyz[{}]", path, k));
      placed_angle(origin.rpy[k], fmt::format("{}.rpy[{}]", path, k));
    }
  }
  void placed_angle(double value, const std::string& path) { angle(value, path, most_placed_turns); }
  void joint_angle(double value, const std::string& path) { angle(value, path, most_turns); }
  void angle(double value, const std::string& path, double turns) {
    if (std::abs(value) <= 2 * std::numbers::pi * turns * (1 + 1e-9)) return;
    // An angle written in degrees or turns is intended.
    const std::string text = text_(path);
    const size_t unit = text.find_last_not_of("abcdefghijklmnopqrstuvwxyz°") + 1;
    if (unit < text.size() && !text.substr(unit).starts_with("rad")) return;
    doubt(path, fmt::format("{:g} rad is {:.3g} turns: did you mean {:g} deg? If not, write {:.6g} deg", value,
                            value / (2 * std::numbers::pi), value, value * 180 / std::numbers::pi));
  }

  // ---- what the arm does

  bool turns(const std::string& joint) const {
    const auto known = names_.find(joint);
    return known != names_.end() && known->second.kind == JointName::Kind::coordinate &&
           known->second.unit == CoordinateUnit::radians;
  }

  void motions() {
    if (data_.arm.damping)
      for (const auto& [joint, pose] : data_.arm.damping->at) {
        const std::string path = "arm.damping.at." + joint;
        if (turns(joint)) joint_angle(pose.position, text_(path + ".position").empty() ? path : path + ".position");
      }
    for (const auto& [joint, start] : data_.initial.joints) {
      const std::string path = "initial." + joint;
      if (turns(joint)) joint_angle(start.position, text_(path + ".position").empty() ? path : path + ".position");
    }
    if (data_.initial.base)
      for (int k = 0; k < 3; ++k) placed_angle(data_.initial.base->rpy[k], fmt::format("initial.base.rpy[{}]", k));
    for (const auto& [joint, profile] : data_.motion)
      if (turns(joint)) angles_of(profile, "motion." + joint);
    if (const auto& base = data_.arm.base.motion) {
      if (base->roll) angles_of(*base->roll, "arm.base.motion.roll");
      if (base->pitch) angles_of(*base->pitch, "arm.base.motion.pitch");
      if (base->yaw) angles_of(*base->yaw, "arm.base.motion.yaw");
    }
    for (const auto& [joint, torque] : data_.torque) {
      if (!turns(joint)) continue;
      const std::string path = "torque." + joint;
      if (const auto* pd = std::get_if<Pd>(&torque.law)) command(pd->command, path + ".pd");
      if (const auto* computed = std::get_if<ComputedTorque>(&torque.law))
        command(computed->command, path + ".computed_torque");
      if (const auto* servo = std::get_if<Servo>(&torque.law)) command(servo->command, path + ".servo");
      if (const auto* pid = std::get_if<Pid>(&torque.law)) command(pid->command, path + ".pid");
    }
    if (!data_.wind) return;
    placed_angle(data_.wind->incidence, "wind.incidence");
    if (data_.wind->incidence_over_time) angles_of(*data_.wind->incidence_over_time, "wind.incidence_over_time");
  }
  void command(const Command& command, const std::string& path) {
    if (command.target) joint_angle(*command.target, path + ".target");
    if (command.follow) angles_of(*command.follow, path + ".follow");
  }
  void angles_of(const Profile& profile, const std::string& path) {
    if (const auto* p = std::get_if<Cycloidal>(&profile.shape)) joint_angle(p->to, path + ".cycloidal.to");
    if (const auto* p = std::get_if<Quintic>(&profile.shape)) joint_angle(p->to, path + ".quintic.to");
    if (const auto* p = std::get_if<TrapezoidalVelocity>(&profile.shape))
      joint_angle(p->to, path + ".trapezoidal_velocity.to");
    if (const auto* p = std::get_if<TrapezoidalAcceleration>(&profile.shape))
      joint_angle(p->to, path + ".trapezoidal_acceleration.to");
    if (const auto* p = std::get_if<Sinusoid>(&profile.shape)) {
      joint_angle(p->amplitude, path + ".sinusoid.amplitude");
      placed_angle(p->phase, path + ".sinusoid.phase");
    }
    if (const auto* p = std::get_if<Lines>(&profile.shape))
      for (size_t i = 0; i < p->points.size(); ++i)
        joint_angle(p->points[i].to, fmt::format("{}.lines[{}].to", path, i));
    if (const auto* p = std::get_if<Sequence>(&profile.shape))
      for (size_t i = 0; i < p->parts.size(); ++i) angles_of(p->parts[i], fmt::format("{}.sequence[{}]", path, i));
    if (const auto* p = std::get_if<Steps>(&profile.shape)) {
      placed_angle(p->size, path + ".steps.size");
      if (p->of.has_value()) angles_of(*p->of, path + ".steps.of");
    }
  }

  const Case& data_;
  const std::function<std::string(const std::string&)>& text_;
  const std::map<std::string, JointName> names_;
  std::vector<Problem> doubts_;
  double size_ = 0, mass_ = 0;  // of the arm: sum of lengths and offsets of its links; mass without payloads
  bool mass_known_ = true;
};

}  // namespace

std::vector<Problem> doubts_about(const Case& data, const std::function<std::string(const std::string&)>& text) {
  return Doubter(data, text).run();
}

}  // namespace lithe
