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

/// Σ c[k] x[k] of the four entries from i on.
Four four_sums(int n, const realtype* c, const double* const* x, Eigen::Index i) {
  Four sum = c[0] * Eigen::Map<const Four>(x[0] + i);
  for (int k = 1; k < n; ++k) sum += c[k] * Eigen::Map<const Four>(x[k] + i);
  return sum;
}

/// z = Σ c[k] x[k], four entries at a time through all terms. z may be x[0].
int linear_combination(int n, realtype* c, N_Vector* x, N_Vector z) {
  constexpr int most = 32;  // terms in one pass; methods have far fewer
  if (n > most) {
    linear_combination(most, c, x, z);
    for (int k = most; k < n; ++k) linear_sum(1, z, c[k], x[k], z);
    return 0;
  }
  std::array<const double*, most> term;
  for (int k = 0; k < n; ++k) term[k] = NV_DATA_S(x[k]);
  double* sum = NV_DATA_S(z);
  const Eigen::Index size = NV_LENGTH_S(z);
  // The last four overlap those before; their sums are computed first, because z may be x[0].
  const Eigen::Index rest = size - 4;
  const Four last = rest >= 0 ? four_sums(n, c, term.data(), rest) : Four::Zero();
  Eigen::Index i = 0;
  for (; i < rest; i += 4) Eigen::Map<Four>(sum + i) = four_sums(n, c, term.data(), i);
  if (rest >= 0) {
    Eigen::Map<Four>(sum + rest) = last;
    return 0;
  }
  for (; i < size; ++i) {
    double one = c[0] * term[0][i];
    for (int k = 1; k < n; ++k) one += c[k] * term[k][i];
    sum[i] = one;
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
