// The 3-D view: camera and its presets, light, ground. World coordinates are the arm's; the whole is turned so that up is up.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {Line2} from 'three/examples/jsm/lines/Line2.js';
import {LineGeometry} from 'three/examples/jsm/lines/LineGeometry.js';
import {LineMaterial} from 'three/examples/jsm/lines/LineMaterial.js';
import type {Theme} from './theme';

export type Preset = 'iso' | 'front' | 'side' | 'top';
const directions: Record<Preset, [number, number, number]> = {
  iso: [0.55, 0.42, 0.85],
  front: [0, 0.0, 1],
  side: [1, 0.0, 0],
  top: [0, 1, 0.0001],
};

/// 1, 2 or 5 times a power of ten, at most `length`.
export function niceLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return ([5, 2].find((step) => step * power <= length) ?? 1) * power;
}

/// The way of the tip: what is past in full colour, what is to come faint.
export class Trail {
  readonly object = new THREE.Group();
  private readonly past = new Line2(new LineGeometry(), new LineMaterial({linewidth: 2.2, transparent: true}));
  private readonly coming = new Line2(new LineGeometry(), new LineMaterial({linewidth: 1.2, transparent: true, opacity: 0.32}));
  private rows: number[] = [];

  constructor() {
    this.object.add(this.coming, this.past);
    this.past.frustumCulled = this.coming.frustumCulled = false;
  }
  set(points: Float32Array, rows: number[]): void {
    this.rows = rows;
    for (const line of [this.past, this.coming]) {
      line.geometry.dispose();
      line.geometry = new LineGeometry();
      line.geometry.setPositions(points);
    }
  }
  setColour(colour: string): void {
    this.past.material.color.set(colour);
    this.coming.material.color.set(colour);
  }
  /// How far the run has come, as a row.
  update(row: number): void {
    let passed = 0;
    while (passed + 1 < this.rows.length && this.rows[passed + 1] <= row) ++passed;
    this.past.visible = passed > 0;
    this.past.geometry.instanceCount = passed;
  }
  dispose(): void {
    for (const line of [this.past, this.coming]) {
      line.geometry.dispose();
      line.material.dispose();
    }
  }
  setSize(width: number, height: number): void {
    this.past.material.resolution.set(width, height);
    this.coming.material.resolution.set(width, height);
  }
}

export class Stage {
  readonly world = new THREE.Group(); // the arm's coordinates
  readonly trails: Trail[] = [];
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly ground = new THREE.Group();
  private readonly key = new THREE.DirectionalLight('#ffffff', 2.3);
  private readonly fill = new THREE.HemisphereLight('#ffffff', '#8d99a6', 1.5);
  private readonly box = new THREE.Box3();
  private points: THREE.Vector3[] = [];
  private floor = 0;
  private preset: Preset | undefined = 'iso';
  private wanted = true;
  pitch = 1; // of the grid [m]
  onMove: () => void = () => {};

  constructor(
    private readonly holder: HTMLElement,
    private theme: Theme,
    up: [number, number, number],
    private reach: number,
  ) {
    this.renderer = new THREE.WebGLRenderer({antialias: true, powerPreference: 'high-performance'});
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    holder.append(this.renderer.domElement);
    this.renderer.domElement.setAttribute('aria-label', '3-D view of the arm: drag to rotate, scroll to zoom');
    this.renderer.domElement.setAttribute('role', 'img');
    this.setUp(up);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.bias = -0.0004;
    this.key.shadow.normalBias = 0.002 * reach;
    this.key.shadow.radius = 5;
    this.scene.add(this.world, this.ground, this.key, this.key.target, this.fill);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.moved());
    this.controls.addEventListener('start', () => {
      this.preset = undefined;
      this.onMove();
    });
    new ResizeObserver(() => this.resize()).observe(holder);
    this.setTheme(theme);
  }

  private moved(): void {
    this.wanted = true;
    this.onMove();
  }
  get activePreset(): Preset | undefined {
    return this.preset;
  }
  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  addTrail(colour: string): Trail {
    const trail = new Trail();
    trail.setColour(colour);
    this.world.add(trail.object);
    this.trails.push(trail);
    return trail;
  }

  removeTrail(trail: Trail): void {
    this.world.remove(trail.object);
    this.trails.splice(this.trails.indexOf(trail), 1);
    trail.dispose();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(theme.sky);
    this.fill.groundColor.set(theme.dark ? '#2a343d' : '#a8b2bb');
    this.fill.intensity = theme.dark ? 1.15 : 1.7;
    this.key.intensity = theme.dark ? 2.2 : 2.1;
    this.makeGround();
    this.wanted = true;
  }

  private setUp(up: [number, number, number]): void {
    this.world.quaternion.setFromUnitVectors(new THREE.Vector3(...up).normalize(), new THREE.Vector3(0, 1, 0));
    this.world.updateMatrixWorld();
  }

  /// What should be in view, and the soles of what stands, in world coordinates of the arm.
  frame(points: THREE.Vector3[], soles: THREE.Vector3[], up: [number, number, number], reach: number): void {
    this.setUp(up);
    this.reach = reach;
    this.key.shadow.normalBias = 0.002 * reach;
    const seen = (point: THREE.Vector3) => point.clone().applyMatrix4(this.world.matrixWorld);
    this.points = points.map(seen);
    this.box.setFromPoints(this.points);
    this.floor = Math.min(this.box.min.y - 0.05 * this.reach, ...soles.map((point) => seen(point).y));
    this.makeGround();
    this.resize();
  }

  /// A grid that fades outwards, a little below everything, and the shadow on it.
  private makeGround(): void {
    for (const part of this.ground.children as THREE.Mesh[]) part.geometry.dispose();
    this.ground.clear();
    if (this.box.isEmpty()) return;
    const centre = this.box.getCenter(new THREE.Vector3());
    const {floor} = this;
    const span = Math.max(this.box.max.x - this.box.min.x, this.box.max.z - this.box.min.z, 0.6 * this.reach);
    this.pitch = niceLength(span / 5);
    const radius = Math.ceil((0.95 * span) / this.pitch) + 2;
    const places: number[] = [];
    const colours: number[] = [];
    const colour = new THREE.Color(this.theme.grid);
    const x0 = Math.round(centre.x / this.pitch);
    const z0 = Math.round(centre.z / this.pitch);
    const vertex = (i: number, j: number) => {
      places.push((x0 + i) * this.pitch, floor, (z0 + j) * this.pitch);
      const strength = Math.max(0, 1 - Math.hypot(i, j) / radius) ** 1.1 * (this.theme.dark ? 0.75 : 0.7);
      colours.push(colour.r, colour.g, colour.b, strength);
    };
    for (let i = -radius; i <= radius; ++i)
      for (let j = -radius; j < radius; ++j) {
        vertex(i, j);
        vertex(i, j + 1);
        vertex(j, i);
        vertex(j + 1, i);
      }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(colours, 4));
    this.ground.add(
      new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({vertexColors: true, transparent: true, depthWrite: false})),
    );
    const plane = new THREE.Mesh(
      new THREE.PlaneGeometry(2 * radius * this.pitch, 2 * radius * this.pitch).rotateX(-Math.PI / 2),
      new THREE.ShadowMaterial({opacity: this.theme.dark ? 0.34 : 0.15, depthWrite: false}),
    );
    plane.position.set(centre.x, floor - 1e-4 * this.reach, centre.z);
    plane.receiveShadow = true;
    this.ground.add(plane);
    // Light from above, behind the viewer's left shoulder, on all there is.
    const size = this.box.getSize(new THREE.Vector3()).length() * 0.62 + 0.2 * this.reach;
    this.key.position.copy(centre).add(new THREE.Vector3(-0.35, 1.2, 0.55).normalize().multiplyScalar(2.5 * size));
    this.key.target.position.copy(centre);
    const shadow = this.key.shadow.camera;
    shadow.left = shadow.bottom = -size;
    shadow.right = shadow.top = size;
    shadow.near = 0.5 * size;
    shadow.far = 5 * size;
    shadow.updateProjectionMatrix();
  }

  look(preset: Preset): void {
    this.preset = preset;
    this.aim(new THREE.Vector3(...directions[preset]).normalize());
    this.onMove();
  }

  /// From a direction, as near as everything in view allows.
  private aim(towards: THREE.Vector3): void {
    if (this.box.isEmpty()) return;
    const right = new THREE.Vector3(0, 1, 0).cross(towards).normalize();
    const above = towards.clone().cross(right);
    const tanY = Math.tan((this.camera.fov * Math.PI) / 360) * 0.82; // room for the buttons around
    const tanX = tanY * this.camera.aspect;
    // Centred on what is seen from there, then far enough for every point.
    let [left, rightmost, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const point of this.points) {
      left = Math.min(left, point.dot(right));
      rightmost = Math.max(rightmost, point.dot(right));
      low = Math.min(low, point.dot(above));
      high = Math.max(high, point.dot(above));
    }
    const depth = this.box.getCenter(new THREE.Vector3()).dot(towards);
    const target = new THREE.Vector3()
      .addScaledVector(right, (left + rightmost) / 2)
      .addScaledVector(above, (low + high) / 2)
      .addScaledVector(towards, depth);
    let distance = 0.3 * this.reach;
    const margin = 0.07 * this.reach;
    for (const point of this.points) {
      const from = point.clone().sub(target);
      const need = Math.max((Math.abs(from.dot(right)) + margin) / tanX, (Math.abs(from.dot(above)) + margin) / tanY);
      distance = Math.max(distance, from.dot(towards) + need);
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(towards, distance);
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.wanted = true;
  }

  private resize(): void {
    const width = this.holder.clientWidth;
    const height = this.holder.clientHeight;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    for (const trail of this.trails) trail.setSize(width, height);
    if (this.preset) this.aim(new THREE.Vector3(...directions[this.preset]).normalize());
    this.draw(true);
  }

  /// For machines that draw by software: no shadows, no more pixels than the screen's own.
  economise(): void {
    this.key.castShadow = false;
    this.renderer.setPixelRatio(1);
    this.resize();
  }
  request(): void {
    this.wanted = true;
  }
  draw(anyway = false): void {
    if (!this.wanted && !anyway) return;
    this.wanted = false;
    this.renderer.render(this.scene, this.camera);
  }

  /// The 4 × 4 matrix, column by column, from the arm's world to the view's clip coordinates.
  worldToClip(): number[] {
    this.camera.updateMatrixWorld();
    const matrix = new THREE.Matrix4()
      .multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse)
      .multiply(this.world.matrixWorld);
    return matrix.toArray();
  }
  /// Pixels from the view's upper left corner; undefined behind the viewer.
  project(point: ArrayLike<number>): [number, number] | undefined {
    const at = new THREE.Vector4(point[0], point[1], point[2], 1).applyMatrix4(new THREE.Matrix4().fromArray(this.worldToClip()));
    if (at.w <= 0) return undefined;
    return [((at.x / at.w + 1) / 2) * this.holder.clientWidth, ((1 - at.y / at.w) / 2) * this.holder.clientHeight];
  }
}
