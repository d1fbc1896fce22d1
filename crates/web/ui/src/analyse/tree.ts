// The search tree, opened where somebody wants to look. Every opened place asks the server for its moves.

import { position, san, sanLine } from '../chess';
import { h, icon } from '../dom';
import { count, percent } from '../format';
import type { Branch, Branches } from '../protocol';

/** Moves that are shown of a place. */
const MOST = 12;

interface Opened {
  list: HTMLElement;
  line: string[];
}

export class Tree {
  private readonly root = h('ul', { class: 'tree-list' });
  private readonly refresh = h('button', { type: 'button', class: 'quiet' }, 'Look again', {
    click: () => this.restart(),
  });
  readonly element: HTMLDetailsElement;
  private fen = '';
  private readonly waiting = new Map<number, Opened>();

  /** `ask` sends for the moves after a line and answers the number of the request. */
  constructor(
    private readonly ask: (line: string[]) => number,
    private readonly preview: (fen: string, uci: string) => void,
    private readonly endPreview: () => void,
  ) {
    this.element = h('details', { class: 'tree' }, [
      h('summary', {}, 'Look into the search tree'),
      h('p', { class: 'hint' }, 'Where Monte Carlo tree search has been: tries, their share, their worth for who moves, and how likely the move seemed.'),
      this.root,
      h('div', { class: 'row-end' }, [this.refresh]),
    ], {
      toggle: () => {
        if (this.element.open) this.restart();
      },
    });
  }

  /** Another position is thought about. */
  move(fen: string): void {
    this.fen = fen;
    this.root.replaceChildren();
    this.waiting.clear();
    if (this.element.open) this.wait();
  }

  /** Something has been thought: an open tree that waits for that can be filled. */
  ready(): void {
    if (this.element.open && this.root.childElementCount === 0) this.restart();
  }

  private wait(): void {
    if (this.root.childElementCount === 0) this.root.dataset.state = 'waiting';
  }

  private restart(): void {
    this.root.replaceChildren();
    this.waiting.clear();
    this.send({ list: this.root, line: [] });
  }

  private send(opened: Opened): void {
    const id = this.ask(opened.line);
    if (id > 0) this.waiting.set(id, opened);
  }

  /** The server's answer. */
  fill(reply: Branches): void {
    const opened = this.waiting.get(reply.id);
    if (!opened) return;
    this.waiting.delete(reply.id);
    const steps = sanLine(this.fen, opened.line);
    if (steps.length < opened.line.length) return;
    const fen = steps.at(-1)?.fen ?? this.fen;
    const total = reply.branches.reduce((sum, branch) => sum + branch.visits, 0);
    const tried = reply.branches.filter(branch => branch.visits > 0).slice(0, MOST);
    const left = reply.branches.length - tried.length;
    opened.list.replaceChildren(
      ...tried.map(branch => this.branch(branch, opened.line, fen, total)),
      ...(left > 0 ? [h('li', { class: 'hint' }, `and ${left} more`)] : []),
    );
  }

  private branch(branch: Branch, before: string[], fen: string, total: number): HTMLElement {
    const chess = position(fen);
    const line = [...before, branch.move];
    const list = h('ul', { class: 'tree-list', hidden: true });
    const share = total > 0 ? branch.visits / total : 0;
    const bar = h('span', { class: 'visit-bar' });
    bar.style.width = percent(share);
    const text = san(chess, branch.move);
    const worth = percent((1 + branch.value) / 2, 1);
    const button = h('button', {
      type: 'button',
      class: 'branch',
      'aria-expanded': branch.leads_on ? 'false' : undefined,
      'aria-label': `${text}: ${branch.visits} tries, worth ${worth}, prior ${percent(branch.prior, 1)}`,
    }, [
      branch.leads_on ? icon('more') : h('span', { class: 'icon' }),
      h('span', { class: 'branch-move' }, text),
      h('span', { class: 'branch-visits' }, [bar, h('span', {}, count(branch.visits))]),
      h('span', { class: 'branch-value' }, worth),
      h('span', { class: 'branch-prior' }, percent(branch.prior, 1)),
    ], {
      click: () => {
        if (!branch.leads_on) return;
        list.hidden = !list.hidden;
        button.setAttribute('aria-expanded', String(!list.hidden));
        if (!list.hidden && list.childElementCount === 0) this.send({ list, line });
      },
      pointerenter: event => {
        if (event.pointerType !== 'touch') this.point(line);
      },
      pointerleave: () => this.endPreview(),
      focus: () => this.point(line),
      blur: () => this.endPreview(),
    });
    return h('li', {}, [button, list]);
  }

  private point(line: string[]): void {
    const last = sanLine(this.fen, line).at(-1);
    if (last) this.preview(last.fen, last.uci);
  }
}
