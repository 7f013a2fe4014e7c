import { html } from 'hono/html';
import { networkTitle } from '../../../core/networks.ts';
import { facts } from '../../../web/components/facts.ts';
import { HOW_TO_CHANGE, readLimits } from '../../operator/status.ts';
import { usdcText } from '../../operator/text.ts';
import type { Shown, Visit } from './visit.ts';

/** What is in force, and what is spent of the day's budgets. Nothing is changed here: no command may either. */
export async function showLimits(visit: Visit): Promise<Shown> {
  const { config } = visit;
  const { limits, spent } = await readLimits(visit);
  const { fees } = config;
  const body = html`<section class="paper letter">
      <h2>Today</h2>
      <ul>${spent.map((line) => html`<li>${line}</li>`)}</ul>
    </section>
    <section class="paper letter">
      <h2>In force</h2>
      ${facts([
        ...limits.map(({ label, text }) => ({ label, value: text })),
        { label: 'Networks', value: config.networks.map((network) => networkTitle(network, null)).join(', ') },
        { label: 'Fee', value: `${fees.bps} of 10,000, and ${usdcText(fees.flatMicroUsdc)}` },
        { label: 'Requests of a caller, a minute', value: String(config.limits.requestsPerMinute) },
      ])}
      <p class="hint">${HOW_TO_CHANGE}</p>
    </section>`;
  return { title: 'Limits', body };
}
