import { Hono, type Context, type Handler } from 'hono';
import type { z } from 'zod';
import { line } from '../../core/view.ts';
import { findLanguage } from '../../core/languages.ts';
import type { RateLimiter } from '../../queue/rate-limiter.ts';
import { answerPage } from '../../web/answer.ts';
import { createAssets } from '../../web/assets.ts';
import { withPrivatePages } from '../../web/headers.ts';
import { onlyOwnForm, onlyOwnScript, readJson, smallForm, smallJson } from '../../web/own-page.ts';
import type { Site } from '../../web/page.ts';
import { pageSiteOf, type PageSite } from '../shared/page-site.ts';
import { noticePage } from '../wallet/notice-page.ts';
import type { PayPagesDeps } from './dependencies.ts';
import { readBrowser, walletApps } from '../../web/browser.ts';
import { findOrderPayable } from './order-payable.ts';
import { payPage } from './page.ts';
import type { Payable, Refused } from './payable.ts';
import { payWithPlayWallet } from './play.ts';
import { readRefusalWord, refusalText, refusalWord } from './refusal-text.ts';
import { findRewardPayable } from './reward-payable.ts';
import { acceptSigned, prepareForWallet, prepareSchema, signedSchema } from './wallet-calls.ts';

/** Of one visitor on one page. Each asks a network; looking does not, and is not counted. */
const TRIES_PER_MINUTE = 30;
/** Of a page, by all visitors together. */
const PAGE_TRIES_PER_MINUTE = 300;
/** A long signature of a contract, in JSON. */
const SIGNED_BYTES_MAX = 16 * 1024;
/** Orders are found by a secret of their link, rewards by their distribution's id, which is public. */
const PAGES = ['/:key', '/reward/:distribution'] as const;

/**
 * What a pay link leads to, to be mounted at `/pay`. Anyone with the link may pay, and sees no more than that requires.
 */
export function createPayPages(deps: PayPagesDeps): Hono {
  const app = new Hono();
  const { limits } = deps;
  const { publicUrl: baseUrl, operator } = deps;
  const assets = createAssets('/pay/assets');
  const site: Site = { baseUrl, operator, isPlayMoney: deps.faucet !== undefined, assets };
  const pages: PayPages = {
    deps,
    site,
    ofVisitor: limits.perMinute('pay page visitor', TRIES_PER_MINUTE),
    ofPage: limits.perMinute('pay page', PAGE_TRIES_PER_MINUTE),
  };
  const notFound = notice(site, 404, 'notFound');

  app.use('*', withPrivatePages);
  app.get('/assets/:version/:name', (context) => assets.answer(context) ?? notFound(context));
  const forms = [onlyOwnForm(deps, notice(site, 403, 'foreign')), smallForm(notice(site, 413, 'foreign'))] as const;
  const small = smallJson(SIGNED_BYTES_MAX);
  for (const page of PAGES) {
    for (const step of ['transfer', 'play']) app.use(`${page}/${step}`, ...forms);
    for (const step of ['prepare', 'signed']) app.use(`${page}/${step}`, onlyOwnScript(deps), small);
    app.get(page, async (context) => {
      const payable = await findPayable(deps, context);
      return payable === null ? notFound(context) : show(pages, context, payable);
    });
    app.post(
      `${page}/transfer`,
      forForm(pages, async ({ openTransfer }) => (openTransfer ? openTransfer() : NO_TRANSFER)),
    );
    app.post(
      `${page}/play`,
      forForm(pages, async (payable) => started(payable, await payWithPlayWallet(deps, payable))),
    );
    app.post(
      `${page}/prepare`,
      forWallet(pages, prepareSchema, (payable, payer) => prepareForWallet(deps, payable, payer)),
    );
    app.post(
      `${page}/signed`,
      forWallet(pages, signedSchema, async (payable, signed) =>
        started(payable, await acceptSigned(deps, payable, signed)),
      ),
    );
  }
  app.all('*', notFound);
  app.onError((error, context) => {
    deps.log.error({ error: String(error) }, 'a pay page failed');
    return notice(site, 500, 'somethingWrong')(context);
  });
  return app;
}

/**
 * The link of an order stands in a chat, and that of a reward is no secret: a visitor must not use up the tries of all. What a
 * visitor says, such as an address, is free to make up, so it counts for nothing.
 */
type PayPages = { deps: PayPagesDeps; site: Site; ofVisitor: RateLimiter; ofPage: RateLimiter };
type Done = { kind: 'ready' | 'accepted' } | { kind: 'prepared'; answer: Record<string, unknown> } | Refused;

const NO_TRANSFER: Refused = { kind: 'refused', reason: 'other' };

function notice(site: Site, status: 403 | 404 | 413 | 500, sentence: 'foreign' | 'notFound' | 'somethingWrong') {
  return (context: Context) => {
    const own = pageSiteOf(context, site);
    return answerPage(context, own, noticePage(own.texts, line`${own.texts.walletPage[sentence]}`), status);
  };
}

function findPayable(deps: PayPagesDeps, context: Context): Promise<Payable | null> {
  const distribution = context.req.param('distribution');
  if (distribution !== undefined) return findRewardPayable(deps, distribution);
  return findOrderPayable(deps, context.req.param('key') ?? '');
}

/** Back to the page, which shows the state. */
function forForm(pages: PayPages, work: (payable: Payable) => Promise<Done>): Handler {
  return async (context) => {
    const { deps, site } = pages;
    const payable = await findPayable(deps, context);
    if (payable === null) return notice(site, 404, 'notFound')(context);
    const done = await attempt(pages, { payable, visitor: deps.callerOf(context) }, () => work(payable));
    const reason = done.kind === 'refused' ? `?refused=${refusalWord(done.reason)}` : '';
    return context.redirect(`${payable.path}${reason}`, 303);
  };
}

function forWallet<Schema extends z.ZodType<{ address: string }>>(
  pages: PayPages,
  schema: Schema,
  work: (payable: Payable, body: z.infer<Schema>) => Promise<Done>,
): Handler {
  return async (context) => {
    const { deps } = pages;
    const payable = await findPayable(deps, context);
    if (payable === null) return context.json({ error: 'not_found' }, 404);
    const body = schema.safeParse(await readJson(context));
    if (!body.success) return context.json({ error: 'validation_failed' }, 400);
    const done = await attempt(pages, { payable, visitor: deps.callerOf(context) }, () => work(payable, body.data));
    if (done.kind !== 'refused') return context.json(done.kind === 'prepared' ? done.answer : {});
    const site = siteOf(pages, context, payable);
    const said = refusalText(site, done.reason, await payable.view(site));
    return context.json({ error: done.reason, said }, 409);
  };
}

type Visit = { payable: Payable; visitor: string };

/** Only while it can be paid: a payer who comes too late is told so, and signs nothing. */
async function attempt(
  { ofVisitor, ofPage }: PayPages,
  { payable, visitor }: Visit,
  work: () => Promise<Done>,
): Promise<Done> {
  if (!ofVisitor.allows(`${payable.path} ${visitor}`) || !ofPage.allows(payable.path))
    return { kind: 'refused', reason: 'rate_limited' };
  const reason = await payable.refusal();
  return reason === null ? work() : { kind: 'refused', reason };
}

async function show(pages: PayPages, context: Context, payable: Payable): Promise<Response> {
  const { deps } = pages;
  payable.recordView();
  const site = siteOf(pages, context, payable);
  const view = await payable.view(site);
  const url = `${deps.publicUrl}${payable.path}`;
  const networks = deps.networks.map(({ network }) => network);
  const browser = readBrowser(context.req.header('user-agent') ?? '', url);
  const apps = site.isPlayMoney ? [] : walletApps(url, networks);
  // A paid page shows no failed try: anyone can write an address that claims one.
  const asked = view.state === 'paid' ? null : readRefusalWord(context.req.query('refused'));
  const refusal = view.refusal ?? asked;
  return answerPage(
    context,
    site,
    payPage(site, { ...view, refusal }, { browser, apps, url, networks, nowMs: deps.clock.now() }),
  );
}

/** Not awaited: the row is what remembers, and the page follows it. */
function started<Answer extends { kind: string }>(payable: Payable, answer: Answer): Answer {
  if (answer.kind === 'accepted') payable.run();
  return answer;
}

/** In the language of the chat that had the link, unless the reader has chosen another. */
function siteOf({ site }: Pick<PayPages, 'site'>, context: Context, { language }: Pick<Payable, 'language'>): PageSite {
  return pageSiteOf(context, site, findLanguage(language));
}
