// What changes during a run.
#include "lithe/describe/case/event.h"
#include "lithe/describe/fields/case_fields.h"

namespace lithe {

void fields(FieldVisitor& v, Trigger& t) {
  v.type("when");
  const JointDimension dimension =
      v.state_quantity(required, "of", t.of,
                       "a coordinate by its name in the results (`shoulder`, `upper.1`), its rate (`shoulder.rate`), "
                       "or the position of the tip (`tip.x`, `tip.y`, `tip.z`)");
  v.joint_value(optional, "rises_above", t.rises_above, dimension, range::any,
                "a value of that quantity, for rates per second, which it passes upwards");
  v.joint_value(optional, "falls_below", t.falls_below, dimension, range::any, "a value that it passes downwards");
  v.joint_value(optional, "crosses", t.crosses, dimension, range::any, "a value that it passes in either direction");
  v.exactly_one({"rises_above", "falls_below", "crosses"});
}

void fields(FieldVisitor& v, PayloadChange& p) {
  v.type("payload change");
  v.name(required, "link", p.link, "the link that carries it");
  payload_fields(v, p.payload);
  v.flag(optional, "at_rest", p.at_rest,
         "what the link carries in addition was at rest and is caught, which strikes the arm; otherwise it already "
         "moves with the link");
}

void fields(FieldVisitor& v, LoadChange& l) {
  v.type("load change");
  v.name(required, "name", l.name, "name of one of the `loads` of the case");
  v.value(required, "factor", l.factor, dimension::number, range::any,
          "multiplies it from then on: 0 switches it off, 1 on");
}

void fields(FieldVisitor& v, Event& e) {
  v.type("event");
  v.label(optional, "name", e.name, "its name in the output of a run");
  v.value(optional, "at", e.at, dimension::time, range::positive, "time at which it happens");
  v.object(optional, "when", e.when, "it happens when a quantity passes a value");
  v.object(optional, "payload", e.payload,
           "what a link carries from then on, in place of its payload there; mass 0: nothing");
  v.joint_map("torque", e.torque,
              "new laws of joints from then on; they begin at that moment, and their profiles at the joint's position");
  v.object(optional, "load", e.load, "switches a load");
  v.flag(optional, "again", e.again,
         "it happens every time `when` becomes true, not only the first time; not with a payload");
  v.exactly_one({"at", "when"});
}

}  // namespace lithe
