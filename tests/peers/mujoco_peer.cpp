#include "peers/mujoco_peer.h"

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lithe/spatial/demand.h"

namespace lithe::testing {
namespace {

std::string joint_label(int i_link) { return fmt::format("joint{}", i_link); }

std::string text(const Vector3d& a) { return fmt::format("{} {} {}", a.x(), a.y(), a.z()); }
std::string text(const Matrix3d& R) {
  const Quaterniond q(R);
  return fmt::format("{} {} {} {}", q.w(), q.x(), q.y(), q.z());
}

/// Writes an arm as MJCF. Every link becomes a body whose frame is the link frame B.
///
/// MuJoCo wants mass on every body that moves. A massless link that carries one other link (the slides of a planar
/// base) therefore hands its joints on: a body may have several, and each is given in the body's frame as it stands at
/// q = 0.
class MjcfWriter {
 public:
  explicit MjcfWriter(const Arm& arm) : arm_(arm), children_(arm.n_links()) {}

  std::string write() {
    text_ = fmt::format(
        "<mujoco><compiler angle='radian' inertiafromgeom='false' balanceinertia='false' boundmass='0' "
        "boundinertia='0'/>"
        "<option gravity='{}'><flag constraint='disable' contact='disable'/></option><worldbody>",
        text(arm_.gravity()));
    for (int i = 0; i < arm_.n_links(); ++i)
      if (arm_.link(i).parent >= 0) children_[arm_.link(i).parent].push_back(i);
    for (int i = 0; i < arm_.n_links(); ++i)
      if (arm_.link(i).parent < 0) write_link(i, arm_.root(0).X_WR, {});
    text_ += "</worldbody></mujoco>";
    return std::move(text_);
  }

 private:
  struct PlacedJoint {
    int i_link;
    Pose X;  // of the joint's frame at q = 0: in the frame P that a link is placed from, or in a body's own
  };

  /// X_OP: the frame P, at q = 0, in the body (or the world) O that encloses this one in the file.
  void write_link(int i, const Pose& X_OP, std::vector<PlacedJoint> joints) {
    const Link& link = arm_.link(i);
    const Pose X_OB = X_OP * link.X_PF;
    for (PlacedJoint& joint : joints) joint.X = link.X_PF.inverse() * joint.X;
    if (link.nv() > 0) joints.push_back({i, Pose{}});
    RigidInertia M_B = link.M_B;
    M_B += link.payload_T.seen_from(link.X_BT);

    if (M_B.mass == 0 && !joints.empty() && children_[i].size() == 1) {
      for (PlacedJoint& joint : joints) joint.X = link.X_BT.inverse() * joint.X;
      write_link(children_[i][0], X_OB * link.X_BT, std::move(joints));
      return;
    }
    text_ += fmt::format("<body pos='{}' quat='{}'>", text(X_OB.p), text(X_OB.R));
    if (M_B.mass > 0) write_inertia(M_B);
    for (const PlacedJoint& joint : joints) write_joint(joint);
    for (int child : children_[i]) write_link(child, link.X_BT, {});
    text_ += "</body>";
  }

  void write_joint(const PlacedJoint& placed) {
    const Link& link = arm_.link(placed.i_link);
    const std::string label = joint_label(placed.i_link);
    const auto one_axis = [&](std::string_view type, const Vector3d& axis) {
      text_ += fmt::format("<joint name='{}' type='{}' pos='{}' axis='{}' armature='{}'/>", label, type,
                           text(placed.X.p), text(Vector3d(placed.X.R * axis)), link.rotor_inertia);
    };
    if (const auto axis = link.joint->single_axis()) one_axis(axis->turns ? "hinge" : "slide", axis->axis);
    if (link.joint->word() == "free") text_ += fmt::format("<freejoint name='{}'/>", label);
    if (link.joint->word() == "spherical")
      text_ += fmt::format("<joint name='{}' type='ball' pos='{}'/>", label, text(placed.X.p));
  }

  /// Principal axes are ours: those MuJoCo 2.2 finds from a full matrix are off by 1e-9 and sometimes 1e-6.
  void write_inertia(const RigidInertia& M_B) {
    const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(M_B.inertia_com());
    Matrix3d axes = principal.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    text_ += fmt::format("<inertial mass='{}' pos='{}' quat='{}' diaginertia='{}'/>", M_B.mass, text(M_B.com()),
                         text(axes), text(principal.eigenvalues()));
  }

  const Arm& arm_;
  std::vector<std::vector<int>> children_;
  std::string text_;
};

mjModel* compile(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();  // 2 MB: too much for the stack
  mj_defaultVFS(files.get());
  constexpr const char* name = "arm.xml";
  LITHE_DEMAND(mj_makeEmptyFileVFS(files.get(), name, int(xml.size())) == 0);
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), name)], xml.data(), xml.size());
  char error[1000] = "";
  mjModel* model = mj_loadXML(name, files.get(), error, sizeof error);
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(fmt::format("MuJoCo refuses the arm: {}", error));
  return model;
}

Eigen::Map<VectorXd> numbers(mjtNum* data, int n) { return {data, n}; }

}  // namespace

void MujocoPeer::Release::operator()(mjModel_* model) const { mj_deleteModel(model); }
void MujocoPeer::Release::operator()(mjData_* data) const { mj_deleteData(data); }

MujocoPeer::MujocoPeer(const Arm& arm) : arm_(arm), addresses_(arm.n_links()) {
  LITHE_DEMAND(!arm.root_moves());
  model_.reset(compile(MjcfWriter(arm).write()));
  data_.reset(mj_makeData(model_.get()));
  LITHE_DEMAND_EQUAL(model_->nv, arm.nv());
  // MuJoCo numbers bodies branch by branch, whatever order we list them in.
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (link.nv() == 0) continue;
    const int joint = mj_name2id(model_.get(), mjOBJ_JOINT, joint_label(i).c_str());
    addresses_[i] = {model_->jnt_qposadr[joint], model_->jnt_dofadr[joint]};
    same_coordinates_ &= addresses_[i].qvel == link.v0 && link.nv() == 1;
  }
}

/// The border between the two conventions. One-axis joints only change places. A ball has the same quaternion and ω in the axes of
/// what it carries on both sides, where the body's frame is the link's. A free base differs in three ways: we
/// have velocity [ω; v] with both parts in base axes, MuJoCo has [v; ω] with v in world axes; and our v̇ is the rate of
/// the components in turning axes, so that d(R v)/dt = R(v̇ + ω×v).
MujocoPeer::Converted MujocoPeer::in_mujoco(const State& state) const {
  Converted to{VectorXd::Zero(model_->nq), MatrixXd::Zero(arm_.nv(), arm_.nv()), VectorXd::Zero(arm_.nv())};
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    const Address at = addresses_[i];
    if (link.joint->word() == "spherical") {
      to.qpos.segment<4>(at.qpos) = state.q.segment<4>(link.q0);
      to.T.block<3, 3>(at.qvel, link.v0).setIdentity();
    } else if (link.joint->word() == "free") {
      const Pose X_WB = arm_.root(0).X_WR * link.X_PF * link.joint->X_FM(&state.q[link.q0]);
      const Vector3d omega = state.v.segment<3>(link.v0), v = state.v.segment<3>(link.v0 + 3);
      const Quaterniond turn(X_WB.R);
      to.qpos.segment<7>(at.qpos) << X_WB.p, turn.w(), turn.vec();
      to.T.block<3, 3>(at.qvel, link.v0 + 3) = X_WB.R;
      to.T.block<3, 3>(at.qvel + 3, link.v0).setIdentity();
      to.drift.segment<3>(at.qvel) = X_WB.R * omega.cross(v);
    } else if (link.nv() == 1) {
      to.qpos[at.qpos] = state.q[link.q0];
      to.T(at.qvel, link.v0) = 1;
    }
  }
  return to;
}

MujocoPeer::Converted MujocoPeer::load(const State& state) {
  Converted to = in_mujoco(state);
  numbers(data_->qpos, model_->nq) = to.qpos;
  numbers(data_->qvel, model_->nv) = to.T * state.v;
  numbers(data_->qfrc_applied, model_->nv).setZero();
  return to;
}

MatrixXd MujocoPeer::mass_matrix(const State& state) {
  const Converted to = load(state);
  mj_forward(model_.get(), data_.get());
  MatrixXd M(arm_.nv(), arm_.nv());
  mj_fullM(model_.get(), M.data(), data_->qM);
  return to.T.transpose() * M * to.T;
}

VectorXd MujocoPeer::bias(const State& state) {
  const Converted to = load(state);
  mj_forward(model_.get(), data_.get());
  VectorXd of_drift(arm_.nv());
  mj_mulM(model_.get(), data_.get(), of_drift.data(), to.drift.data());
  return to.T.transpose() * (numbers(data_->qfrc_bias, model_->nv) + of_drift);
}

VectorXd MujocoPeer::forward(const State& state, const VectorXd& tau) {
  const Converted to = load(state);
  numbers(data_->qfrc_applied, model_->nv) = to.T * tau;
  mj_forward(model_.get(), data_.get());
  return to.T.transpose() * (numbers(data_->qacc, model_->nv) - to.drift);
}

VectorXd MujocoPeer::inverse(const State& state, const VectorXd& vdot) {
  const Converted to = load(state);
  numbers(data_->qacc, model_->nv) = to.T * vdot + to.drift;
  mj_inverse(model_.get(), data_.get());
  return to.T.transpose() * numbers(data_->qfrc_inverse, model_->nv);
}

double MujocoPeer::largest_force(const State& state, const VectorXd& vdot) {
  inverse(state, vdot);
  mj_rnePostConstraint(model_.get(), data_.get());
  return numbers(data_->cfrc_int, 6 * model_->nbody).cwiseAbs().maxCoeff();
}

// ------------------------------------------------------------------------------------------------------- for timing

void MujocoPeer::load_fast(const State& state) {
  LITHE_DEMAND(same_coordinates_);
  numbers(data_->qpos, model_->nq) = state.q;
  numbers(data_->qvel, model_->nv) = state.v;
}

void MujocoPeer::mass_matrix_fast(const State& state, MatrixXd& M) {
  load_fast(state);
  mjModel* const model = model_.get();
  mjData* const data = data_.get();
  mj_kinematics(model, data);
  mj_comPos(model, data);
  mj_crb(model, data);
  mj_fullM(model, M.data(), data->qM);
}

void MujocoPeer::forward_fast(const State& state, const VectorXd& tau, VectorXd& vdot) {
  load_fast(state);
  mjModel* const model = model_.get();
  mjData* const data = data_.get();
  mj_kinematics(model, data);
  mj_comPos(model, data);
  mj_crb(model, data);
  mj_factorM(model, data);
  mj_comVel(model, data);
  mj_rne(model, data, 0, data->qfrc_bias);
  numbers(data->qfrc_smooth, model->nv) = tau - numbers(data->qfrc_bias, model->nv);
  mj_solveM(model, data, vdot.data(), data->qfrc_smooth, 1);
}

void MujocoPeer::inverse_fast(const State& state, const VectorXd& vdot, VectorXd& tau) {
  load_fast(state);
  mjModel* const model = model_.get();
  mjData* const data = data_.get();
  numbers(data->qacc, model->nv) = vdot;
  mj_kinematics(model, data);
  mj_comPos(model, data);
  mj_comVel(model, data);
  mj_rne(model, data, 1, tau.data());
  tau += numbers(model->dof_armature, model->nv).cwiseProduct(vdot);  // mj_rne knows no rotors
}

void MujocoPeer::march_rk4(const State& start, double duration, int n_steps, VectorXd& q) {
  mjModel* const model = model_.get();
  mjData* const data = data_.get();
  model->opt.integrator = mjINT_RK4;
  model->opt.timestep = duration / n_steps;
  // Nothing here acts by itself: stages that would find that out at every step are not to be timed.
  model->opt.disableflags |= mjDSBL_PASSIVE | mjDSBL_ACTUATION | mjDSBL_SENSOR;
  load_fast(start);
  numbers(data->qfrc_applied, model->nv).setZero();
  data->time = 0;
  for (int k = 0; k < n_steps; ++k) mj_step(model, data);
  q = numbers(data->qpos, model->nq);
}

}  // namespace lithe::testing
