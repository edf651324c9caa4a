// Every field of a case file is declared once, in fields/: its key, unit, range, default and meaning. There is one file per
// subject, beside the structs in case/. A default is what a default-constructed struct holds.
//
// `fields` shows a visitor (field_visitor.h) all fields of one object, in the order in which they are written.
#pragma once

#include <memory>

#include "lithe/describe/fields/field_visitor.h"

namespace lithe {

inline constexpr Need optional = Need::optional;
inline constexpr Need required = Need::required;

struct Beam;
struct Case;
struct Event;
struct ForceSpec;
struct ImportedFile;
struct InertiaEntries;
struct Initial;
struct JointSpec;
struct Load;
struct Origin;
struct Payload;
struct Profile;
struct RigidBody;
struct Section;
struct Simulate;
struct SurfaceSpec;
struct Torque;
struct WindSpec;

void fields(FieldVisitor& v, Case& c);

/// A separate copy of a case for a visitor. Copies and destroys cases in one place, because the code for it is long.
struct CaseObject {
  std::shared_ptr<void> owner;
  ObjectRef object;
};
CaseObject copied_case(const Case& data);
CaseObject default_case();

// Objects that are fields of objects in another file.
void fields(FieldVisitor& v, ArmSpec& a);
void fields(FieldVisitor& v, Beam& b);
void fields(FieldVisitor& v, Event& e);
void fields(FieldVisitor& v, ForceSpec& f);
void fields(FieldVisitor& v, ImportedFile& i);
void fields(FieldVisitor& v, InertiaEntries& i);
void fields(FieldVisitor& v, Initial& i);
void fields(FieldVisitor& v, JointSpec& j);
void fields(FieldVisitor& v, Load& l);
void fields(FieldVisitor& v, Material& m);
void fields(FieldVisitor& v, Origin& o);
void fields(FieldVisitor& v, Payload& p);
void fields(FieldVisitor& v, Profile& p);
void fields(FieldVisitor& v, RigidBody& b);
void fields(FieldVisitor& v, Section& s);
void fields(FieldVisitor& v, Simulate& s);
void fields(FieldVisitor& v, SurfaceSpec& s);
void fields(FieldVisitor& v, Torque& t);
void fields(FieldVisitor& v, WindSpec& w);

/// The fields of a payload, for an object that has them among its own.
void payload_fields(FieldVisitor& v, Payload& p);

}  // namespace lithe
