// What the browser tests compare the screen with: numbers as shown, and results files by way of their CSV.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';

/// A browser that draws by software, without a sandbox, and calls nobody.
export const browserOptions = (executablePath) => ({
  executablePath,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-background-networking'],
});

/// Columns of a results file by name. `call` runs lithe.
export function columnsOf(call, results, csv) {
  call('export', results, '-o', csv);
  const [head, ...rows] = readFileSync(csv, 'utf8').trim().split('\n');
  const names = head.split(',').map((cell) => cell.replace(/ \[.*/, ''));
  const columns = Object.fromEntries(names.map((name) => [name, []]));
  for (const row of rows) row.split(',').forEach((cell, i) => columns[names[i]].push(Number(cell)));
  return columns;
}

export const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

const prefixes = {n: 1e-9, µ: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9};
/// A number as shown, with its unit's prefix, in SI.
export function shownNumber(text, unit) {
  const found = new RegExp(`^(−?[\\d.]+)(?:e(−?\\d+))?\\s*(.*?)${unit}$`).exec(text.trim());
  assert.ok(found, `"${text}" is no number in ${unit}`);
  const [, digits, power, prefix] = found;
  assert.ok(prefix in prefixes, `"${text}" has an unknown prefix`);
  return Number(`${digits}e${power ?? 0}`.replaceAll('−', '-')) * prefixes[prefix];
}
export function near(actual, expected, tolerance, what) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} instead of ${expected}, beyond ${tolerance}`);
}
/// Shown with `digits` significant digits.
export const nearShown = (actual, expected, what, digits = 4) => near(actual, expected, 0.51 * 10 ** (1 - digits) * Math.abs(expected) + 1e-12, what);
