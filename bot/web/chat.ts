import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { plainText, type View } from '../../core/view.ts';
import { postOnce } from '../../db/chats/chat.ts';
import type { RateLimiter, RateLimits } from '../../queue/rate-limiter.ts';
import { createStreamPlaces } from '../../queue/stream-places.ts';
import { answerPage } from '../../web/answer.ts';
import { createAssets } from '../../web/assets.ts';
import { withPrivatePages } from '../../web/headers.ts';
import { onlyOwnScript, readJson, smallJson } from '../../web/own-page.ts';
import type { Operator, Site } from '../../web/page.ts';
import type { Bot } from '../commands/bot.ts';
import type { Origin } from '../shared/messenger.ts';
import { payingWalletOf } from '../shared/wallets.ts';
import { within } from '../../queue/deadline.ts';
import { messageId, WEB_TRANSPORT } from './messenger.ts';
import { chatPage } from './page.ts';
import { streamChat } from './stream.ts';
import { readVisitor, welcomeVisitor, type Visitor } from './visitor.ts';
import { createWelcome, type WelcomeDeps } from './welcome.ts';

const POSTS_PER_MINUTE = 60;
const STREAMS_PER_VISITOR = 8;
const STREAMS_MAX = 512;
const BODY_BYTES_MAX = 16 * 1024;
/** A first tip waits this long for the play money it is to be paid with. */
const WELCOME_LIMIT_MS = 10_000;

const eventId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/);
const messageBody = z.object({ text: z.string().trim().min(1).max(2_000), event_id: eventId });
const pressBody = z.object({ button: z.string().max(64), event_id: eventId });

export type WebChatDeps = WelcomeDeps & {
  bot: Bot;
  /** How often a visitor may ask. */
  limits: Pick<RateLimits, 'perMinute'>;
  /** Whether people reach the page over TLS: it decides about the cookie. */
  isSecure: boolean;
  operator: Operator;
};

/** The local web chat, to be mounted at `/chat`: a page, its files, a stream of what happens, and two ways to speak. */
export function createWebChat(deps: WebChatDeps): Hono {
  const app = new Hono();
  const welcome = createWelcome(deps);
  const rate = deps.limits.perMinute('web posts', POSTS_PER_MINUTE);
  const ownPage = onlyOwnScript(deps);
  const smallBody = smallJson(BODY_BYTES_MAX);
  const assets = createAssets('/chat/assets');
  const { publicUrl: baseUrl, operator } = deps;
  const site: Site = { baseUrl, operator, isPlayMoney: deps.faucet !== undefined, assets };
  app.use('*', withPrivatePages);
  app.get('/', (context) => {
    welcomeVisitor(context, deps);
    return answerPage(context, { site }, chatPage(deps.texts.page));
  });
  app.get('/assets/:version/:name', (context) => assets.answer(context) ?? context.json({ error: 'not_found' }, 404));
  app.get('/stream', createStream(deps, welcome));
  app.post('/messages', smallBody, ownPage, (context) =>
    withVisitor(context, { ...deps, rate }, messageBody, async (visitor, { text, event_id }) => {
      const said = await postVisitorText(deps, visitor, event_id, text);
      await waitForWelcome(deps, welcome(visitor));
      await deps.bot.handle({ ...(await originOf(deps, visitor, event_id)), text: said });
    }),
  );
  app.post('/presses', smallBody, ownPage, (context) =>
    withVisitor(context, { ...deps, rate }, pressBody, async (visitor, { button, event_id }) => {
      await deps.bot.press({ ...(await originOf(deps, visitor, event_id)), buttonId: button });
    }),
  );
  return app;
}

/** Event ids come from pages, so they are kept apart by visitor: nobody can name another's event. */
async function originOf({ store, clock }: WebChatDeps, { id }: Visitor, event: string): Promise<Origin> {
  const walletId = await payingWalletOf(store, id, clock.now());
  return { transport: WEB_TRANSPORT, eventId: `${id}/${event}`, chatId: id, userId: id, walletId };
}

/** 202 means: it is in the database, whatever happens to this process. */
async function withVisitor<T>(
  context: Context,
  { rate, isSecure }: { rate: RateLimiter; isSecure: boolean },
  schema: z.ZodType<T>,
  work: (visitor: Visitor, body: T) => Promise<void>,
): Promise<Response> {
  const visitor = readVisitor(context, isSecure);
  if (!visitor) return context.json({ error: 'no_visitor' }, 401);
  if (!rate.allows(visitor.id)) {
    return context.json({ error: 'rate_limited' }, 429, { 'retry-after': String(rate.retryAfterSeconds(visitor.id)) });
  }
  const body = schema.safeParse(await readJson(context));
  if (!body.success) return context.json({ error: 'validation_failed' }, 400);
  await work(visitor, body.data);
  return context.json({ ok: true }, 202);
}

/** What stands in the chat under this event: a repeated post cannot change what was said. */
async function postVisitorText(deps: WebChatDeps, { id }: Visitor, event: string, text: string): Promise<string> {
  const view: View = { state: 'ok', audience: 'person', paragraphs: [[{ text }]], actions: [] };
  const nowMs = deps.clock.now();
  const post = { id: messageId(deps), chatId: id, author: 'visitor', onceKey: `event:${event}`, view, nowMs } as const;
  const { message, posted } = await postOnce(deps.store, post);
  if (posted) deps.changes.notify(id);
  return plainText(message.view);
}

/** Waits for the welcome, not for its success: without play money a command says so itself. */
async function waitForWelcome(deps: WebChatDeps, welcome: Promise<void>): Promise<void> {
  try {
    await within(welcome, WELCOME_LIMIT_MS, 'the welcome');
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'a visitor was not welcomed');
  }
}

function createStream(deps: WebChatDeps, welcome: (visitor: Visitor) => Promise<void>) {
  const places = createStreamPlaces({ total: STREAMS_MAX, perCaller: STREAMS_PER_VISITOR });
  return (context: Context): Response => {
    const visitor = readVisitor(context, deps.isSecure);
    if (!visitor) return context.json({ error: 'no_visitor' }, 401);
    const pushedOut = new AbortController();
    const leave = places.take({ caller: visitor.id, subject: visitor.id, end: () => pushedOut.abort() });
    // A page that listens is a person who is there: now the wallet is made and filled.
    void waitForWelcome(deps, welcome(visitor));
    const closing = AbortSignal.any([deps.closing, pushedOut.signal]);
    return streamChat(context, { ...deps, closing }, visitor.id, leave);
  };
}
