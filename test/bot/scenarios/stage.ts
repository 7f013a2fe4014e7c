import { randomBytes } from 'node:crypto';
import { createChatClaims } from '../../../bot/requests/chat-claims.ts';
import { createRewards } from '../../../bot/requests/rewards.ts';
import { createWalletPages } from '../../../bot/wallet/app.ts';
import type { Store } from '../../../db/store/store.ts';
import { startFakeApi } from '../fake-api.ts';
import { startFakeRewards } from '../fake-rewards.ts';
import { createHarness, OPERATOR, openTestStore, usdc } from '../harness.ts';
import { createFakeClaims } from './fake-claims.ts';
import { openDiscordTransport } from './drivers/discord-transport.ts';
import { openTelegramTransport } from './drivers/telegram-transport.ts';
import type { Transport } from './drivers/transport.ts';
import { openWebTransport } from './drivers/web-transport.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

export const TRANSPORTS = ['web', 'discord', 'telegram'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

const OPEN = {
  web: openWebTransport,
  discord: openDiscordTransport,
  telegram: openTelegramTransport,
} as const satisfies Record<TransportName, () => Promise<Transport>>;

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** The bot on one transport: the real core, payer, signer and adapter; the chat's network and the API are local ones. */
export async function startStage(name: TransportName) {
  const transport = await OPEN[name]();
  const api = await startFakeApi();
  const rewards = await startFakeRewards();
  const claims = createFakeClaims();
  const store = await openTestStore();
  const world = { apiUrl: api.url, rewardsUrl: rewards.url, store, claims };
  let process = await startProcess(transport, world);
  return {
    name,
    driver: transport.driver,
    api,
    rewards,
    claims,
    store,
    /** What the wallets hold; each test begins with 20 USDC. */
    state: () => process.harness.state,
    clock: () => process.harness.clock,
    resume: () => process.harness.bot.resume(),
    idle: () => process.harness.bot.idle(),
    isQuiet: () => process.connection.isQuiet(),
    logged: () => process.harness.logged,
    /** Another process takes over from this one, with what is in the database and nothing else. Time goes on. */
    async restart(): Promise<void> {
      await process.close();
      process = await startProcess(transport, world, process.harness.clock.now());
    },
    /** What a link of the bot opens. */
    async download(url: string): Promise<Response> {
      const { deps, bot } = process.harness;
      const pages = createWalletPages({
        ...deps,
        limits: createRateLimits(deps.clock.now),
        orders: bot.orders,
        withdrawals: bot.withdrawals,
        signInPlatforms: [],
        passkeys: null,
        isSecure: false,
        operator: OPERATOR,
      });
      return pages.request(url.replace('https://pay.test/purse', 'http://localhost'));
    },
    reset(): void {
      api.seen.length = 0;
      api.script((request) => ({ do: request.header ? 'paid' : 'challenge' }));
      rewards.verdict = () => 'paid';
      for (const seen of [rewards.proofs, rewards.charged, rewards.rejected]) seen.length = 0;
      claims.reset();
      process.harness.state.balance = usdc(20);
      transport.driver.deliverTimes(1);
    },
    async close(): Promise<void> {
      await process.close();
      await transport.driver.close();
      await api.close();
      await rewards.close();
      await store.close();
    },
  };
}

type World = { apiUrl: string; rewardsUrl: string; store: Store; claims: ReturnType<typeof createFakeClaims> };

async function startProcess(transport: Transport, { apiUrl, rewardsUrl, store, claims }: World, startMs?: number) {
  const harness = await createHarness({ apiUrl, store, ...(startMs === undefined ? {} : { startMs }) });
  const { deps, closing, bot } = harness;
  const { fetch } = claims;
  Object.assign(deps, {
    // Each process of the harness counts from one, and ids of two would meet in one database.
    random: (count: number) => new Uint8Array(randomBytes(count)),
    claims: createChatClaims({ baseUrl: apiUrl, apiToken: 'token', fetch, closing: closing.signal }),
    rewards: createRewards({ baseUrl: rewardsUrl, fetch: globalThis.fetch, closing: closing.signal }),
  });
  const connection = await transport.connect(harness);
  return {
    harness,
    connection,
    close: async () => {
      await connection.stopHearing();
      closing.abort();
      await bot.idle();
      await connection.close();
    },
  };
}
