// A run on the page: its arm in the view, and what has been read of it so far.
import type {ArmView, StressAlong} from './arm_view';
import {valueAt, type Numbers, type Run} from './data';
import type {Trail} from './stage';
import type {Wake} from './wake';

type Three = [Numbers, Numbers, Numbers];

export interface Shown {
  run: Run;
  visible: boolean;
  arm?: ArmView;
  ghost?: ArmView;
  trail?: Trail;
  wake?: Wake;
  q: Float64Array;
  tip?: Three;
  error?: Three;
  stress: Map<string, {fractions: number[]; values: Numbers[]; largest: number}>;
}

const stressName = /^(.*)@([\d.]+)\.stress$/;

export function shownRun(run: Run, visible = true): Shown {
  return {run, visible, q: new Float64Array(run.nq), stress: new Map()};
}

export function hasStress({texts}: Run): boolean {
  return texts.scene !== undefined && texts.columns.some(({name}) => stressName.test(name));
}

/// Whether there is anything to exaggerate: links that bend, or joints behind elastic transmissions.
export function deforms({texts}: Run): boolean {
  return texts.scene !== undefined && (texts.scene.bends || texts.scene.links.some((link) => link.rotor !== undefined));
}

export async function readTips(all: Shown[]): Promise<void> {
  const three = async (run: Run, stem: string) => {
    const series = await Promise.all(['x', 'y', 'z'].map((axis) => run.series(`${stem}.${axis}`)));
    return series.every((one) => one) ? (series as Three) : undefined;
  };
  for (const shown of all) {
    shown.tip = await three(shown.run, 'tip');
    shown.error = await three(shown.run, 'tip_error');
  }
}

export async function readStress(all: Shown[]): Promise<void> {
  for (const shown of all) {
    if (shown.stress.size > 0) continue;
    for (const column of shown.run.texts.columns) {
      const found = stressName.exec(column.name);
      if (!found) continue;
      const [, link, fraction] = found;
      const along = shown.stress.get(link) ?? {fractions: [], values: [], largest: 0};
      along.fractions.push(Number(fraction));
      along.values.push((await shown.run.series(column.name))!);
      shown.stress.set(link, along);
    }
  }
  // One scale for all, so that colours mean the same everywhere.
  const largest = Math.max(
    1e-30,
    ...all.flatMap(({run}) => run.texts.columns.filter(({name}) => stressName.test(name)).map(({max}) => max ?? 0)),
  );
  for (const {stress} of all) for (const along of stress.values()) along.largest = largest;
}

export function stressAt(shown: Shown, t: number): Map<string, StressAlong> {
  const now = new Map<string, StressAlong>();
  for (const [link, {fractions, values, largest}] of shown.stress)
    now.set(link, {fractions, largest, values: values.map((one) => valueAt(shown.run.time, one, t))});
  return now;
}

export function rowOf(columns: Float64Array[], row: number, q: Float64Array): Float64Array {
  for (let i = 0; i < q.length; ++i) q[i] = columns[i][row];
  return q;
}

/// Linear between rows; a quaternion becomes a unit one again in kinematics.
export function positionsAt(run: Run, columns: Float64Array[], t: number, q: Float64Array): Float64Array {
  const row = run.rowAt(t);
  const last = row + 1 >= run.time.length;
  const share = last ? 0 : Math.max(0, (t - run.time[row]) / (run.time[row + 1] - run.time[row]));
  for (let i = 0; i < q.length; ++i) q[i] = last ? columns[i][row] : columns[i][row] + share * (columns[i][row + 1] - columns[i][row]);
  return q;
}
