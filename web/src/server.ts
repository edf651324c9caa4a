// The server behind the viewer: `lithe view` (src/lithe/view/server.cpp).
import {Run, type Mode, type Numbers, type RunTexts, type Scene} from './data';

export interface Problem {
  line?: number; // counted from one
  column?: number;
  file?: string; // another one that the case names, with the line
  path: string;
  message: string;
}
export interface Parameter {
  path: string;
  group: string;
  label: string;
  text: string;
  unit: string;
  help: string;
  line: number; // of its text, counted from one
  column: number; // in bytes, counted from one
  length: number; // in bytes
  whole?: boolean;
  options?: string[];
  shared?: string[]; // all that stand at this place of the text, by an anchor and its aliases
}
export interface Joint {
  name: string;
  q0: number;
  turns: boolean;
  lower?: number;
  upper?: number;
}
export interface Described {
  errors: Problem[];
  warnings: Problem[];
  parameters?: Parameter[];
  scene?: Scene;
  joints?: Joint[];
  q?: number[];
  can_run?: boolean;
}
export interface Overview {
  title: string;
  file: string;
  text: string;
  can_save: boolean;
  running: boolean;
  runs: {id: number; label: string; rows: number}[];
}
export interface Progress {
  running: boolean;
  t?: number;
  duration?: number;
  seconds?: number;
  stopping?: boolean;
  outcome?: {run: number; message: string};
}

// The token stays in the address, which is this page's own; a cookie would go to every port of this machine.
const headers: Record<string, string> = {'X-Lithe-Token': new URLSearchParams(location.search).get('token') ?? ''};

/// Nothing came back, or not all of it; asked again, it may.
export class NoAnswer extends Error {
  constructor() {
    super('the viewer does not answer: is it still running?');
  }
}
async function answer<T>(path: string, options: RequestInit, content: (response: Response) => Promise<T>): Promise<T> {
  const lost = () => {
    throw new NoAnswer();
  };
  const response = await fetch(path, options).catch(lost);
  if (response.ok) return content(response).catch(lost);
  const words = await response.json().catch(() => ({}));
  throw new Error(words.error ?? `the viewer answered with status ${response.status}`);
}
function ask<T>(path: string): Promise<T> {
  return answer<T>(path, {headers}, (response) => response.json());
}
function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return answer<T>(path, {method: 'POST', signal, headers: {...headers, 'Content-Type': 'application/json'}, body: JSON.stringify(body)}, (response) => response.json());
}

export const server = {
  session: () => ask<Overview>('/api/session'),
  progress: () => ask<Progress>('/api/progress'),
  describe: (text: string, until?: AbortSignal) => post<Described>('/api/case', {text}, until),
  modes: (text: string, q: number[], joints: string) => post<{modes: Mode[]; note?: string}>('/api/modes', {text, q, joints}),
  sag: (text: string, q: number[]) => post<{q: number[]; sag: number[]; tip: number[]}>('/api/sag', {text, q}),
  start: (text: string) => post('/api/run', {text}),
  stop: () => post('/api/stop', {}),
  forget: (run: number) => post<Overview>('/api/forget', {run}),
  save: (text: string) => post('/api/save', {text}),

  /// A run with its texts; numbers come when they are looked at.
  async run(id: number): Promise<Run> {
    const texts = await ask<RunTexts>(`/api/runs/${id}`);
    const numbers = async (key: string): Promise<Numbers> => new Float64Array(await answer(`/api/runs/${id}/${key}`, {headers}, (response) => response.arrayBuffer()));
    const run = new Run(0, texts, numbers, id - 1);
    await run.open();
    return run;
  },
};
