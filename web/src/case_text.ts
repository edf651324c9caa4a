// The case as lithe understood it. Of several runs, lines that differ are marked.
import type {Run} from './data';
import {button, element, icon} from './dom';

function highlighted(line: string): Node[] {
  const found = /^(\s*(?:- )?)([\w.@-]+)(:)(.*)$/.exec(line);
  if (!found) return [document.createTextNode(line)];
  return [document.createTextNode(found[1]), element('b', '', found[2]), document.createTextNode(found[3] + found[4])];
}

/// Which lines of `a` are not in the longest common run of lines with `b`.
function differingLines(a: string[], b: string[]): boolean[] {
  if (a.length * b.length > 4e6) return a.map((line) => !b.includes(line)); // too long to compare in order
  const common = Array.from({length: a.length + 1}, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j)
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  const differs = a.map(() => true);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      differs[i++] = false;
      ++j;
    } else if (common[i + 1][j] >= common[i][j + 1]) ++i;
    else ++j;
  }
  return differs;
}

export function caseTexts(runs: Run[], colour: (run: Run) => string): HTMLElement {
  const lines = runs.map((run) => run.texts.case.replace(/\n$/, '').split('\n'));
  const sections = runs.map((run, r) => {
    // Every further run against the first, and that against all of them.
    const others = lines.filter((_, other) => (r === 0 ? other > 0 : other === 0)).map((other) => differingLines(lines[r], other));
    const differs = lines[r].map((_, k) => others.some((other) => other[k]));
    const differing = differs.filter(Boolean).length;
    const code = element('code', '');
    lines[r].forEach((line, k) => code.append(element('span', differs[k] ? 'line differs' : 'line', ...highlighted(line), '\n')));
    const copy = button('text', 'Copy the case', () => void copied(copy, run.texts.case), icon('copy'), 'Copy');
    const title = element('h3', runs.length > 1 ? 'coloured' : '', run.texts.label);
    title.style.setProperty('--colour', colour(run));
    const note = runs.length === 1 ? run.texts.case_file : differing === 0 ? 'no differing lines' : `${differing} differing line${differing === 1 ? '' : 's'}`;
    return element('section', 'card case', element('header', '', title, element('small', '', note), copy), element('pre', '', code));
  });
  return element('div', 'cases', ...sections);
}

async function copied(control: HTMLButtonElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk may not be allowed the clipboard; the old way is.
    const area = element('textarea', 'offscreen', text);
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  const label = control.lastChild!;
  label.textContent = 'Copied';
  setTimeout(() => (label.textContent = 'Copy'), 1500);
}
