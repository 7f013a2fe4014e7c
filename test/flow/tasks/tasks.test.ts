import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeTransfer } from '../../../chain/evm/authorization.ts';
import { microUsdc } from '../../../core/money.ts';
import { transfersSeen } from '../../../db/tasks/find.ts';
import type { Identity } from '../../../identity/port.ts';
import { createLocalIdentity } from '../../../local/identity.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { signAuthorization, toAuthorization } from '../../support/chains/base-chain.ts';
import { sendOnBase, sendSoon, transferOnBase } from '../../support/tasks/tasks.ts';
import { useTaskWorld } from '../../support/tasks/task-world.ts';

type Hex = `0x${string}`;

const world = useTaskWorld();

describe('a task that is paid by a plain transfer on Base', () => {
  test('is settled, swept to the treasury and paid out from there', async () => {
    await world.start();
    const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
    const person = await world.chain.createAccount({ wei: 0n });
    const { task, offer } = await world.openOnBase({ amount: 1.5 });
    expect(offer.amountMicroUsdc).toBeGreaterThan(1_500_000n);
    expect(offer.amountMicroUsdc % 1_000n).not.toBe(0n);
    const hash = await transferOnBase(world.chain, payer, offer.address, offer.amountMicroUsdc);
    const payment = await world.untilPaid(task.id);
    const extra = Number(offer.amountMicroUsdc - 1_500_000n) / 1_000_000;
    expect(payment.landedTransaction).toBe(hash);
    expect(payment.answer).toMatchObject({ code: 200, data: { amount: 1.5 + extra, extra, status: 'pending_claim' } });
    await world.linkEverybody(person.address);
    await eventually(
      async () => expect(await world.chain.usdcBalance(person.address)).toBe(offer.amountMicroUsdc),
      20_000,
    );
    await eventually(async () => expect(await world.balances()).toEqual({ task: 0n, treasury: 0n }), 20_000);
  });

  test('too small to be worth a transfer of its own is swept when its payout needs it', async () => {
    await world.start();
    const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
    const person = await world.chain.createAccount({ wei: 0n });
    const { task, offer } = await world.openOnBase({ amount: 0.01 });
    await transferOnBase(world.chain, payer, offer.address, offer.amountMicroUsdc);
    await world.untilPaid(task.id);
    expect(await world.balances()).toEqual({ task: offer.amountMicroUsdc, treasury: 0n });
    await world.linkEverybody(person.address);
    await eventually(
      async () => expect(await world.chain.usdcBalance(person.address)).toBe(offer.amountMicroUsdc),
      20_000,
    );
    expect(await world.balances()).toEqual({ task: 0n, treasury: 0n });
  });

  test('is one of several at once: two of one price, and what fits none waits for the operator', async () => {
    await world.start();
    const payer = await world.chain.createAccount({ usdc: microUsdc(9_000_000n) });
    const [first, second] = [
      await world.openOnBase({ receiver: 'alice' }),
      await world.openOnBase({ receiver: 'bob' }),
    ];
    const stray = await transferOnBase(world.chain, payer, first.offer.address, 1_000_000n);
    const ofSecond = await transferOnBase(world.chain, payer, first.offer.address, second.offer.amountMicroUsdc);
    const ofFirst = await transferOnBase(world.chain, payer, first.offer.address, first.offer.amountMicroUsdc);
    expect((await world.untilPaid(first.task.id)).landedTransaction).toBe(ofFirst);
    expect((await world.untilPaid(second.task.id)).landedTransaction).toBe(ofSecond);
    await eventually(async () => expect((await world.balances()).task).toBe(1_000_000n), 20_000);
    expect(await transfersSeen(world.service.store, 'base', stray)).toMatchObject([{ consumedBy: null }]);
  });

  test('is one of sixteen, in any order, with repetitions and strays between them: each is paid once', async () => {
    await world.start();
    const payer = await world.chain.createAccount({ usdc: microUsdc(200_000_000n) });
    const opened = [];
    for (let index = 0; index < 16; index += 1)
      opened.push(await world.openOnBase({ receiver: `person_${index % 6}`, amount: 1, caller: null }));
    const amounts = opened.map(({ offer }) => offer.amountMicroUsdc);
    const told = new Set(amounts);
    const strays = [1_000_000n, 2_345_678n, 1_009_999n].filter((amount) => !told.has(amount));
    const repeated = amounts.slice(0, 5);
    const sent = shuffled([...amounts, ...repeated, ...strays]);
    const address = opened[0]?.offer.address ?? '';
    let nonce = await world.chain.client.getTransactionCount({ address: payer.address });
    for (const value of sent) await sendSoon(world.chain, payer, { to: address, value, nonce: nonce++ });
    for (const { task } of opened) await world.untilPaid(task.id);
    const person = await world.chain.createAccount({ wei: 0n });
    await world.linkEverybody(person.address);
    const total = amounts.reduce((sum, amount) => sum + amount, 0n);
    await eventually(async () => expect(await world.chain.usdcBalance(person.address)).toBe(total), 30_000);
    const surplus = [...repeated, ...strays].reduce((sum, amount) => sum + amount, 0n);
    await eventually(async () => expect(await world.balances()).toEqual({ task: surplus, treasury: 0n }), 20_000);
    const { payments, observedTransfers } = world.service.store.tables;
    expect(await world.service.store.read.select().from(payments)).toHaveLength(16);
    const rows = await world.service.store.read.select().from(observedTransfers);
    expect(rows.filter(({ consumedBy }) => consumedBy === null)).toHaveLength(repeated.length + strays.length);
  });

  test('by a signed authorization that another sender sent, as for wallets without gas', async () => {
    await world.start();
    const payer = await world.chain.createAccount({ usdc: microUsdc(2_000_000n), wei: 0n });
    const { task, offer } = await world.openOnBase();
    const to = offer.address as Hex;
    const authorization = toAuthorization({ from: payer.address, to, value: offer.amountMicroUsdc });
    const signature = await signAuthorization(payer, authorization);
    const message = { ...authorization, validAfter: 0, validBefore: Number(authorization.validBefore) };
    const relayer = await world.chain.createAccount();
    await sendOnBase(world.chain, relayer, encodeTransfer(message, signature));
    expect((await world.untilPaid(task.id)).payer).toBe(payer.address.toLowerCase());
  });

  test('and whose receiver nobody has goes back to where its caller said', async () => {
    const identity: Identity = { ...createLocalIdentity('configured'), resolve: async () => ({ kind: 'not-found' }) };
    await world.start({ identity });
    const payer = await world.chain.createAccount({ usdc: microUsdc(2_000_000n) });
    const address = (await world.chain.createAccount({ wei: 0n })).address.toLowerCase();
    const { task, offer } = await world.openOnBase({ refundAddresses: [{ network: 'base', address }] });
    await transferOnBase(world.chain, payer, offer.address, offer.amountMicroUsdc);
    await world.untilPaid(task.id);
    await eventually(
      async () => expect(await world.chain.usdcBalance(address as Hex)).toBe(offer.amountMicroUsdc),
      30_000,
    );
  });
});

/** Another order every time. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
