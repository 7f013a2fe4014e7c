import { serve, type ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Changes } from '../../../bot/shared/changes.ts';
import { createChatClaims } from '../../../bot/requests/chat-claims.ts';
import { createClock } from '../../../bot/shared/clock.ts';
import { createBot } from '../../../bot/commands/bot.ts';
import type { CoreDeps } from '../../../bot/conversation/dependencies.ts';
import { textsEn } from '../../../texts/en.ts';
import { createPayments } from '../../../client/payments.ts';
import { createSigner } from '../../../bot/signing/signer.ts';
import { createWebChat } from '../../../bot/web/chat.ts';
import { createWebMessenger } from '../../../bot/web/messenger.ts';
import { microUsdc } from '../../../core/money.ts';
import { receiptView } from '../../../texts/receipts/receipt.ts';
import { postOnce } from '../../../db/chats/chat.ts';
import { findOrderByTxn } from '../../../db/tips/orders.ts';
import type { Store } from '../../../db/store/store.ts';
import { createChanges } from '../changes.ts';
import { startFakeApi } from '../fake-api.ts';
import { fakeCheck, fakeWallets, openTestStore, OPERATOR, PINNED, usdc } from '../harness.ts';
import { createRateLimits } from '../../../queue/rate-limiter.ts';

/**
 * The web chat on a real socket, over stand-ins for API, chain and worker: for looking at the page in a browser.
 * Started by hand (`npx tsx test/bot/web/dev-server.ts`) it prints its address and stays.
 */
export async function startDevServer(options: { port?: number; slowMs?: number } = {}) {
  const api = await startFakeApi();
  const store = await openTestStore();
  const changes = createChanges();
  const balances = new Map<string, bigint>();
  let txnId = 1_000;
  api.script((one) => {
    if (!one.header) return { do: 'challenge' };
    const { from, value } = one.authorization!;
    const left = (balances.get(from) ?? 0n) - BigInt(value);
    if (left < 0n) {
      return { do: 'answer', status: 402, json: { code: 402, error: 'insufficient_funds' } };
    }
    balances.set(from, left);
    txnId++;
    setTimeout(() => void postReceipt(store, changes, txnId), 300);
    return { do: 'paid', txnId };
  });
  // Between the bot and its API, so that there is time to see it work.
  const slowFetch: typeof fetch = async (...request) => {
    await new Promise((resolve) => setTimeout(resolve, options.slowMs ?? 0));
    return fetch(...request);
  };
  const say = (facts: Record<string, unknown>, message: string) => console.log(message, facts);
  const closing = new AbortController();
  const clock = createClock(closing.signal);
  const { base } = fakeWallets();
  const random = (count: number) => randomBytes(count);
  const deps: CoreDeps = {
    store,
    clock,
    closing: closing.signal,
    random,
    networks: [
      {
        family: 'evm',
        network: 'base',
        pinned: PINNED,
        addressOf: base.addressOf,
        balanceOf: async (address) => microUsdc(balances.get(address) ?? 0n),
        checkAddress: fakeCheck,
      },
    ],
    payments: createPayments({ baseUrl: api.url, fetch: slowFetch, closing: closing.signal }),
    claims: createChatClaims({ baseUrl: api.url, fetch: slowFetch, closing: closing.signal }),
    publicUrl: api.url,
    signer: createSigner({ store, base: { pinned: PINNED, ...base }, now: clock.now }),
    faucet: async (walletId) => {
      const address = base.addressOf(walletId);
      balances.set(address, (balances.get(address) ?? 0n) + usdc(20));
    },
    messengers: { web: createWebMessenger({ store, changes, random, now: clock.now }) },
    texts: textsEn,
    claimDays: 30,
    log: { info: say, warn: say, error: say },
  };
  const bot = createBot(deps);
  const app = new Hono();
  const server = await new Promise<ServerType>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: options.port ?? 0 }, () => resolve(started));
  });
  const { port } = server.address() as AddressInfo;
  const publicUrl = `http://127.0.0.1:${port}`;
  const limits = createRateLimits(deps.clock.now);
  app.route('/chat', createWebChat({ ...deps, publicUrl, limits, changes, bot, operator: OPERATOR, isSecure: false }));
  return {
    url: `http://127.0.0.1:${port}/chat`,
    api,
    store,
    async close() {
      closing.abort();
      await bot.idle();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      await api.close();
      await store.close();
    },
  };
}

/** What the worker does in the real thing. */
async function postReceipt(store: Store, changes: Changes, txnId: number): Promise<void> {
  const order = await findOrderByTxn(store, txnId);
  if (!order) return;
  const view = receiptView({
    amount: microUsdc(order.amountMicroUsdc),
    recipient: order.recipient,
    status: 'pending_claim',
    receiptUrl: order.receipt ?? '',
    claimUntil: '2026-12-20T12:00:00.000Z',
  });
  const nowMs = Date.now();
  await postOnce(store, {
    id: `m_${txnId}`,
    chatId: order.chatId,
    author: 'bot',
    onceKey: `receipt:${txnId}`,
    view,
    nowMs,
  });
  changes.notify(order.chatId);
}

if (process.argv[1] === import.meta.filename) {
  const running = await startDevServer({ port: 8499, slowMs: 700 });
  console.log(running.url);
}
