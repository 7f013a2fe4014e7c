/** A treasury's key is replaced while money and promises still name the old one; on an EVM network. */
import { and, eq } from 'drizzle-orm';
import type { Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { payoutNonce } from '../../../chain/evm/nonces.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { post } from '../../support/pay.ts';
import type { EvmInstallation, EvmService, EvmWorld } from '../evm-world.ts';
import { freshOrder, link, payAlready, present, USDC } from '../orders.ts';
import type { Suite } from '../suite.ts';

type EvmSuite = Suite<EvmService, EvmWorld>;

/** What these cases do and ask. */
export function rotatingWords({ world, close, track }: EvmSuite) {
  return {
    /** The next service of an installation, whose treasury is another one. */
    rotate: async (installation: EvmInstallation, before: EvmService) => {
      await close(before);
      installation.rotate('treasury');
      return track(installation.start());
    },
    held: (address: string) => world().usdcBalance(address),
    /** One that still has the terms of before. */
    withOld: (next: EvmService, { treasury }: EvmService): EvmService => ({ ...next, treasury }),
    payoutsTo: ({ store: { read, tables } }: EvmService, address: string) =>
      read
        .select()
        .from(tables.transfers)
        .where(and(eq(tables.transfers.purpose, 'payout'), eq(tables.transfers.toAddress, address))),
    isUsed: async (service: EvmService, authorizer: string, id: string) => {
      const { number } = await world().chain.client.getBlock();
      const keys = [{ authorizer: authorizer as Hex, nonce: payoutNonce(id) }];
      return (await service.parts.rpc.authorizationStates(keys, Number(number)))[0];
    },
    sweepsOf: async ({ store: { read, tables } }: EvmService): Promise<bigint[]> => {
      const rows = await read.select().from(tables.transfers).where(eq(tables.transfers.purpose, 'sweep'));
      return rows.map(({ amountMicroUsdc }) => amountMicroUsdc);
    },
  };
}

export function rotatingCases(suite: EvmSuite): void {
  const { network, world, track, soon, comeToRest } = suite;
  const { rotate, held, withOld, payoutsTo, isUsed, sweepsOf } = rotatingWords(suite);

  describe('after the treasury was replaced', () => {
    test('what the old one has signed ends once, with its own signature; a proof for it is taken, swept, and paid out by the new one, whom the terms name', async () => {
      const installation = world().install();
      const first = await track(installation.start());
      const payer = await world().createPayer(5n * USDC);
      const [signed, address] = [await world().createRecipient(), await world().createRecipient()];
      const [early, rest, order, another] = [freshOrder(), freshOrder(2), freshOrder(), freshOrder()];
      for (const one of [early, rest]) await payAlready(first, payer, one);
      await comeToRest(first);
      await world().holdBlocks();
      await link(first, network, early.receiver, signed);
      await eventually(async () => expect(await payoutsTo(first, signed)).toMatchObject([{ status: 'broadcast' }]));
      const next = await rotate(installation, first);
      // What is on its way is left there, and the rest is swept.
      await eventually(async () => expect(await sweepsOf(next)).toEqual([2n * USDC]));
      await world().releaseBlocks();
      await comeToRest(next);
      expect([await held(signed), await held(first.treasury), await held(next.treasury)]).toEqual([
        USDC,
        0n,
        2n * USDC,
      ]);
      const landed = { fromAddress: first.treasury, generation: 0, status: 'final' };
      expect(await payoutsTo(next, signed)).toMatchObject([landed]);

      expect(next.treasury).not.toBe(first.treasury);
      const asked = await post(`${next.url}/payments/x/pay`, order);
      expect(asked.body.accepts.map((terms) => String(terms['payTo']).toLowerCase())).toEqual([next.treasury]);
      const old = withOld(next, first);
      const late = await payer.prove(old, { microUsdc: USDC });
      expect((await present(next, await payer.prove(old, { microUsdc: USDC }), order)).status).toBe(200);
      await soon(next, async () => expect(await held(first.treasury)).toBe(0n));
      await comeToRest(next);
      await link(next, network, order.receiver, address);
      await soon(next, async () => expect(await held(address)).toBe(USDC));
      await comeToRest(next);
      expect([await held(first.treasury), await held(next.treasury)]).toEqual([0n, 2n * USDC]);
      const [payout] = await payoutsTo(next, address);
      expect(payout).toMatchObject({ fromAddress: next.treasury, status: 'final' });
      expect(await isUsed(next, first.treasury, payout?.id ?? '')).toBe(false);

      // A day later nobody pays the old one any more.
      next.parts.formerTerms.note(first.treasury, Date.now() - 24 * 3_600_000);
      expect((await present(next, late, another)).body['error']).toBe('invalid_payment_requirements');
    });
  });
}
