// The case in the viewer: its parameters as fields, and its text. Both are one thing: a field is a place in the text.
import {button, element, icon} from './dom';
import {OneAtATime} from './one_at_a_time';
import {server, type Described, type Parameter, type Problem} from './server';
import {asShown, bytesOf, charactersBefore, moved, replaced, stepped, taken, withEndsOf} from './text_edit';
import {prettyUnit} from './units';

const pause = 140; // ms without a key before the server is asked

interface Field {
  parameter: Parameter;
  input: HTMLInputElement | HTMLSelectElement;
  unit?: HTMLElement;
  box: HTMLElement;
  complaint: HTMLElement;
}

const groupTitles: Record<string, string> = {arm: 'Arm', motion: 'Motion', torque: 'Torques', initial: 'Start', simulate: 'Simulation', loads: 'Loads', wind: 'Wind'};
/// What one changes rarely is folded away.
const quiet = /(^joint (type|axis|origin))|( |^)com$|inertia [xyz]{2}$|gravity|^(rtol|atol|method|formulation|model|step|checkpoint)|tip rotation|^inertia$|rotary|^joint dh|^base/;

/// Under a field that an anchor gives to several links: what a change changes.
function sharedNote(shared: string[]): HTMLElement {
  const owners = new Set(shared.map((name) => name.replace(/\..*$/, '')));
  const note = element('small', 'shared', `shared by ${owners.size === shared.length ? `${shared.length} links` : `${shared.length} fields`}: a change applies to all`);
  note.title = `${shared.join(', ')}: one value in the text, shared by an anchor (&) and its aliases (*). To change only one, write its own value in place of the alias.`;
  return note;
}

export class CaseEditor {
  readonly element: HTMLElement;
  text: string; // as in the file, whatever its lines end with
  described?: Described;
  onDescribed: (described: Described) => void = () => {};
  private saved: string;
  private readonly fieldsPage = element('div', 'fields');
  private readonly area = element('textarea', 'case-text');
  private readonly gutter = element('pre', 'gutter');
  private readonly textPage: HTMLElement;
  private readonly state = element('p', 'case-state');
  private readonly list = element('ul', 'complaints');
  private readonly saveButton: HTMLButtonElement;
  private readonly revertButton: HTMLButtonElement;
  private fields: Field[] = [];
  private shape = ''; // of the panel: what fields there are
  private stale = false; // fields no longer know their places
  private timer = 0;
  private readonly reading = new OneAtATime(server.describe, (described) => this.read(described));
  private readonly show: (which: 'fields' | 'text') => void;

  constructor(text: string, file: string, canSave: boolean) {
    this.text = this.saved = text;
    this.area.spellcheck = false;
    this.area.wrap = 'off';
    this.area.setAttribute('aria-label', 'The case as text');
    this.area.addEventListener('input', () => this.typed());
    this.area.addEventListener('scroll', () => (this.gutter.style.transform = `translateY(${-this.area.scrollTop}px)`));
    this.area.addEventListener('keydown', (event) => {
      if (event.key !== 'Tab' || event.shiftKey) return;
      event.preventDefault();
      document.execCommand('insertText', false, '  ');
    });
    this.textPage = element('div', 'text-page', element('div', 'gutter-box', this.gutter), this.area);
    const choices = element('div', 'choice');
    choices.setAttribute('role', 'group');
    const pages: ['fields' | 'text', string, HTMLElement][] = [['fields', 'Parameters', this.fieldsPage], ['text', 'Text', this.textPage]];
    this.show = (which) => {
      pages.forEach(([name, , page], k) => {
        page.hidden = name !== which;
        choices.children[k].setAttribute('aria-pressed', String(name === which));
      });
      if (which === 'text') this.drawText();
    };
    for (const [name, title] of pages) choices.append(button('', '', () => this.show(name), title));
    this.saveButton = button('text', `Write ${file}`, () => void this.save(), icon('save'), 'Save');
    this.revertButton = button('text', 'Back to the case as it was opened or saved', () => this.change(this.saved), 'Undo all');
    const download = button('text', 'Save the text as a file', () => this.download(file), icon('save'), 'Download');
    this.element = element(
      'div',
      'case-editor',
      element('div', 'case-bar', choices, element('span', 'spring'), this.revertButton, canSave ? this.saveButton : download),
      this.state,
      this.list,
      this.fieldsPage,
      this.textPage,
    );
    this.show('fields');
    this.drawText();
    this.ask();
  }

  get changed(): boolean {
    return this.text !== this.saved;
  }
  /// Sound and with something to run; else why not.
  get reasonNotToRun(): string {
    if (!this.described) return 'The case is still being read';
    if (this.described.errors.length > 0) return 'The case has a mistake';
    return this.described.can_run ? '' : 'The case does not say how long to run: simulate: {for: 5 s}';
  }

  // ------------------------------------------------------------------------------------------------ changes

  /// Another text altogether.
  change(text: string): void {
    this.text = text;
    this.stale = true;
    this.drawText();
    this.mark();
    this.ask();
  }
  private typed(): void {
    const shown = this.area.value;
    this.text = shown === asShown(this.saved) ? this.saved : withEndsOf(this.text, shown);
    this.stale = true;
    this.drawGutter();
    this.askSoon();
  }
  private fieldChanged(field: Field, value: string): void {
    if (value === field.parameter.text || value === '') return;
    const {parameter} = field;
    this.text = replaced(this.text, parameter, value);
    const before = parameter.length;
    const old = {...parameter};
    for (const {parameter: other} of this.fields) {
      if (other.line === old.line && other.column === old.column) {
        // An alias: the same place under another name.
        other.text = value;
        other.length = bytesOf(value);
        if (other !== parameter) this.setField(this.fields.find((one) => one.parameter === other)!, other);
      } else moved(other, old, bytesOf(value) - before);
    }
    this.setField(field, parameter);
    this.drawText();
    this.askSoon();
  }
  private askSoon(): void {
    clearTimeout(this.timer);
    this.reading.forget(); // an answer about the text before would put the fields where they no longer are
    this.timer = window.setTimeout(() => this.ask(), pause);
    this.mark();
  }
  private ask(): void {
    clearTimeout(this.timer);
    this.reading.ask(this.text);
  }
  private read(described: Described | Error): void {
    this.described = described instanceof Error ? {errors: [{path: '', message: described.message}], warnings: []} : described;
    if (this.described.parameters) {
      this.stale = false;
      this.fill(this.described.parameters);
    }
    this.mark();
    this.onDescribed(this.described);
  }

  // ------------------------------------------------------------------------------------------------ fields

  private fill(parameters: Parameter[]): void {
    const shape = parameters.map(({path, options, shared}) => path + (options?.length ?? '') + (shared?.join(' ') ?? '')).join('\n');
    if (shape === this.shape && this.fieldsPage.childElementCount > 0) {
      this.fields.forEach((field, k) => this.setField(field, parameters[k]));
      return;
    }
    this.shape = shape;
    this.fields = [];
    const open = new Set([...this.fieldsPage.querySelectorAll('details[open]')].map((one) => (one as HTMLElement).dataset.group));
    const first = this.fieldsPage.childElementCount === 0;
    const names = [...new Set(parameters.map(({group}) => group))];
    // Of a long case the first links, and what it does.
    const opened = (group: string) => names.length <= 6 || names.filter((name) => name !== 'arm').indexOf(group) < 2 || ['motion', 'torque', 'simulate'].includes(group);
    const groups = new Map<string, {main: HTMLElement; quiet: HTMLElement}>();
    this.fieldsPage.replaceChildren();
    for (let k = 0; k < parameters.length; ) {
      const {group, label, help} = parameters[k];
      const stem = label.replace(/\[\d+\]$/, '');
      const together = [parameters[k]];
      // The three of a vector stand in one row.
      while (stem !== label && k + together.length < parameters.length && parameters[k + together.length].path.replace(/\[\d+\]$/, '') === parameters[k].path.replace(/\[\d+\]$/, '')) together.push(parameters[k + together.length]);
      k += together.length;
      let into = groups.get(group);
      if (!into) {
        const more = element('div', 'quiet-fields');
        into = {main: element('div', ''), quiet: more};
        groups.set(group, into);
        const title = groupTitles[group] ?? group;
        const kind = groupTitles[group] ? '' : 'link';
        const details = element('details', 'card group', element('summary', '', element('h3', '', title), element('small', '', kind)), into.main, more);
        details.dataset.group = group;
        details.open = first ? opened(group) : open.has(group);
        this.fieldsPage.append(details);
      }
      const row = element('div', together.length > 1 ? 'field-row several' : 'field-row');
      const name = element('span', 'field-name', stem);
      name.title = help;
      const boxes = element('span', 'boxes');
      const complaint = element('span', 'complaint');
      for (const parameter of together) {
        const field = this.makeField(parameter, stem, complaint);
        this.fields.push(field);
        boxes.append(field.box);
      }
      row.append(name, boxes, complaint);
      const shared = together.find((one) => one.shared)?.shared;
      if (shared) row.append(sharedNote(shared));
      (quiet.test(stem) ? into.quiet : into.main).append(row);
    }
    if (parameters.length === 0) this.fieldsPage.append(element('p', 'nothing', 'This text contains no values: they are in other files.'));
    for (const {main, quiet: more} of groups.values()) {
      if (more.childElementCount === 0) {
        more.remove();
        continue;
      }
      if (main.childElementCount === 0) continue;
      const fold = element('details', 'more', element('summary', '', `${more.childElementCount} more`));
      more.replaceWith(fold);
      fold.append(more);
    }
  }

  private makeField(parameter: Parameter, name: string, complaint: HTMLElement): Field {
    const label = `${parameter.group} ${parameter.label}`;
    let field: Field;
    if (parameter.options) {
      const select = element('select', '');
      for (const word of parameter.options) select.append(new Option(word, word));
      select.addEventListener('change', () => this.fieldChanged(field, select.value));
      field = {parameter, input: select, box: element('span', 'box', select), complaint};
    } else {
      const input = element('input', '');
      input.type = 'text';
      input.inputMode = 'decimal';
      input.autocomplete = 'off';
      const unit = element('span', 'unit');
      field = {parameter, input, unit, box: element('label', 'box', input, unit), complaint};
      input.addEventListener('input', () => this.fieldChanged(field, this.written(field)));
      input.addEventListener('blur', () => this.setField(field, field.parameter));
      input.addEventListener('keydown', (event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
        if (by === 0) return;
        event.preventDefault();
        const {number, unit: own} = taken(input.value);
        input.value = stepped(number, event.shiftKey ? 10 * by : by, parameter.whole === true) + (own ? ` ${own}` : '');
        this.fieldChanged(field, this.written(field));
      });
    }
    field.input.setAttribute('aria-label', label);
    field.input.title = parameter.help;
    field.input.dataset.path = parameter.path;
    field.box.dataset.name = name;
    this.setField(field, parameter);
    return field;
  }
  /// What is in a field as the text would have it: a unit typed there replaces the one before.
  private written({input, parameter}: Field): string {
    const typed = taken(input.value);
    if (!/^[-+.\d]/.test(typed.number)) return input.value.trim();
    const unit = typed.unit || taken(parameter.text).unit;
    return unit ? `${typed.number} ${unit}` : typed.number;
  }
  private setField(field: Field, parameter: Parameter): void {
    field.parameter = parameter;
    const {number, unit} = taken(parameter.text);
    const typing = document.activeElement === field.input && !parameter.options;
    // While a unit is being typed beside the number, it stands there once.
    if (field.unit) field.unit.textContent = typing && taken(field.input.value).unit ? '' : prettyUnit(unit || parameter.unit);
    field.unit?.classList.toggle('implied', !unit);
    if (!typing) field.input.value = parameter.options ? parameter.text : number;
  }

  // ------------------------------------------------------------------------------------------------ text

  private drawText(): void {
    const shown = asShown(this.text);
    if (this.area.value !== shown) this.area.value = shown;
    this.drawGutter();
  }
  private drawGutter(): void {
    const problems = [...(this.described?.errors ?? []), ...(this.described?.warnings ?? [])];
    const bad = new Map(problems.filter(({line}) => line).map((one) => [one.line!, one]));
    const errors = new Set(this.described?.errors.map(({line}) => line));
    const count = this.text.split('\n').length;
    this.gutter.replaceChildren(
      ...Array.from({length: count}, (_, k) => {
        const problem = bad.get(k + 1);
        const line = element('span', problem ? (errors.has(k + 1) ? 'bad' : 'doubtful') : '', `${k + 1}\n`);
        if (problem) line.title = problem.message;
        return line;
      }),
    );
  }
  /// Puts the cursor where a problem is.
  private goTo({line, column}: Problem): void {
    if (!line) return;
    this.show('text');
    const lines = asShown(this.text).split('\n');
    const at = Math.min(line, lines.length) - 1; // the text may have become shorter since
    const start = lines.slice(0, at).reduce((sum, one) => sum + one.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start + charactersBefore(lines[at], column ?? 1), start + lines[at].length);
    const height = parseFloat(getComputedStyle(this.area).lineHeight) || 19;
    this.area.scrollTop = Math.max(0, (line - 6) * height);
  }

  // ------------------------------------------------------------------------------------------------ what is said about it

  private mark(): void {
    const errors = this.described?.errors ?? [];
    const warnings = this.described?.warnings ?? [];
    this.revertButton.disabled = this.saveButton.disabled = !this.changed;
    this.state.className = `case-state ${errors.length ? 'bad' : ''}`;
    const many = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
    const idle = this.described?.can_run === false ? 'To run it, say for how long: simulate: {for: 5 s}' : '';
    this.state.textContent = errors.length ? `${many(errors.length, 'mistake')}: nothing can be run until fixed` : idle;
    this.state.hidden = this.state.textContent === '';
    this.list.replaceChildren(
      ...[...errors.map((one) => ({...one, kind: 'bad'})), ...warnings.map((one) => ({...one, kind: 'doubtful'}))].map((problem) => {
        const place = problem.line ? `line ${problem.line}` : problem.file ?? '';
        const words = element('span', '', ...(problem.path ? [element('b', '', problem.path), ' '] : []), problem.message);
        const item = button(problem.kind, place ? `Go to ${place}` : '', () => this.goTo(problem), element('small', '', place), words);
        item.disabled = !problem.line;
        return element('li', '', item);
      }),
    );
    this.fieldsPage.classList.toggle('stale', this.stale && errors.length > 0);
    for (const {input, box, complaint} of this.fields) {
      input.disabled = this.stale;
      box.classList.remove('bad');
      complaint.textContent = '';
      complaint.hidden = true;
    }
    if (!this.stale)
      for (const {box, complaint, parameter} of this.fields) {
        const about = errors.find(({path, line}) => line === parameter.line && (path === parameter.path || `arm.${path}` === parameter.path));
        if (!about) continue;
        box.classList.add('bad');
        complaint.textContent = about.message;
        complaint.hidden = false;
      }
    this.drawGutter();
  }

  private async save(): Promise<void> {
    const {text} = this;
    try {
      await server.save(text);
      this.saved = text;
      this.mark();
    } catch (error) {
      this.state.hidden = false;
      this.state.className = 'case-state bad';
      this.state.textContent = (error as Error).message;
    }
  }
  private download(file: string): void {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([this.text], {type: 'text/yaml'}));
    link.download = file.replace(/^.*\//, '');
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}
