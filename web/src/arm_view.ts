// One arm in the 3-D view: its links, joints, payloads and tip, placed by kinematics; and the rigid arm as its ghost.
import * as THREE from 'three';
import type {Scene, Solid} from './data';
import {Kinematics, poseOf, type Pose} from './kinematics';
import {Panels} from './panels';
import {Sweep} from './sweep';
import {heat, linkColour, type Theme} from './theme';

export function setMatrix(matrix: THREE.Matrix4, X: Pose): void {
  matrix.set(X[0], X[1], X[2], X[9], X[3], X[4], X[5], X[10], X[6], X[7], X[8], X[11], 0, 0, 0, 1);
}

type FrameName = 'P' | 'F' | 'B' | 'T' | 'S';
interface Painted {
  material: THREE.MeshStandardMaterial;
  paint: 'beam' | 'panel' | 'steel' | 'joint' | 'payload' | 'base';
  index: number;
}
export interface StressAlong {
  fractions: number[];
  values: number[]; // at the moment
  largest: number; // of the whole run
}

/// Geometry of a solid with its axis along x.
function geometryOf(solid: Solid): THREE.BufferGeometry[] {
  const [a, b, c] = solid.size;
  const alongX = (geometry: THREE.BufferGeometry) => geometry.rotateZ(-Math.PI / 2);
  if (solid.form === 'box') return [new THREE.BoxGeometry(a, b, c)];
  if (solid.form === 'sphere') return [new THREE.SphereGeometry(a / 2, 40, 24)];
  if (solid.form === 'cylinder') return [alongX(new THREE.CylinderGeometry(b / 2, b / 2, a, 48))];
  return [
    alongX(new THREE.CylinderGeometry(c / 2, b / 2, a, 28, 1, true)).translate(a / 2, 0, 0),
    new THREE.SphereGeometry(b / 2, 24, 16),
    new THREE.SphereGeometry(c / 2, 24, 16).translate(a, 0, 0),
  ];
}

export class ArmView {
  readonly object = new THREE.Group();
  readonly kinematics: Kinematics;
  private readonly frames = new Map<string, THREE.Group>();
  private readonly sweeps: {sweep: Sweep; mesh: THREE.Mesh}[] = [];
  private readonly panels: Panels[] = [];
  private readonly rods: {link: number; mesh: THREE.Mesh}[] = [];
  private readonly painted: Painted[] = [];
  private readonly foot = new THREE.Group();
  private readonly ghostMaterial?: THREE.MeshBasicMaterial;
  private readonly lineMaterial = new THREE.LineBasicMaterial({transparent: true, opacity: 0.55});
  private stressed = false;

  constructor(
    readonly scene: Scene,
    private theme: Theme,
    private readonly runColour: number | undefined, // of several runs; links of a single one take colours in turn
    ghost = false,
  ) {
    this.kinematics = new Kinematics(scene);
    if (ghost)
      this.ghostMaterial = new THREE.MeshBasicMaterial({transparent: true, opacity: 0.2, depthWrite: false});
    scene.links.forEach((link, i) => {
      if (link.stations && link.stations.length > 1) this.addSweep(i);
      for (const solid of link.solids ?? []) this.addSolid(i, solid);
      if (link.joint_size && !ghost) this.addJoint(i, link.joint_size);
    });
    for (const surface of scene.surfaces ?? []) this.addPanels(new Panels(surface, 0.0045 * scene.reach));
    if (!ghost) this.addTip();
    if (scene.footing && !ghost) this.addFoot();
    this.object.add(this.foot);
    this.setTheme(theme);
  }

  private material(paint: Painted['paint'], index: number): THREE.Material {
    if (this.ghostMaterial) return this.ghostMaterial;
    const material = new THREE.MeshStandardMaterial({roughness: 0.5, metalness: 0.12});
    // Where runs coincide, the first is seen.
    material.polygonOffset = (this.runColour ?? 0) > 0;
    material.polygonOffsetFactor = material.polygonOffsetUnits = this.runColour ?? 0;
    this.painted.push({material, paint, index});
    return material;
  }
  private mesh(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = !this.ghostMaterial;
    mesh.receiveShadow = !this.ghostMaterial;
    if (this.ghostMaterial) {
      // Its depth first, so that parts behind one another do not add up.
      const depth = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({colorWrite: false, transparent: true}));
      depth.frustumCulled = false;
      depth.renderOrder = 1;
      mesh.renderOrder = 2;
      mesh.add(depth);
    }
    return mesh;
  }
  /// A frame of a link; of its stations (S), the one of that number.
  private frame(name: FrameName, link: number, station = 0): THREE.Group {
    const key = name === 'S' ? `S${link}.${station}` : `${name}${link}`;
    let group = this.frames.get(key);
    if (!group) {
      group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.frames.set(key, group);
      this.object.add(group);
    }
    return group;
  }

  private addSweep(i: number): void {
    const link = this.scene.links[i];
    const sweep = new Sweep(i, link.stations!);
    const mesh = this.mesh(sweep.geometry, this.material('beam', link.colour));
    mesh.frustumCulled = false;
    this.sweeps.push({sweep, mesh});
    this.object.add(mesh);
  }

  private addPanels(panels: Panels): void {
    const mesh = this.mesh(panels.cells, this.material('panel', panels.surface.colour));
    mesh.frustumCulled = false;
    this.panels.push(panels);
    this.object.add(mesh);
    if (this.ghostMaterial) return;
    const lines = new THREE.LineSegments(panels.lines, this.lineMaterial);
    lines.frustumCulled = false;
    this.object.add(lines);
  }

  private addSolid(i: number, solid: Solid): void {
    const paint = solid.role === 'payload' ? 'payload' : solid.role === 'base' ? 'base' : 'steel';
    const material = this.material(paint, this.scene.links[i].colour);
    const names = {parent: 'P', link: 'B', tip: 'T', station: 'S'} as const;
    const group = this.frame(names[solid.frame], i, solid.station);
    const place = new THREE.Group();
    place.matrixAutoUpdate = false;
    setMatrix(place.matrix, poseOf(solid.place));
    for (const geometry of geometryOf(solid)) place.add(this.mesh(geometry, material));
    group.add(place);
  }

  private addJoint(i: number, size: number): void {
    const {glyphs, slides} = this.scene.links[i].joint;
    const material = this.material('joint', 0);
    for (const {kind, axis} of glyphs) {
      const glyph = new THREE.Group();
      glyph.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...axis));
      if (kind === 'hinge') {
        glyph.add(this.mesh(new THREE.CylinderGeometry(size / 2, size / 2, size * 0.95, 40), material));
        glyph.add(this.mesh(new THREE.CylinderGeometry(size * 0.13, size * 0.13, size * 1.5, 20), this.material('steel', 0)));
      } else if (kind === 'sleeve') {
        glyph.add(this.mesh(new THREE.BoxGeometry(size * 0.95, size * 1.6, size * 0.95), material)); // square, about the rod
      } else {
        glyph.add(this.mesh(new THREE.SphereGeometry(size * 0.58, 40, 24), material));
      }
      this.frame(kind === 'ball' ? 'B' : 'F', i).add(glyph);
    }
    if (!slides || this.scene.links[i].guide) return;
    const rod = this.mesh(new THREE.CylinderGeometry(size * 0.22, size * 0.22, 1, 24), this.material('steel', 0));
    this.rods.push({link: i, mesh: rod});
    this.object.add(rod);
  }

  private addTip(): void {
    const {reach, tip} = this.scene;
    const colours = ['#d55e00', '#009e73', '#0072b2'];
    const group = this.frame('T', tip);
    colours.forEach((colour, axis) => {
      const length = 0.085 * reach;
      const material = new THREE.MeshBasicMaterial({color: colour});
      const arrow = new THREE.Group();
      const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.0035 * reach, 0.0035 * reach, length, 12), material);
      shaft.position.y = length / 2;
      const head = new THREE.Mesh(new THREE.ConeGeometry(0.009 * reach, 0.026 * reach, 16), material);
      head.position.y = length;
      arrow.add(shaft, head);
      if (axis === 0) arrow.rotation.z = -Math.PI / 2;
      if (axis === 2) arrow.rotation.x = Math.PI / 2;
      group.add(arrow);
    });
  }

  private addFoot(): void {
    const {reach, up} = this.scene;
    const foot = new THREE.Group();
    foot.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...up));
    const plate = this.mesh(new THREE.CylinderGeometry(0.055 * reach, 0.062 * reach, 0.022 * reach, 48), this.material('joint', 0));
    plate.position.y = -0.011 * reach - this.rootJointRadius();
    const column = this.mesh(new THREE.CylinderGeometry(0.026 * reach, 0.034 * reach, this.rootJointRadius() + 1e-6, 32), this.material('steel', 0));
    column.position.y = -this.rootJointRadius() / 2;
    foot.add(plate, column);
    this.foot.matrixAutoUpdate = false;
    this.foot.add(foot);
  }
  /// How far the foot stands below the root frame, so that the first joint is above it.
  rootJointRadius(): number {
    const first = this.scene.links.find((link) => link.parent < 0 && link.joint_size);
    return 0.6 * (first?.joint_size ?? 0.03 * this.scene.reach);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.ghostMaterial?.color.set(theme.ghost);
    const run = this.runColour === undefined ? undefined : new THREE.Color(theme.series[this.runColour % theme.series.length]);
    this.lineMaterial.color.set(theme.joint);
    for (const {material, paint, index} of this.painted) {
      if (paint === 'panel') material.color.set(run ?? linkColour(theme, index)).lerp(new THREE.Color(theme.sky), 0.35);
      else if (paint === 'beam') material.color.set(run ?? linkColour(theme, index));
      else if (paint === 'steel' || paint === 'base') material.color.set(theme.steel);
      else if (paint === 'joint') material.color.set(theme.joint);
      else material.color.set(theme.payload);
      if (run && paint === 'steel') material.color.lerp(run, 0.6);
      if (paint === 'beam' && this.stressed) material.color.set('#ffffff');
    }
  }

  /// Colours links by stress where that was recorded (by link), or as usual again.
  colourByStress(along: Map<string, StressAlong> | undefined): void {
    const switched = this.stressed !== (along !== undefined);
    this.stressed = along !== undefined;
    for (const {sweep, mesh} of this.sweeps) {
      const material = mesh.material as THREE.MeshStandardMaterial;
      if (switched) {
        material.vertexColors = this.stressed;
        material.needsUpdate = true;
      }
      if (!along) continue;
      const link = this.scene.links[sweep.link];
      const stress = along.get(link.name);
      const start = this.segmentStart(sweep.link);
      const whole = this.wholeLength(sweep.link);
      const grey = new THREE.Color(this.theme.steel);
      sweep.paint(
        sweep.stations.map((station) => {
          if (!stress) return [grey.r, grey.g, grey.b];
          const rgb = heat(between(stress.fractions, stress.values, (start + station.place[0]) / whole) / stress.largest);
          const colour = new THREE.Color().setRGB(...rgb, THREE.SRGBColorSpace);
          return [colour.r, colour.g, colour.b];
        }),
      );
    }
    if (switched) this.setTheme(this.theme);
  }
  /// Pieces of one segmented beam share a name: how much of it comes before this one, and how long it is.
  private segmentStart(link: number): number {
    let start = 0;
    for (const {sweep} of this.sweeps) {
      if (sweep.link === link) break;
      if (this.scene.links[sweep.link].name === this.scene.links[link].name) start += extent(sweep);
    }
    return start;
  }
  private wholeLength(link: number): number {
    let length = 0;
    for (const {sweep} of this.sweeps)
      if (this.scene.links[sweep.link].name === this.scene.links[link].name) length += extent(sweep);
    return length || 1;
  }

  update(q: Float64Array, t: number, factor: number): void {
    const kin = this.kinematics;
    kin.update(q, t, factor);
    for (const [key, group] of this.frames) {
      const [i, station] = key.slice(1).split('.').map(Number);
      const {parent} = this.scene.links[i];
      const X =
        key[0] === 'P'
          ? parent < 0
            ? kin.root
            : kin.T[parent]
          : key[0] === 'S'
            ? kin.station(i, station, q, factor, new Float64Array(12))
            : kin[key[0] as 'F' | 'B' | 'T'][i];
      setMatrix(group.matrix, X);
      group.matrixWorldNeedsUpdate = true;
    }
    // The foot is upright as the base begins, and turns with it.
    setMatrix(this.foot.matrix, kin.rootMotion());
    this.foot.matrixWorldNeedsUpdate = true;
    for (const {sweep} of this.sweeps) sweep.update(kin, q, factor);
    for (const panels of this.panels) panels.update(kin, q, factor);
    for (const {link, mesh} of this.rods) {
      const from = new THREE.Vector3().fromArray(kin.F[link], 9);
      const to = new THREE.Vector3().fromArray(kin.B[link], 9);
      const length = from.distanceTo(to);
      mesh.visible = length > 1e-9;
      mesh.position.copy(from).add(to).multiplyScalar(0.5);
      mesh.scale.set(1, Math.max(length, 1e-9), 1);
      if (mesh.visible) mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.sub(from).normalize());
    }
  }

  /// Takes it out of the view, and its memory from the graphics card.
  dispose(): void {
    this.object.removeFromParent();
    this.object.traverse((part) => {
      if (!(part instanceof THREE.Mesh || part instanceof THREE.LineSegments)) return;
      part.geometry.dispose();
      (part.material as THREE.Material).dispose();
    });
  }

  /// The lowest point of the foot, where there is one.
  sole(): THREE.Vector3[] {
    if (!this.scene.footing) return [];
    const down = this.rootJointRadius() + 0.022 * this.scene.reach;
    return [new THREE.Vector3().fromArray(this.kinematics.root, 9).addScaledVector(new THREE.Vector3(...this.scene.up), -down)];
  }
  tip(): [number, number, number] {
    const T = this.kinematics.T[this.scene.tip];
    return [T[9], T[10], T[11]];
  }
  /// Points that show how much room the arm takes as it is.
  points(q: Float64Array, factor: number): THREE.Vector3[] {
    const {kinematics: kin, scene} = this;
    const points = [new THREE.Vector3().fromArray(kin.root, 9)];
    scene.links.forEach((link, i) => {
      points.push(new THREE.Vector3().fromArray(kin.B[i], 9), new THREE.Vector3().fromArray(kin.T[i], 9));
      const stations = link.stations?.length ?? 0;
      if (stations > 4) points.push(new THREE.Vector3().fromArray(kin.station(i, stations >> 1, q, factor, new Float64Array(12)), 9));
      for (const solid of link.solids ?? []) {
        const X =
          solid.frame === 'link'
            ? kin.B[i]
            : solid.frame === 'tip'
              ? kin.T[i]
              : solid.frame === 'station'
                ? kin.station(i, solid.station!, q, factor, new Float64Array(12))
                : undefined;
        if (!X) continue;
        const matrix = new THREE.Matrix4();
        const place = new THREE.Matrix4();
        setMatrix(matrix, X);
        setMatrix(place, poseOf(solid.place));
        matrix.multiply(place);
        const [a, b, c] = solid.size;
        if (solid.form === 'box')
          for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1])
            points.push(new THREE.Vector3((x * a) / 2, (y * b) / 2, (z * c) / 2).applyMatrix4(matrix));
        else if (solid.form === 'sphere')
          for (const x of [-1, 1]) for (const axis of [0, 1, 2])
            points.push(new THREE.Vector3().setComponent(axis, (x * a) / 2).applyMatrix4(matrix));
        else points.push(new THREE.Vector3(a, 0, 0).applyMatrix4(matrix));
      }
    });
    for (const panels of this.panels) {
      panels.update(kin, q, factor);
      const {n_chord, n_span} = panels.surface;
      for (const i of [0, n_chord]) for (const j of [0, n_span]) points.push(panels.place(i, j));
    }
    return points;
  }
}

function extent(sweep: Sweep): number {
  return sweep.stations[sweep.stations.length - 1].place[0] - sweep.stations[0].place[0];
}

function between(xs: number[], ys: number[], x: number): number {
  let k = 0;
  while (k + 2 < xs.length && x > xs[k + 1]) ++k;
  if (xs.length < 2) return ys[0] ?? 0;
  const share = Math.min(Math.max((x - xs[k]) / (xs[k + 1] - xs[k]), 0), 1);
  return ys[k] + share * (ys[k + 1] - ys[k]);
}
