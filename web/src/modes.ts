// Natural modes at the initial pose, swung in the 3-D view.
import type {Mode, Run, Scene} from './data';
import {button, element} from './dom';
import {displaced, Kinematics} from './kinematics';
import {formatted} from './units';
import type {Swing} from './view';

/// Scaled so that what moves most moves by an eighth of the reach.
export function swingOf(scene: Scene, mode: Mode, pose: Float64Array, run?: Run): Swing {
  return {run, mode, pose, amplitude: scene.reach / 8 / (largestMotion(scene, mode, pose) || 1)};
}

/// How far the arm's points move per unit of the shape.
function largestMotion(scene: Scene, mode: Mode, pose: Float64Array): number {
  const kin = new Kinematics(scene);
  const places = (amount: number) => {
    const q = displaced(scene, pose, mode.shape, amount);
    kin.update(q, 0, 1);
    const points: number[][] = [];
    scene.links.forEach((link, i) => {
      points.push([...kin.T[i].subarray(9)]);
      (link.stations ?? []).forEach((station, k) => {
        const S = kin.station(i, k, q, 1, new Float64Array(12));
        points.push([...S.subarray(9)]);
        // A twist shows by the section's edge.
        points.push([0, 1, 2].map((c) => S[9 + c] + S[3 * c + 1] * station.outline[0]));
      });
    });
    return points;
  };
  const size = Math.max(...mode.shape.map(Math.abs)) || 1;
  const small = 1e-5 / size;
  const at = places(0);
  const moved = places(small);
  const most = Math.max(...at.map((point, i) => Math.hypot(...point.map((x, c) => moved[i][c] - x))));
  return most / small;
}

export class ModesList {
  readonly element = element('div', 'modes');
  active: Swing | undefined;
  private readonly buttons: {button: HTMLButtonElement; mode: Mode}[] = [];

  constructor(
    runs: Run[],
    colour: (run: Run) => string,
    private readonly changed: () => void,
  ) {
    for (const run of runs) {
      const {modes, no_modes, label} = run.texts;
      const title = element('h3', runs.length > 1 ? 'coloured' : '', runs.length > 1 ? label : 'Natural modes');
      title.style.setProperty('--colour', colour(run));
      const card = element('section', 'card', element('header', '', title, element('small', '', modes.length ? 'at the initial pose, joints held by their motors' : '')));
      if (modes.length === 0) card.append(element('p', 'note', no_modes ?? 'none'));
      const list = element('ol', '');
      for (const mode of modes) {
        const [main, ...rest] = mode.description.split(', ');
        const item = button(
          'mode',
          `Animate the mode at ${formatted(mode.frequency_hz)} Hz`,
          () => this.show(run, mode),
          element('b', 'number', `${formatted(mode.frequency_hz)} Hz`),
          element('span', '', main, element('small', '', rest.slice(0, 2).join(', '))),
        );
        item.setAttribute('aria-pressed', 'false');
        this.buttons.push({button: item, mode});
        list.append(element('li', '', item));
      }
      card.append(list);
      this.element.append(card);
    }
  }

  private show(run: Run, mode: Mode): void {
    const off = this.active?.mode === mode;
    this.active = off ? undefined : swingOf(run.texts.scene!, mode, Float64Array.from(run.texts.modes_q!), run);
    this.mark();
  }
  stop(): void {
    if (!this.active) return;
    this.active = undefined;
    this.mark();
  }
  private mark(): void {
    for (const {button, mode} of this.buttons) button.setAttribute('aria-pressed', String(this.active?.mode === mode));
    this.changed();
  }
}
