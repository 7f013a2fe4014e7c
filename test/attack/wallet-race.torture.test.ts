/**
 * One person sends many tips at once, with money for half of them: exactly half are paid, the others hear what is missing,
 * and none stays open. `npm run torture -- wallet-race [tips]` does it with more.
 */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChatClaims } from '../../bot/requests/chat-claims.ts';
import { createClock } from '../../bot/shared/clock.ts';
import { createBot } from '../../bot/commands/bot.ts';
import { textsEn } from '../../texts/en.ts';
import { createPayments } from '../../client/payments.ts';
import { createSigner } from '../../bot/signing/signer.ts';
import { microUsdc } from '../../core/money.ts';
import { rememberRecipients } from '../../db/tips/known-recipients.ts';
import { payFromEvm } from '../../service/bot-networks.ts';
import { reportFaults } from '../../scripts/torture/faults.ts';
import { fakeMessenger, textEvent } from '../bot/harness.ts';
import { startBaseChain, type BaseChain } from '../support/chains/base-chain.ts';
import { startTestService, type TestService, usdc } from '../support/service.ts';

const TIPS = Number(process.env['WALLET_RACE_TIPS'] ?? 40);
const USER = 'chat:user-1';
const EACH = '0.1';

let chain: BaseChain;
let service: TestService;
const closing = new AbortController();

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 100 });
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
});
afterAll(async () => {
  closing.abort();
  await service.close();
  await chain.close();
});

test(`${TIPS} tips at once from a wallet with money for half of them: that half is paid, the rest is told what is missing`, async () => {
  const { store, url, parts } = service;
  const { paying, signing } = payFromEvm(parts, randomBytes(32), { bps: 0, flatMicroUsdc: usdc('0') });
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
  const address = (await paying.addressOf(USER)) as `0x${string}`;
  const paidMax = Math.floor(TIPS / 2);
  await chain.fundUsdc(address, microUsdc(usdc(EACH) * BigInt(paidMax)));
  await rememberRecipients(store, USER, ['x:alice'], clock.now());
  const events = Array.from({ length: TIPS }, (_, index) => `event-${index}`);
  await Promise.all(events.map((eventId) => bot.handle(textEvent(`/tip x:alice ${EACH}`, eventId))));
  await bot.idle();

  const ends = new Map<string, number>();
  for (const eventId of events) {
    // Below it stands where the money is.
    const text = (chat.textOf(eventId) ?? '').replace(/^(Sent .*)\n[^]*/, '$1');
    ends.set(text, (ends.get(text) ?? 0) + 1);
  }
  const missing = 'You need 0.10 USDC and have 0.00, so 0.10 USDC is missing. Nothing was charged.';
  expect(ends).toEqual(
    new Map([
      ['Sent 0.10 USDC to @alice on X.', paidMax],
      [`${missing}\n/deposit shows how to add money.`, TIPS - paidMax],
    ]),
  );
  reportFaults({ 'tip without money': ends.get(`${missing}\n/deposit shows how to add money.`) ?? 0 });
  const { orders } = store.tables;
  const rows = await store.read.select().from(orders).where(eq(orders.userId, USER));
  const isOver = ({ status, shownAtMs }: (typeof rows)[number]) =>
    shownAtMs !== null && (status === 'answered' || status === 'failed');
  expect(rows.filter((row) => !isOver(row))).toEqual([]);
  expect(new Set(rows.flatMap(({ txnId }) => txnId ?? [])).size).toBe(paidMax);
  expect(await paying.balanceOf(address)).toBe(0n);
  expect(await chain.usdcBalance(parts.treasury.address)).toBe(usdc(EACH) * BigInt(paidMax));
  expect(logged).toEqual([]);
  await service.assertSound();
}, 600_000);
