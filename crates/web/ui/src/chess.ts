// The rules, by chessops, in the words of this page: positions as FEN, moves as UCI texts in which castling is
// king takes rook.

import { Chess, normalizeMove } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import type { Color, Move } from 'chessops/types';
import { makeUci, parseUci } from 'chessops/util';

export { INITIAL_FEN };

const PROBLEMS: Record<string, string> = {
  ERR_EMPTY: 'the board is empty',
  ERR_KINGS: 'each side needs one king',
  ERR_OPPOSITE_CHECK: 'the side that is not to move is in check',
  ERR_PAWNS_ON_BACKRANK: 'there are pawns on the first or last rank',
};

/** A position, or a sentence that says why it is none. */
export function readFen(text: string): Chess | string {
  const setup = parseFen(text.trim());
  if (setup.isErr) return 'This is no FEN.';
  const position = Chess.fromSetup(setup.value);
  if (position.isErr) return `This position is not possible: ${PROBLEMS[position.error.message] ?? 'it breaks the rules'}.`;
  return position.value;
}

/** The position of a FEN that is known to be good. */
export function position(fen: string): Chess {
  const read = readFen(fen);
  if (typeof read === 'string') throw new Error(`${read} ${fen}`);
  return read;
}

export const toFen = (chess: Chess): string => makeFen(chess.toSetup());

/** A legal move by its text in UCI's notation or SAN; castling in any of them. */
export function readMove(chess: Chess, text: string): string | undefined {
  const word = text.trim().replaceAll('0', 'O');
  const uci = parseUci(text.trim().toLowerCase());
  if (uci) {
    const move = normalizeMove(chess, uci);
    if (chess.isLegal(move)) return makeUci(move);
  }
  // A piece may be written small; a pawn of the b-file is meant before a bishop.
  const candidates = [word, word.charAt(0).toUpperCase() + word.slice(1)];
  for (const candidate of candidates) {
    const move = parseSan(chess, candidate);
    if (move) return makeUci(normalizeMove(chess, move));
  }
  return undefined;
}

/** A move of a text that is known to be good. */
export function move(uci: string): Move {
  const move = parseUci(uci);
  if (!move) throw new Error(`${uci} is no move`);
  return move;
}

export const san = (chess: Chess, uci: string): string => makeSan(chess, move(uci));

/** A line as SAN, as far as it is legal, with the position after each move. */
export function sanLine(fen: string, line: string[]): { san: string; fen: string; uci: string }[] {
  const chess = position(fen);
  const shown = [];
  for (const uci of line) {
    const next = normalizeMove(chess, move(uci));
    if (!chess.isLegal(next)) break;
    const san = makeSan(chess, next);
    chess.play(next);
    shown.push({ san, fen: toFen(chess), uci });
  }
  return shown;
}

/** Where every piece can go, as the board wants it; a king may also go where it castles to. */
export const destinations = (chess: Chess): ReturnType<typeof chessgroundDests> => chessgroundDests(chess);

/** The squares between which an arrow shows a move: a castling king goes two steps. */
export function squares(chess: Chess, uci: string): [string, string] {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const parsed = parseUci(uci);
  if (parsed && 'from' in parsed) {
    const [king, rook] = [chess.board.get(parsed.from), chess.board.get(parsed.to)];
    if (king?.role === 'king' && rook?.role === 'rook' && king.color === rook.color) {
      const side = parsed.to > parsed.from ? 'g' : 'c';
      return [from, side + from.charAt(1)];
    }
  }
  return [from, to];
}

/** The number before a move, as games are written: "12." or "12…". */
export function number(chess: Chess): string {
  return `${chess.fullmoves}${chess.turn === 'white' ? '.' : '…'}`;
}

export const other = (color: Color): Color => (color === 'white' ? 'black' : 'white');

const NAMES = { king: 'K', queen: 'Q', rook: 'R', bishop: 'B', knight: 'N', pawn: '' } as const;
const FILES = 'abcdefgh';

/** The position in words: "White: Kg1, Rf1, a2. Black: Kg8. White to move." */
export function describe(chess: Chess): string {
  const side = (color: Color): string => {
    const pieces = (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap(role =>
      [...chess.board.pieces(color, role)].map(square =>
        `${NAMES[role]}${FILES[square & 7]}${(square >> 3) + 1}`));
    return pieces.join(', ');
  };
  const turn = chess.turn === 'white' ? 'White' : 'Black';
  return `White: ${side('white')}. Black: ${side('black')}. ${turn} to move${chess.isCheck() ? ', in check' : ''}.`;
}
