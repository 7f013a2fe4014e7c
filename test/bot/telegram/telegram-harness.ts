import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { User } from 'grammy/types';
import { vi } from 'vitest';
import { createIds } from '../../../core/ids.ts';
import type { View } from '../../../core/view.ts';
import type { Store } from '../../../db/store/store.ts';
import { createClock } from '../../../bot/shared/clock.ts';
import type { PaceLimits } from '../../../core/chats/chats.ts';
import { createTelegram } from '../../../bot/telegram/start.ts';
import { telegramSender } from '../../../service/telegram.ts';
import { type FakeTelegram, type FakeTelegramOptions, startFakeTelegram } from '../../fakes/telegram/start.ts';
import { createHarness, type Harness } from '../harness.ts';
import { createRateLimits, type RateLimits } from '../../../queue/rate-limiter.ts';

/** As much as anybody wants: what the limits do is the business of their own tests. */
export const NO_LIMITS: PaceLimits = {
  burstPerChat: 1e6,
  perChatPerSecond: 1e6,
  perGroupPerMinute: 1e6,
  keptPerGroupPerMinute: 0,
  overallPerSecond: 1e6,
  overallBurst: 1e6,
};

export type Options = {
  apiUrl: string;
  telegram: FakeTelegram;
  store?: Store;
  pace?: PaceLimits;
  limits?: Pick<RateLimits, 'perMinute'>;
  webhook?: { url: string; secret: string };
};

export type RunningTelegram = Awaited<ReturnType<typeof runTelegram>>;

/** The adapter with an unmodified grammY, the real core and the real payer; only Telegram and the API are stand-ins. */
export async function runTelegram({ apiUrl, telegram, store: given, pace = NO_LIMITS, limits, webhook }: Options) {
  const harness: Harness = await createHarness({ apiUrl, ...(given ? { store: given } : {}) });
  const { store, deps, bot, closing } = harness;
  // The core of the harness has a clock of its own, which does not go by itself; the limits of a chat need one that does.
  const chat = createTelegram({
    token: telegram.token,
    apiUrl: telegram.url,
    webhook: webhook ?? null,
    limits: limits ?? createRateLimits(Date.now),
    store,
    ids: createIds(randomBytes),
    addressOf: deps.networks[0].addressOf,
    clock: createClock(closing.signal),
    log: deps.log,
    pace,
    retryMs: 20,
  });
  // Otherwise each button would have the id of another one: those of two harnesses meet in one database.
  Object.assign(deps, {
    messengers: { telegram: chat.messenger },
    random: (count: number) => new Uint8Array(randomBytes(count)),
  });
  const queue = { announce: () => void chat.look().catch(() => undefined) };
  const sender = telegramSender({ store, queue: queue as never }, Date.now);
  const post = (message: { chatId: string; onceKey: string; view: View }) =>
    sender.post({ ringsRecipients: true, lifetimeSeconds: null, ...message });
  chat.start(bot);
  let isClosed = false;
  const stop = async () => {
    if (isClosed) return;
    isClosed = true;
    closing.abort();
    await chat.close();
    await bot.idle();
  };
  const close = async () => {
    await stop();
    await store.close();
  };
  return { ...harness, telegram, adapter: chat, sender, post, stop, close };
}

export async function startWorld(options: FakeTelegramOptions = {}): Promise<FakeTelegram> {
  return startFakeTelegram({ limits: null, botUsername: 'penny_bot', ...options });
}

export const until = <T>(check: () => T | Promise<T>, timeout = 30_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 15 });

/** The bot has asked for updates, or has said where it wants them brought. */
export async function listening(telegram: FakeTelegram): Promise<void> {
  await until(() => {
    const calls = [...telegram.calls('getUpdates'), ...telegram.calls('setWebhook')];
    if (calls.length === 0) throw new Error('nobody listens yet');
  });
}

/** Long enough for what must not come; only for what is then looked at as a whole. */
export async function quiet({ adapter }: Pick<RunningTelegram, 'adapter'>): Promise<void> {
  await until(() => {
    if (adapter.waiting() > 0) throw new Error(`${adapter.waiting()} messages wait`);
  });
  await wait(50);
}

export function texts(telegram: FakeTelegram, user: User, chat: { id: number }): string[] {
  return telegram.fromBot(user, chat).map(({ text }) => text);
}

export function lastText(telegram: FakeTelegram, user: User, chat: { id: number }): string {
  return texts(telegram, user, chat).at(-1) ?? '';
}

export const receiptView = (text: string): View => ({
  state: 'ok',
  audience: 'everyone',
  paragraphs: [[{ text }]],
  actions: [{ kind: 'link', label: 'Open the receipt', url: 'https://pay.test/receipts/abc' }],
});
