// The panels of a lifting surface: cells on both of its faces, and the lines between them.
import * as THREE from 'three';
import type {Surface} from './data';
import type {Kinematics} from './kinematics';

export class Panels {
  readonly cells = new THREE.BufferGeometry();
  readonly lines = new THREE.BufferGeometry();
  private readonly places: Float32Array;
  private readonly cellPlaces: THREE.BufferAttribute;
  private readonly cellNormals: THREE.BufferAttribute;
  private readonly linePlaces: THREE.BufferAttribute;

  /// `half`: how far its faces are from its middle, so that a beam in it does not show through.
  constructor(
    readonly surface: Surface,
    private readonly half: number,
  ) {
    const {n_chord, n_span, corners} = surface;
    const n = n_chord * n_span;
    this.places = new Float32Array(3 * corners.length);
    this.cellPlaces = new THREE.BufferAttribute(new Float32Array(2 * n * 4 * 3), 3);
    this.cellNormals = new THREE.BufferAttribute(new Float32Array(2 * n * 4 * 3), 3);
    this.linePlaces = new THREE.BufferAttribute(new Float32Array(2 * n * 4 * 2 * 3), 3);
    this.cells.setAttribute('position', this.cellPlaces);
    this.cells.setAttribute('normal', this.cellNormals);
    this.lines.setAttribute('position', this.linePlaces);
    const triangles: number[] = [];
    for (let cell = 0; cell < 2 * n; ++cell) {
      const a = 4 * cell;
      const [b, d] = cell % 2 === 0 ? [a + 1, a + 3] : [a + 3, a + 1]; // each face is seen from its own side
      triangles.push(a, b, a + 2, a, a + 2, d);
    }
    this.cells.setIndex(triangles);
  }

  /// Where corner (i, j) is; after update.
  place(i: number, j: number): THREE.Vector3 {
    return new THREE.Vector3().fromArray(this.places, 3 * (i * (this.surface.n_span + 1) + j));
  }

  update(kin: Kinematics, q: Float64Array, factor: number): void {
    const {n_chord, n_span, corners} = this.surface;
    corners.forEach((parts, k) => kin.corner(parts, q, factor, this.places, 3 * k));
    const normal = new THREE.Vector3();
    let cell = 0;
    for (let i = 0; i < n_chord; ++i)
      for (let j = 0; j < n_span; ++j) {
        const around = [this.place(i, j), this.place(i, j + 1), this.place(i + 1, j + 1), this.place(i + 1, j)];
        normal.subVectors(around[2], around[0]).cross(around[3].clone().sub(around[1])).normalize();
        for (const side of [1, -1]) {
          around.forEach((corner, k) => {
            const [x, y, z] = corner.clone().addScaledVector(normal, side * this.half).toArray();
            this.cellPlaces.setXYZ(4 * cell + k, x, y, z);
            this.cellNormals.setXYZ(4 * cell + k, side * normal.x, side * normal.y, side * normal.z);
            this.linePlaces.setXYZ(8 * cell + 2 * k, x, y, z);
            this.linePlaces.setXYZ(8 * cell + ((2 * k + 7) % 8), x, y, z); // where the side before ends
          });
          ++cell;
        }
      }
    for (const attribute of [this.cellPlaces, this.cellNormals, this.linePlaces]) attribute.needsUpdate = true;
  }
}
