/**
 * The bot ends at each point of a link's way and another one takes over: the link is paid once, and its end is told. What
 * the real process leaves behind is in `test/attack/pay-links.torture.test.ts`; here nothing but the bot's own rules is at work.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBot } from '../../../bot/commands/bot.ts';
import type { CoreDeps } from '../../../bot/conversation/dependencies.ts';
import type { Tasks } from '../../../client/tasks.ts';
import { createPayPages } from '../../../bot/pay/app.ts';
import { LINK_FAILPOINTS, type Failpoint } from '../../../core/failpoints.ts';
import { markLinkUnshown } from '../../../db/pay-links/pay-links.ts';
import { findOrderByEvent } from '../../../db/tips/orders.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, OPERATOR, textEvent, usdc } from '../harness.ts';
import { refusedBy } from '../../client/refused-by.ts';
import { callerOf, fakeSolana, fakeTasks, PAID, PAID_LINE } from './world.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

const WALLET = `0x${'c0'.repeat(20)}`;
const EVENT = 'event-1';
const LOOK_MS = 6_000;
const HEADERS = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

type Way = 'a wallet' | 'a transfer' | 'a wallet at its second try';

let api: FakeApi;
let harness: Awaited<ReturnType<typeof createHarness>>;
let ledger: ReturnType<typeof apiLedger>;
beforeEach(async () => {
  api = await startFakeApi();
  harness = await createHarness({ apiUrl: api.url, balance: usdc(0.4), solanaBalance: usdc(0) });
  harness.state.balances.set(WALLET, usdc(5));
  ledger = apiLedger();
});
afterEach(async () => {
  await api.close();
  await harness.store.close();
});

/** What the API keeps over all lives of the bot: a task is paid once, and a refused payment stays refused. */
function apiLedger() {
  const { tasks } = fakeTasks();
  const refused = new Set<string>();
  /** By task, what has paid it. */
  const charges = new Map<string, string>();
  const state = { refusesNext: false };
  const links: Tasks = {
    ...tasks,
    ask: async (_request, taskId) => (charges.has(taskId) ? PAID : { kind: 'open' }),
    send: async (_request, { taskId, header }) => {
      if (state.refusesNext) refused.add(header);
      state.refusesNext = false;
      const payer = charges.get(taskId);
      if (refused.has(header)) return refusedBy('payment_not_accepted');
      if (payer !== undefined && payer !== header) return refusedBy('order_in_progress');
      charges.set(taskId, header);
      return PAID;
    },
  };
  return { links, charges, state };
}

/** A process of the bot, which does nothing more once it has come to the point. */
function live(point: Failpoint | null, messengers = harness.deps.messengers) {
  const closing = new AbortController();
  const seen = { fired: false };
  const failpoint = (name: Failpoint) => {
    if (closing.signal.aborted || name === point) {
      seen.fired = true;
      closing.abort();
      throw new Error(`the bot ends at ${name}`);
    }
  };
  const deps: CoreDeps = { ...harness.deps, messengers, links: ledger.links, closing: closing.signal, failpoint };
  const bot = createBot(deps);
  const pages = createPayPages({
    ...deps,
    limits: createRateLimits(deps.clock.now),
    payLinks: bot.links,
    rewardWork: bot.rewards,
    solana: fakeSolana,
    operator: OPERATOR,
    callerOf,
  });
  const post = (step: string, body?: object) =>
    pages.request(`/${keyOf()}/${step}`, {
      method: 'POST',
      headers: HEADERS,
      ...(body && { body: JSON.stringify(body) }),
    });
  return { bot, post, seen };
}
type Life = ReturnType<typeof live>;

/** Null while the chat shows no link. */
function keyOf(): string | null {
  const actions = harness.chat.last(EVENT)?.actions ?? [];
  const url = actions
    .flatMap((action) => (action.kind === 'link' ? [action.url] : []))
    .find((one) => /pay\//.test(one));
  return url?.split('/').at(-1) ?? null;
}

/** The reader of the page presses the button, and what came back is sent three times. */
async function payByWallet({ post }: Life): Promise<void> {
  const prepared = await post('prepare', { network: 'base', address: WALLET });
  if (prepared.status !== 200) return;
  const { nonce, validBefore } = (await prepared.json()) as { nonce: string; validBefore: number };
  const signed = { network: 'base', address: WALLET, nonce, validBefore, signature: `0x${'22'.repeat(65)}` };
  for (let delivery = 0; delivery < 3; delivery++) await post('signed', signed);
}

/** From the moment on at which the page shows the address, the money is there. */
async function payByTransfer({ post }: Life): Promise<void> {
  await post('transfer');
  const { payLinks } = harness.store.tables;
  const [link] = await harness.store.read.select().from(payLinks);
  if (link?.taskId) ledger.charges.set(link.taskId, 'a transfer');
}

async function visit(life: Life, way: Way): Promise<void> {
  if (keyOf() === null) return;
  await (way === 'a transfer' ? payByTransfer(life) : payByWallet(life));
  await life.bot.idle();
}

async function resume({ bot }: Life): Promise<void> {
  harness.clock.pass(LOOK_MS);
  await bot.resume();
  await bot.idle();
}

/** Until then nothing depends on who pays. */
const SHOWING: readonly Failpoint[] = ['link.after-store', 'link.before-show', 'link.after-show'];

/** What a way does not come by, or comes by as a wallet does. */
const LEFT_OUT: Record<Way, readonly Failpoint[]> = {
  'a wallet': ['link.after-refusal'],
  'a transfer': [...SHOWING, 'link.before-present', 'link.after-present', 'link.after-answer', 'link.after-refusal'],
  'a wallet at its second try': [...SHOWING, 'link.after-open', 'link.after-keep'],
};
const WAYS: readonly Way[] = ['a wallet', 'a transfer', 'a wallet at its second try'];

describe.each(WAYS)('a link paid by %s', (way) => {
  const points = LINK_FAILPOINTS.filter((point) => !LEFT_OUT[way].includes(point));

  test.each(points)('is paid once when the bot ends at %s', async (point) => {
    ledger.state.refusesNext = way === 'a wallet at its second try';
    const doomed = live(point);
    await doomed.bot.handle(textEvent('/pay @x:alice 1', EVENT));
    await doomed.bot.idle();
    await visit(doomed, way);
    await resume(doomed);
    await visit(doomed, way);
    expect(doomed.seen.fired).toBe(true);

    const next = live(null);
    // The chat says it again, because nobody has acknowledged it.
    await next.bot.handle(textEvent('/pay @x:alice 1', EVENT));
    await resume(next);
    for (let look = 0; look < 3; look++) {
      await visit(next, way);
      await resume(next);
    }

    expect(await findOrderByEvent(harness.store, 'test', EVENT)).toMatchObject({
      status: 'answered',
      txnId: PAID_LINE.txnId,
      shownAtMs: expect.any(Number),
    });
    expect(harness.chat.textOf(EVENT)).toBe('Sent 1.00 USDC to @alice on X.');
    expect(harness.chat.messages.size).toBe(1);
    expect(harness.signed).toEqual([]);
    const { payLinks } = harness.store.tables;
    const [link] = await harness.store.read.select().from(payLinks);
    expect(link).toMatchObject({ status: 'paid', header: null });
    // A task that was opened and not stored is nobody's: nobody was shown it.
    expect([...ledger.charges.keys()]).toEqual([link?.taskId]);
  });
});

test('a link that its process could not show before it ended is shown by the next one, though the chat says nothing again', async () => {
  const { test: messenger } = harness.deps.messengers;
  if (messenger === undefined) throw new Error('the harness has a chat');
  const edit: typeof messenger.edit = async (chatId, messageId, view) => {
    // A process that has ended does nothing more, not even put its work off.
    if (view.actions.some(({ kind }) => kind === 'link')) await new Promise(() => undefined);
    await messenger.edit(chatId, messageId, view);
  };
  const ended = live(null, { test: { ...messenger, edit } });
  await ended.bot.handle(textEvent('/pay @x:alice 1', EVENT));
  const { payLinks } = harness.store.tables;
  const looked = async () => (await harness.store.read.select().from(payLinks))[0]?.nextLookAtMs;
  await vi.waitFor(async () => expect(await looked()).toBe(harness.clock.now()));
  void ended.bot.links.look();
  await vi.waitFor(async () => expect(await looked()).toBeGreaterThan(harness.clock.now()));
  expect(keyOf()).toBeNull();
  await resume(live(null));
  expect(keyOf()).not.toBeNull();
});

test('a link over which something older may stand is shown once more, by another process too', async () => {
  const shown = live(null);
  await shown.bot.handle(textEvent('/pay @x:alice 1', EVENT));
  // After the second look nothing is due before its end.
  for (let look = 0; look < 2; look++) await resume(shown);
  const key = keyOf();
  const order = await findOrderByEvent(harness.store, 'test', EVENT);
  await markLinkUnshown(harness.store, order?.id ?? '');
  await resume(live(null));
  expect([key, keyOf()]).toEqual([expect.any(String), expect.any(String)]);
  expect(keyOf()).not.toBe(key);
});

test('who was stopped before a step on the way shows nothing over the link that another one has shown', async () => {
  const other = live(null);
  const { test: messenger } = harness.deps.messengers;
  if (messenger === undefined) throw new Error('the harness has a chat');
  let steps = 0;
  const edit: typeof messenger.edit = async (chatId, messageId, view) => {
    steps += 1;
    if (steps === 1) {
      await other.bot.resume();
      await other.bot.idle();
      expect(keyOf()).not.toBeNull();
    }
    await messenger.edit(chatId, messageId, view);
    if (steps === 1) expect(keyOf()).toBeNull();
  };
  const woken = live(null, { test: { ...messenger, edit } });
  await woken.bot.handle(textEvent('/pay @x:alice 1', EVENT));
  await woken.bot.idle();
  expect(steps).toBeGreaterThan(0);
  expect(keyOf()).not.toBeNull();
});
