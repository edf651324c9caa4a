#include "lithe/derive/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lithe/derive/body_recursion.h"
#include "lithe/derive/coriolis.h"
#include "lithe/derive/division.h"
#include "lithe/derive/kinematics.h"
#include "lithe/derive/passive.h"
#include "lithe/derive/strained_recursion.h"
#include "lithe/derive/traverse.h"
#include "lithe/spatial/demand.h"

namespace lithe::derive {

std::pair<int, int> bracket(int a, int b) {
  if (a > 5 || b > 5 || (a > 2 && b > 2) || a % 3 == b % 3) return {0, 0};
  const int sign = (a % 3 + 1) % 3 == b % 3 ? 1 : -1;
  return {sign, 3 - a % 3 - b % 3 + (a > 2 || b > 2 ? 3 : 0)};
}

std::string entry_code(const std::string& letter, int k, int j, int n) {
  return fmt::format("{}{}{}{}", letter, k + 1, n > 9 ? "_" : "", j + 1);
}
std::string entry_latex(const std::string& letter, int k, int j) {
  return fmt::format("{}_{{{},{}}}", letter, k + 1, j + 1);
}

namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t most_terms = 6000;  // of a folded mass matrix: more is not readable, and the unfolded form is shorter

/// Assembles the equations in one of the two algebras.
template <class Algebra>
class Assembly {
 public:
  using S = typename Algebra::Scalar;

  Assembly(const Arm& arm, const SymbolicArm& symbolic, const std::vector<bool>& link_carried, Algebra& algebra,
           Equations& e, const DeriveOptions& options)
      : arm_(arm),
        symbolic_(symbolic),
        link_carried_(link_carried),
        algebra_(algebra),
        e_(e),
        coupling_only_(options.coupling_only),
        progress_(options.progress),
        data_(options.data),
        kinematics_(options.kinematics),
        free_base_(symbolic.base_gravity.has_value()) {}

  void run() {
    std::vector<bool> known(size_t(e_.nv), false);
    if (coupling_only_)
      for (const int k : e_.split->carried) known[size_t(k)] = true;
    if (symbolic_.small_tips) {
      add_up<StrainedRecursion<Algebra>>(known);
    } else {
      add_up<BodyRecursion<Algebra>>(known);
    }
    clean();
    write_mass_matrix();
    write_coriolis_matrix();
    write_gravity();
    if (kinematics_) {
      progress_("kinematics");
      Kinematic<Algebra>(arm_, symbolic_, algebra_, e_).run(data_);
    }
  }

 private:
  template <class Recursion>
  void add_up(const std::vector<bool>& known) {
    Recursion bodies(symbolic_, algebra_, known);
    for (int i = 0; i < arm_.n_links(); ++i) {
      progress_(fmt::format("inertia of {}", arm_.link(i).name));
      bodies.place(i);
      if (coupling_only_ && !link_carried_[i]) continue;
      bodies.add_bodies(i, link_carried_[i]);
      size_t total = 0;
      for (const auto& M : bodies.terms().M)
        for (int k = 0; k < e_.nv; ++k)
          for (int j = k; j < e_.nv; ++j) total += n_terms(M[k][j]);
      if (total > most_terms)
        throw Unfoldable(fmt::format("folded, the mass matrix has more than {} terms", most_terms));
    }
    terms_ = std::move(bodies.terms());
  }

  S& entry(int part, int k, int j) { return terms_.M[part][k][j]; }
  S whole(int k, int j) const {
    S sum = terms_.M[0][k][j];
    sum += terms_.M[1][k][j];
    return sum;
  }

  /// Sums of products of numbers leave rounding errors, which are not terms.
  void clean() {
    std::vector<double> size(e_.nv, 1);
    if (e_.names.numbers())
      for (int k = 0; k < e_.nv; ++k) size[k] = std::sqrt(largest_number(whole(k, k)));
    for (int part = 0; part < 2; ++part)
      for (int k = 0; k < e_.nv; ++k)
        for (int j = 0; j < e_.nv; ++j)
          entry(part, k, j) = algebra_.cleaned(entry(part, k, j), 1e-14 * size[k] * size[j]);
    const double least =
        e_.names.numbers() ? 1e-14 * std::max(largest_number(terms_.potential[0]), largest_number(terms_.potential[1]))
                           : 1e-14;
    for (S& V : terms_.potential) V = algebra_.cleaned(V, least);
  }

  static size_t n_terms(const ex&) { return 0; }  // unfolded, there is no limit
  static size_t n_terms(const AngleSum& sum) {
    size_t n = 0;
    for (const auto& [wave, coefficient] : sum.terms()) n += terms_of(coefficient).size();
    return n;
  }
  static double largest_number(const ex&) { return 1; }
  static double largest_number(const AngleSum& sum) {
    double most = 0;
    for (const auto& [wave, coefficient] : sum.terms()) {
      for (const ex& term : terms_of(coefficient)) most = std::max(most, std::abs(number_of(term).to_double()));
    }
    return most;
  }

  void write_mass_matrix() {
    progress_("mass matrix");
    e_.M.assign(e_.nv, std::vector<ex>(e_.nv, 0));
    for (int k = 0; k < e_.nv; ++k)
      for (int j = k; j < e_.nv; ++j) {
        const std::string code = entry_code("M", k, j, e_.nv), latex = entry_latex("M", k, j);
        ex value;
        if (e_.split && !is_carried(k) && !is_carried(j)) {
          const ex own = e_.names.define("own_" + code, entry_latex("M^{L}", k, j), algebra_.written(entry(0, k, j)));
          const ex load =
              e_.names.define("load_" + code, entry_latex("M^{L/S}", k, j), algebra_.written(entry(1, k, j)));
          split_entry(e_.split->own, k, j) = split_entry(e_.split->own, j, k) = own;
          split_entry(e_.split->load, k, j) = split_entry(e_.split->load, j, k) = load;
          value = own + load;
        } else {
          value = algebra_.written(whole(k, j));
        }
        e_.M[k][j] = e_.M[j][k] = e_.names.define(code, latex, value);
      }
  }

  void write_coriolis_matrix() {
    progress_("Christoffel symbols");
    Coriolis<Algebra> coriolis(algebra_, e_, free_base_);
    if (!e_.split) {
      e_.C = coriolis({"", "M", "c", [&](int k, int j) { return whole(k, j); }, e_.M}, progress_);
      return;
    }
    // C is linear in M, so each block of M has its own. M_S depends on no coordinate of the carrier.
    auto& split = *e_.split;
    const ExMatrix zero(size_t(e_.nv), std::vector<ex>(size_t(e_.nv), 0));
    auto of_carrier = [&](const char* code, const char* slope, const char* symbol, int part, const ExMatrix& block) {
      ExMatrix named = zero;
      for (size_t k = 0; k < split.carrier.size(); ++k)
        for (size_t j = 0; j < split.carrier.size(); ++j)
          named[size_t(split.carrier[k])][size_t(split.carrier[j])] = block[k][j];
      return coriolis(
          {code, slope, symbol,
           [&, part](int k, int j) { return is_carried(k) || is_carried(j) ? S(0) : entry(part, k, j); }, named},
          progress_);
    };
    auto of_others = [&](const char* code, const char* symbol, bool both) {
      ExMatrix named = zero;
      const auto is_mine = [this, both](int k, int j) {
        return both ? is_carried(k) && is_carried(j) : is_carried(k) != is_carried(j);
      };
      for (int k = 0; k < e_.nv; ++k)
        for (int j = 0; j < e_.nv; ++j)
          if (is_mine(k, j)) named[size_t(k)][size_t(j)] = e_.M[size_t(k)][size_t(j)];
      return coriolis({code, "M", symbol, [&](int k, int j) { return is_mine(k, j) ? whole(k, j) : S(0); }, named},
                      progress_);
    };
    const ExMatrix own = of_carrier("own_", "M^{L}", "c^{L}", 0, split.own),
                   load = of_carrier("load_", "M^{L/S}", "c^{L/S}", 1, split.load),
                   coupling = of_others("coupling_", "c^{cp}", false), carried = of_others("carried_", "c^{S}", true);
    e_.C = zero;
    for (size_t k = 0; k < size_t(e_.nv); ++k)
      for (size_t j = 0; j < size_t(e_.nv); ++j) e_.C[k][j] = own[k][j] + load[k][j] + coupling[k][j] + carried[k][j];
    auto block = [](const ExMatrix& A, const std::vector<int>& rows, const std::vector<int>& columns) {
      return Equations::Split::block(A, rows, columns);
    };
    split.C_L = block(own, split.carrier, split.carrier);
    split.C_LS = block(load, split.carrier, split.carrier);
    split.C_Lcp = block(coupling, split.carrier, split.carrier);
    split.C_cp1 = block(e_.C, split.carrier, split.carried);
    split.C_cp2 = block(e_.C, split.carried, split.carrier);
    split.C_S = block(carried, split.carried, split.carried);
    split.C_Scp = block(coupling, split.carried, split.carried);
  }

  void write_gravity() {
    progress_("gravity");
    for (int k = 0; k < e_.nv; ++k) {
      const std::string code = fmt::format("G{}", k + 1), latex = fmt::format("G_{{{}}}", k + 1);
      auto part = [&](int i) {
        if (free_base_ && k < 6) return algebra_.written(algebra_.cleaned(terms_.gravity[i][size_t(k)], 1e-14));
        return algebra_.written(algebra_.slope(terms_.potential[i], k));
      };
      ex value;
      if (e_.split && !is_carried(k)) {
        e_.split->own_gravity.push_back(e_.names.define("own_" + code, fmt::format("G^{{L}}_{{{}}}", k + 1), part(0)));
        e_.split->load_gravity.push_back(
            e_.names.define("load_" + code, fmt::format("G^{{L/S}}_{{{}}}", k + 1), part(1)));
        value = e_.split->own_gravity.back() + e_.split->load_gravity.back();
      } else if (free_base_ && k < 6) {
        S sum = terms_.gravity[0][size_t(k)];
        sum += terms_.gravity[1][size_t(k)];
        value = algebra_.written(algebra_.cleaned(sum, 1e-14));
      } else {
        value = algebra_.written(algebra_.slope(S(terms_.potential[0] + terms_.potential[1]), k));
      }
      e_.G.push_back(e_.names.define(code, latex, value));
    }
    e_.potential = algebra_.written(S(terms_.potential[0] + terms_.potential[1]));
  }

  bool is_carried(int coordinate) const {
    return std::binary_search(e_.split->carried.begin(), e_.split->carried.end(), coordinate);
  }
  ex& split_entry(ExMatrix& block, int k, int j) {
    auto place = [&](int z) {
      return size_t(std::find(e_.split->carrier.begin(), e_.split->carrier.end(), z) - e_.split->carrier.begin());
    };
    return block[place(k)][place(j)];
  }

  const Arm& arm_;
  const SymbolicArm& symbolic_;
  const std::vector<bool>& link_carried_;
  Algebra& algebra_;
  Equations& e_;
  bool coupling_only_;
  const std::function<void(const std::string&)>& progress_;
  const Case* data_;
  bool kinematics_, free_base_;
  EnergyTerms<S> terms_;
};

Equations start(const Arm& arm, const DeriveOptions& options, const std::vector<bool>& link_carried) {
  Equations e{Names(options.numbers, options.neglected)};
  e.nv = arm.nv();
  e.coupling_only = options.coupling_only;
  e.order = coordinate_order(arm, link_carried, options.order);
  for (const int v : e.order) e.coordinate_names.push_back(arm.coordinates()[size_t(v)]);
  for (const TorqueInput& input : arm.torque_inputs()) {
    e.torque_rows.push_back(e.number_of(input.v));
    e.torque_names.push_back(arm.coordinates()[input.v]);
  }
  if (options.split.empty()) return e;
  e.split.emplace();
  e.split->link = options.split;
  for (int i = 0; i < arm.n_links(); ++i)
    for (int k = 0; k < arm.link(i).nv() + arm.link(i).n_flex(); ++k)
      (link_carried[i] ? e.split->carried : e.split->carrier).push_back(e.number_of(arm.link(i).v0 + k));
  for (auto* list : {&e.split->carrier, &e.split->carried}) std::sort(list->begin(), list->end());
  const size_t n = e.split->carrier.size();
  e.split->own = e.split->load = ExMatrix(n, std::vector<ex>(n, 0));
  return e;
}

template <class Algebra>
Equations assembled(const Arm& arm, const DeriveOptions& options) {
  const std::vector<bool> link_carried = carried_links(arm, options.split);
  Equations e = start(arm, options, link_carried);
  SymbolicArm symbolic(arm, e.names, options.data);
  if (e.reordered()) {
    std::vector<int> to(e.order.size());
    for (size_t k = 0; k < e.order.size(); ++k) to[size_t(e.order[k])] = int(k);
    symbolic.renumber(to);
    e.names.reorder(e.order);
  }
  for (const TorqueInput& input : arm.torque_inputs())
    e.torque_ratios.push_back(symbolic.links[size_t(input.link)].motor_ratio);
  Algebra algebra(e.names);
  if constexpr (std::is_same_v<Algebra, Folding>) {
    algebra.name_constants(e.nv > folded_coordinates && !options.numbers && !options.factored);
    algebra.take_out_factors(options.factored);
    e.factored = options.factored;
  }
  Assembly<Algebra>(arm, symbolic, link_carried, algebra, e, options).run();
  if (!options.coupling_only) add_passive_terms(arm, symbolic, e);
  return e;
}

}  // namespace

int Equations::number_of(int v) const { return int(std::find(order.begin(), order.end(), v) - order.begin()); }
bool Equations::reordered() const { return !std::is_sorted(order.begin(), order.end()); }

VectorXd Equations::rates(const VectorXd& v) const {
  VectorXd result(v.size());
  for (size_t k = 0; k < order.size(); ++k) result[long(k)] = v[order[k]];
  return result;
}
VectorXd Equations::positions(const VectorXd& q) const {
  // A free base, whose quaternion is longer than its turns, comes first in any order.
  const long more = q.size() - long(order.size());
  VectorXd result = q;
  for (long k = more; k < long(order.size()); ++k) result[more + k] = q[more + order[size_t(k)]];
  return result;
}

ExMatrix Equations::Split::block(const ExMatrix& A, const std::vector<int>& rows, const std::vector<int>& columns) {
  ExMatrix result;
  for (const int k : rows) {
    result.emplace_back();
    for (const int j : columns) result.back().push_back(A[size_t(k)][size_t(j)]);
  }
  return result;
}

Equations derive_equations(const Arm& arm, const DeriveOptions& given) {
  check_derivable(arm);
  const DeriveOptions options = cut_at_last_mount(arm, given);
  if (arm.small_tips() && (options.coupling_only || !options.split.empty()))
    throw FieldError("arm.tip_rotation",
                     "expected finite: with small tip rotations a carried arm's own mass matrix depends on "
                     "its carrier, so `derive` does not split the arm");
  if (arm.small_tips() && options.kinematics)
    throw FieldError(
        "arm.tip_rotation",
        "expected finite: with small tip rotations what a tip carries has no angular velocity, so `derive` "
        "gives no Jacobian");
  LITHE_DEMAND(!options.coupling_only || !options.split.empty());
  LITHE_DEMAND(!options.factored || !options.numbers);
  const auto begin = Clock::now();
  AngleSum::limits = {processor_seconds() + options.time_limit, most_terms};
  const auto products_before = AngleSum::products_of_terms;
  auto finish = [&](Equations e) {
    e.products_of_terms = e.folded ? AngleSum::products_of_terms - products_before : 0;
    e.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return e;
  };
  std::string reason;
  try {
    return finish(assembled<Folding>(arm, options));
  } catch (const Unfoldable& unfoldable) {
    reason = unfoldable.what();
  }
  options.progress(reason + "; deriving again, unfolded");
  Equations e = assembled<Naming>(arm, options);
  e.folded = false;
  e.unfolded_because = reason;
  return finish(std::move(e));
}

}  // namespace lithe::derive
