// Stepping through a game: buttons and keys.

import { h, iconButton } from './dom';
import type { Game, Place } from './game';

export type Step = 'first' | 'previous' | 'next' | 'last';

/** Where a step leads. */
export function target(game: Game, step: Step): Place {
  const { current } = game;
  switch (step) {
    case 'first': return game.root;
    case 'previous': return current.parent ?? current;
    case 'next': return current.children[0] ?? current;
    case 'last': return game.mainline(current).at(-1) ?? current;
  }
}

const KEYS: Record<string, Step> = {
  ArrowLeft: 'previous', ArrowRight: 'next', ArrowUp: 'first', ArrowDown: 'last', Home: 'first', End: 'last',
};

/** The step that a key asks for, where no field or list wants it for itself. */
export function stepOf(event: KeyboardEvent): Step | undefined {
  const wants = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
  if (wants || event.ctrlKey || event.altKey || event.metaKey) return undefined;
  return KEYS[event.key];
}

/** The buttons. */
export function stepButtons(go: (step: Step) => void, flip: () => void): HTMLElement {
  return h('div', { class: 'steps', role: 'group', 'aria-label': 'Go through the game' }, [
    iconButton('first', 'First position (Home)', () => go('first')),
    iconButton('previous', 'Back (left arrow)', () => go('previous')),
    iconButton('next', 'On (right arrow)', () => go('next')),
    iconButton('last', 'Last position (End)', () => go('last')),
    iconButton('flip', 'Turn the board (f)', flip),
  ]);
}
