// The comparison of formulations: it must pass what agrees and catch what does not, wherever the fault sits.
#include "lithe/analyse/agreement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/analyse/random_states.h"
#include "lithe/arm/kinematics.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

enum class Fault { none, forward, mass, velocity, weight, nonsense };

/// `lagrange` with a fault of one part in a million on coordinate `at`.
class Faulty : public Formulation {
 public:
  Faulty(const Arm& arm, Fault fault, int at) : Formulation("faulty", arm), inner_(arm), fault_(fault), at_(at) {}
  void mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) override {
    inner_.mass_matrix(state, M);
    if (fault_ == Fault::mass) M(at_, at_) *= 1 + 1e-6;
  }
  void bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) override {
    inner_.bias(state, terms, h);
    VectorXd part(h.size());
    const Terms wrong = fault_ == Fault::velocity ? Terms::coriolis : Terms::gravity;
    if ((fault_ != Fault::velocity && fault_ != Fault::weight) || !has(terms, wrong)) return;
    inner_.bias(state, wrong, part);
    h[at_] += 1e-6 * part[at_];
  }
  void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) override {
    inner_.forward(state, tau, vdot);
    if (fault_ == Fault::forward) vdot[at_] *= 1 + 1e-6;
    if (fault_ == Fault::nonsense) vdot[at_] = NAN;
  }
  void inverse(const State&, const Eigen::Ref<const VectorXd>&, Eigen::Ref<VectorXd>) override {}
  void hybrid(const State&, const std::vector<bool>&, Eigen::Ref<VectorXd>, Eigen::Ref<VectorXd>) override {}

 private:
  Lagrange inner_;
  Fault fault_;
  int at_;
};

Agreement against(Fault fault, const Arm& arm, int at = 0) {
  std::vector<std::unique_ptr<Formulation>> two;
  two.push_back(std::make_unique<Lagrange>(arm));
  two.push_back(std::make_unique<Faulty>(arm, fault, at));
  return agreement_of(two, {.states = 10, .costs = false});
}

/// Which quantities differ by more than the tolerance.
std::vector<std::string> differing(Fault fault, const Arm& arm) {
  const Agreement found = against(fault, arm);
  std::vector<std::string> names;
  for (size_t k = 0; k < compared_names.size(); ++k)
    if (!(found.pairs.at(0).differences[k].worst <= 1e-9)) names.emplace_back(compared_names[k]);
  return names;
}

TEST(Agreement, CatchesAFaultWhereItIs) {
  using Names = std::vector<std::string>;
  FlexibleArmOptions options;
  options.arm.tree = options.arm.fixed_joints = options.arm.prismatic = false;
  const Case shapes = random_flexible_case(3, 5, options);
  // Nodal elements, whose elastic forces exceed all others by orders: they must not hide a fault in these.
  Case nodes = shapes;
  int n_bent = 0;
  for (LinkSpec& link : nodes.arm.links)
    if (link.beam) link.beam->flexibility = Elements{4}, ++n_bent;
  ASSERT_GT(n_bent, 0);
  for (const Arm& arm : {Arm::assemble(chain_case(3, 4)), Arm::assemble(shapes), Arm::assemble(nodes)}) {
    EXPECT_EQ(differing(Fault::none, arm), Names{});
    EXPECT_EQ(differing(Fault::forward, arm), Names{"acceleration"});
    EXPECT_EQ(differing(Fault::mass, arm), (Names{"mass_matrix", "kinetic_energy"}));
    EXPECT_EQ(differing(Fault::velocity, arm), Names{"bias"});
    EXPECT_EQ(differing(Fault::weight, arm), (Names{"bias", "potential_energy"}));
    EXPECT_EQ(differing(Fault::nonsense, arm), Names{"acceleration"});
    EXPECT_TRUE(std::isnan(against(Fault::nonsense, arm).worst()));
  }
}

TEST(Agreement, HoldsOnRandomArms) {
  for (const BaseType base : {BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving}) {
    const Arm arm = Arm::assemble(random_case(6, 21, {.drive_line = true, .base = base}));
    const Agreement found = agreement(arm, {.states = 5, .costs = false});
    ASSERT_GE(found.n_covering(), 2);
    EXPECT_EQ(found.pairs.size(), size_t(found.n_covering() * (found.n_covering() - 1) / 2));
    EXPECT_EQ(found.n_singular, 0);
    EXPECT_LT(found.worst(), 1e-10);  // a tenth of what is promised
    EXPECT_GT(found.worst(), 0);      // two ways never round alike
  }
}

// Two formulations cover links that bend by strains; the others say why they do not.
TEST(Agreement, HoldsOnExactArms) {
  const Case data = random_flexible_case(4, 21, {.strains = true});
  const Arm arm = Arm::assemble(data);
  const Agreement found = agreement(arm, {.states = 5, .costs = false});
  std::vector<std::string> covering;
  for (const auto& member : found.members) {
    if (member.covers) {
      covering.push_back(member.name);
    } else if (member.name != "composed" && member.name != "recursive-lagrangian") {
      EXPECT_NE(member.path.find(".beam.flexibility.strains"), std::string::npos) << member.name << ' ' << member.path;
      EXPECT_NE(member.reason.find("bends by `strains`"), std::string::npos) << member.reason;
    }
  }
  EXPECT_EQ(covering, (std::vector<std::string>{"articulated", "kane"}));
  EXPECT_LT(found.worst(), 1e-10);
  EXPECT_GT(found.worst(), 0);
}

TEST(Agreement, SmallCoordinatesCountAsMuchAsLargeOnes) {
  // A first joint of large inertia leaves a fault in the last one as large as it was.
  const Arm arm = Arm::assemble(random_case(4, 8, {.tree = false, .fixed_joints = false}));
  Case heavy = random_case(4, 8, {.tree = false, .fixed_joints = false});
  heavy.arm.links[0].joint.motor = Motor{1e6, 1, 0};  // an inertia that dwarfs all others
  const double plain = against(Fault::mass, arm, arm.nv() - 1).pairs[0].differences[1].worst;
  const double dwarfed = against(Fault::mass, Arm::assemble(heavy), arm.nv() - 1).pairs[0].differences[1].worst;
  EXPECT_GT(plain, 1e-7);
  EXPECT_NEAR(dwarfed, plain, 0.01 * plain);
}

TEST(RandomStates, KeepToLimitsAndBendModestly) {
  FlexibleArmOptions options;
  options.arm.drive_line = true;
  const Arm arm = Arm::assemble(random_flexible_case(8, 3, options));
  const std::vector<State> states = random_states(arm, 50, 9);
  double largest_turn = 0;
  int n_limited = 0;
  for (const State& state : states)
    for (const Link& link : arm.links()) {
      if (link.forces[0].limits && link.nv() == 1) {
        ++n_limited;
        EXPECT_GE(state.q[link.q0], link.forces[0].limits->lower);
        EXPECT_LE(state.q[link.q0], link.forces[0].limits->upper);
      }
      if (link.flex)
        largest_turn =
            std::max(largest_turn, (link.flex->tip_psi * state.q.segment(link.flex_q0(), link.n_flex())).norm());
    }
  EXPECT_GT(n_limited, 0);
  EXPECT_GT(largest_turn, 0.03);
  EXPECT_LT(largest_turn, 0.3);
  EXPECT_EQ(random_states(arm, 50, 9)[49].q, states[49].q);
  EXPECT_NE(random_states(arm, 50, 10)[49].q, states[49].q);
}

TEST(RandomStates, BendExactLinksFar) {
  const Arm arm = Arm::assemble(random_flexible_case(4, 3, {.strains = true}));
  double largest = 0;
  for (const State& state : random_states(arm, 50, 9))
    for (const Link& link : arm.links())
      if (link.flex && link.flex->exact)
        largest = std::max(
            largest,
            VectorXd(link.flex->stations.psi * state.q.segment(link.flex_q0(), link.n_flex())).cwiseAbs().maxCoeff());
  EXPECT_GT(largest, 0.5);
  EXPECT_LE(largest, 0.6 + 1e-12);
}

}  // namespace
}  // namespace lithe::testing
