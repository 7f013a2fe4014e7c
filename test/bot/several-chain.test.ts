/** A tip for several people on a real service: one payment on the chain, and one receipt by the real worker. */
import { randomBytes } from 'node:crypto';
import { asc } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChatClaims } from '../../bot/requests/chat-claims.ts';
import { createClock } from '../../bot/shared/clock.ts';
import { createBot } from '../../bot/commands/bot.ts';
import { textsEn } from '../../texts/en.ts';
import { createPayments } from '../../client/payments.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import { plainText, type View } from '../../core/view.ts';
import { findOrderByEvent } from '../../db/tips/orders.ts';
import { payFromEvm } from '../../service/bot-networks.ts';
import type { ChatPost } from '../../worker/chat/sender.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { fakeMessenger, pressEvent, textEvent, usdc } from './harness.ts';

let chain: BaseChain;
let service: TestService;
const closing = new AbortController();
const receipts = new Map<string, View>();

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 100 });
  const senders = {
    test: { post: async ({ onceKey, view }: ChatPost) => void receipts.set(onceKey, view) },
  };
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, senders });
});
afterAll(async () => {
  closing.abort();
  await service.close();
  await chain.close();
});

test('one payment, one message with a receipt for each, and the books fit the chain', async () => {
  const { store, url, parts } = service;
  const { paying, signing } = payFromEvm(parts, randomBytes(32), { bps: 0, flatMicroUsdc: usdc(0) });
  const chat = fakeMessenger();
  const clock = createClock(closing.signal);
  const http = { baseUrl: url, fetch, closing: closing.signal };
  const logged: string[] = [];
  const log = (facts: Record<string, unknown>, message: string) => void logged.push(message + String(facts['error']));
  const bot = createBot({
    store,
    clock,
    closing: closing.signal,
    networks: [paying],
    payments: createPayments(http),
    claims: createChatClaims(http),
    publicUrl: url,
    signer: createSigner({ store, now: clock.now, base: signing }),
    messengers: { test: chat.messenger },
    texts: textsEn,
    claimDays: 30,
    random: (count) => randomBytes(count),
    log: { info: log, warn: log, error: log },
  });
  await chain.fundUsdc((await paying.addressOf('chat:user-1')) as `0x${string}`, usdc(3));
  await bot.handle(textEvent('/tip x:alice github:bob carol@example.com 1 split for lunch'));
  const [confirm] = chat.last('event-1')?.actions ?? [];
  if (confirm?.kind !== 'button') throw new Error(`no button under: ${chat.textOf('event-1')}`);
  const press = pressEvent(confirm.id, 'press-1');
  await Promise.all([bot.press(press), bot.press(press), bot.press({ ...press, eventId: 'press-2' })]);
  await bot.idle();
  expect(chat.textOf('event-1')).toContain('Sent 1.00 USDC to 3 people.');
  expect(logged).toEqual([]);
  const view = chat.last('event-1');
  expect(view && plainText(view)).toContain('Waiting to be collected: @alice on X, bob on GitHub, carol@example.com');
  expect(receipts.size).toBe(0);
  const order = await findOrderByEvent(store, 'test', 'event-1');
  const links = view?.actions.flatMap((action) => (action.kind === 'link' ? [action.url] : []));
  expect(links).toEqual(order?.results?.map(({ receipt }) => receipt));
  const { lines } = store.tables;
  const booked = await store.read.select().from(lines).orderBy(asc(lines.position));
  expect(booked.map(({ amountMicroUsdc }) => amountMicroUsdc)).toEqual([333_334n, 333_333n, 333_333n]);
  expect(await paying.balanceOf(await paying.addressOf('chat:user-1'))).toBe(usdc(2));
  await service.assertSound();
});
