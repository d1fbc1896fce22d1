// The messages of crates/web/src/messages.rs, as the page sees them.

export type Mode = 'hybrid' | 'alphabeta' | 'mcts';
export type Wdl = [number, number, number];
export type Score = { cp: number } | { mate: number };

export interface GameText {
  fen: string;
  moves: string[];
}

export type Pace =
  | { kind: 'fixed'; milliseconds: number }
  | { kind: 'clock'; left: [number, number]; increment: [number, number] };

export type Request =
  | { type: 'analyse'; game: GameText; only: string[]; lines: number; mode: Mode }
  | { type: 'review'; game: GameText; milliseconds: number; mode: Mode }
  | { type: 'move'; game: GameText; rating?: number; odds: boolean; pace: Pace }
  | { type: 'tree'; line: string[] }
  | { type: 'start'; number: number }
  | { type: 'stop' };

export interface Hello {
  type: 'hello';
  version: string;
  evaluation: string;
  threads: number;
  hash: number;
  ratings: [number, number];
  most_lines: number;
}

export interface Outcome {
  result: string;
  reason: string;
}

export interface PositionInfo {
  type: 'position';
  id: number;
  fen: string;
  outcome: Outcome | null;
  kind: string;
  tactical: number;
  strategic: number;
  reasons: { name: string; toward: 'tactical' | 'strategic'; weight: number }[];
  features: { name: string; value: string }[];
  explorer_share: number;
}

export interface Line {
  rank: number;
  depth: number;
  score: Score;
  bound?: 'lower' | 'upper';
  wdl: Wdl | null;
  pv: string[];
}

export interface MoveInfo {
  move: string;
  visits: number | null;
  prior: number | null;
  value: number | null;
  draw: number | null;
  score: Score | null;
  bound: 'lower' | 'upper' | null;
  depth: number | null;
  effort: number | null;
}

export interface Contender {
  move: string;
  score: Score;
  depth: number;
  visits: number;
  value: number;
}

export interface Deliberation {
  final: boolean;
  kind: string;
  share: number;
  proven: Contender | null;
  explored: Contender | null;
  gap: number | null;
  probability: number | null;
  follows_explorer: boolean;
  reason: string;
  playouts: number;
  nodes: number;
}

export interface Analysis {
  type: 'analysis';
  id: number;
  running: boolean;
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  milliseconds: number;
  hashfull: number;
  proven: Line[];
  explored: Line[];
  moves: MoveInfo[];
  deliberation: Deliberation | null;
}

export interface Reviewed {
  type: 'reviewed';
  id: number;
  ply: number;
  plies: number;
  score: Score;
  wdl: Wdl | null;
  depth: number;
  pv: string[];
}

export interface Played {
  type: 'played';
  id: number;
  move: string | null;
  score: Score | null;
  wdl: Wdl | null;
  depth: number;
  outcome: Outcome | null;
}

export interface Branch {
  move: string;
  visits: number;
  prior: number;
  value: number;
  draw: number;
  leads_on: boolean;
}

export interface Branches {
  type: 'branches';
  id: number;
  line: string[];
  branches: Branch[];
}

export interface Start {
  type: 'start';
  id: number;
  fen: string;
}

export interface Failure {
  type: 'error';
  id: number | null;
  message: string;
}

export interface Notice {
  type: 'notice';
  message: string;
}

export type Reply =
  | Hello | PositionInfo | Analysis | Reviewed | Played | Branches | Start | Failure | Notice;
