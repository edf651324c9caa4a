// The page: 3-D view with its controls, playback, and the panels beside it.
import type {Vector3} from 'three';
import {ArmView, type StressAlong} from './arm_view';
import {caseTexts} from './case_text';
import {readRuns, valueAt, type Numbers, type Run} from './data';
import {button, element, icon} from './dom';
import {displaced} from './kinematics';
import {ModesList} from './modes';
import {Player} from './player';
import {PlotBoard} from './plots';
import {Stage, type Preset, type Trail} from './stage';
import {Summary} from './summary';
import {dark, light, type Theme} from './theme';
import {formatted, quantity} from './units';

const exaggerations = [0, 1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000];
const trailPoints = 2500;
const mostSlowPictures = 10; // in a row
const presets: [Preset, string][] = [
  ['iso', 'Iso'],
  ['front', 'Front'],
  ['side', 'Side'],
  ['top', 'Top'],
];
const keys: [string, string][] = [
  ['Space', 'play, pause'],
  ['← →', 'one row back, ahead (with Shift: ten)'],
  ['Home End', 'start, end'],
  ['[ ]', 'slower, faster'],
  ['− +', 'deformation less, more'],
  ['1 2 3 4', 'view: iso, front, side, top'],
  ['G', 'ghost of the rigid arm'],
  ['T', 'trail of the tip'],
  ['N', 'names of the joints'],
  ['S', 'colour by stress'],
  ['L', 'loop'],
  ['D', 'dark, light'],
  ['?', 'this list'],
];

interface Shown {
  run: Run;
  visible: boolean;
  arm?: ArmView;
  ghost?: ArmView;
  trail?: Trail;
  q: Float64Array;
  tip?: [Numbers, Numbers, Numbers];
  error?: [Numbers, Numbers, Numbers];
  stress: Map<string, {fractions: number[]; values: Numbers[]; largest: number}>;
}

class Report {
  private readonly media = matchMedia('(prefers-color-scheme: dark)');
  private theme: Theme = this.media.matches ? dark : light;
  private chosenTheme = false;
  private readonly player: Player;
  private readonly shown: Shown[];
  private readonly plots: PlotBoard;
  private readonly modes: ModesList;
  private readonly view = element('div', 'view');
  private readonly labels = element('div', 'labels');
  private readonly swingNote = element('p', 'swing-note');
  private stage?: Stage;
  private exaggeration = 1;
  private options = {ghost: true, trail: true, names: false, stress: false};
  private dirty = true;
  private trailStale = true;
  private readonly syncs: (() => void)[] = [];

  constructor(readonly runs: Run[]) {
    this.player = new Player(Math.min(...runs.map((run) => run.time[0])), Math.max(...runs.map((run) => run.end)));
    this.shown = runs.map((run) => ({run, visible: true, q: new Float64Array(run.nq), stress: new Map()}));
    this.plots = new PlotBoard(runs, this.player, this.theme, (run) => this.shown[run.index].visible);
    this.modes = new ModesList(runs, (run) => this.colourOf(run), () => this.modeChanged());
  }

  async open(app: HTMLElement): Promise<void> {
    const scenes = this.shown.filter(({run}) => run.texts.scene);
    const side = this.makeSide();
    const stageColumn = element('main', 'stage', this.view, this.makeTransport());
    document.title = `${this.runs.map((run) => run.texts.label).join(', ')} – lithe`;
    app.replaceChildren(this.makeHeader(), stageColumn, side);
    this.applyTheme();
    if (scenes.length > 0) this.makeStage(scenes);
    else this.view.append(element('p', 'nothing', `No 3-D view: ${this.runs[0].texts.no_scene ?? ''}`));
    this.player.onChange(() => {
      this.dirty = true;
      this.sync();
    });
    this.media.addEventListener('change', () => {
      if (!this.chosenTheme) this.setTheme(this.media.matches ? dark : light);
    });
    document.addEventListener('keydown', (event) => this.key(event));
    this.sync();
    await Promise.all([this.readTips(), this.defaultPanels()]);
    this.dirty = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  colourOf(run: Run): string {
    return this.theme.series[run.index % this.theme.series.length];
  }

  // ------------------------------------------------------------------------------------------------ the 3-D view

  private makeStage(scenes: Shown[]): void {
    const {up} = scenes[0].run.texts.scene!;
    const reach = Math.max(...scenes.map(({run}) => run.texts.scene!.reach));
    try {
      this.stage = new Stage(this.view, this.theme, up, reach);
    } catch (error) {
      this.view.append(element('p', 'nothing', `No 3-D view: this browser offers no WebGL (${String(error)}). Plots and texts are all here.`));
      return;
    }
    const points: Vector3[] = [];
    const soles: Vector3[] = [];
    for (const shown of scenes) {
      const scene = shown.run.texts.scene!;
      shown.arm = new ArmView(scene, this.theme, this.runs.length > 1 ? shown.run.index : undefined);
      shown.ghost = new ArmView(scene, this.theme, undefined, true);
      this.stage.world.add(shown.arm.object, shown.ghost.object);
      shown.trail = this.stage.addTrail(this.trailColour(shown.run));
      const rows = shown.run.texts.rows;
      for (let k = 0; k <= 80; ++k) {
        const row = Math.round(((rows - 1) * k) / 80);
        const q = rowOf(shown.run.positions, row, shown.q);
        shown.arm.update(q, shown.run.time[row], 1);
        points.push(...shown.arm.points(q, 1));
      }
      soles.push(...shown.arm.sole());
    }
    this.stage.frame(points, soles);
    this.stage.look('iso');
    this.view.append(this.labels, this.makeCameras(), this.makeToggles(), this.makeReadings(), this.swingNote);
    this.stage.onMove = () => {
      this.placeLabels();
      this.sync();
    };
  }
  private trailColour(run: Run): string {
    return this.runs.length > 1 ? this.colourOf(run) : this.theme.series[1];
  }

  private makeCameras(): HTMLElement {
    const group = element('div', 'segmented cameras');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'View from');
    presets.forEach(([preset, name], k) => {
      const control = button('', `${name} view (${k + 1})`, () => this.stage?.look(preset), name);
      this.syncs.push(() => control.setAttribute('aria-pressed', String(this.stage?.activePreset === preset)));
      group.append(control);
    });
    return group;
  }
  private makeToggles(): HTMLElement {
    const group = element('div', 'segmented toggles');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'Show');
    const add = (option: keyof typeof this.options, name: string, label: string) => {
      const control = button('', label, () => this.toggle(option), name);
      control.dataset.option = option;
      this.syncs.push(() => control.setAttribute('aria-pressed', String(this.options[option])));
      group.append(control);
    };
    add('ghost', 'Ghost', 'The rigid arm where it should be (G)');
    add('trail', 'Trail', 'The way of the tip (T)');
    add('names', 'Names', 'Names of the joints (N)');
    if (this.hasStress()) add('stress', 'Stress', 'Colour bending links by the largest stress in each section (S)');
    return group;
  }
  private hasStress(): boolean {
    return this.runs.some((run) => run.texts.scene && run.texts.columns.some(({name}) => /@[\d.]+\.stress$/.test(name)));
  }
  private toggle(option: keyof typeof this.options): void {
    if (option === 'stress' && !this.hasStress()) return;
    if (option === 'trail' || option === 'stress') this.modes.stop(); // they belong to the run
    this.options[option] = !this.options[option];
    if (option === 'stress' && this.options.stress) void this.readStress();
    this.dirty = true;
    this.sync();
  }

  /// Where the tip is at the moment, run by run.
  private makeReadings(): HTMLElement {
    const box = element('div', 'readings');
    const table = element('table', '');
    table.append(element('thead', '', element('tr', '', ...['tip', 'x', 'y', 'z', '|error|'].map((name) => element('th', '', name)))));
    const body = element('tbody', '');
    for (const shown of this.shown) {
      if (!shown.arm) continue;
      const head = element('th', '', this.runs.length > 1 ? shown.run.texts.label : 'at t');
      const cells = ['x', 'y', 'z', 'error'].map((name) => {
        const cell = element('td', '');
        cell.dataset.reading = `${shown.run.index}.${name}`;
        return cell;
      });
      const row = element('tr', '', head, ...cells);
      body.append(row);
      this.syncs.push(() => {
        row.hidden = !shown.visible;
        if (this.runs.length > 1) head.style.color = this.colourOf(shown.run);
        if (!shown.tip || !shown.error) return;
        const at = (values: Numbers) => valueAt(shown.run.time, values, this.player.t);
        // Of the order of rounding is nothing.
        const reach = shown.run.texts.scene!.reach;
        shown.tip.forEach((values, c) => {
          const place = at(values);
          cells[c].textContent = formatted(Math.abs(place) < 1e-9 * reach ? 0 : place, 5) + '\u00a0m';
        });
        cells[3].textContent = quantity(Math.hypot(...shown.error.map(at)), 'm', 4);
      });
    }
    table.append(body);
    const grid = element('p', 'scale');
    this.syncs.push(() => (grid.textContent = this.stage ? `grid ${quantity(this.stage.pitch, 'm', 1)}` : ''));
    const bar = element('p', 'heat');
    this.syncs.push(() => {
      bar.hidden = !this.options.stress;
      const largest = Math.max(0, ...this.shown.flatMap(({stress}) => [...stress.values()].map((one) => one.largest)));
      bar.replaceChildren('0', element('i', ''), quantity(largest, 'Pa', 3));
    });
    box.append(bar, table, grid);
    return box;
  }

  /// Names beside their joints; where joints fall together on the screen, one label lists them.
  private placeLabels(): void {
    const first = this.shown.find(({arm, visible}) => arm && visible);
    if (!this.options.names || !first?.arm || !this.stage) {
      this.labels.replaceChildren();
      return;
    }
    const places: {x: number; y: number; text: string}[] = [];
    first.arm.scene.links.forEach((link, i) => {
      if (!link.joint_size) return;
      const at = this.stage!.project(first.arm!.kinematics.B[i].subarray(9));
      if (!at) return;
      const near = places.find(({x, y}) => Math.hypot(x - at[0], y - at[1]) < 30);
      if (near) near.text += `, ${link.joint_name}`;
      else places.push({x: at[0], y: at[1], text: link.joint_name});
    });
    // Labels that would cover each other move up.
    const width = (text: string) => 8 * text.length + 10;
    places.forEach((label, k) => {
      const covers = (other: typeof label) =>
        Math.abs(other.y - label.y) < 17 && other.x < label.x + width(label.text) && label.x < other.x + width(other.text);
      while (places.slice(0, k).some(covers)) label.y -= 4;
    });
    this.labels.replaceChildren(
      ...places.map(({x, y, text}) => {
        const label = element('span', '', text);
        label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        return label;
      }),
    );
  }

  // ------------------------------------------------------------------------------------------------ controls

  private makeTransport(): HTMLElement {
    const {player} = this;
    const play = button('primary', '', () => this.playOrPause(), icon('play'), icon('pause'));
    const scrub = element('input', 'scrub');
    scrub.type = 'range';
    scrub.min = '0';
    scrub.max = '10000';
    scrub.step = '1';
    scrub.setAttribute('aria-label', 'Time');
    scrub.addEventListener('input', () => {
      this.modes.stop();
      player.seek(player.start + (Number(scrub.value) / 10000) * (player.end - player.start));
    });
    const clock = element('output', 'clock');
    const speed = element('output', 'speed');
    const loop = button('', 'Play again and again (L)', () => player.toggleLoop(), icon('loop'));
    const digits = Math.max(0, Math.min(6, 4 - Math.ceil(Math.log10(player.end - player.start || 1))));
    this.syncs.push(() => {
      play.classList.toggle('playing', player.playing);
      play.title = player.playing ? 'Pause (space)' : 'Play (space)';
      play.setAttribute('aria-label', play.title);
      const share = (player.t - player.start) / (player.end - player.start || 1);
      scrub.value = String(Math.round(share * 10000));
      scrub.style.setProperty('--share', `${share * 100}%`);
      scrub.setAttribute('aria-valuetext', `${formatted(player.t)} s`);
      clock.replaceChildren(`${player.t.toFixed(digits)}`, element('small', '', ` / ${player.end.toFixed(digits)} s`));
      clock.dataset.t = String(player.t);
      speed.textContent = `${player.speed}×`;
      loop.setAttribute('aria-pressed', String(player.loop));
    });
    const bends = this.runs.some((run) => deforms(run));
    const row = element(
      'div',
      'row',
      element(
        'div',
        'group',
        button('', 'One row back (←)', () => this.step(-1), icon('back')),
        play,
        button('', 'One row ahead (→)', () => this.step(1), icon('ahead')),
        loop,
      ),
      element('div', 'group', button('small', 'Slower ([)', () => player.faster(-1), '−'), speed, button('small', 'Faster (])', () => player.faster(1), '+')),
    );
    if (bends) row.append(this.makeExaggeration());
    return element('div', 'transport', element('div', 'line', scrub, clock), row);
  }

  private makeExaggeration(): HTMLElement {
    const slider = element('input', '');
    slider.type = 'range';
    slider.min = '0';
    slider.max = String(exaggerations.length - 1);
    slider.step = '1';
    slider.id = 'exaggeration';
    slider.setAttribute('aria-label', 'Deformation drawn so many times');
    slider.addEventListener('input', () => this.exaggerate(exaggerations[Number(slider.value)]));
    const value = element('output', '');
    this.syncs.push(() => {
      const at = exaggerations.indexOf(this.exaggeration);
      slider.value = String(at);
      slider.style.setProperty('--share', `${(100 * at) / (exaggerations.length - 1)}%`);
      value.textContent = `×${this.exaggeration}`;
      value.classList.toggle('untrue', this.exaggeration !== 1);
    });
    const label = element('label', 'group exaggeration', element('span', '', 'Deformation'), slider, value);
    label.title = 'How many times the deformation is drawn (− and +)';
    return label;
  }
  private exaggerate(factor: number): void {
    this.modes.stop();
    this.exaggeration = factor;
    this.trailStale = true;
    this.dirty = true;
    this.sync();
  }

  private makeHeader(): HTMLElement {
    const title = element('h1', '', this.runs.length > 1 ? 'Comparison' : this.runs[0].texts.label);
    const header = element('header', 'top', element('span', 'brand', 'lithe'), title);
    if (this.runs.length > 1) {
      const legend = element('div', 'legend');
      for (const shown of this.shown) {
        const control = button('run', `Show or hide ${shown.run.texts.label}`, () => this.toggleRun(shown), element('i', 'swatch'), shown.run.texts.label);
        this.syncs.push(() => {
          control.style.setProperty('--colour', this.colourOf(shown.run));
          control.setAttribute('aria-pressed', String(shown.visible));
        });
        legend.append(control);
      }
      header.append(legend);
    }
    for (const run of this.runs)
      if (!run.texts.complete) header.append(element('span', 'warning', this.runs.length > 1 ? `${run.texts.label}: incomplete` : 'incomplete'));
    const help = this.makeHelp();
    const theme = button('', 'Dark or light (D)', () => this.flipTheme(), icon('moon'), icon('sun'));
    header.append(element('span', 'spring'), button('keys', 'Keys (?)', () => help.showModal(), icon('help')), theme, help);
    return header;
  }
  private toggleRun(shown: Shown): void {
    shown.visible = !shown.visible;
    this.dirty = true;
    this.plots.redraw();
    this.sync();
  }
  private makeHelp(): HTMLDialogElement {
    const dialog = element('dialog', 'help');
    const list = element('dl', '');
    for (const [key, meaning] of keys)
      list.append(element('dt', '', ...key.split(' ').map((one) => element('kbd', '', one))), element('dd', '', meaning));
    dialog.append(
      element('header', '', element('h2', '', 'Keys and mouse'), button('', 'Close', () => dialog.close(), icon('close'))),
      list,
      element('p', '', 'In the view: drag to turn, scroll or pinch to come nearer, right-drag to shift. In a plot: click to go there, drag to zoom, double-click for the whole run.'),
    );
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    this.help = dialog;
    return dialog;
  }
  private help?: HTMLDialogElement;

  private makeSide(): HTMLElement {
    const pages: [string, HTMLElement][] = [
      ['Plots', this.plots.element],
      ['Summary', new Summary(this.runs, (t) => this.seek(t), (run) => this.colourOf(run)).element],
      ['Modes', this.modes.element],
      ['Case', caseTexts(this.runs, (run) => this.colourOf(run))],
    ];
    const tabs = element('div', 'tabs');
    tabs.setAttribute('role', 'tablist');
    const bodies = element('div', 'pages');
    const show = (k: number) => {
      [...tabs.children].forEach((tab, i) => {
        tab.setAttribute('aria-selected', String(i === k));
        (tab as HTMLElement).tabIndex = i === k ? 0 : -1;
      });
      [...bodies.children].forEach((page, i) => ((page as HTMLElement).hidden = i !== k));
      if (k !== 2) this.modes.stop();
    };
    pages.forEach(([name, content], k) => {
      const tab = button('', '', () => show(k), name);
      tab.setAttribute('role', 'tab');
      tab.id = `tab-${name.toLowerCase()}`;
      tab.addEventListener('keydown', (event) => {
        const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (by === 0) return;
        event.stopPropagation();
        const next = (k + by + pages.length) % pages.length;
        show(next);
        (tabs.children[next] as HTMLElement).focus();
      });
      tabs.append(tab);
      const page = element('div', 'page', content);
      page.setAttribute('role', 'tabpanel');
      page.setAttribute('aria-labelledby', tab.id);
      bodies.append(page);
    });
    show(0);
    return element('aside', 'side', tabs, bodies);
  }

  // ------------------------------------------------------------------------------------------------ what is read

  private async defaultPanels(): Promise<void> {
    const names = [...new Set(this.runs.flatMap((run) => run.texts.columns.map(({name}) => name)))];
    const has = (wanted: string[]) => wanted.filter((name) => names.includes(name));
    const range = (name: string) => Math.max(...this.runs.map((run) => (run.column(name)?.max ?? 0) - (run.column(name)?.min ?? 0)));
    const moves = (name: string) => range(name) > 1e-12;
    // What hardly moves beside the others would only be in the way.
    const telling = (list: string[]) => list.filter((name) => range(name) > 1e-3 * Math.max(...list.map(range)) && moves(name));
    const scene = this.runs.find((run) => run.texts.scene)?.texts.scene;
    const joints = (scene?.links ?? [])
      .filter((link) => !link.deforms && ['revolute', 'prismatic'].includes(link.joint.type) && (link.joint_size || link.base))
      .map((link) => link.joint_name);
    const several = this.runs.length > 1;
    const panels: [string, string[]][] = [
      ['Tip error', telling(has(['tip_error.x', 'tip_error.y', 'tip_error.z']))],
      ['Joints', telling(has(joints)).slice(0, several ? 3 : 6)],
      ['Torques', telling(has(joints.map((joint) => `${joint}.torque`))).slice(0, several ? 2 : 6)],
      ['Energy', has(several ? ['energy.kinetic', 'energy.elastic'] : ['energy.kinetic', 'energy.elastic', 'energy.gravity', 'energy.input', 'energy.dissipated']).filter(moves)],
      ['Energy not accounted for', has(['energy.residual']).filter(moves)],
    ];
    const useful = panels.filter(([, list]) => list.length > 0);
    if (useful.length === 0 && names.length > 0) useful.push([names[0], [names[0]]]);
    // At most two units share a panel: slides and turns may need one each.
    for (const [title, list] of useful) await this.plots.add(title, list);
  }

  private async readTips(): Promise<void> {
    const three = async (run: Run, stem: string) => {
      const series = await Promise.all(['x', 'y', 'z'].map((axis) => run.series(`${stem}.${axis}`)));
      return series.every((one) => one) ? (series as [Numbers, Numbers, Numbers]) : undefined;
    };
    for (const shown of this.shown) {
      shown.tip = await three(shown.run, 'tip');
      shown.error = await three(shown.run, 'tip_error');
    }
    this.sync();
  }

  private async readStress(): Promise<void> {
    for (const shown of this.shown) {
      if (shown.stress.size > 0) continue;
      for (const column of shown.run.texts.columns) {
        const found = /^(.*)@([\d.]+)\.stress$/.exec(column.name);
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
      ...this.shown.flatMap(({run}) => run.texts.columns.filter(({name}) => /@[\d.]+\.stress$/.test(name)).map(({max}) => max ?? 0)),
    );
    for (const {stress} of this.shown) for (const along of stress.values()) along.largest = largest;
    this.dirty = true;
    this.sync();
  }

  // ------------------------------------------------------------------------------------------------ acting

  private playOrPause(): void {
    this.modes.stop();
    this.player.toggle();
  }
  private seek(t: number): void {
    this.modes.stop();
    this.player.pause();
    this.player.seek(t);
  }
  private step(by: number): void {
    const {time} = this.runs.find((run) => this.shown[run.index].visible) ?? this.runs[0];
    const run = this.runs.find((one) => one.time === time)!;
    const row = run.rowAt(this.player.t + 1e-9 * (this.player.end - this.player.start));
    const between = this.player.t > time[row] + 1e-9 * (this.player.end - this.player.start);
    const next = row + by + (between && by < 0 ? 1 : 0);
    this.seek(time[Math.min(Math.max(next, 0), time.length - 1)]);
  }
  private modeChanged(): void {
    const swing = this.modes.active;
    if (swing) this.player.pause();
    this.view.classList.toggle('swinging', swing !== undefined);
    this.swingNote.replaceChildren();
    if (swing)
      this.swingNote.append(
        element('b', '', `${formatted(swing.mode.frequency_hz)} Hz`),
        element('span', '', swing.mode.description.split(', ')[0]),
        button('text', 'Back to the run', () => this.modes.stop(), 'Back to the run'),
      );
    this.dirty = true;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help?.open) return;
    const target = event.target as HTMLElement;
    if (target.matches('input[type=search], textarea')) return;
    const onButton = target.matches('button') && (event.key === ' ' || event.key === 'Enter');
    const onSlider = target.matches('#exaggeration') && event.key.startsWith('Arrow');
    if (onButton || onSlider) return;
    const at = exaggerations.indexOf(this.exaggeration);
    const bends = this.runs.some((run) => deforms(run));
    const more = (by: number) => bends && this.exaggerate(exaggerations[Math.min(Math.max(at + by, 0), exaggerations.length - 1)]);
    const actions: Record<string, () => void> = {
      ' ': () => this.playOrPause(),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.seek(this.player.start),
      End: () => this.seek(this.player.end),
      '[': () => this.player.faster(-1),
      ']': () => this.player.faster(1),
      '-': () => more(-1),
      '+': () => more(1),
      '=': () => more(1),
      g: () => this.toggle('ghost'),
      t: () => this.toggle('trail'),
      n: () => this.toggle('names'),
      s: () => this.toggle('stress'),
      l: () => this.player.toggleLoop(),
      d: () => this.flipTheme(),
      '?': () => this.help?.showModal(),
      1: () => this.stage?.look('iso'),
      2: () => this.stage?.look('front'),
      3: () => this.stage?.look('side'),
      4: () => this.stage?.look('top'),
    };
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  private flipTheme(): void {
    this.chosenTheme = true;
    this.setTheme(this.theme.dark ? light : dark);
  }
  private setTheme(theme: Theme): void {
    this.theme = theme;
    this.applyTheme();
    this.stage?.setTheme(theme);
    for (const {arm, ghost, trail, run} of this.shown) {
      arm?.setTheme(theme);
      ghost?.setTheme(theme);
      trail?.setColour(this.trailColour(run));
    }
    this.plots.setTheme(theme);
    document.querySelectorAll<HTMLElement>('.coloured').forEach((one) => {
      const run = this.runs.find(({texts}) => texts.label === one.textContent);
      if (run) one.style.setProperty('--colour', this.colourOf(run));
    });
    this.dirty = true;
    this.sync();
  }
  private applyTheme(): void {
    document.documentElement.dataset.theme = this.theme.dark ? 'dark' : 'light';
  }
  private sync(): void {
    for (const one of this.syncs) one();
  }

  // ------------------------------------------------------------------------------------------------ each picture

  private frame(now: number): void {
    this.watchPace(now);
    this.player.tick(now);
    const swing = this.modes.active;
    if (this.stage && (this.dirty || swing)) {
      this.dirty = false;
      if (this.trailStale && !swing) this.makeTrails();
      for (const shown of this.shown) this.place(shown, now);
      this.placeLabels();
      this.stage.request();
    }
    this.stage?.draw();
    requestAnimationFrame((next) => this.frame(next));
  }

  /// Where pictures come slowly one after the other, they are made simpler, once.
  private watchPace(now: number): void {
    const gap = now - this.lastPicture;
    this.lastPicture = now;
    if (!this.player.playing || this.slowPictures > mostSlowPictures) return;
    this.slowPictures = gap > 45 && gap < 2000 ? this.slowPictures + 1 : 0;
    if (this.slowPictures > mostSlowPictures) this.stage?.economise();
  }
  private lastPicture = 0;
  private slowPictures = 0;

  private place(shown: Shown, now: number): void {
    const {arm, ghost, trail, run, q} = shown;
    if (!arm || !ghost || !trail) return;
    const swing = this.modes.active;
    const showing = swing ? swing.run === run : shown.visible;
    arm.object.visible = showing;
    ghost.object.visible = showing && this.options.ghost;
    trail.object.visible = showing && !swing && this.options.trail;
    if (!showing) return;
    if (swing) {
      // Slow enough to see: one swing in a second and a half.
      const amount = swing.amplitude * Math.sin((2 * Math.PI * now) / 1500);
      arm.update(displaced(arm.scene, swing.pose, swing.mode.shape, amount), 0, 1);
      ghost.update(swing.pose, 0, 1);
      arm.colourByStress(undefined);
      return;
    }
    const {t} = this.player;
    arm.update(positionsAt(run, run.positions, t, q), t, this.exaggeration);
    arm.colourByStress(this.options.stress && shown.stress.size > 0 ? stressAt(shown, t) : undefined);
    if (this.options.ghost) ghost.update(positionsAt(run, run.wanted, t, q), t, 0);
    trail.update(run.rowAt(t));
  }

  private makeTrails(): void {
    this.trailStale = false;
    for (const {arm, trail, run, q} of this.shown) {
      if (!arm || !trail) continue;
      const stride = Math.max(1, Math.ceil(run.texts.rows / trailPoints));
      const rows: number[] = [];
      for (let row = 0; row < run.texts.rows; row += stride) rows.push(row);
      if (rows[rows.length - 1] !== run.texts.rows - 1) rows.push(run.texts.rows - 1);
      if (rows.length < 2) rows.push(rows[0]);
      const points = new Float32Array(3 * rows.length);
      rows.forEach((row, k) => {
        arm.kinematics.update(rowOf(run.positions, row, q), run.time[row], this.exaggeration);
        points.set(arm.tip(), 3 * k);
      });
      trail.set(points, rows);
    }
  }

  /// For scripts: where things are, by world coordinates and pixels.
  get script() {
    return {
      time: () => this.player.t,
      seek: (t: number) => this.seek(t),
      tip: (run = 0, exaggeration = this.exaggeration): number[] => this.tipOf(run, false, exaggeration),
      rigidTip: (run = 0): number[] => this.tipOf(run, true, 0),
      worldToClip: () => this.stage?.worldToClip(),
      view: () => {
        const {left, top, width, height} = this.stage!.canvas.getBoundingClientRect();
        return {left, top, width, height};
      },
      look: (preset: Preset) => this.stage?.look(preset),
    };
  }
  private tipOf(run: number, ghostly: boolean, factor: number): number[] {
    const {arm, ghost, q} = this.shown[run];
    const view = ghostly ? ghost! : arm!;
    const source = this.runs[run];
    const at = positionsAt(source, ghostly ? source.wanted : source.positions, this.player.t, q);
    view.kinematics.update(at, this.player.t, factor);
    this.dirty = true;
    return view.tip();
  }
}

/// Whether there is anything to exaggerate: links that bend, or joints behind elastic transmissions.
function deforms({texts}: Run): boolean {
  return texts.scene !== undefined && (texts.scene.bends || texts.scene.links.some((link) => link.rotor !== undefined));
}

function rowOf(columns: Float64Array[], row: number, q: Float64Array): Float64Array {
  for (let i = 0; i < q.length; ++i) q[i] = columns[i][row];
  return q;
}

/// Linear between rows; a quaternion becomes a unit one again in kinematics.
function positionsAt(run: Run, columns: Float64Array[], t: number, q: Float64Array): Float64Array {
  const row = run.rowAt(t);
  const last = row + 1 >= run.time.length;
  const share = last ? 0 : Math.max(0, (t - run.time[row]) / (run.time[row + 1] - run.time[row]));
  for (let i = 0; i < q.length; ++i) q[i] = last ? columns[i][row] : columns[i][row] + share * (columns[i][row + 1] - columns[i][row]);
  return q;
}

function stressAt(shown: Shown, t: number): Map<string, StressAlong> {
  const now = new Map<string, StressAlong>();
  for (const [link, {fractions, values, largest}] of shown.stress)
    now.set(link, {fractions, largest, values: values.map((one) => valueAt(shown.run.time, one, t))});
  return now;
}

async function start(): Promise<void> {
  const app = document.getElementById('app')!;
  try {
    const runs = readRuns();
    await Promise.all(runs.map((run) => run.open()));
    const report = new Report(runs);
    await report.open(app);
    Object.assign(window, {litheReport: report.script});
    document.documentElement.dataset.ready = 'yes';
  } catch (error) {
    app.replaceChildren(element('p', 'loading', `This report cannot be shown: ${String(error)}`));
    throw error;
  }
}
void start();
