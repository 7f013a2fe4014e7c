/** The operator replaces Solana's fee payer while an order is signed for the old one: it is signed anew, and paid once. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChatClaims } from '../../bot/requests/chat-claims.ts';
import { createClock } from '../../bot/shared/clock.ts';
import { createBot } from '../../bot/commands/bot.ts';
import { textsEn } from '../../texts/en.ts';
import { createPayments } from '../../client/payments.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import { findOrderByEvent } from '../../db/tips/orders.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { payFromSolana } from '../../service/bot-networks.ts';
import { startSolanaChain, type SolanaChain } from '../support/chains/solana-chain.ts';
import { randomSolanaKey, startSolanaService, type SolanaService } from '../support/solana-service.ts';
import { fakeMessenger, makeAcquainted, textEvent, usdc } from './harness.ts';

const SEED = randomBytes(32);
const dir = mkdtempSync(join(tmpdir(), 'pennypost-fee-payer-'));
const keys = { treasuryKey: randomSolanaKey(), feePayerKey: randomSolanaKey() };
let chain: SolanaChain;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 20 });
});
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  await chain?.close();
  rmSync(dir, { recursive: true, force: true });
});

const startService = () =>
  startSolanaService({
    rpcUrl: chain.rpcUrl,
    fundSol: chain.fundSol,
    databasePath: join(dir, 'books.sqlite'),
    keys: { ...keys },
  });

/** `isCut`: a signed header never reaches the service. */
function startBot({ store, url, parts }: SolanaService, { isCut = false } = {}) {
  const closing = new AbortController();
  const { paying, signing } = payFromSolana(parts, SEED, { bps: 0, flatMicroUsdc: usdc(0) });
  const chat = fakeMessenger();
  const clock = createClock(closing.signal);
  const log = () => undefined;
  const reach: typeof fetch = (input, init) => {
    if (isCut && new Headers(init?.headers).has('PAYMENT-SIGNATURE')) return Promise.reject(new TypeError('cut'));
    return fetch(input, init);
  };
  const bot = createBot({
    store,
    clock,
    closing: closing.signal,
    networks: [paying],
    payments: createPayments({ baseUrl: url, fetch: reach, closing: closing.signal }),
    claims: createChatClaims({ baseUrl: url, fetch, closing: closing.signal }),
    publicUrl: url,
    signer: createSigner({ store, now: clock.now, solana: signing }),
    messengers: { test: chat.messenger },
    texts: textsEn,
    claimDays: 30,
    random: (count) => randomBytes(count),
    log: { info: log, warn: log, error: log },
  });
  const close = async () => {
    closing.abort();
    await bot.idle();
  };
  const order = async () => {
    const found = await findOrderByEvent(store, 'test', 'event-1');
    if (found === null) throw new Error('there is no order yet');
    return found;
  };
  return { bot, paying, order, close };
}

test('an order that was signed for the old fee payer and never sent is signed anew once it can land no more', async () => {
  const first = await startService();
  const before = startBot(first, { isCut: true });
  const address = await before.paying.addressOf('chat:user-1');
  await chain.fundUsdc(address, usdc(3));
  await makeAcquainted(first.store, textEvent('/tip x:alice 1'));
  await before.bot.handle(textEvent('/tip x:alice 1'));
  await eventually(async () => expect((await before.order()).status).toBe('signed'));
  const { header } = await before.order();
  await before.close();
  await first.close();

  keys.feePayerKey = randomSolanaKey();
  const next = await startService();
  ends.push(next.close);
  const { bot, order, close } = startBot(next);
  ends.push(close);
  await bot.resume();
  await bot.idle();
  // The old fee payer could still sign it.
  expect(await order()).toMatchObject({ status: 'signed', header });
  chain.expireBlockhashes();
  await eventually(async () => {
    await bot.resume();
    await bot.idle();
    expect((await order()).status).toBe('answered');
  });
  expect((await order()).header).not.toBe(header);
  expect(await chain.usdcBalance(address)).toBe(usdc(2));
  expect(await next.store.read.select().from(next.store.tables.payments)).toHaveLength(1);
  await next.assertSound();
});
