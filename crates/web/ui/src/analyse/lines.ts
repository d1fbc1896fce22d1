// The lines of both searches. Their moves can be pointed at, walked along with the arrow keys, and played.

import type { Color } from 'chessops/types';
import { number, position, sanLine } from '../chess';
import { h } from '../dom';
import { score } from '../format';
import type { Analysis, Line } from '../protocol';

interface Actions {
  preview: (fen: string, uci: string) => void;
  endPreview: () => void;
  /** Plays the line up to there. */
  play: (line: string[]) => void;
}

const GROUPS = [
  { key: 'proven', mark: 'αβ', name: 'Alpha-beta', does: 'proves' },
  { key: 'explored', mark: 'MC', name: 'Monte Carlo', does: 'explores' },
] as const;

export class Lines {
  private readonly groups = GROUPS.map(group => {
    const list = h('ol', { class: 'lines' });
    const note = h('span', { class: 'lines-note' });
    const element = h('div', { class: `lines-group lines-${group.key}` }, [
      h('h3', {}, [
        h('span', { class: 'mark', 'aria-hidden': 'true' }, group.mark),
        `${group.name} `,
        h('span', { class: 'lines-does' }, group.does),
        note,
      ]),
      list,
    ]);
    return { ...group, list, note, element, rows: [] as Row[] };
  });
  readonly element = h('div', { class: 'lines-groups' }, this.groups.map(group => group.element));

  constructor(private readonly actions: Actions) {}

  clear(): void {
    for (const group of this.groups) {
      group.list.replaceChildren();
      group.note.textContent = '';
      group.rows = [];
    }
  }

  show(analysis: Analysis, fen: string): void {
    const turn = position(fen).turn;
    for (const group of this.groups) {
      const lines = analysis[group.key];
      group.element.hidden = lines.length === 0 && !analysis.running;
      lines.forEach((line, i) => {
        const row = (group.rows[i] ??= this.addRow(group.list, group.name));
        row.show(line, fen, turn);
      });
      for (const row of group.rows.splice(lines.length)) row.element.remove();
      const first = lines[0];
      group.note.textContent = first ? `depth ${first.depth}` : analysis.running ? 'thinking…' : '';
    }
  }

  private addRow(list: HTMLElement, name: string): Row {
    const row = new Row(name, this.actions);
    list.append(row.element);
    return row;
  }
}

/** One line: its score, and its moves, of which one at a time can be reached by the tab key. */
class Row {
  private readonly value = h('span', { class: 'line-score' });
  private readonly moves: HTMLElement;
  readonly element: HTMLElement;
  private shown = '';
  private steps: { san: string; fen: string; uci: string }[] = [];
  private place = 0;

  constructor(name: string, private readonly actions: Actions) {
    this.moves = h('span', {
      class: 'line-moves',
      tabindex: 0,
      role: 'group',
      'aria-label': `Line of ${name}: left and right walk along it, Enter plays it`,
    }, [], {
      keydown: event => this.key(event),
      focus: () => this.point(this.place),
      blur: () => this.leave(),
      pointerleave: () => this.leave(),
    });
    this.element = h('li', {}, [this.value, this.moves]);
  }

  show(line: Line, fen: string, turn: Color): void {
    const isAtLeast = line.bound === (turn === 'white' ? 'lower' : 'upper');
    const bound = line.bound ? (isAtLeast ? '≥' : '≤') : '';
    this.value.textContent = bound + score(line.score, turn);
    const text = fen + line.pv.join(' ');
    // While somebody walks along a line it stays as it is.
    if (text === this.shown || this.moves.contains(document.activeElement) || this.moves.matches(':hover')) return;
    this.shown = text;
    this.steps = sanLine(fen, line.pv);
    this.place = 0;
    const words: (Node | string)[] = [];
    let before = fen;
    this.steps.forEach((step, i) => {
      const chess = position(before);
      const prefix = i === 0 || chess.turn === 'white' ? `${number(chess)} ` : '';
      words.push(h('span', { class: 'line-move' }, prefix + step.san, {
        pointerenter: event => {
          if (event.pointerType !== 'touch') this.point(i);
        },
        click: () => this.actions.play(this.steps.slice(0, i + 1).map(step => step.uci)),
      }), ' ');
      before = step.fen;
    });
    this.moves.replaceChildren(...words);
  }

  private point(i: number): void {
    const step = this.steps[i];
    if (!step) return;
    this.place = i;
    this.moves.querySelectorAll('.line-move').forEach((word, at) => word.classList.toggle('is-here', at === i));
    this.actions.preview(step.fen, step.uci);
  }

  private leave(): void {
    this.moves.querySelectorAll('.is-here').forEach(word => word.classList.remove('is-here'));
    this.actions.endPreview();
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, () => void> = {
      ArrowRight: () => this.point(Math.min(this.place + 1, this.steps.length - 1)),
      ArrowLeft: () => this.point(Math.max(this.place - 1, 0)),
      Home: () => this.point(0),
      End: () => this.point(this.steps.length - 1),
      Enter: () => this.actions.play(this.steps.slice(0, this.place + 1).map(step => step.uci)),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  }
}
