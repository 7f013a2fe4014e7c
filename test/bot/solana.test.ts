/** The bot pays on a real service from a wallet on Solana: its own orders, guard and wallets, over HTTP. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChatClaims } from '../../bot/requests/chat-claims.ts';
import { createClock } from '../../bot/shared/clock.ts';
import { createBot } from '../../bot/commands/bot.ts';
import { textsEn } from '../../texts/en.ts';
import { createPayments } from '../../client/payments.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import { isBoundNonce, requestHash } from '../../core/request-hash.ts';
import { findOrderByEvent } from '../../db/tips/orders.ts';
import { readSolanaPayment } from '../../chain/solana/transactions/inbound.ts';
import { readHeader } from '../../core/payments/x402.ts';
import { payFromSolana } from '../../service/bot-networks.ts';
import { startSolanaChain, type SolanaChain } from '../support/chains/solana-chain.ts';
import { startSolanaService, type SolanaService } from '../support/solana-service.ts';
import { fakeMessenger, makeAcquainted, textEvent, usdc } from './harness.ts';

let chain: SolanaChain;
let service: SolanaService;
const closing = new AbortController();

beforeAll(async () => {
  chain = await startSolanaChain({ slotMs: 20 });
  service = await startSolanaService({ rpcUrl: chain.rpcUrl, fundSol: chain.fundSol });
});
afterAll(async () => {
  closing.abort();
  await service.close();
  await chain.close();
});

function startBot() {
  const { store, url, parts } = service;
  const { paying, signing } = payFromSolana(parts, randomBytes(32), { bps: 0, flatMicroUsdc: usdc(0) });
  const chat = fakeMessenger();
  const clock = createClock(closing.signal);
  const logged: string[] = [];
  const log = (facts: Record<string, unknown>, message: string) =>
    void logged.push(`${message} ${String(facts['error'])}`);
  const bot = createBot({
    store,
    clock,
    closing: closing.signal,
    networks: [paying],
    payments: createPayments({ baseUrl: url, fetch, closing: closing.signal }),
    claims: createChatClaims({ baseUrl: url, fetch, closing: closing.signal }),
    publicUrl: url,
    signer: createSigner({ store, now: clock.now, solana: signing }),
    messengers: { test: chat.messenger },
    texts: textsEn,
    claimDays: 30,
    random: (count) => randomBytes(count),
    log: { info: log, warn: log, error: log },
  });
  return { bot, chat, paying, logged };
}

test('a tip is paid from a personal wallet, bound to its request, and the books fit the chain', async () => {
  const { bot, chat, paying, logged } = startBot();
  const address = await paying.addressOf('chat:user-1');
  await chain.fundUsdc(address, usdc(3));
  await makeAcquainted(service.store, textEvent('/tip x:alice 1'));
  await bot.handle(textEvent('/tip x:alice 1'));
  await bot.idle();
  expect([chat.textOf('event-1')?.split('\n')[0], logged]).toEqual(['Sent 1.00 USDC to @alice on X.', []]);
  expect(await chain.usdcBalance(address)).toBe(usdc(2));

  const order = await findOrderByEvent(service.store, 'test', 'event-1');
  const payment = readSolanaPayment(readHeader(order?.header ?? '')?.payload);
  const hash = requestHash('rest.pay', { platform: 'x' }, { receiver: 'alice', amount: '1' });
  expect(isBoundNonce(payment?.memos[0] ?? '', hash)).toBe(true);

  await bot.handle(textEvent('/tip x:alice 5', 'event-2'));
  await bot.idle();
  expect(chat.textOf('event-2')).toContain('You need 5.00 USDC and have 2.00');
  await service.assertSound();
});
