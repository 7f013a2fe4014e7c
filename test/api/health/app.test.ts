import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { createHealthApp } from '../../../api/health/app.ts';
import { openingBalance } from '../../../core/ledger.ts';
import { writeStanding } from '../../../db/networks/standing.ts';
import { beat } from '../../../db/store/heartbeats.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { startCursor } from '../../../db/scan/cursor.ts';
import type { Store } from '../../../db/store/store.ts';
import { NOW_MS, startInstallation, type Installation } from '../pages/installation.ts';

const TREASURY = `0x${'11'.repeat(20)}`;

let installation: Installation;
let reads: number;
let isBroken: boolean;
let isStopping: boolean;
let app: ReturnType<typeof createHealthApp>;
beforeAll(async () => {
  installation = await startInstallation();
  const hash = '0x29';
  const cursor = { network: 'base', block: 41, blockHash: hash, blockTime: 1, safeBlock: 41, finalizedBlock: 41 };
  const opening = openingBalance({ network: 'base', address: TREASURY, amount: 2_500_000n });
  await startCursor(installation.store, cursor, [opening], 1);
});
afterAll(() => installation.close());

beforeEach(() => {
  reads = 0;
  isBroken = false;
  isStopping = false;
  installation.clock.nowMs = NOW_MS;
  app = createHealthApp({
    ...installation.dependencies,
    store: counted(installation.store),
    startedAtMs: NOW_MS - 1,
    queueAnswers: async () => true,
    process: { roles: ['api'], waitingFor: () => ['a worker'], isStopping: () => isStopping },
  } as unknown as ApiDependencies);
});

/** The same store; it counts who looks, and fails when told to. */
function counted(store: Store): Store {
  return {
    ...store,
    get read() {
      if (isBroken) throw new Error('the disk is gone: /var/lib/secret');
      reads += 1;
      return store.read;
    },
  };
}

async function solvency(): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await app.request('/health/solvency');
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const SOLVENT = {
  code: 200,
  msg: 'solvent',
  solvent: true,
  checked_at: '2026-11-20T13:05:00.000Z',
  networks: {
    base: { solvent: true, block: 41, assets: '2.5', liabilities: '0', float: '2.5', reorg_loss: '0' },
  },
};

describe('what is owed and what is there', () => {
  test('the sums of each network, in USDC, at its block', async () => {
    expect(await solvency()).toEqual({ status: 200, body: SOLVENT });
  });

  test('no account, person or address is in it', async () => {
    const text = JSON.stringify((await solvency()).body);
    expect(text).not.toContain(TREASURY);
    expect(text).not.toMatch(/escrow|person_/);
  });

  test('is read once for everybody within five seconds, and nobody else keeps it', async () => {
    await Promise.all([solvency(), solvency()]);
    installation.clock.nowMs += 4_999;
    expect((await solvency()).body).toMatchObject({ checked_at: SOLVENT.checked_at });
    const once = reads;
    installation.clock.nowMs += 1;
    expect((await solvency()).body).toMatchObject({ checked_at: '2026-11-20T13:05:05.000Z' });
    expect(reads).toBe(2 * once);
    expect((await app.request('/health/solvency')).headers.get('Cache-Control')).toBe('no-store');
  });

  test('a failure is 500 without its reason, is logged with it, and is not kept', async () => {
    isBroken = true;
    const { status, body } = await solvency();
    expect([status, body.error]).toEqual([500, 'internal_error']);
    expect(JSON.stringify(body)).not.toContain('disk');
    expect(JSON.stringify(installation.logged)).toContain('the disk is gone');
    isBroken = false;
    expect((await solvency()).status).toBe(200);
  });

  test('what is not covered is 503 in the same form', async () => {
    const { accounts } = installation.store.tables;
    const owed = { name: 'suspense:base', unit: 'usdc', side: 'liability', balance: -1n, balanceWei: '0' } as const;
    await installation.store.tx((db) => db.insert(accounts).values(owed));
    expect(await solvency()).toMatchObject({
      status: 503,
      body: { code: 503, msg: 'not solvent', solvent: false, networks: { base: { solvent: false } } },
    });
  });

  test('a second network answers for itself', async () => {
    const entry = openingBalance({ network: 'solana', address: 'So1', amount: 1n });
    await installation.store.tx((db) => postEntry(db, installation.store.tables, entry, 1));
    expect(await solvency()).toMatchObject({
      status: 503,
      body: { networks: { base: { solvent: false }, solana: { solvent: true, assets: '0.000001', block: null } } },
    });
  });
});

describe('whether it serves', () => {
  const health = async (path: string) => {
    const answer = await app.request(path);
    return { status: answer.status, body: await answer.json() };
  };

  test('everything does when every part has shown a sign of life since the start', async () => {
    await beat(installation.store, 'worker', { atMs: NOW_MS, detail: {} });
    expect(await health('/health')).toMatchObject({
      status: 503,
      body: {
        parts: { database: 'ok', queue: 'ok', worker: 'ok' },
        networks: { base: { serves: false, reason: 'no_worker' } },
      },
    });
    await writeStanding(installation.store, 'base', { outage: null, sinceMs: NOW_MS, atMs: NOW_MS });
    expect(await health('/health')).toMatchObject({ status: 200, body: { networks: { base: { serves: true } } } });
    installation.clock.nowMs += 8_001;
    expect(await health('/health')).toMatchObject({
      status: 503,
      body: { networks: { base: { reason: 'no_worker' } } },
    });
  });

  test('a network is out for the reason that its worker wrote, and when its chain is no longer read', async () => {
    const write = (sinceMs: number, outage: 'no_gas' | null) =>
      writeStanding(installation.store, 'base', { outage, sinceMs, atMs: NOW_MS });
    await write(NOW_MS, 'no_gas');
    expect((await health('/health')).body).toMatchObject({ networks: { base: { serves: false, reason: 'no_gas' } } });
    await write(NOW_MS - 30_001, null);
    expect((await health('/health')).body).toMatchObject({ networks: { base: { reason: 'behind' } } });
    await beat(installation.store, 'worker:base', { atMs: NOW_MS, detail: {} });
    expect((await health('/health')).body).toMatchObject({ networks: { base: { serves: true } } });
  });

  test('this process does without the other roles, and not while it stops', async () => {
    installation.clock.nowMs += 15_000;
    expect(await health('/health/ready')).toEqual({
      status: 200,
      body: { code: 200, msg: 'ready', parts: { database: 'ok', api: 'ok' }, waiting_for: ['a worker'] },
    });
    isStopping = true;
    expect(await health('/health/ready')).toMatchObject({ status: 503, body: { parts: { api: 'down' } } });
  });

  test('without a database this process does not, and is alive', async () => {
    isBroken = true;
    expect(await health('/health/ready')).toMatchObject({ status: 503, body: { parts: { database: 'down' } } });
    expect(await health('/health')).toMatchObject({ status: 503, body: { parts: { database: 'down' } } });
    expect((await health('/health/live')).status).toBe(200);
  });
});
