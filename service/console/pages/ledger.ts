import { html } from 'hono/html';
import { mayDo } from '../../../core/admins/admins.ts';
import type { Shown, Visit } from './visit.ts';

export function showLedger({ admin, nowMs }: Visit): Shown {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const day = (id: string, label: string) =>
    html`<p class="field"><label for="${id}">${label}</label><input id="${id}" name="${id}" type="date" max="${today}"></p>`;
  const form = html`<form method="post" action="/ledger.csv">
      ${day('first', 'First day, in UTC; empty: the beginning')}
      ${day('last', 'Last day; empty: until a minute ago')}
      <button type="submit" class="button quiet small">Download</button>
    </form>`;
  const body = html`<section class="paper letter">
    <p>Every posting as CSV, after the balances before the first day. Its sums are compared with the books first. No row holds a name.</p>
    ${mayDo(admin.role, 'act') ? form : html`<p class="hint">An operator or owner may download it.</p>`}
  </section>`;
  return { title: 'Ledger', body };
}
