// The case as lithe understood it. Of several runs, lines that not all have are marked.
import type {Run} from './data';
import {button, element, icon} from './dom';

function highlighted(line: string): Node[] {
  const found = /^(\s*(?:- )?)([\w.@-]+)(:)(.*)$/.exec(line);
  if (!found) return [document.createTextNode(line)];
  return [document.createTextNode(found[1]), element('b', '', found[2]), document.createTextNode(found[3] + found[4])];
}

export function caseTexts(runs: Run[], colour: (run: Run) => string): HTMLElement {
  const lines = runs.map((run) => run.texts.case.replace(/\n$/, '').split('\n'));
  const sections = runs.map((run, r) => {
    const others = lines.filter((_, other) => other !== r).map((list) => new Set(list));
    let differing = 0;
    const code = element('code', '');
    for (const line of lines[r]) {
      const differs = others.some((other) => !other.has(line));
      if (differs) ++differing;
      code.append(element('span', differs ? 'line differs' : 'line', ...highlighted(line), '\n'));
    }
    const copy = button('text', 'Copy the case', () => void copied(copy, run.texts.case), icon('copy'), 'Copy');
    const title = element('h3', runs.length > 1 ? 'coloured' : '', run.texts.label);
    title.style.setProperty('--colour', colour(run));
    const note = runs.length === 1 ? run.texts.case_file : differing === 0 ? 'the same as the others' : `${differing} line${differing === 1 ? '' : 's'} differ`;
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
