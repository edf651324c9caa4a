// The page: 3-D view with its controls, playback, and the panels beside it. A report shows its runs; the viewer (viewer.ts) adds
// panels of its own and changes the runs.
import {caseTexts} from './case_text';
import type {Run, Scene} from './data';
import {defaultPanels} from './default_panels';
import {button, element, icon} from './dom';
import {helpDialog} from './help';
import {ModesList} from './modes';
import {Player} from './player';
import {PlotBoard} from './plots';
import {deforms, readTips, shownRun, type Shown} from './shown';
import type {Preset} from './stage';
import {Summary} from './summary';
import {Tabs} from './tabs';
import {dark, light, type Theme} from './theme';
import {Transport} from './transport';
import {formatted} from './units';
import {exaggerations, View, type Swing} from './view';

const mostSlowPictures = 10; // in a row

/// What the viewer adds.
export interface Extras {
  title: string;
  tabs: string[]; // before those of the report, of which `kept` remain
  kept: string[];
  header: HTMLElement;
  keys: [string, string][];
  legend: (run: Run) => HTMLElement; // beside a run's name
  /// True: the key has been dealt with.
  key: (event: KeyboardEvent) => boolean;
  backFromPose: () => void;
}

export class Report {
  private readonly media = matchMedia('(prefers-color-scheme: dark)');
  theme: Theme = this.media.matches ? dark : light;
  private chosenTheme = false;
  readonly player = new Player();
  readonly view: View;
  readonly tabs: Tabs;
  private readonly transport: Transport;
  private readonly header = element('header', 'top');
  private readonly note = element('p', 'swing-note');
  private readonly help: HTMLDialogElement;
  private shown: Shown[] = [];
  private plots?: PlotBoard;
  private modes?: ModesList;
  private poseNote = '';
  private syncs: (() => void)[] = [];

  constructor(private readonly extras?: Extras) {
    this.view = new View(this.theme, this.player, (run) => this.colourOf(run), () => this.sync());
    this.view.onToggle = (option) => {
      if (option === 'trail' || option === 'wake' || option === 'stress') this.modes?.stop(); // they belong to the run
      this.view.toggle(option);
    };
    this.transport = new Transport(this.player, this.view, {
      playOrPause: () => this.playOrPause(),
      step: (by) => this.step(by),
      scrub: (t) => {
        this.backToRun();
        this.player.seek(t);
      },
      exaggerate: (factor) => this.exaggerate(factor),
    });
    this.tabs = new Tabs([...(extras?.tabs ?? []), ...(extras?.kept ?? ['Plots', 'Summary', 'Modes', 'Case'])]);
    this.help = helpDialog(extras?.keys ?? []);
  }

  get runs(): Run[] {
    return this.shown.map(({run}) => run);
  }

  /// Puts the page together, once.
  open(app: HTMLElement): void {
    this.view.element.append(this.note);
    app.replaceChildren(this.header, element('main', 'stage', this.view.element, this.transport.element), this.tabs.element);
    this.applyTheme();
    this.tabs.onShow = (name) => {
      if (name !== 'Modes') this.modes?.stop();
    };
    this.player.onChange(() => {
      this.view.request();
      this.sync();
    });
    this.media.addEventListener('change', () => {
      if (!this.chosenTheme) this.setTheme(this.media.matches ? dark : light);
    });
    document.addEventListener('keydown', (event) => this.key(event));
    requestAnimationFrame((now) => this.frame(now));
  }

  /// Shows these runs, which have been opened; `visible` says which of them at first.
  async show(runs: Run[], visible: (run: Run) => boolean = () => true): Promise<void> {
    this.modes?.stop();
    runs.forEach((run, i) => (run.index = i));
    this.shown = runs.map((run) => shownRun(run, visible(run)));
    if (runs.length > 0) this.player.setSpan(Math.min(...runs.map((run) => run.time[0])), Math.max(...runs.map((run) => run.end)));
    document.title = `${this.extras?.title ?? runs.map((run) => run.texts.label).join(', ')} – lithe`;
    this.syncs = [];
    this.fillHeader();
    this.view.show(this.shown);
    const layout = this.plots?.layout();
    this.plots?.dispose();
    this.plots = new PlotBoard(runs, this.player, this.theme, (run) => this.shown[run.index].visible);
    const colour = (run: Run) => this.colourOf(run);
    const simulated = runs.filter((run) => !run.texts.measured);
    this.modes = new ModesList(simulated, colour, () => this.modeChanged());
    const pages: Record<string, HTMLElement> = {
      Plots: this.plots.element,
      Summary: new Summary(runs, (t) => this.seek(t), colour).element,
      Modes: this.modes.element,
      Case: caseTexts(simulated, colour),
    };
    const nothing = () => element('p', 'nothing', 'Nothing has been run yet. Press Run (Ctrl+Enter).');
    for (const name of this.extras?.kept ?? Object.keys(pages)) this.tabs.fill(name, runs.length > 0 ? pages[name] : nothing());
    this.sync();
    // At most two units share a panel: slides and turns may need one each.
    const fill = async () => {
      for (const [title, list] of layout?.length ? layout : defaultPanels(runs)) await this.plots!.add(title, list);
    };
    await Promise.all([readTips(this.shown), fill()]);
    this.view.request();
    this.sync();
  }

  colourOf(run: Run): string {
    return this.theme.series[run.colour % this.theme.series.length];
  }

  // ------------------------------------------------------------------------------------------------ parts

  private fillHeader(): void {
    const {runs} = this;
    const name = this.extras?.title ?? (runs.length > 1 ? 'Comparison' : runs[0]?.texts.label ?? '');
    this.header.replaceChildren(element('span', 'brand', 'lithe'), element('h1', '', name));
    if (runs.length > 1 || (this.extras && runs.length > 0)) {
      const legend = element('div', 'legend');
      for (const shown of this.shown) {
        const flip = () => this.toggleRun(shown);
        const control = button('run', `Show or hide ${shown.run.texts.label}`, flip, element('i', 'swatch'), element('span', '', shown.run.texts.label));
        if (this.extras && !shown.run.texts.complete) control.append(element('small', 'warning', 'incomplete'));
        this.syncs.push(() => {
          control.style.setProperty('--colour', runs.length > 1 ? this.colourOf(shown.run) : this.theme.series[0]);
          control.setAttribute('aria-pressed', String(shown.visible));
        });
        legend.append(this.extras ? element('span', 'kept-run', control, this.extras.legend(shown.run)) : control);
      }
      this.header.append(legend);
    }
    for (const run of runs)
      if (!run.texts.complete && !this.extras) this.header.append(element('span', 'warning', runs.length > 1 ? `${run.texts.label}: incomplete` : 'incomplete'));
    const theme = button('', 'Dark or light theme (D)', () => this.flipTheme(), icon('moon'), icon('sun'));
    const extra = this.extras ? [this.extras.header] : [];
    this.header.append(element('span', 'spring'), ...extra, button('keys', 'Keys (?)', () => this.help.showModal(), icon('help')), theme, this.help);
  }
  private toggleRun(shown: Shown): void {
    shown.visible = !shown.visible;
    this.view.request();
    this.plots?.redraw();
    this.sync();
  }
  isVisible(run: Run): boolean {
    return this.shown[run.index]?.run === run && this.shown[run.index].visible;
  }

  // ------------------------------------------------------------------------------------------------ acting

  private playOrPause(): void {
    if (this.runs.length === 0) return;
    this.backToRun();
    this.player.toggle();
  }
  seek(t: number): void {
    this.backToRun();
    this.player.pause();
    this.player.seek(t);
  }
  private step(by: number): void {
    const run = this.shown.find(({visible}) => visible)?.run ?? this.runs[0];
    if (!run) return;
    const {time} = run;
    const row = run.rowAt(this.player.t + 1e-9 * (this.player.end - this.player.start));
    const between = this.player.t > time[row] + 1e-9 * (this.player.end - this.player.start);
    const next = row + by + (between && by < 0 ? 1 : 0);
    this.seek(time[Math.min(Math.max(next, 0), time.length - 1)]);
  }
  private exaggerate(factor: number): void {
    this.modes?.stop();
    this.view.exaggerate(factor);
  }
  private backToRun(): void {
    this.modes?.stop();
    if (this.view.posed && this.runs.length > 0) this.extras?.backFromPose();
  }

  /// One arm in a pose of its own instead of the runs, or the runs again.
  pose(scene?: Scene, q?: Float64Array, note = ''): void {
    if (scene) {
      this.modes?.stop();
      this.player.pause();
    } else if (this.view.swing) this.swingPosed(undefined);
    this.poseNote = scene ? note : '';
    this.view.pose(scene, q);
    this.fillNote();
    this.sync();
  }
  onSwingEnd: () => void = () => {};
  swingPosed(swing: Swing | undefined): void {
    this.view.swing = swing;
    if (!swing) this.onSwingEnd();
    this.fillNote();
    this.view.request();
  }
  private modeChanged(): void {
    const swing = this.modes?.active;
    if (swing) this.player.pause();
    this.view.swing = swing;
    this.fillNote();
    this.view.request();
  }
  private fillNote(): void {
    const {swing} = this.view;
    this.view.element.classList.toggle('swinging', swing !== undefined);
    this.view.element.classList.toggle('posing', this.view.posed !== undefined);
    this.note.replaceChildren();
    if (swing) {
      const back = swing.run ? 'Back to the run' : 'Back to the pose';
      this.note.append(
        element('b', '', `${formatted(swing.mode.frequency_hz)} Hz`),
        element('span', '', swing.mode.description.split(', ')[0]),
        button('text', back, () => (swing.run ? this.modes?.stop() : this.swingPosed(undefined)), back),
      );
    } else if (this.view.posed && this.poseNote) {
      this.note.append(element('span', '', this.poseNote));
      if (this.runs.length > 0) this.note.append(button('text', 'Back to the run', () => this.extras?.backFromPose(), 'Back to the run'));
    }
  }

  private key(event: KeyboardEvent): void {
    if (this.help.open || this.extras?.key(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.matches('input:not([type=range]), textarea, select')) return;
    const onButton = target.matches('button') && (event.key === ' ' || event.key === 'Enter');
    const onSlider = target.matches('#exaggeration, .pose-slider') && /^(Arrow|Home|End)/.test(event.key);
    if (onButton || onSlider) return;
    const at = exaggerations.indexOf(this.view.exaggeration);
    const more = (by: number) => this.bends() && this.exaggerate(exaggerations[Math.min(Math.max(at + by, 0), exaggerations.length - 1)]);
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
      g: () => this.view.onToggle('ghost'),
      t: () => this.view.onToggle('trail'),
      w: () => this.view.onToggle('wake'),
      n: () => this.view.onToggle('names'),
      s: () => this.view.onToggle('stress'),
      l: () => this.player.toggleLoop(),
      d: () => this.flipTheme(),
      '?': () => this.help.showModal(),
      1: () => this.view.look('iso'),
      2: () => this.view.look('front'),
      3: () => this.view.look('side'),
      4: () => this.view.look('top'),
    };
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  private bends(): boolean {
    return this.view.posed ? this.view.posed.arm.scene.bends : this.runs.some((run) => deforms(run));
  }

  private flipTheme(): void {
    this.chosenTheme = true;
    this.setTheme(this.theme.dark ? light : dark);
  }
  private setTheme(theme: Theme): void {
    this.theme = theme;
    this.applyTheme();
    this.view.setTheme(theme);
    this.plots?.setTheme(theme);
    document.querySelectorAll<HTMLElement>('.coloured').forEach((one) => {
      const run = this.runs.find(({texts}) => texts.label === one.textContent);
      if (run) one.style.setProperty('--colour', this.colourOf(run));
    });
    this.sync();
  }
  private applyTheme(): void {
    document.documentElement.dataset.theme = this.theme.dark ? 'dark' : 'light';
  }
  private sync(): void {
    this.transport.plays = this.runs.length > 0;
    this.transport.bends = this.bends();
    this.transport.sync();
    this.view.sync();
    for (const one of this.syncs) one();
  }

  // ------------------------------------------------------------------------------------------------ each picture

  private frame(now: number): void {
    this.watchPace(now);
    this.player.tick(now);
    this.view.draw(now);
    requestAnimationFrame((next) => this.frame(next));
  }

  /// Where pictures come slowly one after the other, they are made simpler, once.
  private watchPace(now: number): void {
    const gap = now - this.lastPicture;
    this.lastPicture = now;
    if (!this.player.playing || this.slowPictures > mostSlowPictures) return;
    this.slowPictures = gap > 45 && gap < 2000 ? this.slowPictures + 1 : 0;
    if (this.slowPictures > mostSlowPictures) this.view.economise();
  }
  private lastPicture = 0;
  private slowPictures = 0;

  /// For scripts: where things are, by world coordinates and pixels.
  get script() {
    return {
      time: () => this.player.t,
      seek: (t: number) => this.seek(t),
      tip: (run = 0, exaggeration = this.view.exaggeration): number[] => this.view.tipOf(run, false, exaggeration),
      rigidTip: (run = 0): number[] => this.view.tipOf(run, true, 0),
      wake: (run = 0): number[] | undefined => this.view.wakeOf(run),
      posedTip: (exaggeration = 1): number[] | undefined => this.view.posedTip(exaggeration),
      worldToClip: () => this.view.worldToClip(),
      view: () => this.view.rectangle(),
      look: (preset: Preset) => this.view.look(preset),
    };
  }
}
