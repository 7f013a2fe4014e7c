import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWalletClient, encodeFunctionData, http, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { findIdentity } from '../../../db/identities/identities.ts';
import { findViolations } from '../../../db/audit/invariants.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { exposureCounter } from '../../../db/transfers/exposure.ts';
import { linkWallet } from '../../../db/transfers/link-wallet.ts';
import { localUserId } from '../../../local/identity.ts';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import {
  signAuthorization,
  signCancellation,
  startBaseChain,
  testBase,
  toAuthorization,
  type BaseChain,
} from '../../support/chains/base-chain.ts';
import { makeProof, post, USDC } from '../../support/pay.ts';
import { eventually } from '../../../scripts/torture/eventually.ts';
import { startRpcProxy, type RpcProxy } from '../../support/chains/rpc-proxy.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.ts';

type Hex = `0x${string}`;
/** What ends with its test; two tests may run at once. */
type Running = Pick<TestContext, 'onTestFinished'>;
/** All share it: each test has its own service, with keys and payers of its own. */
let chain: BaseChain;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
});
afterAll(async () => {
  await chain.close();
});

async function start({ onTestFinished }: Running, options: Partial<TestServiceOptions> = {}): Promise<TestService> {
  const service = await startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, ...options });
  onTestFinished(service.close);
  return service;
}

async function proxied({ onTestFinished }: Running): Promise<RpcProxy> {
  const proxy = await startRpcProxy(chain.rpcUrl);
  onTestFinished(proxy.close);
  return proxy;
}

/** No block comes by itself until the test releases them, or ends. */
async function holdBlocks({ onTestFinished }: Running): Promise<void> {
  onTestFinished(() => chain.releaseBlocks());
  await chain.holdBlocks();
}

const payer = (usdc = 5_000_000n) => chain.createAccount({ usdc: microUsdc(usdc) });
const randomAddress = () => `0x${randomBytes(20).toString('hex')}` as Hex;

async function pay(service: TestService, account: Awaited<ReturnType<typeof payer>>, receiver = 'alice', amount = 1) {
  const payTo = service.parts.treasury.address;
  const value = BigInt(Math.round(amount * 1_000_000));
  const header = await makeProof({ from: account.address, signer: account, payTo, value });
  const headers = { 'PAYMENT-SIGNATURE': header };
  return { header, reply: await post(`${service.url}/payments/x/pay`, { receiver, amount }, headers) };
}

/** Links a wallet to x:{handle}; the identity exists once it was paid. */
async function link(service: TestService, handle: string, address: Hex): Promise<string[]> {
  const identity = await findIdentity(service.store, 'x', localUserId(parseRecipient('x', handle)));
  if (!identity) throw new Error(`nobody paid ${handle} yet`);
  const wallet = { identityId: identity.id, network: 'base' as const, address, source: 'test' };
  return linkWallet(service.store, wallet, service.base.transferIdOf, Date.now());
}

const paymentRows = (service: TestService) => service.store.read.select().from(service.store.tables.payments);
const payoutRows = (service: TestService) => service.store.read.select().from(service.store.tables.transfers);

describe.concurrent('settlement under faults, side by side', () => {
  test('payouts beyond the exposure cap wait until their inbound is safe', async (own) => {
    const service = await start(own, { exposureCapMicroUsdc: 1_500_000n });
    const account = await payer();
    const wallet = randomAddress();
    await pay(service, account, 'alice', 0.5);
    await link(service, 'alice', wallet);
    await Promise.all([pay(service, account, 'alice', 1), pay(service, account, 'alice', 1.1)]);
    await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(2_600_000n));
    await eventually(async () => {
      expect(await readCounter(service.store, exposureCounter('base'))).toBe(0n);
    });
    await service.assertSound();
  });

  test('answers 500 while the outcome is unknown, and unmodified @x402/fetch called again is not charged twice', async (own) => {
    const proxy = await proxied(own);
    const service = await start(own, { rpcUrl: proxy.url, settlementWaitMs: 700 });
    const account = await payer();
    const client = new x402Client();
    registerExactEvmScheme(client, { signer: account });
    const order = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"receiver":"alice","amount":1}',
    };
    const call = () => wrapFetchWithPayment(fetch, client)(`${service.url}/payments/x/pay`, order);
    // The transaction lands, but nobody hears of it for a while.
    const reply = proxy.fail('eth_sendRawTransaction', { kind: 'lose_reply' }, 1);
    const blind = proxy.fail('eth_getBlockByNumber', { kind: 'unavailable' }, 1_000);
    const first = await call();
    expect(first.status).toBe(500);
    const body = (await first.json()) as Record<string, unknown>;
    expect(body).toMatchObject({ error: 'settlement_pending', retryable: true });
    expect(first.headers.get('Retry-After')).toBe('5');
    await eventually(async () => expect(blind.fired()).toBeGreaterThan(0));
    blind.heal();
    const second = await eventually(async () => {
      const again = await call();
      expect(again.status).toBe(200);
      return (await again.json()) as { data: { settlement_attempt_id: string } };
    });
    expect(second.data.settlement_attempt_id).toBe(body['settlement_attempt_id']);
    expect(reply.fired()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    await service.assertSound();
  });

  test('is decided by the logs when another sender sends the authorization first', async (own) => {
    const path = `${tmpdir()}/pennypost-front-${randomBytes(6).toString('hex')}.sqlite`;
    const keys = { treasuryKey: generatePrivateKey(), laneKeys: [generatePrivateKey()] };
    const idle = await start(own, { runWorker: false, settlementWaitMs: 200, databasePath: path, keys });
    await idle.base.rpc.head();
    const account = await payer();
    const nonce = `0x${randomBytes(32).toString('hex')}` as Hex;
    const validBefore = Math.floor(Date.now() / 1000) + 60;
    const payTo = idle.parts.treasury.address;
    // The scan must have begun before the transfer: a worker does that at its first start.
    const { scanStep } = await import('../../../worker/evm/scan-step.ts');
    await scanStep(idle.base);
    const options = {
      from: account.address,
      signer: account,
      payTo,
      value: 1_000_000n,
      nonce,
      validBefore,
      validAfter: 0,
    };
    const header = { 'PAYMENT-SIGNATURE': await makeProof(options) };
    const pending = await post(`${idle.url}/payments/x/pay`, { receiver: 'alice', amount: 1 }, header);
    expect(pending.status).toBe(500);
    await sendTransfer(account, { to: payTo, value: 1_000_000n, nonce, validBefore });
    const service = await start(own, { databasePath: path, keys });
    const reply = await post(`${service.url}/payments/x/pay`, { receiver: 'alice', amount: 1 }, header);
    expect(reply.status).toBe(200);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    expect(await service.store.read.select().from(service.store.tables.carriers)).toHaveLength(0);
    await service.assertSound();
  });

  test('refuses, with proof, an authorization that its payer canceled meanwhile', async (own) => {
    const path = `${tmpdir()}/pennypost-cancel-${randomBytes(6).toString('hex')}.sqlite`;
    const keys = { treasuryKey: generatePrivateKey(), laneKeys: [generatePrivateKey()] };
    const idle = await start(own, { runWorker: false, settlementWaitMs: 200, databasePath: path, keys });
    const account = await payer();
    const nonce = `0x${randomBytes(32).toString('hex')}` as Hex;
    const payTo = idle.parts.treasury.address;
    const header = {
      'PAYMENT-SIGNATURE': await makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n, nonce }),
    };
    expect((await post(`${idle.url}/payments/x/pay`, { receiver: 'alice', amount: 1 }, header)).status).toBe(500);
    const signature = await signCancellation(account, { authorizer: account.address, nonce });
    const abi = parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']);
    await sendCall(
      account,
      encodeFunctionData({ abi, functionName: 'cancelAuthorization', args: [account.address, nonce, signature] }),
    );
    const service = await start(own, { databasePath: path, keys });
    await eventually(async () => expect((await paymentRows(service))[0]?.status).toBe('rejected'), 15_000);
    expect(await chain.usdcBalance(account.address)).toBe(5_000_000n);
    await service.assertSound();
  });
});

describe('what was forgotten meanwhile', () => {
  test('a caller who hung up and comes back with a new proof is not charged twice; the next one is a new payment', async (own) => {
    const service = await start(own);
    const account = await payer();
    const payTo = service.parts.treasury.address;
    const proof = () => makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n });
    const send = async (signal?: AbortSignal, more: Record<string, string> = {}) =>
      fetch(`${service.url}/payments/x/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': await proof(), ...more },
        body: '{"receiver":"alice","amount":1}',
        signal,
      });
    const hangUp = new AbortController();
    const first = send(hangUp.signal).catch(() => null);
    await eventually(async () => expect(await paymentRows(service)).toHaveLength(1));
    hangUp.abort();
    await first;
    await eventually(async () => expect((await paymentRows(service))[0]?.delivery).toBe('missed'));
    // On a connection that stays open it would be known only some seconds later that the answer was taken.
    expect((await send(undefined, { connection: 'close' })).status).toBe(200);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    await eventually(async () => expect((await paymentRows(service))[0]?.delivery).toBe('handed'));
    expect((await send()).status).toBe(200);
    expect(await chain.usdcBalance(account.address)).toBe(3_000_000n);
    await service.assertSound();
  });

  test('a caller who leaves an answer unread and comes back with a new proof is not charged twice', async (own) => {
    const service = await start(own);
    const account = await payer();
    const payTo = service.parts.treasury.address;
    const proof = () => makeProof({ from: account.address, signer: account, payTo, value: 1_000_000n });
    const body = '{"receiver":"alice","amount":1}';
    const { hostname, port, host } = new URL(service.url);
    const client = connect({ host: hostname, port: Number(port) }).pause();
    const lines = [
      'POST /payments/x/pay HTTP/1.1',
      `Host: ${host}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `PAYMENT-SIGNATURE: ${await proof()}`,
    ];
    client.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    // Its system has the answer, and nobody reads it.
    const { waitingResponses } = service.store.tables;
    await eventually(async () => {
      const [row] = await service.store.read.select().from(waitingResponses);
      expect(row?.state).toBe('handing');
    });
    await sleep(100);
    client.destroy();
    const headers = { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': await proof() };
    const second = await fetch(`${service.url}/payments/x/pay`, { method: 'POST', headers, body });
    expect(second.status).toBe(200);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    await service.assertSound();
  });

  test('sends a batch again that a node has forgotten, with higher fees when it is slow', async (own) => {
    const service = await start(own, { replaceAfterMs: 400, settlementWaitMs: 15_000 });
    const account = await payer();
    await holdBlocks(own);
    const paying = pay(service, account);
    await eventually(async () => {
      const rows = await service.store.read.select().from(service.store.tables.carrierTransactions);
      expect(rows.length).toBeGreaterThan(1);
      expect(new Set(rows.map(({ carrierId }) => carrierId)).size).toBe(1);
      const fees = rows.map(({ maxFeePerGas }) => Number(maxFeePerGas));
      expect(Math.max(...fees)).toBeGreaterThan(Math.min(...fees));
    });
    await chain.rpc('anvil_dropAllTransactions');
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    chain.releaseBlocks();
    expect((await paying).reply.status).toBe(200);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    await service.assertSound();
  });
});

describe('reorganisations', () => {
  /** Mines one block that holds what is in the pool, and waits until it is in the books. */
  async function mineOne(service: TestService): Promise<void> {
    await chain.mine(1);
    const height = Number(await chain.client.getBlockNumber());
    await eventually(async () => {
      const [cursor] = await service.store.read.select().from(service.store.tables.scanCursors);
      expect(cursor?.block).toBe(height);
    });
  }

  async function inPool(count: number): Promise<void> {
    await eventually(async () => {
      const status = (await chain.rpc('txpool_status')) as { pending: string };
      expect(Number(status.pending)).toBe(count);
    });
  }

  const causes = async (service: TestService) =>
    (await service.store.read.select().from(service.store.tables.entries)).map(({ cause }) => cause.split(':')[0]);

  test('take a settlement back, and then its payout, and bring each once more: its answer stays, and it is paid once', async (own) => {
    const service = await start(own);
    const account = await payer();
    await holdBlocks(own);
    const paying = pay(service, account);
    await inPool(1);
    await mineOne(service);
    const { reply, header } = await paying;
    expect(reply.status).toBe(200);
    await chain.reorg(1);
    await eventually(async () => expect(await causes(service)).toEqual(['in', 'un.in']));
    expect((await paymentRows(service))[0]?.status).toBe('settling');
    expect(await chain.usdcBalance(account.address)).toBe(5_000_000n);
    await service.assertSound();
    chain.releaseBlocks();
    await eventually(async () => expect((await paymentRows(service))[0]?.status).toBe('final'), 20_000);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    const replay = await post(
      `${service.url}/payments/x/pay`,
      { receiver: 'alice', amount: 1 },
      { 'PAYMENT-SIGNATURE': header },
    );
    expect(replay.body).toEqual(reply.body);
    await service.assertSound();
    await takeItsPayoutBack(service);
  });

  async function takeItsPayoutBack(service: TestService): Promise<void> {
    const wallet = randomAddress();
    await chain.holdBlocks();
    await link(service, 'alice', wallet);
    service.worker?.wake();
    await inPool(1);
    await mineOne(service);
    expect((await payoutRows(service))[0]?.status).toBe('confirmed');
    const nonce = (await payoutRows(service))[0]?.nonce;
    await chain.reorg(1);
    await eventually(async () => expect((await payoutRows(service))[0]?.status).toBe('broadcast'));
    expect(await chain.usdcBalance(wallet)).toBe(0n);
    await service.assertSound();
    chain.releaseBlocks();
    await eventually(async () => expect((await payoutRows(service))[0]?.status).toBe('final'), 20_000);
    expect((await payoutRows(service))[0]).toMatchObject({ generation: 0, nonce });
    expect(await chain.usdcBalance(wallet)).toBe(1_000_000n);
    await service.assertSound();
  }
});

describe('money nobody explains', () => {
  test('an outflow that no payout explains stops signing, and routes answer service_paused', async (own) => {
    const treasuryKey = generatePrivateKey();
    const service = await start(own, { keys: { treasuryKey, laneKeys: [generatePrivateKey()] } });
    const account = await payer();
    await pay(service, account);
    const treasury = privateKeyToAccount(treasuryKey);
    await chain.fundEth(treasury.address, 10n ** 18n);
    const abi = parseAbi(['function transfer(address to, uint256 value)']);
    await sendCall(treasury, encodeFunctionData({ abi, functionName: 'transfer', args: [randomAddress(), 1n] }));
    await eventually(async () => {
      const reply = await post(`${service.url}/payments/x/pay`, { receiver: 'alice', amount: 1 });
      expect([reply.status, reply.body['error']]).toEqual([500, 'service_paused']);
    });
    expect((await findViolations(service.store)).map(({ rule }) => rule)).toContain('every outflow is explained');
  });
});

// The last one: it moves the clock of the chain.
test('a payment outlives a 503 of its broadcast; its payout, expired unlanded, is renewed once it is dead, and paid once', async (own) => {
  const proxy = await proxied(own);
  const service = await start(own, { rpcUrl: proxy.url });
  const account = await payer();
  const wallet = randomAddress();
  const fault = proxy.fail('eth_sendRawTransaction', { kind: 'unavailable' }, 1);
  expect((await pay(service, account)).reply.status).toBe(200);
  expect(fault.fired()).toBe(1);
  expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
  await service.assertSound();
  const lost = proxy.fail('eth_sendRawTransaction', { kind: 'drop' }, 1_000);
  await link(service, 'alice', wallet);
  service.worker?.wake();
  await eventually(async () => expect(lost.fired()).toBeGreaterThan(0));
  await chain.advanceTime(3_700);
  await eventually(async () => expect((await payoutRows(service))[0]?.generation).toBe(1));
  lost.heal();
  await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(1_000_000n), 15_000);
  await eventually(async () => expect((await payoutRows(service))[0]?.status).toBe('final'));
  await service.assertSound();
  expect(await chain.usdcBalance(service.parts.treasury.address)).toBe(0n);
});

async function sendCall(account: ReturnType<typeof privateKeyToAccount>, data: Hex): Promise<void> {
  const wallet = createWalletClient({ account, chain: testBase, transport: http(chain.rpcUrl) });
  const hash = await wallet.sendTransaction({ to: USDC, data });
  await chain.client.waitForTransactionReceipt({ hash });
}

async function sendTransfer(
  account: ReturnType<typeof privateKeyToAccount>,
  { to, value, nonce, validBefore }: { to: Hex; value: bigint; nonce: Hex; validBefore: number },
): Promise<void> {
  const authorization = toAuthorization({
    from: account.address,
    to,
    value,
    validAfter: 0n,
    validBefore: BigInt(validBefore),
    nonce,
  });
  const signature = await signAuthorization(account, authorization);
  const abi = parseAbi([
    'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  ]);
  const { from, validAfter } = authorization;
  const args = [from, to, value, validAfter, BigInt(validBefore), nonce, signature] as const;
  await sendCall(account, encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args }));
}
