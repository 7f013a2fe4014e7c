import type { Context } from 'hono';
import { line } from '../../core/view.ts';
import { dropOtherHolders, endWaitingHolders, leaveWallet } from '../../db/wallets/holders.ts';
import type { PersonWallet, SeenWallet } from '../shared/wallets.ts';
import { formOver, type Desk } from './desk.ts';
import { readOnlyForm } from './forms.ts';
import { noticePage } from './notice-page.ts';
import { pagesOf, readHistory, readWallets, showWallet } from './wallet-reads.ts';
import type { Problem } from './shown.ts';
import { emptyPage, walletsPage } from './wallets-page.ts';

/** What is kept, and the forms on it; `problem` is what one of them had against what was typed. */
export async function answerWallets(
  { deps, site, show }: Desk,
  context: Context,
  holderId: string,
  problem: Problem | null = null,
): Promise<Response> {
  const held = await readWallets(deps, holderId);
  const pages = pagesOf(held);
  const shown =
    problem === null ? Number(context.req.query('page') ?? 1) - 1 : pageWith(pages, problem.problem.walletId);
  const [first] = pages;
  const page = pages[shown] ?? first;
  const platforms = deps.signInPlatforms;
  if (page === undefined) return show(emptyPage(site, platforms));
  const [wallets, history] = await Promise.all([
    Promise.all(page.map((wallet) => showWallet(deps, wallet, holderId))),
    readHistory(deps, held),
  ]);
  const nowMs = deps.clock.now();
  const view = { holderId, nowMs, wallets, pages, shown: pages.indexOf(page), history, problem, platforms };
  return show(walletsPage(site, view), problem === null ? 200 : 400);
}

function pageWith(pages: readonly PersonWallet[][], walletId: string): number {
  return pages.findIndex((page) => page.some((wallet) => wallet.walletId === walletId));
}

/** The wallet that a form names, for a browser that may do with it as it likes; null for one that only looks, or not even that. */
export async function spendableIn(
  { deps }: Pick<Desk, 'deps'>,
  holderId: string,
  walletId: string | undefined,
): Promise<SeenWallet | null> {
  const wallets = await readWallets(deps, holderId);
  const wallet = wallets.find((one) => one.walletId === walletId) ?? null;
  return wallet !== null && wallet.spendsFromMs <= deps.clock.now() ? wallet : null;
}

/** Takes the wallet from all others who have proved the name before, such as a browser that its owner left behind. */
export async function answerOnly(desk: Desk, context: Context, holderId: string): Promise<Response> {
  const { deps, show, refuse } = desk;
  const { store, texts, clock } = deps;
  const form = readOnlyForm(await context.req.parseBody());
  const wallet = await spendableIn(desk, holderId, form?.wallet);
  if (wallet === null) return refuse(400, formOver);
  if (!(await dropOtherHolders(store, { walletId: wallet.walletId, holderId }, clock.now()))) {
    return show(noticePage(texts, line`${texts.walletPage.proveFirst}`), 403);
  }
  return context.redirect('/purse', 303);
}

/** Ends who has come in and may not send yet. It only ever keeps money where it is, so no fresh proof is asked for. */
export async function answerEnd(desk: Desk, context: Context, holderId: string): Promise<Response> {
  const { deps, refuse } = desk;
  const form = readOnlyForm(await context.req.parseBody());
  const wallet = await spendableIn(desk, holderId, form?.wallet);
  if (wallet === null) return refuse(400, formOver);
  await endWaitingHolders(deps.store, { walletId: wallet.walletId, holderId }, deps.clock.now());
  return context.redirect('/purse', 303);
}

/** Also for a browser that only looks: it gives up what it has. */
export async function answerLeave({ deps, show, refuse }: Desk, context: Context, holderId: string): Promise<Response> {
  const { store, texts } = deps;
  const form = readOnlyForm(await context.req.parseBody());
  const wallet = (await readWallets(deps, holderId)).find(({ walletId }) => walletId === form?.wallet);
  if (wallet === undefined || wallet.name === null) return refuse(400, formOver);
  if (!(await leaveWallet(store, { walletId: wallet.walletId, holderId }))) {
    return show(noticePage(texts, line`${texts.purse.leaveLast}`), 400);
  }
  return context.redirect('/purse', 303);
}
