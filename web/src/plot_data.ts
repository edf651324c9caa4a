// What a plot draws of its curves: the rows in view, thinned where they are more than its width can show, all at common times.
import uPlot from 'uplot';
import {lastAtOrBefore, type Numbers} from './data';
import {thinned} from './thin';

const mostPoints = 4000; // of a curve, as drawn without thinning
const expandGaps: uPlot.JoinNullMode = 2; // a gap reaches from row to row of its own run, over the times of others

/// Times, then the values of each curve, over its factor: null where a row has no number and up to the rows beside it,
/// undefined where its run has no row.
export function plotData<Run extends {time: Float64Array}>(
  curves: {run: Run; values: Numbers; factor: number}[],
  [from, to]: [number, number],
  width: number,
): uPlot.AlignedData {
  const buckets = Math.max(Math.round(width), 200);
  const places = Array.from({length: 2 * buckets}, (_, i) => from + ((to - from) * (i + 0.5)) / (2 * buckets));
  const runs = [...new Set(curves.map((curve) => curve.run))];
  // Run by run: a short one keeps its rows, and its gaps, beside a long one.
  const tables = runs.map((run): uPlot.AlignedData => {
    const first = Math.max(lastAtOrBefore(run.time, from), 0);
    const end = Math.min(lastAtOrBefore(run.time, to) + 2, run.time.length);
    const thin = end - first > mostPoints;
    const own = curves
      .filter((curve) => curve.run === run)
      .map(({values, factor}) => {
        const drawn = thin ? thinned(run.time, values, from, to, buckets) : values.subarray(first, end);
        return Array.from(drawn, (v) => (Number.isFinite(v) ? v / factor : null));
      });
    return [thin ? places : Array.from(run.time.subarray(first, end)), ...own];
  });
  const joined = tables.length === 1 ? tables[0] : uPlot.join(tables, tables.map((table) => table.map(() => expandGaps)));
  // Joined tables come run by run; curves go name by name.
  const order = runs.flatMap((run) => curves.filter((curve) => curve.run === run));
  return [joined[0], ...curves.map((curve) => joined[1 + order.indexOf(curve)])] as uPlot.AlignedData;
}
