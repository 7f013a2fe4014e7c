import { wrapFetchWithPayment } from '@x402/fetch';
import { describe, expect, test } from 'vitest';
import { createCosts } from '../../../api/costs/costs.ts';
import { expectedCost } from '../../../core/costs/allowance.ts';
import { post, type ReplyBody } from '../../support/pay.ts';
import { freshHandle, freshOrder, link, pay, present, USDC, type Order } from '../orders.ts';
import type { Payer, Service } from '../network.ts';
import type { Suite } from '../suite.ts';

const LINE = 10_000n;

export function costCases({
  network,
  world,
  start,
  comeToRest,
  untilNothingMoves,
}: Pick<Suite, 'network' | 'world' | 'start' | 'comeToRest' | 'untilNothingMoves'>): void {
  /** On a day that carries so many payments in all, of which 80 in 100 are for accounts that are known for long. */
  const startWith = (payments: bigint) =>
    start({
      decorate: (plain) => ({
        ...plain,
        costs: createCosts({
          store: plain.store,
          now: plain.now,
          rules: { [network]: { dailyUnits: payments * expectedCost(network, 1), lineMicroUsdc: LINE } },
          ageMinMs: 0,
        }),
      }),
    });

  const asked = (reply: { body: unknown }) =>
    (reply.body as { accepts: { maxAmountRequired: string }[] }).accepts[0]?.maxAmountRequired;
  const paidWithCost = async (service: Service, payer: Payer, order: Order) =>
    present(service, await payer.prove(service, { microUsdc: USDC + LINE }), order);

  describe('what a payment costs us', () => {
    test('is carried as far as the day goes, and is then a line of the price before anything is reserved', async () => {
      const service = await startWith(5n);
      const payer = await world().createPayer(9n * USDC);
      // Of five payments in a day two are for accounts that nobody knows.
      for (const _ of [1, 2]) expect((await pay(service, payer, freshOrder(1))).status).toBe(200);
      const order = freshOrder(1);
      const proof = await payer.prove(service, { microUsdc: USDC });
      const refused = await present(service, proof, order);
      expect([refused.status, refused.body['error'], asked(refused)]).toEqual([402, 'fee_required', '1010000']);
      const { payments } = service.store.tables;
      expect(await service.store.read.select().from(payments)).toHaveLength(2);
      // It is asked of that payer for the request that was refused, and for no other.
      const url = `${service.url}/payments/x/pay`;
      const headers = { 'X-Payer': payer.address };
      expect(asked(await post(url, order, headers))).toBe('1010000');
      expect(asked(await post(url, freshOrder(1), headers))).toBe('1000000');
      const paid = await paidWithCost(service, payer, order);
      expect([paid.status, paid.body.data.amount]).toEqual([200, 1]);
      const rows = await service.store.read.select().from(payments);
      expect(rows.map(({ costMicroUsdc, feeMicroUsdc }) => [costMicroUsdc, feeMicroUsdc])).toEqual([
        [0n, 0n],
        [0n, 0n],
        [LINE, LINE],
      ]);
      await comeToRest(service);
    });

    test('reaches an unmodified client that named nobody: refused once, it is asked the right price and pays', async () => {
      const service = await startWith(5n);
      const first = await world().createPayer(9n * USDC);
      for (const _ of [1, 2]) expect((await pay(service, first, freshOrder(1))).status).toBe(200);
      const payer = await world().createPayer(3n * USDC);
      const payingFetch = wrapFetchWithPayment(fetch, await payer.stockClient());
      // Stock clients refuse more than a dollar by themselves.
      const order = freshOrder(0.5);
      const buy = async () => {
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(order) };
        const answer = await payingFetch(`${service.url}/payments/x/pay`, init);
        return { status: answer.status, body: (await answer.json()) as ReplyBody };
      };
      const refused = await buy();
      expect([refused.status, refused.body['error'], asked(refused)]).toEqual([402, 'fee_required', '510000']);
      expect(await world().usdcBalance(payer.address)).toBe(3n * USDC);
      expect(await buy()).toMatchObject({ status: 200 });
      expect(await world().usdcBalance(payer.address)).toBe(3n * USDC - USDC / 2n - LINE);
      // Another payer of the same, from elsewhere, was refused nothing.
      const elsewhere = { 'X-Forwarded-For': '198.51.100.9' };
      expect(asked(await post(`${service.url}/payments/x/pay`, order, elsewhere))).toBe('500000');
      await comeToRest(service);
    });

    test('is asked of a payer whose money goes in a circle, at once where the payer is named', async () => {
      const service = await startWith(1_000n);
      const payer = await world().createPayer(9n * USDC);
      const receiver = freshHandle('circle');
      await link(service, network, receiver, payer.address);
      for (const _ of [1, 2, 3]) {
        expect((await pay(service, payer, { receiver, amount: 1 })).status).toBe(200);
        await untilNothingMoves(service);
      }
      const fourth = await pay(service, payer, { receiver, amount: 1 });
      expect([fourth.status, fourth.body['error']]).toEqual([402, 'fee_required']);
      const url = `${service.url}/payments/x/pay`;
      const [named, unnamed, other] = [payer.address, '', (await world().createPayer(USDC)).address];
      const prices = [];
      for (const address of [named, unnamed, other]) {
        prices.push(asked(await post(url, { receiver, amount: 1 }, { 'X-Payer': address })));
      }
      // Who is not named may be the one who was refused here a moment ago.
      expect(prices).toEqual(['1010000', '1010000', '1000000']);
      expect((await paidWithCost(service, payer, { receiver, amount: 1 })).status).toBe(200);
      await comeToRest(service);
    });

    test('is asked of no one in a group whose members tip each other', async () => {
      const service = await startWith(1_000n);
      const members = await Promise.all(
        [1, 2, 3].map(async () => ({ name: freshHandle('member'), payer: await world().createPayer(9n * USDC) })),
      );
      for (const { name, payer } of members) await link(service, network, name, payer.address);
      // At their fourth payment all have got back three, and from no one wallet more than two.
      for (const step of [1, 2, 1, 2]) {
        for (const [index, { payer }] of members.entries()) {
          const receiver = members[(index + step) % members.length]?.name ?? '';
          expect((await pay(service, payer, { receiver, amount: 1 })).status).toBe(200);
        }
      }
      await comeToRest(service);
      const rows = await service.store.read.select().from(service.store.tables.payments);
      expect(rows.map(({ feeMicroUsdc }) => feeMicroUsdc)).toEqual(rows.map(() => 0n));
    });
  });
}
