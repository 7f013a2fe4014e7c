import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { createClock } from '../bot/clock.ts';
import { createBot } from '../bot/core/bot.ts';
import type { CoreDeps } from '../bot/core/dependencies.ts';
import type { PinnedTerms } from '../bot/core/terms.ts';
import { textsEn } from '../bot/core/texts/en.ts';
import { createPayer } from '../bot/payer.ts';
import { createSigner, type WalletSigner } from '../bot/signer.ts';
import { createWebChat } from '../bot/web/chat.ts';
import { createWebMessenger, WEB_TRANSPORT } from '../bot/web/messenger.ts';
import { createPersonalWallets } from '../chain/personal-wallets.ts';
import { microUsdc } from '../core/money.ts';
import type { BaseParts } from './base.ts';
import type { Foundations } from './foundations.ts';
import type { FetchApp } from './http.ts';
import type { ServiceOptions } from './options.ts';

export type BotRole = {
  fetch: FetchApp;
  /** Takes up what an earlier process left; call it once requests are answered. */
  resume: () => void;
  close: () => Promise<void>;
};

const RESUME_EVERY_MS = 30_000;

/** Starts the bot with its web chat. It pays over HTTP and knows of the service only what its configuration says. */
export async function startBotRole(options: ServiceOptions, foundations: Foundations): Promise<BotRole> {
  const { log } = options;
  const { store, queue } = foundations;
  const closing = new AbortController();
  const clock = createClock(closing.signal);
  const changes = {
    notify: (chatId: string) => queue.announce(`chat:${chatId}`),
    subscribe: (chatId: string, listener: () => void) => queue.subscribe(`chat:${chatId}`, listener),
  };
  const random = (count: number) => new Uint8Array(randomBytes(count));
  const deps: CoreDeps = {
    ...toMoneyDeps(options, foundations, closing.signal),
    messengers: { [WEB_TRANSPORT]: createWebMessenger({ store, changes, random, now: clock.now }) },
    store,
    texts: textsEn,
    random,
    clock,
    closing: closing.signal,
    log,
  };
  const bot = createBot(deps);
  const resume = () => {
    bot.resume().catch((error: unknown) => log.error({ err: error }, 'open orders could not be taken up'));
  };
  const timer = setInterval(resume, RESUME_EVERY_MS);
  const app = new Hono();
  // Anybody on this machine is a visitor there, so it exists for play money only.
  if (deps.faucet !== undefined) app.route('/chat', createWebChat({ ...deps, bot, changes }));
  return {
    fetch: app.fetch,
    resume,
    close: async () => {
      clearInterval(timer);
      closing.abort();
      await bot.idle();
    },
  };
}

type MoneyDeps = Pick<CoreDeps, 'payer' | 'signer' | 'wallets' | 'pinned' | 'balances' | 'faucet'>;

function toMoneyDeps(options: ServiceOptions, foundations: Foundations, closing: AbortSignal): MoneyDeps {
  const { config } = options;
  const { base: parts, surroundings, store, url } = foundations;
  if (parts === null) throw new Error('The bot pays on Base, which is not among the networks.');
  const pinned = pinTerms(parts, config.fees);
  const wallets = createWallets(parts, surroundings.chatWalletSeed);
  const { faucet, botApiToken } = surroundings;
  return {
    pinned,
    wallets,
    signer: createSigner({ store, wallets, pinned, now: () => Date.now() }),
    payer: createPayer({
      fetch: globalThis.fetch,
      closing,
      baseUrl: url,
      apiToken: botApiToken ?? undefined,
      clock: createClock(closing),
    }),
    balances: async (address) => microUsdc(await parts.rpc.balanceOf(address as `0x${string}`)),
    ...(faucet === undefined ? {} : { faucet: (address) => faucet(address as `0x${string}`) }),
  };
}

function pinTerms({ profile, treasury }: BaseParts, fees: ServiceOptions['config']['fees']): PinnedTerms {
  return {
    network: profile.caip2,
    chainId: profile.chainId,
    asset: profile.usdc,
    payTo: treasury.address,
    name: profile.eip712Name,
    version: profile.eip712Version,
    feeBps: fees.bps,
    feeFlat: fees.flatMicroUsdc,
  };
}

/** The derived wallets can sign for one token on one chain only; an order for any other never reaches a key. */
function createWallets({ profile }: BaseParts, seed: Uint8Array | null): WalletSigner {
  if (seed === null) throw new Error('CHAT_WALLET_SEED is needed by the bot.');
  const wallets = createPersonalWallets({ seed, profile });
  return {
    addressOf: wallets.addressOf,
    signTransferAuthorization: (walletId, { from, to, value, validAfter, validBefore, nonce, asset, chainId }) => {
      if (asset.toLowerCase() !== profile.usdc.toLowerCase() || chainId !== profile.chainId) {
        throw new Error(`personal wallets sign for ${profile.usdc} on chain ${profile.chainId} only, found ${asset}`);
      }
      const authorization = { from, to, value, validAfter, validBefore, nonce } as Parameters<
        typeof wallets.signTransferAuthorization
      >[1];
      return wallets.signTransferAuthorization(walletId, authorization);
    },
  };
}
