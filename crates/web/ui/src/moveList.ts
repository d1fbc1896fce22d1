// The moves of a game with its variations, as buttons.

import { number, position } from './chess';
import { h } from './dom';
import type { Game, Place } from './game';

export class MoveList {
  readonly element = h('div', { class: 'move-list', role: 'group', 'aria-label': 'Moves of the game' });
  private buttons = new Map<Place, HTMLButtonElement>();
  private drawn = '';

  /** `marks` stand behind moves. */
  constructor(private readonly go: (place: Place) => void) {}

  show(game: Game, marks = new Map<Place, string>()): void {
    const text = signature(game.root) + [...marks.values()].join();
    if (text !== this.drawn || !this.buttons.has(game.current)) {
      this.drawn = text;
      this.buttons = new Map();
      const words: Node[] = [];
      this.write(game.root, words, true, marks);
      if (words.length === 0) words.push(h('span', { class: 'hint' }, 'No moves yet.'));
      this.element.replaceChildren(...words);
    }
    for (const [place, button] of this.buttons) {
      const isHere = place === game.current;
      button.classList.toggle('is-here', isHere);
      if (isHere) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    const here = this.buttons.get(game.current);
    const box = this.element;
    if (!here) box.scrollTop = 0;
    else if (here.offsetTop < box.scrollTop || here.offsetTop + here.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = here.offsetTop - box.clientHeight / 2;
    }
  }

  private write(from: Place, words: Node[], needsNumber: boolean, marks: Map<Place, string>): void {
    const [main, ...others] = from.children;
    if (!main) return;
    words.push(this.button(main, needsNumber, marks));
    for (const other of others) {
      const inner: Node[] = [this.button(other, true, marks)];
      this.write(other, inner, false, marks);
      words.push(h('span', { class: 'variation' }, ['(', ...inner, ')']));
    }
    this.write(main, words, others.length > 0, marks);
  }

  private button(place: Place, needsNumber: boolean, marks: Map<Place, string>): HTMLButtonElement {
    const chess = position(place.parent?.fen ?? place.fen);
    const shows = needsNumber || chess.turn === 'white';
    const button = h('button', { type: 'button', class: 'game-move', tabindex: -1 }, [
      shows && h('span', { class: 'move-number' }, number(chess)),
      place.san + (marks.get(place) ?? ''),
    ], { click: () => this.go(place) });
    this.buttons.set(place, button);
    return button;
  }
}

function signature(place: Place): string {
  return place.children.map(child => `${child.uci}(${signature(child)})`).join();
}
