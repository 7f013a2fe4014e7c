import type { Context } from 'hono';
import { line } from '../../core/view.ts';
import { RAISE_WAIT_MS } from '../../core/wallets/spending-limits.ts';
import { closingSince } from '../../db/closing/begin.ts';
import { dropOtherHolders, endWaitingHolders } from '../../db/wallets/holders.ts';
import { leaveOne } from '../../db/chats/sign-out.ts';
import { endLocks, idsOfPerson } from '../../db/wallets/spending-locks.ts';
import { readBrowser } from '../../web/browser.ts';
import { walletsUnseen, type PersonWallet, type SeenWallet } from '../shared/wallets.ts';
import { formOver, type Visit } from './visit.ts';
import { handedPage } from './sign-out.ts';
import { readOnlyForm, readWish } from './forms.ts';
import { noticePage } from './notice-page.ts';
import { pagesOf, readHistory, readWallets, showWallet } from './wallet-reads.ts';
import { changeTipPage, readTipPageForm } from '../tip-pages/change.ts';
import type { Problem, SendWish, ShownWallet } from './shown.ts';
import { emptyPage, walletsPage } from './wallets-page.ts';

/** What is kept, and the forms on it; `problem` is what one of them had against what was typed. */
export async function answerWallets(
  { deps, site, show }: Visit,
  context: Context,
  holderId: string,
  problem: Problem | null = null,
  wish: SendWish | null = null,
): Promise<Response> {
  const nowMs = deps.clock.now();
  const [held, unseen] = await Promise.all([readWallets(deps, holderId), walletsUnseen(deps.store, holderId, nowMs)]);
  const pages = held.length === 0 && unseen.length > 0 ? [[]] : pagesOf(held);
  const shown =
    problem === null ? Number(context.req.query('page') ?? 1) - 1 : pageWith(pages, problem.problem.walletId);
  const [first] = pages;
  const page = pages[shown] ?? first;
  const platforms = deps.signInPlatforms;
  if (page === undefined) return show(emptyPage(site, platforms, deps.passkeys !== null));
  const [wallets, history] = await Promise.all([
    Promise.all(page.map((wallet) => showWallet(deps, wallet, holderId))),
    readHistory(deps, held),
  ]);
  const view = {
    holderId,
    nowMs,
    wallets: withoutUnused(wallets, problem),
    unseen,
    pages,
    shown: pages.indexOf(page),
    history,
    problem,
    platforms,
    wish,
  };
  const hasPasskeys = deps.passkeys !== null;
  const isClosing = (await closingSince(deps.store)) !== null;
  const { isInApp } = readBrowser(context.req.header('user-agent') ?? '', deps.publicUrl);
  return show(walletsPage(site, { ...view, hasPasskeys, isInApp, isClosing }), problem === null ? 200 : 400);
}

/**
 * The browser's own money is left out while it was never used and other money is here: people who came by a link know no chat.
 * Once something has been put in, by the chat, it is shown.
 */
function withoutUnused(wallets: readonly ShownWallet[], problem: Problem | null): readonly ShownWallet[] {
  const hasMoney = wallets.some(
    ({ name, places }) => name !== null && places.some(({ amount }) => (amount ?? 0n) > 0n),
  );
  if (!hasMoney) return wallets;
  return wallets.filter(
    ({ walletId, name, places, statement }) =>
      name !== null ||
      problem?.problem.walletId === walletId ||
      statement.length > 0 ||
      places.some(({ amount }) => amount !== 0n),
  );
}

function pageWith(pages: readonly PersonWallet[][], walletId: string): number {
  return pages.findIndex((page) => page.some((wallet) => wallet.walletId === walletId));
}

/** The wallet that a form names, for a browser that may do with it as it likes; null for one that only looks, or not even that. */
export async function spendableIn(
  { deps }: Pick<Visit, 'deps'>,
  holderId: string,
  walletId: string | undefined,
): Promise<SeenWallet | null> {
  const wallets = await readWallets(deps, holderId);
  const wallet = wallets.find((one) => one.walletId === walletId) ?? null;
  return wallet !== null && wallet.spendsFromMs <= deps.clock.now() ? wallet : null;
}

/** Takes the wallet from all others who have proved the name before, such as a browser that its owner left behind. */
export async function answerOnly(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, show, refuse } = visit;
  const { store, texts, clock } = deps;
  const form = readOnlyForm(await context.req.parseBody());
  const wallet = await spendableIn(visit, holderId, form?.wallet);
  if (wallet === null) return refuse(400, formOver);
  if (!(await dropOtherHolders(store, { walletId: wallet.walletId, holderId }, clock.now()))) {
    return show(noticePage(texts, line`${texts.walletPage.proveFirst}`), 403);
  }
  return context.redirect('/purse', 303);
}

/** Ends who has come in and may not send yet. It only ever keeps money where it is, so who kept it needs no fresh proof. */
export async function answerEnd(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { deps, show, refuse } = visit;
  const { texts } = deps;
  const form = readOnlyForm(await context.req.parseBody());
  const wallet = await spendableIn(visit, holderId, form?.wallet);
  if (wallet === null) return refuse(400, formOver);
  const ended = await endWaitingHolders(deps.store, { walletId: wallet.walletId, holderId }, deps.clock.now());
  if (ended === null) return show(noticePage(texts, line`${texts.walletPage.proveFirst}`), 403);
  return context.redirect('/purse', 303);
}

/** From the form that sends to a name, on a page of everyone's: it fills the form here, and sends nothing. */
export async function answerWish(visit: Visit, context: Context, holderId: string): Promise<Response> {
  return answerWallets(visit, context, holderId, null, readWish(await context.req.parseBody()));
}

/** Puts a page under the name that this money is kept for, or takes it away. */
export async function answerTipPage(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const form = readTipPageForm(await context.req.parseBody());
  const wallet = await spendableIn(visit, holderId, form?.wallet);
  if (form === null || wallet === null) return visit.refuse(400, formOver);
  const changed = await changeTipPage(visit.deps, wallet, form);
  if (changed.kind === 'impossible') return visit.refuse(400, formOver);
  if (changed.kind === 'done') return context.redirect('/purse', 303);
  return answerWallets(visit, context, holderId, { kind: 'tip_page', problem: changed.problem });
}

/** Also for a browser that only looks, or not even that: it gives up what it has. */
export async function answerLeave(
  { deps, site, show, refuse }: Visit,
  context: Context,
  holderId: string,
): Promise<Response> {
  const { store, texts } = deps;
  const nowMs = deps.clock.now();
  const form = readOnlyForm(await context.req.parseBody());
  const [seen, unseen] = await Promise.all([readWallets(deps, holderId), walletsUnseen(store, holderId, nowMs)]);
  const wallet = [...seen, ...unseen].find(({ walletId }) => walletId === form?.wallet);
  if (wallet === undefined || wallet.name === null) return refuse(400, formOver);
  const parting = await leaveOne(store, { walletId: wallet.walletId, holderId }, nowMs);
  if (parting.kind === 'last') return show(noticePage(texts, line`${texts.purse.leaveLast}`), 400);
  if (parting.kind === 'handed') return show(handedPage(site, { name: wallet.name, fromMs: parting.fromMs }), 400);
  return context.redirect('/purse', 303);
}

/** Sets the end of what locks it, as `/unlock` does in a chat. An end that is set already stays. */
export async function answerUnlock(visit: Visit, context: Context, holderId: string): Promise<Response> {
  const { store, clock } = visit.deps;
  const form = readOnlyForm(await context.req.parseBody());
  const wallet = await spendableIn(visit, holderId, form?.wallet);
  if (wallet === null) return visit.refuse(400, formOver);
  const nowMs = clock.now();
  await endLocks(store, await idsOfPerson(store, holderId, nowMs), { untilMs: nowMs + RAISE_WAIT_MS, nowMs });
  return context.redirect('/purse', 303);
}
