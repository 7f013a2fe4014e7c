import { html } from 'hono/html';
import { networkTitle, type Network } from '../../../core/networks.ts';
import { DAY_MS, readFlows, type DayFlow } from '../../../db/stories/flows.ts';
import { plot } from '../../../web/components/plot.ts';
import type { Html } from '../../../web/html.ts';
import { usdcText } from '../../operator/text.ts';
import { records } from './parts.ts';
import type { Shown, Visit } from './visit.ts';

const DAYS = 30;

export async function showFlows({ store, nowMs }: Visit): Promise<Shown> {
  const flows = await readFlows(store, nowMs, DAYS);
  const items = [...flows].map(([network, days]) => networkFlows(network, days));
  return { title: 'Flows', body: records(items, 'Nothing has come in yet.') };
}

function networkFlows(network: Network, days: readonly DayFlow[]): Html {
  const title = networkTitle(network, null);
  const most = days.reduce((max, day) => bigger(max, bigger(day.inMicroUsdc, day.outMicroUsdc)), 1n);
  const highest = days.reduce((max, { endMicroUsdc }) => bigger(max, endMicroUsdc), 1n);
  const bars = days.map(({ inMicroUsdc, outMicroUsdc, endMicroUsdc }) => ({
    up: share(inMicroUsdc, most),
    down: share(outMicroUsdc, most),
    level: share(endMicroUsdc, highest),
  }));
  const sumOf = (which: 'inMicroUsdc' | 'outMicroUsdc') => usdcText(days.reduce((sum, day) => sum + day[which], 0n));
  const label = `${title}: in, out and the balance of each of ${days.length} days`;
  return html`<h2>${title}</h2>
    ${plot(label, bars)}
    <p>In ${sumOf('inMicroUsdc')} (bars up, at most ${usdcText(most)} a day), out ${sumOf('outMicroUsdc')} (bars down); the curve is the
      balance, at most ${usdcText(highest)}.</p>
    <details><summary>The numbers</summary><ul>${days
      .filter((day) => day.inMicroUsdc > 0n || day.outMicroUsdc > 0n)
      .toReversed()
      .map(
        ({ day, inMicroUsdc, outMicroUsdc, endMicroUsdc }) =>
          html`<li>${new Date(day * DAY_MS).toISOString().slice(0, 10)}: in ${usdcText(inMicroUsdc)}, out ${usdcText(outMicroUsdc)}, at its end ${usdcText(endMicroUsdc)}</li>`,
      )}</ul></details>`;
}

const bigger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** For a picture, in thousandths: no sum is made of it. */
function share(part: bigint, whole: bigint): number {
  return Number((bigger(part, 0n) * 1_000n) / whole) / 1_000;
}
