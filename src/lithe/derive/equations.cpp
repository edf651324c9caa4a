#include "lithe/derive/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lithe/derive/body_recursion.h"
#include "lithe/derive/passive.h"
#include "lithe/derive/traverse.h"
#include "lithe/describe/spelling.h"
#include "lithe/spatial/demand.h"

namespace lithe::derive {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t most_terms = 6000;  // of a folded mass matrix: more is not readable, and the unfolded form is shorter
constexpr int folded_coordinates = 4;  // up to which Christoffel symbols are folded into one sum each

/// The bracket of unit rigid motions a and b of a free base ([ω; v] in its axes): sign and number of the unit motion it is.
std::pair<int, int> bracket(int a, int b) {
  if (a > 5 || b > 5 || (a > 2 && b > 2) || a % 3 == b % 3) return {0, 0};
  const int sign = (a % 3 + 1) % 3 == b % 3 ? 1 : -1;
  return {sign, 3 - a % 3 - b % 3 + (a > 2 || b > 2 ? 3 : 0)};
}

std::string entry_code(const char* letter, int k, int j, int n) {
  return fmt::format("{}{}{}{}", letter, k + 1, n > 9 ? "_" : "", j + 1);
}
std::string entry_latex(const char* letter, int k, int j) { return fmt::format("{}_{{{},{}}}", letter, k + 1, j + 1); }

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
        free_base_(symbolic.base_gravity.has_value()) {}

  void run() {
    std::vector<bool> known(size_t(e_.nv), false);
    if (coupling_only_)
      for (const int k : e_.split->carried) known[size_t(k)] = true;
    BodyRecursion<Algebra> bodies(symbolic_, algebra_, known);
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
    terms_ = &bodies.terms();
    clean();
    write_mass_matrix();
    write_coriolis_matrix();
    write_gravity();
  }

 private:
  S& entry(int part, int k, int j) { return terms_->M[part][k][j]; }
  S whole(int k, int j) const {
    S sum = terms_->M[0][k][j];
    sum += terms_->M[1][k][j];
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
    const double least = e_.names.numbers() ? 1e-14 * std::max(largest_number(terms_->potential[0]),
                                                               largest_number(terms_->potential[1]))
                                            : 1e-14;
    for (S& V : terms_->potential) V = algebra_.cleaned(V, least);
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
    e_.C.assign(e_.nv, std::vector<ex>(e_.nv, 0));
    if (std::is_same_v<Algebra, Folding> && e_.nv <= folded_coordinates) {
      write_folded_symbols();
    } else {
      write_named_slopes();
    }
    if (free_base_) add_base_brackets();
  }

  /// c_ijk as one folded sum each, by name.
  void write_folded_symbols() {
    const int n = e_.nv;
    std::vector<S> slopes(n * n * n);
    for (int k = 0; k < n; ++k)
      for (int j = k; j < n; ++j)
        for (int i = 0; i < n; ++i)
          slopes[(k * n + j) * n + i] = slopes[(j * n + k) * n + i] = algebra_.slope(whole(k, j), i);
    auto slope = [&](int k, int j, int i) -> const S& { return slopes[(k * n + j) * n + i]; };
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j) {
          const S symbol = algebra_.half(slope(k, j, i) + slope(k, i, j) - slope(i, j, k));
          ex value = algebra_.written(symbol);
          value = e_.names.define(fmt::format("c{}{}{}", i + 1, j + 1, k + 1),
                                  fmt::format("c_{{{}{}{}}}", i + 1, j + 1, k + 1), value);
          e_.C[k][j] += value * e_.names.rate(i);
          if (j > i) e_.C[k][i] += value * e_.names.rate(j);
        }
  }

  /// ∂M_kj/∂z_i by name, and C made of them.
  void write_named_slopes() {
    const int n = e_.nv;
    std::vector<ex> slopes(n * n * n);
    for (int k = 0; k < n; ++k) {
      progress_(fmt::format("derivatives of the mass matrix, row {} of {}", k + 1, n));
      for (int j = k; j < n; ++j) {
        const S whole_entry = whole(k, j);
        for (int i = 0; i < n; ++i) {
          const ex slope = algebra_.written(algebra_.slope(whole_entry, i));
          slopes[(k * n + j) * n + i] = slopes[(j * n + k) * n + i] =
              e_.names.define(fmt::format("{}_{}", entry_code("M", k, j, n), i + 1),
                              fmt::format("M_{{{},{}|{}}}", k + 1, j + 1, i + 1), slope);
        }
      }
    }
    auto slope = [&](int k, int j, int i) -> const ex& { return slopes[(k * n + j) * n + i]; };
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const ex symbol = (slope(k, j, i) + slope(k, i, j) - slope(i, j, k)) / 2;
          if (!symbol.is_zero()) e_.C[k][j] += symbol * e_.names.rate(i);
        }
  }

  void add_base_brackets() {
    for (int k = 0; k < e_.nv; ++k)
      for (int j = 0; j < e_.nv; ++j)
        for (int i = 0; i < e_.nv; ++i) {
          const auto [s_ij, ij] = bracket(i, j);
          const auto [s_jk, jk] = bracket(j, k);
          const auto [s_ki, ki] = bracket(k, i);
          const ex symbol = (s_ij * e_.M[ij][k] - s_jk * e_.M[jk][i] + s_ki * e_.M[ki][j]) / 2;
          if (!symbol.is_zero()) e_.C[k][j] += symbol * e_.names.rate(i);
        }
  }

  void write_gravity() {
    progress_("gravity");
    auto row = [&](int k, const S& V) {
      if (free_base_ && k < 6) return S(0);
      return algebra_.slope(V, k);
    };
    for (int k = 0; k < e_.nv; ++k) {
      const std::string code = fmt::format("G{}", k + 1), latex = fmt::format("G_{{{}}}", k + 1);
      ex value;
      if (e_.split && !is_carried(k) && !(free_base_ && k < 6)) {
        const ex own = algebra_.written(row(k, terms_->potential[0])),
                 load = algebra_.written(row(k, terms_->potential[1]));
        e_.split->own_gravity.push_back(e_.names.define("own_" + code, fmt::format("G^{{L}}_{{{}}}", k + 1), own));
        e_.split->load_gravity.push_back(e_.names.define("load_" + code, fmt::format("G^{{L/S}}_{{{}}}", k + 1), load));
        value = e_.split->own_gravity.back() + e_.split->load_gravity.back();
      } else if (free_base_ && k < 6) {
        value = algebra_.written(algebra_.cleaned(terms_->gravity[k], 1e-14));
      } else {
        value = algebra_.written(row(k, S(terms_->potential[0] + terms_->potential[1])));
      }
      e_.G.push_back(e_.names.define(code, latex, value));
    }
    e_.potential = algebra_.written(S(terms_->potential[0] + terms_->potential[1]));
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
  bool free_base_;
  EnergyTerms<S>* terms_ = nullptr;
};

/// Which links the arm's part outboard of a joint has.
std::vector<bool> carried_links(const Arm& arm, const std::string& name) {
  std::vector<bool> carried(arm.n_links(), false);
  if (name.empty()) return carried;
  const int cut = arm.find_link(name);
  std::vector<std::string> known;
  for (const Link& link : arm.links())
    if (link.role != LinkRole::rotor && link.role != LinkRole::base && link.parent >= 0) known.push_back(link.name);
  if (cut < 0 || std::find(known.begin(), known.end(), name) == known.end())
    throw std::invalid_argument(fmt::format("no link '{}' that is carried by another{} Links: {}", name,
                                            guess_in_sentence(name, known), comma_list(known)));
  for (const Mount& mount : arm.mounts())
    if (mount.first_link == cut) {
      // An arm of its own, which may be a tree with several links on its base, and what it carries.
      int end = arm.n_links();
      for (const Mount& next : arm.mounts())
        if (next.first_link > cut) end = std::min(end, next.first_link);
      for (int i = cut; i < arm.n_links(); ++i) carried[i] = i < end || carried[arm.link(i).parent];
      return carried;
    }
  int rotor_of_cut = -1;  // belongs to what the joint carries
  for (const Transmission& spring : arm.transmissions())
    if (spring.joint_link == cut) rotor_of_cut = spring.rotor_link;
  for (int i = 0; i < arm.n_links(); ++i) {
    carried[i] = i == cut || i == rotor_of_cut || (arm.link(i).parent >= 0 && carried[arm.link(i).parent]);
  }
  return carried;
}

Equations start(const Arm& arm, const DeriveOptions& options, const std::vector<bool>& link_carried) {
  Equations e{Names(options.numbers, options.neglected)};
  e.nv = arm.nv();
  e.coordinate_names = arm.coordinates();
  for (const TorqueInput& input : arm.torque_inputs()) {
    e.torque_rows.push_back(input.v);
    e.torque_names.push_back(arm.coordinates()[input.v]);
  }
  if (options.split.empty()) return e;
  e.split.emplace();
  e.split->link = options.split;
  for (int i = 0; i < arm.n_links(); ++i)
    for (int k = 0; k < arm.link(i).nv() + arm.link(i).n_flex(); ++k)
      (link_carried[i] ? e.split->carried : e.split->carrier).push_back(arm.link(i).v0 + k);
  const size_t n = e.split->carrier.size();
  e.split->own = e.split->load = ExMatrix(n, std::vector<ex>(n, 0));
  return e;
}

DeriveOptions cut_at_last_mount(const Arm& arm, DeriveOptions options) {
  if (options.split.empty() && !arm.mounts().empty()) options.split = arm.link(arm.mounts().back().first_link).name;
  return options;
}

template <class Algebra>
Equations assembled(const Arm& arm, const DeriveOptions& options) {
  const std::vector<bool> link_carried = carried_links(arm, options.split);
  Equations e = start(arm, options, link_carried);
  const SymbolicArm symbolic(arm, e.names, options.data);
  Algebra algebra(e.names);
  if constexpr (std::is_same_v<Algebra, Folding>) algebra.name_constants(e.nv > folded_coordinates && !options.numbers);
  Assembly<Algebra>(arm, symbolic, link_carried, algebra, e, options).run();
  if (!options.coupling_only) add_passive_terms(arm, e);
  return e;
}

}  // namespace

Equations derive_equations(const Arm& arm, const DeriveOptions& given) {
  check_derivable(arm);
  const DeriveOptions options = cut_at_last_mount(arm, given);
  LITHE_DEMAND(!options.coupling_only || !options.split.empty());
  const auto begin = Clock::now();
  AngleSum::limits = {processor_seconds() + options.time_limit, most_terms};
  auto finish = [&](Equations e) {
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
