import { wrapFetchWithPayment } from '@x402/fetch';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCosts } from '../../../api/costs/costs.ts';
import { expectedCost } from '../../../core/costs/allowance.ts';
import { post, type ReplyBody } from '../../support/pay.ts';
import { freshHandle, freshOrder, link, pay, present, USDC, type Order } from '../orders.ts';
import type { Payer, Service, ServiceOptions } from '../network.ts';
import type { Suite } from '../suite.ts';

const LINE = 10_000n;

export function costCases({
  network,
  world,
  start,
  startForAll,
  comeToRest,
  untilNothingMoves,
}: Pick<Suite, 'network' | 'world' | 'start' | 'startForAll' | 'comeToRest' | 'untilNothingMoves'>): void {
  /** On a day that carries so many payments in all, of which 80 in 100 are for accounts that are known for long. */
  const onDayOf = (payments: bigint): ServiceOptions => ({
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
    const service = startForAll(onDayOf(5n));
    let stranger: Payer;
    beforeAll(async () => {
      // Of five payments in a day two are for accounts that nobody knows.
      stranger = await world().createPayer(9n * USDC);
      for (const _ of [1, 2]) expect((await pay(service(), stranger, freshOrder(1))).status).toBe(200);
    });

    test('is carried as far as the day goes, and is then a line of the price before anything is reserved', async () => {
      const order = freshOrder(1);
      const proof = await stranger.prove(service(), { microUsdc: USDC });
      const refused = await present(service(), proof, order);
      expect([refused.status, refused.body['error'], asked(refused)]).toEqual([402, 'fee_required', '1010000']);
      const { payments } = service().store.tables;
      expect(await service().store.read.select().from(payments)).toHaveLength(2);
      // It is asked of that payer for the request that was refused, and for no other.
      const url = `${service().url}/payments/x/pay`;
      const headers = { 'X-Payer': stranger.address };
      expect(asked(await post(url, order, headers))).toBe('1010000');
      expect(asked(await post(url, freshOrder(1), headers))).toBe('1000000');
      const paid = await paidWithCost(service(), stranger, order);
      expect([paid.status, paid.body.data.amount]).toEqual([200, 1]);
      const rows = await service().store.read.select().from(payments);
      expect(rows.map(({ costMicroUsdc, feeMicroUsdc }) => [costMicroUsdc, feeMicroUsdc])).toEqual([
        [0n, 0n],
        [0n, 0n],
        [LINE, LINE],
      ]);
    });

    test('reaches an unmodified client that named nobody: refused once, it is asked the right price and pays', async () => {
      const payer = await world().createPayer(3n * USDC);
      const payingFetch = wrapFetchWithPayment(fetch, await payer.stockClient());
      // Stock clients refuse more than a dollar by themselves.
      const order = freshOrder(0.5);
      const buy = async () => {
        const headers = { 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify(order) };
        const answer = await payingFetch(`${service().url}/payments/x/pay`, init);
        return { status: answer.status, body: (await answer.json()) as ReplyBody };
      };
      const refused = await buy();
      expect([refused.status, refused.body['error'], asked(refused)]).toEqual([402, 'fee_required', '510000']);
      expect(await world().usdcBalance(payer.address)).toBe(3n * USDC);
      expect(await buy()).toMatchObject({ status: 200 });
      expect(await world().usdcBalance(payer.address)).toBe(3n * USDC - USDC / 2n - LINE);
      // Another payer of the same, from elsewhere, was refused nothing.
      const elsewhere = { 'X-Forwarded-For': '198.51.100.9' };
      expect(asked(await post(`${service().url}/payments/x/pay`, order, elsewhere))).toBe('500000');
    });

    test('is asked of a payer whose money goes in a circle, at once where the payer is named', async () => {
      const own = await start(onDayOf(1_000n));
      const payer = await world().createPayer(9n * USDC);
      const receiver = freshHandle('circle');
      await link(own, network, receiver, payer.address);
      for (const _ of [1, 2, 3]) {
        expect((await pay(own, payer, { receiver, amount: 1 })).status).toBe(200);
        await untilNothingMoves(own);
      }
      const fourth = await pay(own, payer, { receiver, amount: 1 });
      expect([fourth.status, fourth.body['error']]).toEqual([402, 'fee_required']);
      const url = `${own.url}/payments/x/pay`;
      const [named, unnamed, other] = [payer.address, '', (await world().createPayer(USDC)).address];
      const prices = [];
      for (const address of [named, unnamed, other]) {
        prices.push(asked(await post(url, { receiver, amount: 1 }, { 'X-Payer': address })));
      }
      // Who is not named may be the one who was refused here a moment ago.
      expect(prices).toEqual(['1010000', '1010000', '1000000']);
      expect((await paidWithCost(own, payer, { receiver, amount: 1 })).status).toBe(200);
      await comeToRest(own);
    });
  });
}
