// Panels of curves over time. All share one range and one playhead. What is drawn is thinned, keeping least and greatest, to what
// the width can show of the range in view; what is exported is every row.
import uPlot from 'uplot';
import {valueAt, type Numbers, type Run} from './data';
import {button, element, icon} from './dom';
import {plotData} from './plot_data';
import type {Player} from './player';
import type {Theme} from './theme';
import {prettyUnit, scaleFor, steady, type Scale} from './units';

interface Curve {
  run: Run;
  name: string;
  unit: string;
  values: Numbers;
  colour: number;
  dash?: number[];
}

const dashes = [undefined, [7, 4], [2, 3], [10, 3, 2, 3]];

export class Panel {
  readonly element: HTMLElement;
  private readonly chips = element('div', 'chips');
  private readonly body = element('div', 'plot');
  private readonly playhead = element('div', 'playhead');
  private plot?: uPlot;
  private curves: Curve[] = [];
  private scales = new Map<string, Scale>();
  private readings: {curve: Curve; value: HTMLElement}[] = [];
  private hover: number | undefined;
  private onScreen = true;
  private lastRead = 0;
  private readonly sight: IntersectionObserver;
  names: string[];

  constructor(
    private readonly board: PlotBoard,
    readonly title: string,
    names: string[],
  ) {
    this.names = [...names];
    const add = button('add', 'Add a series to this panel', () => board.choose(this, add), icon('plus'));
    const save = button('save', 'Save this panel as CSV, every row in view', () => void board.exportPanel(this), icon('save'));
    const close = button('close', 'Remove this panel', () => board.remove(this), icon('close'));
    const heading = element('h3', '', title);
    this.element = element('section', 'panel', element('header', '', heading, element('span', 'tools', add, save, close)), this.chips, this.body);
    this.element.setAttribute('aria-label', `plot ${title}`);
    this.sight = new IntersectionObserver((entries) => {
      this.onScreen = entries.some((entry) => entry.isIntersecting);
      this.movePlayhead();
    });
    this.sight.observe(this.element);
  }

  dispose(): void {
    this.sight.disconnect();
    this.plot?.destroy();
  }
  async load(): Promise<void> {
    const curves: Curve[] = [];
    const {runs} = this.board;
    for (const [n, name] of this.names.entries())
      for (const run of runs) {
        const values = await run.series(name);
        if (!values) continue;
        const unit = run.column(name)!.unit;
        const several = runs.length > 1;
        curves.push({run, name, unit, values, colour: several ? run.colour : n, dash: several ? dashes[n % dashes.length] : undefined});
      }
    this.curves = curves;
    this.draw();
  }

  units(): string[] {
    return [...new Set(this.curves.map((curve) => curve.unit))];
  }
  visible(): Curve[] {
    return this.curves.filter((curve) => this.board.shown(curve.run));
  }

  /// Draws everything again, with other curves, colours or width.
  draw(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.drawChips();
    const curves = this.visible();
    const width = this.body.clientWidth;
    if (curves.length === 0 || width === 0) return;
    this.scales = new Map(
      this.units().map((unit) => {
        const largest = Math.max(
          ...this.curves
            .filter((curve) => curve.unit === unit)
            .map((curve) => {
              const column = curve.run.column(curve.name)!;
              return Math.max(Math.abs(column.min ?? 0), Math.abs(column.max ?? 0));
            }),
        );
        return [unit, scaleFor(unit, largest)];
      }),
    );
    const {theme} = this.board;
    const font = '11px system-ui, sans-serif';
    const axis = {stroke: theme.faint, font, labelFont: font, grid: {stroke: theme.dark ? '#2c3740' : '#e3e8eb', width: 1}, ticks: {show: false}};
    const units = this.units().slice(0, 2);
    const yAxes: uPlot.Axis[] = units.map((unit, k) => ({
      ...axis,
      scale: `y${k}`,
      side: k === 0 ? 3 : 1,
      size: 52,
      gap: 4,
      label: this.scales.get(unit)!.unit || '1',
      labelSize: 16,
      labelGap: 0,
      grid: k === 0 ? axis.grid : {show: false},
      values: (_: uPlot, splits: number[]) => splits.map((v) => String(+v.toPrecision(6)).replace('-', '−')),
    }));
    this.plot = new uPlot(
      {
        width,
        height: this.board.height,
        legend: {show: false},
        padding: [8, units.length > 1 ? 0 : 10, 0, 0],
        scales: {x: {time: false, range: () => this.board.range}, y0: {auto: true}, y1: {auto: true}},
        axes: [{...axis, size: 22, gap: 3, label: 't [s]', labelSize: 16, labelGap: 0, values: (_, splits) => splits.map((v) => String(+v.toPrecision(8)).replace('-', '−'))}, ...yAxes],
        series: [
          {},
          ...curves.map((curve) => ({
            scale: `y${Math.max(units.indexOf(curve.unit), 0)}`,
            stroke: theme.series[curve.colour % theme.series.length],
            width: curve.run.texts.measured ? 0.5 : 1.6,
            dash: curve.dash,
            points: {show: curve.run.texts.measured === true, size: 3},
            spanGaps: !curve.run.texts.measured, // an empty field of measured data is a gap
          })),
        ],
        cursor: {
          drag: {x: true, y: false, setScale: false, dist: 6},
          points: {show: false},
          y: false,
        },
        hooks: {
          setSelect: [
            (u) => {
              if (u.select.width < 4) return;
              const from = u.posToVal(u.select.left, 'x');
              const to = u.posToVal(u.select.left + u.select.width, 'x');
              u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
              this.board.zoom(from, to);
            },
          ],
          setCursor: [
            (u) => {
              const left = u.cursor.left ?? -1;
              this.hover = left >= 0 ? u.posToVal(left, 'x') : undefined;
              this.read();
            },
          ],
        },
      },
      this.data(width),
      this.body,
    );
    const {over} = this.plot;
    let pressed: number | undefined;
    over.addEventListener('mousedown', (event) => (pressed = event.clientX));
    over.addEventListener('mouseup', (event) => {
      if (pressed !== undefined && Math.abs(event.clientX - pressed) < 5)
        this.board.player.seek(this.plot!.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
      pressed = undefined;
    });
    over.addEventListener('dblclick', () => this.board.zoom());
    over.append(this.playhead);
    this.movePlayhead();
  }

  private data(width: number): uPlot.AlignedData {
    const curves = this.visible().map(({run, values, unit}) => ({run, values, factor: this.scales.get(unit)!.factor}));
    return plotData(curves, this.board.range, width);
  }

  /// The same curves over another range.
  refresh(): void {
    if (!this.plot) return;
    this.plot.setData(this.data(this.body.clientWidth));
    this.movePlayhead();
  }
  resize(): void {
    const width = this.body.clientWidth;
    if (width === 0) return;
    if (!this.plot) this.draw();
    else if (this.plot.width !== width) {
      this.plot.setSize({width, height: this.board.height});
      this.refresh();
    }
  }

  private drawChips(): void {
    this.readings = [];
    this.chips.replaceChildren();
    for (const name of this.names) {
      const curves = this.curves.filter((curve) => curve.name === name);
      const chip = element('span', 'chip');
      chip.dataset.name = name;
      for (const curve of curves) {
        if (!this.board.shown(curve.run)) continue;
        const swatch = element('i', 'swatch');
        swatch.style.setProperty('--colour', this.board.theme.series[curve.colour % this.board.theme.series.length]);
        if (curve.dash) swatch.classList.add(`dash${dashes.indexOf(curve.dash)}`);
        const value = element('b', 'value');
        value.dataset.run = String(curve.run.index);
        this.readings.push({curve, value});
        if (curve === curves[0]) chip.append(swatch, element('span', 'name', name), value);
        else chip.append(swatch, value);
      }
      if (curves.length === 0) chip.append(element('span', 'name', name), element('span', 'value', 'not recorded'));
      if (this.names.length > 1)
        chip.append(button('drop', `Remove ${name}`, () => this.drop(name), icon('close')));
      this.chips.append(chip);
    }
    this.read();
  }
  private drop(name: string): void {
    this.names = this.names.filter((other) => other !== name);
    void this.load();
  }

  /// Values at the pointer, or else at the playhead.
  read(): void {
    const t = this.hover ?? this.board.player.t;
    this.chips.classList.toggle('hovering', this.hover !== undefined);
    for (const {curve, value} of this.readings) {
      const column = curve.run.column(curve.name)!;
      value.textContent = steady(valueAt(curve.run.time, curve.values, t), curve.unit, Math.max(Math.abs(column.min ?? 0), Math.abs(column.max ?? 0)));
    }
  }
  movePlayhead(): void {
    if (!this.plot || !this.onScreen) return;
    const x = this.plot.valToPos(this.board.player.t, 'x');
    const inside = x >= -0.5 && x <= this.plot.over.clientWidth + 0.5;
    this.playhead.style.display = inside ? '' : 'none';
    this.playhead.style.transform = `translateX(${x}px)`;
    // Numbers that run faster than one can read only cost time.
    const now = performance.now();
    if (this.hover !== undefined || (this.board.player.playing && now - this.lastRead < 80)) return;
    this.lastRead = now;
    this.read();
  }
}

export class PlotBoard {
  readonly element = element('div', 'board');
  private readonly list = element('div', 'panels');
  private readonly toolbar: HTMLElement;
  private readonly whole: [number, number];
  private readonly resetButton: HTMLButtonElement;
  private panels: Panel[] = [];
  private picker?: HTMLElement;
  range: [number, number];
  height = 190;

  constructor(
    readonly runs: Run[],
    readonly player: Player,
    public theme: Theme,
    readonly shown: (run: Run) => boolean,
  ) {
    this.whole = [player.start, player.end];
    this.range = [...this.whole];
    const add = button('text', 'Add a panel', () => this.choose(undefined, add), icon('plus'), 'Panel');
    this.resetButton = button('text', 'Show the whole run (double-click on a plot)', () => this.zoom(), 'Whole run');
    this.toolbar = element(
      'div',
      'toolbar',
      add,
      element('span', 'spring'),
      button('', 'Zoom in around the playhead', () => this.zoomBy(0.5), icon('zoomIn')),
      button('', 'Zoom out around the playhead', () => this.zoomBy(2), icon('zoomOut')),
      this.resetButton,
    );
    this.element.append(this.toolbar, this.list);
    this.resetButton.disabled = true;
    const ignore = player.onChange(() => this.panels.forEach((panel) => panel.movePlayhead()));
    const sizes = new ResizeObserver(() => this.panels.forEach((panel) => panel.resize()));
    sizes.observe(this.list);
    this.dispose = () => {
      ignore();
      sizes.disconnect();
      this.panels.forEach((panel) => panel.dispose());
    };
  }
  readonly dispose: () => void;
  /// What its panels show, to open the same with other runs.
  layout(): [string, string[]][] {
    return this.panels.map(({title, names}) => [title, names]);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.redraw();
  }
  redraw(): void {
    for (const panel of this.panels) panel.draw();
  }
  async add(title: string, names: string[]): Promise<Panel> {
    const panel = new Panel(this, title, names);
    this.panels.push(panel);
    this.list.append(panel.element);
    await panel.load();
    return panel;
  }
  remove(panel: Panel): void {
    this.panels = this.panels.filter((other) => other !== panel);
    panel.element.remove();
  }

  zoom(from = this.whole[0], to = this.whole[1]): void {
    const least = (this.whole[1] - this.whole[0]) * 1e-6;
    if (to - from < least) return;
    this.range = [Math.max(from, this.whole[0]), Math.min(to, this.whole[1])];
    this.resetButton.disabled = this.range[0] === this.whole[0] && this.range[1] === this.whole[1];
    for (const panel of this.panels) panel.refresh();
  }
  private zoomBy(factor: number): void {
    const width = Math.min((this.range[1] - this.range[0]) * factor, this.whole[1] - this.whole[0]);
    const from = Math.min(Math.max(this.player.t - width / 2, this.whole[0]), this.whole[1] - width);
    this.zoom(from, from + width);
  }

  /// A searchable list of everything recorded; what is picked goes to the panel, or to one of its own.
  choose(panel: Panel | undefined, anchor: HTMLElement): void {
    this.picker?.remove();
    const units = new Map<string, string>();
    for (const run of this.runs) for (const column of run.texts.columns) if (!units.has(column.name)) units.set(column.name, column.unit);
    const search = element('input', '') as HTMLInputElement;
    search.type = 'search';
    search.placeholder = `Search ${units.size} series`;
    search.setAttribute('aria-label', search.placeholder);
    const results = element('ul', '');
    const close = () => {
      picker.remove();
      document.removeEventListener('pointerdown', outside, true);
      anchor.focus();
    };
    const outside = (event: Event) => {
      if (!picker.contains(event.target as Node)) close();
    };
    const pick = (name: string) => {
      close();
      const unit = units.get(name)!;
      const fits = panel && (panel.units().includes(unit) || panel.units().length < 2);
      if (panel && fits) {
        if (!panel.names.includes(name)) panel.names.push(name);
        void panel.load();
      } else {
        void this.add(name, [name]).then((made) => made.element.scrollIntoView({block: 'nearest', behavior: 'smooth'}));
      }
    };
    const fill = () => {
      const words = search.value.toLowerCase().split(/\s+/);
      const found = [...units.keys()].filter((name) => words.every((word) => name.toLowerCase().includes(word)));
      results.replaceChildren(
        ...found.slice(0, 400).map((name) => {
          const item = button('', '', () => pick(name), element('span', 'name', name), element('span', 'unit', prettyUnit(units.get(name)!)));
          return element('li', '', item);
        }),
      );
      if (found.length === 0) results.append(element('li', 'none', 'No series name contains that'));
    };
    search.addEventListener('input', fill);
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') (results.querySelector('button') as HTMLButtonElement | null)?.click();
    });
    const picker = element('div', 'picker', search, results);
    picker.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') close();
    });
    this.picker = picker;
    (panel?.element ?? this.toolbar).append(picker);
    document.addEventListener('pointerdown', outside, true);
    fill();
    search.focus();
  }

  /// Every row in view of a panel's series; of several runs one table after the other, told apart by a column.
  async exportPanel(panel: Panel): Promise<void> {
    const curves = panel.visible();
    const several = this.runs.length > 1;
    const units = new Map(curves.map((curve) => [curve.name, curve.unit || '1']));
    const names = [...units.keys()];
    const lines = [[...(several ? ['run'] : []), 't [s]', ...names.map((name) => `${name} [${units.get(name)}]`)].join(',')];
    for (const run of new Set(curves.map((curve) => curve.run))) {
      const columns = names.map((name) => curves.find((curve) => curve.run === run && curve.name === name)?.values);
      for (let i = 0; i < run.time.length; ++i) {
        if (run.time[i] < this.range[0] || run.time[i] > this.range[1]) continue;
        const numbers = columns.map((values) => (values ? digits(values, i) : ''));
        lines.push([...(several ? [`"${run.texts.label.replaceAll('"', '""')}"`] : []), String(run.time[i]), ...numbers].join(','));
      }
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([lines.join('\n') + '\n'], {type: 'text/csv'}));
    link.download = `${panel.title.replaceAll(/[^\w.@-]+/g, '_')}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}

/// All digits that the stored number has, and no more: a float's nine at most.
function digits(values: Numbers, i: number): string {
  return values instanceof Float64Array ? String(values[i]) : String(Number(values[i].toPrecision(8)));
}
