import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiDependencies } from '../../../api/environment/dependencies.ts';
import { createHealthApp } from '../../../api/health/app.ts';
import { writeDoubt, writeStanding } from '../../../db/networks/standing.ts';
import { beat } from '../../../db/store/heartbeats.ts';
import { writeComparison, type Comparison } from '../../../db/audit/solvency.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import type { Store } from '../../../db/store/store.ts';
import { NOW_MS, startInstallation, type Installation } from '../pages/installation.ts';

let installation: Installation;
let isBroken: boolean;
let isStopping: boolean;
let app: ReturnType<typeof createHealthApp>;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

beforeEach(() => {
  isBroken = false;
  isStopping = false;
  installation.clock.nowMs = NOW_MS;
  app = createHealthApp({
    ...installation.dependencies,
    store: breakable(installation.store),
    startedAtMs: NOW_MS - 1,
    queueAnswers: async () => true,
    process: { roles: ['api'], waitingFor: () => ['a worker'], isStopping: () => isStopping },
  } as unknown as ApiDependencies);
});

/** The same store; it fails when told to. */
function breakable(store: Store): Store {
  return {
    ...store,
    get read() {
      if (isBroken) throw new Error('the disk is gone: /var/lib/secret');
      return store.read;
    },
  };
}

async function solvency(): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await app.request('/health/solvency');
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const COMPARED = { network: 'base', block: 41, inBooks: 2_500_000n, onChain: 2_500_000n } as const;
const SUMS = { unexplained: 250_000n, float: 2_000_000n, reorgLoss: 0n };

describe('what is owed and what is there', () => {
  const compare = (change: Partial<Comparison> = {}) =>
    writeComparison(installation.store, { ...COMPARED, ...SUMS, ...change });

  test('before the first comparison nothing is known', async () => {
    expect(await solvency()).toMatchObject({ status: 503, body: { code: 503, solvent: false, networks: {} } });
  });

  test('the sums of each network, in USDC, at its block, with their age', async () => {
    await compare();
    const { status, body } = await solvency();
    const sums = {
      assets: '2.5',
      on_chain: '2.5',
      liabilities: '0.5',
      unexplained: '0.25',
      float: '2',
      reorg_loss: '0',
    };
    expect(status).toBe(200);
    expect(body).toEqual({
      code: 200,
      msg: 'solvent',
      solvent: true,
      checked_at: expect.stringMatching(/^20.*Z$/),
      networks: { base: { solvent: true, block: 41, age_seconds: expect.any(Number), ...sums } },
    });
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

  test('books and chain that differ twice in a row are 503 in the same form, with the reason', async () => {
    await compare({ onChain: 1_000_000n });
    expect((await solvency()).status).toBe(200);
    await compare({ onChain: 1_000_000n });
    expect(await solvency()).toMatchObject({
      status: 503,
      body: {
        msg: 'not shown to be solvent: base: books and chain differ',
        networks: { base: { solvent: false, reason: 'differs', assets: '2.5', on_chain: '1' } },
      },
    });
    await compare();
  });

  test('stopped signing is 503, whatever the sums say', async () => {
    await stopSigning(installation.store, { reason: 'operator', network: 'all', detail: 'a test' }, 1);
    expect(await solvency()).toMatchObject({ status: 503, body: { networks: { base: { reason: 'stopped' } } } });
    await installation.store.tx((db) => db.delete(installation.store.tables.signingStops));
    expect((await solvency()).status).toBe(200);
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
    await writeStanding(installation.store, 'base', { outage: null, second: null, sinceMs: NOW_MS, atMs: NOW_MS });
    expect(await health('/health')).toMatchObject({ status: 200, body: { networks: { base: { serves: true } } } });
    installation.clock.nowMs += 8_001;
    expect(await health('/health')).toMatchObject({
      status: 503,
      body: { networks: { base: { reason: 'no_worker' } } },
    });
  });

  test('a network is out for the reason that its worker wrote, and when its chain is no longer read', async () => {
    const write = (sinceMs: number, outage: 'no_gas' | null) =>
      writeStanding(installation.store, 'base', { outage, second: null, sinceMs, atMs: NOW_MS });
    await write(NOW_MS, 'no_gas');
    expect((await health('/health')).body).toMatchObject({ networks: { base: { serves: false, reason: 'no_gas' } } });
    await writeDoubt(installation.store, 'base', NOW_MS);
    expect((await health('/health')).body).toMatchObject({ networks: { base: { reason: 'nodes_disagree' } } });
    await writeDoubt(installation.store, 'base', NOW_MS - 7_501);
    await write(NOW_MS - 30_001, null);
    expect((await health('/health')).body).toMatchObject({ networks: { base: { reason: 'behind' } } });
    await beat(installation.store, 'worker:base', { atMs: NOW_MS, detail: {} });
    expect((await health('/health')).body).toMatchObject({ networks: { base: { serves: true } } });
  });

  test('a stop of payments takes the network out and pauses; one of payouts is shown, and takes nothing out', async () => {
    const stop = (reason: 'operator_payments' | 'operator_payouts') =>
      stopSigning(installation.store, { reason, network: 'base', detail: 'by a test' }, 1);
    const goOn = () => installation.store.tx((db) => db.delete(installation.store.tables.signingStops));
    await stop('operator_payouts');
    expect((await health('/health')).body).toMatchObject({
      paused: false,
      networks: { base: { serves: true, payouts: 'stopped' } },
    });
    await goOn();
    await stop('operator_payments');
    const offered = installation.dependencies.networks.length;
    expect((await health('/health')).body).toMatchObject({
      paused: offered === 1,
      networks: { base: { serves: false, reason: 'payments_stopped' } },
    });
    await goOn();
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
