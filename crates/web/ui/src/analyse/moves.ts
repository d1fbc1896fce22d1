// The table of moves: what both searches know of each.

import type { Color } from 'chessops/types';
import { position, san } from '../chess';
import { h } from '../dom';
import { count, percent, score } from '../format';
import type { MoveInfo } from '../protocol';

/** Rows that are shown before somebody wants all. */
const FEW = 10;

interface Row {
  element: HTMLTableRowElement;
  button: HTMLButtonElement;
  bar: HTMLElement;
  cells: HTMLElement[];
}

const HEADS: [text: string, title: string][] = [
  ['Move', 'Press one to think only about it; again to think about all'],
  ['Visits', 'How often Monte Carlo tree search tried it'],
  ['Prior', 'How likely it seemed before it was tried'],
  ['Value', 'What the tries brought: the part of a point that the side to move may expect'],
  ['αβ', 'What alpha-beta says, for White; ≤ where it only knows that the move is no better than that'],
];

export class Moves {
  private rows = new Map<string, Row>();
  private isLong = false;
  private readonly body = h('tbody');
  private readonly more = h('button', { type: 'button', class: 'quiet' }, 'All moves', {
    click: () => this.toggleLength(),
  });
  private readonly all = h('button', { type: 'button', class: 'quiet' }, 'Think about all moves', {
    click: () => this.restrict([]),
  });
  readonly element = h('div', {}, [
    h('table', { class: 'moves-table' }, [
      h('caption', { class: 'hidden' }, 'What both searches know of each move'),
      h('thead', {}, [h('tr', {}, HEADS.map(([text, title]) => h('th', { scope: 'col', title }, text)))]),
      this.body,
    ]),
    h('div', { class: 'row-end' }, [this.all, this.more]),
  ]);
  private only: string[] = [];
  private latest: [MoveInfo[], string] = [[], ''];

  /** `restrict` is told to which moves thought is restricted from now on. */
  constructor(private readonly restrict: (only: string[]) => void) {
    this.all.hidden = true;
    this.more.hidden = true;
  }

  /** Thought is restricted to those moves; to none in particular if there are none. */
  setOnly(only: string[]): void {
    this.only = only;
    this.all.hidden = only.length === 0;
    for (const [uci, row] of this.rows) this.mark(uci, row);
  }

  clear(): void {
    this.rows.clear();
    this.body.replaceChildren();
    this.latest = [[], ''];
    this.more.hidden = true;
  }

  show(moves: MoveInfo[], fen: string): void {
    this.latest = [moves, fen];
    const chess = position(fen);
    const total = moves.reduce((sum, move) => sum + (move.visits ?? 0), 0);
    const shown = this.isLong ? moves : moves.slice(0, FEW);
    this.more.hidden = moves.length <= FEW;
    this.more.textContent = this.isLong ? 'Fewer moves' : `All ${moves.length} moves`;
    const wanted = new Set(shown.map(move => move.move));
    for (const [uci, row] of this.rows) {
      if (wanted.has(uci)) continue;
      row.element.remove();
      this.rows.delete(uci);
    }
    shown.forEach((move, i) => {
      let row = this.rows.get(move.move);
      if (!row) {
        row = this.makeRow(move.move, san(chess, move.move));
        this.rows.set(move.move, row);
      }
      // A row that stays where it is keeps the focus.
      const there = this.body.children[i];
      if (there !== row.element) this.body.insertBefore(row.element, there ?? null);
      fill(row, move, total, chess.turn);
    });
  }

  private makeRow(uci: string, text: string): Row {
    const button = h('button', { type: 'button', class: 'move-button' }, text, {
      click: () => this.restrict(this.only.includes(uci)
        ? this.only.filter(move => move !== uci)
        : [...this.only, uci]),
    });
    const bar = h('span', { class: 'visit-bar' });
    const cells = HEADS.slice(1).map(() => h('span'));
    const [first, ...rest] = cells;
    const element = h('tr', {}, [
      h('th', { scope: 'row' }, [button]),
      h('td', { class: 'visits' }, [bar, first]),
      ...rest.map(cell => h('td', {}, [cell])),
    ]);
    const row = { element, button, bar, cells };
    this.mark(uci, row);
    return row;
  }

  private mark(uci: string, row: Row): void {
    const isOnly = this.only.includes(uci);
    row.button.setAttribute('aria-pressed', String(isOnly));
    row.element.classList.toggle('is-only', isOnly);
  }

  private toggleLength(): void {
    this.isLong = !this.isLong;
    this.show(...this.latest);
  }
}

function fill(row: Row, move: MoveInfo, total: number, turn: Color): void {
  const bound = move.bound === 'upper' ? '≤' : move.bound === 'lower' ? '≥' : '';
  const texts = [
    move.visits === null ? '–' : count(move.visits),
    move.prior === null ? '–' : percent(move.prior, 1),
    move.value === null ? '–' : percent((1 + move.value) / 2, 1),
    move.score === null ? '–' : boundFor(bound, turn) + score(move.score, turn),
  ];
  row.cells.forEach((cell, i) => {
    if (cell.textContent !== texts[i]) cell.textContent = texts[i] ?? '';
  });
  row.bar.style.width = `${total > 0 ? (100 * (move.visits ?? 0)) / total : 0}%`;
  row.element.classList.toggle('is-loose', move.bound !== null);
}

/** At most for Black is at least for White. */
function boundFor(bound: string, turn: Color): string {
  if (turn === 'white' || !bound) return bound;
  return bound === '≤' ? '≥' : '≤';
}
