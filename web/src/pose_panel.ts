// Sliders for the joints, the sag and the natural modes at that pose.
import type {Mode, Scene} from './data';
import {button, element} from './dom';
import {flexStart} from './kinematics';
import {OneAtATime} from './one_at_a_time';
import {server, type Described, type Joint} from './server';
import {formatted, quantity} from './units';

interface Acts {
  /// Shows the arm so.
  pose(q: Float64Array): void;
  /// The pose stays for a while: all of it may come into view.
  settled(): void;
  swing(mode: Mode | undefined): void;
  text(): string;
}

export class PosePanel {
  readonly element = element('div', 'pose');
  scene?: Scene;
  q = new Float64Array(0);
  /// The case's start, or where the sliders were moved to.
  moved = false;
  private joints: Joint[] = [];
  private start: number[] = [];
  private sliders: {joint: Joint; slider: HTMLInputElement; number: HTMLInputElement}[] = [];
  private readonly jointsCard = element('div', 'sliders');
  private readonly modesList = element('ol', '');
  private readonly modesNote = element('p', 'note');
  private readonly sagNote = element('p', 'note');
  private readonly startButton: HTMLButtonElement;
  private sags = false;
  private readonly sagButton: HTMLButtonElement;
  private readonly heldButtons: HTMLButtonElement[];
  private held = 'locked';
  private active?: Mode;
  private timer = 0;
  private readonly sagging = new OneAtATime(
    ({text, q}: {text: string; q: number[]}) => server.sag(text, q),
    (found) => this.sagged(found),
  );
  private readonly vibrating = new OneAtATime(
    ({text, q, held}: {text: string; q: number[]; held: string}) => server.modes(text, q, held),
    (found) => this.vibrates(found),
  );

  constructor(private readonly acts: Acts) {
    this.startButton = button('text', 'Back to the initial pose of the case', () => this.toStart(), 'Start pose');
    this.sagButton = button('text', 'Let the arm sag under its weight and loads, with the joints held', () => this.flipSag(), 'Sag');
    this.heldButtons = ['locked', 'free'].map((how) => button('', how === 'locked' ? 'Joints held by their motors' : 'Nothing holds the joints', () => this.hold(how), how));
    const group = element('div', 'choice', ...this.heldButtons);
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'Joints while the arm vibrates');
    const find = button('text accent', 'Natural modes of the arm in this pose', () => this.findModes(), 'Modes here');
    this.element.append(
      element('section', 'card', element('header', '', element('h3', '', 'Joints'), this.startButton, this.sagButton), this.jointsCard, this.sagNote),
      element('section', 'card', element('header', '', element('h3', '', 'Natural modes'), element('small', '', 'joints'), group, find), this.modesNote, this.modesList),
    );
    this.clearModes();
  }

  /// Another arm, or the same with other numbers.
  set(described: Described): void {
    if (!described.scene || !described.q || !described.joints) return;
    const before = new Map(this.joints.map(({name, q0}) => [name, this.q[q0]]));
    this.scene = described.scene;
    this.start = described.q;
    const same = JSON.stringify(described.joints) === JSON.stringify(this.joints);
    this.joints = described.joints;
    this.q = Float64Array.from(described.q);
    if (this.moved) {
      this.straighten();
      for (const joint of this.joints) if (before.has(joint.name)) this.setJoint(joint, before.get(joint.name)!);
    }
    if (!same) this.makeSliders();
    this.sync();
    if (this.sags) this.findSag();
    if (this.vibrating.waits) this.findModes();
    else this.clearModes();
  }

  private straighten(): void {
    for (const link of this.scene!.links) {
      if (link.deforms) this.q[link.q0] = 0;
      for (let k = 0; k < (link.flex?.size ?? 0); ++k) this.q[flexStart(link) + k] = 0;
    }
  }
  /// A joint together with the rotor behind it.
  private setJoint(joint: Joint, value: number): void {
    this.q[joint.q0] = value;
    const rotor = this.scene!.links.find((link) => link.q0 === joint.q0 && link.joint_name === joint.name)?.rotor;
    if (rotor !== undefined) this.q[rotor] = value;
  }

  private makeSliders(): void {
    const rows: HTMLElement[] = [];
    this.sliders = this.joints.map((joint) => {
      const reach = Number((this.scene?.reach ?? 1).toPrecision(2));
      const [low, high] = [joint.lower ?? (joint.turns ? -Math.PI : -reach), joint.upper ?? (joint.turns ? Math.PI : reach)];
      const slider = element('input', 'pose-slider');
      slider.type = 'range';
      slider.min = String(low);
      slider.max = String(high);
      slider.step = 'any';
      slider.dataset.joint = joint.name;
      slider.setAttribute('aria-label', joint.name);
      const number = element('input', '');
      number.type = 'text';
      number.inputMode = 'decimal';
      number.setAttribute('aria-label', `${joint.name} in ${joint.turns ? 'degrees' : 'metres'}`);
      slider.addEventListener('input', () => this.move(joint, Number(slider.value)));
      slider.addEventListener('change', () => this.acts.settled());
      slider.addEventListener('keydown', (event) => {
        const by = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[event.key] ?? 0;
        if (by === 0) return;
        event.preventDefault();
        const step = joint.turns ? Math.PI / 180 : (high - low) / 200;
        this.move(joint, Math.min(Math.max(this.q[joint.q0] + by * step * (event.shiftKey ? 10 : 1), low), high));
      });
      const enter = () => {
        const value = Number(number.value.replace('−', '-'));
        if (Number.isFinite(value) && number.value.trim() !== '') this.move(joint, joint.turns ? (value * Math.PI) / 180 : value);
        else this.sync();
        this.acts.settled();
      };
      number.addEventListener('change', enter);
      rows.push(element('div', 'slider-row', element('span', 'field-name', joint.name), slider, element('label', 'box', number, element('span', 'unit', joint.turns ? '°' : 'm'))));
      return {joint, slider, number};
    });
    this.jointsCard.replaceChildren(...rows);
    if (this.joints.length === 0) this.jointsCard.replaceChildren(element('p', 'note', 'No joint of this arm moves.'));
  }
  private sync(): void {
    for (const {joint, slider, number} of this.sliders) {
      const value = this.q[joint.q0];
      slider.value = String(value);
      const [low, high] = [Number(slider.min), Number(slider.max)];
      slider.style.setProperty('--share', `${(100 * (value - low)) / (high - low)}%`);
      if (document.activeElement !== number) number.value = String(Number((joint.turns ? (value * 180) / Math.PI : value).toFixed(joint.turns ? 2 : 4)));
    }
    this.startButton.disabled = !this.moved;
    this.sagButton.setAttribute('aria-pressed', String(this.sags));
    this.heldButtons.forEach((one) => one.setAttribute('aria-pressed', String(one.textContent === this.held)));
  }

  private move(joint: Joint, value: number): void {
    if (!this.moved) this.straighten();
    this.moved = true;
    this.setJoint(joint, value);
    this.changed();
  }
  private toStart(): void {
    this.moved = false;
    this.q = Float64Array.from(this.start);
    this.changed();
    this.acts.settled();
  }
  private changed(): void {
    this.sync();
    this.clearModes();
    this.sagNote.textContent = '';
    this.acts.pose(this.q);
    if (!this.sags) return;
    this.sagging.forget();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.findSag(), 120);
  }

  private flipSag(): void {
    this.sags = !this.sags;
    if (!this.sags) {
      clearTimeout(this.timer);
      this.sagging.forget();
      this.sagNote.textContent = '';
      this.moved = true;
      this.straighten();
      this.acts.pose(this.q);
      this.modesFollow();
    } else this.findSag();
    this.sync();
  }
  private findSag(): void {
    clearTimeout(this.timer);
    this.sagging.ask({text: this.acts.text(), q: [...this.q]});
  }
  private sagged(found: {q: number[]; sag: number[]} | Error): void {
    if (found instanceof Error) this.sagNote.textContent = found.message;
    else {
      this.q = Float64Array.from(found.q);
      this.moved = true;
      this.sagNote.textContent = `The tip sags by ${quantity(Math.hypot(...found.sag), 'm', 4)}.`;
    }
    this.sync();
    this.acts.pose(this.q);
    if (!(found instanceof Error)) this.modesFollow();
  }

  private hold(how: string): void {
    this.held = how;
    this.sync();
    this.findModes();
  }
  private clearModes(words = 'Press “Modes here” to see how the arm vibrates in this pose.'): void {
    this.vibrating.forget();
    this.modesList.replaceChildren();
    this.modesNote.textContent = words;
    if (this.active) this.acts.swing(undefined);
    this.active = undefined;
  }
  private findModes(): void {
    this.clearModes('Computing modes …');
    this.acts.pose(this.q);
    this.vibrating.ask({text: this.acts.text(), q: [...this.q], held: this.held});
  }
  private vibrates(found: {modes: Mode[]; note?: string} | Error): void {
    if (found instanceof Error) this.modesNote.textContent = found.message;
    else {
      this.modesNote.textContent = found.note ?? '';
      this.modesList.replaceChildren(...found.modes.map((mode) => this.item(mode)));
    }
  }
  /// The arm has bent by itself: modes that were found or are looked for are those of this pose too.
  private modesFollow(): void {
    if (this.vibrating.waits || this.modesList.childElementCount > 0) this.findModes();
  }
  private item(mode: Mode): HTMLElement {
    const [main, ...rest] = mode.description.split(', ');
    const item = button(
      'mode',
      `Animate the mode at ${formatted(mode.frequency_hz)} Hz`,
      () => {
        this.active = this.active === mode ? undefined : mode;
        this.acts.pose(this.q);
        this.acts.swing(this.active);
        this.mark();
      },
      element('b', 'number', `${formatted(mode.frequency_hz)} Hz`),
      element('span', '', main, element('small', '', rest.slice(0, 2).join(', '))),
    );
    item.setAttribute('aria-pressed', 'false');
    item.dataset.hertz = String(mode.frequency_hz);
    return element('li', '', item);
  }
  /// Which mode swings, as the list shows it.
  private mark(): void {
    for (const one of this.modesList.querySelectorAll<HTMLElement>('.mode'))
      one.setAttribute('aria-pressed', String(this.active !== undefined && one.dataset.hertz === String(this.active.frequency_hz)));
  }
  /// The view has stopped swinging by itself.
  stopped(): void {
    this.active = undefined;
    this.mark();
  }
}
