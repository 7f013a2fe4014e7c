import { describe, expect, onTestFinished, test } from 'vitest';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import type { EngagementKind } from '../../../core/rewards/engagement.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { CAST } from '../../support/rewards/distributions.ts';
import { post, type Reply } from '../../support/pay.ts';
import { createListedHub, fidOf, type Fan } from '../../support/rewards/reward-hub.ts';
import type { NetworkUnderTest, Payer, Service } from '../network.ts';
import { freshHandle, toMicro, USDC } from '../orders.ts';
import type { Suite } from '../suite.ts';

const BOT = { Authorization: 'Bearer the-bot-token-of-the-test-0123456789' };
const KINDS: readonly (readonly EngagementKind[])[] = [
  ['like'],
  ['comment'],
  ['like', 'repost'],
  ['repost', 'comment'],
];

export function rewardCases(suite: Suite, { network, payoutTransactionsMax }: NetworkUnderTest): void {
  const { world, start, untilNothingMoves } = suite;

  describe('a reward for 100 people', () => {
    test('is one payment, and each has on the chain what was previewed', async () => {
      const fans = Array.from({ length: 100 }, (_, index): Fan => {
        return { name: freshHandle('fan'), kinds: KINDS[index % KINDS.length] ?? ['like'] };
      });
      const hub = createListedHub(fans);
      const own = await start({ decorate: (dependencies) => ({ ...dependencies, rewards: hub.rewards }) });
      const addresses = new Map<string, string>();
      for (const { name } of fans) {
        const address = await world().createRecipient();
        await linkPerson(own, network, name, address);
        addresses.set(name, address);
      }
      const payer = await world().createPayer(26n * USDC);
      const created = await ask(own, 'create-distribution', { budget: 25, content_id: CAST });
      const { id, recipients } = dataOf(created);
      expect(recipients).toHaveLength(100);
      expect(recipients.reduce((sum, { amount }) => sum + toMicro(amount), 0n)).toBe(25n * USDC);
      const count = await own.watchPayouts();
      const proof = await payer.prove(own, { microUsdc: 25n * USDC });
      const paid = await ask(own, 'confirm-distribution', { order_id: id }, { 'PAYMENT-SIGNATURE': proof });
      expect([paid.status, paid.body['error'], dataOf(paid).recipients.length]).toEqual([200, undefined, 100]);
      await untilNothingMoves(own);
      const held = await Promise.all(
        recipients.map(async ({ username }) => world().usdcBalance(addresses.get(username) ?? '')),
      );
      expect(held).toEqual(recipients.map(({ amount }) => toMicro(amount)));
      expect(await world().usdcBalance(payer.address)).toBe(USDC);
      expect(await world().usdcBalance(own.treasury)).toBe(0n);
      expect(await count()).toBeLessThanOrEqual(payoutTransactionsMax);
      await eventually(async () => expect(await statusOf(own, id)).toBe('completed'));
    });
  });

  describe('a reward whose payment is on its way', () => {
    const begin = async () => {
      const hub = createListedHub([
        { name: freshHandle('fan'), kinds: ['like'] },
        { name: freshHandle('fan'), kinds: ['comment'] },
      ]);
      const settlementWaitMs = IMPATIENT_MS;
      const own = await start({ settlementWaitMs, decorate: (plain) => ({ ...plain, rewards: hub.rewards }) });
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

type Data = { id: string; status: string; recipients: { username: string; amount: number }[] };
const errorOf = (reply: Reply) => [reply.status, reply.body['error']];
const dataOf = (reply: Reply): Data => reply.body['data'] as unknown as Data;

function ask(service: Service, what: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return post(`${service.url}/rewards/decsocial/${what}`, body, headers);
}

async function statusOf({ url }: Service, id: string): Promise<string> {
  const reply = await fetch(`${url}/rewards/decsocial/distributions/${id}`);
  return ((await reply.json()) as { data: Data }).data.status;
}

async function linkPerson(service: Service, network: NetworkUnderTest['network'], name: string, address: string) {
  const { store, transferIdOf } = service;
  const person = { ...parseRecipient('decsocial', name), stableId: fidOf(name) };
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, `person_${name}`, Date.now()));
  await linkWallet(store, { identityId, network, address, source: 'test' }, transferIdOf, Date.now());
}
