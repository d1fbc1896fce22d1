// The clocks of a game. A side's clock runs while it is to move.

import type { Color } from 'chessops/types';
import { h } from '../dom';
import { clock } from '../format';

export interface Control {
  initial: number;
  increment: number;
}

const index = (color: Color): 0 | 1 => (color === 'white' ? 0 : 1);

export class Clocks {
  private left: [number, number] = [0, 0];
  private running: Color | undefined;
  private since = 0;
  private timer = 0;
  readonly faces = { white: face(), black: face() };

  constructor(private readonly flagged: (side: Color) => void) {}

  /** Sets both clocks; none if there are no limits. */
  set(control: Control | undefined, left?: [number, number]): void {
    this.stop();
    this.left = left ?? [control?.initial ?? 0, control?.initial ?? 0];
    for (const face of Object.values(this.faces)) face.hidden = !control;
    this.show();
  }

  /** What both sides have left. */
  get remaining(): [number, number] {
    const left: [number, number] = [...this.left];
    if (this.running) left[index(this.running)] -= performance.now() - this.since;
    return left.map(time => Math.max(0, time)) as [number, number];
  }

  start(side: Color): void {
    this.stop();
    this.running = side;
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), 100);
    this.show();
  }

  stop(): void {
    clearInterval(this.timer);
    this.left = this.remaining;
    this.running = undefined;
    this.show();
  }

  /** A side has moved and gets its increment. */
  moved(side: Color, increment: number): void {
    this.stop();
    this.left[index(side)] += increment;
    this.show();
  }

  private tick(): void {
    this.show();
    const { running } = this;
    if (running && this.remaining[index(running)] <= 0) {
      this.stop();
      this.flagged(running);
    }
  }

  private show(): void {
    const left = this.remaining;
    for (const side of ['white', 'black'] as const) {
      const face = this.faces[side];
      face.textContent = clock(left[index(side)]);
      face.classList.toggle('is-running', this.running === side);
      face.classList.toggle('is-short', left[index(side)] < 20_000);
    }
  }
}

function face(): HTMLElement {
  return h('span', { class: 'clock', role: 'timer', hidden: true });
}
