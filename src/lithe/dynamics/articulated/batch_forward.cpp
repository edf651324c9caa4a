#include "lithe/dynamics/articulated/batch_forward.h"

#include <algorithm>
#include <limits>
#include <thread>

#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/articulated/forward_recursion.h"
#include "lithe/dynamics/articulated/pack.h"
#include "lithe/dynamics/articulated/passive_plan.h"
#include "lithe/spatial/demand.h"

namespace lithe {

/// The working memory of one thread.
struct BatchForward::Worker {
  Worker(const Arm& of, const std::shared_ptr<const RecursionPlan>& plan)
      : arm(&of),
        recursion(plan),
        single(of),
        state(State::zero(of)),
        answer(of.nv()),
        forces(of),
        q(of.nq()),
        v(of.nv()),
        tau(of.nv()),
        passive(of.nv()),
        vdot(of.nv()) {}

  const Arm* arm;
  ForwardRecursion<Pack>::Root root;
  ForwardRecursion<Pack> recursion;
  Articulated single;  // for a state that cannot be evaluated with its neighbours
  State state;
  VectorXd answer;
  PassivePlan forces;
  std::vector<Pack> q, v, tau, passive, vdot;
  int singular = 0;

  /// The lanes of one row, a column each; beyond the last column the last one again.
  static void load(const Eigen::Ref<const MatrixXd>& from, Eigen::Index first, std::vector<Pack>& to) {
    const auto column = [&](int lane) { return from.col(std::min(first + lane, from.cols() - 1)).data(); };
    const double *a = column(0), *b = column(1), *c = column(2), *d = column(3);
    static_assert(Pack::lanes == 4);
    for (Eigen::Index row = 0; row < from.rows(); ++row) to[row] = Pack::Vector{a[row], b[row], c[row], d[row]};
  }

  void work(const Eigen::Ref<const MatrixXd>& all_q, const Eigen::Ref<const MatrixXd>& all_v,
            const Eigen::Ref<const MatrixXd>& all_tau, const Eigen::Ref<const VectorXd>& t, Eigen::Index begin,
            Eigen::Index end, Eigen::Ref<MatrixXd> all_vdot) {
    singular = 0;
    for (Eigen::Index first = begin; first < end; first += Pack::lanes) {
      load(all_q, first, q);
      load(all_v, first, v);
      load(all_tau, first, tau);
      if (first == begin || arm->root_moves()) set_root(t, first);
      if (forces.any()) forces.evaluate(q.data(), v.data(), passive.data());
      recursion.run({.q = q.data(),
                     .v = v.data(),
                     .tau = tau.data(),
                     .passive = forces.any() ? passive.data() : nullptr,
                     .root = root,
                     .vdot = vdot.data()});
      const Eigen::Index n = std::min<Eigen::Index>(Pack::lanes, end - first);
      for (int lane = 0; lane < n; ++lane) {
        auto column = all_vdot.col(first + lane);
        if ((recursion.lost_lanes() >> lane & 1) != 0) {
          state.t = t.size() > 0 ? t[first + lane] : 0;
          solve_alone(all_q.col(first + lane), all_v.col(first + lane), all_tau.col(first + lane), column);
          continue;
        }
        const bool is_singular = (recursion.singular_lanes() >> lane & 1) != 0;
        singular += is_singular;
        for (Eigen::Index row = 0; row < column.size(); ++row)
          column[row] = is_singular ? std::numeric_limits<double>::quiet_NaN() : vdot[row].v[lane];
      }
    }
  }

  void set_root(const Eigen::Ref<const VectorXd>& t, Eigen::Index first) {
    for (int lane = 0; lane < Pack::lanes; ++lane) {
      const RootAcceleration motion =
          root_acceleration(*arm, t.size() > 0 ? t[std::min(first + lane, t.size() - 1)] : 0);
      for (int k = 0; k < 3; ++k) {
        root.omega[k].v[lane] = motion.omega[k];
        root.alpha[k].v[lane] = motion.alpha[k];
        root.a[k].v[lane] = motion.a[k];
      }
    }
  }

  void solve_alone(const Eigen::Ref<const VectorXd>& one_q, const Eigen::Ref<const VectorXd>& one_v,
                   const Eigen::Ref<const VectorXd>& one_tau, Eigen::Ref<VectorXd> result) {
    state.q = one_q;
    state.v = one_v;
    try {
      single.forward(state, one_tau, answer);
      result = answer;
    } catch (const SingularError&) {
      ++singular;
      result.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
};

BatchForward::BatchForward(const Arm& arm, int threads) : arm_(arm) {
  const auto plan = std::make_shared<const RecursionPlan>(demand_finite_tips(arm_));
  for (int i = 0; i < std::max(threads, 1); ++i) workers_.push_back(std::make_unique<Worker>(arm_, plan));
}
BatchForward::~BatchForward() = default;

int BatchForward::forward(const Eigen::Ref<const MatrixXd>& q, const Eigen::Ref<const MatrixXd>& v,
                          const Eigen::Ref<const MatrixXd>& tau, Eigen::Ref<MatrixXd> vdot,
                          const Eigen::Ref<const VectorXd>& t) {
  const Eigen::Index n = q.cols();
  LITHE_DEMAND_EQUAL(q.rows(), arm_.nq());
  for (const auto* matrix : {&v, &tau}) {
    LITHE_DEMAND_EQUAL(matrix->rows(), arm_.nv());
    LITHE_DEMAND_EQUAL(matrix->cols(), n);
  }
  LITHE_DEMAND_EQUAL(vdot.rows(), arm_.nv());
  LITHE_DEMAND_EQUAL(vdot.cols(), n);
  if (t.size() > 0) LITHE_DEMAND_EQUAL(t.size(), n);
  if (n == 0) return 0;
  // Whole packs to each thread.
  const Eigen::Index packs = (n + Pack::lanes - 1) / Pack::lanes;
  const Eigen::Index n_workers = std::min<Eigen::Index>(Eigen::Index(workers_.size()), packs);
  const auto border = [&](Eigen::Index i) { return std::min(n, packs * i / n_workers * Pack::lanes); };
  std::vector<std::thread> threads;
  for (Eigen::Index i = 1; i < n_workers; ++i)
    threads.emplace_back([&, i] { workers_[size_t(i)]->work(q, v, tau, t, border(i), border(i + 1), vdot); });
  workers_[0]->work(q, v, tau, t, 0, border(1), vdot);
  for (std::thread& thread : threads) thread.join();
  int singular = 0;
  for (Eigen::Index i = 0; i < n_workers; ++i) singular += workers_[size_t(i)]->singular;
  return singular;
}

}  // namespace lithe
