import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { FLAWS, type NetworkUnderTest, type Service } from '../network.ts';
import { freshOrder, pay, present, USDC } from '../orders.ts';
import type { Suite } from '../suite.ts';

export function refusalCases(
  { world, service, start, untilNothingMoves }: Suite,
  { words, showsCommonRules }: NetworkUnderTest,
): void {
  describe('a proof', () => {
    test('with any flaw answers 402 and its word, and nothing is claimed or charged', async () => {
      const payer = await world().createPayer(5n * USDC);
      const before = await world().usdcBalance(service().treasury);
      const proofs = await countProofs(service());
      for (const flaw of FLAWS) {
        const word = words[flaw];
        const proof = await payer.prove(service(), { microUsdc: USDC, flaw });
        const { status, body, headers } = await present(service(), proof, freshOrder());
        expect([flaw, status, body['error'], headers.get('payment-error')]).toEqual([flaw, 402, word, word]);
        expect(body.accepts).toHaveLength(1);
        expect([flaw, await countProofs(service())]).toEqual([flaw, proofs]);
        expect([flaw, await world().usdcBalance(payer.address)]).toEqual([flaw, 5n * USDC]);
      }
      expect(await world().usdcBalance(service().treasury)).toBe(before);
    });

    test('of a payer without enough USDC answers 402, and pays once the money is there', async () => {
      const payer = await world().createPayer(400_000n);
      const order = freshOrder();
      const proof = await payer.prove(service(), { microUsdc: USDC });
      const poor = await present(service(), proof, order);
      expect([poor.status, poor.body['error']]).toEqual([402, 'insufficient_funds']);
      expect(await claimsOf(service(), payer.address)).toBe(0);
      await world().fundUsdc(payer.address, 600_000n);
      const rich = await present(service(), proof, order);
      expect(rich.status).toBe(200);
      expect(await world().usdcBalance(payer.address)).toBe(0n);
      expect((await present(service(), proof, order)).body).toEqual(rich.body);
    });

    test('of a payer who never had USDC answers 402 insufficient_funds', async () => {
      const payer = await world().createPayer(0n);
      const reply = await pay(service(), payer, freshOrder());
      expect([reply.status, reply.body['error']]).toEqual([402, 'insufficient_funds']);
      expect(await claimsOf(service(), payer.address)).toBe(0);
    });

    test('of a payer whom the issuer bars is told so without new terms, and pays once that is over', async () => {
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder();
      await world().bar(payer.address);
      const proof = await payer.prove(service(), { microUsdc: USDC });
      const barred = await present(service(), proof, order);
      expect([barred.status, barred.body['error']]).toEqual([400, 'payer_barred']);
      expect(barred.headers.get('PAYMENT-REQUIRED')).toBeNull();
      await world().unbar(payer.address);
      expect((await present(service(), proof, order)).status).toBe(200);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
    });

    test.runIf(showsCommonRules)(
      'is refused as the 21st that is not settled; another payer is not meant, and afterwards it is welcome',
      async () => {
        const idle = await start({ settlementWaitMs: 1 });
        const [payer, other] = await Promise.all([world().createPayer(USDC), world().createPayer(USDC)]);
        const order = () => freshOrder(0.01);
        // Nothing settles meanwhile.
        await world().holdBlocks();
        const taken = await Promise.all(Array.from({ length: 20 }, () => pay(idle, payer, order())));
        const answers = taken.map(({ status, body }) => [status, body['error']]);
        expect(answers).toEqual(taken.map(() => [500, 'settlement_pending']));
        const last = await pay(idle, payer, order());
        expect([last.status, last.body['error']]).toEqual([402, 'too_many_unsettled_payments']);
        expect((await pay(idle, other, order())).status).toBe(500);
        await world().releaseBlocks();
        await untilNothingMoves(idle);
        expect(await world().usdcBalance(payer.address)).toBe(800_000n);
        await pay(idle, payer, order());
        await untilNothingMoves(idle);
        expect(await world().usdcBalance(payer.address)).toBe(790_000n);
      },
    );
  });
}

async function countProofs({ store }: Service): Promise<number> {
  return (await store.read.select().from(store.tables.proofs)).length;
}

async function claimsOf({ store }: Service, payer: string): Promise<number> {
  const { proofs } = store.tables;
  return (await store.read.select().from(proofs).where(eq(proofs.payer, payer))).length;
}
