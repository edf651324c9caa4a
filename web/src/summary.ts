// What the run amounts to: whether it ended, its peaks, where the energy went, what the solver did.
import type {Column, Rod, Run} from './data';
import {button, element} from './dom';
import {formatted, quantity} from './units';

function peak(column: Column): {value: number; row: number} | undefined {
  if (column.min === undefined || column.max === undefined) return undefined;
  return Math.abs(column.min) > Math.abs(column.max)
    ? {value: column.min, row: column.min_row}
    : {value: column.max, row: column.max_row};
}

/// "3+3+1 strains": terms of bending_y, bending_z, torsion and so on, those that there are.
function strainsOf({terms, breaks}: Rod): string {
  const pieces = breaks.length - 1;
  return `${terms.filter((count) => count > 0).join('+')} strains${pieces > 1 ? ` on each of ${pieces} pieces` : ''}`;
}

/// The series whose peaks matter to a designer, those of the first runs first.
function peakNames(runs: Run[]): {group: string; names: string[]}[] {
  const all = [...new Set(runs.flatMap((run) => run.texts.columns.map((column) => column.name)))];
  const joints = new Set(
    runs.flatMap((run) => run.texts.scene?.links.filter((link) => !link.deforms && !link.base).flatMap((link) => link.joint.coordinates) ?? []),
  );
  const pick = (test: (name: string) => boolean) => all.filter(test);
  return [
    {group: 'Tip error', names: pick((name) => name.startsWith('tip_error.'))},
    {group: 'Torques and forces of the drives', names: pick((name) => name.endsWith('.torque'))},
    {group: 'Stress in the links', names: pick((name) => /^[^@]*\.stress$/.test(name))},
    {group: 'Joints', names: pick((name) => joints.has(name) && !name.endsWith('.motor'))},
  ].filter(({names}) => names.length > 0);
}

const statisticNames: Record<string, string> = {
  steps: 'steps',
  evaluations: 'evaluations of the dynamics',
  rejected_steps: 'rejected steps',
  wall_time: 'computing time [s]',
};

export class Summary {
  readonly element = element('div', 'summary');

  constructor(runs: Run[], seek: (t: number) => void, colour: (run: Run) => string) {
    for (const run of runs) this.element.append(this.facts(run, runs.length > 1 ? colour(run) : undefined));
    const simulated = runs.filter((run) => !run.texts.measured);
    this.element.append(this.peaks(runs, seek, colour), this.energy(simulated, colour), this.solver(simulated, colour));
  }

  private facts(run: Run, colour: string | undefined): HTMLElement {
    const {texts} = run;
    const state = texts.measured
      ? element('p', 'state', 'Measured')
      : texts.complete
      ? element('p', 'state good', 'Complete')
      : element('p', 'state bad', texts.stopped_because ? `Stopped early: ${texts.stopped_because}` : 'Incomplete: the run is still in progress, or was killed');
    const time: [string, string] = ['Time', `${formatted(run.time[0])} to ${formatted(run.end)} s, ${texts.rows.toLocaleString('en')} rows`];
    const facts: [string, string][] = texts.measured
      ? [['File', texts.file], time]
      : [['Case', texts.case_file], ['Results', texts.file], time, ['Arm', this.arm(run)], ['Made by', `lithe ${texts.version}`]];
    const title = element('h3', '', texts.label);
    if (colour) title.style.setProperty('--colour', colour);
    if (colour) title.classList.add('coloured');
    const list = element('dl', '');
    for (const [name, text] of facts) list.append(element('dt', '', name), element('dd', '', text));
    return element('section', 'card', element('header', '', title, state), list);
  }
  private arm(run: Run): string {
    const {scene} = run.texts;
    if (!scene) return `no 3-D view: ${run.texts.no_scene ?? ''}`;
    const names = new Set(scene.links.filter((link) => !link.base).map((link) => link.name));
    const bending = new Set(scene.links.filter((link) => link.flex || link.deforms).map((link) => link.name));
    const exact = scene.links.flatMap(({name, flex}) => (flex?.rod ? [`${name}: exact link, ${strainsOf(flex.rod)}`] : []));
    const all = `${names.size} link${names.size === 1 ? '' : 's'}, ${bending.size} of them bending, ${scene.positions.length} coordinates, reach ${quantity(scene.reach, 'm', 3)}`;
    return [all, ...exact].join('; ');
  }

  private heads(runs: Run[], colour: (run: Run) => string, first: string): HTMLElement {
    const row = element('tr', '', element('th', '', first));
    for (const run of runs) {
      const head = element('th', 'number', runs.length > 1 ? run.texts.label : 'peak');
      if (runs.length > 1) {
        head.classList.add('coloured');
        head.style.setProperty('--colour', colour(run));
      }
      row.append(head);
    }
    return element('thead', '', row);
  }

  private peaks(runs: Run[], seek: (t: number) => void, colour: (run: Run) => string): HTMLElement {
    const table = element('table', 'peaks', this.heads(runs, colour, 'Largest values'));
    for (const {group, names} of peakNames(runs)) {
      const body = element('tbody', '', element('tr', 'group', Object.assign(element('th', '', group), {colSpan: runs.length + 1})));
      for (const name of names) {
        const row = element('tr', '', element('td', 'name', name));
        for (const run of runs) {
          const column = run.column(name);
          const found = column && peak(column);
          const cell = element('td', 'number');
          if (column && found) {
            const t = run.time[found.row];
            const go = button('seek', `Go to t = ${formatted(t)} s`, () => seek(t), quantity(found.value, column.unit), element('small', '', `at ${formatted(t)} s`));
            cell.append(go);
            const share = this.yieldShare(run, name, found.value);
            if (share) cell.append(share);
          } else cell.append('–');
          row.append(cell);
        }
        body.append(row);
      }
      table.append(body);
    }
    return element('section', 'card', table);
  }
  private yieldShare(run: Run, name: string, stress: number): HTMLElement | undefined {
    if (!name.endsWith('.stress')) return undefined;
    const link = run.texts.scene?.links.find((one) => `${one.name}.stress` === name && one.yield_strength);
    if (!link) return undefined;
    const share = stress / link.yield_strength!;
    return element('small', share > 1 ? 'beyond' : '', `${formatted(100 * share, 3)} % of yield`);
  }

  private energy(runs: Run[], colour: (run: Run) => string): HTMLElement | string {
    const names = ['kinetic', 'elastic', 'gravity', 'input', 'dissipated', 'residual'];
    const meanings: Record<string, string> = {
      kinetic: 'kinetic, largest',
      elastic: 'elastic, largest',
      gravity: 'gravity, range',
      input: 'input by drives, largest',
      dissipated: 'dissipated, largest',
      residual: 'not accounted for, largest',
    };
    if (!runs.some((run) => run.column('energy.kinetic'))) return '';
    const table = element('table', 'peaks', this.heads(runs, colour, 'Energy audit'));
    const body = element('tbody', '');
    for (const name of names) {
      const row = element('tr', name === 'residual' ? 'total' : '', element('td', 'name', meanings[name]));
      for (const run of runs) {
        const column = run.column(`energy.${name}`);
        const cell = element('td', 'number', '–');
        if (column?.max !== undefined && column.min !== undefined) {
          const value = name === 'gravity' ? column.max - column.min : peak(column)!.value;
          cell.textContent = quantity(value, 'J');
        }
        row.append(cell);
      }
      body.append(row);
    }
    table.append(body);
    return element('section', 'card', table);
  }

  private solver(runs: Run[], colour: (run: Run) => string): HTMLElement | string {
    const names = [...new Set(runs.flatMap((run) => Object.keys(run.texts.statistics)))];
    if (names.length === 0) return '';
    const head = this.heads(runs, colour, 'Solver');
    if (runs.length === 1) head.querySelector('th.number')!.textContent = '';
    const body = element('tbody', '');
    for (const name of names) {
      const row = element('tr', '', element('td', 'name', statisticNames[name] ?? name.replaceAll('_', ' ')));
      for (const run of runs) {
        const value = run.texts.statistics[name];
        const text = value === undefined ? '–' : Number.isInteger(value) && Math.abs(value) < 1e15 ? value.toLocaleString('en') : formatted(value);
        row.append(element('td', 'number', text));
      }
      body.append(row);
    }
    return element('section', 'card', element('table', 'peaks', head, body));
  }
}
