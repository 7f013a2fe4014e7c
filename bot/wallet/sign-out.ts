import type { Context } from 'hono';
import { html } from 'hono/html';
import { ZERO_USDC, type MicroUsdc } from '../../core/money.ts';
import { partingOf, type Standing } from '../../core/wallets/holder-wait.ts';
import { unsignedSum } from '../../db/withdrawals/cancel.ts';
import { comingBack, heldBy, signOut } from '../../db/chats/sign-out.ts';
import { alert, stepHeading } from '../../web/components/alert.ts';
import { dollars } from '../../web/components/money.ts';
import type { Page } from '../../web/page.ts';
import { isGuarded } from '../passkeys/signed.ts';
import type { PageSite } from '../shared/page-site.ts';
import { withTime } from '../shared/page-times.ts';
import { titleOf } from '../shared/shown-person.ts';
import { forgetVisitor } from '../web/visitor.ts';
import type { Visit } from './visit.ts';
import { readWallets } from './wallet-reads.ts';

const HOUR_MS = 3_600_000;

/** Asked for once more, because who comes back by the name alone may have to wait. */
export async function askSignOut({ deps, site, show }: Visit, _context: Context, holderId: string): Promise<Response> {
  const nowMs = deps.clock.now();
  const [held, wallets] = await Promise.all([heldBy(deps.store, holderId), readWallets(deps, holderId)]);
  const partings = held.map((places) => ({ ...partingOf(places, holderId, nowMs), walletId: places[0]?.walletId }));
  for (const parting of partings) {
    const name = wallets.find(({ walletId }) => walletId === parting.walletId)?.name ?? null;
    if (parting.kind === 'handed') return show(handedPage(site, { name, fromMs: parting.fromMs }));
  }
  const walletIds = held.flatMap(([place]) => place?.walletId ?? []);
  const unsigned = await unsignedSum(deps.store, { holderId, walletIds });
  const isLast = (walletId: string) => partings.some((one) => one.kind === 'last' && one.walletId === walletId);
  const back = await Promise.all(
    walletIds.filter(isLast).map(async (walletId) => {
      const standing = await comingBack(deps.store, { walletId, holderId }, nowMs);
      return { ...standing, isGuarded: await isGuarded(deps, walletId, standing.spendsFromMs) };
    }),
  );
  const wait = waitOf(back, nowMs);
  return show(signOutPage(site, { wait, unsigned, hasOwn: wallets.some(({ name }) => name === null) }));
}

type Return = Standing & { isGuarded: boolean };

/** The longest of them, where there are several; of two as long, the one that a passkey guards. */
function waitOf(back: readonly Return[], nowMs: number): Loss['wait'] {
  const [longest] = back.toSorted(
    (a, b) => b.spendsFromMs - a.spendsFromMs || Number(b.isGuarded) - Number(a.isGuarded),
  );
  if (longest === undefined) return null;
  const { spendsFromMs, looksFromMs } = longest;
  const hours = String((spendsFromMs - nowMs) / HOUR_MS);
  return { hours, isSeen: looksFromMs <= nowMs, isGuarded: longest.isGuarded };
}

/** The cookie goes as well: what it opened is given up already, so one that was copied before opens nothing either. */
export async function answerSignOut({ deps }: Visit, context: Context, holderId: string): Promise<Response> {
  const { store, clock, random, isSecure } = deps;
  if (!(await signOut(store, holderId, { random, nowMs: clock.now() }))) {
    return context.redirect('/purse/sign-out', 303);
  }
  forgetVisitor(context, isSecure);
  return context.redirect('/purse', 303);
}

/** For the last place of money that a newcomer may send later; the button that ends them is beside that money. */
export function handedPage(site: PageSite, { name, fromMs }: { name: string | null; fromMs: number }): Page {
  const text = site.texts.purse;
  return {
    title: text.signOutTitle,
    main: html`<article class="paper letter">
      <h1>${text.signOutTitle}</h1>
      <p>${titleOf(site, name)}</p>
      ${alert(withTime(site, text.signOutHanded, fromMs))}
      <p class="actions"><a class="button quiet" href="/purse">${text.back}</a></p>
    </article>`,
  };
}

/** `wait`: of the last place, until it may send again; `isSeen`: and sees it before. */
type Loss = {
  wait: { hours: string; isSeen: boolean; isGuarded: boolean } | null;
  unsigned: MicroUsdc;
  hasOwn: boolean;
};

function signOutPage({ texts }: PageSite, { wait, unsigned, hasOwn }: Loss): Page {
  const text = texts.purse;
  return {
    title: text.signOutTitle,
    main: html`<article class="paper letter">
      ${stepHeading(text.signOutTitle, false)}
      <p class="lead">${text.signOutNote}</p>
      ${wait === null ? '' : html`<p>${text.signOutLast(wait.hours, wait.isSeen, wait.isGuarded)}</p>`}
      ${unsigned === ZERO_USDC ? '' : html`<p>${text.signOutCallsOff(dollars(unsigned))}</p>`}
      ${hasOwn ? html`<p>${text.signOutPlay}</p>` : ''}
      <form method="post" action="/purse/signed-out" class="row">
        <button type="submit" class="button">${text.signOut}</button>
        <a class="button quiet" href="/purse">${text.back}</a>
      </form>
    </article>`,
  };
}
