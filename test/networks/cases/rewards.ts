import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { CAST } from '../../support/rewards/distributions.ts';
import { post, type Reply } from '../../support/pay.ts';
import { createListedHub } from '../../support/rewards/reward-hub.ts';
import type { Payer, Service } from '../network.ts';
import { freshHandle, USDC } from '../orders.ts';
import type { Suite } from '../suite.ts';

const BOT = { Authorization: 'Bearer the-bot-token-of-the-test-0123456789' };
export function rewardCases({ world, startForAll, untilNothingMoves }: Suite): void {
  describe('a reward whose payment is on its way', () => {
    const hub = createListedHub([
      { name: freshHandle('fan'), kinds: ['like'] },
      { name: freshHandle('fan'), kinds: ['comment'] },
    ]);
    const service = startForAll({
      settlementWaitMs: IMPATIENT_MS,
      decorate: (plain) => ({ ...plain, rewards: hub.rewards }),
    });
    const begin = async () => {
      const own = service();
      const { id } = dataOf(await ask(own, 'create-distribution', { budget: 1, content_id: CAST }));
      const newProof = async (payer: Payer) => ({ 'PAYMENT-SIGNATURE': await payer.prove(own, { microUsdc: USDC }) });
      const confirm = (headers?: Record<string, string>) => ask(own, 'confirm-distribution', { order_id: id }, headers);
      return { own, id, newProof, confirm };
    };

    test('is paid once: its payer may sign again, nobody else pays or rejects it', async () => {
      const { own, id, newProof, confirm } = await begin();
      const [payer, other] = [await world().createPayer(5n * USDC), await world().createPayer(5n * USDC)];
      const [first, second] = [await newProof(payer), await newProof(payer)];
      await world().holdBlocks();
      expect(errorOf(await confirm(first))).toEqual([500, 'settlement_pending']);
      expect(await statusOf(own, id)).toBe('confirming');
      expect(errorOf(await confirm(second))).toEqual([500, 'settlement_pending']);
      expect(errorOf(await confirm(await newProof(other)))).toEqual([400, 'order_in_progress']);
      expect(errorOf(await confirm())).toEqual([400, 'order_in_progress']);
      expect(errorOf(await ask(own, `distributions/${id}/reject`, {}, BOT))).toEqual([409, 'distribution_confirming']);
      await world().releaseBlocks();
      await untilNothingMoves(own);
      const answers = [await confirm(first), await confirm(second), await confirm(await newProof(other))];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(await world().usdcBalance(payer.address)).toBe(4n * USDC);
      expect(await world().usdcBalance(other.address)).toBe(5n * USDC);
    });

    test('that can never land waits to be confirmed again', async () => {
      const { own, id, newProof, confirm } = await begin();
      const [payer, other] = [await world().createPayer(5n * USDC), await world().createPayer(5n * USDC)];
      const first = await newProof(payer);
      const spoiled = await world().spoilBroadcasts('drop');
      onTestFinished(spoiled.heal);
      expect(errorOf(await confirm(first))).toEqual([500, 'settlement_pending']);
      await eventually(async () => expect(await spoiled.fired()).toBeGreaterThan(0));
      await world().expireProofs();
      await eventually(async () => expect(errorOf(await confirm(first))).toEqual([402, 'payment_expired']), 20_000);
      expect(await statusOf(own, id)).toBe('pending');
      await spoiled.heal();
      const paid = await eventually(async () => {
        const reply = await confirm(await newProof(other));
        expect(reply.status).toBe(200);
        return reply;
      }, 20_000);
      expect((await confirm(first)).body).toEqual(paid.body);
      await untilNothingMoves(own);
      expect(await world().usdcBalance(payer.address)).toBe(5n * USDC);
      expect(await world().usdcBalance(other.address)).toBe(4n * USDC);
    });
  });
}

/** Long enough for the service to begin, far too short for a chain that stands still. */
const IMPATIENT_MS = 400;

type Data = { id: string; status: string };
const errorOf = (reply: Reply) => [reply.status, reply.body['error']];
const dataOf = (reply: Reply): Data => reply.body['data'] as unknown as Data;

function ask(service: Service, what: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return post(`${service.url}/rewards/decsocial/${what}`, body, headers);
}

async function statusOf({ url }: Service, id: string): Promise<string> {
  const reply = await fetch(`${url}/rewards/decsocial/distributions/${id}`);
  return ((await reply.json()) as { data: Data }).data.status;
}
