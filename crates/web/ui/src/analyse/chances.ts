// The bar with the chances of White, of a draw and of Black.

import { h } from '../dom';
import { percent } from '../format';
import type { Wdl } from '../protocol';

const NAMES = ['White', 'Draw', 'Black'] as const;

export class Chances {
  private readonly parts = NAMES.map(name =>
    h('div', { class: `chance chance-${name.toLowerCase()}` }, [
      h('span', { class: 'chance-name' }, `${name} `),
      h('span', { class: 'chance-part' }),
    ]));
  readonly element = h('div', { class: 'chances', role: 'img', 'aria-label': 'Chances not known yet' }, this.parts);

  /** Shows the chances in thousandths; none if they are not known. */
  show(wdl: Wdl | undefined): void {
    this.element.classList.toggle('is-unknown', !wdl);
    const shown = wdl ?? [333, 334, 333];
    shown.forEach((part, i) => {
      const element = this.parts[i];
      if (!element) return;
      element.style.flexGrow = String(part);
      element.classList.toggle('is-narrow', part < 190);
      element.classList.toggle('is-tiny', part < 75);
      const text = element.querySelector('.chance-part');
      if (text) text.textContent = wdl ? percent(part / 1000) : '';
    });
    const words = NAMES.map((name, i) => `${name} ${percent((shown[i] ?? 0) / 1000)}`).join(', ');
    this.element.setAttribute('aria-label', wdl ? `Chances: ${words}` : 'Chances not known yet');
  }
}
