// The view for play: a game against the engine.

import type { Color } from 'chessops/types';
import { Board } from '../board';
import { INITIAL_FEN, other, position, readMove } from '../chess';
import { announce, card, copy, h, toast } from '../dom';
import { Game } from '../game';
import { MoveList } from '../moveList';
import type { Hello, Outcome, Pace, Played, Reply, Request } from '../protocol';
import { stepButtons, target } from '../stepper';
import type { Step } from '../stepper';
import { Clocks } from './clock';
import { startAtOdds } from './odds';
import { Setup, isStandardStart } from './setup';
import type { Choice } from './setup';

const SAVED = 'tandem-play';
/** What the engine takes for a move where there are no clocks, in milliseconds. */
const UNHURRIED = 700;

const word = (color: Color): string => (color === 'white' ? 'White' : 'Black');

/** What is kept for when the page is loaded again. */
interface Saved {
  choice: Choice;
  fen: string;
  moves: string[];
  left: [number, number];
  outcome: Outcome | undefined;
}

export class PlayView {
  readonly element: HTMLElement;
  private game = new Game();
  private choice: Choice | undefined;
  private outcome: Outcome | undefined;
  private shown = this.game.root;
  private request = 0;
  private startRequest = 0;
  private isShown = false;
  private readonly board = new Board(uci => this.move(uci));
  private readonly clocks = new Clocks(side => this.flag(side));
  private readonly setup = new Setup(choice => this.begin(choice));
  private readonly moveList = new MoveList(place => {
    this.shown = place;
    this.refresh();
  });
  private readonly names = { top: h('div', { class: 'player' }), bottom: h('div', { class: 'player' }) };
  private readonly status = h('p', { class: 'play-status' });
  private readonly entry = h('input', {
    type: 'text', class: 'entry', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
    placeholder: 'Your move: Nf3 or g1f3', 'aria-label': 'Type your move',
  });
  private readonly tools = h('div', { class: 'board-tools' });
  private readonly takeback = h('button', { type: 'button' }, 'Take back', { click: () => this.takeBack() });
  private readonly resign = h('button', { type: 'button' }, 'Resign', { click: () => this.giveUp() });
  private readonly pgn = h('textarea', { class: 'pgn', readonly: true, rows: 6, 'aria-label': 'PGN of the game' });
  private readonly result: HTMLElement;
  private readonly setupCard = card('New game', 'setup-card', [this.setup.element]);
  private readonly gameCard: HTMLElement;

  constructor(
    private readonly send: (request: Request) => number,
    private readonly analyse: (game: Game) => void,
  ) {
    this.result = h('div', { class: 'result', hidden: true }, [
      this.pgn,
      h('div', { class: 'buttons' }, [
        h('button', { type: 'button' }, 'Copy PGN', { click: () => void copy(this.game.toPgn(), 'PGN') }),
        h('button', { type: 'button' }, 'Save PGN', { click: () => this.download() }),
        h('button', { type: 'button' }, 'Analyse it', { click: () => this.analyse(this.game) }),
        h('button', { type: 'button', class: 'primary' }, 'New game', { click: () => this.leave() }),
      ]),
    ]);
    this.gameCard = card('Game', 'play-card', [
      this.status,
      this.moveList.element,
      h('div', { class: 'buttons' }, [this.takeback, this.resign]),
      this.result,
    ]);
    this.element = this.build();
    this.restore();
    this.refresh();
  }

  private build(): HTMLElement {
    const form = h('form', { class: 'entry-form' }, [
      this.entry,
      h('button', { type: 'submit' }, 'Enter'),
    ], {
      submit: event => {
        event.preventDefault();
        this.enter(this.entry.value);
      },
    });
    this.tools.append(stepButtons(step => this.step(step), () => this.flip()), form);
    return h('main', { class: 'view play', hidden: true }, [
      h('div', { class: 'board-column' }, [
        this.names.top,
        this.board.element,
        this.names.bottom,
        this.tools,
      ]),
      h('div', { class: 'panels' }, [this.setupCard, this.gameCard]),
    ]);
  }

  configure(hello: Hello): void {
    this.setup.configure(hello);
  }

  // What the user does.

  private begin(choice: Choice): void {
    this.choice = choice;
    this.outcome = undefined;
    const engine = other(choice.side);
    if (choice.start !== undefined && !isStandardStart(choice.start)) {
      this.startRequest = this.send({ type: 'start', number: choice.start });
      if (this.startRequest === 0) {
        this.choice = undefined;
        toast('There is no connection to the engine.');
      }
      return;
    }
    this.open(choice.odds === 'none' ? INITIAL_FEN : startAtOdds(choice.odds, engine));
  }

  private open(fen: string): void {
    const { choice } = this;
    if (!choice) return;
    const engine = `Tandem${choice.rating ? ` (${choice.rating})` : ''}`;
    const names = choice.side === 'white' ? ['You', engine] : [engine, 'You'];
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(n => String(n).padStart(2, '0')).join('.');
    const headers = new Map([
      ['Event', choice.odds === 'none' ? 'Game' : 'Odds game'], ['Site', '?'], ['Date', date], ['Round', '-'],
      ['White', names[0] ?? '?'], ['Black', names[1] ?? '?'], ['Result', '*'],
    ]);
    if (choice.start !== undefined) headers.set('Variant', 'Chess960');
    if (choice.control) {
      headers.set('TimeControl', `${choice.control.initial / 1000}+${choice.control.increment / 1000}`);
    }
    this.game = new Game(fen, headers);
    this.shown = this.game.root;
    this.clocks.set(choice.control);
    this.board.orient(choice.side);
    announce(`The game begins. You play ${word(choice.side)}.`);
    this.goOn();
  }

  /** A move by hand. */
  private move(uci: string): void {
    const { choice } = this;
    if (!choice || this.outcome || this.turn !== choice.side) return;
    const chess = position(this.game.current.fen);
    const read = readMove(chess, uci);
    if (!read) return this.refresh();
    this.shown = this.game.play(read);
    if (choice.control) this.clocks.moved(choice.side, choice.control.increment);
    this.goOn();
  }

  private enter(text: string): void {
    if (!this.choice || this.outcome) return toast('Begin a game first.');
    if (this.turn !== this.choice.side) return toast('It is not your turn.');
    const uci = readMove(position(this.game.current.fen), text);
    if (!uci) return toast(`“${text.trim().slice(0, 20)}” is no possible move here.`);
    this.entry.value = '';
    this.move(uci);
  }

  private takeBack(): void {
    const { choice } = this;
    if (!choice) return;
    this.send({ type: 'stop' });
    this.request = 0;
    // Back to the last position in which the user was to move.
    const mine = position(this.game.current.fen).turn === choice.side;
    this.game.takeBack(mine ? 2 : 1);
    if (position(this.game.current.fen).turn !== choice.side) this.game.takeBack(1);
    this.outcome = undefined;
    this.game.headers.set('Result', '*');
    this.shown = this.game.current;
    this.goOn();
  }

  private giveUp(): void {
    if (!this.choice) return;
    const winner = other(this.choice.side);
    this.end({ result: winner === 'white' ? '1-0' : '0-1', reason: `${word(this.choice.side)} resigns` });
  }

  private flag(side: Color): void {
    this.end({ result: side === 'white' ? '0-1' : '1-0', reason: `${word(side)} is out of time` });
  }

  private leave(): void {
    this.choice = undefined;
    this.outcome = undefined;
    this.game = new Game();
    this.shown = this.game.root;
    this.clocks.set(undefined);
    sessionStorage.removeItem(SAVED);
    this.refresh();
  }

  step(step: Step): void {
    const game = new Game();
    game.current = this.shown;
    this.shown = step === 'first' ? this.game.root : target(game, step);
    this.refresh();
  }

  flip(): void {
    this.board.orient(other(this.board.orientation));
    this.refresh();
  }

  focusEntry(): void {
    this.entry.focus();
  }

  private download(): void {
    const link = h('a', { href: URL.createObjectURL(new Blob([this.game.toPgn()])), download: 'game.pgn' });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // How the game goes on.

  private get turn(): Color {
    return position(this.game.current.fen).turn;
  }

  /** Somebody has moved, or the game begins: whoever is to move is asked. */
  private goOn(): void {
    this.refresh();
    this.save();
    const { choice } = this;
    if (!choice || this.outcome) return;
    const isOver = !position(this.game.current.fen).hasDests();
    if (choice.control && !isOver) this.clocks.start(this.turn);
    // After the user's move the server also says whether the game is over, by all rules.
    if (this.turn !== choice.side || isOver) this.ask(choice);
  }

  private ask(choice: Choice): void {
    const pace: Pace = choice.control
      ? {
        kind: 'clock',
        left: this.clocks.remaining.map(time => Math.max(1, Math.round(time))) as [number, number],
        increment: [choice.control.increment, choice.control.increment],
      }
      : { kind: 'fixed', milliseconds: UNHURRIED };
    const request: Request = { type: 'move', game: this.game.text(), odds: choice.odds !== 'none', pace };
    if (choice.rating !== undefined) request.rating = choice.rating;
    this.request = this.send(request);
    if (this.request === 0) this.clocks.stop();
  }

  /** There is a new session, which does not know that it is to move. */
  connected(): void {
    if (!this.isShown || !this.choice || this.outcome) return;
    this.goOn();
  }

  /** The connection is lost: nobody's time runs for that. */
  disconnected(): void {
    this.clocks.stop();
  }

  setShown(isShown: boolean): void {
    this.isShown = isShown;
    if (isShown) this.connected();
    else {
      this.clocks.stop();
      this.request = 0;
    }
    this.refresh();
  }

  hear(reply: Reply): void {
    if (reply.type === 'played' && reply.id === this.request) this.played(reply);
    else if (reply.type === 'start' && reply.id === this.startRequest) this.open(reply.fen);
    else if (reply.type === 'error' && reply.id === this.request && reply.id !== 0) this.clocks.stop();
  }

  private played(reply: Played): void {
    const { choice } = this;
    if (!choice || this.outcome) return;
    this.request = 0;
    if (reply.move) {
      const isFollowing = this.shown === this.game.current;
      const place = this.game.play(reply.move);
      if (isFollowing) this.shown = place;
      if (choice.control) this.clocks.moved(other(choice.side), choice.control.increment);
      announce(`The engine plays ${place.san}.`);
    }
    if (reply.outcome) return this.end(reply.outcome);
    this.refresh();
    this.save();
    if (choice.control) this.clocks.start(this.turn);
    this.refuseEndless();
  }

  /** A draw that the user's own move brought about is noticed when the engine is asked; a game without moves at once. */
  private refuseEndless(): void {
    if (this.choice && !position(this.game.current.fen).hasDests()) this.ask(this.choice);
  }

  private end(outcome: Outcome): void {
    this.clocks.stop();
    this.send({ type: 'stop' });
    this.request = 0;
    this.outcome = outcome;
    this.game.headers.set('Result', outcome.result);
    announce(`${outcome.reason}.`);
    this.save();
    this.refresh();
  }

  // What is shown.

  private refresh(): void {
    const { choice, outcome, shown } = this;
    const isLatest = shown === this.game.current;
    const mayMove = choice && !outcome && isLatest && this.turn === choice.side;
    this.board.show({ fen: shown.fen, last: shown.uci || undefined, movable: mayMove ? choice.side : undefined });
    this.moveList.show(gameAt(this.game, shown));
    this.tools.hidden = !choice;
    this.setupCard.hidden = !!choice;
    this.gameCard.hidden = !choice;
    this.result.hidden = !outcome;
    if (outcome) this.pgn.value = this.game.toPgn();
    this.takeback.disabled = this.game.path().length < (choice?.side === 'white' ? 1 : 2);
    this.resign.disabled = !!outcome;
    this.status.textContent = this.statusText();
    this.status.classList.toggle('is-over', !!outcome);
    this.showPlayers();
  }

  private statusText(): string {
    const { choice, outcome } = this;
    if (!choice) return '';
    if (outcome) return `${outcome.result.replace('1/2-1/2', '½–½').replace('-', '–')}: ${outcome.reason}.`;
    const check = position(this.game.current.fen).isCheck() ? 'Check! ' : '';
    return check + (this.turn === choice.side ? 'Your move.' : 'The engine thinks…');
  }

  private showPlayers(): void {
    const bottom = this.board.orientation;
    for (const [place, side] of [['top', other(bottom)], ['bottom', bottom]] as const) {
      const isUser = side === this.choice?.side;
      const rating = this.choice?.rating ? ` ${this.choice.rating}` : '';
      const name = !this.choice ? word(side) : isUser ? 'You' : `Tandem${rating}`;
      this.names[place].replaceChildren(
        h('span', { class: `side side-${side}`, role: 'img', 'aria-label': word(side) }),
        h('span', { class: 'player-name' }, name),
        this.clocks.faces[side],
      );
    }
  }

  private save(): void {
    const { choice, outcome } = this;
    if (!choice) return;
    const { fen, moves } = this.game.text();
    const saved: Saved = { choice, fen, moves, left: this.clocks.remaining, outcome };
    sessionStorage.setItem(SAVED, JSON.stringify(saved));
  }

  private restore(): void {
    try {
      const saved = JSON.parse(sessionStorage.getItem(SAVED) ?? '') as Saved;
      this.choice = saved.choice;
      this.open(saved.fen);
      for (const uci of saved.moves) this.game.play(uci);
      this.clocks.set(saved.choice.control, saved.left);
      this.shown = this.game.current;
      this.outcome = saved.outcome;
      if (saved.outcome) this.game.headers.set('Result', saved.outcome.result);
      this.save();
    } catch {
      // Nothing was kept, or nothing that makes sense.
      this.choice = undefined;
    }
  }
}

/** The same game, looked at elsewhere. */
function gameAt(game: Game, current: Game['current']): Game {
  return Object.assign(Object.create(Game.prototype) as Game, game, { current });
}
