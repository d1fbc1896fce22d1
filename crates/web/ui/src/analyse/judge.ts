// What moves of a game were worth, by the chances before and after them.

import { position } from '../chess';
import { expectation, wdlOfWhite } from '../format';
import type { Game, Place } from '../game';
import type { Reviewed, Wdl } from '../protocol';

export interface Mistake {
  place: Place;
  mark: '?!' | '?' | '??';
  /** The part of a point that the move has cost. */
  cost: number;
  /** What would have been better, as UCI. */
  better: string | undefined;
}

/** From how much on a move is a mistake, the gravest first. */
const LIMITS: [cost: number, mark: Mistake['mark'], name: string][] = [
  [0.2, '??', 'blunder'],
  [0.1, '?', 'mistake'],
  [0.05, '?!', 'inaccuracy'],
];

export const nameOf = (mark: Mistake['mark']): string => LIMITS.find(limit => limit[1] === mark)?.[2] ?? '';

/** The chances of White at a place that was looked at. */
export function chances(place: Place): Wdl | undefined {
  const { review } = place;
  if (!review) return undefined;
  const { turn } = position(place.fen);
  const wdl = review.wdl ?? certain(review);
  return wdl && wdlOfWhite(wdl, turn);
}

function certain(review: Reviewed): Wdl | undefined {
  if (!('mate' in review.score)) return undefined;
  return review.score.mate > 0 ? [1000, 0, 0] : [0, 0, 1000];
}

/** The mistakes on the main line, as far as it was looked at. */
export function mistakes(game: Game): Mistake[] {
  const found: Mistake[] = [];
  const line = game.mainline();
  for (const [i, place] of line.entries()) {
    const before = line[i - 1];
    const [was, is] = [before && chances(before), chances(place)];
    if (!before || !was || !is) continue;
    const sign = position(before.fen).turn === 'white' ? 1 : -1;
    const cost = sign * (expectation(was) - expectation(is));
    const limit = LIMITS.find(limit => cost >= limit[0]);
    const better = before.review?.pv[0];
    if (limit && better !== place.uci) found.push({ place, mark: limit[1], cost, better });
  }
  return found;
}
