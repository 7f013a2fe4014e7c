/** A transfer has landed and is not safe yet: the page says so, and lets nobody pay a second time meanwhile. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { usdc } from '../harness.ts';
import { createPayWorld, PAID, PAID_LINE, SHOWN_TASK_ADDRESS, TASK_ADDRESS, type PayWorld } from './world.ts';

const WALLET = `0x${'c0'.repeat(20)}`;

let world: PayWorld;
beforeEach(async () => {
  world = await createPayWorld();
  world.wallet.balances.set(WALLET, usdc(5));
  await world.say('/pay @x:alice 1');
  await world.form('transfer');
});
afterEach(() => world.close());

/** In the books that the API and the bot share; the API itself is a stand-in here. */
async function land(amountMicroUsdc: bigint): Promise<void> {
  const { store } = world;
  const { taskOffers, tasks, observedTransfers } = store.tables;
  const taskId = (await world.linkOf())?.taskId ?? '';
  const times = { createdAtMs: 0, expiresAtMs: 1, reservedUntilMs: 2, claimTtlMs: 1 };
  const what = { skill: 's', operation: 'a2a.pay' as const, platform: 'x', params: {}, requestHash: 'h', memo: 'm' };
  const sums = { sumMicroUsdc: 1_000_000n, feeMicroUsdc: 0n, agentKnown: true, caller: null, refundAddresses: [] };
  await store.tx(async (db) => {
    await db.insert(tasks).values({ id: taskId, status: 'open', ...what, ...sums, ...times });
    const place = { network: 'base' as const, address: TASK_ADDRESS };
    const asked = { amountMicroUsdc: 1_000_123n, priceMicroUsdc: 1_000_000n };
    await db.insert(taskOffers).values({ taskId, ...place, ...asked, headBlock: 1, reused: false });
    const mined = { transaction: '0x1', logIndex: 0, block: 2, blockHash: '0xb', landed: true, landings: 1 };
    const way = { fromAddress: WALLET, toAddress: TASK_ADDRESS, outgoing: false, returnWanted: false, seenAtMs: 0 };
    await db
      .insert(observedTransfers)
      .values({ fact: 'base:log:1:0', network: 'base' as const, amountMicroUsdc, ...mined, ...way });
  });
}

const textOf = async () => (await world.show()).text();

test('the page says that the payment is on its way, and asks for nothing', async () => {
  await land(1_000_123n);
  const text = await textOf();
  expect(text).toContain('Do not pay a second time');
  expect([text.includes('<form'), text.includes(SHOWN_TASK_ADDRESS)]).toEqual([false, false]);
});

test('a wallet is asked for nothing, and what it has signed is not taken', async () => {
  const prepared = await world.call('prepare', { network: 'base' as const, address: WALLET });
  const { nonce, validBefore } = (await prepared.json()) as { nonce: string; validBefore: number };
  await land(1_000_123n);
  const signed = { network: 'base' as const, address: WALLET, nonce, validBefore, signature: `0x${'22'.repeat(65)}` };
  for (const [step, body] of [
    ['prepare', { network: 'base' as const, address: WALLET }],
    ['signed', signed],
  ] as const) {
    expect(await (await world.call(step, body)).json()).toMatchObject({ error: 'order_in_progress' });
  }
  expect(await world.linkOf()).toMatchObject({ status: 'open', header: null });
});

test('another amount keeps nobody from paying', async () => {
  await land(1_000_124n);
  expect(await textOf()).toContain(SHOWN_TASK_ADDRESS);
  expect((await world.call('prepare', { network: 'base' as const, address: WALLET })).status).toBe(200);
});

test('once it has paid, the page shows the receipt', async () => {
  await land(1_000_123n);
  world.state.paid = PAID;
  await world.bot.links.run((await world.orderOf()).id);
  expect(await textOf()).toContain(PAID_LINE.receipt);
});
