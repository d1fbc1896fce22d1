// The real page in a real browser against the real server.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Chess } from 'chessops/chess';
import { makeSan } from 'chessops/san';
import {
  Server, connected, enter, fen, freePort, launch, open, pictures, thought, until,
} from './support.mjs';

const SICILIAN = 'r1bqkb1r/1p3ppp/p1nppn2/6B1/3NP3/2N5/PPPQ1PPP/2KR1B1R w kq - 0 8';
const MATE = '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1';
const GAME = `[Event "Casual game"]
[White "Morphy"]
[Black "Duke and Count"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0
`;

let server;
let browser;

before(async () => {
  server = await Server.start(await freePort());
  browser = await launch();
});

after(async () => {
  await browser?.close();
  assert.equal(await server?.stop(), 0, 'Ctrl-C ends the server cleanly');
  Server.killAll();
});

/** A page of our server that is connected. */
async function page(options) {
  const opened = await open(browser, server.url, options);
  await connected(opened.page);
  return opened;
}

/** Puts a text into the page as if it had been dropped. */
async function drop(page, text, name) {
  const data = await page.evaluateHandle(([text, name]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name, { type: 'text/plain' }));
    return data;
  }, [text, name]);
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

test('a position that is set gets its arrows, its table, its lines, its type and its verdict', async () => {
  const { page: tab, context, complaints } = await page();
  await thought(tab);
  await enter(tab, SICILIAN);
  await thought(tab);
  assert.equal(await fen(tab), SICILIAN);
  await until('both searches have lines', async () =>
    await tab.locator('.lines-proven li').count() > 0 && await tab.locator('.lines-explored li').count() > 0);
  await until('moves have visits, priors, values and scores', async () => {
    const cells = await tab.locator('.moves-table tbody tr').first().locator('td').allTextContents();
    return cells.length === 4 && cells.every(cell => /\d/.test(cell));
  });
  await until('there is a verdict with words', async () =>
    /Both searches are for|is for/.test(await tab.locator('.verdict-words').textContent()));
  assert.match(await tab.locator('.kind-name').textContent(), /tactical|strategic|balanced/);
  assert.ok(await tab.locator('.reason').count() > 0, 'the type has reasons');
  assert.match(await tab.locator('.chances').getAttribute('aria-label'), /White \d+%, Draw \d+%, Black \d+%/);
  const figures = await tab.locator('.figures dd').allTextContents();
  assert.ok(figures.every(text => /\d/.test(text)), figures.join());
  assert.equal(new URL(tab.url()).hash, '', 'the token is no longer in the address');
  assert.deepEqual(complaints, []);
  await context.close();
});

test('a line that is pointed at is shown on the board, and a move that is pressed is all that is thought about', async () => {
  const { page: tab, context } = await page();
  await enter(tab, SICILIAN);
  await until('there is a line', async () => await tab.locator('.lines-proven .line-move').count() > 3);
  await tab.locator('.lines-proven .line-move').nth(2).hover();
  await tab.locator('.board.is-preview').waitFor();
  await tab.locator('h1').hover();
  await until('the preview ends', async () => await tab.locator('.board.is-preview').count() === 0);
  await tab.locator('.lines-proven .line-moves').first().focus();
  await tab.keyboard.press('ArrowRight');
  await tab.locator('.board.is-preview').waitFor();
  await tab.keyboard.press('Tab');

  const button = tab.getByRole('button', { name: 'Kb1', exact: true });
  await until('Kb1 is in the table', async () => {
    if (await button.count() > 0) return true;
    await tab.getByRole('button', { name: /^All \d+ moves/ }).click();
    return false;
  });
  await button.click();
  await until('only Kb1 is thought about', async () =>
    (await tab.locator('.verdict-move').textContent()) === 'Kb1'
      && (await button.getAttribute('aria-pressed')) === 'true');
  await tab.getByRole('button', { name: 'Think about all moves' }).click();
  await until('others are again', async () => await tab.locator('.moves-table tbody tr').count() > 5);
  await context.close();
});

test('the search tree opens where somebody looks', async () => {
  const { page: tab, context } = await page();
  await thought(tab);
  await until('there is something to see', async () =>
    /[1-9]/.test(await tab.locator('.moves-table tbody tr td').first().textContent()));
  await tab.locator('.tree summary').click();
  const first = tab.locator('.tree > .tree-list > li').first();
  await until('the root has moves', async () => {
    if (await tab.locator('.tree .branch[aria-expanded=false]').count() > 0) return true;
    await tab.getByRole('button', { name: 'Look again' }).click();
    return false;
  });
  await first.locator('.branch').first().click();
  await first.locator('.tree-list .branch').first().waitFor();
  assert.match(await first.locator('.tree-list .branch').first().getAttribute('aria-label'), /tries, worth/);
  await context.close();
});

test('a dropped PGN is shown as a graph with mistakes that lead into the game', async () => {
  const { page: tab, context, complaints } = await page();
  await drop(tab, GAME, 'opera.pgn');
  await until('the game is there', async () => await tab.locator('.game-move').count() === 33);
  assert.match(await tab.locator('.game-title').textContent(), /Morphy – Duke and Count 1–0/);
  await tab.getByRole('button', { name: 'Analyse the game' }).click();
  await tab.locator('.graph canvas').waitFor();
  await until('the analysis ends', async () =>
    (await tab.getByRole('button', { name: 'Analyse the game' }).count()) === 1);
  const mistakes = tab.locator('.mistake');
  assert.ok(await mistakes.count() > 0, 'Black has made mistakes');
  const words = await mistakes.first().locator('strong').textContent();
  await mistakes.first().click();
  const here = await tab.locator('.game-move.is-here').textContent();
  assert.ok(words.startsWith(here) || words.includes(here.replace(/[?!]+$/, '').replace(/^\d+[.…]/, '')), `${words} / ${here}`);
  await tab.locator('.graph .u-over').click({ position: { x: 1, y: 40 } });
  await until('the graph leads to the beginning', async () => await tab.locator('.game-move.is-here').count() === 0);
  await tab.screenshot({ path: join(pictures, 'game-desktop.png'), fullPage: true });
  assert.deepEqual(complaints, []);
  await context.close();
});

test('everything can be done by keys', async () => {
  const { page: tab, context } = await page();
  await tab.keyboard.press('/');
  await tab.keyboard.type('e4');
  await tab.keyboard.press('Enter');
  await tab.keyboard.type('c7c5');
  await tab.keyboard.press('Enter');
  await tab.keyboard.type('nonsense');
  await tab.keyboard.press('Enter');
  assert.match(await tab.getByRole('alert').textContent(), /nonsense.*no possible move, no FEN and no PGN/);
  assert.match(await fen(tab), / w KQkq .* 0 2$/);
  await tab.locator('.entry').first().blur();
  await tab.keyboard.press('ArrowLeft');
  assert.match(await fen(tab), / b KQkq /);
  await tab.keyboard.press('End');
  assert.match(await fen(tab), / 0 2$/);
  await tab.keyboard.press('f');
  await tab.locator('.analyse .orientation-black').waitFor();
  await tab.keyboard.press('?');
  await tab.locator('dialog[open]').waitFor();
  await tab.keyboard.press('Escape');
  // Every stop of the tab key can be seen and has a name.
  for (let i = 0; i < 25; i += 1) {
    await tab.keyboard.press('Tab');
    const about = await tab.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'the page';
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
      const label = element.closest('label')?.textContent?.trim() ?? '';
      const style = getComputedStyle(element);
      return style.outlineStyle !== 'none' && (name || label) ? name || label : `!${element.outerHTML.slice(0, 120)}`;
    });
    assert.ok(!about.startsWith('!'), about);
  }
  await context.close();
});

/** Begins a game with what was chosen in the form. */
async function begin(tab, choices) {
  await tab.getByRole('button', { name: 'Play', exact: true }).first().click();
  if (choices.side) await tab.locator('.segment', { hasText: choices.side }).click();
  if (choices.full) await tab.getByLabel('at full strength').check();
  if (choices.odds) await tab.getByLabel('Odds').selectOption({ label: choices.odds });
  if (choices.clocks) await tab.getByLabel('Clocks').selectOption({ label: choices.clocks });
  if (choices.number !== undefined) {
    await tab.getByLabel('Chess960').check();
    await tab.getByLabel(/Number of the start position/).fill(String(choices.number));
  }
  await tab.locator('.setup button[type=submit]').click();
}

const status = tab => tab.locator('.play-status').textContent();

test('a game against the engine ends with mate, a result and its PGN', async () => {
  const { page: tab, context, complaints } = await page();
  await begin(tab, { side: 'White', full: true });
  const chess = Chess.default();
  const played = tab.locator('.play .game-move');
  // White opens the way to its king and then shuffles; nobody survives that.
  for (let plies = 0; plies < 160; plies += 2) {
    await until('it is our turn or over', async () => /Your move|:/.test(await status(tab)));
    if (/:/.test(await status(tab))) break;
    await follow(tab, chess);
    await enter(tab, worst(chess));
    await until('our move is on the board', async () => await played.count() > plies);
  }
  assert.match(await status(tab), /0–1: .*checkmate/i);
  const pgn = await tab.locator('.pgn').inputValue();
  assert.match(pgn, /\[Result "0-1"\]/);
  assert.match(pgn, /# 0-1\s*$/);
  await tab.screenshot({ path: join(pictures, 'mate-desktop.png') });
  await tab.getByRole('button', { name: 'Analyse it' }).click();
  await until('the game is in the other view', async () => await tab.locator('.analyse .game-move').count() > 3);
  assert.deepEqual(complaints, []);
  await context.close();
});

/** Brings a position up to the moves on the page. */
async function follow(tab, chess) {
  const texts = await tab.locator('.play .game-move').allTextContents();
  const { parseSan } = await import('chessops/san');
  chess.reset();
  for (const text of texts) chess.play(parseSan(chess, text.replace(/^\d+[.…]/, '')));
}

/** A move that makes things worse: f3 and g4 first, then whatever comes first. */
function worst(chess) {
  const all = [];
  for (const [from, dests] of chess.allDests()) for (const to of dests) all.push({ from, to });
  const sans = all.map(move => makeSan(chess, chess.board.get(move.from).role === 'pawn'
    && (move.to >= 56 || move.to < 8) ? { ...move, promotion: 'knight' } : move));
  return ['f3', 'g4', 'Kf2', 'Kg3', 'Kh4'].find(san => sans.includes(san))
    ?? sans.find(san => !san.includes('x')) ?? sans[0];
}

test('an odds game begins without the queen; moves are taken back, and giving up ends it', async () => {
  const { page: tab, context } = await page();
  await begin(tab, { side: 'Black', odds: 'Queen', clocks: '3 min + 2 s' });
  const white = tab.locator('.play piece.queen.white');
  await until('the engine has moved', async () => await tab.locator('.play .game-move').count() === 1);
  assert.equal(await white.count(), 0, 'there is no white queen');
  assert.equal(await tab.locator('.play .clock:not([hidden])').count(), 2);
  await enter(tab, 'e5');
  await until('the engine has moved again', async () => await tab.locator('.play .game-move').count() === 3);
  await tab.getByRole('button', { name: 'Take back' }).click();
  await until('our move is gone', async () => await tab.locator('.play .game-move').count() === 1);
  await enter(tab, 'd5');
  await tab.screenshot({ path: join(pictures, 'odds-desktop.png') });
  await tab.getByRole('button', { name: 'Resign' }).click();
  assert.match(await status(tab), /1–0: Black resigns/);
  const pgn = await tab.locator('.pgn').inputValue();
  assert.match(pgn, /\[FEN "rnbqkbnr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/RNB1KBNR w KQkq - 0 1"\]/);
  assert.match(pgn, /\[Event "Odds game"\]/);
  await context.close();
});

test('Chess960 is played from the position that was asked for', async () => {
  const { page: tab, context } = await page();
  await begin(tab, { side: 'White', number: 0 });
  await until('the board is set up', async () => /Your move/.test(await status(tab)));
  await enter(tab, 'e4');
  await until('the engine has moved', async () => await tab.locator('.play .game-move').count() === 2);
  await tab.getByRole('button', { name: 'Resign' }).click();
  const pgn = await tab.locator('.pgn').inputValue();
  assert.match(pgn, /\[FEN "bbqnnrkr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/BBQNNRKR /);
  assert.match(pgn, /\[Variant "Chess960"\]/);
  await context.close();
});

test('two tabs think about two positions', async () => {
  const [one, two] = [await page(), await page()];
  await enter(one.page, MATE);
  await enter(two.page, SICILIAN);
  await until('one finds its mate', async () => /^#/.test(await one.page.locator('.verdict-score').textContent()));
  await thought(two.page);
  assert.equal(await fen(one.page), MATE);
  assert.equal(await fen(two.page), SICILIAN);
  assert.doesNotMatch(await two.page.locator('.verdict-score').textContent(), /^#/);
  await one.context.close();
  const before = await two.page.locator('.figures dd').nth(1).textContent();
  await until('the other goes on', async () => (await two.page.locator('.figures dd').nth(1).textContent()) !== before);
  await two.context.close();
});

test('after a restart of the server the page goes on where it was', async () => {
  const port = await freePort();
  let own = await Server.start(port);
  const { page: tab, context } = await open(browser, own.url);
  await connected(tab);
  await enter(tab, SICILIAN);
  await thought(tab);
  assert.equal(await own.stop(), 0);
  await tab.locator('.status[data-status=lost]').waitFor();
  await enter(tab, 'Kb1');
  own = await Server.start(port);
  await connected(tab);
  await until('it thinks again', async () => await tab.locator('.moves-table tbody tr').count() > 5);
  assert.match(await fen(tab), /1K1R1B1R b /);
  await context.close();
  // Loaded again, the page still knows its game; a page without the token gets no session.
  await own.stop();
  own = await Server.start(port, { words: ['--new-token'] });
  const stranger = await open(browser, own.base);
  await stranger.page.locator('.status[data-status=refused]').waitFor();
  await stranger.context.close();
  await own.stop();
});

test('what was on the page is there again when it is loaded again', async () => {
  const { page: tab, context } = await page();
  await enter(tab, 'd4');
  await enter(tab, 'Nf6');
  const was = await fen(tab);
  await tab.reload();
  await connected(tab);
  await until('the game is there', async () => (await fen(tab)) === was);
  await context.close();
});

test('pages from elsewhere get no session', async () => {
  const foreign = createServer((_, answer) => answer.end('<!doctype html><title>elsewhere</title>'));
  await new Promise(resolve => foreign.listen(0, '127.0.0.1', resolve));
  const { page: tab, context } = await open(browser, `http://127.0.0.1:${foreign.address().port}/`);
  const outcome = await tab.evaluate(address => new Promise(resolve => {
    const socket = new WebSocket(address);
    socket.addEventListener('open', () => resolve('open'));
    socket.addEventListener('error', () => resolve('refused'));
  }), `ws://127.0.0.1:${server.port}/socket?token=${server.token}`);
  assert.equal(outcome, 'refused');
  await context.close();
  foreign.close();
});

test('the page looks right on a phone and on a wide screen, light and dark', async () => {
  for (const [name, width, height] of [['phone', 390, 844], ['desktop', 1440, 900]]) {
    for (const colorScheme of ['light', 'dark']) {
      const { page: tab, context } = await page({
        viewport: { width, height }, colorScheme, hasTouch: name === 'phone', deviceScaleFactor: name === 'phone' ? 2 : 1,
      });
      await enter(tab, SICILIAN);
      await thought(tab);
      await until('there is something to see', async () =>
        await tab.locator('.lines-explored li').count() > 1 && /[kM]/.test(await tab.locator('.figures dd').nth(1).textContent()));
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), width, 'nothing sticks out');
      await tab.screenshot({ path: join(pictures, `analyse-${name}-${colorScheme}.png`), fullPage: name === 'phone' });
      await tab.getByRole('button', { name: 'Play', exact: true }).first().click();
      await tab.screenshot({ path: join(pictures, `play-${name}-${colorScheme}.png`), fullPage: name === 'phone' });
      assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth), width, 'nothing sticks out');
      if (name === 'phone') {
        await tab.setViewportSize({ width: 360, height: 740 });
        await until('nothing sticks out on a small phone either', async () =>
          await tab.evaluate(() => document.documentElement.scrollWidth) === 360);
      }
      await context.close();
    }
  }
});

test('arrows come soon after a position is set', async t => {
  const { page: tab, context } = await page();
  await thought(tab);
  const times = [];
  for (const text of [SICILIAN, MATE, SICILIAN]) {
    times.push(await tab.evaluate(text => new Promise(resolve => {
      // Those of the position before go first, so that whatever is there afterwards is new.
      for (const group of document.querySelectorAll('.analyse .cg-shapes g')) group.replaceChildren();
      const start = performance.now();
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      const look = () => {
        const drawn = document.querySelectorAll('.analyse .cg-shapes g line').length;
        const passed = performance.now() - start;
        if (drawn > 0 || passed > 10_000) resolve(passed);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    })));
  }
  assert.ok(Math.max(...times) < 10_000, 'there are arrows');
  t.diagnostic(`first arrows after ${times.map(time => `${time.toFixed(0)} ms`).join(', ')}`);
  await context.close();
});
