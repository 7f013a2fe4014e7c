import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWalletClient, encodeFunctionData, http, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { encodeTransfer } from '../../../chain/evm/authorization.ts';
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
import { scanStep } from '../../../worker/evm/scan-step.ts';

type Hex = `0x${string}`;
type Account = Awaited<ReturnType<typeof payer>>;
/** Two installations share it, one after the other. Each test has payers and people of its own. */
let chain: BaseChain;
let service: TestService;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 200 });
});
afterAll(async () => {
  await chain.close();
});

const start = (options: Partial<TestServiceOptions>) =>
  startTestService({ rpcUrl: chain.rpcUrl, fundEth: chain.fundEth, ...options });

/** No block comes by itself until the test releases them, or ends. */
async function holdBlocks(): Promise<void> {
  onTestFinished(() => chain.releaseBlocks());
  await chain.holdBlocks();
}

const payer = (usdc = 5_000_000n) => chain.createAccount({ usdc: microUsdc(usdc) });
const randomAddress = () => `0x${randomBytes(20).toString('hex')}` as Hex;
const proofOf = (account: Account, value = 1_000_000n) =>
  makeProof({ from: account.address, signer: account, payTo: service.parts.treasury.address, value });

async function pay(account: Account, receiver = 'alice', amount = 1) {
  const header = await proofOf(account, BigInt(Math.round(amount * 1_000_000)));
  const headers = { 'PAYMENT-SIGNATURE': header };
  return { header, reply: await post(`${service.url}/payments/x/pay`, { receiver, amount }, headers) };
}

/** Links a wallet to x:{handle}; the identity exists once it was paid. */
async function link(handle: string, address: Hex): Promise<string[]> {
  const identity = await findIdentity(service.store, 'x', localUserId(parseRecipient('x', handle)));
  if (!identity) throw new Error(`nobody paid ${handle} yet`);
  const wallet = { identityId: identity.id, network: 'base' as const, address, source: 'test' };
  return linkWallet(service.store, wallet, service.base.transferIdOf, Date.now());
}

/** What this payer has paid. */
async function paymentRows({ address }: Account) {
  const rows = await service.store.read.select().from(service.store.tables.payments);
  return rows.filter((row) => row.payer === address.toLowerCase());
}
const payoutRows = () => service.store.read.select().from(service.store.tables.transfers);

/** Its proof is reserved by a service without a worker, and nothing comes of it. */
async function reserveIdly(idle: TestService) {
  const account = await payer();
  const nonce = `0x${randomBytes(32).toString('hex')}` as Hex;
  const validBefore = Math.floor(Date.now() / 1000) + 60;
  const payTo = idle.parts.treasury.address;
  const signed = { from: account.address, signer: account, payTo, value: 1_000_000n };
  const proof = await makeProof({ ...signed, nonce, validBefore, validAfter: 0 });
  const header = { 'PAYMENT-SIGNATURE': proof };
  expect((await post(`${idle.url}/payments/x/pay`, { receiver: 'alice', amount: 1 }, header)).status).toBe(500);
  return { account, nonce, validBefore, payTo, header };
}
type Reserved = Awaited<ReturnType<typeof reserveIdly>>;

describe('one installation', () => {
  const treasuryKey = generatePrivateKey();
  let sentByAnother: Reserved;
  let canceled: Reserved;
  let dir: string;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'pennypost-engine-'));
    const laneKeys = Array.from({ length: 3 }, generatePrivateKey);
    const kept = { databasePath: join(dir, 'engine.sqlite'), keys: { treasuryKey, laneKeys } };
    const idle = await start({ ...kept, runWorker: false, settlementWaitMs: 200 });
    // The scan must have begun before the transfer: a worker does that at its first start.
    await scanStep(idle.base);
    [sentByAnother, canceled] = await Promise.all([reserveIdly(idle), reserveIdly(idle)]);
    await Promise.all([sendTransfer(sentByAnother), cancel(canceled)]);
    await idle.close();
    service = await start({ ...kept, exposureCapMicroUsdc: 1_500_000n });
  });
  afterAll(async () => {
    await service.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('is decided by the logs when another sender sends the authorization first', async () => {
    const { account, header } = sentByAnother;
    const reply = await post(`${service.url}/payments/x/pay`, { receiver: 'alice', amount: 1 }, header);
    expect(reply.status).toBe(200);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    expect(await service.store.read.select().from(service.store.tables.carriers)).toHaveLength(0);
    await service.assertSound();
  });

  test('refuses, with proof, an authorization that its payer canceled meanwhile', async () => {
    const { account } = canceled;
    await eventually(async () => expect((await paymentRows(account))[0]?.status).toBe('rejected'), 15_000);
    expect(await chain.usdcBalance(account.address)).toBe(5_000_000n);
    await service.assertSound();
  });

  describe('reorganisations', () => {
    /** Mines one block that holds what is in the pool, and waits until it is in the books. */
    async function mineOne(): Promise<void> {
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

    /** Without those of gas, which come when they come. */
    const causes = async () =>
      (await service.store.read.select().from(service.store.tables.entries))
        .map(({ cause }) => cause.split(':')[0])
        .filter((cause) => cause !== 'gas');

    test('take a settlement back, and then its payout, and bring each once more: its answer stays, and it is paid once', async () => {
      const account = await payer();
      const before = (await causes()).length;
      await holdBlocks();
      const paying = pay(account, 'rosa');
      await inPool(1);
      await mineOne();
      const { reply, header } = await paying;
      expect(reply.status).toBe(200);
      await chain.reorg(1);
      await eventually(async () => expect((await causes()).slice(before)).toEqual(['in', 'un.in']));
      expect((await paymentRows(account))[0]?.status).toBe('settling');
      expect(await chain.usdcBalance(account.address)).toBe(5_000_000n);
      await service.assertSound();
      chain.releaseBlocks();
      await eventually(async () => expect((await paymentRows(account))[0]?.status).toBe('final'), 20_000);
      expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
      const again = { 'PAYMENT-SIGNATURE': header };
      const replay = await post(`${service.url}/payments/x/pay`, { receiver: 'rosa', amount: 1 }, again);
      expect(replay.body).toEqual(reply.body);
      await service.assertSound();
      await takeItsPayoutBack();
    });

    async function takeItsPayoutBack(): Promise<void> {
      const wallet = randomAddress();
      await chain.holdBlocks();
      await link('rosa', wallet);
      service.worker?.wake();
      await inPool(1);
      await mineOne();
      expect(await payoutRows()).toMatchObject([{ status: 'confirmed' }]);
      const nonce = (await payoutRows())[0]?.nonce;
      await chain.reorg(1);
      await eventually(async () => expect((await payoutRows())[0]?.status).toBe('broadcast'));
      expect(await chain.usdcBalance(wallet)).toBe(0n);
      await service.assertSound();
      chain.releaseBlocks();
      await eventually(async () => expect((await payoutRows())[0]?.status).toBe('final'), 20_000);
      expect((await payoutRows())[0]).toMatchObject({ generation: 0, nonce });
      expect(await chain.usdcBalance(wallet)).toBe(1_000_000n);
      await service.assertSound();
    }
  });

  test('payouts beyond the exposure cap wait until their inbound is safe', async () => {
    const account = await payer();
    const wallet = randomAddress();
    await pay(account, 'ada', 0.5);
    await link('ada', wallet);
    await Promise.all([pay(account, 'ada', 1), pay(account, 'ada', 1.1)]);
    await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(2_600_000n));
    await eventually(async () => {
      expect(await readCounter(service.store, exposureCounter('base'))).toBe(0n);
    });
    await service.assertSound();
  });

  describe('what was forgotten meanwhile', () => {
    test('a caller who hung up and comes back with a new proof is not charged twice; the next one is a new payment', async () => {
      const account = await payer();
      const send = async (signal?: AbortSignal, more: Record<string, string> = {}) =>
        fetch(`${service.url}/payments/x/pay`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': await proofOf(account), ...more },
          body: '{"receiver":"alice","amount":1}',
          signal,
        });
      const hangUp = new AbortController();
      const first = send(hangUp.signal).catch(() => null);
      await eventually(async () => expect(await paymentRows(account)).toHaveLength(1));
      hangUp.abort();
      await first;
      await eventually(async () => expect((await paymentRows(account))[0]?.delivery).toBe('missed'));
      // On a connection that stays open it would be known only some seconds later that the answer was taken.
      expect((await send(undefined, { connection: 'close' })).status).toBe(200);
      expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
      await eventually(async () => expect((await paymentRows(account))[0]?.delivery).toBe('handed'));
      expect((await send()).status).toBe(200);
      expect(await chain.usdcBalance(account.address)).toBe(3_000_000n);
      await service.assertSound();
    });

    test('a caller who leaves an answer unread and comes back with a new proof is not charged twice', async () => {
      const account = await payer();
      const body = '{"receiver":"alice","amount":1}';
      const { hostname, port, host } = new URL(service.url);
      const client = connect({ host: hostname, port: Number(port) }).pause();
      const lines = [
        'POST /payments/x/pay HTTP/1.1',
        `Host: ${host}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        `PAYMENT-SIGNATURE: ${await proofOf(account)}`,
      ];
      client.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
      // Its system has the answer, and nobody reads it.
      const { waitingResponses } = service.store.tables;
      await eventually(async () => {
        const [payment] = await paymentRows(account);
        const rows = await service.store.read.select().from(waitingResponses);
        expect(rows.find(({ paymentId }) => paymentId === payment?.id)?.state).toBe('handing');
      });
      await sleep(100);
      client.destroy();
      const headers = { 'content-type': 'application/json', 'PAYMENT-SIGNATURE': await proofOf(account) };
      const second = await fetch(`${service.url}/payments/x/pay`, { method: 'POST', headers, body });
      expect(second.status).toBe(200);
      expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
      await service.assertSound();
    });

    test('sends a batch again that a node has forgotten, with higher fees when it is slow', async () => {
      const account = await payer();
      const { carrierTransactions } = service.store.tables;
      const sent = () => service.store.read.select().from(carrierTransactions);
      const before = new Set((await sent()).map(({ carrierId }) => carrierId));
      const { pace } = service.base;
      const { replaceAfterMs } = pace;
      onTestFinished(() => void (pace.replaceAfterMs = replaceAfterMs));
      pace.replaceAfterMs = 400;
      await holdBlocks();
      const paying = pay(account);
      await eventually(async () => {
        const rows = (await sent()).filter(({ carrierId }) => !before.has(carrierId));
        expect(rows.length).toBeGreaterThan(1);
        expect(new Set(rows.map(({ carrierId }) => carrierId)).size).toBe(1);
        const fees = rows.map(({ maxFeePerGas }) => Number(maxFeePerGas));
        expect(Math.max(...fees)).toBeGreaterThan(Math.min(...fees));
      });
      await chain.rpc('anvil_dropAllTransactions');
      await sleep(2_200);
      chain.releaseBlocks();
      expect((await paying).reply.status).toBe(200);
      expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
      await service.assertSound();
    });
  });

  // The last one of this installation: it stops signing.
  test('an outflow that no payout explains stops signing, and routes answer service_paused', async () => {
    await pay(await payer());
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

describe('behind a node that fails', () => {
  let proxy: RpcProxy;
  let api: ApiDependencies;
  beforeAll(async () => {
    proxy = await startRpcProxy(chain.rpcUrl);
    service = await start({ rpcUrl: proxy.url, decorate: (dependencies) => (api = dependencies) });
  });
  afterAll(async () => {
    await service.close();
    await proxy.close();
  });

  test('answers 500 while the outcome is unknown, and unmodified @x402/fetch called again is not charged twice', async () => {
    const { settings } = api;
    const restore = () => void (api.settings = settings);
    onTestFinished(restore);
    api.settings = { ...settings, settlementWaitMs: 700 };
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
    restore();
    expect(second.data.settlement_attempt_id).toBe(body['settlement_attempt_id']);
    expect(reply.fired()).toBe(1);
    // Nothing is on its way that could charge once more.
    await eventually(async () => expect(await paymentRows(account)).toMatchObject([{ status: 'final' }]));
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    await service.assertSound();
  });

  // The last one: it moves the clock of the chain.
  test('a payment outlives a 503 of its broadcast; its payout, expired unlanded, is renewed once it is dead, and paid once', async () => {
    const account = await payer();
    const wallet = randomAddress();
    const kept = await chain.usdcBalance(service.parts.treasury.address);
    const fault = proxy.fail('eth_sendRawTransaction', { kind: 'unavailable' }, 1);
    expect((await pay(account, 'bob')).reply.status).toBe(200);
    expect(fault.fired()).toBe(1);
    expect(await chain.usdcBalance(account.address)).toBe(4_000_000n);
    await service.assertSound();
    const lost = proxy.fail('eth_sendRawTransaction', { kind: 'drop' }, 1_000);
    await link('bob', wallet);
    service.worker?.wake();
    await eventually(async () => expect(lost.fired()).toBeGreaterThan(0));
    await chain.advanceTime(3_700);
    await eventually(async () => expect((await payoutRows())[0]?.generation).toBe(1));
    lost.heal();
    await eventually(async () => expect(await chain.usdcBalance(wallet)).toBe(1_000_000n), 15_000);
    await eventually(async () => expect((await payoutRows())[0]?.status).toBe('final'));
    await service.assertSound();
    expect(await chain.usdcBalance(service.parts.treasury.address)).toBe(kept);
  });
});

async function cancel({ account, nonce }: Reserved): Promise<void> {
  const signature = await signCancellation(account, { authorizer: account.address, nonce });
  const abi = parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)']);
  const args = [account.address, nonce, signature] as const;
  await sendCall(account, encodeFunctionData({ abi, functionName: 'cancelAuthorization', args }));
}

async function sendCall(account: ReturnType<typeof privateKeyToAccount>, data: Hex): Promise<void> {
  const wallet = createWalletClient({ account, chain: testBase, transport: http(chain.rpcUrl) });
  const hash = await wallet.sendTransaction({ to: USDC, data });
  await chain.client.waitForTransactionReceipt({ hash });
}

async function sendTransfer({ account, payTo: to, nonce, validBefore }: Reserved): Promise<void> {
  const signed = { from: account.address, to, value: 1_000_000n, nonce, validBefore: BigInt(validBefore) };
  const authorization = toAuthorization(signed);
  const signature = await signAuthorization(account, authorization);
  await sendCall(account, encodeTransfer({ ...authorization, validAfter: 0, validBefore }, signature));
}
