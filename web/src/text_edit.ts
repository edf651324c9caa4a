// Changes of a text at the places where its values stand; everything else stays as it is.
export interface Place {
  line: number; // counted from one
  column: number; // in bytes of UTF-8, counted from one
  length: number; // in bytes
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function replaced(text: string, {line, column, length}: Place, by: string): string {
  const lines = text.split('\n');
  const bytes = encoder.encode(lines[line - 1]);
  const before = decoder.decode(bytes.subarray(0, column - 1));
  const after = decoder.decode(bytes.subarray(column - 1 + length));
  lines[line - 1] = before + by + after;
  return lines.join('\n');
}

/// Where other values stand after a value at `changed` has got another length.
export function moved(place: Place, changed: Place, by: number): void {
  if (place.line === changed.line && place.column > changed.column) place.column += by;
}

/// A text as a box for it shows it: lines end with one character, whatever they end with in the file.
export const asShown = (text: string): string => text.replace(/\r\n?/g, '\n');

/// A text that was `shown` so after an edit: lines keep their ends, new ones end as the first does.
export function withEndsOf(text: string, shown: string): string {
  const before = text.split('\n'); // with \r
  const now = shown.split('\n');
  const end = before.length > 1 && before[0].endsWith('\r') ? '\r' : '';
  const same = (i: number, j: number) => before[i].replace(/\r$/, '') === now[j];
  // The last line has no end: it may not stand before another.
  let head = 0;
  while (head < Math.min(before.length, now.length) - 1 && same(head, head)) ++head;
  let tail = 0;
  while (tail < Math.min(before.length, now.length) - head && same(before.length - 1 - tail, now.length - 1 - tail)) ++tail;
  const between = now.slice(head, now.length - tail).map((line, k) => (head + k < now.length - 1 ? line + end : line));
  return [...before.slice(0, head), ...between, ...before.slice(before.length - tail)].join('\n');
}

/// How many characters of a line stand before a column counted in bytes.
export const charactersBefore = (line: string, column: number): number => decoder.decode(encoder.encode(line).subarray(0, column - 1)).length;

export const bytesOf = (text: string): number => encoder.encode(text).length;

/// `1000 mm` as a number and a unit; of anything else the whole is the number's part.
export function taken(text: string): {number: string; unit: string} {
  const found = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*)$/.exec(text.trim());
  return found ? {number: found[1], unit: found[2]} : {number: text, unit: ''};
}

/// One step up or down from a number as written: of its last but one leading digit, 1000 by 10, 0.25 by 0.01.
export function stepped(number: string, by: number, whole: boolean): string {
  const value = Number(number);
  if (!Number.isFinite(value)) return number;
  if (whole) return String(Math.max(0, Math.round(value) + by));
  const step = value === 0 ? 0.1 : 10 ** (Math.floor(Math.log10(Math.abs(value)) + 1e-9) - 1);
  return String(Number((value + by * step).toPrecision(12)));
}
