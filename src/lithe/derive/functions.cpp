#include "lithe/derive/functions.h"

namespace lithe::derive {
namespace {

using GiNaC::ex;

ex slope_a(const ex& x, unsigned) { return rot_da(x); }
ex slope_b(const ex& x, unsigned) { return rot_db(x); }
ex slope_c(const ex& x, unsigned) { return rot_dc(x); }

}  // namespace

REGISTER_FUNCTION(rot_a, derivative_func(slope_a))
REGISTER_FUNCTION(rot_b, derivative_func(slope_b))
REGISTER_FUNCTION(rot_c, derivative_func(slope_c))
REGISTER_FUNCTION(rot_da, dummy())
REGISTER_FUNCTION(rot_db, dummy())
REGISTER_FUNCTION(rot_dc, dummy())
REGISTER_FUNCTION(positive_part, dummy())
REGISTER_FUNCTION(negative_part, dummy())

}  // namespace lithe::derive
