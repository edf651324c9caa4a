// The wakes of a run's lifting surfaces: a sheet behind each trailing edge, linear between the instants that are known.
import * as THREE from 'three';
import {lastAtOrBefore, type Numbers, type WakeTexts} from './data';

export class Wake {
  readonly object = new THREE.Group();
  /// Where its points are; after update.
  readonly places: Float32Array;
  private readonly times: Float64Array;
  private readonly attribute: THREE.BufferAttribute;
  private readonly sheet = new THREE.MeshBasicMaterial({transparent: true, opacity: 0.22, depthWrite: false, side: THREE.DoubleSide});
  private readonly line = new THREE.LineBasicMaterial({transparent: true, opacity: 0.5});
  private readonly geometries: THREE.BufferGeometry[] = [];

  /// `known`: places, instant by instant; `time`: of the run's rows.
  constructor(
    {at, sheets}: WakeTexts,
    private readonly known: Numbers,
    time: Float64Array,
  ) {
    this.times = Float64Array.from(at, (row) => time[row]);
    this.places = new Float32Array(known.length / at.length);
    this.attribute = new THREE.BufferAttribute(this.places, 3);
    const cells: number[] = [];
    const lines: number[] = [];
    let first = 0;
    for (const {rows, columns} of sheets) {
      const corner = (k: number, j: number) => first + k * (columns + 1) + j;
      for (let k = 0; k < rows; ++k) {
        for (let j = 0; j <= columns; ++j) lines.push(corner(k, j), corner(k + 1, j));
        for (let j = 0; j < columns; ++j)
          cells.push(corner(k, j), corner(k, j + 1), corner(k + 1, j + 1), corner(k, j), corner(k + 1, j + 1), corner(k + 1, j));
      }
      first += (rows + 1) * (columns + 1);
    }
    const over = (index: number[]) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', this.attribute);
      geometry.setIndex(index);
      this.geometries.push(geometry);
      return geometry;
    };
    this.object.add(new THREE.Mesh(over(cells), this.sheet), new THREE.LineSegments(over(lines), this.line));
    for (const part of this.object.children) part.frustumCulled = false;
  }

  update(t: number): void {
    const {times, known, places} = this;
    const n = places.length;
    const i = lastAtOrBefore(times, t);
    const last = i + 1 >= times.length || t <= times[i];
    const share = last ? 0 : (t - times[i]) / (times[i + 1] - times[i]);
    for (let k = 0; k < n; ++k) {
      const here = known[i * n + k];
      places[k] = last ? here : here + share * (known[(i + 1) * n + k] - here);
    }
    this.attribute.needsUpdate = true;
  }
  setColour(colour: string): void {
    this.sheet.color.set(colour);
    this.line.color.set(colour);
  }
  dispose(): void {
    this.object.removeFromParent();
    for (const geometry of this.geometries) geometry.dispose();
    this.sheet.dispose();
    this.line.dispose();
  }
}
