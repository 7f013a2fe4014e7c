import { describe, expect, test } from 'vitest';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { NetworkUnderTest, Service } from '../network.ts';
import { freshHandle, freshOrder, link, pay, payAlready, payBatch, present, USDC, wireStatus } from '../orders.ts';
import type { Suite } from '../suite.ts';

export function payoutCases(suite: Suite, { payoutTransactionsMax }: NetworkUnderTest): void {
  const { network, world, service, start, startForAll, comeToRest, untilNothingMoves } = suite;
  // One after the other: of many questions at once the last waits for all, and a local chain has to answer each within its time.
  async function balances(addresses: readonly string[]) {
    const found: bigint[] = [];
    for (const address of addresses) found.push(await world().usdcBalance(address));
    return found;
  }

  /** So many people with a wallet each. */
  async function linkMany(to: Service, count: number) {
    const people: { receiver: string; address: string }[] = [];
    while (people.length < count) {
      const [receiver, address] = [freshHandle('friend'), await world().createRecipient()];
      await link(to, network, receiver, address);
      people.push({ receiver, address });
    }
    return people;
  }

  describe('a payout', () => {
    test('waits for a wallet, then is exact on the chain, told as paid, and final later', async () => {
      const payer = await world().createPayer(5n * USDC);
      const [order, address] = [freshOrder(1.000001), await world().createRecipient()];
      const txnId = await payAlready(service(), payer, order);
      expect(await wireStatus(service(), txnId)).toBe('pending_claim');
      await link(service(), network, order.receiver, address);
      await eventually(async () => expect(await wireStatus(service(), txnId)).toBe('paid'));
      expect(await world().usdcBalance(address)).toBe(1_000_001n);
      await comeToRest(service());
      expect(await payoutStates(service(), address)).toEqual(['final']);
      expect(await wireStatus(service(), txnId)).toBe('paid');
      expect(await world().usdcBalance(address)).toBe(1_000_001n);
    });

    test('waits while our wallets have no gas, like a payment, and each is made once when they have', async () => {
      const own = await start({ settlementWaitMs: 1_500 });
      const payer = await world().createPayer(5n * USDC);
      const [order, address] = [freshOrder(), await world().createRecipient()];
      // It hardly waits for a payment, so its payer asks again with the same proof.
      const proof = await payer.prove(own, { microUsdc: USDC });
      await eventually(async () => expect((await present(own, proof, order)).status).toBe(200));
      await own.drainGas();
      await link(own, network, order.receiver, address);
      await eventually(async () => expect(await payoutStates(own, address)).toHaveLength(1));
      // Whatever it does without gas, it must have tried by then.
      const late = freshOrder();
      const unsettled = await payer.prove(own, { microUsdc: USDC });
      const pending = await present(own, unsettled, late);
      expect([pending.status, pending.body['error']]).toEqual([500, 'settlement_pending']);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
      expect(await world().usdcBalance(address)).toBe(0n);
      await own.refuel();
      await eventually(async () => expect(await world().usdcBalance(address)).toBe(USDC), 15_000);
      await eventually(async () => expect((await present(own, unsettled, late)).status).toBe(200));
      await comeToRest(own);
      expect(await world().usdcBalance(address)).toBe(USDC);
      expect(await world().usdcBalance(payer.address)).toBe(3n * USDC);
    });

    test('waits until its inbound cannot be taken back, where nothing may be at risk', async () => {
      const careful = await start({ exposureCapMicroUsdc: 0n });
      const payer = await world().createPayer(USDC);
      const [friend] = await linkMany(careful, 1);
      const { receiver = '', address = '' } = friend ?? {};
      await world().holdBlocks();
      const arriving = await world().spoilBroadcasts('lose_reply', 1);
      const paying = pay(careful, payer, { receiver, amount: 1 });
      await eventually(async () => expect(await arriving.fired()).toBe(1));
      await world().stepBlock();
      expect([(await paying).status, await world().usdcBalance(payer.address)]).toEqual([200, 0n]);
      // It was looked at and put off.
      await eventually(async () => {
        const [payout] = await careful.store.read.select().from(careful.store.tables.transfers);
        expect(payout?.status).toBe('queued');
        expect(payout?.nextTryAtMs).toBeGreaterThan(payout?.createdAtMs ?? Infinity);
      });
      await world().releaseBlocks();
      await comeToRest(careful);
      expect(await world().usdcBalance(address)).toBe(USDC);
    });
  });

  describe('a batch', () => {
    const own = startForAll();

    test(`of 45 is paid exactly by at most ${payoutTransactionsMax} transactions`, async () => {
      const people = await linkMany(own(), 45);
      const payer = await world().createPayer(2n * USDC);
      const count = await own().watchPayouts();
      const orders = people.map(({ receiver }, index) => ({ receiver, amount: index === 0 ? 0.010001 : 0.01 }));
      expect(await payBatch(own(), payer, orders)).toHaveLength(45);
      await untilNothingMoves(own());
      const addresses = people.map(({ address }) => address);
      expect(await balances(addresses)).toEqual(addresses.map((_, index) => (index === 0 ? 10_001n : 10_000n)));
      expect(await world().usdcBalance(payer.address)).toBe(1_549_999n);
      const transactions = await count();
      expect(transactions).toBeGreaterThan(0);
      expect(transactions).toBeLessThanOrEqual(payoutTransactionsMax);
      expect(await world().usdcBalance(own().treasury)).toBe(0n);
    });

    test('with one recipient whom the issuer bars pays 19 and holds 1', async () => {
      const people = await linkMany(own(), 20);
      const barred = people[12]?.address ?? '';
      await world().bar(barred);
      const payer = await world().createPayer(USDC);
      const lines = await payBatch(
        own(),
        payer,
        people.map(({ receiver }) => ({ receiver, amount: 0.01 })),
      );
      await untilNothingMoves(own());
      const addresses = people.map(({ address }) => address);
      expect(await balances(addresses)).toEqual(addresses.map((address) => (address === barred ? 0n : 10_000n)));
      expect(await payoutStates(own(), barred)).toEqual(['held']);
      expect(await wireStatus(own(), lines[12]?.txn_id ?? 0)).toBe('held');
      expect(await wireStatus(own(), lines[11]?.txn_id ?? 0)).toBe('paid');
    });
  });
}

async function payoutStates({ store: { read, tables } }: Service, address: string): Promise<string[]> {
  const rows = await read.select().from(tables.transfers);
  return rows.filter(({ toAddress }) => toAddress === address).map(({ status }) => status);
}
