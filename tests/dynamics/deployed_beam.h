#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe::testing {

/// A Timoshenko beam deployed from a fixed sleeve under its weight, by Galerkin's method with polynomials ξ P_i(2ξ−1) of
/// ξ = (place from the exit)/ℓ. Newton's law for sections in their own motion, smooth functions and so all second derivatives:
///   ρA(w_tt + 2ξ̇ w_ξt + ξ̇² w_ξξ + ξ̈ w_ξ) = (κGA(w_ξ/ℓ − θ))_ξ/ℓ − ρAg,   likewise θ;   by the implicit midpoint rule.
struct Deployment {
  double EI, kGA, rhoA, rhoI, g;
  double from, to, in;  // cycloidal free length
};
class DeployedBeam : Deployment {
 public:
  explicit DeployedBeam(const Deployment& data) : Deployment(data) {}
  static constexpr double pi = std::numbers::pi;
  static constexpr int n = 7, n_points = 12;

  std::vector<double> tip_history(double step, int n_steps, int every) {
    prepare();
    assemble(0);
    VectorXd z = K_.partialPivLu().solve(F_), v = VectorXd::Zero(2 * n);  // sagging, at rest
    std::vector<double> tips;
    for (int k = 1; k <= n_steps; ++k) {
      assemble((k - 0.5) * step);
      // Midpoint: v₊ − v = step a(mid), z₊ − z = step (v + v₊)/2.
      const MatrixXd left = M_ + step / 2 * C_ + step * step / 4 * K_;
      const VectorXd dv = left.partialPivLu().solve(VectorXd(step * (F_ - C_ * v - K_ * (z + step / 2 * v))));
      z += step * (v + dv / 2);
      v += dv;
      if (k % every == 0) tips.push_back(values_at_tip_.dot(z.head(n)));
    }
    return tips;
  }

 private:
  static void legendre(double s, double* p, double* d, double* dd) {
    p[0] = 1, d[0] = dd[0] = 0;
    p[1] = s, d[1] = 1, dd[1] = 0;
    for (int i = 1; i + 1 <= std::max(n, n_points); ++i) {
      p[i + 1] = ((2 * i + 1) * s * p[i] - i * p[i - 1]) / (i + 1);
      d[i + 1] = d[i - 1] + (2 * i + 1) * p[i];
      dd[i + 1] = dd[i - 1] + (2 * i + 1) * d[i];
    }
  }
  void prepare() {
    double p[20], d[20], dd[20];
    for (int k = 0; k < n_points; ++k) {
      double s = std::cos(pi * (k + 0.75) / (n_points + 0.5));
      for (int i = 0; i < 20; ++i) {
        legendre(s, p, d, dd);
        s -= p[n_points] / d[n_points];
      }
      legendre(s, p, d, dd);
      weight_[k] = 1 / ((1 - s * s) * d[n_points] * d[n_points]);  // of ξ from 0 to 1
      xi_[k] = (1 + s) / 2;
      for (int i = 0; i < n; ++i) {
        f_[k][i] = xi_[k] * p[i];
        f1_[k][i] = p[i] + 2 * xi_[k] * d[i];
        f2_[k][i] = 4 * d[i] + 4 * xi_[k] * dd[i];
      }
    }
    values_at_tip_ = VectorXd::Ones(n);
  }
  void assemble(double t) {
    const double s = std::min(t / in, 1.0), D = to - from;
    const double l = from + D * (s - std::sin(2 * pi * s) / (2 * pi)), dl = D / in * (1 - std::cos(2 * pi * s)),
                 ddl = D / (in * in) * 2 * pi * std::sin(2 * pi * s);
    M_ = C_ = K_ = MatrixXd::Zero(2 * n, 2 * n);
    F_ = VectorXd::Zero(2 * n);
    for (int k = 0; k < n_points; ++k) {
      const double w = weight_[k] * l, flow = (1 - xi_[k]) * dl / l,
                   change = (1 - xi_[k]) * (ddl / l - 2 * dl * dl / (l * l));
      for (int i = 0; i < n; ++i) {
        F_[i] -= w * rhoA * g * f_[k][i];
        for (int j = 0; j < n; ++j) {
          const double convected = flow * flow * f2_[k][j] + change * f1_[k][j];
          for (const auto& [at, inertia] : {std::pair{0, rhoA}, {n, rhoI}}) {
            M_(at + i, at + j) += w * inertia * f_[k][i] * f_[k][j];
            C_(at + i, at + j) += w * inertia * f_[k][i] * 2 * flow * f1_[k][j];
            K_(at + i, at + j) += w * inertia * f_[k][i] * convected;
          }
          K_(i, j) += w * kGA * f1_[k][i] * f1_[k][j] / (l * l);
          K_(i, n + j) -= w * kGA * f1_[k][i] / l * f_[k][j];
          K_(n + i, j) -= w * kGA * f_[k][i] * f1_[k][j] / l;
          K_(n + i, n + j) += w * (EI * f1_[k][i] * f1_[k][j] / (l * l) + kGA * f_[k][i] * f_[k][j]);
        }
      }
    }
  }
  double xi_[n_points], weight_[n_points], f_[n_points][n], f1_[n_points][n], f2_[n_points][n];
  MatrixXd M_, C_, K_;
  VectorXd F_, values_at_tip_;
};

}  // namespace lithe::testing
