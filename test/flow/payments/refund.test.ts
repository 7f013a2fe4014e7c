import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { microUsdc } from '../../../core/money.ts';
import { cancellationDomain, CANCELLATION_TYPES } from '../../../chain/evm/wallet-forms.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { refundRound } from '../../../worker/refunds.ts';
import { startBaseChain, type BaseChain } from '../../support/chains/base-chain.ts';
import { makeProof, post } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

type Account = Awaited<ReturnType<BaseChain['createAccount']>>;
let chain: BaseChain;
let service: TestService;
let api: ApiDependencies;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  const decorate = (dependencies: ApiDependencies) => (api = dependencies);
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, decorate });
});
afterEach(() => service.assertSound());
afterAll(async () => {
  await service.close();
  await chain.close();
});

async function pay(account: Account, amount: number, from = account.address): Promise<number> {
  const value = BigInt(Math.round(amount * 1_000_000));
  const header = await makeProof({ from, signer: account, payTo: service.parts.treasury.address, value });
  const reply = await post(
    `${service.url}/payments/x/pay`,
    { receiver: 'alice', amount },
    { 'PAYMENT-SIGNATURE': header },
  );
  expect(reply.status).toBe(200);
  return reply.body.data.txn_id;
}

async function cancel(account: Account, txnId: number, validBefore = Math.floor(Date.now() / 1000) + 120) {
  const signature = await account.signTypedData({
    domain: cancellationDomain(service.parts.profile),
    types: CANCELLATION_TYPES,
    primaryType: 'Cancel',
    message: { txnId: BigInt(txnId), validBefore: BigInt(validBefore) },
  });
  return post(`${service.url}/payments/${txnId}/cancel`, { signature, valid_before: validBefore });
}

const lineStatus = async (txnId: number) => {
  const { lines } = service.store.tables;
  const rows = await service.store.read.select({ txnId: lines.txnId, status: lines.status }).from(lines);
  return rows.find((row) => row.txnId === txnId)?.status;
};

describe('a payment that nobody collected', () => {
  test('below the minimum waits until more of the same payer is owed, and then comes back in one transfer', async () => {
    const { settings } = api;
    const restore = () => void (api.settings = settings);
    onTestFinished(restore);
    api.settings = { ...settings, claimTtlMs: 500 };
    const account = await chain.createAccount({ usdc: microUsdc(60_000n), wei: 0n });
    const first = await pay(account, 0.04);
    // What comes back is looked for every 5 s; this look is ours, the one after the second payment the worker's.
    await eventually(async () => {
      await refundRound(service.base, ['base']);
      expect(await lineStatus(first)).toBe('returning');
    }, 20_000);
    expect(await chain.usdcBalance(account.address)).toBe(20_000n);
    const second = await pay(account, 0.02);
    restore();
    await eventually(async () => expect(await chain.usdcBalance(account.address)).toBe(60_000n), 20_000);
    const { refunds } = service.store.tables;
    const payoutIds = (await service.store.read.select().from(refunds)).map(({ payoutId }) => payoutId);
    expect(new Set(payoutIds).size).toBe(1);
    expect(await lineStatus(second)).toBe('returning');
  });
});

describe('cancelling', () => {
  test('by another signer, with a window that is over or too long, or of nothing is refused', async () => {
    const account = await chain.createAccount({ usdc: microUsdc(1_000_000n), wei: 0n });
    const stranger = await chain.createAccount();
    const txnId = await pay(account, 1);
    const nowSeconds = Math.floor(Date.now() / 1000);
    const cases = [
      [await cancel(stranger, txnId), 'invalid_signature'],
      [await cancel(account, txnId, nowSeconds - 1), 'validation_failed'],
      [await cancel(account, txnId, nowSeconds + 3_600), 'validation_failed'],
      [await cancel(account, 4711), 'payment_not_found'],
    ] as const;
    for (const [reply, error] of cases) expect([reply.status, reply.body['error']]).toEqual([400, error]);
    expect(await lineStatus(txnId)).toBe('escrowed');
  });

  test('by a contract wallet (ERC-1271) sends the money to the contract, not to the key that signed', async () => {
    const owner = await chain.createAccount();
    const wallet = await chain.deploySmartWallet(owner.address);
    await chain.fundUsdc(wallet, microUsdc(1_000_000n));
    const txnId = await pay(owner, 1, wallet);
    expect((await cancel(owner, txnId)).status).toBe(200);
    await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(1_000_000n), 20_000);
    expect(await chain.usdcBalance(owner.address)).toBe(0n);
  });
});
