import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeTransfer } from '../../../chain/evm/authorization.ts';
import { microUsdc } from '../../../core/money.ts';
import { transfersSeen } from '../../../db/tasks/find.ts';
import type { Identity } from '../../../identity/port.ts';
import { createLocalIdentity } from '../../../local/identity.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { signAuthorization, toAuthorization } from '../../support/chains/base-chain.ts';
import { sendOnBase, sendSoon } from '../../support/tasks/tasks.ts';
import { useTaskWorld } from '../../support/tasks/task-world.ts';

type Hex = `0x${string}`;

const world = useTaskWorld();

/** Everybody has an account, except `nobody`. */
function createIdentity(): Identity {
  const everybody = createLocalIdentity('configured');
  const resolve: Identity['resolve'] = async (recipient) =>
    recipient.key === 'nobody' ? { kind: 'not-found' } : everybody.resolve(recipient);
  return { ...everybody, resolve };
}

describe('a task that is paid by a plain transfer on Base is swept when its payout needs it or it is worth it', () => {
  /**
   * Too small to be worth a transfer of its own. By a signed authorization that another sender sends, as for wallets
   * without gas.
   */
  async function paySmallThroughAnother(person: Hex): Promise<bigint> {
    const payer = await world.chain.createAccount({ usdc: microUsdc(2_000_000n), wei: 0n });
    const { task, offer } = await world.openOnBase({ amount: 0.01 });
    const { amountMicroUsdc: value } = offer;
    const authorization = toAuthorization({ from: payer.address, to: offer.address as Hex, value });
    const signature = await signAuthorization(payer, authorization);
    const message = { ...authorization, validAfter: 0, validBefore: Number(authorization.validBefore) };
    const relayer = await world.chain.createAccount();
    await sendOnBase(world.chain, relayer, encodeTransfer(message, signature));
    expect((await world.untilPaid(task.id)).payer).toBe(payer.address.toLowerCase());
    expect(await world.balances()).toEqual({ task: value, treasury: 0n });
    await world.linkEverybody(person);
    await eventually(async () => expect(await world.chain.usdcBalance(person)).toBe(value), 20_000);
    expect(await world.balances()).toEqual({ task: 0n, treasury: 0n });
    return value;
  }

  /** In one order or another, without waiting for a block. */
  async function sendAll(to: string, values: readonly bigint[]) {
    const payer = await world.chain.createAccount({ usdc: microUsdc(200_000_000n) });
    let nonce = await world.chain.client.getTransactionCount({ address: payer.address });
    const sent: { value: bigint; hash: string }[] = [];
    for (const value of shuffled(values))
      sent.push({ value, hash: await sendSoon(world.chain, payer, { to, value, nonce: nonce++ }) });
    return (wanted: bigint) => sent.filter(({ value }) => value === wanted).map(({ hash }) => hash);
  }

  test('is one of several at once: two of one price, and what fits none waits for the operator', async () => {
    await world.start({ identity: createIdentity() });
    const person = await world.chain.createAccount({ wei: 0n });
    const small = await paySmallThroughAnother(person.address);
    const address = (await world.chain.createAccount({ wei: 0n })).address.toLowerCase();
    const refundAddresses = [{ network: 'base' as const, address }];
    const lost = await world.openOnBase({ receiver: 'nobody', refundAddresses });
    const larger = await world.openOnBase({ receiver: 'bob', amount: 1.5 });
    const opened = [larger];
    for (let index = 0; index < 5; index += 1)
      opened.push(await world.openOnBase({ receiver: `person_${index % 3}`, amount: 1, caller: null }));
    const amounts = opened.map(({ offer }) => offer.amountMicroUsdc);
    const [amount = 0n] = amounts;
    expect(amount).toBeGreaterThan(1_500_000n);
    expect(amount % 1_000n).not.toBe(0n);

    const back = lost.offer.amountMicroUsdc;
    const told = new Set([...amounts, back]);
    const price = 1_000_000n;
    const strays = [price, 2_345_678n, 1_009_999n].filter((one) => !told.has(one));
    const surplus = [...amounts.slice(1, 3), ...strays];
    const hashesOf = await sendAll(lost.offer.address, [...told, ...surplus]);
    for (const { task, offer } of [...opened, lost])
      expect(hashesOf(offer.amountMicroUsdc)).toContain((await world.untilPaid(task.id)).landedTransaction);
    const extra = Number(amount - 1_500_000n) / 1_000_000;
    const { answer } = await world.untilPaid(larger.task.id);
    expect(answer).toMatchObject({ code: 200, data: { amount: 1.5 + extra, extra, status: 'pending_claim' } });

    await world.linkEverybody(person.address);
    const wanted = sumOf([small, ...amounts]);
    await eventually(async () => expect(await world.chain.usdcBalance(person.address)).toBe(wanted), 30_000);
    // Whose receiver nobody has goes back to where its caller said.
    await eventually(async () => expect(await world.chain.usdcBalance(address as Hex)).toBe(back), 30_000);
    const rest = { task: sumOf(surplus), treasury: 0n };
    await eventually(async () => expect(await world.balances()).toEqual(rest), 20_000);
    const [stray = ''] = hashesOf(price);
    expect(await transfersSeen(world.service.store, 'base', stray)).toMatchObject([{ consumedBy: null }]);
    const { payments, observedTransfers } = world.service.store.tables;
    expect(await world.service.store.read.select().from(payments)).toHaveLength(opened.length + 2);
    const rows = await world.service.store.read.select().from(observedTransfers);
    expect(rows.filter(({ outgoing, consumedBy }) => !outgoing && consumedBy === null)).toHaveLength(surplus.length);
  });
});

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Another order every time. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
