import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { Reply } from '../../support/pay.ts';
import type { NetworkUnderTest, Spoiling } from '../network.ts';
import { freshHandle, freshOrder, present, USDC } from '../orders.ts';
import type { Suite } from '../suite.ts';

/** Long enough for the service to begin, far too short for a chain that stands still. */
const IMPATIENT = { settlementWaitMs: 400 };

export function lostCases(
  { world, service, startForAll, comeToRest, untilNothingMoves }: Suite,
  { showsCommonRules }: NetworkUnderTest,
): void {
  const spoilBroadcasts = async (how: Spoiling, times?: number) => {
    const spoiled = await world().spoilBroadcasts(how, times);
    onTestFinished(spoiled.heal);
    return spoiled;
  };

  describe('a payment whose outcome is not known', () => {
    const hasty = startForAll(IMPATIENT);

    test.each(['lose_reply', 'drop'] as const)('because of a broadcast (%s) is charged once', async (how) => {
      const payer = await world().createPayer(5n * USDC);
      const spoiled = await spoilBroadcasts(how, 1);
      const order = freshOrder();
      const proof = await payer.prove(service(), { microUsdc: USDC });
      const first = await present(service(), proof, order);
      if (first.status !== 200) expectPending(first);
      const reply = await eventually(async () => expect200(await present(service(), proof, order)));
      expect(await spoiled.fired()).toBe(1);
      await untilNothingMoves(service());
      expect((await present(service(), proof, order)).body).toEqual(reply.body);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
    });

    test('answers 500 settlement_pending, never 402, and later its 200', async () => {
      const own = hasty();
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder();
      const proof = await payer.prove(own, { microUsdc: USDC });
      await world().holdBlocks();
      const pending = [await present(own, proof, order), await present(own, proof, order)];
      pending.forEach(expectPending);
      await world().releaseBlocks();
      const reply = await eventually(async () => expect200(await present(own, proof, order)));
      const attempts = [
        ...pending.map(({ body }) => body['settlement_attempt_id']),
        reply.body.data.settlement_attempt_id,
      ];
      expect(new Set(attempts).size).toBe(1);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
    });

    test.runIf(showsCommonRules)('is joined by retries with new proofs: one charge and one txn_id', async () => {
      const own = hasty();
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder();
      const proofs = [];
      for (let count = 0; count < 3; count += 1) proofs.push(await payer.prove(own, { microUsdc: USDC }));
      const [first = '', ...retries] = proofs;
      await world().holdBlocks();
      expectPending(await present(own, first, order));
      const joined = await Promise.all(retries.map((proof) => present(own, proof, order)));
      joined.forEach(expectPending);
      await world().releaseBlocks();
      const txnIds = [];
      for (const proof of proofs) {
        const reply = await eventually(async () => expect200(await present(own, proof, order)));
        txnIds.push(reply.body.data.txn_id);
      }
      expect(new Set(txnIds).size).toBe(1);
      await untilNothingMoves(own);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
      // Its caller has been handed an answer now: a caller who asks again wants to pay again.
      const another = await payer.prove(own, { microUsdc: USDC });
      const paid = await eventually(async () => expect200(await present(own, another, order)));
      expect(paid.body.data.txn_id).not.toBe(txnIds[0]);
      expect(await world().usdcBalance(payer.address)).toBe(3n * USDC);
    });

    describe('and a proof that can never land any more', () => {
      test('answers 402 payment_expired from then on, charges nothing and frees its idempotency key', async () => {
        const own = hasty();
        const payer = await world().createPayer(5n * USDC);
        const order = freshOrder();
        const key = { headers: { 'Idempotency-Key': `key-of-${freshHandle()}-0123456789` } };
        const spoiled = await spoilBroadcasts('drop');
        const proof = await payer.prove(own, { microUsdc: USDC });
        expectPending(await present(own, proof, order, key));
        await eventually(async () => expect(await spoiled.fired()).toBeGreaterThan(0));
        await world().expireProofs();
        const expectDead = async () => {
          const reply = await present(own, proof, order, key);
          expect([reply.status, reply.body['error']]).toEqual([402, 'payment_expired']);
        };
        await eventually(expectDead);
        await spoiled.heal();
        // What a node has kept would land now, if it could.
        await comeToRest(own);
        await expectDead();
        expect(await world().usdcBalance(payer.address)).toBe(5n * USDC);
        const next = await payer.prove(own, { microUsdc: USDC });
        await eventually(async () => expect200(await present(own, next, order, key)));
        await expectDead();
        expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
      });
    });
  });
}

function expectPending({ status, body, headers }: Reply): void {
  expect([status, body['error'], body['retryable']]).toEqual([500, 'settlement_pending', true]);
  expect(headers.get('Retry-After')).not.toBe(null);
}

function expect200(reply: Reply): Reply {
  expect([reply.status, reply.body['error']]).toEqual([200, undefined]);
  return reply;
}
