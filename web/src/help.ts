// The list of keys.
import {button, element, icon} from './dom';

const keys: [string, string][] = [
  ['Space', 'play, pause'],
  ['← →', 'one row back, one row forward (with Shift: ten)'],
  ['Home End', 'start, end'],
  ['[ ]', 'slower, faster'],
  ['− +', 'exaggerate deformation less, more'],
  ['1 2 3 4', 'view: iso, front, side, top'],
  ['G', 'ghost of the rigid arm'],
  ['T', 'trail of the tip'],
  ['W', 'wakes of lifting surfaces'],
  ['N', 'names of the joints'],
  ['S', 'colour by stress'],
  ['L', 'loop'],
  ['D', 'dark or light theme'],
  ['?', 'this list'],
];

export function helpDialog(more: [string, string][]): HTMLDialogElement {
  const dialog = element('dialog', 'help');
  const list = element('dl', '');
  for (const [key, meaning] of [...more, ...keys])
    list.append(element('dt', '', ...key.split(' ').map((one) => element('kbd', '', one))), element('dd', '', meaning));
  dialog.append(
    element('header', '', element('h2', '', 'Keys and mouse'), button('', 'Close', () => dialog.close(), icon('close'))),
    list,
    element('p', '', 'In the view: drag to rotate, scroll or pinch to zoom, right-drag to pan. In a plot: click to go to that time, drag to zoom, double-click for the whole run.'),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
