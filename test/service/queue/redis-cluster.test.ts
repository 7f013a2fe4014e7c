/** Redis as people run it: three masters with a replica each, over TLS, and a user of limited rights. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x402Client } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { toHeader } from '../../../core/payments/x402.ts';
import { stopLocalMode } from '../../../local/mode.ts';
import { createAnnouncer } from '../../../queue/announcer.ts';
import { checkRedis, type Stamp } from '../../../queue/check.ts';
import { createNotifier } from '../../../queue/notifier.ts';
import { startWakeUpWorker } from '../../../queue/wake-up-worker.ts';
import type { Service } from '../../../service/start.ts';
import { startLocalService } from '../../support/local-service.ts';
import { createLogRecorder } from '../../queue/support/log-recorder.ts';
import { startTestCluster, type ClusterNode, type TestCluster } from '../../queue/support/redis-cluster.ts';

const SOON = { timeout: 60_000, interval: 50 };
const STAMP: Stamp = { mode: 'local', chain: '8453', token: '0x8335', treasury: '0xabcd' };

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
});
afterAll(() => cluster?.stop());

const targetOf = ({ url, tls }: TestCluster) => ({ url, tls });

test('it is usable, with the rights of a user who may touch our keys only', async () => {
  const { log, lines } = createLogRecorder();
  expect(await checkRedis({ target: targetOf(cluster), stamp: STAMP, log })).toBe('usable');
  expect(lines).toEqual([]);
});

test('without the authority, or a certificate of ours, it is away, which is told in one line', async () => {
  const { ca, cert, key } = cluster.tls;
  const found = [{ cert, key }, { ca }].map(async (tls) => {
    const { log, lines } = createLogRecorder();
    const verdict = await checkRedis({ target: { url: cluster.url, tls }, stamp: STAMP, log });
    return [verdict, ...lines.map(({ level }) => level)];
  });
  expect(await Promise.all(found)).toEqual([
    ['away', 'warn'],
    ['away', 'warn'],
  ]);
});

test('after the master of our slot is killed, wake-ups and announcements arrive through its replica', async () => {
  const target = targetOf(cluster);
  const { log } = createLogRecorder();
  const woken = new Set<number>();
  const worker = startWakeUpWorker({ target, concurrency: 2, log, onWakeUp: async ({ id }) => void woken.add(id) });
  const notifier = createNotifier({ target, log });
  const [speaker, listener] = [createAnnouncer({ target, log }), createAnnouncer({ target, log })];
  let heard = 0;
  listener.subscribe('payment-1', () => (heard += 1));
  let next = 0;
  /** Neither waits nor throws, whatever Redis does. */
  const send = (): void => {
    notifier.notify([{ id: (next += 1), topic: 'settle' }]);
    speaker.announce('payment-1');
  };
  const arrives = async (): Promise<void> => {
    const [wokenBefore, heardBefore] = [woken.size, heard];
    await vi.waitFor(() => {
      send();
      expect([woken.size > wokenBefore, heard > heardBefore]).toEqual([true, true]);
    }, SOON);
  };
  await arrives();
  const owner = await cluster.owner();
  await owner.kill();
  expect((await cluster.owner()).port).not.toBe(owner.port);
  await arrives();
  owner.start();
  await cluster.whole();
  await vi.waitFor(
    () => expect([...woken].sort((a, b) => a - b)).toEqual(Array.from({ length: next }, (_, n) => n + 1)),
    SOON,
  );
  await Promise.all([worker, notifier, speaker, listener].map((part) => part.close()));
});

const AT_ONCE = 4;
const AMOUNT = 10_000n;
/** A caller is told to wait and to come again after 20 s; nothing of that may come from Redis. */
const ANSWER_LIMIT_MS = 15_000;

let api: Service;
let payer: PrivateKeyAccount;
let rpcUrl: string;

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

describe('a service, which it only wakes, so that no fault of it may show', () => {
  let dataDir: string;
  let worker: Service;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'pennypost-cluster-'));
    // The stamp of the tests before is another installation's.
    await cluster.flush();
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
    await stopLocalMode(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  });

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
