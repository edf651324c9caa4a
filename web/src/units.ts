// Numbers with units as a reader likes them: few digits, prefixes, proper signs.

const prefixes: [number, string][] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
];

export interface Scale {
  factor: number; // shown = value / factor
  unit: string;
}

export function prettyUnit(unit: string): string {
  return unit.replaceAll('.', '·').replaceAll('^2', '²').replaceAll('^3', '³').replaceAll('^4', '⁴');
}

/// A unit with the prefix that keeps numbers up to `largest` readable. Angles and lengths do not grow prefixes upwards.
export function scaleFor(unit: string, largest: number): Scale {
  if (unit === '' || !(largest > 0) || !Number.isFinite(largest)) return {factor: 1, unit: prettyUnit(unit)};
  const grows = /^(Pa|N|J|W|Hz)/.test(unit);
  for (const [factor, prefix] of prefixes) {
    if (factor > 1 && !grows) continue;
    // A tenth and more stays in a unit: 0.6 m, not 600 mm.
    if (largest >= 0.1 * factor) return {factor, unit: prefix + prettyUnit(unit)};
  }
  return {factor: 1, unit: prettyUnit(unit)};
}

export function formatted(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const exponential = size >= 1e6 || size < 1e-4;
  const rounded = exponential ? value.toExponential(digits - 1) : value.toPrecision(digits);
  // Fifty to one digit is 50, not 5e+1.
  const text = !exponential && rounded.includes('e') ? String(Number(rounded)) : rounded;
  const plain = text.includes('e') ? text.replace(/e([+-]?)(\d+)$/, (_, sign, power) => `e${sign === '-' ? '−' : ''}${power}`) : text;
  return plain.replace(/^-/, '−');
}

/// A value with the unit that suits it.
export function quantity(value: number, unit: string, digits = 4): string {
  const scale = scaleFor(unit, Math.abs(value));
  return `${formatted(value / scale.factor, digits)}${scale.unit ? '\u00a0' + scale.unit : ''}`;
}

/// A value that changes all the time: unit and decimals are those of the largest it takes, five digits of it.
export function steady(value: number, unit: string, largest: number): string {
  if (!Number.isFinite(value)) return '–';
  const scale = scaleFor(unit, largest);
  const size = largest / scale.factor;
  if (!(size > 1e-6) || size >= 1e7) return `${formatted(value / scale.factor, 5)}\u00a0${scale.unit}`.trim();
  const decimals = Math.min(Math.max(5 - Math.ceil(Math.log10(size)), 0), 9);
  const text = (value / scale.factor).toFixed(decimals);
  return `${Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−')}\u00a0${scale.unit}`.trim();
}
