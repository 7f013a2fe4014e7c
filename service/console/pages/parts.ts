import { html } from 'hono/html';
import { shownAddress } from '../../../chain/shown-address.ts';
import { mayDo } from '../../../core/admins/admins.ts';
import type { Html } from '../../../web/html.ts';
import { time } from '../../../web/components/time.ts';
import { ACTIONS, type ActionName } from '../actions/actions.ts';
import { timeText } from '../../operator/text.ts';
import type { Visit } from './visit.ts';

type Wanted = {
  action: ActionName;
  /** What it is about; no admin types it. */
  about?: Readonly<Record<string, string>>;
  /** What the admin fills in. */
  fields?: Html | string;
  label: string;
  /** Read out behind the label, where several of them stand on a page. */
  what?: string;
};

/** Nothing for a role that may not; the server asks again when the form comes. */
export function actionForm(
  { admin }: Pick<Visit, 'admin'>,
  { action, about = {}, fields = '', label, what }: Wanted,
): Html | '' {
  if (!mayDo(admin.role, ACTIONS[action].right)) return '';
  return html`<form method="post" action="/do/${action}">
    ${Object.entries(about).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
    ${fields}
    <button type="submit" class="button quiet small">${label}${
      what === undefined ? '' : html`<span class="visually-hidden"> ${what}</span>`
    }</button>
  </form>`;
}

/** `id` is unique on the page. */
export function textField(id: string, name: string, label: string, isRequired = true): Html {
  return html`<p class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" maxlength="200" autocomplete="off"${
    isRequired ? html` required` : ''
  }></p>`;
}

export function choiceField(
  id: string,
  name: string,
  label: string,
  choices: readonly (readonly [string, string])[],
): Html {
  return html`<p class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${choices.map(
    ([value, title]) => html`<option value="${value}">${title}</option>`,
  )}</select></p>`;
}

/** `what`: read out behind the label, where several of them stand on a page. */
export function tick(label: string, what = ''): Html {
  return html`<label class="check"><input type="checkbox" name="confirmed" value="yes" required> ${label}<span class="visually-hidden"> ${what}</span></label>`;
}

export function moment(atMs: number): Html {
  return time(new Date(atMs), timeText(atMs));
}

/** A list of what there is, or that there is nothing. */
export function records(items: readonly Html[], nothing: string): Html {
  if (items.length === 0) return html`<p class="paper">${nothing}</p>`;
  return html`<ul class="records">${items.map((item) => html`<li class="paper letter">${item}</li>`)}</ul>`;
}

/** As wallets show it. */
export function addressCode(address: string): Html {
  return html`<code>${shownAddress(address)}</code>`;
}

export function searchLink(text: string): Html {
  return html`<a href="/search?q=${encodeURIComponent(text)}">${text}</a>`;
}

export function more(hasMore: boolean, text: string): Html | '' {
  return hasMore ? html`<p class="hint">${text}</p>` : '';
}
