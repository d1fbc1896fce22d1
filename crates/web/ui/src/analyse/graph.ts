// The chances over the game, one on top of the other, with its mistakes as buttons.

import uPlot from 'uplot';
import { number, position, san } from '../chess';
import { h } from '../dom';
import { percent } from '../format';
import type { Game, Place } from '../game';
import { colour, onThemeChange } from '../theme';
import { chances, mistakes, nameOf } from './judge';
import type { Mistake } from './judge';

const HEIGHT = 170;

export class Graph {
  private readonly chart = h('div', { class: 'graph-chart', 'aria-hidden': 'true' });
  private readonly list = h('ol', { class: 'mistakes', 'aria-label': 'Mistakes of the game' });
  private readonly key = h('ul', { class: 'graph-key' }, [
    h('li', {}, [h('span', { class: 'swatch swatch-black' }), 'Black wins (top)']),
    h('li', {}, [h('span', { class: 'swatch swatch-draw' }), 'draw']),
    h('li', {}, [h('span', { class: 'swatch swatch-white' }), 'White wins (bottom)']),
  ]);
  readonly element = h('div', { class: 'graph', hidden: true }, [this.chart, this.key, this.list]);
  private plot: uPlot | undefined;
  private game: Game | undefined;
  private line: Place[] = [];
  private found: Mistake[] = [];

  constructor(private readonly go: (place: Place) => void) {
    onThemeChange(() => this.draw());
    new ResizeObserver(() => {
      const width = this.chart.clientWidth;
      if (this.plot && width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: HEIGHT });
    }).observe(this.chart);
  }

  /** Shows a game as far as it was looked at. */
  show(game: Game): void {
    this.game = game;
    this.line = game.mainline();
    const isKnown = this.line.some(place => place.review);
    this.element.hidden = !isKnown;
    if (!isKnown) return;
    this.found = mistakes(game);
    this.listMistakes();
    this.draw();
  }

  /** The place that is shown has changed. */
  mark(): void {
    this.plot?.redraw(false, false);
  }

  private data(): uPlot.AlignedData {
    const plies = this.line.map(place => place.ply);
    const known = this.line.map(chances);
    const white = known.map(wdl => (wdl ? wdl[0] / 10 : null));
    const drawn = known.map(wdl => (wdl ? (wdl[0] + wdl[1]) / 10 : null));
    const all = known.map(wdl => (wdl ? 100 : null));
    return [plies, all, drawn, white];
  }

  private draw(): void {
    if (!this.game || this.element.hidden) return;
    const data = this.data();
    if (this.plot && this.plot.root.dataset.theme === document.documentElement.dataset.theme
      && this.plot.data[0].length === data[0].length) {
      this.plot.setData(data, false);
      this.plot.redraw();
      return;
    }
    this.plot?.destroy();
    this.chart.replaceChildren();
    this.plot = new uPlot(this.options(), data, this.chart);
    this.plot.root.dataset.theme = document.documentElement.dataset.theme;
  }

  private options(): uPlot.Options {
    const [text, grid] = [colour('--text-soft'), colour('--line')];
    const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid }, font: '12px system-ui' };
    const series = (label: string, fill: string | (() => CanvasPattern | string)): uPlot.Series => ({
      label, fill: fill as string, stroke: colour('--graph-edge'), width: 1, points: { show: false },
    });
    return {
      width: Math.max(200, this.chart.clientWidth),
      height: HEIGHT,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      // Nothing is dragged here, so every click counts.
      cursor: { drag: { x: false, y: false, click: () => {} }, y: false, points: { show: false } },
      scales: {
        x: { time: false, range: [0, Math.max(1, this.line.length - 1)] },
        y: { range: [0, 100] },
      },
      axes: [
        { ...axis, size: 26, values: (_, ticks) => ticks.map(ply => (ply % 2 === 0 ? this.moveNumber(ply) : '')) },
        { ...axis, size: 54, splits: [0, 25, 50, 75, 100], values: (_, ticks) => ticks.map(tick => `${tick}%`) },
      ],
      series: [
        {},
        series('Black', colour('--black-part')),
        series('Draw', () => hatch()),
        series('White', colour('--white-part')),
      ],
      hooks: {
        draw: [plot => this.drawMarks(plot)],
        ready: [plot => {
          plot.over.addEventListener('click', event => this.click(plot, event));
        }],
      },
    };
  }

  private moveNumber(ply: number): string {
    const place = this.line[ply];
    return place ? String(position(place.fen).fullmoves) : '';
  }

  private click(plot: uPlot, event: MouseEvent): void {
    const ply = Math.round(plot.posToVal(event.offsetX, 'x'));
    const place = this.line[Math.max(0, Math.min(ply, this.line.length - 1))];
    if (place) this.go(place);
  }

  /** Where the game stands, and its mistakes. */
  private drawMarks(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const ratio = devicePixelRatio || 1;
    ctx.save();
    const current = this.game?.current;
    if (current && this.line.includes(current)) {
      const x = plot.valToPos(current.ply, 'x', true);
      ctx.strokeStyle = colour('--accent');
      ctx.lineWidth = 2 * ratio;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    for (const { place, mark } of this.found) {
      if (mark === '?!') continue;
      const wdl = chances(place);
      if (!wdl) continue;
      const x = plot.valToPos(place.ply, 'x', true);
      const y = plot.valToPos((wdl[0] + wdl[1] / 2) / 10, 'y', true);
      ctx.beginPath();
      ctx.arc(x, y, 8 * ratio, 0, 2 * Math.PI);
      ctx.fillStyle = mark === '??' ? '#b3261e' : '#a85b00';
      ctx.fill();
      ctx.strokeStyle = '#fff';
      ctx.lineWidth = 1.5 * ratio;
      ctx.stroke();
      ctx.fillStyle = '#fff';
      ctx.font = `bold ${9 * ratio}px system-ui`;
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      ctx.fillText(mark, x, y);
    }
    ctx.restore();
  }

  private listMistakes(): void {
    this.list.replaceChildren(...this.found.map(({ place, mark, cost, better }) => {
      const before = place.parent;
      const chess = position(before?.fen ?? place.fen);
      const instead = better ? `, better ${san(chess, better)}` : '';
      const words = `${nameOf(mark)}, costs ${percent(cost)}${instead}`;
      return h('li', {}, [
        h('button', { type: 'button', class: `mistake mistake-${nameOf(mark)}` }, [
          h('strong', {}, `${number(chess)} ${place.san}${mark}`),
          h('span', {}, words),
        ], { click: () => this.go(place) }),
      ]);
    }));
  }
}

/** Draws are hatched, so that no colour is needed to tell them apart. */
function hatch(): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 8;
  const ctx = canvas.getContext('2d');
  const base = colour('--draw-part');
  if (!ctx) return base;
  ctx.fillStyle = base;
  ctx.fillRect(0, 0, 8, 8);
  ctx.strokeStyle = colour('--draw-hatch');
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (const shift of [-8, 0, 8]) {
    ctx.moveTo(shift, 8);
    ctx.lineTo(shift + 8, 0);
  }
  ctx.stroke();
  return ctx.createPattern(canvas, 'repeat') ?? base;
}
