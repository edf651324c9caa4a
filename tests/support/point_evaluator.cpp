#include "support/point_evaluator.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "lithe/describe/bodies.h"
#include "lithe/profile/profile_curve.h"
#include "support/beam_points.h"
#include "support/jet.h"
#include "support/rod_points.h"

namespace lithe::testing {
namespace {

struct Frame {
  JetMatrix R = JetMatrix::Identity();
  JetVector p = JetVector::Zero();

  JetVector operator*(const JetVector& point) const { return p + R * point; }
  Frame moved(const JetMatrix& turn, const JetVector& shift) const { return {R * turn, p + R * shift}; }
  Pose pose() const { return {part(R, &Jet::value), part(p, &Jet::value)}; }
};

struct PointMass {
  double mass;
  Vector3d place;
};

/// Seven points with the body's mass, centre and inertia: pairs on the principal axes, the rest in the centre. The weights
/// need not be positive.
std::vector<PointMass> cloud(double mass, const Vector3d& com, const Matrix3d& inertia_com) {
  const Matrix3d second_moment = inertia_com.trace() / 2 * Matrix3d::Identity() - inertia_com;  // ∫ρρᵀ dm
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(second_moment);
  const double reach = mass > 0 && second_moment.trace() > 0 ? std::sqrt(second_moment.trace() / mass) : 1;
  std::vector<PointMass> points{{mass, com}};
  for (int i = 0; i < 3; ++i) {
    const double half = principal.eigenvalues()[i] / (2 * reach * reach);
    const Vector3d arm = reach * principal.eigenvectors().col(i);
    points.push_back({half, com + arm});
    points.push_back({half, com - arm});
    points[0].mass -= 2 * half;
  }
  return points;
}

std::vector<PointMass> cloud(const BodyProperties& body) { return cloud(body.mass, body.com, body.inertia_com); }

JetMatrix rpy_jet(const Vector3d& rpy) {
  return jet_exp({0, 0, rpy[2]}) * jet_exp({0, rpy[1], 0}) * jet_exp({rpy[0], 0, 0});
}

/// A body along a link. On a link that moves by shapes its mass centre is a point that its section carries by its linear turn,
/// and its inertia is defined as that of the section is; elsewhere it is a cloud like any rigid body.
struct BodyAlong {
  BeamPoint place;
  double mass;
  Vector3d com;
  Matrix3d inertia;
  bool on_shapes;
};

/// A link with the places of its coordinates in v; `q_of_` says where those in q are.
struct Piece {
  const LinkSpec* spec;
  int parent;                    // −1: the base frame
  int i_joint, i_flex, i_rotor;  // −1: none
  std::vector<PointMass> body, payload;
  std::vector<BodyAlong> along;
  std::vector<BeamPoint> slices;
  BeamPoint tip;
  MatrixXd K, D;
  std::vector<BeamHinge> hinges;  // of a segmented beam: three coordinates each, from i_flex on
  std::optional<RodPoints> rod;   // of an exact link
};

/// The arm taken apart.
class Points {
 public:
  explicit Points(const Case& data) : spec_(data.arm) {
    if (spec_.inertia != InertiaOrder::complete) throw std::invalid_argument("points have all their inertia");
    if (spec_.base.type == BaseType::planar) add_coordinates(3, 3);
    if (spec_.base.type == BaseType::free) add_coordinates(6, 7);
    if (spec_.base.body) base_body_ = cloud(body_properties(*spec_.base.body));
    std::map<std::string, int> by_name{{"base", -1}};
    for (const LinkSpec& link : spec_.links) {
      const int i = int(pieces_.size());
      pieces_.push_back(piece(link, link.parent ? by_name.at(*link.parent) : i - 1));
      by_name[link.name] = i;
    }
  }

  int nv() const { return nv_; }
  const std::vector<Piece>& pieces() const { return pieces_; }
  const ArmSpec& spec() const { return spec_; }
  double position(const State& state, int i_v) const { return state.q[q_of_[size_t(i_v)]]; }

  /// Visits everything with a mass, moving by a·(v, and time) + b·(coordinate k).
  template <class Visitor>
  void visit(const State& state, int k, Visitor& visitor) const {
    auto rate = [&](int i, double value) { return Jet(value, state.v[i], i == k ? 1 : 0); };
    const Frame base = base_frame(state, rate);
    for (const PointMass& point : base_body_) visitor.point(point.mass, base * point.place.cast<Jet>());
    std::vector<Frame> tips;
    for (const Piece& piece : pieces_) {
      const JointSpec& joint = piece.spec->joint;
      const Origin origin = joint.origin.value_or(Origin{});
      Frame B = piece.parent < 0 ? base : tips[piece.parent];
      B = B.moved(rpy_jet(origin.rpy), origin.xyz.cast<Jet>());
      if (piece.i_joint >= 0) B = moved_by_joint(B, joint, piece.i_joint, state, rate);
      for (const PointMass& point : piece.body) visitor.point(point.mass, B * point.place.cast<Jet>());
      const Frame T = piece.rod              ? visit_rod(piece, B, state, rate, visitor)
                      : piece.hinges.empty() ? visit_shapes(piece, B, state, rate, visitor)
                                             : visit_segments(piece, B, state, rate, visitor);
      for (const PointMass& point : piece.payload) visitor.point(point.mass, T * point.place.cast<Jet>());
      visitor.frames(B, T);
      tips.push_back(T);
    }
  }

 private:
  /// n coordinates whose positions take n_q numbers.
  int add_coordinates(int n, int n_q) {
    for (int k = 0; k < n; ++k) q_of_.push_back(nq_ + k);
    nq_ += n_q;
    nv_ += n;
    return nv_ - n;
  }

  /// Every kind as the reference page describes it, written out again.
  template <class Rate>
  Frame moved_by_joint(const Frame& F, const JointSpec& joint, int i, const State& state, Rate rate) const {
    auto q = [&](int k) { return rate(i + k, position(state, i + k)); };
    auto along = [&](const Vector3d& axis, const Jet& amount) {
      return JetVector(axis.normalized().cast<Jet>() * amount);
    };
    const JetMatrix unturned = JetMatrix::Identity();
    const JetVector unmoved = JetVector::Zero();
    if (joint.type == "revolute") return F.moved(jet_exp(along(*joint.axis, q(0))), unmoved);
    if (joint.type == "prismatic") return F.moved(unturned, along(*joint.axis, q(0)));
    if (joint.type == "helical") {
      const Jet advance = q(0) * Jet(*joint.pitch / (2 * 3.14159265358979323846));
      return F.moved(jet_exp(along(*joint.axis, q(0))), along(*joint.axis, advance));
    }
    if (joint.type == "cylindrical") return F.moved(jet_exp(along(*joint.axis, q(0))), along(*joint.axis, q(1)));
    if (joint.type == "universal")
      return F.moved(jet_exp(along(joint.axes[0], q(0))), unmoved).moved(jet_exp(along(joint.axes[1], q(1))), unmoved);
    if (joint.type == "planar")
      return F.moved(unturned, {q(0), q(1), Jet(0)}).moved(jet_exp({Jet(0), Jet(0), q(2)}), unmoved);
    if (joint.type == "spherical") {
      const double* Q = &state.q[q_of_[size_t(i)]];
      const Matrix3d R = Quaterniond(Q[0], Q[1], Q[2], Q[3]).normalized().toRotationMatrix();
      // About the axes of the turned link, at constant rates.
      return F.moved(R.cast<Jet>(), unmoved).moved(jet_exp({rate(i, 0), rate(i + 1, 0), rate(i + 2, 0)}), unmoved);
    }
    throw std::invalid_argument("points do not know the joint " + joint.type);
  }

  /// Slices of a link that moves by its shapes (or by none), and its tip.
  template <class Rate, class Visitor>
  Frame visit_shapes(const Piece& piece, const Frame& B, const State& state, Rate rate, Visitor& visitor) const {
    auto field = [&](const Matrix3Xd& shapes) {
      JetVector sum = JetVector::Zero();
      for (int i = 0; i < shapes.cols(); ++i)
        sum += shapes.col(i).cast<Jet>() * rate(piece.i_flex + i, position(state, piece.i_flex + i));
      return sum;
    };
    auto place = [&](const BeamPoint& slice) {
      return JetVector(JetVector(Vector3d(slice.x, 0, 0).cast<Jet>()) + field(slice.phi));
    };
    for (const BeamPoint& slice : piece.slices) {
      visitor.point(slice.mass, B * place(slice));
      if (!slice.rotary.isZero(0)) visitor.section(slice.rotary, Matrix3d::Identity(), B.R, field(slice.psi));
    }
    for (const BodyAlong& body : piece.along) {
      if (!body.on_shapes) {
        for (const PointMass& point : cloud(body.mass, body.com, body.inertia))
          visitor.point(point.mass, B * (Vector3d(body.place.x, 0, 0) + point.place).cast<Jet>());
        continue;
      }
      const JetVector turn = field(body.place.psi), c = body.com.cast<Jet>();
      visitor.point(body.mass, B * JetVector(place(body.place) + c + turn.cross(c)));
      if (body.inertia.isZero(0)) continue;
      const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(body.inertia);
      visitor.section(principal.eigenvalues(), principal.eigenvectors(), B.R, turn);
    }
    const JetVector theta = field(piece.tip.psi);
    const bool finite = spec_.tip_rotation == TipRotation::finite;
    return B.moved(finite ? jet_exp(theta) : JetMatrix(JetMatrix::Identity() + jet_skew(theta)), place(piece.tip));
  }

  /// The same of a link that turns at its hinges and is straight between them.
  template <class Rate, class Visitor>
  Frame visit_segments(const Piece& piece, const Frame& B, const State& state, Rate rate, Visitor& visitor) const {
    auto along = [](double x) { return JetVector(Vector3d(x, 0, 0).cast<Jet>()); };
    Frame frame = B;
    double start = 0;  // of the straight part
    size_t i_slice = 0;
    for (size_t i = 0; i <= piece.hinges.size(); ++i) {
      const double end = i < piece.hinges.size() ? piece.hinges[i].x : piece.tip.x;
      for (; i_slice < piece.slices.size() && piece.slices[i_slice].x < end; ++i_slice) {
        const BeamPoint& slice = piece.slices[i_slice];
        visitor.point(slice.mass, frame * along(slice.x - start));
        if (!slice.rotary.isZero(0)) visitor.section(slice.rotary, Matrix3d::Identity(), frame.R, JetVector::Zero());
      }
      for (const BodyAlong& body : piece.along)
        if (body.place.x >= start && (body.place.x < end || i == piece.hinges.size()))
          for (const PointMass& point : cloud(body.mass, body.com, body.inertia))
            visitor.point(point.mass, frame * (Vector3d(body.place.x - start, 0, 0) + point.place).cast<Jet>());
      frame = frame.moved(JetMatrix::Identity(), along(end - start));
      start = end;
      if (i == piece.hinges.size()) break;
      auto turn = [&](int k) {
        return rate(piece.i_flex + 3 * int(i) + k, position(state, piece.i_flex + 3 * int(i) + k));
      };
      frame = frame.moved(jet_exp({0, 0, turn(0)}) * jet_exp({0, turn(1), 0}) * jet_exp({turn(2), 0, 0}),
                          JetVector::Zero());
    }
    return frame;
  }

  /// The same of an exact link: points, and sections and bodies that turn with it.
  template <class Rate, class Visitor>
  Frame visit_rod(const Piece& piece, const Frame& B, const State& state, Rate rate, Visitor& visitor) const {
    std::vector<Jet> delta;
    for (int k = 0; k < piece.rod->size(); ++k)
      delta.push_back(rate(piece.i_flex + k, position(state, piece.i_flex + k)));
    Frame frame;
    for (const RodPoints::Section& section : piece.rod->sections(delta)) {
      frame = B.moved(section.R, section.p);
      if (section.mass > 0) visitor.point(section.mass, frame.p);
      if (!section.rotary.isZero(0)) visitor.section(section.rotary, Matrix3d::Identity(), frame.R, JetVector::Zero());
      if (section.body < 0) continue;
      const BodyAlong& body = piece.along[size_t(section.body)];
      for (const PointMass& point : cloud(body.mass, body.com, body.inertia))
        visitor.point(point.mass, frame * point.place.cast<Jet>());
    }
    return frame;
  }

  Piece piece(const LinkSpec& link, int parent) {
    if (link.joint.dh) throw std::invalid_argument("joints by origin and axis only");
    Piece piece{&link, parent, -1, -1, -1, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    const std::map<std::string, int> sizes{{"fixed", 0},       {"revolute", 1},  {"prismatic", 1}, {"helical", 1},
                                           {"cylindrical", 2}, {"universal", 2}, {"planar", 3},    {"spherical", 3}};
    const int n_joint = sizes.at(link.joint.type);
    if (n_joint > 0) piece.i_joint = add_coordinates(n_joint, link.joint.type == "spherical" ? 4 : n_joint);
    // A rotor's coordinate comes after those of shapes, but before those of segments, which are joints of their own.
    const bool has_rotor = link.joint.motor && link.joint.motor->stiffness;
    const bool segmented = link.beam && std::holds_alternative<Segments>(link.beam->flexibility);
    if (has_rotor && segmented) piece.i_rotor = add_coordinates(1, 1);
    piece.i_flex = nv_;
    if (link.beam) {
      if (spec_.rotary_inertia && spec_.tip_rotation == TipRotation::small)
        throw std::invalid_argument("a section on a link that is sheared has no angular velocity");
      std::vector<double> places;
      for (const Payload& payload : link.payloads)
        if (payload.at) places.push_back(*payload.at);
      if (std::holds_alternative<StrainTerms>(link.beam->flexibility)) {
        piece.rod.emplace(*link.beam, spec_.rotary_inertia, places);
        piece.K = piece.rod->K;
        piece.D = piece.rod->D;
        add_coordinates(piece.rod->size(), piece.rod->size());
        for (const Payload& payload : link.payloads)
          if (payload.at) piece.along.push_back({{}, payload.mass, payload.com, payload.inertia.matrix(), false});
      } else {
        add_beam(link, places, piece);
      }
    } else {
      const BodyProperties body = body_properties(*link.rigid);
      piece.body = cloud(body);
      piece.tip = {body.length, 0, Vector3d::Zero(), Matrix3Xd(3, 0), Matrix3Xd(3, 0)};
    }
    for (const Payload& payload : link.payloads) {
      const std::vector<PointMass> points = cloud(payload.mass, payload.com, payload.inertia.matrix());
      if (!payload.at) piece.payload.insert(piece.payload.end(), points.begin(), points.end());
      if (payload.at && link.rigid)
        for (const PointMass& point : points)
          piece.body.push_back({point.mass, Vector3d(*payload.at, 0, 0) + point.place});
    }
    if (has_rotor && !segmented) piece.i_rotor = add_coordinates(1, 1);
    return piece;
  }

  void add_beam(const LinkSpec& link, const std::vector<double>& places, Piece& piece) {
    BeamPoints beam(*link.beam, spec_.rotary_inertia, places);
    piece.slices = beam.slices;
    piece.tip = beam.tip;
    piece.K = beam.K;
    piece.D = beam.D;
    piece.hinges = beam.hinges;
    add_coordinates(beam.size(), beam.size());
    size_t next = 0;
    for (const Payload& payload : link.payloads)
      if (payload.at)
        piece.along.push_back({beam.at[next++], payload.mass, payload.com, payload.inertia.matrix(),
                               beam.hinges.empty() && beam.size() > 0});
  }

  /// Roll, then pitch, then yaw, each about a fixed axis; how fast it turns is left to the jets.
  Frame profiled_frame(const GivenMotion& motion, double t) const {
    std::array<Jet, 6> s;
    const auto given = motion.profiles();
    for (size_t k = 0; k < s.size(); ++k) {
      s[k] = k < 3 ? spec_.base.origin.xyz[int(k)] : spec_.base.origin.rpy[int(k) - 3];
      if (!*given[k].second) continue;
      const ProfileSample now = ProfileCurve(**given[k].second, 0, given[k].first).at(t);
      s[k] += Jet(now.value, now.rate, 0, now.acceleration);
    }
    return Frame().moved(jet_exp({0, 0, s[5]}) * jet_exp({0, s[4], 0}) * jet_exp({s[3], 0, 0}), {s[0], s[1], s[2]});
  }

  template <class Rate>
  Frame base_frame(const State& state, Rate rate) const {
    Frame frame = Frame().moved(JetMatrix::Identity(), spec_.base.origin.xyz.cast<Jet>());
    const JetMatrix turned = rpy_jet(spec_.base.origin.rpy);
    if (spec_.base.type == BaseType::moving) {
      const GivenMotion motion = spec_.base.motion.value_or(GivenMotion{});
      if (motion.by_profiles()) return profiled_frame(motion, state.t);
      const Jet t(state.t, 1, 0), half_t2 = t * t * Jet(0.5);
      auto after = [&](const Vector3d& speed, const Vector3d& acceleration) {
        return JetVector(speed.cast<Jet>() * t + acceleration.cast<Jet>() * half_t2);
      };
      frame = frame.moved(jet_exp(after(motion.angular_velocity, motion.angular_acceleration)),
                          after(motion.velocity, motion.acceleration));
    }
    frame = frame.moved(turned, JetVector::Zero());
    if (spec_.base.type == BaseType::planar)
      frame = frame.moved(jet_exp({0, 0, rate(2, state.q[2])}), {rate(0, state.q[0]), rate(1, state.q[1]), 0});
    if (spec_.base.type == BaseType::free) {
      const Matrix3d R0 = Quaterniond(state.q[3], state.q[4], state.q[5], state.q[6]).normalized().toRotationMatrix();
      frame = frame.moved(R0.cast<Jet>(), state.q.head<3>().cast<Jet>());
      // Velocities are in the base's own axes: at constant rates it slides along an arc, with acceleration ω×v.
      const Vector3d arc = state.v.head<3>().cross(state.v.segment<3>(3));
      JetVector turn, slide;
      for (int i = 0; i < 3; ++i) {
        turn[i] = rate(i, 0);
        slide[i] = rate(3 + i, 0) + Jet(0, 0, 0, arc[i]);
      }
      frame = frame.moved(jet_exp(turn), slide);
    }
    return frame;
  }

  const ArmSpec& spec_;
  int nv_ = 0, nq_ = 0;
  std::vector<int> q_of_;  // where the position of each coordinate is in q
  std::vector<PointMass> base_body_;
  std::vector<Piece> pieces_;
};

/// What each coordinate of a joint does by itself: the joint's own fields, or those of `coordinates`.
std::vector<std::pair<int, CoordinateSpec>> own_forces(const JointSpec& joint) {
  const std::map<std::string, std::vector<std::string>> names{{"cylindrical", {"turn", "slide"}},
                                                              {"universal", {"1", "2"}},
                                                              {"planar", {"x", "y", "turn"}},
                                                              {"spherical", {"x", "y", "z"}}};
  const auto several = names.find(joint.type);
  if (several == names.end()) return {{0, {joint.damping, joint.friction, joint.spring, joint.limits}}};
  std::vector<std::pair<int, CoordinateSpec>> forces;
  for (size_t k = 0; k < several->second.size(); ++k) {
    CoordinateSpec own;
    if (const auto given = joint.coordinates.find(several->second[k]); given != joint.coordinates.end())
      own = given->second;
    own.damping += joint.damping;
    forces.emplace_back(int(k), own);
  }
  return forces;
}

void add_joint_forces(const CoordinateSpec& joint, double q, double rate, int k, PointDynamics& result) {
  result.damping[k] += joint.damping * rate;
  if (joint.friction)
    result.damping[k] +=
        std::tanh(rate / joint.friction->smoothing) * (rate > 0 ? joint.friction->forward : joint.friction->backward);
  if (joint.spring) {
    const double stretch = q - joint.spring->rest;
    result.elastic[k] += joint.spring->stiffness * stretch;
    result.elastic_energy += joint.spring->stiffness * stretch * stretch / 2;
  }
  if (!joint.limits) return;
  const double depth = q > joint.limits->upper   ? q - joint.limits->upper
                       : q < joint.limits->lower ? q - joint.limits->lower
                                                 : 0;
  result.elastic[k] += joint.limits->stiffness * depth;
  result.elastic_energy += joint.limits->stiffness * depth * depth / 2;
  // A stop's damping acts on the way in only, and sets in over a millimetre.
  if (joint.limits->stiffness > 0 && depth * rate > 0)
    result.damping[k] += joint.limits->damping * rate * std::tanh(std::abs(depth) / 1e-3);
}

/// What one sweep in direction k finds: how every point and section moves with z_k, and the velocity forces on z_k.
struct Sweep {
  std::vector<double> weights;  // three per point and three per section
  std::vector<double> rates;    // along b
  double coriolis = 0, gravity = 0;
  // The same in every sweep.
  double twice_energy = 0, mass = 0, gravity_energy = 0;
  Vector3d first_moment = Vector3d::Zero(), linear = Vector3d::Zero(), angular = Vector3d::Zero();
  std::vector<Pose> X_WB, X_WT;
  std::vector<Vector6d> V_WT_W, along_b;
  Vector3d g;

  void point(double m, const JetVector& r) {
    const Vector3d place = part(r, &Jet::value), velocity = part(r, &Jet::a), r_k = part(r, &Jet::b);
    for (int i = 0; i < 3; ++i) {
      weights.push_back(m);
      rates.push_back(r_k[i]);
    }
    coriolis += m * r_k.dot(part(r, &Jet::aa));
    gravity -= m * r_k.dot(g);
    gravity_energy -= m * place.dot(g);
    twice_energy += m * velocity.squaredNorm();
    mass += m;
    first_moment += m * place;
    linear += m * velocity;
    angular += m * place.cross(velocity);
  }

  /// Principal moments j of an inertia along the columns of Q, link axes.
  void section(const Vector3d& j, const Matrix3d& Q, const JetMatrix& R_jet, const JetVector& theta) {
    const Matrix3d R = part(R_jet, &Jet::value), R_a = part(R_jet, &Jet::a), R_b = part(R_jet, &Jet::b),
                   R_aa = part(R_jet, &Jet::aa), R_ab = part(R_jet, &Jet::ab);
    // In the principal axes, which stay in link axes.
    auto along = [&](const Matrix3d& spin, const JetVector& turn, double Jet::*derivative) {
      return Vector3d(Q.transpose() * (vee(spin) + part(turn, derivative)));
    };
    const Vector3d w_a = along(R.transpose() * R_a, theta, &Jet::a);
    const Vector3d w_b = along(R.transpose() * R_b, theta, &Jet::b);
    const Vector3d w_a_by_a = along(R_a.transpose() * R_a + R.transpose() * R_aa, theta, &Jet::aa);
    const Vector3d w_a_by_b = along(R_b.transpose() * R_a + R.transpose() * R_ab, theta, &Jet::ab);
    const Vector3d w_b_by_a = along(R_a.transpose() * R_b + R.transpose() * R_ab, theta, &Jet::ab);
    for (int i = 0; i < 3; ++i) {
      weights.push_back(j[i]);
      rates.push_back(w_b[i]);
    }
    // T = ½ w_aᵀ j w_a, so ∂T/∂ż_k = w_aᵀ j w_b and ∂T/∂z_k = w_aᵀ j ∂w_a/∂b.
    const Vector3d jw = j.cwiseProduct(w_a);
    coriolis += j.cwiseProduct(w_a_by_a).dot(w_b) + jw.dot(w_b_by_a) - jw.dot(w_a_by_b);
    twice_energy += jw.dot(w_a);
    angular += R * (Q * jw);
  }

  void frames(const Frame& B, const Frame& T) {
    X_WB.push_back(B.pose());
    X_WT.push_back(T.pose());
    const Matrix3d R = part(T.R, &Jet::value);
    auto velocity = [&](double Jet::*along) {
      return (Vector6d() << vee(part(T.R, along) * R.transpose()), part(T.p, along)).finished();
    };
    V_WT_W.push_back(velocity(&Jet::a));
    along_b.push_back(velocity(&Jet::b));
  }
};

/// Springs, stops, damping, friction and motors, as docs/model.md defines them.
void add_drive_line(const Points& points, const State& state, PointDynamics& result) {
  for (const Piece& piece : points.pieces()) {
    if (piece.K.size() > 0) {
      VectorXd delta(piece.K.rows());
      for (int i = 0; i < delta.size(); ++i) delta[i] = points.position(state, piece.i_flex + i);
      result.elastic.segment(piece.i_flex, delta.size()) += piece.K * delta;
      result.elastic_energy += delta.dot(piece.K * delta) / 2;
      result.damping.segment(piece.i_flex, delta.size()) += piece.D * state.v.segment(piece.i_flex, delta.size());
    }
    for (size_t i = 0; i < piece.hinges.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const int k = piece.i_flex + 3 * int(i) + axis;
        const double stiffness = piece.hinges[i].stiffness[axis], turn = points.position(state, k);
        result.elastic[k] += stiffness * turn;
        result.elastic_energy += stiffness * turn * turn / 2;
        result.damping[k] += piece.hinges[i].damping_per_stiffness * stiffness * state.v[k];
      }
    const int k = piece.i_joint;
    if (k < 0) continue;
    const JointSpec& joint = piece.spec->joint;
    const double rate = state.v[k];
    for (const auto& [place, own] : own_forces(joint)) {
      const int i = k + place;
      add_joint_forces(own, points.position(state, i), state.v[i], i, result);
    }
    if (!joint.motor) continue;
    const Motor& motor = *joint.motor;
    const double r2 = motor.gear_ratio * motor.gear_ratio;
    const int k_rotor = motor.stiffness ? piece.i_rotor : k;
    result.M(k_rotor, k_rotor) += r2 * motor.inertia;
    result.kinetic_energy += r2 * motor.inertia * state.v[k_rotor] * state.v[k_rotor] / 2;
    if (!motor.stiffness) {
      result.damping[k] += r2 * motor.damping * rate;
      continue;
    }
    const double wind = points.position(state, k_rotor) - points.position(state, k);
    const double torque = *motor.stiffness * wind + motor.hardening * std::pow(wind, 3);
    const double drag = motor.damping * (state.v[k_rotor] - rate);
    result.elastic[k] -= torque;
    result.elastic[k_rotor] += torque;
    result.damping[k] -= drag;
    result.damping[k_rotor] += drag + r2 * motor.bearing * state.v[k_rotor];
    result.elastic_energy += *motor.stiffness * wind * wind / 2 + motor.hardening * std::pow(wind, 4) / 4;
  }
}

}  // namespace

PointDynamics point_dynamics(const Case& data, const State& state) {
  const Points points(data);
  const int nv = points.nv();
  if (state.v.size() != nv) throw std::invalid_argument("the state belongs to another arm");
  PointDynamics result;
  result.coriolis = result.gravity = result.elastic = result.damping = VectorXd::Zero(nv);

  auto sweep_along = [&](int k) {
    Sweep sweep;
    sweep.g = data.arm.gravity;
    points.visit(state, k, sweep);
    return sweep;
  };
  const Sweep motion = sweep_along(-1);
  const auto n_rates = Eigen::Index(motion.rates.size());
  MatrixXd J(n_rates, nv);
  result.Jv_V_WT_W.assign(motion.X_WT.size(), Matrix6Xd(6, nv));
  for (int k = 0; k < nv; ++k) {
    const Sweep sweep = sweep_along(k);
    J.col(k) = Eigen::Map<const VectorXd>(sweep.rates.data(), n_rates);
    result.coriolis[k] = sweep.coriolis;
    result.gravity[k] = sweep.gravity;
    for (size_t i = 0; i < sweep.along_b.size(); ++i) result.Jv_V_WT_W[i].col(k) = sweep.along_b[i];
  }
  result.M = J.transpose() * Eigen::Map<const VectorXd>(motion.weights.data(), n_rates).asDiagonal() * J;
  result.kinetic_energy = motion.twice_energy / 2;
  result.gravity_energy = motion.gravity_energy;
  result.mass = motion.mass;
  result.centre_of_mass = motion.first_moment / motion.mass;
  result.momentum << motion.angular - result.centre_of_mass.cross(motion.linear), motion.linear;
  result.X_WB = motion.X_WB;
  result.X_WT = motion.X_WT;
  result.V_WT_W = motion.V_WT_W;
  add_drive_line(points, state, result);
  return result;
}

}  // namespace lithe::testing
