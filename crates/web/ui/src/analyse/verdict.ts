// The verdict: which move, who is for it, and why; and how much was thought.

import type { Color } from 'chessops/types';
import { position, san } from '../chess';
import { announce, h } from '../dom';
import { count, percent, score } from '../format';
import type { Analysis, Deliberation, Outcome } from '../protocol';

/** Between two announcements to those who listen. */
const QUIET = 8000;

export class Verdict {
  private readonly move = h('span', { class: 'verdict-move' });
  private readonly value = h('span', { class: 'verdict-score' });
  private readonly words = h('p', { class: 'verdict-words' });
  private readonly figures = h('dl', { class: 'figures' });
  private readonly cells = new Map<string, HTMLElement>();
  readonly element = h('div', {}, [
    h('p', { class: 'verdict-head' }, [this.move, this.value]),
    this.words,
    this.figures,
  ]);
  private announced = '';
  private announcedAt = 0;

  constructor() {
    for (const name of ['Depth', 'Nodes', 'Speed', 'Time', 'Memory']) {
      const cell = h('dd', {}, '–');
      this.cells.set(name, cell);
      this.figures.append(h('div', {}, [h('dt', {}, name), cell]));
    }
  }

  /** Says something in place of a verdict. */
  say(words: string): void {
    this.move.textContent = '';
    this.value.textContent = '';
    this.words.textContent = words;
    for (const cell of this.cells.values()) cell.textContent = '–';
  }

  end(outcome: Outcome): void {
    this.say(outcome.reason);
    this.move.textContent = outcome.result.replace('1/2-1/2', '½–½').replace('-', '–');
    announce(outcome.reason);
  }

  show(analysis: Analysis, fen: string): void {
    const chess = position(fen);
    const first = bestLine(analysis);
    if (!first?.pv[0]) return;
    const chosen = choice(analysis) ?? first.pv[0];
    this.move.textContent = san(chess, chosen);
    const line = [...analysis.proven, ...analysis.explored].find(line => line.pv[0] === chosen) ?? first;
    this.value.textContent = score(line.score, chess.turn);
    this.words.replaceChildren(...explain(analysis, fen, chess.turn));
    this.figure('Depth', `${analysis.depth} / ${analysis.seldepth}`);
    this.figure('Nodes', count(analysis.nodes));
    this.figure('Speed', `${count(analysis.nps)}/s`);
    this.figure('Time', `${(analysis.milliseconds / 1000).toFixed(1)} s`);
    this.figure('Memory', percent(analysis.hashfull / 1000));
    this.tell(`${this.move.textContent}, ${this.value.textContent}, depth ${analysis.depth}`);
  }

  private figure(name: string, text: string): void {
    const cell = this.cells.get(name);
    if (cell && cell.textContent !== text) cell.textContent = text;
  }

  /** Announces another best move, but not all the time. */
  private tell(words: string): void {
    const move = this.move.textContent ?? '';
    if (move === this.announced || Date.now() - this.announcedAt < QUIET) return;
    [this.announced, this.announcedAt] = [move, Date.now()];
    announce(`Best: ${words}`);
  }
}

/** The line that is shown first: what has been proven, or what has been explored. */
export function bestLine(analysis: Analysis): Analysis['proven'][number] | undefined {
  const chosen = choice(analysis);
  const firsts = [analysis.proven[0], analysis.explored[0]];
  return firsts.find(line => line && line.pv[0] === chosen) ?? firsts.find(line => !!line);
}

/** The move that is played as it looks now. */
function choice(analysis: Analysis): string | undefined {
  const { deliberation } = analysis;
  if (!deliberation) return undefined;
  const { proven, explored, follows_explorer: follows } = deliberation;
  return follows ? explored?.move ?? proven?.move : proven?.move ?? explored?.move;
}

/** Who is for which move, and why, as words. */
function explain(analysis: Analysis, fen: string, turn: Color): (Node | string)[] {
  const { deliberation } = analysis;
  if (!deliberation) return [''];
  const chess = position(fen);
  const { proven, explored } = deliberation;
  const name = (mark: string, kind: string): Node => h('span', { class: `mark mark-${kind}` }, mark);
  if (proven && explored && proven.move === explored.move) {
    return [name('αβ', 'proven'), name('MC', 'explored'), ` Both searches are for ${san(chess, proven.move)}. `];
  }
  const words: (Node | string)[] = [];
  if (proven) {
    words.push(name('αβ', 'proven'), ` is for ${san(chess, proven.move)} (${score(proven.score, turn)}). `);
  }
  if (explored) {
    const worth = percent((1 + explored.value) / 2, 1);
    words.push(name('MC', 'explored'), ` is for ${san(chess, explored.move)} (${worth} of a point). `);
  }
  words.push(reason(deliberation));
  return words;
}

function reason(deliberation: Deliberation): string {
  const { reason, probability, gap, follows_explorer: follows } = deliberation;
  const parts = [reason.charAt(0).toUpperCase() + reason.slice(1)];
  if (gap !== null) parts.push(`alpha-beta prefers its own by ${(gap / 100).toFixed(2)}`);
  if (probability !== null) parts.push(`the explored move is better with ${percent(probability)}`);
  const whose = deliberation.final ? ` The ${follows ? 'explored' : 'proven'} move is played.` : '';
  return `${parts.join('; ')}.${whose}`;
}
