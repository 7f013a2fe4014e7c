import { eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { CHATS, type PaceLimits } from '../../../../core/chats/chats.ts';
import type { View } from '../../../../core/view.ts';
import { showSummary } from '../../../../bot/orders/summary.ts';
import { createOutbox } from '../../../../bot/outbox/outbox.ts';
import { createPace } from '../../../../bot/outbox/pace.ts';
import { createRushes } from '../../../../bot/outbox/rush.ts';
import { createAcknowledge } from '../../../../bot/telegram/acknowledge.ts';
import type { Calls, Outcome, SentIds } from '../../../../bot/telegram/calls.ts';
import { createTelegramMessenger } from '../../../../bot/telegram/messenger.ts';
import { createNames } from '../../../../bot/telegram/people.ts';
import { formatEvent, isGroup, isGroupId, readPlace } from '../../../../bot/telegram/place.ts';
import { showMessage } from '../../../../bot/telegram/show.ts';
import { findOrderByEvent } from '../../../../db/tips/orders.ts';
import { LANGUAGES } from '../../../../texts/languages.ts';
import { createFlood, USUAL_LIMITS } from '../../../fakes/telegram/flood.ts';
import { Refusal } from '../../../fakes/telegram/refusal.ts';
import { openTestStore } from '../../harness.ts';

/** What everybody sees of one message, or one person of an ephemeral one. */
type Shown = { chat: number; onlyFor: number | null; replyTo: number | null; texts: string[]; atMs: number[] };

export type StormWorld = Awaited<ReturnType<typeof openStormWorld>>;

type StormTip = { group: number; command: number; giver: number; author: number; repliesTo?: string | null };

/** `merges`: whether further tips share a message. */
type Chosen = { pace?: PaceLimits; merges?: boolean };

const STEP_MS = 20;
/** On the way there, and back. */
const TRAVEL_MS = { least: 20, most: 180 };
/** Chain and API; a block takes two seconds. */
const PAID_AFTER_MS = 3_000;
const CLOSED_WITHIN_MS = 2_000;
const BOT_TURN = globalThis.setImmediate;

/**
 * All of the bot that shows something on Telegram, over a real database, in virtual time, before a Telegram that counts
 * messages and edits on arrival and refuses what is too much. Payments take their time and always come through.
 */
export async function openStormWorld(chosen: Chosen = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_700_000_000_000 });
  const store = await openTestStore();
  const { calls, shown, signs, refused } = createVirtualTelegram();
  const { outbox, rushes, messenger } = createShowing(store, calls, chosen);
  const hear = (origin: { chatId: string; eventId: string; userId: string }, text: string, first: View) =>
    messenger.open({ ...origin, transport: 'telegram', walletId: origin.userId, text } as never, first);

  return {
    outbox,
    shown,
    signs,
    refused,
    /** A tip in a group, for the author of another message, who is told alone; by a reply to that one, or by name. */
    async tip({ group, command, giver, author, repliesTo = null }: StormTip) {
      const eventId = formatEvent({ kind: 'message', chat: group, message: command });
      const origin = { chatId: String(group), eventId, userId: `telegram:${giver}` };
      const key = await hear(origin, '/tip 0.1', working('Asking for the price…'));
      await insertOrder(store, { ...origin, messageId: key, author, tippedMessageId: repliesTo });
      await later(PAID_AFTER_MS);
      const { orders } = store.tables;
      const paid = { status: 'answered', shownAtMs: Date.now() } as const;
      await store.tx((db) => db.update(orders).set(paid).where(eq(orders.eventId, eventId)));
      await outbox.edit(key, ended('everyone', `Sent 0.10 USDC to telegram:${author}`));
      const order = await findOrderByEvent(store, 'telegram', eventId);
      if (order === null) throw new Error(`the tip ${eventId} has no order`);
      await showSummary({ messengers: { telegram: messenger }, store, texts: LANGUAGES.en }, order);
      const ring = { chatId: String(author), eventId: null, userId: null, language: null };
      await outbox.open({ key: `ring:${eventId}`, ...ring, view: ended('everyone', 'sent you 0.10 USDC') });
    },
    /** A moderator's command, whose answer is for them alone. */
    async ban({ group, command, moderator }: { group: number; command: number; moderator: number }) {
      const eventId = formatEvent({ kind: 'message', chat: group, message: command });
      const origin = { chatId: String(group), eventId, userId: `telegram:${moderator}` };
      const key = await hear(origin, '/settings ban telegram:9', working('One moment…'));
      await outbox.edit(key, ended('person', 'Banned'));
    },
    /** Virtual time passes, and with it the bot's own looks at what is merged. */
    async pass(ms: number): Promise<void> {
      for (let at = 0; at < ms; at += STEP_MS) {
        if (Date.now() % 1_000 < STEP_MS) void rushes.look();
        await vi.advanceTimersByTimeAsync(STEP_MS);
        for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => BOT_TURN(resolve));
      }
    },
    async close(): Promise<void> {
      const closing = outbox.close();
      // What is under way travels in virtual time.
      for (let at = 0; at < CLOSED_WITHIN_MS; at += STEP_MS) await vi.advanceTimersByTimeAsync(STEP_MS);
      vi.useRealTimers();
      await closing;
      await store.close();
    },
  };
}

type TestStore = Awaited<ReturnType<typeof openTestStore>>;

/** As bot/telegram/start.ts puts it together. */
function createShowing(
  store: TestStore,
  calls: Calls,
  { pace: limits = CHATS.telegram.outbox.pace, merges = true }: Chosen,
) {
  const nowMs = () => Date.now();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const pace = createPace(limits, nowMs, isGroupId);
  const slug = numbered();
  const rest = { names: createNames(), ids: { slug }, botName: () => 'penny_bot', noEphemeral: new Map() };
  const outbox = createOutbox({
    chat: 'telegram',
    store,
    pace,
    show: (message) => showMessage({ store, calls, pace, nowMs, log, ...rest }, message),
    laneOf: ({ key, chatId, reactsTo = null }) => (reactsTo === null ? readPlace(chatId).chat : key),
    isShared: (chatId) => isGroup(readPlace(chatId)),
    lifetimeOf: async () => null,
    nowMs,
    log,
    isMine: () => true,
  });
  const rushes = createRushes({
    chat: 'telegram',
    store,
    outbox,
    load: (chatId) => (pace.sentLately(Number(chatId)) + outbox.waitingIn(Number(chatId))) / limits.perGroupPerMinute,
    newId: () => `rush_${slug()}`,
    nowMs,
    isMine: () => true,
    warn: (error) => {
      throw error;
    },
  });
  const acknowledge = createAcknowledge({ calls, waitMs: outbox.waitMs, nowMs, log });
  const alone = { idFor: async () => null, isMerged: async () => false };
  return { outbox, rushes, messenger: createTelegramMessenger(outbox, acknowledge, merges ? rushes : alone) };
}

const working = (text: string): View => ({
  state: 'working',
  audience: 'everyone',
  paragraphs: [[{ text }]],
  actions: [],
});
const ended = (audience: View['audience'], text: string): View => ({
  state: 'ok',
  audience,
  paragraphs: [[{ text }]],
  actions: [],
});

function numbered(): () => string {
  let last = 0;
  return () => `n${(last += 1)}`;
}

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function createVirtualTelegram() {
  const flood = createFlood(USUAL_LIMITS, () => Date.now());
  const shown: Shown[] = [];
  const signs = new Map<string, number>();
  const refused: string[] = [];
  let seed = 1;
  const travel = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return later(TRAVEL_MS.least + (seed % (TRAVEL_MS.most - TRAVEL_MS.least)));
  };

  async function arrive<T>(chat: number, what: () => T): Promise<Outcome<T>> {
    await travel();
    let outcome: Outcome<T>;
    try {
      flood.take({ id: chat, type: chat < 0 ? 'supergroup' : 'private' });
      outcome = { kind: 'done', result: what() };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error.message);
      outcome = { kind: 'flood', retryAfterMs: (error.parameters.retry_after ?? 1) * 1_000 };
    }
    await travel();
    return outcome;
  }

  const change = (id: number, text: string) => {
    shown[id - 1]?.texts.push(text);
    shown[id - 1]?.atMs.push(Date.now());
    return {};
  };
  const free = async (): Promise<Outcome<unknown>> => travel().then(() => ({ kind: 'done', result: true }));

  const calls: Calls = {
    send: ({ chat }, { text }, { replyTo = null, ephemeral } = {}) =>
      arrive(chat, (): SentIds => {
        const onlyFor = ephemeral?.receiver ?? null;
        shown.push({ chat, onlyFor, replyTo, texts: [text], atMs: [Date.now()] });
        return { messageId: shown.length, ephemeralId: onlyFor === null ? null : shown.length };
      }),
    edit: (chat, id, { text }) => arrive(chat, () => change(id, text)),
    editEphemeral: (chat, _receiver, id, { text }) => arrive(chat, () => change(id, text)),
    remove: free,
    removeEphemeral: free,
    async react(chat, message) {
      await travel();
      const key = `${chat}/${message}`;
      if (!signs.has(key)) signs.set(key, Date.now());
      await travel();
      return { kind: 'done', result: true };
    },
    typing: free,
  };
  return { calls, shown, signs, refused };
}

type Placed = Record<'chatId' | 'eventId' | 'userId' | 'messageId', string> & {
  author: number;
  tippedMessageId: string | null;
};

async function insertOrder(store: TestStore, { author, ...place }: Placed): Promise<void> {
  const paying = { walletId: place.userId, network: 'base', payerAddress: '0x8', amountMicroUsdc: 100_000n } as const;
  const wanted = {
    route: '/payments/telegram/pay',
    body: {},
    recipient: `telegram:${author}`,
    status: 'drafted',
  } as const;
  const row = { id: `order_${place.eventId}`, transport: 'telegram', ...place, ...paying, ...wanted };
  await store.tx((db) => db.insert(store.tables.orders).values({ ...row, createdAtMs: Date.now() }));
}
