import { Hono, type Context, type Handler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { line } from '../../core/view.ts';
import { isBanned } from '../../db/bot/community-bans.ts';
import { openPayLink, type LinkedOrder } from '../../db/bot/pay-links.ts';
import { isTransferArriving } from '../../db/tasks/arriving.ts';
import { payLinkKeyId, readyTask } from '../core/pay-link.ts';
import { findLanguage, LANGUAGES } from '../core/texts/languages.ts';
import { createAssets } from '../web/assets.ts';
import { onlyOwnPage } from '../web/guard.ts';
import { createRate, type Rate } from '../web/rate.ts';
import { onlyOwnForm, smallForm, withPageHeaders } from '../wallet/guard.ts';
import { renderPage, type Site } from '../wallet/layout.ts';
import { noticePage } from '../wallet/notice-page.ts';
import type { PayPagesDeps } from './dependencies.ts';
import { readSurroundings, walletApps } from './in-app.ts';
import { payPage } from './page.ts';
import { payWithPlayWallet } from './play.ts';
import { readRefusalWord, refusalText, refusalWord } from './refusal-text.ts';
import { toPayView } from './view.ts';
import { acceptSigned, prepareForWallet, prepareSchema, signedSchema, type Refused } from './wallet-calls.ts';

/** Of one link. Each asks a network; looking does not, and is not counted. */
const TRIES_PER_MINUTE = 30;
/** A page that is open looks before it is time, but not more often than somebody would notice. */
const LOOK_AHEAD_MS = 3_500;
/** A long signature of a contract, in JSON. */
const SIGNED_BYTES_MAX = 16 * 1024;
const KEY = /^[\w-]{32}$/;

/** What a pay link leads to, to be mounted at `/pay`. Whoever has the link may pay, and sees no more than that takes. */
export function createPayPages(deps: PayPagesDeps): Hono {
  const app = new Hono();
  const desk: Desk = { deps, rate: createRate(TRIES_PER_MINUTE, deps.clock.now) };
  const text = deps.texts.walletPage;

  app.use('*', withPageHeaders);
  app.get('/assets/:name', createAssets());
  const forms = [onlyOwnForm(notice(deps, 403, text.foreign)), smallForm(notice(deps, 413, text.foreign))] as const;
  for (const path of ['/:key/transfer', '/:key/play']) app.use(path, ...forms);
  const small = bodyLimit({
    maxSize: SIGNED_BYTES_MAX,
    onError: (context) => context.json({ error: 'body_too_large' }, 413),
  });
  for (const path of ['/:key/prepare', '/:key/signed']) app.use(path, onlyOwnPage, small);

  app.get('/:key', async (context) => {
    const found = await readLink(deps, context);
    return found === null ? notice(deps, 404, text.notFound)(context) : showLink(deps, context, found);
  });
  app.post(
    '/:key/transfer',
    forForm(desk, (found) => readyTask(deps, found)),
  );
  app.post(
    '/:key/play',
    forForm(desk, async (found) => started(deps, found, await payWithPlayWallet(deps, found))),
  );
  app.post(
    '/:key/prepare',
    forWallet(desk, prepareSchema, (found, payer) => prepareForWallet(deps, found, payer)),
  );
  app.post(
    '/:key/signed',
    forWallet(desk, signedSchema, async (found, signed) =>
      started(deps, found, await acceptSigned(deps, found, signed)),
    ),
  );
  app.notFound(notice(deps, 404, text.notFound));
  app.onError((error, context) => {
    deps.log.error({ error: String(error) }, 'a pay page failed');
    return notice(deps, 500, text.somethingWrong)(context);
  });
  return app;
}

type Desk = { deps: PayPagesDeps; rate: Rate };
type Done = { kind: 'ready' | 'accepted' } | { kind: 'prepared'; answer: Record<string, unknown> } | Refused;

function notice(deps: PayPagesDeps, status: 403 | 404 | 413 | 500, sentence: string) {
  return (context: Context) =>
    context.html(renderPage(siteOf(deps, null), noticePage(deps.texts, line`${sentence}`)), status);
}

/** Back to the page, which says how it stands. */
function forForm(desk: Desk, work: (found: LinkedOrder) => Promise<Done>): Handler {
  return async (context) => {
    const { deps } = desk;
    const found = await readLink(deps, context);
    if (found === null) return notice(deps, 404, deps.texts.walletPage.notFound)(context);
    const done = await attempt(desk, context, found, () => work(found));
    const reason = done.kind === 'refused' ? `?refused=${refusalWord(done.reason)}` : '';
    return context.redirect(`/pay/${keyIn(context)}${reason}`, 303);
  };
}

function forWallet<Schema extends z.ZodType>(
  desk: Desk,
  schema: Schema,
  work: (found: LinkedOrder, body: z.infer<Schema>) => Promise<Done>,
): Handler {
  return async (context) => {
    const { deps } = desk;
    const found = await readLink(deps, context);
    if (found === null) return context.json({ error: 'not_found' }, 404);
    const body = schema.safeParse(await readJson(context));
    if (!body.success) return context.json({ error: 'validation_failed' }, 400);
    const done = await attempt(desk, context, found, () => work(found, body.data));
    if (done.kind !== 'refused') return context.json(done.kind === 'prepared' ? done.answer : {});
    const said = refusalText(siteOf(deps, found.order.language), done.reason, toPayView(deps, found).recipient);
    return context.json({ error: done.reason, said }, 409);
  };
}

/** Only while the link is open: whoever comes too late is told so, and signs nothing. */
async function attempt(
  { deps, rate }: Desk,
  context: Context,
  { link, order }: LinkedOrder,
  work: () => Promise<Done>,
): Promise<Done> {
  if (!rate.allows(keyIn(context))) return { kind: 'refused', reason: 'rate_limited' };
  const isTaken = link.status === 'presented' || link.status === 'paid' || (await isArriving(deps, link));
  if (isTaken) return { kind: 'refused', reason: 'order_in_progress' };
  const isOpen = link.status === 'open' && deps.clock.now() < link.untilMs;
  // A link may be older than what the moderators have decided since.
  const mayTip = isOpen && !(await isShutOut(deps, order));
  return mayTip ? work() : { kind: 'refused', reason: 'link_over' };
}

/** Somebody has sent it already, and the chain needs some time: nobody shall pay it in another way meanwhile. */
async function isArriving({ store }: PayPagesDeps, { status, taskId }: LinkedOrder['link']): Promise<boolean> {
  return status === 'open' && taskId !== null && isTransferArriving(store, taskId);
}

async function isShutOut({ store }: PayPagesDeps, { transport, communityId, userId }: LinkedOrder['order']) {
  return communityId !== null && isBanned(store, { transport, communityId, userId });
}

/** Each look also asks how far the payment is: while somebody waits for it, nobody else would. */
async function showLink(deps: PayPagesDeps, context: Context, found: LinkedOrder): Promise<Response> {
  const { link, order } = found;
  const dueMs = link.nextLookAtMs ?? Infinity;
  if (link.taskId !== null && dueMs - LOOK_AHEAD_MS <= deps.clock.now()) void deps.payLinks.run(order.id);
  const site = siteOf(deps, order.language);
  const view = toPayView(deps, found, await isArriving(deps, link));
  const url = `${deps.publicUrl}/pay/${keyIn(context)}`;
  const networks = deps.networks.map(({ network }) => network);
  const surroundings = readSurroundings(context.req.header('user-agent') ?? '', url);
  const apps = site.isPlayMoney ? [] : walletApps(url, networks);
  // What is over needs no word about a try that came to nothing, and an address can be made by anybody.
  const asked = view.state === 'paid' ? null : readRefusalWord(context.req.query('refused'));
  const refusal = view.refusal ?? asked;
  return context.html(renderPage(site, payPage(site, { ...view, refusal }, { surroundings, apps, url, networks })));
}

function keyIn(context: Context): string {
  return context.req.param('key') ?? '';
}

async function readLink({ store }: PayPagesDeps, context: Context): Promise<LinkedOrder | null> {
  const key = keyIn(context);
  return KEY.test(key) ? openPayLink(store, payLinkKeyId(key)) : null;
}

/** Not awaited: the row is what remembers, and the page follows it. */
function started<Answer extends { kind: string }>(deps: PayPagesDeps, { order }: LinkedOrder, answer: Answer): Answer {
  if (answer.kind === 'accepted') void deps.payLinks.run(order.id);
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
