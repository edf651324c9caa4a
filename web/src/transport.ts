// Playing, scrubbing, speed, and how many times the deformation is drawn.
import {button, element, icon} from './dom';
import type {Player} from './player';
import {formatted} from './units';
import {exaggerations, type View} from './view';

interface Acts {
  playOrPause(): void;
  step(by: number): void;
  scrub(t: number): void;
  exaggerate(factor: number): void;
}

export class Transport {
  readonly element: HTMLElement;
  private readonly syncs: (() => void)[] = [];
  /// Whether there is a run to play, and whether anything deforms.
  plays = true;
  bends = true;

  constructor(
    player: Player,
    private readonly view: View,
    private readonly acts: Acts,
  ) {
    const play = button('primary', '', () => acts.playOrPause(), icon('play'), icon('pause'));
    const scrub = element('input', 'scrub');
    scrub.type = 'range';
    scrub.min = '0';
    scrub.max = '10000';
    scrub.step = '1';
    scrub.setAttribute('aria-label', 'Time');
    scrub.addEventListener('input', () => acts.scrub(player.start + (Number(scrub.value) / 10000) * (player.end - player.start)));
    const clock = element('output', 'clock');
    const speed = element('output', 'speed');
    const loop = button('', 'Loop (L)', () => player.toggleLoop(), icon('loop'));
    const line = element('div', 'line', scrub, clock);
    const steps = element('div', 'group', button('', 'One row back (←)', () => acts.step(-1), icon('back')), play, button('', 'One row forward (→)', () => acts.step(1), icon('ahead')), loop);
    const speeds = element('div', 'group', button('small', 'Slower ([)', () => player.faster(-1), '−'), speed, button('small', 'Faster (])', () => player.faster(1), '+'));
    const exaggeration = this.makeExaggeration();
    this.element = element('div', 'transport', line, element('div', 'row', steps, speeds, exaggeration));
    this.syncs.push(() => {
      for (const one of [line, steps, speeds]) one.hidden = !this.plays;
      exaggeration.hidden = !this.bends;
      this.element.hidden = !this.plays && !this.bends;
      play.classList.toggle('playing', player.playing);
      play.title = player.playing ? 'Pause (space)' : 'Play (space)';
      play.setAttribute('aria-label', play.title);
      const share = (player.t - player.start) / (player.end - player.start || 1);
      scrub.value = String(Math.round(share * 10000));
      scrub.style.setProperty('--share', `${share * 100}%`);
      scrub.setAttribute('aria-valuetext', `${formatted(player.t)} s`);
      const digits = Math.max(0, Math.min(6, 4 - Math.ceil(Math.log10(player.end - player.start || 1))));
      clock.replaceChildren(`${player.t.toFixed(digits)}`, element('small', '', ` / ${player.end.toFixed(digits)} s`));
      clock.dataset.t = String(player.t);
      speed.textContent = `${player.speed}×`;
      loop.setAttribute('aria-pressed', String(player.loop));
    });
  }

  private makeExaggeration(): HTMLElement {
    const slider = element('input', '');
    slider.type = 'range';
    slider.min = '0';
    slider.max = String(exaggerations.length - 1);
    slider.step = '1';
    slider.id = 'exaggeration';
    slider.setAttribute('aria-label', 'Exaggeration of the deformation');
    slider.addEventListener('input', () => this.acts.exaggerate(exaggerations[Number(slider.value)]));
    const value = element('output', '');
    this.syncs.push(() => {
      const at = exaggerations.indexOf(this.view.exaggeration);
      slider.value = String(at);
      slider.style.setProperty('--share', `${(100 * at) / (exaggerations.length - 1)}%`);
      value.textContent = `×${this.view.exaggeration}`;
      value.classList.toggle('untrue', this.view.exaggeration !== 1);
    });
    const label = element('label', 'group exaggeration', element('span', '', 'Deformation'), slider, value);
    label.title = 'Factor by which the deformation is exaggerated (− and +)';
    return label;
  }

  sync(): void {
    for (const one of this.syncs) one();
  }
}
