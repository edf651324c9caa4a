// The viewer: the page of a report with the case beside it, to edit, pose and run.
import {CaseEditor} from './case_editor';
import type {Run} from './data';
import {button, element, icon} from './dom';
import {swingOf} from './modes';
import {PosePanel} from './pose_panel';
import {Report} from './report';
import {RunControl} from './run_control';
import {server, type Described} from './server';

export class Viewer {
  readonly report: Report;
  private readonly editor: CaseEditor;
  private readonly pose: PosePanel;
  private readonly control = new RunControl();
  private readonly runs = new Map<number, Run>(); // by the server's number
  private readonly pinned = new Set<number>();
  private first = true;
  private edited = false;

  static async open(app: HTMLElement): Promise<Viewer> {
    const session = await server.session();
    const ids = session.runs.map(({id}) => id);
    const viewer = new Viewer(session.title, session.text, session.file, session.can_save, ids.length > 0);
    viewer.report.open(app);
    await viewer.showRuns(ids, (id) => ids.slice(-2).includes(id));
    if (session.running) void viewer.control.follow();
    return viewer;
  }

  private constructor(title: string, text: string, file: string, canSave: boolean, private hasRuns: boolean) {
    this.report = new Report({
      title,
      tabs: ['Case', 'Pose'],
      kept: ['Plots', 'Summary'],
      header: this.control.element,
      keys: [['Ctrl+Enter', 'run the case']],
      legend: (run) => this.runTools(run),
      key: (event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return false;
        event.preventDefault();
        void this.control.run();
        return true;
      },
      backFromPose: () => {
        this.edited = false;
        this.report.pose();
      },
    });
    this.editor = new CaseEditor(text, file, canSave);
    this.pose = new PosePanel({
      pose: () => this.showPose(),
      settled: () => this.report.view.framePose(),
      swing: (mode) => this.report.swingPosed(mode && swingOf(this.pose.scene!, mode, this.pose.q)),
      text: () => this.editor.text,
    });
    this.report.onSwingEnd = () => this.pose.stopped();
    this.editor.onDescribed = (described) => this.described(described);
    this.control.text = () => this.editor.text;
    this.control.reason = () => this.editor.reasonNotToRun;
    this.control.onEnd = (run) => this.ended(run);
    this.report.tabs.fill('Case', this.editor.element);
    this.report.tabs.fill('Pose', this.pose.element);
    addEventListener('beforeunload', (event) => {
      if (canSave && this.editor.changed) event.preventDefault();
    });
  }

  private described(described: Described): void {
    this.control.sync();
    this.pose.set(described);
    // An edit shows the arm; opened on results, the run stays until then.
    if (!this.first) this.edited = true;
    this.first = false;
    if (described.scene && (this.edited || !this.hasRuns)) this.showPose();
  }
  private showPose(): void {
    if (!this.pose.scene) return;
    const note = this.pose.moved ? 'Posed by hand' : this.editor.changed ? 'The edited case at its start' : 'The case at its start';
    this.report.pose(this.pose.scene, this.pose.q, note);
  }

  private async ended(run: number): Promise<void> {
    if (run === 0) return;
    const {runs} = await server.session();
    const ids = runs.map(({id}) => id);
    const before = ids[ids.indexOf(run) - 1];
    await this.showRuns(ids, (id) => id === run || id === before || this.pinned.has(id));
    this.edited = false;
    this.report.pose();
    this.report.player.toggle();
  }

  private async showRuns(ids: number[], visible?: (id: number) => boolean): Promise<void> {
    for (const id of [...this.runs.keys()]) if (!ids.includes(id)) this.runs.delete(id);
    for (const id of ids) if (!this.runs.has(id)) this.runs.set(id, await server.run(id));
    this.hasRuns = ids.length > 0;
    const shown = [...this.runs.values()];
    const idOf = (run: Run) => run.colour + 1;
    const was = new Map(shown.map((run) => [run, this.report.isVisible(run)]));
    await this.report.show(shown, (run) => (visible ? visible(idOf(run)) : was.get(run) || this.runs.size === 1));
  }

  /// Beside a run's name: keep it in sight, or let it go.
  private runTools(run: Run): HTMLElement {
    const id = run.colour + 1;
    const pin = button('tool', 'Keep visible when new runs are added', () => {
      if (!this.pinned.delete(id)) this.pinned.add(id);
      pin.setAttribute('aria-pressed', String(this.pinned.has(id)));
    }, icon('pin'));
    pin.setAttribute('aria-pressed', String(this.pinned.has(id)));
    const forget = button('tool', `Remove ${run.texts.label}`, () => void this.forget(id), icon('close'));
    return element('span', 'run-tools', pin, forget);
  }
  private async forget(id: number): Promise<void> {
    const {runs} = await server.forget(id);
    await this.showRuns(runs.map((one) => one.id));
    if (runs.length === 0) this.showPose();
  }
}
