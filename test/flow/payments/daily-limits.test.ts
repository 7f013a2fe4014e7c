import { afterAll, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { ensureIdentity } from '../../../db/identities/identities.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let chain: BaseChain;
let service: TestService;
let skewMs = 0;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  const payouts = { dailyMicroUsdc: { payer: 1_000_000n, recipient: null }, treasuries: {} };
  const now = () => Date.now() + skewMs;
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, payouts, now });
});
afterAll(async () => {
  await service.assertSound();
  await service.close();
  await chain.close();
});

test('what is over a payer’s day is accepted and held, and reaches its recipient the next day', async () => {
  const { store, base } = service;
  const recipient = parseRecipient('x', 'alice');
  const person = { ...recipient, stableId: localUserId(recipient) };
  const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, base.ids.identityId(), 0));
  const { address } = await chain.createAccount({ wei: 0n });
  await linkWallet(store, { identityId, network: 'base', address, source: 'test' }, base.transferIdOf, 0);
  const account = await chain.createAccount({ usdc: microUsdc(2_000_000n), wei: 0n });
  const payTo = service.parts.treasury.address;
  const pay = async (note: string) => {
    const header = await makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n });
    const body = { receiver: 'alice', amount: 1, description: note };
    return post(`${service.url}/payments/x/pay`, body, { 'PAYMENT-SIGNATURE': header });
  };
  const replies = [await pay('first'), await pay('second')];
  expect(replies.map(({ status, body }) => [status, body.data.status])).toEqual([
    [200, 'queued'],
    [200, 'held'],
  ]);
  await eventually(async () => expect(await chain.usdcBalance(address)).toBe(1_000_000n));
  skewMs = 24 * 3_600_000;
  await eventually(async () => expect(await chain.usdcBalance(address)).toBe(2_000_000n), 20_000);
});
