// An exact link: R′ = R [κ]×, p′ = R ν from its strains (docs/exact-links.md (1)), by steps of the midpoint rule. For drawing: places are
// within some 1e-4 of the length.
import type {Rod} from './data';
import {identity, multiply, setTurn, type Pose} from './pose';

const stepsPerLink = 40;

/// Legendre's polynomials of 2s − 1, weighted by coordinates from `first` on.
function series(s: number, q: Float64Array, first: number, count: number): number {
  const x = 2 * s - 1;
  let [before, now, sum] = [0, 1, 0];
  for (let k = 0; k < count; ++k) {
    sum += now * q[first + k];
    [before, now] = [now, ((2 * k + 1) * x * now - k * before) / (k + 1)];
  }
  return sum;
}

/// The bent axis of one link at its coordinates.
export class RodCurve {
  private readonly places: number[] = []; // ends of steps
  private readonly poses: Pose[] = [];
  private readonly step = identity();
  private readonly strain = new Float64Array(6);

  constructor(private readonly rod: Rod) {
    const {breaks} = rod;
    const pieces = breaks.length - 1;
    const n = Math.max(8, Math.ceil(stepsPerLink / pieces));
    this.places.push(0);
    for (let i = 0; i < pieces; ++i) for (let k = 1; k <= n; ++k) this.places.push(breaks[i] + ((breaks[i + 1] - breaks[i]) * k) / n);
    for (const _ of this.places) this.poses.push(identity());
  }

  /// For coordinates from q[first] on, which count `factor` times.
  update(q: Float64Array, first: number, factor: number): void {
    for (let k = 1; k < this.places.length; ++k) this.go(this.places[k - 1], this.places[k], q, first, factor, this.poses[k - 1], this.poses[k]);
  }
  /// The section at x, after `update` at the same coordinates.
  section(x: number, q: Float64Array, first: number, factor: number, out: Pose): Pose {
    let k = this.places.length - 1;
    while (k > 0 && this.places[k] > x) --k;
    if (x <= this.places[k]) return (out.set(this.poses[k]), out);
    return this.go(this.places[k], x, q, first, factor, this.poses[k], out);
  }
  get tip(): Pose {
    return this.poses[this.poses.length - 1];
  }

  /// From one place to another on the same piece.
  private go(from: number, to: number, q: Float64Array, first: number, factor: number, start: Pose, out: Pose): Pose {
    const [kx, ky, kz, stretch, shearY, shearZ] = this.strains((from + to) / 2, q, first, factor);
    const h = to - from;
    const S = this.step;
    // The chord of the step, seen from half its turn.
    setTurn(S, (h / 2) * kx, (h / 2) * ky, (h / 2) * kz);
    const nu = [1 + stretch, shearY, shearZ];
    const chord = [0, 1, 2].map((r) => h * (S[3 * r] * nu[0] + S[3 * r + 1] * nu[1] + S[3 * r + 2] * nu[2]));
    setTurn(S, h * kx, h * ky, h * kz);
    S.set(chord, 9);
    return multiply(start, S, out);
  }

  private strains(x: number, q: Float64Array, first: number, factor: number): Float64Array {
    const {breaks, terms, initial} = this.rod;
    let piece = 0;
    while (piece + 2 < breaks.length && x >= breaks[piece + 1]) ++piece;
    const length = breaks[piece + 1] - breaks[piece];
    let at = first + piece * terms.reduce((sum, n) => sum + n, 0);
    const s = (x - breaks[piece]) / length;
    const [y, z, torsion, axial, shearY, shearZ] = terms.map((count) => {
      const value = factor * series(s, q, at, count);
      at += count;
      return value;
    });
    this.strain.set([initial[0] + torsion / length, initial[1] - z / length, initial[2] + y / length, axial, shearY, shearZ]);
    return this.strain;
  }
}
