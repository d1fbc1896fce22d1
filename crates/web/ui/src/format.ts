// How numbers are shown. Scores come for the side to move and are shown for White.

import type { Color } from 'chessops/types';
import type { Score, Wdl } from './protocol';

/** A score for White: +0.35, −1.20, #3, #−2. */
export function score(value: Score, turn: Color): string {
  const sign = turn === 'white' ? 1 : -1;
  if ('mate' in value) {
    // Who is mated already has 0 moves to go: the other side has won.
    const mate = value.mate === 0 ? -sign * 0 : sign * value.mate;
    return `#${minus(String(mate || 0))}`;
  }
  const pawns = (sign * value.cp) / 100;
  return `${pawns < 0 ? '−' : '+'}${Math.abs(pawns).toFixed(2)}`;
}

const minus = (text: string): string => text.replace('-', '−');

/** The chances of White, of a draw, and of Black. */
export function wdlOfWhite(wdl: Wdl, turn: Color): Wdl {
  return turn === 'white' ? wdl : [wdl[2], wdl[1], wdl[0]];
}

/** What White may expect: 1 for a win, 0 for a loss. */
export function expectation(wdl: Wdl): number {
  return (wdl[0] + wdl[1] / 2) / 1000;
}

/** A part of one as percent. */
export function percent(part: number, digits = 0): string {
  return `${(100 * part).toFixed(digits)}%`;
}

/** A large number in few digits: 950, 12.3 k, 4.56 M. */
export function count(number: number): string {
  if (number < 1000) return String(number);
  if (number < 1e6) return `${significant(number / 1e3)} k`;
  if (number < 1e9) return `${significant(number / 1e6)} M`;
  return `${significant(number / 1e9)} G`;
}

function significant(number: number): string {
  return number.toFixed(number < 10 ? 2 : number < 100 ? 1 : 0);
}

/** A clock: 4:05, or 9.4 under ten seconds. */
export function clock(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
