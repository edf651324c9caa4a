// Run, how far it is, stop.
import {button, element, icon} from './dom';
import {NoAnswer, server, type Progress} from './server';

const interval = 200; // ms between looks
const pauses = [200, 400, 800, 1600, 3200]; // ms between tries while the viewer does not answer
const after = (ms: number) => new Promise((done) => setTimeout(done, ms));

export class RunControl {
  readonly element = element('div', 'run-control');
  running = false;
  /// Why nothing can be run; empty: it can.
  reason: () => string = () => '';
  text: () => string = () => '';
  onEnd: (run: number, message: string) => Promise<void> = async () => {};
  private readonly start: HTMLButtonElement;
  private readonly bar = element('i', '');
  private readonly words = element('span', 'run-words');
  private readonly going: HTMLElement;
  private readonly message = element('p', 'run-message');

  constructor() {
    this.start = button('run-button', 'Run the case (Ctrl+Enter)', () => void this.run(), icon('play'), 'Run');
    const stop = button('stop', 'Stop the run and keep its results so far', () => void server.stop().catch((error: Error) => this.tell(error.message)), 'Stop');
    this.going = element('div', 'going', element('div', 'bar', this.bar), this.words, stop);
    this.going.setAttribute('role', 'status');
    this.message.setAttribute('role', 'alert');
    this.element.append(this.start, this.going, this.message);
    this.tell('');
    this.sync();
  }
  sync(): void {
    const reason = this.reason();
    this.start.hidden = this.running;
    this.going.hidden = !this.running;
    this.start.disabled = reason !== '';
    this.start.title = reason || 'Run the case (Ctrl+Enter)';
    this.start.setAttribute('aria-label', this.start.title);
  }
  tell(words: string): void {
    this.message.replaceChildren();
    this.message.hidden = words === '';
    if (words) this.message.append(element('span', '', words), button('', 'Close', () => this.tell(''), icon('close')));
  }

  async run(): Promise<void> {
    if (this.running || this.reason() !== '') return;
    this.tell('');
    this.begin();
    try {
      await server.start(this.text());
    } catch (error) {
      this.tell((error as Error).message);
      // Another one may go on, started from another window or before the viewer was lost from sight: that one is shown.
      const going = await server.progress().catch(() => undefined);
      if (!going?.running) return this.end();
    }
    await this.follow();
  }
  /// Until the run that goes on ends.
  async follow(): Promise<void> {
    this.begin();
    try {
      for (;;) {
        const progress = await this.patiently(server.progress);
        if (!progress.running) {
          const {run, message} = progress.outcome ?? {run: 0, message: ''};
          await this.patiently(() => this.onEnd(run, message));
          this.tell(message === 'stopped' ? '' : message);
          break;
        }
        this.show(progress);
        await after(interval);
      }
    } catch (error) {
      this.tell((error as Error).message);
    }
    this.end();
  }
  private begin(): void {
    this.running = true;
    this.show({running: true});
    this.sync();
  }
  private end(): void {
    this.running = false;
    this.sync();
  }
  /// A run goes on without the page: it is lost only if the viewer stays silent.
  private async patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (const pause of pauses) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        this.words.textContent = 'no answer, trying again …';
        await after(pause);
      }
    }
    return ask();
  }
  private show({t = 0, duration = 0, seconds = 0, stopping}: Progress): void {
    const share = duration > 0 ? Math.min(t / duration, 1) : 0;
    this.bar.style.width = `${100 * share}%`;
    const left = share > 0 ? seconds / share - seconds : 0;
    this.words.textContent = stopping ? 'stopping …' : share > 0 ? `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %, ${time(left)} left` : 'starting …';
  }
}

function time(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
