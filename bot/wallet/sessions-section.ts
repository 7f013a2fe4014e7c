import { html } from 'hono/html';
import { ZERO_USDC } from '../../core/money.ts';
import { findPlatform, platformRow } from '../../core/platforms/platforms.ts';
import { isGuardedAt } from '../../core/wallets/passkeys.ts';
import { partingOf } from '../../core/wallets/holder-wait.ts';
import type { Session } from '../../db/wallets/holders.ts';
import { isLeft } from '../../db/chats/sign-out.ts';
import { dollars } from '../../web/components/money.ts';
import type { Html } from '../../web/html.ts';
import type { PageSite } from '../shared/page-site.ts';
import { moment, withTime } from '../shared/page-times.ts';
import type { ShownWallet, WalletsView } from './shown.ts';

type Reader = Pick<WalletsView, 'holderId' | 'nowMs'>;

/** Shown first: that this browser only looks, or that another place was signed in to. */
export function standingOf(site: PageSite, wallet: ShownWallet, { nowMs }: Reader): Html | '' {
  const text = site.texts.purse;
  const { spendsFromMs } = wallet;
  if (spendsFromMs > nowMs) {
    const until = isGuardedAt(wallet.passkeys, spendsFromMs) ? text.looksUntilGuarded : text.looksUntil;
    return html`<p class="state" role="status"><strong>${text.looksTitle}</strong> <span>${withTime(site, until, spendsFromMs)}</span></p>`;
  }
  return html`${lockOf(site, wallet)}${newcomersOf(site, wallet, nowMs)}`;
}

/** A lock stops sending only. It ends a while after its end was asked for, because a stranger could ask for it too. */
function lockOf(site: PageSite, { walletId, lock }: ShownWallet): Html | '' {
  const text = site.texts.purse;
  if (lock === null) return '';
  if (lock.untilMs !== null) {
    return html`<p class="state" role="status"><strong>${text.lockedTitle}</strong> <span>${withTime(site, text.lockedUntil, lock.untilMs)}</span></p>`;
  }
  return html`<div class="state" role="status"><strong>${text.lockedTitle}</strong> <span>${text.lockedNote}</span>
      <form method="post" action="/purse/unlock" class="row">
        <input type="hidden" name="wallet" value="${walletId}" />
        <button type="submit" class="button quiet">${text.unlock}</button>
      </form></div>`;
}

function newcomersOf(site: PageSite, wallet: ShownWallet, nowMs: number): Html | '' {
  const text = site.texts.purse;
  const { walletId, sessions } = wallet;
  const newcomers = sessions.filter(({ fromMs }) => fromMs > nowMs);
  const [first] = newcomers.toSorted((a, b) => a.fromMs - b.fromMs);
  if (first === undefined) return '';
  const until = isGuardedAt(wallet.passkeys, first.fromMs) ? text.newcomerUntilGuarded : text.newcomerUntil;
  return html`<div class="state" role="status"><strong>${text.newcomerTitle(newcomers.length)}</strong> <span>${withTime(site, until, first.fromMs)}</span>
      <form method="post" action="/purse/end" class="row">
        <input type="hidden" name="wallet" value="${walletId}" />
        <button type="submit" class="button quiet">${text.endNewcomers}</button>
      </form></div>`;
}

/** Where it is open, and how to close it: here, or everywhere else. */
export function placesOf(site: PageSite, wallet: ShownWallet, reader: Reader): Html | '' {
  const { purse: text, walletPage } = site.texts;
  const { walletId, name, isFreshlyProven, spendsFromMs } = wallet;
  if (name === null) return '';
  const sessions = wallet.sessions.filter((session) => !isLeft(session));
  const others = sessions.filter(({ holderId }) => holderId !== reader.holderId);
  const [platform = ''] = name.split(':');
  return html`<details>
      <summary>${text.places(sessions.length)}</summary>
      <ul class="history">${sessions.map((session) => sessionLine(site, session, { ...reader, passkeys: wallet.passkeys }))}</ul>
      ${leaveOf(site, { ...wallet, sessions }, reader)}
      ${others.length === 0 || spendsFromMs > reader.nowMs ? '' : onlyHere(walletPage, { walletId, platform, isFreshlyProven })}
    </details>`;
}

function leaveOf(
  site: PageSite,
  { walletId, sessions, unsigned }: Pick<ShownWallet, 'walletId' | 'sessions' | 'unsigned'>,
  { holderId, nowMs }: Reader,
): Html {
  const text = site.texts.purse;
  const parting = partingOf(timesIn(sessions), holderId, nowMs);
  if (parting.kind === 'last') return html`<p class="hint">${text.leaveLast}</p>`;
  if (parting.kind === 'handed') return html`<p class="hint">${withTime(site, text.signOutHanded, parting.fromMs)}</p>`;
  return html`<form method="post" action="/purse/leave">
        ${unsigned === ZERO_USDC ? '' : html`<p class="hint">${text.signOutCallsOff(dollars(unsigned))}</p>`}
        <input type="hidden" name="wallet" value="${walletId}" />
        <button type="submit" class="button quiet small">${text.leave}</button>
      </form>`;
}

const timesIn = (sessions: readonly Session[]) =>
  sessions.map(({ holderId, fromMs: spendsFromMs }) => ({ holderId, spendsFromMs }));

function sessionLine(
  site: PageSite,
  { holderId, sinceMs, fromMs }: Session,
  { holderId: own, nowMs, passkeys }: Reader & Pick<ShownWallet, 'passkeys'>,
): Html {
  const text = site.texts.purse;
  const platform = findPlatform(holderId.slice(0, holderId.indexOf(':')));
  const there = platform === null ? text.otherBrowser : text.account(platformRow(platform).title);
  const from = isGuardedAt(passkeys, fromMs) ? text.laterFromGuarded : text.laterFrom;
  const later = fromMs > nowMs ? html`, ${withTime(site, from, fromMs)}` : '';
  const [before = '', after = ''] = text.since.split('{time}');
  return html`<li><strong>${holderId === own ? text.thisBrowser : there}</strong> <span>${before}${moment(site, sinceMs, 'day')}${after}${later}</span></li>`;
}

type Only = { walletId: string; platform: string; isFreshlyProven: boolean };

/** Names are written `x:alice`; their page asks for the rest, because an address of a person is in no link. */
function onlyHere(text: PageSite['texts']['walletPage'], { walletId, platform, isFreshlyProven }: Only): Html {
  if (isFreshlyProven) {
    return html`<p>${text.othersIntro}</p>
      <form method="post" action="/purse/only">
        <input type="hidden" name="wallet" value="${walletId}" />
        <button type="submit" class="button quiet small">${text.onlyHere}</button>
      </form>`;
  }
  return html`<p>${text.othersIntro}</p><p>${text.proveFirst}</p>
      <p class="actions"><a class="button quiet small" href="/claim/${encodeURIComponent(platform)}?for=purse">${text.proveAgain}</a></p>`;
}
