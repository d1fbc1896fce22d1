// Odds: the engine begins without some of its pieces.

import type { Color } from 'chessops/types';
import { parseSquare } from 'chessops/util';
import { INITIAL_FEN, position, toFen } from '../chess';

/** What is missing, by the squares of a White engine. The usual starts of bots that play at odds. */
export const PRESETS: [name: string, text: string, squares: string[]][] = [
  ['none', 'No odds', []],
  ['pawn', 'Pawn f2', ['f2']],
  ['knight', 'Knight b1', ['b1']],
  ['knight-g', 'Knight g1', ['g1']],
  ['rook', 'Rook a1', ['a1']],
  ['bishop-knight', 'Bishop f1 and knight b1', ['f1', 'b1']],
  ['knights', 'Both knights', ['b1', 'g1']],
  ['bishops', 'Both bishops', ['c1', 'f1']],
  ['rook-knight', 'Rook a1 and knight g1', ['a1', 'g1']],
  ['queen', 'Queen', ['d1']],
  ['rooks', 'Both rooks', ['a1', 'h1']],
  ['queen-knight', 'Queen and knight b1', ['d1', 'b1']],
  ['queen-rook', 'Queen and rook a1', ['d1', 'a1']],
  ['minor', 'Both knights and both bishops', ['b1', 'c1', 'f1', 'g1']],
  ['queen-knights', 'Queen and both knights', ['d1', 'b1', 'g1']],
  ['queen-rooks', 'Queen and both rooks', ['d1', 'a1', 'h1']],
];

/** The start position with that preset for an engine of that colour. */
export function startAtOdds(name: string, engine: Color): string {
  const squares = PRESETS.find(preset => preset[0] === name)?.[2] ?? [];
  const chess = position(INITIAL_FEN);
  for (const name of squares) {
    const mirrored = engine === 'white' ? name : name.replace('1', '8').replace('2', '7');
    const square = parseSquare(mirrored);
    if (square === undefined) continue;
    chess.board.take(square);
    chess.castles.discardRook(square);
  }
  return toFen(chess);
}
