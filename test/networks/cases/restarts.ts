import { describe, expect, onTestFinished, test } from 'vitest';
import { dyingAt } from '../../support/chains/dying.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { NetworkUnderTest, Service } from '../network.ts';
import { freshOrder, link, present, USDC } from '../orders.ts';
import type { Suite } from '../suite.ts';

const IMPATIENT = { settlementWaitMs: 300 };

/** What one service leaves behind, another one on the same database finishes. */
export function restartCases(suite: Suite, { deaths }: NetworkUnderTest): void {
  const { network, world, track, close, untilNothingMoves, assertBooksAreTheChain } = suite;

  describe('after the service ended', () => {
    test('payments on their way are followed, and those lost on it sent again, by the next one: one charge each', async () => {
      const installation = world().install();
      const first = await track(installation.start(IMPATIENT));
      const payer = await world().createPayer(5n * USDC);
      const [known, lost] = [freshOrder(), freshOrder()];
      const knownProof = await payer.prove(first, { microUsdc: USDC });
      const lostProof = await payer.prove(first, { microUsdc: USDC });
      await world().holdBlocks();
      expect((await present(first, knownProof, known)).status).toBe(500);
      await eventually(async () => expect(await openSendings(first)).toBe(1));
      const spoiled = await world().spoilBroadcasts('drop');
      onTestFinished(spoiled.heal);
      expect((await present(first, lostProof, lost)).status).toBe(500);
      await eventually(async () => expect(await openSendings(first)).toBe(2));
      await eventually(async () => expect(await spoiled.fired()).toBeGreaterThan(0));
      await close(first);
      await spoiled.heal();
      const next = await track(installation.start());
      await world().releaseBlocks();
      expect((await present(next, knownProof, known)).status).toBe(200);
      expect((await present(next, lostProof, lost)).status).toBe(200);
      await untilNothingMoves(next);
      expect(await world().usdcBalance(payer.address)).toBe(3n * USDC);
      expect(await sendings(next)).toBe(2);
    });

    test('what landed while nobody looked is found by the next one, which finishes the payouts: each is paid once', async () => {
      const installation = world().install();
      const first = await track(installation.start(IMPATIENT));
      const payer = await world().createPayer(5n * USDC);
      const people = await Promise.all(
        [0.5, 0.25, 1].map(async (amount) => ({ ...freshOrder(amount), address: await world().createRecipient() })),
      );
      const batch = { receivers: people.map(({ receiver, amount }) => ({ receiver, amount })) };
      const batchProof = await payer.prove(first, { microUsdc: 1_750_000n });
      const presentBatch = () => present(first, batchProof, batch, { path: 'x/batch-pay' });
      await eventually(async () => expect((await presentBatch()).status).toBe(200));
      await untilNothingMoves(first);
      const before = await sendings(first);
      const order = freshOrder();
      const proof = await payer.prove(first, { microUsdc: USDC });
      await world().holdBlocks();
      expect((await present(first, proof, order)).status).toBe(500);
      await eventually(async () => expect(await sendings(first)).toBe(before + 1));
      for (const { receiver, address } of people) await link(first, network, receiver, address);
      await eventually(async () => expect(await sendings(first)).toBeGreaterThan(before + 1));
      await close(first);
      await world().releaseBlocks();
      await payer.send(first.treasury, 7n);
      await world().finalize();
      const next = await track(installation.start());
      expect((await present(next, proof, order)).status).toBe(200);
      await untilNothingMoves(next);
      await assertBooksAreTheChain(next);
      const balances = await Promise.all(people.map(({ address }) => world().usdcBalance(address)));
      expect(balances).toEqual([500_000n, 250_000n, USDC]);
      expect(await world().usdcBalance(payer.address)).toBe(2_250_000n - 7n);
      expect(await world().usdcBalance(next.treasury)).toBe(USDC + 7n);
    });

    test.each(deaths.map((points) => [points.join(', then at '), points] as const))(
      'in the middle, at %s, the next one goes on: one charge, one payout',
      async (_name, points) => {
        const installation = world().install();
        const [order, address] = [freshOrder(), await world().createRecipient()];
        const payer = await world().createPayer(5n * USDC);
        let proof: string | null = null;
        for (const point of points) {
          const { failpoint, isOver } = dyingAt(point);
          const dying = await track(installation.start({ ...IMPATIENT, failpoint }));
          if (proof === null) await link(dying, network, order.receiver, address);
          proof ??= await payer.prove(dying, { microUsdc: USDC });
          await present(dying, proof, order);
          await eventually(async () => expect(isOver()).toBe(true));
          await close(dying);
        }
        const next = await track(installation.start());
        expect((await present(next, proof ?? '', order)).status).toBe(200);
        await untilNothingMoves(next);
        expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
        expect(await world().usdcBalance(address)).toBe(USDC);
        expect(await world().usdcBalance(next.treasury)).toBe(0n);
      },
    );
  });
}

/** Signed transactions of ours whose end is not known. */
async function openSendings({ store: { read, tables } }: Service): Promise<number> {
  const carriers = await read.select().from(tables.carriers);
  return carriers.filter(({ status }) => status === 'open').length;
}

async function sendings({ store: { read, tables } }: Service): Promise<number> {
  return (await read.select().from(tables.carriers)).length;
}
