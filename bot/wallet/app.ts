import { Hono, type Context } from 'hono';
import { pressButton } from '../../db/chats/buttons.ts';
import { dropOtherHolders } from '../../db/wallets/holders.ts';
import { callOff } from '../../db/withdrawals/cancel.ts';
import { line } from '../../core/view.ts';
import type { RateLimits } from '../../queue/rate-limiter.ts';
import type { Runner } from '../../queue/runner.ts';
import { newButtonId } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { openFile } from '../conversation/files.ts';
import { findLanguage } from '../../core/languages.ts';
import type { Texts } from '../../texts/en.ts';
import { answerPage } from '../../web/answer.ts';
import { createAssets } from '../../web/assets.ts';
import { withPrivatePages } from '../../web/headers.ts';
import { onlyOwnForm, smallForm } from '../../web/own-page.ts';
import type { Operator, Page, Site } from '../../web/page.ts';
import { pageSiteOf, type PageSite } from '../shared/page-site.ts';
import type { PersonWallet } from '../shared/wallets.ts';
import { askWithdrawal, withdrawAction, type Asked } from '../wallets/withdraw-request.ts';
import { explorerLink, factsOf } from '../wallets/withdraw-facts.ts';
import { readVisitor } from '../web/visitor.ts';
import { pagesOf, readHistory, readKnownFrom, readWallets, readWithdrawal, showWallet } from './wallet-reads.ts';
import { depositPage, readAddresses } from './deposit-page.ts';
import { answerFile } from './files.ts';
import { readCancelForm, readOnlyForm, readReviewForm, readSendForm, reviewWish } from './forms.ts';
import { noticePage } from './notice-page.ts';
import { emptyPage, walletsPage, type FormProblem } from './wallets-page.ts';
import { reviewPage, withdrawalPage } from './withdrawal-page.ts';

/** Each look asks the networks what is there. A page that follows a withdrawal asks only us, and is not counted. */
const LOOKS_PER_MINUTE = 60;

export type WalletPagesDeps = CoreDeps & {
  withdrawals: Pick<Runner, 'run'>;
  /** How often a visitor may ask. */
  limits: Pick<RateLimits, 'perMinute'>;
  /** Whether people reach the page over TLS: it decides about the cookie. */
  isSecure: boolean;
  /** Who answers for the service; every page says it. */
  operator: Operator;
};

type Status = 200 | 400 | 403 | 404 | 413 | 429 | 500;

/** What a person keeps here and how they get it out, to be mounted at `/wallet`. Needs no script. */
export function createWalletPages(deps: WalletPagesDeps): Hono {
  const app = new Hono();
  const rate = deps.limits.perMinute('wallet looks', LOOKS_PER_MINUTE);
  const { publicUrl: baseUrl, operator } = deps;
  const assets = createAssets('/wallet/assets');
  const site: Site = { baseUrl, operator, isPlayMoney: deps.faucet !== undefined, assets };
  const refuse = (status: Status, sentence: Sentence) => (context: Context) =>
    deskOf(deps, site, context).refuse(status, sentence);

  app.use('*', withPrivatePages);
  app.get('/assets/:version/:name', (context) => assets.answer(context) ?? refuse(404, notFound)(context));
  for (const form of ['/review', '/only', '/send', '/cancel'])
    app.use(form, onlyOwnForm(deps, refuse(403, foreign)), smallForm(refuse(413, foreign)));
  /** A visitor without our cookie has no wallet either. */
  const forHolder =
    (work: Work, isCounted = true) =>
    async (context: Context) => {
      const desk = deskOf(deps, site, context);
      const holderId = readVisitor(context, deps.isSecure)?.id;
      if (holderId === undefined) return desk.show(emptyPage(desk.site));
      if (isCounted && !rate.allows(holderId)) return desk.refuse(429, ({ tooFast }) => tooFast);
      return work(desk, context, holderId);
    };
  app.get('/', forHolder(answerWallets));
  app.post('/review', forHolder(answerReview));
  app.post('/send', forHolder(answerSend));
  app.post('/only', forHolder(answerOnly));
  app.post('/cancel', forHolder(answerCancel));
  app.get('/withdrawals/:id', forHolder(answerWithdrawal, false));
  // No cookie is asked for: who holds the address got it from the bot, in another program perhaps.
  app.get('/files/:secret', async (context) => (await answerFile(deps, context)) ?? refuse(404, notFound)(context));
  app.get('/deposit/:secret', (context) => answerDeposit(deps, site, context));
  // The addresses of pages that answered a form: a reload leads back.
  for (const form of ['/review', '/send', '/only', '/cancel'])
    app.get(form, (context) => context.redirect('/wallet', 303));
  app.notFound(refuse(404, notFound));
  app.onError((error, context) => {
    deps.log.error({ error: String(error) }, 'a wallet page failed');
    return refuse(500, ({ somethingWrong }) => somethingWrong)(context);
  });
  return app;
}

/** In the language of the chat that the link stood in. */
async function answerDeposit(deps: WalletPagesDeps, site: Site, context: Context): Promise<Response> {
  const file = await openFile(deps, context.req.param('secret') ?? '');
  if (file?.kind !== 'deposit_page' || file.walletId === null) return deskOf(deps, site, context).refuse(404, notFound);
  const own = pageSiteOf(context, site, findLanguage(file.language));
  return answerPage(context, own, depositPage(own, await readAddresses(deps, file.walletId)));
}

type Sentence = (text: Texts['walletPage']) => string;
const foreign: Sentence = (text) => text.foreign;
const notFound: Sentence = (text) => text.notFound;
const formOver: Sentence = (text) => text.formOver;

/** One request, in the language of its reader. */
type Desk = {
  deps: WalletPagesDeps;
  site: PageSite;
  show: (page: Page, status?: Status) => Promise<Response>;
  refuse: (status: Status, sentence: Sentence) => Promise<Response>;
};

function deskOf(deps: WalletPagesDeps, installation: Site, context: Context): Desk {
  const site = pageSiteOf(context, installation);
  const show = (page: Page, status: Status = 200) => answerPage(context, site, page, status);
  return {
    deps: { ...deps, texts: site.texts },
    site,
    show,
    refuse: (status, sentence) => show(noticePage(site.texts, line`${sentence(site.texts.walletPage)}`), status),
  };
}
type Work = (desk: Desk, context: Context, holderId: string) => Response | Promise<Response>;

async function answerWallets(
  { deps, site, show }: Desk,
  context: Context,
  holderId: string,
  problem: FormProblem | null = null,
): Promise<Response> {
  const held = await readWallets(deps, holderId);
  const pages = pagesOf(held);
  const shown = problem === null ? Number(context.req.query('page') ?? 1) - 1 : pageWith(pages, problem.walletId);
  const [first] = pages;
  const page = pages[shown] ?? first;
  if (page === undefined) return show(emptyPage(site));
  const [wallets, history] = await Promise.all([
    Promise.all(page.map((wallet) => showWallet(deps, wallet, holderId))),
    readHistory(deps, held),
  ]);
  const view = { wallets, pages, shown: pages.indexOf(page), history, problem };
  return show(walletsPage(site, view), problem === null ? 200 : 400);
}

function pageWith(pages: readonly PersonWallet[][], walletId: string): number {
  return pages.findIndex((page) => page.some((wallet) => wallet.walletId === walletId));
}

/** Shows everything that will happen. The button's row holds it, and the page only the button's id. */
async function answerReview(desk: Desk, context: Context, holderId: string): Promise<Response> {
  const { deps, site, show, refuse } = desk;
  const form = readReviewForm(await context.req.parseBody());
  const wallet = (await readWallets(deps, holderId)).find(({ walletId }) => walletId === form?.wallet);
  if (form === null || wallet === undefined) return refuse(400, formOver);
  const reviewed = await reviewWish(deps, wallet, form);
  if (reviewed.kind === 'problem') return answerWallets(desk, context, holderId, reviewed.problem);
  const { draft } = reviewed;
  const buttonId = await newButtonId(deps, holderId, withdrawAction(deps, draft));
  return show(reviewPage(site, draft, wallet.name, buttonId));
}

/** The same form posted again leads to the same withdrawal. */
async function answerSend({ deps, show, refuse }: Desk, context: Context, holderId: string): Promise<Response> {
  const { texts, store } = deps;
  const form = readSendForm(await context.req.parseBody());
  const buttonId = form?.token ?? '';
  const pressed = await pressButton(store, { buttonId, userId: holderId, eventId: `form:${buttonId}` });
  if (pressed?.action !== 'withdraw') return refuse(400, formOver);
  const asked = await askWithdrawal(deps, holderId, pressed);
  if (asked.kind !== 'asked') return show(noticePage(texts, problemOf(deps, asked)), 400);
  // Not awaited: the row is what remembers, and the page follows it.
  void deps.withdrawals.run(asked.row.id);
  return context.redirect(`/wallet/withdrawals/${asked.row.id}`, 303);
}

/** All that waits for the same address; its page says then what has become of it. */
async function answerCancel({ deps, refuse }: Desk, context: Context, holderId: string): Promise<Response> {
  const { store, clock } = deps;
  const form = readCancelForm(await context.req.parseBody());
  const row = form === null ? null : await readWithdrawal(deps, holderId, form.withdrawal);
  if (row === null) return refuse(400, formOver);
  const { id, walletId, network, toAddress: address } = row;
  await callOff(store, { walletId, to: { network, address } }, clock.now());
  return context.redirect(`/wallet/withdrawals/${id}`, 303);
}

/** Takes the wallet from all others who have proved the name before, such as a browser that its owner left behind. */
async function answerOnly({ deps, show, refuse }: Desk, context: Context, holderId: string): Promise<Response> {
  const { store, texts, clock } = deps;
  const form = readOnlyForm(await context.req.parseBody());
  const wallet = (await readWallets(deps, holderId)).find(({ walletId }) => walletId === form?.wallet);
  if (wallet === undefined) return refuse(400, formOver);
  if (!(await dropOtherHolders(store, { walletId: wallet.walletId, holderId }, clock.now()))) {
    return show(noticePage(texts, line`${texts.walletPage.proveFirst}`), 403);
  }
  return context.redirect('/wallet', 303);
}

function problemOf({ texts }: Pick<CoreDeps, 'texts'>, asked: Exclude<Asked, { kind: 'asked' }>) {
  switch (asked.kind) {
    case 'problem':
      return texts.withdrawProblem(asked.problem);
    case 'not_held':
      return texts.withdrawNotHeld();
    case 'limited':
      return texts.withdrawLimited(asked.detail);
  }
}

async function answerWithdrawal(
  { deps, site, show, refuse }: Desk,
  context: Context,
  holderId: string,
): Promise<Response> {
  const row = await readWithdrawal(deps, holderId, context.req.param('id') ?? '');
  if (row === null) return refuse(404, notFound);
  const knownFromMs = await readKnownFrom(deps, row);
  const explorerUrl = explorerLink(deps, row);
  return show(withdrawalPage(site, { row, facts: factsOf(deps, row), explorerUrl, knownFromMs }));
}
