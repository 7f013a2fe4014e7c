import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { HTTPException } from 'hono/http-exception';
import { Hono, type Context } from 'hono';
import { callerAddress } from '../api/http/caller.ts';
import type { ApiEnv } from '../api/http/env.ts';
import { trustProxies } from '../api/http/proxies.ts';
import type { Metrics } from '../api/metrics/metrics.ts';
import { createCancellations } from '../bot/requests/cancellations.ts';
import { createChatClaims } from '../bot/requests/chat-claims.ts';
import { createClock } from '../bot/shared/clock.ts';
import { createBot, type Bot } from '../bot/commands/bot.ts';
import type { CoreDeps } from '../bot/conversation/dependencies.ts';
import type { PayingNetworks } from '../bot/shared/networks.ts';
import { claimMethodOf, platformRow, type Platform } from '../core/platforms/platforms.ts';
import { textsEn } from '../texts/en.ts';
import { createPayPages } from '../bot/pay/app.ts';
import { AppError } from '../core/errors.ts';
import { DISCORD_TRANSPORT } from '../core/discord/chat.ts';
import { createRewards } from '../bot/requests/rewards.ts';
import { createSigner } from '../bot/signing/signer.ts';
import { TELEGRAM_TRANSPORT } from '../bot/telegram/place.ts';
import { shownOperator } from './offers/operator.ts';
import { createWebChat, type WebChatDeps } from '../bot/web/chat.ts';
import { createWebMessenger, WEB_TRANSPORT } from '../bot/web/messenger.ts';
import { createWalletPages } from '../bot/wallet/app.ts';
import { createPasskeys } from '../identity/passkeys/passkeys.ts';
import { createPayments } from '../client/payments.ts';
import { createTasks } from '../client/tasks.ts';
import { jobHolding, type ProcessLease } from '../db/processes/owner.ts';
import { stampStore } from '../db/store/stamp.ts';
import { createBotNetworks, walletStampOf } from './bot-networks.ts';
import { createDiscordChat } from './discord.ts';
import { askDatabase, type SharedParts } from './shared-parts.ts';
import type { FetchApp } from './http/server.ts';
import type { ServiceOptions } from './options.ts';
import { ORDERS_CHANNEL } from './queue/queue.ts';
import { createErasureList } from './readiness/erasure-list.ts';
import { createHolder } from './readiness/holder.ts';
import { createPayParts } from './pay-pages.ts';
import type { ServiceEnvironment } from './environment.ts';
import { createTelegramChat } from './telegram.ts';

export type BotRole = {
  fetch: FetchApp;
  /** Resumes what an earlier process left, and listens; call it once requests are answered. */
  start: () => void;
  close: () => Promise<void>;
};

/** Starts the bot with its web chat. It pays over HTTP and knows of the service only what its configuration says. */
export async function startBotRole(
  options: ServiceOptions,
  shared: SharedParts,
  metrics?: Pick<Metrics, 'observeFirstWord'>,
): Promise<BotRole> {
  const { log } = options;
  const { store, queue, baseUrl } = shared;
  const closing = newClosing();
  const clock = createClock(closing.signal);
  const changes = {
    notify: (chatId: string) => queue.announce(`chat:${chatId}`),
    subscribe: (chatId: string, listener: () => void) => queue.subscribe(`chat:${chatId}`, listener),
  };
  const random = (count: number) => new Uint8Array(randomBytes(count));
  const money = toMoneyDeps(options, shared, closing.signal);
  const holder = createHolder({ ...shared, announcer: queue, log });
  const telegram = createTelegramChat(options, shared, { money, clock, holder });
  const onFirstWord = (seconds: number) => metrics?.observeFirstWord(DISCORD_TRANSPORT, seconds);
  const discord = await createDiscordChat(options, { store, queue, holder }, clock, onFirstWord);
  const deps: CoreDeps = {
    ...money,
    messengers: {
      [WEB_TRANSPORT]: createWebMessenger({ store, changes, random, now: clock.now }),
      ...(telegram && { [TELEGRAM_TRANSPORT]: telegram.messenger }),
      ...(discord && { [DISCORD_TRANSPORT]: discord.messenger }),
    },
    store,
    publicUrl: baseUrl,
    texts: textsEn,
    claimDays: options.config.limits.claimTtlDays,
    random,
    clock,
    closing: closing.signal,
    hold: holder.want(jobHolding('chats')),
    log,
    failpoint: options.failpoint,
    noteErasure: createErasureList(options.config.dataDir).note,
  };
  const stamp = await walletStampOf(deps.networks);
  const { mode } = options.config;
  await askDatabase(shared.waits, () => stampStore(store, { mode }, stamp).catch(shared.environment.explainStamp));
  const bot = createBot(deps);
  const unsubscribe = queue.subscribe(ORDERS_CHANNEL, () => void bot.orders.look());
  const app = createPages(options, shared, { deps, bot, changes });
  if (telegram?.webhook) app.route('/', telegram.webhook);
  return {
    fetch: app.fetch,
    start: () => {
      bot.start();
      telegram?.start(bot);
      discord?.start({ ...deps, limits: queue.limits, bot });
    },
    close: async () => {
      unsubscribe();
      // Stores what was heard while everything still works.
      await discord?.stopHearing();
      closing.abort();
      await telegram?.close();
      await bot.idle();
      await discord?.close();
      await holder.close();
    },
  };
}

type Pages = { deps: CoreDeps; bot: Bot; changes: WebChatDeps['changes'] };

/** The wallet's pages, those of pay links and the web chat. */
function createPages(options: ServiceOptions, shared: SharedParts, { deps, bot, changes }: Pages): Hono {
  const { limits } = shared.queue;
  const app = new Hono();
  const isSecure = new URL(shared.baseUrl).protocol === 'https:';
  const all = { ...deps, limits, operator: shownOperator(options.config) };
  app.route(
    '/purse',
    createWalletPages({
      ...all,
      orders: bot.orders,
      withdrawals: bot.withdrawals,
      isSecure,
      signInPlatforms: signInPlatformsOf(shared),
      passkeys: createPasskeys(shared.baseUrl),
    }),
  );
  // Where links in older messages lead.
  app.get('/wallet/*', (c) => c.redirect(c.req.path.replace('/wallet', '/purse'), 301));
  const pay = createPayParts(options, shared);
  const isTrustedProxy = trustProxies(options.config.http.trustedProxies);
  const callerOf = (c: Context<ApiEnv>) => callerAddress(c, isTrustedProxy);
  app.route('/pay', createPayPages({ ...all, ...pay, callerOf, payLinks: bot.links, rewardWork: bot.rewards }));
  // Anyone on this machine is a visitor there, so it exists for play money only.
  if (deps.faucet !== undefined) app.route('/chat', createWebChat({ ...all, bot, changes, isSecure }));
  // What fails here, or is not here, is named and logged by what stands before it, as for every other address.
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    throw error;
  });
  app.notFound(() => {
    throw new AppError('not_found');
  });
  return app;
}

/** Names that money is kept for, and that a browser can prove here. */
function signInPlatformsOf({ environment }: SharedParts): Platform[] {
  const isProvenHere = (platform: Platform) => claimMethodOf(platform) !== 'chat' && platformRow(platform).keepsWallets;
  return environment.identity.platforms.filter(isProvenHere);
}

/** It has one listener per open request, each removed with its request: that is no leak to warn of. */
function newClosing(): AbortController {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  return closing;
}

type MoneyDeps = Pick<
  CoreDeps,
  | 'payments'
  | 'claims'
  | 'cancellations'
  | 'links'
  | 'rewards'
  | 'readsPosts'
  | 'signer'
  | 'networks'
  | 'faucet'
  | 'otherMoney'
>;

function toMoneyDeps(options: ServiceOptions, shared: SharedParts, closing: AbortSignal): MoneyDeps {
  const { environment, store, url, baseUrl, lease } = shared;
  const { networks, signings } = createBotNetworks(options, shared);
  const faucet = toFaucet(networks, environment);
  const api = {
    fetch: fetchUnder(lease),
    closing,
    // Beside the API it calls this process directly, past any proxy; alone it calls the public address.
    baseUrl: options.roles.includes('api') ? url : baseUrl,
    apiToken: environment.botApiToken ?? undefined,
  };
  const { rates, source } = options.config.otherMoney;
  return {
    networks,
    otherMoney: { rates: new Map(rates), source },
    signer: createSigner({ store, now: () => Date.now(), ...signings }),
    payments: createPayments(api),
    claims: createChatClaims(api),
    cancellations: createCancellations(api),
    links: createTasks(api),
    rewards: createRewards(api),
    // Alone it does not know what the process with the API is configured with.
    readsPosts: environment.hub !== null || !options.roles.includes('api'),
    ...(faucet && { faucet }),
  };
}

/** The lease may have ended while this process was stopped: then others pay, and nothing may leave here. */
function fetchUnder(lease: Pick<ProcessLease, 'holds'>): typeof globalThis.fetch {
  return async (input, init) => {
    if (!lease.holds()) throw new Error('nothing is sent: the lease of this process is over');
    return globalThis.fetch(input, init);
  };
}

/** Play money is given on the first network. */
function toFaucet([first]: PayingNetworks, { faucets }: ServiceEnvironment): CoreDeps['faucet'] {
  const faucet = faucets.get(first.network);
  return faucet && (async (id) => faucet(await first.addressOf(id)));
}
