import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRetired } from '../../../core/payments/former-address.ts';
import { readFormers, takeRotations, type RotatingNetwork } from '../../../db/networks/rotation.ts';
import { stampStore } from '../../../db/store/stamp.ts';
import type { Store } from '../../../db/store/store.ts';
import { openMigrated } from '../../support/databases/migrated.ts';

const NOW_MS = 1_800_000_000_000;
const [A, B] = ['0xaa', '0xbb'];

let dir: string;
let store: Store;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-rotation-'));
  store = await openMigrated({ kind: 'sqlite', path: join(dir, 'test.sqlite') });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true });
});

const onBase = (address: string, formers: string[] = []): RotatingNetwork => ({
  network: 'base',
  idsMark: 'a mark',
  keys: [{ role: 'treasury', names: { now: 'TREASURY_KEY', former: 'FORMER_TREASURY_KEYS' }, address, formers }],
});

/** As each start does it. */
async function start(place: RotatingNetwork, nowMs = NOW_MS): Promise<void> {
  await takeRotations(store, [place], nowMs);
  const named = place.keys.map(({ role, address }) => [`${place.network}:${role}`, address ?? '']);
  await stampStore(store, { mode: 'local' }, Object.fromEntries(named) as Record<string, string>);
}

const formers = () => readFormers(store.read, store.tables);

test('a key is replaced once, when a process starts with both', async () => {
  await start(onBase('0xaa'));
  expect(await formers()).toEqual([]);
  await start(onBase('0xbb', ['0xaa']), NOW_MS + 1);
  await start(onBase('0xbb', ['0xaa']), NOW_MS + 2);
  expect(await formers()).toEqual([{ network: 'base', address: A, sinceMs: NOW_MS + 1 }]);
});

test('books that were restored from before two rotations learn of both', async () => {
  await start(onBase('0xaa'));
  await start(onBase('0xcc', ['0xaa', '0xbb']));
  expect((await formers()).map(({ address }) => address).toSorted()).toEqual([A, B]);
  await expect(start(onBase('0xcc', ['0xaa']))).rejects.toThrow(`the key of ${B}`);
});

test('new books begin with whatever was replaced before', async () => {
  await start(onBase('0xcc', ['0xaa']));
  await start(onBase('0xcc', ['0xaa']));
  expect((await formers()).map(({ address }) => address)).toEqual([A]);
});

test('a network whose keys cannot be replaced says so', async () => {
  const onSolana = (address: string): RotatingNetwork => ({
    network: 'solana',
    idsMark: null,
    keys: [{ role: 'treasury', names: { now: 'SOLANA_TREASURY_KEY', former: null }, address, formers: [] }],
  });
  await start(onSolana('So1'));
  await expect(start(onSolana('So2'))).rejects.toThrow('as SOLANA_TREASURY_KEY, which cannot be replaced yet');
});

describe('a former address is retired', () => {
  const nothing = { held: 0n, unexplained: 0n, signed: 0, planned: 0, payments: 0, tasks: 0 };
  const later = NOW_MS + 25 * 3_600_000;

  test('a day later, when nothing names it and nothing of worth lies there', () => {
    expect(isRetired({ ...nothing, held: 9_999n }, NOW_MS, later)).toBe(true);
    expect(isRetired(nothing, NOW_MS, NOW_MS + 23 * 3_600_000)).toBe(false);
  });

  test.each([{ held: 10_000n }, { unexplained: 1n }, { signed: 1 }, { planned: 1 }, { payments: 1 }, { tasks: 1 }])(
    'not with %o',
    (open) => {
      expect(isRetired({ ...nothing, ...open }, NOW_MS, later)).toBe(false);
    },
  );
});
