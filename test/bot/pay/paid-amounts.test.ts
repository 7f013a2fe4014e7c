import { afterEach, beforeEach, expect, test } from 'vitest';
import { toCsv } from '../../../bot/files/files.ts';
import { toPaidAmounts } from '../../../bot/tips/order-answer.ts';
import type { PaidPayment } from '../../../client/payments.ts';
import { sentTips } from '../../../db/tips/history.ts';
import { usdc } from '../harness.ts';
import { createPayWorld, PAID, PAID_LINE, type PayWorld } from './world.ts';

let world: PayWorld;
beforeEach(async () => void (world = await createPayWorld()));
afterEach(() => world.close());

/** The answer to a payment of which the lines got so much. */
function paidWith(...amounts: [number | null, ...(number | null)[]]): PaidPayment {
  const lineOf = (amount: number | null, at: number) => ({
    ...PAID.lines[0],
    txnId: PAID_LINE.txnId + at,
    amount,
  });
  const [first, ...others] = amounts;
  return { ...PAID, lines: [lineOf(first, 0), ...others.map((amount, at) => lineOf(amount, at + 1))] };
}

/** A transfer pays what was asked for; answers the text of the page, and what the sender's file says of it. */
async function payByTransfer(command: string, paid: PaidPayment) {
  await world.say(command);
  world.keyOf();
  await world.form('transfer');
  world.state.paid = paid;
  const { id, userId } = await world.orderOf();
  await world.bot.links.run(id);
  await world.bot.idle();
  const page = await (await world.show()).text();
  return { page, csv: toCsv(await sentTips(world.store, userId, 10)) };
}

test('what a transfer brings above the price is named on page, in chat, history and file as on the receipt', async () => {
  const { page, csv } = await payByTransfer('/pay @x:alice 1', paidWith(1.000123));
  for (const text of ['Paid: 1.000123 USDC', '@alice on X gets 1.000123 USDC']) expect(page).toContain(text);
  expect(world.chat.textOf('event-1')).toContain('Sent 1.000123 USDC to @alice on X.');
  expect(await world.say('/history', 'event-2')).toContain('1.000123 USDC to @alice on X');
  expect(csv).toContain('1.000123');
});

test('of several it is the first one’s', async () => {
  const { page } = await payByTransfer('/pay @x:alice @x:bob 1', paidWith(1.000123, 1));
  for (const text of ['Paid: 2.000123 USDC', '@alice on X gets 1.000123 USDC', '@bob on X gets 1.00 USDC'])
    expect(page).toContain(text);
  const tips = await sentTips(world.store, (await world.orderOf()).userId, 10);
  expect(tips.map(({ amountMicroUsdc }) => amountMicroUsdc)).toEqual([1_000_123n, 1_000_000n]);
});

test('the fee stays what it was, and an answer without amounts changes nothing', () => {
  const order = { amountMicroUsdc: usdc(1), totalMicroUsdc: usdc(1.01), lines: null };
  expect(toPaidAmounts(order, paidWith(1.000123))).toEqual({
    amountMicroUsdc: 1_000_123n,
    totalMicroUsdc: 1_010_123n,
    lines: null,
  });
  expect(toPaidAmounts(order, paidWith(null))).toBeNull();
});
