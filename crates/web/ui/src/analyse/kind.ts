// What kind of position it is, and why.

import { h } from '../dom';
import { percent } from '../format';
import type { PositionInfo } from '../protocol';

export class Kind {
  private readonly name = h('strong', { class: 'kind-name' });
  private readonly share = h('span', { class: 'kind-share' });
  private readonly needle = h('div', { class: 'gauge-needle' });
  private readonly gauge = h('div', { class: 'gauge', role: 'img' }, [this.needle]);
  private readonly reasons = h('ul', { class: 'reasons' });
  private readonly features = h('dl', { class: 'features' });
  readonly element = h('div', {}, [
    h('p', { class: 'kind-head' }, [this.name, this.share]),
    h('div', { class: 'gauge-box' }, [h('span', {}, 'strategic'), this.gauge, h('span', {}, 'tactical')]),
    this.reasons,
    h('details', {}, [h('summary', {}, 'All that was seen on the board'), this.features]),
  ]);

  show(info: PositionInfo): void {
    this.name.textContent = info.kind;
    this.share.textContent = `Monte Carlo gets ${percent(info.explorer_share)} of the work`;
    const total = info.tactical + info.strategic;
    const tactical = total > 0 ? info.tactical / total : 0.5;
    this.needle.style.left = `${100 * tactical}%`;
    const words = `${info.tactical.toFixed(2)} tactical, ${info.strategic.toFixed(2)} strategic`;
    this.gauge.setAttribute('aria-label', words);
    this.reasons.replaceChildren(...info.reasons.map(reason =>
      h('li', { class: `reason reason-${reason.toward}` }, [
        h('span', { class: 'reason-weight' }, reason.weight.toFixed(2)),
        h('span', { class: 'reason-toward' }, reason.toward),
        h('span', {}, reason.name),
      ])));
    this.features.replaceChildren(...info.features.map(feature =>
      h('div', {}, [h('dt', {}, feature.name), h('dd', {}, feature.value)])));
  }
}
