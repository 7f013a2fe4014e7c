import { Hono, type Context, type Handler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { line } from '../../core/view.ts';
import { findLanguage } from '../../core/languages.ts';
import { LANGUAGES } from '../../texts/languages.ts';
import { createAssets } from '../web/assets.ts';
import { onlyOwnPage } from '../web/guard.ts';
import { createRate, type Rate } from '../web/rate.ts';
import { onlyOwnForm, smallForm, withPageHeaders } from '../wallet/guard.ts';
import { renderPage, type Site } from '../wallet/layout.ts';
import { noticePage } from '../wallet/notice-page.ts';
import type { PayPagesDeps } from './dependencies.ts';
import { readSurroundings, walletApps } from './in-app.ts';
import { findOrderPayable } from './order-payable.ts';
import { payPage } from './page.ts';
import type { Payable, Refused } from './payable.ts';
import { payWithPlayWallet } from './play.ts';
import { readRefusalWord, refusalText, refusalWord } from './refusal-text.ts';
import { findRewardPayable } from './reward-payable.ts';
import { acceptSigned, prepareForWallet, prepareSchema, signedSchema } from './wallet-calls.ts';

/** Of one page, and where that is public of one wallet. Each asks a network; looking does not, and is not counted. */
const TRIES_PER_MINUTE = 30;
/** Of a page that everyone can find, by all wallets together. */
const PUBLIC_TRIES_PER_MINUTE = 300;
/** A long signature of a contract, in JSON. */
const SIGNED_BYTES_MAX = 16 * 1024;
/** Orders are found by a secret of their link, rewards by their distribution's id, which is public. */
const PAGES = ['/:key', '/reward/:distribution'] as const;

/**
 * What a pay link leads to, to be mounted at `/pay`. Anyone with the link may pay, and sees no more than that takes.
 */
export function createPayPages(deps: PayPagesDeps): Hono {
  const app = new Hono();
  const { now } = deps.clock;
  const desk: Desk = {
    deps,
    ofPage: createRate(TRIES_PER_MINUTE, now),
    ofWallet: createRate(TRIES_PER_MINUTE, now),
    ofPublicPage: createRate(PUBLIC_TRIES_PER_MINUTE, now),
  };
  const text = deps.texts.walletPage;

  app.use('*', withPageHeaders);
  app.get('/assets/:name', createAssets());
  const forms = [onlyOwnForm(notice(deps, 403, text.foreign)), smallForm(notice(deps, 413, text.foreign))] as const;
  const small = bodyLimit({
    maxSize: SIGNED_BYTES_MAX,
    onError: (context) => context.json({ error: 'body_too_large' }, 413),
  });
  for (const page of PAGES) {
    for (const step of ['transfer', 'play']) app.use(`${page}/${step}`, ...forms);
    for (const step of ['prepare', 'signed']) app.use(`${page}/${step}`, onlyOwnPage, small);
    app.get(page, async (context) => {
      const payable = await findPayable(deps, context);
      return payable === null ? notice(deps, 404, text.notFound)(context) : show(deps, context, payable);
    });
    app.post(
      `${page}/transfer`,
      forForm(desk, async ({ openTransfer }) => (openTransfer ? openTransfer() : NO_TRANSFER)),
    );
    app.post(
      `${page}/play`,
      forForm(desk, async (payable) => started(payable, await payWithPlayWallet(deps, payable))),
    );
    app.post(
      `${page}/prepare`,
      forWallet(desk, prepareSchema, (payable, payer) => prepareForWallet(deps, payable, payer)),
    );
    app.post(
      `${page}/signed`,
      forWallet(desk, signedSchema, async (payable, signed) =>
        started(payable, await acceptSigned(deps, payable, signed)),
      ),
    );
  }
  app.notFound(notice(deps, 404, text.notFound));
  app.onError((error, context) => {
    deps.log.error({ error: String(error) }, 'a pay page failed');
    return notice(deps, 500, text.somethingWrong)(context);
  });
  return app;
}

/**
 * Each counts for itself: a visitor can make up addresses without end, and they must not push out the counts of others.
 */
type Desk = { deps: PayPagesDeps; ofPage: Rate; ofWallet: Rate; ofPublicPage: Rate };
type Done = { kind: 'ready' | 'accepted' } | { kind: 'prepared'; answer: Record<string, unknown> } | Refused;

const NO_TRANSFER: Refused = { kind: 'refused', reason: 'other' };

function notice(deps: PayPagesDeps, status: 403 | 404 | 413 | 500, sentence: string) {
  return (context: Context) =>
    context.html(renderPage(siteOf(deps, null), noticePage(deps.texts, line`${sentence}`)), status);
}

function findPayable(deps: PayPagesDeps, context: Context): Promise<Payable | null> {
  const distribution = context.req.param('distribution');
  if (distribution !== undefined) return findRewardPayable(deps, distribution);
  return findOrderPayable(deps, context.req.param('key') ?? '');
}

/** Back to the page, which says how it stands. */
function forForm(desk: Desk, work: (payable: Payable) => Promise<Done>): Handler {
  return async (context) => {
    const { deps } = desk;
    const payable = await findPayable(deps, context);
    if (payable === null) return notice(deps, 404, deps.texts.walletPage.notFound)(context);
    const done = await attempt(desk, { payable, wallet: '' }, () => work(payable));
    const reason = done.kind === 'refused' ? `?refused=${refusalWord(done.reason)}` : '';
    return context.redirect(`${payable.path}${reason}`, 303);
  };
}

function forWallet<Schema extends z.ZodType<{ address: string }>>(
  desk: Desk,
  schema: Schema,
  work: (payable: Payable, body: z.infer<Schema>) => Promise<Done>,
): Handler {
  return async (context) => {
    const { deps } = desk;
    const payable = await findPayable(deps, context);
    if (payable === null) return context.json({ error: 'not_found' }, 404);
    const body = schema.safeParse(await readJson(context));
    if (!body.success) return context.json({ error: 'validation_failed' }, 400);
    const done = await attempt(desk, { payable, wallet: body.data.address }, () => work(payable, body.data));
    if (done.kind !== 'refused') return context.json(done.kind === 'prepared' ? done.answer : {});
    const site = siteOf(deps, payable.language);
    const said = refusalText(site, done.reason, await payable.view(site));
    return context.json({ error: done.reason, said }, 409);
  };
}

/** `wallet`: its address, as the visitor says it; nothing where it is ours. */
type Visit = { payable: Payable; wallet: string };

/** Only while it can be paid: a payer who comes too late is told so, and signs nothing. */
async function attempt({ ofPage, ofWallet, ofPublicPage }: Desk, by: Visit, work: () => Promise<Done>): Promise<Done> {
  const { payable, wallet } = by;
  const isAllowed = payable.isPublic
    ? ofWallet.allows(`${payable.path} ${wallet}`) && ofPublicPage.allows(payable.path)
    : ofPage.allows(payable.path);
  if (!isAllowed) return { kind: 'refused', reason: 'rate_limited' };
  const reason = await payable.refusal();
  return reason === null ? work() : { kind: 'refused', reason };
}

async function show(deps: PayPagesDeps, context: Context, payable: Payable): Promise<Response> {
  payable.recordView();
  const site = siteOf(deps, payable.language);
  const view = await payable.view(site);
  const url = `${deps.publicUrl}${payable.path}`;
  const networks = deps.networks.map(({ network }) => network);
  const surroundings = readSurroundings(context.req.header('user-agent') ?? '', url);
  const apps = site.isPlayMoney ? [] : walletApps(url, networks);
  // A paid page shows no failed try: anyone can write an address that claims one.
  const asked = view.state === 'paid' ? null : readRefusalWord(context.req.query('refused'));
  const refusal = view.refusal ?? asked;
  return context.html(renderPage(site, payPage(site, { ...view, refusal }, { surroundings, apps, url, networks })));
}

/** Not awaited: the row is what remembers, and the page follows it. */
function started<Answer extends { kind: string }>(payable: Payable, answer: Answer): Answer {
  if (answer.kind === 'accepted') payable.run();
  return answer;
}

async function readJson(context: Context): Promise<unknown> {
  try {
    return await context.req.json();
  } catch {
    // The schema says that it is nothing.
    return null;
  }
}

function siteOf({ texts, faucet, operator }: PayPagesDeps, tag: string | null): Site {
  const language = findLanguage(tag);
  const isPlayMoney = faucet !== undefined;
  if (language === null) return { texts, language: 'en', isPlayMoney, operator };
  return { texts: LANGUAGES[language], language, isPlayMoney, operator };
}
