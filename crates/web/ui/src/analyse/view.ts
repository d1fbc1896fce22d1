// The view for analysis: a game, one position of which is thought about.

import { Board } from '../board';
import type { Arrow } from '../board';
import { INITIAL_FEN, other, position, readFen, readMove, toFen } from '../chess';
import { announce, card, copy, h, select, toast } from '../dom';
import { wdlOfWhite } from '../format';
import { Game, readPgn } from '../game';
import type { Place } from '../game';
import { MoveList } from '../moveList';
import type { Analysis, Mode, PositionInfo, Reply, Request } from '../protocol';
import { stepButtons, target } from '../stepper';
import type { Step } from '../stepper';
import { Chances } from './chances';
import { Graph } from './graph';
import { chances as chancesAt, mistakes } from './judge';
import { Kind } from './kind';
import { Lines } from './lines';
import { Moves } from './moves';
import { Tree } from './tree';
import { Verdict, bestLine } from './verdict';

const SAVED = 'tandem-analysis';
/** Between two requests while somebody runs through a game. */
const PAUSE = 80;
/** Arrows for moves that neither search is for. */
const OTHERS = 2;

export class AnalyseView {
  readonly element: HTMLElement;
  private game = new Game();
  private games: Game[] = [];
  private only: string[] = [];
  private mode: Mode = 'hybrid';
  private lineCount = 2;
  private isOn = true;
  private isShown = true;
  private request = 0;
  private review: { id: number; game: Game } | undefined;
  private latest: Analysis | undefined;
  private isDrawn = true;
  private timer = 0;
  private sentAt = 0;
  private readonly board = new Board(uci => this.play(uci));
  private readonly chances = new Chances();
  private readonly verdict = new Verdict();
  private readonly lines = new Lines({
    preview: (fen, uci) => this.board.preview(fen, uci),
    endPreview: () => this.endPreview(),
    play: line => this.playLine(line),
  });
  private readonly moves = new Moves(only => this.restrict(only));
  private readonly kind = new Kind();
  private readonly tree = new Tree(
    line => this.send({ type: 'tree', line }),
    (fen, uci) => this.board.preview(fen, uci),
    () => this.endPreview(),
  );
  private readonly graph = new Graph(place => this.go(place));
  private readonly moveList = new MoveList(place => this.go(place));
  private readonly title = h('p', { class: 'game-title', hidden: true });
  private readonly choice = h('select', { 'aria-label': 'Game of the file', hidden: true }, [], {
    change: () => this.open(this.games[Number(this.choice.value)] ?? this.game),
  });
  private readonly entry = h('input', {
    type: 'text', class: 'entry', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
    placeholder: 'A move (Nf3 or g1f3), a FEN or a PGN', 'aria-label': 'Type a move, a FEN or a PGN',
  });
  private readonly power = h('button', {
    type: 'button', class: 'power', role: 'switch', 'aria-checked': 'true',
  }, [h('span', { class: 'power-knob' }), 'Engine'], { click: () => this.togglePower() });
  private readonly reviewButton = h('button', { type: 'button', class: 'primary' }, 'Analyse the game', {
    click: () => this.toggleReview(),
  });
  private readonly pace = h('select', { 'aria-label': 'Time for each position' }, [
    h('option', { value: '100' }, '0.1 s a move'),
    h('option', { value: '300' }, '0.3 s a move'),
    h('option', { value: '1000' }, '1 s a move'),
    h('option', { value: '5000' }, '5 s a move'),
  ]);
  private readonly progress = h('progress', { hidden: true, 'aria-label': 'Progress of the analysis' });
  private readonly fenField = h('input', {
    type: 'text', class: 'fen', readonly: true, 'aria-label': 'FEN of the position',
  }, [], { focus: () => this.fenField.select() });

  constructor(private readonly send: (request: Request) => number) {
    this.element = this.build();
    const saved = restore();
    if (saved) this.game = saved;
  }

  /** The board, the field for moves and the cards. */
  private build(): HTMLElement {
    const file = h('input', { type: 'file', accept: '.pgn,.fen,.epd,.txt', class: 'hidden', tabindex: -1, 'aria-hidden': 'true' }, [], {
      change: () => void file.files?.[0]?.text().then(text => this.read(text)),
    });
    const form = h('form', { class: 'entry-form' }, [
      this.entry,
      h('button', { type: 'submit' }, 'Enter'),
      h('button', { type: 'button' }, 'Open file', { click: () => file.click() }),
      file,
    ], {
      submit: event => {
        event.preventDefault();
        if (this.read(this.entry.value)) this.entry.value = '';
      },
    });
    const settings = h('div', { class: 'settings' }, [
      this.power,
      select('Search', [['hybrid', 'Tandem'], ['alphabeta', 'Alpha-beta'], ['mcts', 'Monte Carlo']], this.mode, mode => {
        this.mode = mode as Mode;
        this.restart();
      }),
      select('Lines', ['1', '2', '3', '5'].map(n => [n, n]), String(this.lineCount), lines => {
        this.lineCount = Number(lines);
        this.restart();
      }),
    ]);
    const boardColumn = h('div', { class: 'board-column' }, [
      this.chances.element,
      this.board.element,
      h('div', { class: 'under-board' }, [
        stepButtons(step => this.step(step), () => this.flip()),
        settings,
      ]),
      form,
    ]);
    const fenRow = h('div', { class: 'fen-row' }, [
      this.fenField,
      h('button', { type: 'button' }, 'Copy FEN', { click: () => void copy(this.game.current.fen, 'FEN') }),
      h('button', { type: 'button' }, 'Copy PGN', { click: () => void copy(this.game.toPgn(), 'PGN') }),
      h('button', { type: 'button' }, 'New game', { click: () => this.open(new Game()) }),
    ]);
    const game = card('Game', 'game-card', [
      this.title,
      this.moveList.element,
      h('div', { class: 'review-row' }, [this.reviewButton, this.pace, this.progress]),
      this.graph.element,
      fenRow,
    ], this.choice);
    return h('main', { class: 'view analyse' }, [
      boardColumn,
      h('div', { class: 'panels' }, [
        card('Verdict', 'verdict', [this.verdict.element]),
        card('Lines', 'lines-card', [this.lines.element]),
        card('Moves', 'moves-card', [this.moves.element, this.tree.element]),
      ]),
      h('div', { class: 'panels' }, [game, card('Kind of position', 'kind', [this.kind.element])]),
    ]);
  }

  // What the user does.

  /** Understands a text: a move, a FEN or a PGN. Says what is wrong if it is none of them. */
  read(text: string): boolean {
    const trimmed = text.trim();
    if (!trimmed) return false;
    const uci = readMove(position(this.game.current.fen), trimmed);
    if (uci) {
      this.play(uci);
      return true;
    }
    if (/^\S*\/\S*\/\S+(\s|$)/.test(trimmed)) {
      const chess = readFen(trimmed.split('\n')[0] ?? '');
      if (typeof chess === 'string') {
        toast(chess);
        return false;
      }
      this.open(new Game(toFen(chess)));
      return true;
    }
    const { games, problems } = readPgn(trimmed);
    const hasMoves = games.some(game => game.root.children.length > 0 || game.headers.has('FEN'));
    if (!hasMoves) {
      toast(problems[0] ?? `“${trimmed.slice(0, 40)}” is no possible move, no FEN and no PGN.`);
      return false;
    }
    if (problems[0]) toast(problems[0]);
    this.offer(games);
    return true;
  }

  /** Opens the first of some games, and offers the others. */
  private offer(games: Game[]): void {
    const [first] = games;
    if (!first) return;
    this.open(first);
    this.games = games;
    this.choice.hidden = games.length < 2;
    this.choice.replaceChildren(...games.map((game, i) =>
      h('option', { value: i }, `${i + 1}: ${titleOf(game) || 'game'}`)));
  }

  /** Goes over to another game. */
  open(game: Game): void {
    this.stopReview();
    if (!this.games.includes(game)) {
      this.games = [];
      this.choice.hidden = true;
    }
    this.game = game;
    this.graph.show(game);
    this.arrive();
  }

  /** Steps through the game. */
  step(step: Step): void {
    this.go(target(this.game, step));
  }

  flip(): void {
    this.board.orient(other(this.board.orientation));
    this.drawArrows();
  }

  focusEntry(): void {
    this.entry.focus();
  }

  private play(uci: string): void {
    const place = this.game.play(uci);
    announce(place.san);
    this.arrive();
  }

  private playLine(line: string[]): void {
    for (const uci of line) this.game.play(uci);
    this.arrive();
  }

  private go(place: Place): void {
    if (place === this.game.current) return;
    this.game.current = place;
    this.arrive();
  }

  private restrict(only: string[]): void {
    this.only = only;
    this.moves.setOnly(only);
    this.restart(true);
  }

  private togglePower(): void {
    this.isOn = !this.isOn;
    this.power.setAttribute('aria-checked', String(this.isOn));
    if (this.isOn) this.restart();
    else this.send({ type: 'stop' });
  }

  // What is shown.

  /** The game stands somewhere else: shows it and thinks about it. */
  private arrive(): void {
    this.only = [];
    this.moves.setOnly([]);
    this.refresh();
    this.clear();
    save(this.game);
    this.restart();
  }

  private refresh(): void {
    const { current } = this.game;
    this.board.show({ fen: current.fen, last: current.uci || undefined, movable: position(current.fen).turn });
    const marks = new Map(mistakes(this.game).map(({ place, mark }) => [place, mark] as const));
    this.moveList.show(this.game, marks);
    this.graph.mark();
    this.fenField.value = current.fen;
    this.title.textContent = titleOf(this.game);
    this.title.hidden = !this.title.textContent;
    this.reviewButton.disabled = this.game.root.children.length === 0;
  }

  private clear(): void {
    this.latest = undefined;
    this.board.draw([]);
    this.lines.clear();
    this.moves.clear();
    this.tree.move(this.game.current.fen);
    this.chances.show(chancesAt(this.game.current));
    this.verdict.say(this.isOn ? 'Thinking…' : 'The engine is off.');
  }

  private endPreview(): void {
    this.board.endPreview();
    this.drawArrows();
  }

  private drawArrows(): void {
    const { latest } = this;
    if (!latest) return;
    const prover = latest.deliberation?.proven?.move ?? latest.proven[0]?.pv[0];
    const explorer = latest.deliberation?.explored?.move ?? latest.explored[0]?.pv[0];
    const arrows: Arrow[] = [];
    const total = latest.moves.reduce((sum, move) => sum + (move.visits ?? 0), 0);
    const candidates = [
      ...latest.proven.map(line => line.pv[0]),
      ...latest.moves.filter(move => (move.visits ?? 0) > total / 12).map(move => move.move),
    ];
    const others = [...new Set(candidates)].filter(move => move && move !== prover && move !== explorer);
    others.slice(0, OTHERS).forEach((move, i) => {
      if (move) arrows.push({ move, brush: 'other', label: String(i + 2) });
    });
    if (prover && prover === explorer) arrows.push({ move: prover, brush: 'both', label: '1' });
    else {
      if (explorer) arrows.push({ move: explorer, brush: 'explorer', label: 'MC' });
      if (prover) arrows.push({ move: prover, brush: 'prover', label: 'αβ' });
    }
    this.board.draw(arrows);
  }

  // What the server does.

  /** Thinks about the position shown; soon, if that was asked for just now. */
  private restart(keepsMoves = false): void {
    clearTimeout(this.timer);
    if (this.review) return;
    const wait = Math.max(0, this.sentAt + PAUSE - performance.now());
    if (wait > 0) this.timer = setTimeout(() => this.think(keepsMoves), wait);
    else this.think(keepsMoves);
  }

  private think(keepsMoves: boolean): void {
    if (!this.isShown) return;
    this.sentAt = performance.now();
    if (!keepsMoves) this.moves.clear();
    const { only, mode } = this;
    this.request = this.send({ type: 'analyse', game: this.game.text(), only, lines: this.lineCount, mode });
    if (!this.isOn && this.request > 0) this.send({ type: 'stop' });
  }

  /** There is a new session: it knows nothing yet. */
  connected(): void {
    if (this.review) this.startReview();
    else if (this.isShown) this.restart();
  }

  /** This view is looked at, or no longer. */
  setShown(isShown: boolean): void {
    this.isShown = isShown;
    if (isShown) {
      this.refresh();
      this.clear();
      this.graph.show(this.game);
      this.restart();
    } else {
      clearTimeout(this.timer);
      this.stopReview();
      this.send({ type: 'stop' });
    }
  }

  hear(reply: Reply): void {
    if (reply.type === 'position' && reply.id === this.request) this.begin(reply);
    else if (reply.type === 'analysis' && reply.id === this.request) this.update(reply);
    else if (reply.type === 'branches') this.tree.fill(reply);
    else if (reply.type === 'reviewed' && reply.id === this.review?.id) this.reviewed(reply);
    else if (reply.type === 'error' && reply.id !== null && reply.id === this.review?.id) this.endReview();
  }

  private begin(info: PositionInfo): void {
    this.kind.show(info);
    if (info.outcome) this.verdict.end(info.outcome);
  }

  private update(analysis: Analysis): void {
    this.latest = analysis;
    if (!this.isDrawn) return;
    this.isDrawn = false;
    requestAnimationFrame(() => {
      this.isDrawn = true;
      if (this.latest && this.latest.id === this.request) this.show(this.latest);
    });
  }

  private show(analysis: Analysis): void {
    const { fen } = this.game.current;
    const first = bestLine(analysis);
    if (first?.wdl) this.chances.show(wdlOfWhite(first.wdl, position(fen).turn));
    this.verdict.show(analysis, fen);
    this.lines.show(analysis, fen);
    this.moves.show(analysis.moves, fen);
    this.drawArrows();
    this.tree.ready();
  }

  // A whole game.

  private toggleReview(): void {
    if (this.review) {
      this.stopReview();
      this.restart();
    } else {
      for (const place of this.game.mainline()) delete place.review;
      this.startReview();
    }
  }

  private startReview(): void {
    clearTimeout(this.timer);
    const game = this.game.text(this.game.mainline().at(-1));
    this.request = 0;
    const id = this.send({ type: 'review', game, milliseconds: Number(this.pace.value), mode: this.mode });
    this.review = { id, game: this.game };
    this.reviewButton.textContent = 'Stop';
    this.progress.hidden = false;
    this.progress.max = game.moves.length + 1;
    this.progress.value = 0;
    this.verdict.say('Going through the game…');
  }

  private stopReview(): void {
    if (!this.review) return;
    this.send({ type: 'stop' });
    this.endReview();
  }

  private endReview(): void {
    this.review = undefined;
    this.reviewButton.textContent = 'Analyse the game';
    this.progress.hidden = true;
  }

  private reviewed(reply: Extract<Reply, { type: 'reviewed' }>): void {
    const place = this.game.mainline()[reply.ply];
    if (place) place.review = reply;
    this.progress.value = reply.ply + 1;
    if (reply.ply % 4 === 0 || reply.ply === reply.plies) this.graph.show(this.game);
    if (reply.ply < reply.plies) return;
    this.endReview();
    const found = mistakes(this.game);
    announce(`The game is analysed: ${found.length} mistakes.`);
    this.refresh();
    this.clear();
    this.restart();
  }
}

/** Who played whom. */
function titleOf(game: Game): string {
  const [white, black] = [game.headers.get('White'), game.headers.get('Black')];
  const known = [white, black].some(name => name && name !== '?');
  if (!known) return '';
  const result = game.headers.get('Result')?.replace('1/2-1/2', '½–½').replace('-', '–') ?? '';
  return `${white ?? '?'} – ${black ?? '?'} ${result === '*' ? '' : result}`.trim();
}

/** Keeps the game for when the page is loaded again. */
function save(game: Game): void {
  const last = game.mainline(game.current).at(-1);
  const { moves } = game.text(last);
  const headers = [...game.headers];
  sessionStorage.setItem(SAVED, JSON.stringify({ fen: game.startFen, moves, ply: game.current.ply, headers }));
}

function restore(): Game | undefined {
  try {
    const saved = JSON.parse(sessionStorage.getItem(SAVED) ?? '') as
      { fen: string; moves: string[]; ply: number; headers: [string, string][] };
    const game = new Game(saved.fen || INITIAL_FEN, new Map(saved.headers));
    for (const uci of saved.moves) game.play(uci);
    game.current = game.mainline()[saved.ply] ?? game.root;
    return game;
  } catch {
    // Nothing was kept, or nothing that makes sense.
    return undefined;
  }
}

