// What a narrow plot can show of a long series.
import {lastAtOrBefore, type Numbers} from './data';

/// Least and greatest per bucket, in the order they come, at shared places.
export function thinned(time: Float64Array, values: Numbers, from: number, to: number, buckets: number): Float64Array {
  const out = new Float64Array(2 * buckets).fill(NaN);
  let i = lastAtOrBefore(time, from);
  for (let b = 0; b < buckets; ++b) {
    const end = from + ((to - from) * (b + 1)) / buckets;
    let least = Infinity;
    let most = -Infinity;
    let leastFirst = true;
    for (; i < time.length && (time[i] < end || b === buckets - 1) && time[i] <= to; ++i) {
      const value = values[i];
      if (value < least) {
        least = value;
        leastFirst = false;
      }
      if (value > most) {
        most = value;
        leastFirst = true;
      }
    }
    if (most < least) continue;
    out[2 * b] = leastFirst ? least : most;
    out[2 * b + 1] = leastFirst ? most : least;
  }
  return out;
}
