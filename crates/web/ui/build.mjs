// Builds the page into a folder: `node build.mjs [FOLDER]`, by default the one that the program embeds.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, '..', 'assets');

await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/main.ts' },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'inline',
  banner: {
    js: '// Tandem\'s page, GPL-3.0-or-later, with chessground and chessops (GPL-3.0-or-later) and uPlot (MIT).\n'
      + '// Built from crates/web/ui by scripts/page.',
    css: '/* Tandem\'s page, GPL-3.0-or-later. The pieces are by Colin M.L. Burnett, GPL-2.0-or-later. */',
  },
});
const licences = await Promise.all([
  ['uPlot', 'uplot'], ['@badrap/result', '@badrap/result'],
].map(async ([name, folder]) =>
  `${name}\n\n${await readFile(join(here, 'node_modules', folder, 'LICENSE'), 'utf8')}`));
const own = `Tandem's page, chessground and chessops: GPL-3.0-or-later (https://www.gnu.org/licenses/gpl-3.0.txt).
The pieces "cburnett" by Colin M.L. Burnett: GPL-2.0-or-later.`;
await writeFile(join(out, 'licences.txt'), [own, ...licences].map(text => text.trim()).join('\n\n\n') + '\n');
for (const name of ['index.html', 'icon.svg']) await copyFile(join(here, 'src', name), join(out, name));
