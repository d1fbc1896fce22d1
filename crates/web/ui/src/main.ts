// The page: two views, one connection.

import './style.css';

import { AnalyseView } from './analyse/view';
import { announcerElement, h, iconButton, toast } from './dom';
import { PlayView } from './play/view';
import type { Reply, Request } from './protocol';
import { Connection } from './socket';
import type { Status } from './socket';
import { stepOf } from './stepper';
import { themeButton } from './theme';

const TOKEN = 'tandem-token';

/** The token from the address, which then loses it, or the one that was kept. */
function token(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    localStorage.setItem(TOKEN, given);
    history.replaceState(null, '', location.pathname);
  }
  return given ?? localStorage.getItem(TOKEN) ?? '';
}

const STATUS: Record<Status, string> = {
  connecting: 'Connecting…',
  open: 'Connected',
  lost: 'No connection: trying again',
  refused: 'Not allowed',
};

const KEYS: [keys: string, does: string][] = [
  ['← →', 'one move back or on'],
  ['↑ ↓', 'to the beginning or the end'],
  ['/ or m', 'type a move, a FEN or a PGN'],
  ['f', 'turn the board'],
  ['a, p', 'analyse, play'],
  ['Tab', 'from one thing to the next; in a line the arrow keys walk along it'],
  ['Ctrl+V', 'paste a FEN or a PGN anywhere; files can be dropped anywhere'],
  ['?', 'this help'],
];

class Page {
  private readonly status = h('p', { class: 'status' });
  private readonly connection: Connection;
  private readonly analyse = new AnalyseView(request => this.send(request));
  private readonly play = new PlayView(request => this.send(request), game => {
    this.analyse.open(game);
    this.show('analyse');
  });
  private readonly tabs: Record<'analyse' | 'play', HTMLButtonElement>;
  private readonly help = helpDialog();
  private view: 'analyse' | 'play' = 'analyse';

  constructor() {
    const tab = (view: 'analyse' | 'play', text: string): HTMLButtonElement =>
      h('button', { type: 'button', class: 'tab' }, text, { click: () => this.show(view) });
    this.tabs = { analyse: tab('analyse', 'Analyse'), play: tab('play', 'Play') };
    const header = h('header', { class: 'top' }, [
      h('h1', {}, [h('img', { src: 'icon.svg', alt: '', width: 26, height: 26 }), 'Tandem']),
      h('nav', { class: 'tabs', 'aria-label': 'Views' }, [this.tabs.analyse, this.tabs.play]),
      this.status,
      h('div', { class: 'top-buttons' }, [
        iconButton('help', 'Keys (?)', () => this.help.showModal()),
        themeButton(),
      ]),
    ]);
    document.getElementById('app')?.append(
      header, this.analyse.element, this.play.element, this.help, announcerElement(),
    );
    this.listen();
    this.connection = new Connection(token(), {
      status: (status, reason) => this.showStatus(status, reason),
      reply: reply => this.hear(reply),
    });
    this.show(sessionStorage.getItem('tandem-view') === 'play' ? 'play' : 'analyse');
  }

  private send(request: Request): number {
    return this.connection?.send(request) ?? 0;
  }

  private show(view: 'analyse' | 'play'): void {
    this.view = view;
    sessionStorage.setItem('tandem-view', view);
    for (const name of ['analyse', 'play'] as const) {
      const isHere = name === view;
      if (isHere) this.tabs[name].setAttribute('aria-current', 'page');
      else this.tabs[name].removeAttribute('aria-current');
      this[name].element.hidden = !isHere;
    }
    // The one that is left stops what it has going on before the other begins.
    const [left, shown] = view === 'play' ? [this.analyse, this.play] : [this.play, this.analyse];
    left.setShown(false);
    shown.setShown(true);
  }

  private showStatus(status: Status, reason: string): void {
    this.status.textContent = STATUS[status] + (reason ? ` (${reason})` : '');
    this.status.dataset.status = status;
    if (status === 'lost') this.play.disconnected();
    if (status === 'refused') {
      toast('The server does not know this page. Open the address that “tandem serve” has printed.');
    }
  }

  private hear(reply: Reply): void {
    if (reply.type === 'hello') {
      this.status.title = `Tandem ${reply.version}, ${reply.evaluation}, ${reply.threads} threads, ${reply.hash} MiB`;
      this.play.configure(reply);
      this[this.view].connected();
      return;
    }
    if (reply.type === 'error' || reply.type === 'notice') toast(reply.message);
    this[this.view].hear(reply);
  }

  private listen(): void {
    document.addEventListener('keydown', event => this.key(event));
    document.addEventListener('paste', event => {
      const isField = event.target instanceof Element && event.target.closest('input, textarea');
      const text = event.clipboardData?.getData('text/plain') ?? '';
      // What has several lines is no move, wherever it is pasted.
      if (this.view !== 'analyse' || (isField && !text.trim().includes('\n'))) return;
      event.preventDefault();
      this.analyse.read(text);
    });
    document.addEventListener('dragover', event => {
      event.preventDefault();
      document.body.classList.add('is-drop');
    });
    document.addEventListener('dragleave', event => {
      if (!event.relatedTarget) document.body.classList.remove('is-drop');
    });
    document.addEventListener('drop', event => void this.drop(event));
  }

  private async drop(event: DragEvent): Promise<void> {
    event.preventDefault();
    document.body.classList.remove('is-drop');
    const file = event.dataTransfer?.files[0];
    const text = file ? await file.text() : event.dataTransfer?.getData('text/plain') ?? '';
    if (!text) return;
    if (this.view !== 'analyse') this.show('analyse');
    this.analyse.read(text);
  }

  private key(event: KeyboardEvent): void {
    const step = stepOf(event);
    const view = this[this.view];
    if (step) {
      event.preventDefault();
      view.step(step);
      return;
    }
    const isField = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
    if (isField || event.ctrlKey || event.altKey || event.metaKey) return;
    const actions: Record<string, () => void> = {
      '/': () => view.focusEntry(),
      m: () => view.focusEntry(),
      f: () => view.flip(),
      a: () => this.show('analyse'),
      p: () => this.show('play'),
      '?': () => this.help.showModal(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

function helpDialog(): HTMLDialogElement {
  const close = h('button', { type: 'button', class: 'primary' }, 'Close', { click: () => dialog.close() });
  const dialog = h('dialog', { 'aria-label': 'Keys' }, [
    h('h2', {}, 'Keys'),
    h('dl', { class: 'keys' }, KEYS.map(([keys, does]) =>
      h('div', {}, [h('dt', {}, [h('kbd', {}, keys)]), h('dd', {}, does)]))),
    h('p', { class: 'hint' }, [h('a', { href: 'licences.txt', target: '_blank', rel: 'noreferrer' }, 'Licences')]),
    close,
  ]);
  return dialog;
}

new Page();
