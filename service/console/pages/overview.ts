import { html } from 'hono/html';
import { networkTitle } from '../../../core/networks.ts';
import { OUTAGES } from '../../../core/payments/outages.ts';
import { DOUBTS } from '../../../core/solvency.ts';
import { readBacklog, type Backlog } from '../../../db/payments/backlog.ts';
import { facts } from '../../../web/components/facts.ts';
import type { Html } from '../../../web/html.ts';
import { coinText, readStatus, type Status } from '../../operator/status.ts';
import { stopText } from '../../operator/stops.ts';
import { countText, formerText, usdcText } from '../../operator/text.ts';
import { moment } from './parts.ts';
import type { Shown, Visit } from './visit.ts';

export async function showOverview(visit: Visit): Promise<Shown> {
  const status = await readStatus(visit);
  const backlogOf = await readBacklog(visit.store);
  const body = html`${standing(visit, status)}
    ${status.networks.map((place) => networkCard(place, status, backlogOf(place.network), visit.nowMs))}
    ${status.notCompared.map(
      (network) => html`<section class="paper letter"><h2>${networkTitle(network, null)}</h2>
        <p>Books and chain were not compared yet.</p></section>`,
    )}`;
  return { title: 'Overview', body };
}

/** What an operator has to act on stands first. */
function standing({ sight }: Visit, { stops, alerts, held, networks }: Status): Html {
  const heldCount = held.reduce((sum, { count }) => sum + count, 0);
  const heldSum = held.reduce((sum, { amountMicroUsdc }) => sum + amountMicroUsdc, 0n);
  const unexplained = networks.reduce((sum, { unexplainedCount }) => sum + unexplainedCount, 0);
  return html`<section class="paper letter">
    <h2>Now</h2>
    ${
      stops.length === 0
        ? html`<p class="state"><strong class="good">Nothing is stopped</strong></p>`
        : html`<p class="state"><strong>${countText(stops.length, 'stop')}</strong> <a href="/stops">${sight.text(stops.map(stopText).join('; '))}</a></p>`
    }
    ${alerts.map(({ text }) => html`<p class="state"><strong>${sight.text(text)}</strong></p>`)}
    ${facts([
      {
        label: 'Held payouts',
        value: html`<a href="/held">${countText(heldCount, 'payout')}, ${usdcText(heldSum)}</a>`,
      },
      { label: 'Suspense', value: html`<a href="/suspense">${countText(unexplained, 'transfer')}</a>` },
    ])}
  </section>`;
}

type Place = Status['networks'][number];

function networkCard(place: Place, { standings, formers }: Status, backlog: Backlog, nowMs: number): Html {
  const { network, doubt, block, onChain, assets, liabilities, own, available, comparedAtMs, isServed } = place;
  const found = standings.find((one) => one.network === network);
  const outage = found?.outage ?? null;
  const waits =
    backlog.oldestMs === null ? '' : `, the oldest since ${Math.floor((nowMs - backlog.oldestMs) / 1_000)} s`;
  return html`<section class="paper letter">
    <h2>${networkTitle(network, null)}</h2>
    <p class="state"><strong class="${doubt === null ? 'good' : 'failed'}">${
      doubt === null ? 'Solvent' : `Not shown to be solvent: ${DOUBTS[doubt]}`
    }</strong></p>
    ${outage === null ? '' : html`<p class="state"><strong class="failed">Out: ${OUTAGES[outage]}</strong></p>`}
    ${found?.second === 'left_out' ? html`<p class="state"><strong>Its second node is left out</strong></p>` : ''}
    ${facts([
      { label: 'On the chain', value: usdcText(onChain) },
      { label: 'By the books', value: usdcText(assets) },
      { label: 'Owed', value: usdcText(liabilities) },
      {
        label: 'Float',
        value: isServed
          ? `${usdcText(own)}, ${usdcText(available)} may be spent`
          : `${usdcText(own)}; no worker serves it`,
      },
      { label: 'Unexplained', value: usdcText(place.unexplainedMicroUsdc) },
      { label: 'Lost to reorgs', value: usdcText(place.reorgLoss) },
      { label: 'Waiting', value: `${backlog.waiting}${waits}` },
      { label: 'Settled', value: String(backlog.settled) },
      { label: 'Compared', value: html`block ${block}, ${moment(comparedAtMs)}` },
    ])}
    ${(found?.coins ?? []).map((level) => html`<p>${coinText(network, level)}</p>`)}
    ${formers.filter((one) => one.network === network).map((one) => html`<p>${formerText(one)}</p>`)}
  </section>`;
}
