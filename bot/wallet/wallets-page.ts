import { html } from 'hono/html';
import { formatUsdcForPeople, microUsdc, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Platform } from '../../core/platforms/platforms.ts';
import { isGuardedAt } from '../../core/wallets/passkeys.ts';
import type { WithdrawalRow } from '../../db/withdrawals/find.ts';
import type { PersonWallet, UnseenWallet } from '../shared/wallets.ts';
import { dollars, largeAmount } from '../../web/components/money.ts';
import { breakable } from '../../web/components/person.ts';
import type { Html } from '../../web/html.ts';
import type { Page } from '../../web/page.ts';
import type { PageSite } from '../shared/page-site.ts';
import { titleOf } from '../shared/shown-person.ts';
import { passkeySection, passkeySignIn, passkeyWaits } from '../passkeys/section.ts';
import { wayOutSection } from '../passkeys/way-out.ts';
import { placesOf, standingOf } from './sessions-section.ts';
import { tipPageSection } from '../tip-pages/section.ts';
import { sendForm } from './sending-form.ts';
import type { ShownWallet, WalletsView } from './shown.ts';
import { moment, withTime } from '../shared/page-times.ts';
import { depositFold, takeOutForm } from './take-out-form.ts';
import { signInLinks } from './sign-in-section.ts';
import { statementOf } from './statement.ts';
import { stateOf } from '../wallets/withdrawal-page.ts';

/** What a person keeps here. Everything that speaks of wallets and networks is behind the one summary that asks for it. */
export function walletsPage(site: PageSite, view: WalletsView): Page {
  const text = site.texts.purse;
  const { wallets, unseen, pages, shown, history, problem, platforms } = view;
  return {
    title: problem === null ? text.title : `${site.texts.walletPage.problemTitle}: ${text.title}`,
    scripts: ['passkey.js'],
    main: html`<div class="page-head"><h1>${text.title}</h1> <a class="standing-link" href="/purse/sign-out">${text.signOut}</a></div>
      ${view.isClosing ? closingNote(site) : ''}
      ${wallets.map((wallet, index) => walletCard(site, view, wallet, index))}
      ${unseen.map((wallet, index) => unseenCard(site, wallet, index))}
      ${pages.length === 1 ? '' : pagesNav(site, pages, shown)}
      ${history.length === 0 ? '' : historyOf(site, history)}
      <p class="hint">${text.keeper(site.site.operator.name)}</p>
      <details class="paper letter"><summary>${text.signInOther}</summary>${signInLinks(site, platforms)}${view.hasPasskeys ? passkeySignIn(site) : ''}</details>`,
  };
}

const closingNote = ({ texts }: PageSite): Html =>
  html`<p class="state" role="status"><strong>${texts.purse.closing}</strong></p>`;

/** To the other pages, by what they show. A link carries their number alone, because an address of a person is in none. */
function pagesNav(site: PageSite, pages: WalletsView['pages'], shown: number): Html {
  const links = pages.map((page, index) =>
    index === shown ? '' : html`<li><a href="/purse?page=${index + 1}">${namesOf(site, page)}</a></li>`,
  );
  return html`<nav aria-label="${site.texts.purse.title}"><ul class="history">${links}</ul></nav>`;
}

function namesOf(site: PageSite, page: readonly PersonWallet[]): string {
  return page.map(({ name }) => titleOf(site, name)).join(' · ');
}

/** For a browser that nothing is kept for: the ways to what is. */
export function emptyPage(site: PageSite, platforms: readonly Platform[], hasPasskeys: boolean): Page {
  const { texts, isPlayMoney } = site;
  const text = texts.purse;
  return {
    title: text.signInTitle,
    scripts: ['passkey.js'],
    main: html`<article class="paper letter">
      <h1>${text.signInTitle}</h1>
      <p>${text.signInLead}</p>
      ${signInLinks(site, platforms)}
      ${hasPasskeys ? passkeySignIn(site) : ''}
      <p class="hint">${text.signInNew}</p>
      ${isPlayMoney ? html`<p class="actions"><a class="button quiet" href="/chat">${texts.walletPage.openChat}</a></p>` : ''}
    </article>`,
  };
}

function walletCard(site: PageSite, view: WalletsView, wallet: ShownWallet, index: number): Html {
  const text = site.texts.purse;
  const { problem, nowMs } = view;
  const isUnknown = wallet.places.some(({ amount }) => amount === null);
  const sum = sumUsdc(wallet.places.flatMap(({ amount }) => amount ?? []));
  const sendProblem = problem?.kind === 'send' && problem.problem.walletId === wallet.walletId ? problem.problem : null;
  const outProblem =
    problem?.kind === 'take_out' && problem.problem.walletId === wallet.walletId ? problem.problem : null;
  const pageProblem =
    problem?.kind === 'tip_page' && problem.problem.walletId === wallet.walletId ? problem.problem : null;
  return html`<section class="paper letter" aria-labelledby="wallet-${index}">
    <h2 id="wallet-${index}">${breakable(titleOf(site, wallet.name))}</h2>
    <p class="balance">${largeAmount(sum)} <span class="unit">USDC</span></p>
    ${wallet.leaving === 0n ? '' : html`<p class="hint">${text.leaving(dollars(wallet.leaving))}</p>`}
    ${isUnknown ? html`<p class="hint">${text.unknown}</p>` : ''}
    ${wallet.waiting === 0n || wallet.name === null ? '' : waitingOf(text, wallet.name, wallet.waiting)}
    ${standingOf(site, wallet, view)}
    ${wallet.spendsFromMs > nowMs ? '' : passkeyWaits(site, { ...wallet, nowMs })}
    ${
      wallet.spendsFromMs > nowMs
        ? ''
        : html`${wallet.lock === null ? sendForm(site, wallet, index, { problem: sendProblem, wish: index === 0 ? view.wish : null }) : ''}
    ${takeOutForm(site, { ...wallet, isGuarded: isGuardedAt(wallet.passkeys, nowMs) }, index, outProblem)}`
    }
    ${statementOf(site, wallet, placeOf(view, wallet))}
    ${
      wallet.spendsFromMs > nowMs
        ? ''
        : html`${depositFold(site, wallet)}
    ${wallet.name === null || !view.hasPasskeys ? '' : lockOf(site, view, wallet)}
    ${tipPageSection(site, { ...wallet, nowMs }, index, pageProblem)}`
    }
    ${placesOf(site, wallet, view)}
  </section>`;
}

/** Among all that the browser holds, from one on. */
function placeOf({ pages }: WalletsView, { walletId }: ShownWallet): number {
  return pages.flat().findIndex((one) => one.walletId === walletId) + 1;
}

/** No passkey is offered inside of an app: it would fail there, or be lost with the app. */
function lockOf(site: PageSite, { isInApp, nowMs }: WalletsView, wallet: ShownWallet): Html {
  const isOffered = !isInApp || wallet.passkeys.length > 0;
  return html`${isOffered ? passkeySection(site, { ...wallet, nowMs }) : ''}
    ${wayOutSection(site, wallet.walletId, isInApp)}`;
}

/** Nothing of the books, which may be those of another owner of the name. */
function unseenCard(site: PageSite, { walletId, name, looksFromMs }: UnseenWallet, index: number): Html {
  const text = site.texts.purse;
  return html`<section class="paper letter" aria-labelledby="unseen-${index}">
    <h2 id="unseen-${index}">${breakable(titleOf(site, name))}</h2>
    <p class="state" role="status"><strong>${text.unseenTitle}</strong> <span>${withTime(site, text.unseenUntil, looksFromMs)}</span></p>
    <form method="post" action="/purse/leave">
      <input type="hidden" name="wallet" value="${walletId}" />
      <button type="submit" class="button quiet small">${text.leave}</button>
    </form>
  </section>`;
}

/** The page where it is collected asks for a name that no link may carry. */
function waitingOf(text: PageSite['texts']['purse'], name: string, waiting: MicroUsdc): Html {
  const [platform = ''] = name.split(':');
  return html`<p class="state"><strong>${text.waits(dollars(waiting))}</strong>
      <span><a href="/claim/${encodeURIComponent(platform)}">${text.collect}</a></span></p>`;
}

function historyOf(site: PageSite, rows: readonly WithdrawalRow[]): Html {
  const text = site.texts.walletPage;
  const isOver = rows.every((row) => stateOf(row) === 'paid');
  return html`<details class="paper letter"${isOver ? '' : html` open`}>
      <summary>${text.history}</summary>
      <ul class="history">${rows.map(
        (row) =>
          html`<li><a href="/purse/withdrawals/${row.id}">$${formatUsdcForPeople(microUsdc(row.amountMicroUsdc))}</a>
            <span>${text.states[stateOf(row)]}</span> ${moment(site, row.createdAtMs, 'day')}</li>`,
      )}</ul>
    </details>`;
}
