#include "lithe/dynamics/articulated/sines.h"

#include <cmath>
#include <experimental/simd>

namespace lithe {

void sines_and_cosines(int n, const double* angle, double* sine, double* cosine) {
  namespace stdx = std::experimental;
  using Four = stdx::fixed_size_simd<double, 4>;
  // Beyond, the library's reduction of the angle loses digits.
  constexpr double largest = 1e8;
  int k = 0;
  for (; n - k > (k == 0 ? 2 : 1); k += 4) {  // one or two alone are faster one by one, and so is a last one
    const Four x(angle + k, stdx::element_aligned);
    if (!stdx::all_of(stdx::abs(x) < largest)) break;
    stdx::sin(x).copy_to(sine + k, stdx::element_aligned);
    stdx::cos(x).copy_to(cosine + k, stdx::element_aligned);
  }
  for (; k < n; ++k) {
    sine[k] = std::sin(angle[k]);
    cosine[k] = std::cos(angle[k]);
  }
}

}  // namespace lithe
