// The 3-D view with what stands around it: arms of runs at a moment, or one arm in a pose of its own.
import type {Vector3} from 'three';
import {ArmView} from './arm_view';
import {valueAt, type Mode, type Numbers, type Run, type Scene} from './data';
import {button, element} from './dom';
import {displaced} from './kinematics';
import type {Player} from './player';
import {hasStress, positionsAt, readStress, rowOf, stressAt, type Shown} from './shown';
import {Stage, type Preset} from './stage';
import type {Theme} from './theme';
import {formatted, quantity} from './units';
import {Wake} from './wake';

export const exaggerations = [0, 1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000];
const trailPoints = 2500;
const farthest = 1e4; // times the reach: beyond, a run has burst, and is neither framed nor trailed
const presets: [Preset, string][] = [
  ['iso', 'Iso'],
  ['front', 'Front'],
  ['side', 'Side'],
  ['top', 'Top'],
];

/// A mode being swung about a pose; of a run, or of the posed arm.
export interface Swing {
  run?: Run;
  mode: Mode;
  pose: Float64Array;
  amplitude: number;
}
interface Posed {
  arm: ArmView;
  ghost: ArmView;
  q: Float64Array;
}
export type Option = 'ghost' | 'trail' | 'wake' | 'names' | 'stress';

export class View {
  readonly element = element('div', 'view');
  readonly options: Record<Option, boolean> = {ghost: true, trail: true, wake: true, names: false, stress: false};
  exaggeration = 1;
  swing: Swing | undefined;
  posed: Posed | undefined;
  private readonly labels = element('div', 'labels');
  private readonly around = element('div', 'around');
  private shown: Shown[] = [];
  private stage?: Stage;
  private dirty = true;
  private trailStale = true;
  private syncs: (() => void)[] = [];

  constructor(
    private theme: Theme,
    private readonly player: Player,
    private readonly colourOf: (run: Run) => string,
    private readonly changed: () => void,
  ) {}

  /// The arms of these runs, in place of those before.
  show(shown: Shown[]): void {
    for (const {arm, ghost, trail, wake} of this.shown) {
      arm?.dispose();
      ghost?.dispose();
      wake?.dispose();
      if (trail) this.stage?.removeTrail(trail);
    }
    this.shown = shown;
    const scenes = shown.filter(({run}) => run.texts.scene);
    if (scenes.length === 0) {
      this.explain(shown.length > 0 ? `No 3-D view: ${shown[0].run.texts.no_scene ?? ''}` : '');
      return;
    }
    const {up} = scenes[0].run.texts.scene!;
    const reach = Math.max(...scenes.map(({run}) => run.texts.scene!.reach));
    if (!this.openStage(up, reach)) return;
    const points: Vector3[] = [];
    const soles: Vector3[] = [];
    for (const one of scenes) {
      const scene = one.run.texts.scene!;
      one.arm = new ArmView(scene, this.theme, shown.length > 1 ? one.run.colour : undefined);
      one.ghost = new ArmView(scene, this.theme, undefined, true);
      this.stage!.world.add(one.arm.object, one.ghost.object);
      one.trail = this.stage!.addTrail(this.trailColour(one.run));
      void this.addWake(one);
      const rows = one.run.texts.rows;
      for (let k = 0; k <= 80; ++k) {
        const row = Math.round(((rows - 1) * k) / 80);
        const q = rowOf(one.run.positions, row, one.q);
        one.arm.update(q, one.run.time[row], 1);
        points.push(...one.arm.points(q, 1));
      }
      soles.push(...one.arm.sole());
    }
    this.stage!.frame(points.filter((point) => point.length() < farthest * reach), soles, up, reach);
    this.furnish();
    this.trailStale = true;
    this.request();
  }

  private async addWake(one: Shown): Promise<void> {
    const {run} = one;
    one.wake = undefined;
    const known = await run.wakes();
    if (!known || one.wake || !this.shown.includes(one)) return;
    one.wake = new Wake(run.texts.wake!, known, run.time);
    one.wake.setColour(this.wakeColour(run));
    this.stage!.world.add(one.wake.object);
    this.request();
  }

  /// One arm in a pose, instead of the runs; without a scene, the runs again.
  pose(scene?: Scene, q?: Float64Array): void {
    const before = this.posed;
    if (before && before.arm.scene !== scene) {
      before.arm.dispose();
      before.ghost.dispose();
      this.posed = undefined;
    }
    if (scene && q && this.openStage(scene.up, scene.reach)) {
      if (this.posed) this.posed.q = q;
      else {
        this.posed = {arm: new ArmView(scene, this.theme, undefined), ghost: new ArmView(scene, this.theme, undefined, true), q};
        this.stage!.world.add(this.posed.arm.object, this.posed.ghost.object);
        this.framePose();
      }
    }
    if (!this.posed !== !before) this.furnish();
    this.request();
  }
  /// All of the posed arm into view.
  framePose(): void {
    if (!this.posed || !this.stage) return;
    const {arm, q} = this.posed;
    arm.update(q, 0, 1);
    this.stage.frame(arm.points(q, 1), arm.sole(), arm.scene.up, arm.scene.reach);
  }

  private explain(words: string): void {
    if (this.posed) return;
    this.around.replaceChildren(...(words ? [element('p', 'nothing', words)] : []));
    if (!this.around.isConnected) this.element.append(this.around);
  }
  private openStage(up: [number, number, number], reach: number): boolean {
    if (this.stage) return true;
    try {
      this.stage = new Stage(this.element, this.theme, up, reach);
    } catch (error) {
      this.explain(`No 3-D view: this browser offers no WebGL (${String(error)}). Plots and text still work.`);
      return false;
    }
    this.stage.onMove = () => {
      this.placeLabels();
      this.changed();
    };
    this.element.append(this.labels, this.around);
    return true;
  }
  private furnish(): void {
    this.syncs = [];
    this.around.replaceChildren(this.makeCameras(), this.makeToggles(), this.makeReadings());
    this.sync();
  }
  sync(): void {
    for (const one of this.syncs) one();
  }
  request(): void {
    this.dirty = true;
  }
  trailColour(run: Run): string {
    return this.shown.length > 1 ? this.colourOf(run) : this.theme.series[1];
  }
  private wakeColour(run: Run): string {
    return this.shown.length > 1 ? this.colourOf(run) : this.theme.series[0];
  }
  look(preset: Preset): void {
    this.stage?.look(preset);
  }

  private makeCameras(): HTMLElement {
    const group = element('div', 'segmented cameras');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'View from');
    presets.forEach(([preset, name], k) => {
      const control = button('', `${name} view (${k + 1})`, () => this.stage?.look(preset), name);
      this.syncs.push(() => control.setAttribute('aria-pressed', String(this.stage?.activePreset === preset)));
      group.append(control);
    });
    return group;
  }
  private makeToggles(): HTMLElement {
    const group = element('div', 'segmented toggles');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'Show');
    const add = (option: Option, name: string, label: string) => {
      const control = button('', label, () => this.onToggle(option), name);
      control.dataset.option = option;
      this.syncs.push(() => control.setAttribute('aria-pressed', String(this.options[option])));
      group.append(control);
    };
    add('ghost', 'Ghost', this.posed ? 'The same pose without deformation (G)' : 'The rigid arm where it should be (G)');
    if (!this.posed) add('trail', 'Trail', 'The path of the tip (T)');
    if (!this.posed && this.hasWake()) add('wake', 'Wake', 'The wakes of lifting surfaces, where deformation is to scale (W)');
    add('names', 'Names', 'Names of the joints (N)');
    if (!this.posed && this.hasStress()) add('stress', 'Stress', 'Colour bending links by the largest stress in each section (S)');
    return group;
  }
  onToggle: (option: Option) => void = (option) => this.toggle(option);
  private hasWake(): boolean {
    return this.shown.some(({run}) => run.texts.wake !== undefined);
  }
  private hasStress(): boolean {
    return this.shown.some(({run}) => hasStress(run));
  }
  toggle(option: Option): void {
    if (option === 'stress' && !this.hasStress()) return;
    if (option === 'wake' && !this.hasWake()) return;
    this.options[option] = !this.options[option];
    if (option === 'stress' && this.options.stress)
      void readStress(this.shown).then(() => {
        this.request();
        this.changed();
      });
    this.request();
    this.changed();
  }
  exaggerate(factor: number): void {
    this.exaggeration = factor;
    this.trailStale = true;
    this.request();
    this.changed();
  }

  /// Where the tip is at the moment, run by run.
  private makeReadings(): HTMLElement {
    const box = element('div', 'readings');
    const table = element('table', '');
    const last = this.posed ? '|sag|' : '|error|';
    table.append(element('thead', '', element('tr', '', ...['tip', 'x', 'y', 'z', last].map((name) => element('th', '', name)))));
    const body = element('tbody', '');
    if (this.posed) body.append(this.posedRow());
    else for (const shown of this.shown) if (shown.arm) body.append(this.runRow(shown));
    table.append(body);
    const grid = element('p', 'scale');
    this.syncs.push(() => (grid.textContent = this.stage ? `grid ${quantity(this.stage.pitch, 'm', 1)}` : ''));
    const bar = element('p', 'heat');
    this.syncs.push(() => {
      bar.hidden = !this.options.stress || this.posed !== undefined;
      const largest = Math.max(0, ...this.shown.flatMap(({stress}) => [...stress.values()].map((one) => one.largest)));
      bar.replaceChildren('0', element('i', ''), quantity(largest, 'Pa', 3));
    });
    box.append(bar, table, grid);
    return box;
  }
  private row(name: string, key: string): {row: HTMLElement; head: HTMLElement; cells: HTMLElement[]} {
    const head = element('th', '', name);
    const cells = ['x', 'y', 'z', 'error'].map((axis) => {
      const cell = element('td', '');
      cell.dataset.reading = `${key}.${axis}`;
      return cell;
    });
    return {row: element('tr', '', head, ...cells), head, cells};
  }
  private runRow(shown: Shown): HTMLElement {
    const several = this.shown.length > 1;
    const {row, head, cells} = this.row(several ? shown.run.texts.label : 'at t', String(shown.run.index));
    this.syncs.push(() => {
      row.hidden = !shown.visible;
      if (several) head.style.color = this.colourOf(shown.run);
      if (!shown.tip || !shown.error) return;
      const at = (values: Numbers) => valueAt(shown.run.time, values, this.player.t);
      this.placeInto(cells, shown.tip.map(at), shown.run.texts.scene!.reach);
      cells[3].textContent = quantity(Math.hypot(...shown.error.map(at)), 'm', 4);
    });
    return row;
  }
  private posedRow(): HTMLElement {
    const {row, cells} = this.row('posed', 'pose');
    this.syncs.push(() => {
      if (!this.posed) return;
      const tip = this.posedTip(1)!;
      const rigid = this.posedTip(0)!;
      this.placeInto(cells, tip, this.posed.arm.scene.reach);
      cells[3].textContent = quantity(Math.hypot(...tip.map((x, c) => x - rigid[c])), 'm', 4);
    });
    return row;
  }
  private placeInto(cells: HTMLElement[], place: number[], reach: number): void {
    // Of the order of rounding is nothing.
    place.forEach((x, c) => (cells[c].textContent = formatted(Math.abs(x) < 1e-9 * reach ? 0 : x, 5) + '\u00a0m'));
  }

  /// Names beside their joints; where joints fall together on the screen, one label lists them.
  private placeLabels(): void {
    const arm = this.posed?.arm ?? this.shown.find((one) => one.arm && one.visible)?.arm;
    if (!this.options.names || !arm || !this.stage) {
      this.labels.replaceChildren();
      return;
    }
    const places: {x: number; y: number; text: string}[] = [];
    arm.scene.links.forEach((link, i) => {
      if (!link.joint_size) return;
      const at = this.stage!.project(arm.kinematics.B[i].subarray(9));
      if (!at) return;
      const near = places.find(({x, y}) => Math.hypot(x - at[0], y - at[1]) < 30);
      if (near) near.text += `, ${link.joint_name}`;
      else places.push({x: at[0], y: at[1], text: link.joint_name});
    });
    // Labels that would cover each other move up.
    const width = (text: string) => 8 * text.length + 10;
    places.forEach((label, k) => {
      const covers = (other: typeof label) =>
        Math.abs(other.y - label.y) < 17 && other.x < label.x + width(label.text) && label.x < other.x + width(other.text);
      while (places.slice(0, k).some(covers)) label.y -= 4;
    });
    this.labels.replaceChildren(
      ...places.map(({x, y, text}) => {
        const label = element('span', '', text);
        label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        return label;
      }),
    );
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.stage?.setTheme(theme);
    this.posed?.arm.setTheme(theme);
    this.posed?.ghost.setTheme(theme);
    for (const {arm, ghost, trail, wake, run} of this.shown) {
      wake?.setColour(this.wakeColour(run));
      arm?.setTheme(theme);
      ghost?.setTheme(theme);
      trail?.setColour(this.trailColour(run));
    }
    this.request();
  }
  economise(): void {
    this.stage?.economise();
  }

  // ------------------------------------------------------------------------------------------------ each picture

  draw(now: number): void {
    if (this.stage && (this.dirty || this.swing)) {
      this.dirty = false;
      if (this.trailStale && !this.swing) this.makeTrails();
      for (const shown of this.shown) this.place(shown, now);
      if (this.posed) this.placePosed(this.posed, now);
      this.placeLabels();
      this.stage.request();
    }
    this.stage?.draw();
  }

  /// Slow enough to see: one swing in a second and a half.
  private swung({pose, mode, amplitude}: Swing, scene: Scene, now: number): Float64Array {
    return displaced(scene, pose, mode.shape, amplitude * Math.sin((2 * Math.PI * now) / 1500));
  }
  private placePosed({arm, ghost, q}: Posed, now: number): void {
    const swing = this.swing && !this.swing.run ? this.swing : undefined;
    arm.object.visible = !this.swing || swing !== undefined;
    ghost.object.visible = arm.object.visible && this.options.ghost;
    if (swing) arm.update(this.swung(swing, arm.scene, now), 0, 1);
    else arm.update(q, 0, this.exaggeration);
    ghost.update(q, 0, 0);
  }
  private place(shown: Shown, now: number): void {
    const {arm, ghost, trail, wake, run, q} = shown;
    if (!arm || !ghost || !trail) return;
    const {swing} = this;
    const showing = swing ? swing.run === run : shown.visible && !this.posed;
    arm.object.visible = showing;
    ghost.object.visible = showing && this.options.ghost;
    trail.object.visible = showing && !swing && this.options.trail;
    // What the wind has carried off is where the arm has been, not where it would have been bent more.
    if (wake) wake.object.visible = showing && !swing && this.options.wake && this.exaggeration === 1;
    if (!showing) return;
    if (swing) {
      arm.update(this.swung(swing, arm.scene, now), 0, 1);
      ghost.update(swing.pose, 0, 1);
      arm.colourByStress(undefined);
      return;
    }
    const {t} = this.player;
    arm.update(positionsAt(run, run.positions, t, q), t, this.exaggeration);
    arm.colourByStress(this.options.stress && shown.stress.size > 0 ? stressAt(shown, t) : undefined);
    if (this.options.ghost) ghost.update(positionsAt(run, run.wanted, t, q), t, 0);
    trail.update(run.rowAt(t));
    if (wake?.object.visible) wake.update(t);
  }
  private makeTrails(): void {
    this.trailStale = false;
    for (const {arm, trail, run, q} of this.shown) {
      if (!arm || !trail) continue;
      const stride = Math.max(1, Math.ceil(run.texts.rows / trailPoints));
      const rows: number[] = [];
      for (let row = 0; row < run.texts.rows; row += stride) rows.push(row);
      if (rows[rows.length - 1] !== run.texts.rows - 1) rows.push(run.texts.rows - 1);
      if (rows.length < 2) rows.push(rows[0]);
      const points = new Float32Array(3 * rows.length);
      rows.forEach((row, k) => {
        arm.kinematics.update(rowOf(run.positions, row, q), run.time[row], this.exaggeration);
        const tip = arm.tip();
        if (Math.hypot(...tip) < farthest * arm.scene.reach) points.set(tip, 3 * k);
        else if (k > 0) points.copyWithin(3 * k, 3 * k - 3, 3 * k);
      });
      trail.set(points, rows);
    }
  }

  // ------------------------------------------------------------------------------------------------ for scripts

  worldToClip(): number[] | undefined {
    return this.stage?.worldToClip();
  }
  rectangle() {
    const {left, top, width, height} = this.stage!.canvas.getBoundingClientRect();
    return {left, top, width, height};
  }
  tipOf(run: number, ghostly: boolean, factor: number): number[] {
    const {arm, ghost, q, run: source} = this.shown[run];
    const view = ghostly ? ghost! : arm!;
    const at = positionsAt(source, ghostly ? source.wanted : source.positions, this.player.t, q);
    view.kinematics.update(at, this.player.t, factor);
    this.request();
    return view.tip();
  }
  /// Points of the wakes that are drawn, x y z, sheet by sheet; none where no wake is.
  wakeOf(run: number): number[] | undefined {
    const {wake} = this.shown[run];
    return wake?.object.visible ? [...wake.places] : undefined;
  }
  posedTip(factor: number): number[] | undefined {
    if (!this.posed) return undefined;
    const {ghost, q} = this.posed;
    ghost.kinematics.update(q, 0, factor);
    this.request();
    return ghost.tip();
  }
}
