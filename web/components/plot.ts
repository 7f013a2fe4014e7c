import { html } from 'hono/html';
import type { Html } from '../html.ts';

export type PlotBar = {
  /** From 0 to 1, above and below the line. */
  up: number;
  down: number;
  /** From 0 to 1: the height of the curve there. */
  level: number;
};

const [BAR, HALF] = [10, 50];

/** Bars above and below a line, and a curve over them. Its label says what it shows; the numbers stand beside it. */
export function plot(label: string, bars: readonly PlotBar[]): Html {
  const width = bars.length * BAR;
  const curve = bars.map(({ level }, index) => `${index * BAR + BAR / 2},${place(2 * HALF * (1 - level))}`).join(' ');
  return html`<svg class="plot" viewBox="0 0 ${width} ${2 * HALF}" role="img" aria-label="${label}" preserveAspectRatio="none">
    ${bars.map(
      ({ up, down }, index) =>
        html`<rect class="up" x="${index * BAR + 1}" y="${place(HALF * (1 - up))}" width="${BAR - 2}" height="${place(HALF * up)}"/><rect class="down" x="${index * BAR + 1}" y="${HALF}" width="${BAR - 2}" height="${place(HALF * down)}"/>`,
    )}
    <path class="line" d="M0 ${HALF}H${width}"/>
    <polyline class="curve" points="${curve}"/>
  </svg>`;
}

const place = (value: number): string => value.toFixed(2);
