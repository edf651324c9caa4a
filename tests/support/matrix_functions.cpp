#include "support/matrix_functions.h"

#include <unsupported/Eigen/KroneckerProduct>
#include <unsupported/Eigen/MatrixFunctions>

namespace lithe::testing {

Eigen::MatrixXd matrix_exponential(const Eigen::MatrixXd& A) { return A.exp(); }

Eigen::MatrixXd kronecker_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return Eigen::kroneckerProduct(A, B);
}

}  // namespace lithe::testing
