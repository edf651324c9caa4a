// The clock of the playback.
export const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];

export class Player {
  t = 0;
  start = 0;
  end = 0;
  playing = false;
  loop = false;
  speed = 1;
  private last = 0;
  private readonly listeners = new Set<() => void>();

  /// From its start.
  setSpan(start: number, end: number): void {
    this.playing = false;
    this.start = start;
    this.end = end;
    this.t = start;
    // Real time, unless the run is over in a moment or takes more than a minute.
    const duration = end - start;
    const fits = (speed: number) => duration / speed >= 2.5 && duration / speed <= 60;
    const nearest = duration < 2.5 ? [...speeds].reverse() : speeds;
    this.speed = fits(1) ? 1 : nearest.find(fits) ?? 1;
    this.changed();
  }

  /// Gives what ends it.
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  private changed(): void {
    for (const listener of this.listeners) listener();
  }
  toggle(): void {
    if (!this.playing && this.t >= this.end) this.t = this.start;
    this.playing = !this.playing;
    this.last = performance.now();
    this.changed();
  }
  pause(): void {
    if (this.playing) this.toggle();
  }
  seek(t: number): void {
    this.t = Math.min(Math.max(t, this.start), this.end);
    this.changed();
  }
  faster(by: number): void {
    const at = speeds.indexOf(this.speed);
    this.speed = speeds[Math.min(Math.max(at + by, 0), speeds.length - 1)];
    this.changed();
  }
  toggleLoop(): void {
    this.loop = !this.loop;
    this.changed();
  }
  /// Once per picture. A page that was hidden does not leap.
  tick(now: number): void {
    if (!this.playing) return;
    const passed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    let t = this.t + passed * this.speed;
    if (t >= this.end) {
      if (this.loop) t = this.start;
      else this.playing = false;
    }
    this.seek(t);
  }
}
