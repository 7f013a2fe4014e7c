import { keccak256, type Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BaseChain, startBaseChain } from '../../support/chains/base-chain.ts';
import { type RpcProxy, startRpcProxy } from '../../support/chains/rpc-proxy.ts';

let chain: BaseChain;
let proxy: RpcProxy;
let raw: Hex;
let recipient: Hex;

beforeAll(async () => {
  chain = await startBaseChain({ blockTimeMs: 0 });
});
afterAll(() => chain?.close());

beforeEach(async () => {
  proxy = await startRpcProxy(chain.rpcUrl);
  const sender = await chain.createAccount();
  recipient = (await chain.createAccount({ wei: 0n })).address;
  const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n, gas: 21_000n };
  raw = await sender.signTransaction({ type: 'eip1559', chainId: 8453, nonce: 0, to: recipient, value: 7n, ...fees });
});
afterEach(() => proxy.close());

type Call = { method: string; params?: unknown[] };

async function post(body: Call | Call[]): Promise<{ status: number; answer: unknown }> {
  const number = (call: Call, id: number) => ({ jsonrpc: '2.0', id, params: [], ...call });
  const numbered = Array.isArray(body) ? body.map(number) : number(body, 1);
  const response = await fetch(proxy.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(numbered),
  });
  const text = await response.text();
  return { status: response.status, answer: response.ok ? JSON.parse(text) : text };
}

const broadcast = () => post({ method: 'eth_sendRawTransaction', params: [raw] });

async function received(): Promise<bigint> {
  await chain.mine();
  return chain.client.getBalance({ address: recipient });
}

test('without a fault it is not noticed', async () => {
  expect(await broadcast()).toMatchObject({ status: 200, answer: { result: expect.stringMatching(/^0x/) } });
  expect(await received()).toBe(7n);
});

test('a lost reply breaks the connection after the node has done it', async () => {
  const fault = proxy.fail('eth_sendRawTransaction', { kind: 'lose_reply' }, 1);
  await expect(broadcast()).rejects.toThrow('fetch failed');
  expect(fault.fired()).toBe(1);
  expect(await received()).toBe(7n);
});

test('a dropped request never reaches the node', async () => {
  const fault = proxy.fail('eth_sendRawTransaction', { kind: 'drop' }, 1);
  await expect(broadcast()).rejects.toThrow('fetch failed');
  expect(fault.fired()).toBe(1);
  expect(await received()).toBe(0n);
  await broadcast();
  expect(await received()).toBe(7n);
});

test('an unavailable node answers 503 and does nothing', async () => {
  proxy.fail('eth_sendRawTransaction', { kind: 'unavailable' }, 2);
  expect([(await broadcast()).status, (await broadcast()).status]).toEqual([503, 503]);
  expect(await received()).toBe(0n);
  expect((await broadcast()).status).toBe(200);
});

test('a delayed answer comes late, though the node acts at once', async () => {
  proxy.fail('eth_sendRawTransaction', { kind: 'delay', delayMs: 3_000 });
  let isAnswered = false;
  const late = broadcast().finally(() => (isAnswered = true));
  await expect.poll(received, { interval: 10 }).toBe(7n);
  expect(isAnswered).toBe(false);
  expect((await late).status).toBe(200);
});

test('a fault hits its own method only, and ends when it is healed', async () => {
  const fault = proxy.fail('eth_chainId', { kind: 'unavailable' });
  expect((await post({ method: 'eth_blockNumber' })).status).toBe(200);
  expect((await post({ method: 'eth_chainId' })).status).toBe(503);
  fault.heal();
  expect((await post({ method: 'eth_chainId' })).status).toBe(200);
  expect(fault.fired()).toBe(1);
});

test('a batch is forwarded whole, counted call by call, and meets the fault of any of its calls', async () => {
  const batch = [{ method: 'eth_chainId' }, { method: 'eth_blockNumber' }, { method: 'eth_chainId' }];
  expect((await post(batch)).answer).toMatchObject([{ id: 0, result: '0x2105' }, { id: 1 }, { id: 2 }]);
  proxy.fail('eth_blockNumber', { kind: 'lose_reply' }, 1);
  await expect(post(batch)).rejects.toThrow('fetch failed');
  expect([proxy.calls('eth_chainId'), proxy.calls('eth_blockNumber'), proxy.calls()]).toEqual([4, 2, 6]);
  proxy.resetCalls();
  expect(proxy.calls()).toBe(0);
});

test('the fault of every method is set with a star', async () => {
  proxy.fail('*', { kind: 'drop' }, 2);
  await expect(post({ method: 'eth_chainId' })).rejects.toThrow('fetch failed');
  await expect(post({ method: 'eth_blockNumber' })).rejects.toThrow('fetch failed');
  expect((await post({ method: 'eth_chainId' })).status).toBe(200);
});

test('a swallowed transaction is answered as if it had been taken, and no receipt is shown of one that was', async () => {
  proxy.fail('eth_sendRawTransaction', { kind: 'swallow' }, 1);
  const hash = keccak256(raw);
  expect(await broadcast()).toMatchObject({ status: 200, answer: { result: hash } });
  expect(await received()).toBe(0n);
  await broadcast();
  expect(await received()).toBe(7n);
  const receipt = { method: 'eth_getTransactionReceipt', params: [hash] };
  proxy.fail('eth_getTransactionReceipt', { kind: 'no_receipt' }, 1);
  expect((await post(receipt)).answer).toMatchObject({ result: null });
  expect((await post(receipt)).answer).toMatchObject({ result: { transactionHash: hash } });
  expect(proxy.hits()).toMatchObject({ swallow: 1, no_receipt: 1 });
});

test('a lie about what is not asked for hits nothing', async () => {
  proxy.raise(() => ({ kind: 'empty_logs' }));
  expect((await post({ method: 'eth_chainId' })).answer).toMatchObject({ result: '0x2105' });
  expect(proxy.hits().empty_logs).toBe(0);
  const logs = { method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: 'latest' }] };
  expect((await post(logs)).answer).toMatchObject({ result: [] });
  expect(proxy.hits().empty_logs).toBe(1);
});
