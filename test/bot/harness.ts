import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { plainText, type View } from '../../core/view.ts';
import { openStore } from '../../db/open.ts';
import type { Store } from '../../db/store.ts';
import { createBot, type Bot } from '../../bot/core/bot.ts';
import type { CoreDeps } from '../../bot/core/dependencies.ts';
import type { Messenger, TextEvent } from '../../bot/core/messenger.ts';
import type { PinnedTerms } from '../../bot/core/terms.ts';
import { textsEn } from '../../bot/core/texts/en.ts';
import { createPayer } from '../../bot/payer.ts';
import { createSigner, type TransferAuthorization, type WalletSigner } from '../../bot/signer.ts';

export const PINNED: PinnedTerms = {
  network: 'eip155:8453',
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: `0x${'ab'.repeat(20)}`,
  name: 'USD Coin',
  version: '2',
  feeBps: 0,
  feeFlat: microUsdc(0n),
};

export const START_MS = Date.UTC(2026, 10, 20, 12);

export const usdc = (amount: number): MicroUsdc => microUsdc(BigInt(Math.round(amount * 1e6)));

/** A database file of its own, removed when closed. */
export async function openTestStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'bot-'));
  const store = await openStore({ kind: 'sqlite', path: join(folder, 'test.sqlite') });
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { ...store, close };
}

/** Time that passes only when somebody sleeps. Nobody sleeps once the bot closes. */
export function fakeClock(closing: AbortSignal) {
  let nowMs = START_MS;
  return {
    now: () => nowMs,
    sleep: async (ms: number) => {
      closing.throwIfAborted();
      nowMs += ms;
    },
    pass: (ms: number) => void (nowMs += ms),
  };
}

/** Wallets whose address and signature can be recognised; it counts what it was asked to sign. */
export function fakeWallets() {
  const signed: { walletId: string; authorization: TransferAuthorization }[] = [];
  const wallets: WalletSigner = {
    addressOf: (walletId) => `0x${Buffer.from(walletId).toString('hex').padEnd(40, '0').slice(0, 40)}`,
    signTransferAuthorization: (walletId, authorization) => {
      signed.push({ walletId, authorization });
      return `0x${'11'.repeat(64)}1b`;
    },
  };
  return { wallets, signed };
}

/** Remembers every view of every message, so that a test can read how a message changed. */
export function fakeMessenger() {
  const messages = new Map<string, View[]>();
  const messenger: Messenger = {
    open: async ({ chatId, eventId }, view) => {
      const id = `${chatId}/${eventId}`;
      messages.set(id, [...(messages.get(id) ?? []), view]);
      return id;
    },
    edit: async (_chatId, messageId, view) => void messages.get(messageId)?.push(view),
  };
  const last = (eventId: string) => messages.get(`chat/${eventId}`)?.at(-1);
  const textOf = (eventId: string) => {
    const view = last(eventId);
    return view ? plainText(view) : undefined;
  };
  const history = (eventId: string) => messages.get(`chat/${eventId}`)?.map(plainText);
  return { messenger, messages, last, textOf, history };
}

let counter = 0;

export type Harness = Awaited<ReturnType<typeof createHarness>>;

export async function createHarness(options: {
  apiUrl: string;
  store?: Store;
  balance?: MicroUsdc;
  pinned?: PinnedTerms;
  faucet?: boolean;
  timeLimitMs?: number;
}) {
  const store = options.store ?? (await openTestStore());
  const closing = new AbortController();
  const clock = fakeClock(closing.signal);
  const { wallets, signed } = fakeWallets();
  const chat = fakeMessenger();
  const pinned = options.pinned ?? PINNED;
  const logged: string[] = [];
  const state = { balance: options.balance ?? usdc(20), faucetCalls: 0 };
  const log = (_facts: Record<string, unknown>, message: string) => void logged.push(message);
  const deps: CoreDeps = {
    store,
    clock,
    closing: closing.signal,
    wallets,
    pinned,
    payer: createPayer({
      baseUrl: options.apiUrl,
      fetch,
      clock,
      closing: closing.signal,
      ...(options.timeLimitMs ? { timeLimitMs: options.timeLimitMs } : {}),
    }),
    signer: createSigner({ store, wallets, pinned, now: clock.now }),
    balances: async () => state.balance,
    messengers: { test: chat.messenger },
    texts: textsEn,
    // Different for each call, like random bytes, and the same in each run.
    random: (count) => Buffer.alloc(count, ++counter),
    log: { info: log, warn: log, error: log },
    ...(options.faucet
      ? {
          faucet: async () => {
            state.faucetCalls++;
            state.balance = usdc(20);
          },
        }
      : {}),
  };
  const bot: Bot = createBot(deps);
  return { bot, deps, store, clock, closing, chat, signed, logged, state };
}

export function textEvent(text: string, eventId = 'event-1', userId = 'user-1'): TextEvent {
  return { transport: 'test', eventId, chatId: 'chat', userId, walletId: userId, text };
}
