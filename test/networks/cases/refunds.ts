import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { cancel, freshOrder, link, payAlready, present, USDC, wireStatus } from '../orders.ts';
import type { NetworkUnderTest } from '../network.ts';
import type { Suite } from '../suite.ts';

const HALF_AN_HOUR_MS = 30 * 60_000;

export function refundCases(suite: Suite, { showsCommonRules }: NetworkUnderTest): void {
  const { network, world, service, start, comeToRest, untilNothingMoves, assertBooksAreTheChain } = suite;

  describe('money that nobody collected', () => {
    test.runIf(showsCommonRules)(
      'is back with its payer to the micro-USDC when its time is over, the fee included',
      async () => {
        const hasty = await start({ claimTtlMs: 300, feeBps: 200 });
        const payer = await world().createPayer(2_040_002n);
        const proof = await payer.prove(hasty, { microUsdc: 2_040_002n });
        const reply = await present(hasty, proof, freshOrder(2.000001));
        expect([reply.status, reply.body['error']]).toEqual([200, undefined]);
        await eventually(async () => expect(await world().usdcBalance(payer.address)).toBe(2_040_002n), 20_000);
        await comeToRest(hasty);
        expect(await wireStatus(hasty, reply.body.data.txn_id)).toBe('refunded');
        expect(await world().usdcBalance(payer.address)).toBe(2_040_002n);
        expect(await world().usdcBalance(hasty.treasury)).toBe(0n);
        await assertBooksAreTheChain(hasty);
      },
    );

    test('is back at once when its payer signs for it, and a wallet that is linked later gets nothing', async () => {
      const payer = await world().createPayer(USDC);
      const [order, address] = [freshOrder(), await world().createRecipient()];
      const txnId = await payAlready(service(), payer, order);
      const replies = await Promise.all([1, 2, 3].map(() => cancel(service(), payer, txnId)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      await link(service(), network, order.receiver, address);
      await eventually(async () => expect(await world().usdcBalance(payer.address)).toBe(USDC));
      await untilNothingMoves(service());
      expect(await wireStatus(service(), txnId)).toBe('refunded');
      expect(await world().usdcBalance(payer.address)).toBe(USDC);
      expect(await world().usdcBalance(address)).toBe(0n);
    });

    test('stays where it is when another key signs', async () => {
      const [payer, stranger] = await Promise.all([world().createPayer(USDC), world().createPayer(0n)]);
      const txnId = await payAlready(service(), payer, freshOrder());
      const reply = await cancel(service(), stranger, txnId);
      expect([reply.status, reply.body['error']]).toEqual([400, 'invalid_signature']);
      await untilNothingMoves(service());
      expect(await wireStatus(service(), txnId)).toBe('pending_claim');
      expect(await world().usdcBalance(payer.address)).toBe(0n);
    });

    test.runIf(showsCommonRules)('is not taken back from a recipient who has it', async () => {
      const payer = await world().createPayer(USDC);
      const [order, address] = [freshOrder(), await world().createRecipient()];
      await link(service(), network, order.receiver, address);
      const txnId = await payAlready(service(), payer, order);
      const reply = await cancel(service(), payer, txnId);
      expect([reply.status, reply.body['error']]).toEqual([400, 'not_cancellable']);
      await untilNothingMoves(service());
      expect(await world().usdcBalance(address)).toBe(USDC);
      expect(await world().usdcBalance(payer.address)).toBe(0n);
    });
  });

  describe('a plain transfer to us', () => {
    test('pays for nothing and is in suspense after half an hour; the books hold before and after', async () => {
      let skewMs = 0;
      const own = await start({ now: () => Date.now() + skewMs });
      const payer = await world().createPayer(5n * USDC);
      await payAlready(own, payer, freshOrder());
      await payer.send(own.treasury, 123_457n);
      const { observedTransfers, scanCursors } = own.store.tables;
      const received = async () => {
        const [row] = await own.store.read
          .select()
          .from(observedTransfers)
          .where(eq(observedTransfers.amountMicroUsdc, 123_457n));
        return row;
      };
      await eventually(async () => {
        await world().finalize();
        const [cursor] = await own.store.read.select().from(scanCursors);
        expect(cursor?.finalizedBlock).toBeGreaterThanOrEqual((await received())?.block ?? Infinity);
      });
      expect((await received())?.consumedBy).toBe(null);
      await assertBooksAreTheChain(own);
      skewMs = HALF_AN_HOUR_MS + 1_000;
      await eventually(async () => expect((await received())?.consumedBy).toBe('suspense'));
      const { accounts } = own.store.tables;
      const suspense = own.store.read
        .select()
        .from(accounts)
        .where(eq(accounts.name, `suspense:${network}`));
      expect((await suspense).map(({ balance }) => balance)).toEqual([-123_457n]);
      await assertBooksAreTheChain(own);
      expect(await world().usdcBalance(own.treasury)).toBe(1_123_457n);
    });
  });
}
