import { describe, expect, test } from 'vitest';
import { freshHandle, freshOrder, pay, present, USDC } from '../orders.ts';
import type { NetworkUnderTest } from '../network.ts';
import type { Suite } from '../suite.ts';

export function repetitionCases(
  { world, service, untilNothingMoves }: Suite,
  { showsCommonRules }: NetworkUnderTest,
): void {
  const charged = async (address: string, funded: bigint) => funded - (await world().usdcBalance(address));

  describe('the same proof', () => {
    test('ten times at once is one charge and one txn_id, and the same answer for ever', async () => {
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder();
      const proof = await payer.prove(service(), { microUsdc: USDC });
      const replies = await Promise.all(Array.from({ length: 10 }, () => present(service(), proof, order)));
      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      expect(new Set(replies.map(({ body }) => body.data.txn_id)).size).toBe(1);
      expect(replies.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).toHaveLength(9);
      await untilNothingMoves(service());
      const later = await present(service(), proof, order);
      expect([later.status, later.body]).toEqual([200, replies[0]?.body]);
      expect(await charged(payer.address, 5n * USDC)).toBe(USDC);
    });

    test.runIf(showsCommonRules)('with another body or route answers 400 payment_already_used', async () => {
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder();
      const proof = await payer.prove(service(), { microUsdc: USDC });
      expect((await present(service(), proof, order)).status).toBe(200);
      const others = [
        await present(service(), proof, { ...order, receiver: freshHandle('mallory') }),
        await present(service(), proof, { ...order, description: 'more' }),
        await present(service(), proof, order, { path: 'code/pay' }),
        await present(service(), proof, { receivers: [order] }, { path: 'x/batch-pay' }),
      ];
      const answers = others.map(({ status, body }) => [status, body['error']]);
      expect(answers).toEqual(others.map(() => [400, 'payment_already_used']));
      expect(await charged(payer.address, 5n * USDC)).toBe(USDC);
    });

    test('for five bodies at once pays for exactly one of them', async () => {
      const payer = await world().createPayer(5n * USDC);
      const proof = await payer.prove(service(), { microUsdc: USDC });
      const orders = Array.from({ length: 5 }, () => freshOrder());
      const replies = await Promise.all(orders.map((order) => present(service(), proof, order)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(replies.filter(({ body }) => body['error'] === 'payment_already_used')).toHaveLength(4);
      expect(await charged(payer.address, 5n * USDC)).toBe(USDC);
    });
  });

  describe.runIf(showsCommonRules)('an Idempotency-Key', () => {
    const key = () => ({ 'Idempotency-Key': `key-of-${freshHandle()}-0123456789` });

    test('makes two proofs one payment', async () => {
      const payer = await world().createPayer(5n * USDC);
      const [order, headers] = [freshOrder(), key()];
      const replies = [
        await pay(service(), payer, order, headers),
        ...(await Promise.all([pay(service(), payer, order, headers), pay(service(), payer, order, headers)])),
      ];
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(replies.map(({ body }) => body)).toEqual(replies.map(() => replies[0]?.body));
      await untilNothingMoves(service());
      expect(await charged(payer.address, 5n * USDC)).toBe(USDC);
    });

    test('of another request answers 400 idempotency_key_reused and charges nothing', async () => {
      const payer = await world().createPayer(5n * USDC);
      const headers = key();
      expect((await pay(service(), payer, freshOrder(), headers)).status).toBe(200);
      const other = await pay(service(), payer, freshOrder(), headers);
      expect([other.status, other.body['error']]).toEqual([400, 'idempotency_key_reused']);
      await untilNothingMoves(service());
      expect(await charged(payer.address, 5n * USDC)).toBe(USDC);
    });

    test('is its payer’s own, and two keys make two payments of one request', async () => {
      const [first, second] = await Promise.all([world().createPayer(5n * USDC), world().createPayer(5n * USDC)]);
      const [order, headers] = [freshOrder(), key()];
      const replies = [
        await pay(service(), first, order, headers),
        await pay(service(), second, order, headers),
        await pay(service(), first, order, key()),
      ];
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(replies.map(({ body }) => body.data.txn_id)).size).toBe(3);
      expect(await charged(first.address, 5n * USDC)).toBe(2n * USDC);
      expect(await charged(second.address, 5n * USDC)).toBe(USDC);
    });
  });
}
