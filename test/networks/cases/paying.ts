import { wrapFetchWithPayment } from '@x402/fetch';
import { describe, expect, test } from 'vitest';
import { post, type ReplyBody } from '../../support/pay.ts';
import { freshHandle, freshOrder, pay, present, USDC } from '../orders.ts';
import type { NetworkUnderTest } from '../network.ts';
import type { Suite } from '../suite.ts';

export function payingCases(
  { network, world, service, start }: Pick<Suite, 'network' | 'world' | 'service' | 'start'>,
  { showsCommonRules }: Pick<NetworkUnderTest, 'showsCommonRules'>,
): void {
  describe('a payment', () => {
    test('is asked for first, in both generations, and asking moves nothing', async () => {
      const before = await world().usdcBalance(service().treasury);
      const reply = await post(`${service().url}/payments/x/pay`, freshOrder(2.000001));
      expect([reply.status, reply.headers.get('cache-control')]).toEqual([402, 'no-store']);
      const payTo = service().treasury;
      const v1 = { scheme: 'exact', network, maxAmountRequired: '2000001', payTo };
      expect(reply.body).toMatchObject({ x402Version: 1, code: 402, accepts: [v1] });
      const header = Buffer.from(reply.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString();
      expect(JSON.parse(header)).toMatchObject({ x402Version: 2, accepts: [{ amount: '2000001', payTo }] });
      expect(await world().usdcBalance(payTo)).toBe(before);
    });

    test.each([1, 2] as const)(
      'of the unmodified client of generation %i is exact on the chain',
      async (generation) => {
        const payer = await world().createPayer(5n * USDC);
        const before = await world().usdcBalance(service().treasury);
        const used: number[] = [];
        const fetchOnce = fetchOf(generation, used);
        const payingFetch = wrapFetchWithPayment(fetchOnce, await payer.stockClient());
        const response = await payingFetch(`${service().url}/payments/x/pay`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(freshOrder(0.500001)),
        });
        const body = (await response.json()) as ReplyBody;
        expect([response.status, body.data?.status]).toEqual([200, 'pending_claim']);
        expect(used).toEqual([generation]);
        expect(response.headers.get('PAYMENT-RESPONSE')).toBe(response.headers.get('X-PAYMENT-RESPONSE'));
        expect(await world().usdcBalance(payer.address)).toBe(4_499_999n);
        expect(await world().usdcBalance(service().treasury)).toBe(before + 500_001n);
      },
    );

    test.runIf(showsCommonRules)('may bring its proof in any of the three headers, of either generation', async () => {
      const payer = await world().createPayer(USDC);
      const ways = ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'x-payment-response'].flatMap((name) =>
        ([1, 2] as const).map((version) => ({ name, version })),
      );
      const answers = await Promise.all(
        ways.map(async ({ name, version }) => {
          const proof = await payer.prove(service(), { microUsdc: 10_000n, version });
          const url = `${service().url}/payments/x/pay`;
          const { status } = await post(url, { receiver: freshHandle(), amount: '0.01' }, { [name]: proof });
          return { name, version, status };
        }),
      );
      expect(answers).toEqual(ways.map((way) => ({ ...way, status: 200 })));
      expect(await world().usdcBalance(payer.address)).toBe(940_000n);
    });

    test.runIf(showsCommonRules)('includes the fee, and what is paid without it is refused', async () => {
      const charging = await start({ feeBps: 250 });
      const payer = await world().createPayer(5n * USDC);
      const order = freshOrder(1);
      const without = await pay(charging, payer, order);
      expect(without.status).toBe(402);
      const proof = await payer.prove(charging, { microUsdc: 1_025_000n });
      expect((await present(charging, proof, order)).status).toBe(200);
      expect(await world().usdcBalance(payer.address)).toBe(3_975_000n);
    });

    test('of many payers at once is answered to each, and each is charged once', async () => {
      const payers = await Promise.all(Array.from({ length: 4 }, () => world().createPayer(USDC)));
      const replies = await Promise.all(payers.map((payer) => pay(service(), payer, freshOrder(0.4))));
      expect(replies.map(({ status }) => status)).toEqual(payers.map(() => 200));
      const left = await Promise.all(payers.map(({ address }) => world().usdcBalance(address)));
      expect(left).toEqual(payers.map(() => 600_000n));
    });
  });
}

/** Notes which generation the client chose; one of the first reads the body only, so the header is kept from it. */
function fetchOf(generation: 1 | 2, used: number[]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const proof = request.headers.get('PAYMENT-SIGNATURE') ?? request.headers.get('X-PAYMENT');
    if (proof !== null) {
      const { x402Version } = JSON.parse(Buffer.from(proof, 'base64').toString()) as { x402Version: number };
      used.push(x402Version);
    }
    const response = await fetch(request);
    if (generation === 2) return response;
    const headers = new Headers(response.headers);
    headers.delete('PAYMENT-REQUIRED');
    return new Response(response.body, { status: response.status, headers });
  };
}
