import { html } from 'hono/html';
import { networkTitle } from '../../../core/networks.ts';
import { STOP_SCOPES, type StopScope } from '../../../core/payments/outages.ts';
import { mayDo } from '../../../core/admins/admins.ts';
import { listStops } from '../../../db/operator/stops.ts';
import { facts } from '../../../web/components/facts.ts';
import { haltedText } from '../../operator/stops.ts';
import { actionForm, choiceField, moment, records, textField, tick } from './parts.ts';
import type { Shown, Visit } from './visit.ts';

const scopeTitle = (scope: StopScope): string => (scope === 'all' ? 'all networks' : networkTitle(scope, null));

const KINDS = [
  ['signing', 'All signing, sweeps too'],
  ['payments', 'New payments'],
  ['payouts', 'Payouts and refunds'],
] as const;

export async function showStops(visit: Visit): Promise<Shown> {
  const stops = await listStops(visit.store);
  const items = stops.map((stop) => {
    const { reason, network, detail, sinceMs } = stop;
    return html`<h2>${haltedText(stop)} on ${scopeTitle(network)}</h2>
      ${facts([
        { label: 'Reason', value: reason },
        { label: 'Said', value: visit.sight.text(detail), isWide: true },
        { label: 'Since', value: moment(sinceMs) },
      ])}
      ${actionForm(visit, {
        action: 'resume',
        about: { stop: reason, network },
        fields: html`${textField(`why-${reason}-${network}`, 'reason', 'Why it may go on', false)}${tick('I know what happened')}`,
        label: 'Resume',
        what: `${reason} on ${network}`,
      })}`;
  });
  return { title: 'Stops', body: html`${records(items, 'Nothing is stopped.')}${stopCard(visit)}` };
}

function stopCard(visit: Visit) {
  if (!mayDo(visit.admin.role, 'act')) return '';
  return html`<section class="paper letter">
    <h2>Stop</h2>
    <p>What is signed already may still land. Withdrawals from personal wallets go on.</p>
    ${actionForm(visit, {
      action: 'stop',
      fields: html`${choiceField('stop-kind', 'kind', 'What', KINDS)}
        ${choiceField(
          'stop-network',
          'network',
          'Where',
          STOP_SCOPES.toReversed().map((scope) => [scope, scopeTitle(scope)] as const),
        )}
        ${textField('stop-reason', 'reason', 'Why', false)}`,
      label: 'Stop',
    })}
  </section>`;
}
