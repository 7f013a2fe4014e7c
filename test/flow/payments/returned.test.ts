import { randomBytes } from 'node:crypto';
import { createWalletClient, encodeFunctionData, http, parseAbi } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { boundNonce } from '../../../core/request-hash.ts';
import { readCursor } from '../../../db/scan/cursor.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import {
  signAuthorization,
  startBaseChain,
  testBase,
  toAuthorization,
  type BaseChain,
} from '../../support/chains/base-chain.ts';
import { makeProof, post, USDC } from '../../support/pay.ts';
import { startTestService, type TestService } from '../../support/service.ts';

type Hex = `0x${string}`;
let chain: BaseChain;
let service: TestService;
beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
  service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth });
});
afterAll(async () => {
  await service.close();
  await chain.close();
});
afterEach(() => service.assertSound());

const order = { receiver: 'alice', amount: 1 };
const url = () => `${service.url}/payments/x/pay`;

/** The payer sends the authorization itself, and presents it only when it is on the chain and in our books. */
async function landFirst(nonce: Hex) {
  const account = await chain.createAccount({ usdc: microUsdc(1_000_000n) });
  const payTo = service.parts.treasury.address;
  const validBefore = Math.floor(Date.now() / 1000) + 60;
  const fields = {
    from: account.address,
    to: payTo,
    value: 1_000_000n,
    validAfter: 0n,
    validBefore: BigInt(validBefore),
    nonce,
  };
  const authorization = toAuthorization(fields);
  const signature = await signAuthorization(account, authorization);
  const abi = parseAbi([
    'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  ]);
  // What is on the chain before the first look at it counts as the operator's own.
  await eventually(async () => expect(await readCursor(service.store, 'base')).not.toBeNull());
  const args = [account.address, payTo, 1_000_000n, 0n, BigInt(validBefore), nonce, signature] as const;
  const data = encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args });
  const wallet = createWalletClient({ account, chain: testBase, transport: http(chain.rpcUrl) });
  await chain.client.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to: USDC, data }) });
  const { observedTransfers } = service.store.tables;
  await eventually(async () => {
    const rows = await service.store.read.select({ nonce: observedTransfers.nonce }).from(observedTransfers);
    expect(rows.map((row) => row.nonce)).toContain(nonce);
  });
  const header = await makeProof({
    from: account.address,
    signer: account,
    payTo,
    value: 1_000_000n,
    validAfter: 0,
    validBefore,
    nonce,
  });
  return { account, header: { 'PAYMENT-SIGNATURE': header } };
}

async function requestHashOf(body: unknown): Promise<string> {
  const challenge = await post(url(), body);
  const { extra } = challenge.body.accepts[0] as { extra: { requestHash: string } };
  const v2 = JSON.parse(atob(challenge.headers.get('PAYMENT-REQUIRED') ?? '')) as {
    accepts: { extra: typeof extra }[];
  };
  expect(v2.accepts[0]?.extra.requestHash).toBe(extra.requestHash);
  return extra.requestHash;
}

test('a payment that landed before it was presented is sent back, and its proof gets 400 payment_returned', async () => {
  const another = await requestHashOf({ receiver: 'bob', amount: 1 });
  const bound = `0x${boundNonce(another, randomBytes(16).toString('hex'))}` as Hex;
  // One that names no request, and one that names another.
  const nonces: Hex[] = [`0x${randomBytes(32).toString('hex')}`, bound];
  await Promise.all(
    nonces.map(async (nonce) => {
      const { account, header } = await landFirst(nonce);
      const reply = await post(url(), order, header);
      expect([reply.status, reply.body['error']]).toEqual([400, 'payment_returned']);
      await eventually(async () => expect(await chain.usdcBalance(account.address)).toBe(1_000_000n), 20_000);
      const again = await post(url(), order, header);
      expect([again.status, again.body['error']]).toEqual([400, 'payment_returned']);
    }),
  );
});

test('one that names this very request counts', async () => {
  const hash = await requestHashOf(order);
  const nonce = `0x${boundNonce(hash, randomBytes(16).toString('hex'))}` as Hex;
  const { account, header } = await landFirst(nonce);
  const reply = await post(url(), order, header);
  expect(reply.status).toBe(200);
  expect(await chain.usdcBalance(account.address)).toBe(0n);
  expect((await post(url(), order, header)).body).toEqual(reply.body);
});
