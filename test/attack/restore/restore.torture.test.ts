/**
 * A backup is put back under load, with hard cases planted in the lost time. The chain is asked whether anybody was paid
 * twice or robbed. RESTORE_PAYMENTS and RESTORE_RUNS in the environment make it a torture run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTransferIds } from '../../../chain/transfer-ids.ts';
import { parseConfig } from '../../../core/config/config.ts';
import { NETWORKS } from '../../../core/networks.ts';
import { backupSqlite } from '../../../db/operator/backup.ts';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { addHits, reportFaults, type Hits } from '../../../scripts/torture/faults.ts';
import { findPostgres, onPostgres } from '../../support/postgres.ts';
import { restoreOnce, type Databases, type Rules } from './run.ts';
import { createWorld, type SIDES } from './world.ts';

const PAYMENTS = Number(process.env['RESTORE_PAYMENTS'] ?? 2);
const RUNS = Number(process.env['RESTORE_RUNS'] ?? 1);
/** The hard cases are the same on both networks, so Solana has a share of the payments. */
const COUNTS = { base: PAYMENTS, solana: Math.ceil(PAYMENTS / 4) } as const satisfies Record<
  keyof typeof SIDES,
  number
>;
const LIMIT = { timeout: 600_000 };

let folder: string;
let hits: Hits = {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pennypost-restore-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => reportFaults(hits));

function onSqlite(): Databases {
  const path = join(folder, 'first.sqlite');
  const backUp = async (): Promise<DatabaseAddress> => {
    const { file } = backupSqlite(path, folder, 1, Date.now());
    return { kind: 'sqlite', path: file };
  };
  return { first: { kind: 'sqlite', path }, backUp };
}

/** A dump is of one moment, like a recovery to a point in time. */
async function onPg(fresh: () => Promise<DatabaseAddress>): Promise<Databases> {
  const [first, second] = [await fresh(), await fresh()];
  const bin = findPostgres();
  if (first.kind !== 'postgres' || second.kind !== 'postgres' || bin === null) throw new Error('there is no server');
  const dump = join(folder, 'backup.sql');
  const backUp = async (): Promise<DatabaseAddress> => {
    execFileSync(join(bin, 'pg_dump'), ['--clean', '--if-exists', '--no-owner', '-f', dump, first.url]);
    execFileSync(join(bin, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', '-f', dump, second.url], { stdio: 'pipe' });
    return second;
  };
  return { first, backUp };
}

type Run = { network: keyof typeof SIDES; databases: Databases; count?: number; rules?: Rules };

/** What was wrong. */
async function run({ network, databases, count = COUNTS[network], rules = {} }: Run): Promise<string[]> {
  const world = await createWorld(network, parseConfig({ NETWORK_MODE: 'local', DATA_DIR: join(folder, 'data') }));
  try {
    const { faults, hits: found } = await restoreOnce(world, databases, count, rules);
    hits = addHits(hits, { ...found, [`on ${network}`]: 1 });
    return faults;
  } finally {
    await world.close();
  }
}

const TITLE = 'a backup put back under load pays nobody twice and robs nobody';
const ROUNDS = Array.from({ length: RUNS }, (_, index) => index + 1);

test.each(ROUNDS)(`${TITLE}, %s`, LIMIT, async () => {
  expect(await run({ network: 'base', databases: onSqlite(), rules: { byCommand: true } })).toEqual([]);
});

describe('on Solana', () => {
  test.each(ROUNDS)(`${TITLE}, %s`, LIMIT, async () => {
    expect(await run({ network: 'solana', databases: onSqlite(), rules: { byCommand: true } })).toEqual([]);
  });
});

onPostgres((fresh) => {
  describe.each(['base', 'solana'] as const)('on %s', (network) => {
    test.each(ROUNDS)(`${TITLE}, %s`, LIMIT, async () => {
      expect(await run({ network, databases: await onPg(fresh) })).toEqual([]);
    });
  });
});

describe('CONTROL', () => {
  test.each(['base', 'solana'] as const)(
    'without the names, what was paid out on %s goes back',
    LIMIT,
    async (network) => {
      const transferIdOf = createTransferIds(new Map(NETWORKS.map((name) => [name, new Uint8Array(32).fill(9)])));
      const rules = { transferIdOf, areAllKnown: true };
      const faults = await run({ network, databases: onSqlite(), count: 2, rules });
      expect(faults.join('\n')).toMatch(/partly of .*: 1000000 paid out and 2000000 given back of 2000000/);
    },
  );

  // On Base the wait for what was signed is longer than what moves money to suspense by itself.
  test('without the marking, what left finds no money that it left for, and signing stays stopped', LIMIT, async () => {
    const rules = { mark: async () => undefined };
    const faults = await run({ network: 'solana', databases: onSqlite(), count: 2, rules });
    expect(faults.join('\n')).toMatch(/^reconcile ended as .*unexplained/);
  });
});
