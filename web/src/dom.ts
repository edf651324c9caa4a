// Elements in one line each.
type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, className = '', ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

export function button(className: string, label: string, act: () => void, ...children: Child[]): HTMLButtonElement {
  const made = element('button', className, ...children);
  made.type = 'button';
  if (label) {
    made.title = label;
    made.setAttribute('aria-label', label);
  }
  made.addEventListener('click', act);
  return made;
}

const paths = {
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  save: 'M12 4v11m0 0l-4-4m4 4l4-4M5 19h14',
  zoomIn: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13zM15.3 15.3L20 20M10.5 7.8v5.4M7.8 10.5h5.4',
  zoomOut: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13zM15.3 15.3L20 20M7.8 10.5h5.4',
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M8.5 6v12M15.5 6v12',
  back: 'M17 6l-8 6l8 6zM7 6v12',
  ahead: 'M7 6l8 6l-8 6zM17 6v12',
  loop: 'M5 12a6 6 0 0 1 6-6h6m0 0l-3-3m3 3l-3 3M19 12a6 6 0 0 1-6 6H7m0 0l3 3m-3-3l3-3',
  sun: 'M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM12 2.5v2.5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3l1.8 1.8M16.9 16.9l1.8 1.8M18.7 5.3l-1.8 1.8M7.1 16.9l-1.8 1.8',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  help: 'M9 9.2a3 3 0 1 1 4.4 2.7c-1 .5-1.4 1.1-1.4 2.1M12 17.4v.2M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 0 0 0-17z',
  pin: 'M9 4h6l-1 6l3 3H7l3-3zM12 13v7',
  copy: 'M9 9h10v11H9zM5 15V4h10',
};
export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon', `icon-${name}`);
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}
