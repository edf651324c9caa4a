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
