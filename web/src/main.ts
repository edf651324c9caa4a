// Opens the page: a report, which holds its runs, or the viewer, which has a server behind it.
import {readRuns} from './data';
import {element} from './dom';
import {Report} from './report';
import {Viewer} from './viewer';

async function openReport(app: HTMLElement): Promise<Report> {
  const runs = readRuns();
  await Promise.all(runs.map((run) => run.open()));
  const report = new Report();
  report.open(app);
  await report.show(runs);
  return report;
}

async function start(): Promise<void> {
  const app = document.getElementById('app')!;
  try {
    const viewed = document.getElementById('lithe-viewer') !== null;
    const report = viewed ? (await Viewer.open(app)).report : await openReport(app);
    Object.assign(window, {litheReport: report.script});
    document.documentElement.dataset.ready = 'yes';
  } catch (error) {
    app.replaceChildren(element('p', 'loading', `This page cannot be shown: ${String(error)}`));
    throw error;
  }
}
void start();
