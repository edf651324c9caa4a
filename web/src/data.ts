// Runs: texts as JSON, numbers read when they are looked at. `lithe report` put them into the page, packed, in scripts of their own.

export type Numbers = Float64Array | Float32Array;
export type PoseNumbers = [number, number, number, number, number, number, number]; // x y z, quaternion w x y z

export interface Station {
  place: [number, number, number];
  round: boolean;
  outline: [number, number, number, number]; // half extents y, z; of the hole y, z
  phi?: number[]; // 3 × n_flex, column by column
  psi?: number[];
}
export interface Solid {
  form: 'box' | 'cylinder' | 'sphere' | 'bar';
  frame: 'parent' | 'link' | 'tip' | 'station';
  station?: number; // whose pose is its frame
  role: 'body' | 'offset' | 'payload' | 'base';
  place: PoseNumbers;
  size: [number, number, number];
}
/// An exact link. Its coordinates run piece by piece between `breaks`, in a piece by strain, and of each by degree.
export interface Rod {
  breaks: number[];
  terms: number[]; // on each piece: bending_y, bending_z, torsion, axial, shear_y, shear_z
  initial: [number, number, number]; // curvature of the unloaded link
}
/// One elementary motion by q[index], from the joint's frame outwards.
export interface JointStep {
  kind: 'turn' | 'slide' | 'shift' | 'quaternion';
  axis: [number, number, number];
  index: number; // counted from the link's q0
  factor: number;
}
export interface JointGlyph {
  kind: 'hinge' | 'sleeve' | 'ball';
  axis: [number, number, number];
}
export interface Joint {
  nq: number;
  nv: number;
  group: 'none' | 'rotation' | 'motion'; // what its rates are, where they are not those of coordinates
  coordinates: string[]; // names of those that have a position
  steps: JointStep[];
  glyphs: JointGlyph[];
  slides: boolean;
}
export interface Link {
  name: string;
  parent: number;
  joint_name: string;
  joint: Joint;
  X_PF: PoseNumbers;
  X_BT: PoseNumbers;
  q0: number;
  v0: number;
  colour: number;
  deforms?: boolean; // a hinge of a segmented beam
  rotor?: number; // of an elastic joint: where the position of the rotor is that its spring hangs on
  base?: boolean;
  flex?: {size: number; tip: [number, number, number]; phi?: number[]; psi?: number[]; rod?: Rod}; // shapes of the tip, or strains
  guide?: {exit: number; length: number};
  yield_strength?: number;
  joint_size?: number;
  stations?: Station[];
  solids?: Solid[];
}
/// The panels of a lifting surface: (n_chord + 1) × (n_span + 1) corners, each the sum of the parts of it that links carry.
export interface CarriedPart {
  link: number;
  weight: number;
  place: [number, number, number];
  shape?: number[]; // 3 × n_flex, column by column
}
export interface Surface {
  link: string;
  n_chord: number;
  n_span: number;
  colour: number;
  corners: CarriedPart[][];
}
export interface Scene {
  up: [number, number, number];
  reach: number;
  footing: boolean;
  tip: number;
  bends: boolean;
  small_tips: boolean;
  positions: string[];
  root: {
    pose: PoseNumbers; // at t = 0
    velocity?: number[];
    acceleration?: number[];
    omega?: number[];
    alpha?: number[];
    recorded?: boolean; // it moves by profiles: a run's columns say where it is
    track?: {time: Float64Array; columns: Numbers[]}; // those columns: x y z, then w x y z of the quaternion
  };
  links: Link[];
  surfaces?: Surface[];
}
export interface Column {
  name: string;
  unit: string;
  min?: number;
  max?: number;
  min_row: number;
  max_row: number;
}
export interface Mode {
  frequency_hz: number;
  description: string;
  shape: number[];
}
/// The wakes of a run's lifting surfaces at some of its rows: sheets of (rows + 1) × (columns + 1) points, newest row first.
export interface WakeTexts {
  at: number[];
  sheets: {rows: number; columns: number}[];
}
export interface RunTexts {
  label: string;
  file: string;
  case_file: string;
  case: string;
  version: string;
  complete: boolean;
  measured?: boolean; // not a run, but data to compare with
  wake?: WakeTexts;
  stopped_because: string;
  rows: number;
  columns: Column[];
  statistics: Record<string, number>;
  scene?: Scene;
  commanded?: number[];
  no_scene?: string;
  modes: Mode[];
  modes_q?: number[];
  no_modes?: string;
}

/// Undoes `packed` of show/report.cpp: base64, deflate, byte planes.
async function unpack(id: string, count: number, wide: boolean): Promise<Numbers> {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page contains no ${id}`);
  const text = atob(element.textContent ?? '');
  const deflated = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) deflated[i] = text.charCodeAt(i);
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate'));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = wide ? 8 : 4;
  const bytes = new Uint8Array(count * size);
  for (let k = 0; k < size; ++k) for (let i = 0, from = k * count; i < count; ++i) bytes[i * size + k] = planes[from + i];
  return wide ? new Float64Array(bytes.buffer) : new Float32Array(bytes.buffer);
}

export class Run {
  readonly byName = new Map<string, number>();
  private readonly unpacked = new Map<string, Promise<Numbers>>();
  time: Float64Array = new Float64Array(0);
  /// Of the arm, as recorded and, where it differs, as commanded.
  positions: Float64Array[] = [];
  wanted: Float64Array[] = [];

  /// `fetch` gives the numbers of a key: time `t`, column `c3`, commanded position `q3`, wakes `w`.
  constructor(
    public index: number, // among those shown
    readonly texts: RunTexts,
    private readonly fetch: (key: string, count: number, wide: boolean) => Promise<Numbers>,
    readonly colour = index,
  ) {
    texts.columns.forEach((column, i) => this.byName.set(column.name, i));
  }

  private numbers(key: string, wide: boolean, count = this.texts.rows): Promise<Numbers> {
    let found = this.unpacked.get(key);
    if (!found) {
      found = this.fetch(key, count, wide);
      this.unpacked.set(key, found);
    }
    return found;
  }

  get nq(): number {
    return this.texts.scene?.positions.length ?? 0;
  }
  async open(): Promise<void> {
    this.time = (await this.numbers('t', true)) as Float64Array;
    const places = Array.from({length: this.nq}, (_, i) => this.numbers(`c${i}`, true));
    this.positions = (await Promise.all(places)) as Float64Array[];
    this.wanted = [...this.positions];
    for (const i of this.texts.commanded ?? []) this.wanted[i] = (await this.numbers(`q${i}`, true)) as Float64Array;
    const root = this.texts.scene?.root;
    if (!root?.recorded) return;
    const columns = await Promise.all(['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'].map((part) => this.series(`base.${part}`)));
    if (columns.every((one) => one)) root.track = {time: this.time, columns: columns as Numbers[]};
  }
  column(name: string): Column | undefined {
    const i = this.byName.get(name);
    return i === undefined ? undefined : this.texts.columns[i];
  }
  async series(name: string): Promise<Numbers | undefined> {
    const i = this.byName.get(name);
    return i === undefined ? undefined : this.numbers(`c${i}`, i < this.nq);
  }
  /// The places of its wakes, instant by instant.
  async wakes(): Promise<Numbers | undefined> {
    const {wake} = this.texts;
    if (!wake) return undefined;
    const points = wake.sheets.reduce((sum, {rows, columns}) => sum + (rows + 1) * (columns + 1), 0);
    return this.numbers('w', false, 3 * points * wake.at.length);
  }
  /// The last row at or before t.
  rowAt(t: number): number {
    return lastAtOrBefore(this.time, t);
  }
  get end(): number {
    return this.time[this.time.length - 1];
  }
}

/// Index of the last of ascending values that is not beyond x; the first where all are.
export function lastAtOrBefore(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/// Linear between rows, held beyond the ends.
export function valueAt(time: Float64Array, values: ArrayLike<number>, t: number): number {
  const i = lastAtOrBefore(time, t);
  if (i + 1 >= time.length || t <= time[i]) return values[i];
  const share = (t - time[i]) / (time[i + 1] - time[i]);
  return values[i] + share * (values[i + 1] - values[i]);
}

export function readRuns(): Run[] {
  const text = document.getElementById('lithe-runs')?.textContent;
  if (!text) throw new Error('the page contains no results');
  return (JSON.parse(text) as RunTexts[]).map((texts, i) => new Run(i, texts, (key, rows, wide) => unpack(`r${i}${key}`, rows, wide)));
}
