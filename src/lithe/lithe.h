// All of the library that a user needs: read a case, assemble the arm, ask for its dynamics.
#pragma once

#include "lithe/analyse/agreement.h"
#include "lithe/analyse/linearise.h"
#include "lithe/analyse/modes.h"
#include "lithe/analyse/statics.h"
#include "lithe/arm/arm.h"
#include "lithe/arm/inverse_kinematics.h"
#include "lithe/arm/kinematics.h"
#include "lithe/arm/state.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/case_schema.h"
#include "lithe/describe/case_writer.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/results/results.h"
#include "lithe/simulate/run.h"
