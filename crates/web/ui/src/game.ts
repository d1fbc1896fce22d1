// A game with variations: a tree of positions, and the place in it that is shown.

import { normalizeMove } from 'chessops/chess';
import { ChildNode, makePgn, Node as PgnNode, parsePgn, startingPosition } from 'chessops/pgn';
import type { PgnNodeData } from 'chessops/pgn';
import { parseSan } from 'chessops/san';
import { makeUci } from 'chessops/util';
import { INITIAL_FEN, move, number, position, san, toFen } from './chess';
import type { GameText, Reviewed } from './protocol';

/** A position and how it came about. */
export interface Place {
  ply: number;
  uci: string;
  san: string;
  fen: string;
  parent: Place | undefined;
  children: Place[];
  review?: Reviewed;
}

export class Game {
  readonly root: Place;
  current: Place;

  constructor(readonly startFen = INITIAL_FEN, readonly headers = new Map<string, string>()) {
    this.root = { ply: 0, uci: '', san: '', fen: startFen, parent: undefined, children: [] };
    this.current = this.root;
  }

  /** Plays a legal move where the game stands, as a variation if there is another already. */
  play(uci: string): Place {
    this.current = this.extend(this.current, uci);
    return this.current;
  }

  private extend(from: Place, uci: string): Place {
    const known = from.children.find(child => child.uci === uci);
    if (known) return known;
    const chess = position(from.fen);
    const text = san(chess, uci);
    chess.play(normalizeMove(chess, move(uci)));
    const place: Place = {
      ply: from.ply + 1, uci, san: text, fen: toFen(chess), parent: from, children: [],
    };
    from.children.push(place);
    return place;
  }

  /** The places from the beginning to there, the beginning left out. */
  path(to: Place = this.current): Place[] {
    const path: Place[] = [];
    for (let place: Place | undefined = to; place?.parent; place = place.parent) path.unshift(place);
    return path;
  }

  /** The game up to there, as the server reads it. */
  text(to: Place = this.current): GameText {
    return { fen: this.startFen, moves: this.path(to).map(place => place.uci) };
  }

  /** The beginning and the first choice everywhere. */
  mainline(from: Place = this.root): Place[] {
    const line = [from];
    for (let place = from.children[0]; place; place = place.children[0]) line.push(place);
    return line;
  }

  /** Whether the place shown is on the main line. */
  isOnMainline(place: Place): boolean {
    return this.path(place).every(step => step.parent?.children[0] === step);
  }

  /** Takes back so many half-moves for good. */
  takeBack(plies: number): void {
    for (let i = 0; i < plies && this.current.parent; i += 1) {
      const { parent } = this.current;
      parent.children = parent.children.filter(child => child !== this.current);
      this.current = parent;
    }
  }

  toPgn(): string {
    const headers = new Map(this.headers);
    if (this.startFen !== INITIAL_FEN) {
      headers.set('SetUp', '1');
      headers.set('FEN', this.startFen);
    }
    const moves = new PgnNode<PgnNodeData>();
    const copy = (from: Place, to: PgnNode<PgnNodeData>): void => {
      for (const child of from.children) {
        const node = new ChildNode<PgnNodeData>({ san: child.san });
        to.children.push(node);
        copy(child, node);
      }
    };
    copy(this.root, moves);
    return makePgn({ headers, moves });
  }
}

/** The games of a PGN text, and sentences about what is wrong in it. */
export function readPgn(text: string): { games: Game[]; problems: string[] } {
  const problems: string[] = [];
  const games: Game[] = [];
  for (const [i, parsed] of parsePgn(text, () => new Map()).entries()) {
    const start = startingPosition(parsed.headers);
    if (start.isErr) {
      problems.push(`Game ${i + 1}: its start position is not possible.`);
      continue;
    }
    const headers = new Map(parsed.headers);
    const fen = headers.has('FEN') ? toFen(start.value as Parameters<typeof toFen>[0]) : INITIAL_FEN;
    const game = new Game(fen, headers);
    const problem = copyMoves(game, parsed.moves);
    if (problem) problems.push(`Game ${i + 1}: ${problem}`);
    if (game.root.children.length > 0 || headers.size > 0) games.push(game);
  }
  return { games, problems };
}

/** Copies moves with their variations; what is not legal ends its line and is named. */
function copyMoves(game: Game, from: PgnNode<PgnNodeData>): string | undefined {
  let problem: string | undefined;
  const copy = (node: PgnNode<PgnNodeData>, place: Place): void => {
    for (const child of node.children) {
      const chess = position(place.fen);
      const found = parseSan(chess, child.data.san);
      if (!found) {
        problem ??= `${number(chess)} ${child.data.san} is not possible.`;
        continue;
      }
      game.current = place;
      copy(child, game.play(makeUci(normalizeMove(chess, found))));
    }
  };
  copy(from, game.root);
  game.current = game.root;
  return problem;
}
