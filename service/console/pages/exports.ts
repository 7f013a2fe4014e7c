import { html } from 'hono/html';
import { mayDo } from '../../../core/admins/admins.ts';
import { DOWNLOADS } from '../actions/csv-file.ts';
import { choiceField } from './parts.ts';
import type { Shown, Visit } from './visit.ts';

const WHAT = DOWNLOADS.map((what) => [what, what] as const);

export function showExports({ admin, nowMs }: Visit): Shown {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const day = (id: string, label: string) =>
    html`<p class="field"><label for="${id}">${label}</label><input id="${id}" name="${id}" type="date" max="${today}"></p>`;
  const form = html`<form method="post" action="/export.csv">
      ${choiceField('what', 'what', 'What', WHAT)}
      ${day('first', 'First day, in UTC; empty: the beginning')}
      ${day('last', 'Last day; empty: until a minute ago')}
      <button type="submit" class="button quiet small">Download</button>
    </form>`;
  const body = html`<section class="paper letter">
    <p>The ledger: every posting, after the balances before the first day. Its sums are compared with the books first, and no row holds a name.</p>
    <p>Payments, payouts and claims of those days, as the books have them now. They hold names, mail addresses among them: keep such a file as you keep the database.</p>
    ${mayDo(admin.role, 'act') ? form : html`<p class="hint">An operator or owner may download them.</p>`}
  </section>`;
  return { title: 'Exports', body };
}
