// What is asked before a game.

import type { Color } from 'chessops/types';
import { h, select } from '../dom';
import type { Hello } from '../protocol';
import type { Control } from './clock';
import { PRESETS } from './odds';

/** What was chosen. */
export interface Choice {
  side: Color;
  /** The rating of the engine; full strength if none. */
  rating: number | undefined;
  /** No clocks if none. */
  control: Control | undefined;
  /** The number of the start position of Chess960, if it is played. */
  start: number | undefined;
  odds: string;
}

const CONTROLS: [name: string, text: string][] = [
  ['none', 'No clock'], ['60+1', '1 min + 1 s'], ['180+2', '3 min + 2 s'], ['300+3', '5 min + 3 s'],
  ['600+5', '10 min + 5 s'], ['900+10', '15 min + 10 s'], ['1800+20', '30 min + 20 s'], ['own', 'Other…'],
];
const STANDARD = 518;
const STARTS = 960;

export class Setup {
  private side = 'white';
  private control = 'none';
  private odds = 'none';
  private readonly isFull = h('input', { type: 'checkbox', checked: false }, [], { change: () => this.refresh() });
  private readonly rating = h('input', {
    type: 'range', min: 900, max: 2900, step: 10, value: 1500, 'aria-label': 'Rating of the engine',
  }, [], { input: () => this.refresh() });
  private readonly ratingText = h('output', { class: 'rating' });
  private readonly minutes = h('input', { type: 'number', min: 0.1, max: 180, step: 0.1, value: 5 });
  private readonly seconds = h('input', { type: 'number', min: 0, max: 60, step: 1, value: 3 });
  private readonly own = h('div', { class: 'own-control', hidden: true }, [
    h('label', { class: 'field' }, [h('span', {}, 'Minutes'), this.minutes]),
    h('label', { class: 'field' }, [h('span', {}, 'Seconds a move'), this.seconds]),
  ]);
  private readonly is960 = h('input', { type: 'checkbox' }, [], { change: () => this.refresh() });
  private readonly number = h('input', {
    type: 'number', min: 0, max: STARTS - 1, step: 1, value: '', placeholder: 'random',
    'aria-label': 'Number of the start position, 0 to 959; random if empty',
  });
  private readonly oddsHint = h('p', { class: 'hint' });
  readonly element: HTMLElement;

  constructor(start: (choice: Choice) => void) {
    const sides = ([['white', 'White'], ['random', 'Either'], ['black', 'Black']] as const).map(([value, text]) => {
      const input = h('input', { type: 'radio', name: 'side', value, checked: value === 'white' }, [], {
        change: () => {
          this.side = value;
        },
      });
      return h('label', { class: 'segment' }, [input, h('span', {}, text)]);
    });
    const form = h('form', { class: 'setup' }, [
      h('fieldset', { class: 'segments' }, [h('legend', {}, 'You play'), ...sides]),
      h('fieldset', {}, [
        h('legend', {}, 'The engine plays'),
        h('label', { class: 'check' }, [this.isFull, 'at full strength']),
        h('div', { class: 'rating-row' }, [this.rating, this.ratingText]),
      ]),
      select('Clocks', CONTROLS, this.control, control => {
        this.control = control;
        this.refresh();
      }),
      this.own,
      select('Odds', PRESETS.map(([name, text]) => [name, text]), this.odds, odds => {
        this.odds = odds;
        this.refresh();
      }),
      this.oddsHint,
      h('div', { class: 'start960' }, [
        h('label', { class: 'check' }, [this.is960, 'Chess960']),
        this.number,
      ]),
      h('button', { type: 'submit', class: 'primary large' }, 'Play'),
    ], {
      submit: event => {
        event.preventDefault();
        start(this.choice());
      },
    });
    this.element = form;
    this.refresh();
  }

  /** The server's ratings. */
  configure(hello: Hello): void {
    const [min, max] = hello.ratings;
    this.rating.min = String(min);
    this.rating.max = String(max);
    this.refresh();
  }

  private refresh(): void {
    this.rating.disabled = this.isFull.checked;
    this.ratingText.textContent = this.isFull.checked ? 'full' : `${this.rating.value} Elo`;
    this.own.hidden = this.control !== 'own';
    const isOdds = this.odds !== 'none';
    this.is960.disabled = isOdds;
    if (isOdds) this.is960.checked = false;
    this.number.hidden = !this.is960.checked;
    this.oddsHint.textContent = isOdds
      ? 'The engine begins without these pieces, and plays for what you may overlook.'
      : '';
    this.oddsHint.hidden = !isOdds;
  }

  private choice(): Choice {
    const side = this.side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : this.side;
    const typed = this.number.value.trim();
    const number = typed === '' ? Math.floor(Math.random() * STARTS) : Number(typed);
    return {
      side: side as Color,
      rating: this.isFull.checked ? undefined : Number(this.rating.value),
      control: this.readControl(),
      start: this.is960.checked ? Math.min(Math.max(number || 0, 0), STARTS - 1) : undefined,
      odds: this.odds,
    };
  }

  private readControl(): Control | undefined {
    if (this.control === 'none') return undefined;
    if (this.control === 'own') {
      return { initial: 60_000 * Number(this.minutes.value), increment: 1000 * Number(this.seconds.value) };
    }
    const [seconds, increment] = this.control.split('+').map(Number);
    return { initial: 1000 * (seconds ?? 300), increment: 1000 * (increment ?? 0) };
  }
}

/** Whether it is the usual start. */
export const isStandardStart = (start: number | undefined): boolean => start === undefined || start === STANDARD;
