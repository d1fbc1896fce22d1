// What the tests share: the real server, a real browser, and words for what is on the page.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..');
export const program = process.env.TANDEM ?? join(root, 'target', 'debug', 'tandem');
const browserProgram = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Where pictures are kept. */
export const pictures = join(root, 'target', 'page');
mkdirSync(pictures, { recursive: true });

/** A folder that goes with the tests. */
export const folder = mkdtempSync(join(tmpdir(), 'tandem-page-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A port that is free at present. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const running = new Set();

/** `tandem serve` on a port. */
export class Server {
  static async start(port, { hash = 16, words = [] } = {}) {
    const file = join(folder, `token-${port}`);
    const all = ['serve', '--port', port, '--threads', 1, '--hash', hash, '--token-file', file, ...words];
    const child = spawn(program, all.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
    const url = await new Promise((resolve, reject) => {
      let text = '';
      child.on('error', error => reject(new Error(`${program} does not start (${error.message}); build it first`)));
      child.once('exit', code => reject(new Error(`the server ended with ${code}`)));
      child.stdout.on('data', data => {
        text += data;
        if (text.includes('\n')) resolve(text.trim());
      });
    });
    running.add(child);
    child.on('exit', () => running.delete(child));
    return new Server(child, url, port);
  }

  constructor(child, url, port) {
    Object.assign(this, { child, url, port, base: `http://127.0.0.1:${port}` });
    this.token = new URLSearchParams(new URL(url).hash.slice(1)).get('token');
  }

  /** Ends what a test that failed has left behind. */
  static killAll() {
    for (const child of running) child.kill('SIGKILL');
  }

  /** Ctrl-C; answers the exit code. */
  stop() {
    return new Promise(resolve => {
      this.child.on('exit', resolve);
      this.child.kill('SIGINT');
    });
  }
}

/** Debian's browser without a window. */
export function launch() {
  return chromium.launch({
    executablePath: browserProgram,
    headless: true,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  });
}

/** A page in a browser, and everything that it complained about. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints = [];
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(String(error)));
  await page.goto(url);
  return { page, context, complaints };
}

export const connected = page => page.locator('.status[data-status=open]').waitFor();

/** Types a move, a FEN or a PGN and presses Enter. */
export async function enter(page, text) {
  const field = page.locator('.view:not([hidden]) .entry');
  await field.fill(text);
  await field.press('Enter');
}

/** Arrows that are drawn. */
export const arrows = page => page.locator('.analyse .cg-shapes g line');

/** Waits until the engine has said something about the position. */
export async function thought(page) {
  await arrows(page).first().waitFor({ state: 'attached' });
  await page.locator('.moves-table tbody tr').first().waitFor();
}

export const fen = page => page.locator('.fen').inputValue();

/** Waits until something holds. */
export async function until(what, holds, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > end) throw new Error(`it did not happen in time: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
