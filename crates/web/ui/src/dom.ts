// Small helpers around the document.

type Child = Node | string | null | undefined | false;
type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
type Attributes = Record<string, string | number | boolean | undefined>;

/** Makes an element with attributes, listeners and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  children: Child[] | string = [],
  listeners: Listeners = {},
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  if (typeof children === 'string') element.textContent = children;
  else element.append(...children.filter((child): child is Node | string => !!child));
  for (const [name, listener] of Object.entries(listeners)) {
    element.addEventListener(name, listener as EventListener);
  }
  return element;
}

const ICONS: Record<string, string> = {
  first: 'M7 5v14M19 5l-9 7 9 7z',
  previous: 'M16 5l-9 7 9 7z',
  next: 'M8 5l9 7-9 7z',
  last: 'M17 5v14M5 5l9 7-9 7z',
  flip: 'M7 4v14M3 14l4 4 4-4M17 20V6M13 10l4-4 4 4',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  help: 'M9 9a3 3 0 1 1 4 3c-.7.3-1 1-1 2M12 18v.01',
  more: 'M9 6l6 6-6 6',
};

/** A small picture that says nothing to those who cannot see it. */
export function icon(name: keyof typeof ICONS): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', ICONS[name] ?? '');
  svg.append(path);
  return svg;
}

/** A button with a picture, named for those who cannot see it. */
export function iconButton(name: string, label: string, click: () => void): HTMLButtonElement {
  const attributes = { type: 'button', class: 'icon-button', 'aria-label': label, title: label };
  return h('button', attributes, [icon(name)], { click });
}

/** A field to choose from. */
export function select(
  label: string,
  options: [value: string, text: string][],
  value: string,
  change: (value: string) => void,
): HTMLLabelElement {
  const field = h('select', {}, options.map(([value, text]) => h('option', { value }, text)), {
    change: () => change(field.value),
  });
  field.value = value;
  return h('label', { class: 'field' }, [h('span', {}, label), field]);
}

/** A card with a heading. */
export function card(title: string, name: string, children: Child[], aside?: Child): HTMLElement {
  const heading = h('h2', { id: `${name}-title` }, title);
  return h('section', { class: `card ${name}`, 'aria-labelledby': `${name}-title` }, [
    h('div', { class: 'card-head' }, [heading, aside]),
    ...children,
  ]);
}

const announcer = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });

/** The place from which screen readers read what is announced. */
export function announcerElement(): HTMLElement {
  return announcer;
}

/** Tells something to those who listen. */
export function announce(text: string): void {
  if (announcer.textContent !== text) announcer.textContent = text;
}

let toastTimer = 0;

/** Tells everybody something, for a while. */
export function toast(text: string): void {
  document.querySelector('.toast')?.remove();
  clearTimeout(toastTimer);
  const box = h('div', { class: 'toast', role: 'alert' }, text);
  document.body.append(box);
  toastTimer = setTimeout(() => box.remove(), 6000);
}

/** Puts a text where it can be pasted from. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast(`${what} cannot be copied: the browser does not allow it`);
  }
}
