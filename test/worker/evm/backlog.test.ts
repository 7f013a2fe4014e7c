/** More payouts at once than one round signs. */
import { eq } from 'drizzle-orm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { limitsRound } from '../../../worker/limits.ts';
import { authorizePayouts } from '../../../worker/evm/payouts.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const LINES = 100;
const PAYMENTS = 5;

let chain: BaseChain;
let service: TestService;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    // None is at risk in this test.
    exposureCapMicroUsdc: 1_000_000_000n,
  });
});
afterAll(async () => {
  await service?.close();
  await chain?.close();
});

async function payBatch(): Promise<void> {
  const value = BigInt(LINES) * 10_000n;
  const signer = await chain.createAccount({ usdc: microUsdc(value), wei: 0n });
  const payTo = service.parts.treasury.address;
  const header = await makeProof({ from: signer.address, signer, payTo, value });
  const receivers = Array.from({ length: LINES }, () => ({ receiver: 'alice', amount: 0.01 }));
  const reply = await post(`${service.url}/payments/x/batch-pay`, { receivers }, { 'PAYMENT-SIGNATURE': header });
  expect([reply.status, reply.body['error']]).toEqual([200, undefined]);
}

async function linkAlice(): Promise<void> {
  const recipient = parseRecipient('x', 'alice');
  const person = { ...recipient, stableId: localUserId(recipient) };
  const { store, base } = service;
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, 'alice', Date.now()));
  const { address } = privateKeyToAccount(generatePrivateKey());
  const wallet = { identityId, network: 'base', address, source: 'test' } as const;
  await linkWallet(store, wallet, base.transferIdOf, Date.now());
}

async function countAssigned(): Promise<number> {
  const { transfers } = service.store.tables;
  const where = eq(transfers.status, 'assigned');
  return (await service.store.read.select({ id: transfers.id }).from(transfers).where(where)).length;
}

test('a round that leaves payouts unsigned asks for the next one, and the last round does not', async () => {
  await Promise.all(Array.from({ length: PAYMENTS }, payBatch));
  await service.worker?.close();
  await linkAlice();
  const rounds = [];
  while (rounds.at(-1)?.hasMore !== false) rounds.push(await limitsRound(service.base));
  // One transaction with the wallet itself, and what is left in rounds that follow each other.
  expect(rounds.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
  expect(await limitsRound(service.base)).toMatchObject({ made: 0, hasMore: false });
  expect(await authorizePayouts(service.base)).toBe(true);
  const signed = await countAssigned();
  expect(signed).toBeLessThan(LINES * PAYMENTS);
  expect(await authorizePayouts(service.base)).toBe(false);
  expect(await countAssigned()).toBe(LINES * PAYMENTS);
  expect(await authorizePayouts(service.base)).toBe(false);
});
