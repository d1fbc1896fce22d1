// Light or dark: as the system wants it, until the user wants it otherwise.

import { iconButton } from './dom';

const KEY = 'tandem-theme';
const isDark = matchMedia('(prefers-color-scheme: dark)');
const listeners: (() => void)[] = [];

/** Calls whoever draws with colours when they change. */
export function onThemeChange(listener: () => void): void {
  listeners.push(listener);
}

/** A colour of the present theme by the name of its variable. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function apply(): void {
  const chosen = localStorage.getItem(KEY);
  document.documentElement.dataset.theme = chosen ?? (isDark.matches ? 'dark' : 'light');
  for (const listener of listeners) listener();
}

/** Puts the theme in force, and answers the button that changes it. */
export function themeButton(): HTMLElement {
  isDark.addEventListener('change', apply);
  apply();
  return iconButton('theme', 'Light or dark', () => {
    const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem(KEY, next);
    apply();
  });
}
