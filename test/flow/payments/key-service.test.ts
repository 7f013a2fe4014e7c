/** A treasury and lanes in AWS KMS: whatever the service does, everyone is paid once. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openKms } from '../../../chain/signing/kms/client.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { microUsdc } from '../../../core/money.ts';
import { findIdentity } from '../../../db/identities/identities.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import type { FakeKey } from '../../fakes/kms/keys.ts';
import { startFakeKms, type FakeKms } from '../../fakes/kms/server.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let chain: BaseChain;
let server: FakeKms;
let service: TestService;

const settingOf = ({ arn, address }: FakeKey) => `kms:${arn}@${address}` as const;

beforeEach(async () => {
  [chain, server] = await Promise.all([startBaseChain({ blockTimeMs: 200 }), startFakeKms()]);
  const [treasury, ...lanes] = Array.from({ length: 3 }, () => server.createKey('ECC_SECG_P256K1'));
  service = await startTestService({
    rpcUrl: chain.rpcUrl,
    fundEth: chain.fundEth,
    keys: { treasuryKey: settingOf(treasury!), laneKeys: lanes.map(settingOf), installationSecret: '11'.repeat(32) },
    keyService: { kms: openKms({ ...server, timeoutMs: 2_000 }) },
  });
});
afterEach(async () => {
  await service.close();
  await Promise.all([server.close(), chain.close()]);
});

async function pay(receiver: string) {
  const account = await chain.createAccount({ usdc: microUsdc(1_000_000n) });
  const payTo = service.parts.treasury.address;
  const header = await makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n });
  return post(`${service.url}/payments/x/pay`, { receiver, amount: 1 }, { 'PAYMENT-SIGNATURE': header });
}

test('payments settle and are paid out; a throttled, slow, refusing service delays and pays nobody twice', async () => {
  expect((await pay('alice')).status).toBe(200);
  const userId = localUserId(parseRecipient('x', 'alice'));
  const wallet = (await chain.createAccount({})).address.toLowerCase() as `0x${string}`;
  const paid = () => chain.usdcBalance(wallet);

  server.faults.refuseAll = 'AccessDeniedException';
  const identity = await findIdentity(service.store, 'x', userId);
  if (identity === null) throw new Error('she was paid');
  const linked = { identityId: identity.id, network: 'base' as const, address: wallet, source: 'test' };
  await linkWallet(service.store, linked, service.base.transferIdOf, Date.now());
  await eventually(async () => expect(await service.parts.areKeysAway()).toBe(true));
  expect(await paid()).toBe(0n);
  // Nothing was signed, so nothing is stored either.
  const rows = await service.store.read.select().from(service.store.tables.transfers);
  expect(rows.map(({ status, signature }) => [status, signature])).toEqual([['queued', null]]);

  Object.assign(server.faults, { refuseAll: null, delayMs: 300, refuseNext: ['ThrottlingException'] });
  await eventually(async () => expect(await paid()).toBe(1_000_000n), 60_000);
  await eventually(async () => expect(await service.parts.areKeysAway()).toBe(false));
  server.faults.delayMs = 0;
  expect((await pay('alice')).status).toBe(200);
  await eventually(async () => expect(await paid()).toBe(2_000_000n), 60_000);
  await service.assertSound();
});
