// Where every link is: the forward kinematics of arm/kinematics.cpp, so that deformation can be exaggerated and what hangs on a
// bent link follows it.
import {lastAtOrBefore, valueAt, type CarriedPart, type Link, type Numbers, type Scene} from './data';
import {identity, multiply, poseOf, setQuaternion, setTurn, type Pose} from './pose';
import {RodCurve} from './rod';

export {identity, multiply, poseOf, setTurn, type Pose} from './pose';

/// Σ shapes[:, k] · δ_k · factor, of shapes stored column by column.
function deflection(shapes: number[], q: Float64Array, first: number, factor: number, out: Float64Array): void {
  out[0] = out[1] = out[2] = 0;
  for (let k = 0; 3 * k < shapes.length; ++k) {
    const amount = factor * q[first + k];
    out[0] += shapes[3 * k] * amount;
    out[1] += shapes[3 * k + 1] * amount;
    out[2] += shapes[3 * k + 2] * amount;
  }
}

export const flexStart = (link: Link) => link.q0 + link.joint.nq;

export class Kinematics {
  readonly root = identity();
  readonly F: Pose[] = []; // joint frames on the parents
  readonly B: Pose[] = [];
  readonly T: Pose[] = [];
  private readonly X_PF: Pose[];
  private readonly X_BT: Pose[];
  private readonly root0: Pose;
  private readonly move = identity();
  private readonly step = identity();
  private readonly before = identity();
  private readonly u = new Float64Array(3);
  private readonly turn = new Float64Array(3);
  private readonly section = identity();
  private readonly rods: (RodCurve | undefined)[];

  constructor(readonly scene: Scene) {
    this.rods = scene.links.map(({flex}) => (flex?.rod ? new RodCurve(flex.rod) : undefined));
    this.root0 = poseOf(scene.root.pose);
    this.X_PF = scene.links.map((link) => poseOf(link.X_PF));
    this.X_BT = scene.links.map((link) => poseOf(link.X_BT));
    for (let i = 0; i < scene.links.length; ++i) {
      this.F.push(identity());
      this.B.push(identity());
      this.T.push(identity());
    }
  }

  /// Deformations count `factor` times.
  update(q: Float64Array, t: number, factor: number): void {
    this.placeRoot(t);
    const {links} = this.scene;
    for (let i = 0; i < links.length; ++i) {
      const link = links[i];
      multiply(link.parent < 0 ? this.root : this.T[link.parent], this.X_PF[i], this.F[i]);
      this.placeJoint(link, q, factor);
      multiply(this.F[i], this.move, this.B[i]);
      multiply(this.B[i], this.tipOf(i, link, q, factor), this.T[i]);
    }
  }

  /// Where station k of a link is, after `update` at the same q and factor.
  station(i: number, k: number, q: Float64Array, factor: number, out: Pose): Pose {
    const link = this.scene.links[i];
    const station = link.stations![k];
    const S = this.section;
    const rod = this.rods[i];
    if (rod) return multiply(this.B[i], rod.section(station.place[0], q, flexStart(link), factor, S), out);
    S.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    S.set(station.place, 9);
    if (link.guide && k > 0) {
      // The free part ℓ = L + q − exit, shared by the stations (show/scene.cpp).
      const {length, exit} = link.guide;
      S[9] = length - (length + q[link.q0] - exit) * (1 - station.place[0] / length);
    }
    if (station.phi && station.psi) {
      deflection(station.phi, q, flexStart(link), factor, this.u);
      deflection(station.psi, q, flexStart(link), factor, this.turn);
      setTurn(S, this.turn[0], this.turn[1], this.turn[2]);
      for (let c = 0; c < 3; ++c) S[9 + c] += this.u[c];
    }
    return multiply(this.B[i], S, out);
  }

  /// Where a corner of a lifting surface is, into out[at…].
  corner(parts: CarriedPart[], q: Float64Array, factor: number, out: Float32Array, at: number): void {
    out.fill(0, at, at + 3);
    for (const {link, weight, place, shape} of parts) {
      const X = this.B[link];
      if (shape) deflection(shape, q, flexStart(this.scene.links[link]), factor, this.u);
      else this.u.fill(0);
      for (let r = 0; r < 3; ++r) {
        let along = X[9 + r];
        for (let c = 0; c < 3; ++c) along += X[3 * r + c] * (place[c] + this.u[c]);
        out[at + r] += weight * along;
      }
    }
  }

  /// From upright at the world's origin to the root: its place, and its turn since t = 0.
  rootMotion(): Pose {
    const R = this.root;
    const R0 = this.root0;
    const turn = identity();
    for (let i = 0; i < 3; ++i)
      for (let j = 0; j < 3; ++j) turn[3 * i + j] = R[3 * i] * R0[3 * j] + R[3 * i + 1] * R0[3 * j + 1] + R[3 * i + 2] * R0[3 * j + 2];
    turn.set(R.subarray(9), 9);
    return turn;
  }

  private placeRoot(t: number): void {
    const {velocity, acceleration, omega, alpha} = this.scene.root;
    this.root.set(this.root0);
    if (this.scene.root.track) return this.placeRecorded(this.scene.root.track, t);
    if (!velocity || !acceleration || !omega || !alpha) return;
    const half = (t * t) / 2;
    const turn = identity();
    setTurn(turn, t * omega[0] + half * alpha[0], t * omega[1] + half * alpha[1], t * omega[2] + half * alpha[2]);
    const still = Float64Array.from(this.root0);
    still.set([0, 0, 0], 9);
    multiply(turn, still, this.root);
    for (let c = 0; c < 3; ++c) this.root[9 + c] = this.root0[9 + c] + t * velocity[c] + half * acceleration[c];
  }

  /// Linear between rows; a quaternion and its opposite are the same turn: rows may change from one to the other.
  private placeRecorded({time, columns}: {time: Float64Array; columns: Numbers[]}, t: number): void {
    for (let c = 0; c < 3; ++c) this.root[9 + c] = valueAt(time, columns[c], t);
    const row = Math.max(0, lastAtOrBefore(time, t));
    const next = Math.min(row + 1, time.length - 1);
    const share = next > row ? Math.max(0, (t - time[row]) / (time[next] - time[row])) : 0;
    const turn = columns.slice(3);
    const sign = turn.reduce((sum, one) => sum + one[row] * one[next], 0) < 0 ? -1 : 1;
    const [w, x, y, z] = turn.map((one) => (1 - share) * one[row] + sign * share * one[next]);
    setQuaternion(this.root, w, x, y, z);
  }

  private placeJoint(link: Link, q: Float64Array, factor: number): void {
    const X = this.move;
    X.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    const rest = link.deforms ? 0 : link.rotor !== undefined ? q[link.rotor] : q[link.q0]; // without deformation
    for (const {kind, axis, index, factor: scale} of link.joint.steps) {
      const at = link.q0 + index;
      const value = scale * (index === 0 ? rest + factor * (q[at] - rest) : q[at]);
      const S = this.step;
      S.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
      if (kind === 'turn') setTurn(S, value * axis[0], value * axis[1], value * axis[2]);
      if (kind === 'slide') for (let c = 0; c < 3; ++c) S[9 + c] = value * axis[c];
      if (kind === 'shift') for (let c = 0; c < 3; ++c) S[9 + c] = q[at + c];
      if (kind === 'quaternion') setQuaternion(S, q[at], q[at + 1], q[at + 2], q[at + 3]);
      this.before.set(X);
      multiply(this.before, S, X);
    }
  }

  private tipOf(i: number, link: Link, q: Float64Array, factor: number): Pose {
    if (!link.flex) return this.X_BT[i];
    const rod = this.rods[i];
    if (rod) {
      rod.update(q, flexStart(link), factor);
      return rod.tip;
    }
    const X = this.move;
    deflection(link.flex.psi!, q, flexStart(link), factor, this.turn);
    deflection(link.flex.phi!, q, flexStart(link), factor, this.u);
    const [x, y, z] = this.turn;
    if (this.scene.small_tips) X.set([1, -z, y, z, 1, -x, -y, x, 1]);
    else setTurn(X, x, y, z);
    for (let c = 0; c < 3; ++c) X[9 + c] = link.flex.tip[c] + this.u[c];
    return X;
  }
}

/// q moved along coordinate directions: plain addition, but a free base and a ball joint turn (and slide) in their own axes.
export function displaced(scene: Scene, q: ArrayLike<number>, shape: number[], amount: number): Float64Array {
  const moved = Float64Array.from(q);
  for (const link of scene.links) {
    const {nq, nv, group, steps} = link.joint;
    if (group === 'none') {
      for (let k = 0; k < nv; ++k) moved[link.q0 + k] += amount * shape[link.v0 + k];
    } else {
      const first = link.q0 + steps.find(({kind}) => kind === 'quaternion')!.index;
      const [w, x, y, z] = moved.subarray(first, first + 4);
      const [wx, wy, wz, vx, vy, vz] = shape.slice(link.v0, link.v0 + nv).map((rate) => rate * amount);
      if (group === 'motion') {
        const at = identity();
        const step = identity();
        setQuaternion(at, w, x, y, z);
        step.set([vx, vy, vz], 9);
        const out = multiply(at, step, identity());
        for (let c = 0; c < 3; ++c) moved[link.q0 + c] += out[9 + c];
      }
      // A small turn, to first order: enough for a drawn mode.
      moved[first] = w - (x * wx + y * wy + z * wz) / 2;
      moved[first + 1] = x + (w * wx + y * wz - z * wy) / 2;
      moved[first + 2] = y + (w * wy + z * wx - x * wz) / 2;
      moved[first + 3] = z + (w * wz + x * wy - y * wx) / 2;
    }
    for (let k = 0; k < (link.flex?.size ?? 0); ++k) moved[link.q0 + nq + k] += amount * shape[link.v0 + nv + k];
  }
  return moved;
}
