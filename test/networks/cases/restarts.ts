import { describe, expect, onTestFinished, test } from 'vitest';
import { dyingAt } from '../../support/chains/dying.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { NetworkUnderTest, Service } from '../network.ts';
import { freshOrder, link, payAlready, present, USDC } from '../orders.ts';
import type { Suite } from '../suite.ts';

const IMPATIENT = { settlementWaitMs: 300 };

/** What one service leaves behind, another one on the same database finishes. */
export function restartCases(suite: Suite, { deaths, showsCommonRules }: NetworkUnderTest): void {
  const { network, world, track, close, untilNothingMoves, assertBooksAreTheChain } = suite;

  describe('after the service ended', () => {
    test.runIf(showsCommonRules)('a payment that was claimed and not yet sent is settled by the next one', async () => {
      const installation = world().install();
      const idle = await track(installation.start({ ...IMPATIENT, runWorker: false }));
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder();
      const proof = await payer.prove(idle, { microUsdc: USDC });
      expect((await present(idle, proof, order)).status).toBe(500);
      await close(idle);
      const next = await track(installation.start());
      expect((await present(next, proof, order)).status).toBe(200);
      await untilNothingMoves(next);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
    });

    test('a payment that was on its way is followed by the next one: one charge', async () => {
      const installation = world().install();
      const first = await track(installation.start(IMPATIENT));
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder();
      const proof = await payer.prove(first, { microUsdc: USDC });
      await world().holdBlocks();
      expect((await present(first, proof, order)).status).toBe(500);
      await eventually(async () => expect(await openSendings(first)).toBe(1));
      await close(first);
      const next = await track(installation.start());
      await world().releaseBlocks();
      expect((await present(next, proof, order)).status).toBe(200);
      await untilNothingMoves(next);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
      expect(await sendings(next)).toBe(1);
    });

    test('a payment that was signed, and lost on its way, is sent again from its row: one charge', async () => {
      const installation = world().install();
      const first = await track(installation.start(IMPATIENT));
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder();
      const proof = await payer.prove(first, { microUsdc: USDC });
      await world().holdBlocks();
      const spoiled = await world().spoilBroadcasts('drop');
      onTestFinished(spoiled.heal);
      expect((await present(first, proof, order)).status).toBe(500);
      await eventually(async () => expect(await spoiled.fired()).toBeGreaterThan(0));
      await close(first);
      await spoiled.heal();
      const next = await track(installation.start());
      await world().releaseBlocks();
      expect((await present(next, proof, order)).status).toBe(200);
      await untilNothingMoves(next);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
      expect(await sendings(next)).toBe(1);
    });

    test('what landed while nobody looked is found by the next one', async () => {
      const installation = world().install();
      const first = await track(installation.start(IMPATIENT));
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder();
      const proof = await payer.prove(first, { microUsdc: USDC });
      await world().holdBlocks();
      expect((await present(first, proof, order)).status).toBe(500);
      await eventually(async () => expect(await openSendings(first)).toBe(1));
      await close(first);
      await world().releaseBlocks();
      await payer.send(first.treasury, 7n);
      await world().finalize();
      const next = await track(installation.start());
      expect((await present(next, proof, order)).status).toBe(200);
      await untilNothingMoves(next);
      await assertBooksAreTheChain(next);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC - 7n);
      expect(await world().usdcBalance(next.treasury)).toBe(USDC + 7n);
    });

    test('payouts that were on their way are finished by the next one: each is paid once', async () => {
      const installation = world().install();
      const first = await track(installation.start());
      const payer = await world().createPayer(5n * USDC);
      const people = await Promise.all(
        [0.5, 0.25, 1].map(async (amount) => ({ ...freshOrder(amount), address: await world().createRecipient() })),
      );
      for (const { receiver, amount } of people) await payAlready(first, payer, { receiver, amount });
      await untilNothingMoves(first);
      await world().holdBlocks();
      for (const { receiver, address } of people) await link(first, network, receiver, address);
      await eventually(async () => expect(await openSendings(first)).toBeGreaterThan(0));
      await close(first);
      const next = await track(installation.start());
      await world().releaseBlocks();
      await untilNothingMoves(next);
      const balances = await Promise.all(people.map(({ address }) => world().usdcBalance(address)));
      expect(balances).toEqual([500_000n, 250_000n, USDC]);
      expect(await world().usdcBalance(next.treasury)).toBe(0n);
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
