#include "lithe/simulate/state_vector.h"

#include <nvector/nvector_serial.h>

#include <Eigen/Core>
#include <array>
#include <cmath>

namespace lithe {
namespace {

using Entries = Eigen::Map<Eigen::ArrayXd>;
using Four = Eigen::Array4d;

Entries entries(N_Vector x) { return {NV_DATA_S(x), NV_LENGTH_S(x)}; }

void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z) {
  entries(z) = a * entries(x) + b * entries(y);
}

void scale(realtype a, N_Vector x, N_Vector z) {
  if (a != 1) {
    entries(z) = a * entries(x);
  } else if (x != z) {
    entries(z) = entries(x);
  }
}

/// z = Σ c[k] x[k], four entries at a time through all terms. z may be x[0].
int linear_combination(int n, realtype* c, N_Vector* x, N_Vector z) {
  constexpr int most = 32;  // terms in one pass; methods have far fewer
  std::array<const double*, most> term;
  double* sum = NV_DATA_S(z);
  const Eigen::Index size = NV_LENGTH_S(z);
  for (int first = 0; first < n; first += most) {
    const int last = std::min(n, first + most);
    for (int k = first; k < last; ++k) term[k - first] = NV_DATA_S(x[k]);
    const bool begins = first == 0;
    Eigen::Index i = 0;
    for (; i + 4 <= size; i += 4) {
      Four four = begins ? Four(Four::Zero()) : Four(Eigen::Map<const Four>(sum + i));
      for (int k = first; k < last; ++k) four += c[k] * Eigen::Map<const Four>(term[k - first] + i);
      Eigen::Map<Four>(sum + i) = four;
    }
    for (; i < size; ++i) {
      double one = begins ? 0 : sum[i];
      for (int k = first; k < last; ++k) one += c[k] * term[k - first][i];
      sum[i] = one;
    }
  }
  return 0;
}

/// z[k] = a[k] x + y[k].
int scale_add_multi(int n, realtype* a, N_Vector x, N_Vector* y, N_Vector* z) {
  for (int k = 0; k < n; ++k) entries(z[k]) = a[k] * entries(x) + entries(y[k]);
  return 0;
}

realtype weighted_rms(N_Vector x, N_Vector w) {
  return std::sqrt((entries(x) * entries(w)).square().sum() / double(NV_LENGTH_S(x)));
}

}  // namespace

N_Vector new_state_vector(int size, SUNContext context) {
  N_Vector y = N_VNew_Serial(size, context);
  auto& operations = *y->ops;
  operations.nvlinearsum = linear_sum;
  operations.nvscale = scale;
  operations.nvlinearcombination = linear_combination;
  operations.nvscaleaddmulti = scale_add_multi;
  operations.nvwrmsnorm = weighted_rms;
  return y;
}

void error_weights(double rtol, double atol, N_Vector y, N_Vector weights) {
  entries(weights) = (rtol * entries(y).abs() + atol).inverse();
}

}  // namespace lithe
