// A link's body swept along its sections: true outlines, hollow where they are, bent with the link.
import * as THREE from 'three';
import type {Station} from './data';
import {identity, type Kinematics} from './kinematics';

interface RingPoint {
  y: number;
  z: number;
  ny: number;
  nz: number;
}

const roundPoints = 32;

/// Points around an outline, counter-clockwise, and which of them are joined. Corners have two, one for each side.
function ring(station: Station, angular: boolean, hole: boolean): RingPoint[] {
  const y = station.outline[hole ? 2 : 0];
  const z = station.outline[hole ? 3 : 1];
  const points: RingPoint[] = [];
  if (angular) {
    const corners = [[y, -z], [y, z], [-y, z], [-y, -z]];
    const normals = [[1, 0], [0, 1], [-1, 0], [0, -1]];
    for (let side = 0; side < 4; ++side)
      for (const end of [side, (side + 1) % 4])
        points.push({y: corners[end][0], z: corners[end][1], ny: normals[side][0], nz: normals[side][1]});
    return points;
  }
  for (let k = 0; k < roundPoints; ++k) {
    const c = Math.cos((2 * Math.PI * k) / roundPoints);
    const s = Math.sin((2 * Math.PI * k) / roundPoints);
    if (station.round) {
      const n = Math.hypot(c * z, s * y) || 1;
      points.push({y: y * c, z: z * s, ny: (c * z) / n, nz: (s * y) / n});
    } else {
      const out = 1 / Math.max(Math.abs(c), Math.abs(s)); // a beam that changes from round to angular
      points.push({y: y * c * out, z: z * s * out, ny: c, nz: s});
    }
  }
  return points;
}

/// One part of the surface: rings of vertices at some of the stations.
interface Shell {
  first: number; // vertex
  rings: {station: number; points: RingPoint[]}[];
  facing: 'out' | 'in' | 'back' | 'front';
}

export class Sweep {
  readonly geometry = new THREE.BufferGeometry();
  private readonly shells: Shell[] = [];
  private readonly position: THREE.BufferAttribute;
  private readonly normal: THREE.BufferAttribute;
  private readonly colour: THREE.BufferAttribute;

  constructor(
    readonly link: number,
    readonly stations: Station[],
  ) {
    const angular = stations.every((station) => !station.round);
    const hollow = stations.every((station) => station.outline[2] > 0 && station.outline[3] > 0);
    const rings = (hole: boolean) =>
      stations.map((station, k) => ({station: k, points: ring(station, angular, hole)}));
    const outer = rings(false);
    const inner = hollow ? rings(true) : undefined;
    const last = stations.length - 1;
    const centre = (k: number) => ({station: k, points: outer[k].points.map(() => ({y: 0, z: 0, ny: 0, nz: 0}))});
    let vertices = 0;
    const add = (shell: Omit<Shell, 'first'>) => {
      this.shells.push({...shell, first: vertices});
      vertices += shell.rings.length * shell.rings[0].points.length;
    };
    add({rings: outer, facing: 'out'});
    if (inner) add({rings: inner, facing: 'in'});
    add({rings: [inner?.[0] ?? centre(0), outer[0]], facing: 'back'});
    add({rings: [outer[last], inner?.[last] ?? centre(last)], facing: 'front'});

    const index: number[] = [];
    for (const shell of this.shells) {
      const n = shell.rings[0].points.length;
      for (let k = 0; k + 1 < shell.rings.length; ++k)
        for (let j = 0; j < n; j += angular ? 2 : 1) {
          const a = shell.first + k * n + j;
          const b = shell.first + k * n + ((j + 1) % n);
          const quad = [a, b, a + n, b, b + n, a + n];
          if (shell.facing === 'in') quad.reverse();
          index.push(...quad);
        }
    }
    const numbers = (size: number) => {
      const attribute = new THREE.BufferAttribute(new Float32Array(vertices * size), size);
      attribute.setUsage(THREE.DynamicDrawUsage);
      return attribute;
    };
    this.position = numbers(3);
    this.normal = numbers(3);
    this.colour = numbers(3);
    this.geometry.boundingSphere = new THREE.Sphere(); // never culled: wherever it bends to, nobody need ask
    this.geometry.setIndex(index);
    this.geometry.setAttribute('position', this.position);
    this.geometry.setAttribute('normal', this.normal);
    this.geometry.setAttribute('color', this.colour);
  }

  update(kinematics: Kinematics, q: Float64Array, factor: number): void {
    const p = this.position.array as Float32Array;
    const n = this.normal.array as Float32Array;
    const poses = this.stations.map((_, k) => kinematics.station(this.link, k, q, factor, identity()));
    for (const shell of this.shells) {
      let at = 3 * shell.first;
      for (const {station, points} of shell.rings) {
        const S = poses[station];
        for (const {y, z, ny, nz} of points) {
          const ahead = shell.facing === 'back' ? -1 : shell.facing === 'front' ? 1 : 0;
          const around = ahead !== 0 ? 0 : shell.facing === 'in' ? -1 : 1;
          for (let c = 0; c < 3; ++c) {
            p[at + c] = S[9 + c] + S[3 * c + 1] * y + S[3 * c + 2] * z;
            n[at + c] = around * (S[3 * c + 1] * ny + S[3 * c + 2] * nz) + ahead * S[3 * c];
          }
          at += 3;
        }
      }
    }
    this.position.needsUpdate = true;
    this.normal.needsUpdate = true;
  }

  /// A colour per station.
  paint(colours: [number, number, number][]): void {
    const values = this.colour.array as Float32Array;
    for (const shell of this.shells) {
      let at = 3 * shell.first;
      for (const {station, points} of shell.rings)
        for (let k = 0; k < points.length; ++k, at += 3) values.set(colours[station], at);
    }
    this.colour.needsUpdate = true;
  }
}
