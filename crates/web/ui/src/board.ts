// A chessboard: chessground with the rules behind it, and words for those who cannot see it.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Color, Role } from 'chessops/types';
import { parseSquare } from 'chessops/util';
import { describe, destinations, position, squares } from './chess';
import { h } from './dom';

/** What is shown on a board. */
export interface Shown {
  fen: string;
  /** The move that led here. */
  last: string | undefined;
  /** Who may move by hand. */
  movable: Color | 'both' | undefined;
}

/** An arrow with what stands at its end. */
export interface Arrow {
  move: string;
  brush: 'both' | 'prover' | 'explorer' | 'other' | 'better';
  label: string;
  width?: number;
}

const BRUSHES = {
  both: { key: 'both', color: '#1f8a4c', opacity: 0.9, lineWidth: 11 },
  prover: { key: 'prover', color: '#2a6fc0', opacity: 0.9, lineWidth: 10 },
  explorer: { key: 'explorer', color: '#d5720b', opacity: 0.9, lineWidth: 10 },
  other: { key: 'other', color: '#5b6570', opacity: 0.6, lineWidth: 7 },
  better: { key: 'better', color: '#1f8a4c', opacity: 0.8, lineWidth: 10 },
  green: { key: 'g', color: '#15781b', opacity: 1, lineWidth: 10 },
  red: { key: 'r', color: '#882020', opacity: 1, lineWidth: 10 },
  blue: { key: 'b', color: '#003088', opacity: 1, lineWidth: 10 },
  yellow: { key: 'y', color: '#e68f00', opacity: 1, lineWidth: 10 },
};

const PROMOTIONS: [Role, string][] = [
  ['queen', 'q'], ['rook', 'r'], ['bishop', 'b'], ['knight', 'n'],
];

export class Board {
  readonly element: HTMLElement;
  private readonly ground: Api;
  private readonly words = h('p', { class: 'hidden' });
  private readonly holder: HTMLElement;
  private shown: Shown | undefined;

  constructor(private readonly played: (uci: string) => void) {
    const wrap = h('div', { class: 'board-wrap', 'aria-hidden': 'true' });
    this.holder = h('div', { class: 'board' }, [wrap]);
    this.element = h('div', { class: 'board-box' }, [this.holder, this.words]);
    this.ground = Chessground(wrap, {
      animation: { enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches, duration: 160 },
      movable: { free: false, events: { after: (from, to) => void this.move(from, to) } },
      ranksPosition: 'left',
      premovable: { enabled: false },
      drawable: { brushes: BRUSHES },
      highlight: { lastMove: true, check: true },
      disableContextMenu: true,
    });
    // A board that is hidden has no size to draw by.
    new ResizeObserver(() => {
      if (this.isVisible) this.ground.redrawAll();
    }).observe(this.holder);
  }

  /** Shows a position. */
  show(shown: Shown): void {
    this.shown = shown;
    const chess = position(shown.fen);
    this.ground.set({
      fen: shown.fen,
      turnColor: chess.turn,
      check: chess.isCheck() ? chess.turn : false,
      lastMove: shown.last ? lastMove(shown.last) : [],
      movable: shown.movable
        ? { color: shown.movable, dests: destinations(chess) as Map<Key, Key[]> }
        : { dests: new Map() },
    });
    if (!shown.movable) this.ground.set({ movable: { dests: new Map() } });
    this.words.textContent = describe(chess);
    this.holder.classList.remove('is-preview');
    this.holder.querySelector('.promotion')?.remove();
  }

  /** Shows a position to come for a while. */
  preview(fen: string, last: string): void {
    const chess = position(fen);
    this.ground.set({
      fen,
      lastMove: lastMove(last),
      check: chess.isCheck() ? chess.turn : false,
      movable: { dests: new Map() },
      drawable: { autoShapes: [] },
    });
    this.holder.classList.add('is-preview');
  }

  /** Goes back from a preview to what is shown. */
  endPreview(): void {
    if (this.shown && this.holder.classList.contains('is-preview')) this.show(this.shown);
  }

  private get isVisible(): boolean {
    return this.holder.clientWidth > 0;
  }

  get isPreviewing(): boolean {
    return this.holder.classList.contains('is-preview');
  }

  /** Draws arrows over the position shown. */
  draw(arrows: Arrow[]): void {
    if (!this.shown || this.isPreviewing || !this.isVisible) return;
    const chess = position(this.shown.fen);
    const shapes = arrows.map((arrow): DrawShape => {
      const [orig, dest] = squares(chess, arrow.move) as [Key, Key];
      const fill = BRUSHES[arrow.brush].color;
      const shape: DrawShape = { orig, dest, brush: arrow.brush, label: { text: arrow.label, fill } };
      return arrow.width ? { ...shape, modifiers: { lineWidth: arrow.width } } : shape;
    });
    this.ground.setAutoShapes(shapes);
  }

  orient(color: Color): void {
    this.ground.set({ orientation: color });
  }

  get orientation(): Color {
    return this.ground.state.orientation;
  }

  /** A move by hand; asks to what a pawn promotes. */
  private async move(from: Key, to: Key): Promise<void> {
    if (!this.shown) return;
    const chess = position(this.shown.fen);
    const piece = chess.board.get(parseSquare(from) ?? 0);
    const promotes = piece?.role === 'pawn' && (to.endsWith('8') || to.endsWith('1'));
    const letter = promotes ? await this.askPromotion(chess.turn) : '';
    if (letter === undefined) this.show(this.shown);
    else this.played(from + to + letter);
  }

  private askPromotion(color: Color): Promise<string | undefined> {
    return new Promise(resolve => {
      const answer = (letter: string | undefined): void => {
        box.remove();
        resolve(letter);
      };
      const buttons = PROMOTIONS.map(([role, letter]) =>
        h('button', { type: 'button', 'aria-label': role, title: role }, [
          h('piece', { class: `${role} ${color}` } as Record<string, string>),
        ], { click: () => answer(letter) }));
      const box = h('div', { class: 'promotion cg-wrap', role: 'dialog', 'aria-label': 'Promote to' }, buttons, {
        keydown: event => {
          if (event.key === 'Escape') answer(undefined);
        },
      });
      this.holder.append(box);
      buttons[0]?.focus();
    });
  }
}

function lastMove(uci: string): Key[] {
  return [uci.slice(0, 2), uci.slice(2, 4)] as Key[];
}

declare global {
  interface HTMLElementTagNameMap {
    piece: HTMLElement;
  }
}
