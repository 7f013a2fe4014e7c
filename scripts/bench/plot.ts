import { figuresOf, formatNumber, type Figure } from './figures.ts';
import type { Result } from './results.ts';

const WIDTH = 900;
const LEFT = 380;
const RIGHT = 70;
const LINE = 20;
const TOP = 48;
/** Least and most of the axis, which grows where a figure lies beyond it. */
const AXIS = [0.1, 10] as const;

type Bar = { name: string; figure: Figure & { ratio: NonNullable<Figure['ratio']> } };

/**
 * Each figure that has another beside it, as a multiple of that on a logarithmic axis: a dot at the median, a line from the
 * least round to the most. Green is where ours is the better one.
 */
export function plotOf(results: readonly Result[]): string {
  const bars: Bar[] = results.flatMap(({ name, rounds }) =>
    figuresOf(rounds.map(({ samples }) => samples)).flatMap((figure) =>
      figure.ratio !== null && figure.ratio.least > 0 ? [{ name, figure: { ...figure, ratio: figure.ratio } }] : [],
    ),
  );
  const ratios = bars.flatMap(({ figure: { ratio } }) => [ratio.least, ratio.most]);
  const [least, most] = [Math.min(AXIS[0], ...ratios), Math.max(AXIS[1], ...ratios)];
  const x = (ratio: number) =>
    LEFT + ((Math.log(ratio) - Math.log(least)) / (Math.log(most) - Math.log(least))) * (WIDTH - LEFT - RIGHT);
  const height = TOP + bars.length * LINE + 16;
  const ticks = [0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100].filter((tick) => tick >= least && tick <= most);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="12" y="20" font-size="14" fill="#111">Our figure as a multiple of what runs beside it; green: ours is better</text>`,
    ...ticks.map((tick) => gridLine(x(tick), tick, height)),
    ...bars.map((bar, index) => barOf(bar, TOP + index * LINE + LINE / 2, x)),
    '</svg>',
    '',
  ].join('\n');
}

function gridLine(x: number, tick: number, height: number): string {
  const color = tick === 1 ? '#555' : '#ddd';
  return (
    `<line x1="${x.toFixed(1)}" y1="${TOP - 4}" x2="${x.toFixed(1)}" y2="${height - 8}" stroke="${color}"/>` +
    `<text x="${x.toFixed(1)}" y="${TOP - 8}" text-anchor="middle" fill="#555">${formatNumber(tick)}</text>`
  );
}

function barOf(
  { name, figure: { what, better, beside, ratio } }: Bar,
  y: number,
  x: (ratio: number) => number,
): string {
  const isBetter = better === 'more' ? ratio.median > 1 : ratio.median < 1;
  const color = isBetter ? '#1a7f4b' : '#c0392b';
  const [from, to] = [x(ratio.least).toFixed(1), x(ratio.most).toFixed(1)];
  return [
    `<text x="${LEFT - 10}" y="${y + 4}" text-anchor="end" fill="#111">${escaped(`${name}: ${what} (${beside?.name})`)}</text>`,
    `<line x1="${from}" y1="${y}" x2="${to}" y2="${y}" stroke="${color}" stroke-width="3" stroke-linecap="round"/>`,
    `<circle cx="${x(ratio.median).toFixed(1)}" cy="${y}" r="5" fill="${color}"/>`,
    `<text x="${WIDTH - RIGHT + 12}" y="${y + 4}" fill="#111">${formatNumber(ratio.median)} ×</text>`,
  ].join('');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
