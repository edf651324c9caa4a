// Pages beside the view, one shown at a time.
import {button, element} from './dom';

export class Tabs {
  readonly element: HTMLElement;
  private readonly tabs = element('div', 'tabs');
  private readonly bodies = element('div', 'pages');
  onShow: (name: string) => void = () => {};

  constructor(private readonly names: string[]) {
    this.tabs.setAttribute('role', 'tablist');
    names.forEach((name, k) => {
      const tab = button('', '', () => this.show(name), name);
      tab.setAttribute('role', 'tab');
      tab.id = `tab-${name.toLowerCase()}`;
      tab.addEventListener('keydown', (event) => {
        const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (by === 0) return;
        event.stopPropagation();
        const next = (k + by + names.length) % names.length;
        this.show(names[next]);
        (this.tabs.children[next] as HTMLElement).focus();
      });
      this.tabs.append(tab);
      const page = element('div', 'page');
      page.setAttribute('role', 'tabpanel');
      page.setAttribute('aria-labelledby', tab.id);
      this.bodies.append(page);
    });
    this.element = element('aside', 'side', this.tabs, this.bodies);
    this.show(names[0]);
  }

  fill(name: string, content: HTMLElement): void {
    this.bodies.children[this.names.indexOf(name)].replaceChildren(content);
  }
  show(name: string): void {
    const k = this.names.indexOf(name);
    [...this.tabs.children].forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === k));
      (tab as HTMLElement).tabIndex = i === k ? 0 : -1;
    });
    [...this.bodies.children].forEach((page, i) => ((page as HTMLElement).hidden = i !== k));
    this.onShow(name);
  }
}
