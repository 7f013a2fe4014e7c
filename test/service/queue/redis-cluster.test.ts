/** Redis as people run it: three masters with a replica each, over TLS. It only wakes, so no fault of it may show. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x402Client } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { toHeader } from '../../../core/payments/x402.ts';
import { stopLocalMode } from '../../../local/mode.ts';
import type { Service } from '../../../service/start.ts';
import { startLocalService } from '../../support/local-service.ts';
import { startTestCluster, type ClusterNode, type TestCluster } from '../../queue/support/redis-cluster.ts';

const SOON = { timeout: 60_000, interval: 50 };
const AT_ONCE = 4;
const AMOUNT = 10_000n;
/** A caller is told to wait and to come again after 20 s; nothing of that may come from Redis. */
const ANSWER_LIMIT_MS = 15_000;

let dataDir: string;
let cluster: TestCluster;
let worker: Service;
let api: Service;
let payer: PrivateKeyAccount;
let rpcUrl: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pennypost-cluster-'));
  cluster = await startTestCluster();
  const { url, certificates } = cluster;
  const env = {
    NETWORKS: 'base',
    REDIS_URL: url,
    REDIS_CA_FILE: certificates.ca,
    REDIS_CERT_FILE: certificates.clientCert,
    REDIS_KEY_FILE: certificates.clientKey,
  };
  worker = await startLocalService({ dataDir, roles: ['worker'], env });
  api = await startLocalService({ dataDir, roles: ['api'], env });
  const published = JSON.parse(readFileSync(join(dataDir, 'local', 'payers.json'), 'utf8')) as Published;
  payer = privateKeyToAccount(published.payers.find(({ network }) => network === 'base')!.privateKey);
  rpcUrl = published.rpc['base']!;
});
afterAll(async () => {
  await api?.close();
  await worker?.close();
  if (dataDir !== undefined) await stopLocalMode(dataDir);
  await cluster?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Published = { rpc: Record<string, string>; payers: { network: string; privateKey: `0x${string}` }[] };

type Fault = {
  begin: (owner: ClusterNode) => Promise<void> | void;
  end?: (owner: ClusterNode) => void;
  /** Whether a replica takes over. */
  isLost: boolean;
};

const FAULTS: [string, Fault][] = [
  ['the master of our slot is killed', { begin: ({ kill }) => kill(), end: ({ start }) => start(), isLost: true }],
  ['it is flushed', { begin: () => cluster.flush(), isLost: false }],
  ['the master of our slot is frozen', { begin: ({ freeze }) => freeze(), end: ({ thaw }) => thaw(), isLost: true }],
];

test.each(FAULTS)('while %s, payments are answered and charged once each', async (_, { begin, end, isLost }) => {
  await vi.waitFor(async () => expect((await fetch(`${api.url}/health`)).status).toBe(200), SOON);
  const owner = await cluster.owner();
  const before = await balance();
  await begin(owner);
  try {
    const started = performance.now();
    expect(await Promise.all(Array.from({ length: AT_ONCE }, pay))).toEqual(Array(AT_ONCE).fill(200));
    expect(performance.now() - started).toBeLessThan(ANSWER_LIMIT_MS);
    expect((await cluster.owner()).port !== owner.port).toBe(isLost);
    expect(await pay()).toBe(200);
  } finally {
    end?.(owner);
  }
  expect(before - (await balance())).toBe(BigInt(AT_ONCE + 1) * AMOUNT);
  await cluster.whole();
});

test('afterwards all is well', async () => {
  await vi.waitFor(async () => expect((await fetch(`${api.url}/health`)).status).toBe(200), SOON);
  expect((await fetch(`${api.url}/health/solvency`)).status).toBe(200);
});

async function balance(): Promise<bigint> {
  const rpc = createEvmRpc({ url: rpcUrl, timeoutMs: 5_000, profile: evmProfile('base', 'local') });
  return rpc.balanceOf(payer.address);
}

async function pay(): Promise<number> {
  const client = registerExactEvmScheme(new x402Client(), { signer: payer });
  const body = JSON.stringify({ receiver: `r${Math.random().toString(36).slice(2, 12)}`, amount: 0.01 });
  const ask = (headers: Record<string, string>) =>
    fetch(`${api.url}/payments/x/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const terms = (await ask({})).headers.get('PAYMENT-REQUIRED') ?? '';
  const payload = await client.createPaymentPayload(JSON.parse(Buffer.from(terms, 'base64').toString()));
  return (await ask({ 'PAYMENT-SIGNATURE': toHeader({ ...payload }) })).status;
}
