import { html } from 'hono/html';
import { networkTitle } from '../../../core/networks.ts';
import { facts } from '../../../web/components/facts.ts';
import { mailsText, readStatus, spentText } from '../../operator/status.ts';
import { usdcText } from '../../operator/text.ts';
import type { Shown, Visit } from './visit.ts';

/** What is spent of the day's budgets, and the limits of this process's settings. */
export async function showLimits(visit: Visit): Promise<Shown> {
  const { config } = visit;
  const { costsToday, mailsToday } = await readStatus(visit);
  const { limits, fees } = config;
  const most = limits.purseMaxMicroUsdc;
  const body = html`<section class="paper letter">
      <h2>Today</h2>
      <ul>${costsToday.map((spent) => html`<li>${spentText(spent, config.costs[spent.network])}</li>`)}
      <li>${mailsText(mailsToday, limits.mailsDailyMax)}</li></ul>
    </section>
    <section class="paper letter">
      <h2>Settings</h2>
      ${facts([
        { label: 'Networks', value: config.networks.map((network) => networkTitle(network, null)).join(', ') },
        { label: 'A payer, a day', value: usdcText(limits.payerDailyMicroUsdc) },
        { label: 'A recipient, a day', value: usdcText(limits.recipientDailyMicroUsdc) },
        { label: 'Paid out before its block is safe', value: usdcText(limits.exposureCapMicroUsdc) },
        { label: 'Least refund', value: usdcText(limits.refundMinMicroUsdc) },
        { label: 'Kept for one person', value: most === null ? 'without a limit' : usdcText(most) },
        { label: 'Fee', value: `${fees.bps} of 10,000, and ${usdcText(fees.flatMicroUsdc)}` },
        { label: 'Requests of a caller, a minute', value: String(limits.requestsPerMinute) },
      ])}
      <p class="hint">They are changed in the environment of the service.</p>
    </section>`;
  return { title: 'Limits', body };
}
