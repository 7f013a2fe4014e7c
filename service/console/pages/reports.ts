import { html } from 'hono/html';
import { openReports } from '../../../db/reports/reports.ts';
import { facts } from '../../../web/components/facts.ts';
import { shownReport } from '../../operator/held.ts';
import { usdcText } from '../../operator/text.ts';
import { actionForm, moment, more, records, searchLink, textField } from './parts.ts';
import type { Shown, Visit } from './visit.ts';

const SHOWN_MAX = 100;

export async function showReports(visit: Visit): Promise<Shown> {
  const { sight } = visit;
  const found = await openReports(visit.store, SHOWN_MAX + 1);
  const reports = await Promise.all(found.slice(0, SHOWN_MAX).map((report) => shownReport(visit, report)));
  const items = reports.map(
    ({
      id,
      kind,
      subject,
      reason,
      words,
      createdAtMs,
      payment,
    }) => html`<h2>${kind === 'payment' ? 'A payment' : 'A tip page'}: ${reason}</h2>
      ${facts([
        {
          label: 'About',
          value: kind === 'payment' ? searchLink(subject) : html`<code>${sight.text(subject)}</code>`,
          isWide: true,
        },
        payment === null
          ? null
          : {
              label: 'Payment',
              value: `${usdcText(payment.amountMicroUsdc)} for ${sight.text(payment.recipient)}`,
              isWide: true,
            },
        words === null ? null : { label: 'They wrote', value: sight.words(words), isWide: true },
        { label: 'Reported', value: moment(createdAtMs) },
      ])}
      <div class="forms">
      ${actionForm(visit, {
        action: 'close-report',
        about: { report: id },
        fields: textField(`close-${id}`, 'reason', 'What came of it'),
        label: 'Close',
        what: id,
      })}
      ${
        kind === 'payment'
          ? ''
          : actionForm(visit, {
              action: 'bar-page',
              about: { person: subject },
              fields: textField(`bar-${id}`, 'reason', 'Why the page goes for good'),
              label: 'Take it away',
              what: subject,
            })
      }</div>`,
  );
  return {
    title: 'Reports',
    body: html`${records(items, 'Nothing is reported.')}${more(found.length > SHOWN_MAX, 'There are more; these are the oldest.')}`,
  };
}
