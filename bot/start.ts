import { randomBytes } from 'node:crypto';
import type { Hono } from 'hono';
import type { MicroUsdc } from '../core/money.ts';
import type { Store } from '../db/store.ts';
import type { Changes } from './changes.ts';
import { createClock } from './clock.ts';
import { createBot, type Bot } from './core/bot.ts';
import type { CoreDeps } from './core/dependencies.ts';
import type { PinnedTerms } from './core/terms.ts';
import { textsEn } from './core/texts/en.ts';
import type { Log } from './log.ts';
import { createPayer } from './payer.ts';
import { createSigner, type WalletSigner } from './signer.ts';
import { createWebChat } from './web/chat.ts';
import { createWebMessenger, WEB_TRANSPORT } from './web/messenger.ts';

/** Orders that had to wait are taken up this often. */
const RESUME_EVERY_MS = 30_000;

export type BotOptions = {
  store: Store;
  /** Where the API is reached: the bot pays over HTTP like any outsider. */
  baseUrl: string;
  apiToken?: string;
  pinned: PinnedTerms;
  wallets: WalletSigner;
  balances: (address: string) => Promise<MicroUsdc>;
  /** Local mode only: gives an address play money. With it comes the web chat. */
  faucet?: (address: string) => Promise<void>;
  changes: Changes;
  log: Log;
  fetch?: typeof fetch;
};

export type RunningBot = {
  /** To be mounted at `/chat`; null outside local mode. */
  chat: Hono | null;
  close: () => Promise<void>;
};

/** Starts the bot's role: takes up the orders of earlier processes, and goes on doing so. */
export function startBot(options: BotOptions): RunningBot {
  const { store, baseUrl, apiToken, pinned, wallets, balances, faucet, changes, log } = options;
  const closing = new AbortController();
  const clock = createClock(closing.signal);
  const random = (count: number) => randomBytes(count);
  const http = { fetch: options.fetch ?? fetch, closing: closing.signal, clock, baseUrl };
  const deps: CoreDeps = {
    store,
    payer: createPayer(apiToken === undefined ? http : { ...http, apiToken }),
    signer: createSigner({ store, wallets, pinned, now: clock.now }),
    wallets,
    pinned,
    balances,
    ...(faucet ? { faucet } : {}),
    messengers: { [WEB_TRANSPORT]: createWebMessenger({ store, changes, random, now: clock.now }) },
    texts: textsEn,
    random,
    clock,
    closing: closing.signal,
    log,
  };
  const bot = createBot(deps);
  const stopResuming = keepResuming(bot, log);
  return {
    chat: faucet ? createWebChat({ ...deps, changes, bot }) : null,
    async close() {
      stopResuming();
      closing.abort();
      await bot.idle();
    },
  };
}

function keepResuming(bot: Bot, log: Log): () => void {
  const resume = () => {
    bot.resume().catch((error: unknown) => log.error({ error: String(error) }, 'orders not resumed; tried again soon'));
  };
  resume();
  const timer = setInterval(resume, RESUME_EVERY_MS);
  return () => clearInterval(timer);
}
