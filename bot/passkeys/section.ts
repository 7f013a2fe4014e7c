import { html } from 'hono/html';
import { holdsAt, isGuardedAt } from '../../core/wallets/passkeys.ts';
import type { Passkey } from '../../db/wallets/passkeys.ts';
import type { Html } from '../../web/html.ts';
import type { PageSite } from '../shared/page-site.ts';
import { moment, withTime } from '../shared/page-times.ts';

export type ShownPasskeys = { walletId: string; passkeys: readonly Passkey[]; nowMs: number };

/** What waits: a passkey that does not count yet, or one that was given up. Any place that may spend stops it. */
export function passkeyWaits(site: PageSite, { walletId, passkeys, nowMs }: ShownPasskeys): Html | '' {
  const text = site.texts.purse;
  const added = passkeys.find(({ holdsFromMs }) => holdsFromMs > nowMs);
  const ending = passkeys.find(({ endsAtMs }) => endsAtMs !== null);
  const [title, note, atMs] =
    added !== undefined
      ? [text.passkeyWaitTitle, text.passkeyWaitNote, added.holdsFromMs]
      : [text.passkeyEndTitle, text.passkeyEndNote, ending?.endsAtMs ?? null];
  if (atMs === null) return '';
  return html`<div class="state" role="status"><strong>${title}</strong> <span>${withTime(site, note, atMs)}</span>
      <form method="post" action="/purse/end" class="row">
        <input type="hidden" name="wallet" value="${walletId}" />
        <button type="submit" class="button quiet">${text.stopPasskey}</button>
      </form></div>`;
}

/** Offered where there is none; otherwise a list, with the way to add one and to remove one. */
export function passkeySection(site: PageSite, shown: ShownPasskeys): Html {
  const text = site.texts.purse;
  const { passkeys, nowMs } = shown;
  if (passkeys.length === 0) {
    return html`<details class="needs-passkey">
      <summary>${text.passkeyOffer}</summary>
      <p>${text.passkeyOfferNote}</p>
      ${addForm(site, shown)}
    </details>`;
  }
  return html`<details>
      <summary>${text.passkeys(passkeys.length)}</summary>
      <p>${text.passkeyOfferNote}</p>
      <ul class="places">${passkeys.map((passkey) => passkeyLine(site, passkey, shown))}</ul>
      ${isGuardedAt(passkeys, nowMs) ? html`<p class="hint">${text.passkeyMore}</p>` : ''}
      <div class="needs-passkey">${addForm(site, shown)}</div>
    </details>`;
}

function addForm({ texts: { purse: text } }: PageSite, { walletId }: ShownPasskeys): Html {
  return html`<form method="post" action="/purse/passkeys/add" data-passkey="create">
        <p class="alert" role="alert" hidden>${text.passkeyFailed}</p>
        <input type="hidden" name="for" value="add" />
        <input type="hidden" name="wallet" value="${walletId}" />
        <input type="hidden" name="signed" value="" />
        <button type="submit" class="button quiet">${text.addPasskey}</button>
      </form>`;
}

function passkeyLine(site: PageSite, passkey: Passkey, { walletId, nowMs }: ShownPasskeys): Html {
  const text = site.texts.purse;
  const { id, createdAtMs, holdsFromMs, endsAtMs } = passkey;
  const [before = '', after = ''] = text.passkeySince.split('{time}');
  const state =
    holdsFromMs > nowMs
      ? html`, ${withTime(site, text.passkeyFrom, holdsFromMs)}`
      : endsAtMs === null
        ? ''
        : html`, ${withTime(site, text.passkeyUntil, endsAtMs)}`;
  const fields = html`<input type="hidden" name="for" value="end" />
        <input type="hidden" name="wallet" value="${walletId}" />
        <input type="hidden" name="passkey" value="${id}" />
        <input type="hidden" name="signed" value="" />`;
  return html`<li><p>${before}${moment(site, createdAtMs, 'day')}${after}${state}</p>
      ${
        holdsAt(passkey, nowMs)
          ? html`<form method="post" action="/purse/passkeys/end" data-passkey="get" class="needs-passkey">
        <p class="alert" role="alert" hidden>${text.passkeyFailed}</p>
        ${fields}
        <button type="submit" class="button quiet small">${text.endPasskey}</button>
      </form>`
          : ''
      }
      ${
        endsAtMs !== null
          ? ''
          : html`<form method="post" action="/purse/passkeys/end">
        ${fields}
        <button type="submit" class="button quiet small">${holdsFromMs > nowMs ? text.endPasskey : text.endWithout}</button>
      </form>`
      }</li>`;
}

/** Where money is kept already, a passkey alone signs in. */
export function passkeySignIn({ texts: { purse: text } }: PageSite): Html {
  return html`<form method="post" action="/purse/passkeys/open" data-passkey="get" class="needs-passkey">
      <p class="alert" role="alert" hidden>${text.passkeyFailed}</p>
      <input type="hidden" name="for" value="open" />
      <input type="hidden" name="signed" value="" />
      <button type="submit" class="button quiet wide">${text.signInPasskey}</button>
    </form>`;
}
