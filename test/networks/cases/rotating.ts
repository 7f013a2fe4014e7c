/** A treasury's key is replaced while money and promises still name the old one; on each EVM network. */
import { eq } from 'drizzle-orm';
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
    /** The next service of an installation, whose treasury or task address is another one. */
    rotate: async (installation: EvmInstallation, before: EvmService, which: 'treasury' | 'task' = 'treasury') => {
      await close(before);
      installation.rotate(which);
      return track(installation.start());
    },
    held: (address: string) => world().usdcBalance(address),
    payoutsOf: ({ store: { read, tables } }: EvmService) =>
      read.select().from(tables.transfers).where(eq(tables.transfers.purpose, 'payout')),
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
  const { network, world, track, comeToRest } = suite;
  const { rotate, held, payoutsOf, isUsed, sweepsOf } = rotatingWords(suite);

  describe('after the treasury was replaced', () => {
    test('the terms name the new one; a proof for the old one is taken, swept, and paid out by the new one', async () => {
      const installation = world().install();
      const first = await track(installation.start());
      const [payer, address] = [await world().createPayer(2n * USDC), await world().createRecipient()];
      const [order, another] = [freshOrder(), freshOrder()];
      const proof = await payer.prove(first, { microUsdc: USDC });
      const late = await payer.prove(first, { microUsdc: USDC });
      const next = await rotate(installation, first);
      expect(next.treasury).not.toBe(first.treasury);
      const asked = await post(`${next.url}/payments/x/pay`, order);
      expect(asked.body.accepts.map((terms) => String(terms['payTo']).toLowerCase())).toEqual([next.treasury]);

      expect((await present(next, proof, order)).status).toBe(200);
      await link(next, network, order.receiver, address);
      await eventually(async () => expect(await held(address)).toBe(USDC), 20_000);
      await comeToRest(next);
      expect([await held(first.treasury), await held(next.treasury)]).toEqual([0n, 0n]);
      const [payout] = await payoutsOf(next);
      expect(payout).toMatchObject({ fromAddress: next.treasury, status: 'final' });
      expect(await isUsed(next, first.treasury, payout?.id ?? '')).toBe(false);

      // A day later nobody pays the old one any more.
      next.parts.formerTerms.note(first.treasury, Date.now() - 24 * 3_600_000);
      expect((await present(next, late, another)).body['error']).toBe('invalid_payment_requirements');
    });

    test('a payout that the old one has signed ends once, with its own signature', async () => {
      const installation = world().install();
      const first = await track(installation.start());
      const [payer, address] = [await world().createPayer(3n * USDC), await world().createRecipient()];
      const [order, rest] = [freshOrder(), freshOrder(2)];
      for (const one of [order, rest]) await payAlready(first, payer, one);
      await comeToRest(first);
      await world().holdBlocks();
      await link(first, network, order.receiver, address);
      await eventually(async () => expect(await payoutsOf(first)).toMatchObject([{ status: 'broadcast' }]));
      const next = await rotate(installation, first);
      // What is on its way is left there, and the rest is swept.
      await eventually(async () => expect(await sweepsOf(next)).toEqual([2n * USDC]));
      await world().releaseBlocks();
      await comeToRest(next);
      expect([await held(address), await held(first.treasury), await held(next.treasury)]).toEqual([
        USDC,
        0n,
        2n * USDC,
      ]);
      const [payout] = await payoutsOf(next);
      expect(payout).toMatchObject({ fromAddress: first.treasury, generation: 0, status: 'final' });
    });
  });
}
