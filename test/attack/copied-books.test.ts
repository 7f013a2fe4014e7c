/**
 * A payout that two copies of one database send, as after a restore: the USDC contract takes its nonce once, whatever our
 * books say. No kill shows this, because a database that was not put back remembers what it signed.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../core/money.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../db/identities/identities.ts';
import { stopSigning } from '../../db/store/stops.ts';
import { linkWallet } from '../../db/transfers/link-wallet.ts';
import { localUserId } from '../../local/identity.ts';
import { eventually } from '../../scripts/torture/eventually.ts';
import { makeProof, post } from '../support/pay.ts';
import type { TestService } from '../support/service.ts';
import { createWithdrawalWorld, randomHex, silentNode, type WithdrawalWorld } from '../worker/evm/withdrawal-world.ts';

const WITHIN_MS = 30_000;
const USDC = 1_000_000n;

let world: WithdrawalWorld;
beforeAll(async () => {
  world = await createWithdrawalWorld();
});
afterAll(async () => {
  await world.closeServices();
  await world.close();
});

async function pay({ parts, url }: TestService, receiver: string): Promise<void> {
  const payer = await world.chain.createAccount({ usdc: microUsdc(USDC), wei: 0n });
  const header = await makeProof({ from: payer.address, signer: payer, payTo: parts.treasury.address, value: USDC });
  const paid = await post(`${url}/payments/x/pay`, { receiver, amount: 1 }, { 'PAYMENT-SIGNATURE': header });
  expect(paid.status).toBe(200);
}

/** A payment in escrow, whose recipient gives a wallet while signing is stopped: a payout that waits to be signed. */
async function queuePayout(service: TestService, to: `0x${string}`): Promise<void> {
  const { store, base } = service;
  await pay(service, 'alice');
  // A second landing would take this one's money.
  await pay(service, 'bob');
  await stopSigning(store, { reason: 'operator', network: 'all', detail: 'a test' }, Date.now());
  const recipient = { ...parseRecipient('x', 'alice'), stableId: localUserId(parseRecipient('x', 'alice')) };
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, recipient, base.ids.identityId(), 1));
  await linkWallet(store, { identityId, network: 'base', address: to, source: 'test' }, base.ids.payoutId, 1);
  expect(await store.read.select().from(store.tables.transfers)).toMatchObject([{ status: 'queued', nonce: null }]);
}

function copyBooks(from: string, to: string): void {
  for (const suffix of ['', '-wal']) if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
}

test('a payout that two copies of the books sign has one nonce, and lands once', async () => {
  const [original, copy] = [world.lasting(), world.lasting()];
  const to = randomHex(20);
  const first = await world.start(original);
  await queuePayout(first, to);
  await world.stop(first);
  copyBooks(original.databasePath, copy.databasePath);

  const { node, decorateWorker } = silentNode();
  const { treasuryKey } = original.keys;
  const both: TestService[] = [];
  for (const { databasePath, keys } of [original, copy]) {
    const service = await world.start({ databasePath, keys: { ...keys, treasuryKey }, decorateWorker });
    both.push(service);
    await service.store.tx((db) => db.delete(service.store.tables.signingStops));
    service.worker?.wake();
  }
  const payoutOf = async ({ store }: TestService) => (await store.read.select().from(store.tables.transfers))[0];
  const nonces = await eventually(async () => {
    const payouts = await Promise.all(both.map(payoutOf));
    for (const payout of payouts) expect(payout?.status).toBe('broadcast');
    return payouts.map((payout) => payout?.nonce);
  }, WITHIN_MS);
  node.mute = false;
  await eventually(async () => {
    for (const service of both) expect((await payoutOf(service))?.status).toBe('final');
  }, WITHIN_MS);
  expect(await world.chain.usdcBalance(to)).toBe(USDC);
  expect(new Set(nonces).size).toBe(1);
});
