import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRetired } from '../../../core/payments/former-address.ts';
import { readFormers } from '../../../db/rotations/formers.ts';
import { assertCurrent, takeRotations, type RotatingNetwork } from '../../../db/rotations/rotation.ts';
import { stampStore } from '../../../db/store/stamp.ts';
import type { Store } from '../../../db/store/store.ts';
import { pino } from 'pino';
import { beginEpoch, leave } from '../../../db/processes/lease.ts';
import { startProcess } from '../../../service/readiness/process.ts';
import { openMigrated } from '../../support/databases/migrated.ts';

const NOW_MS = 1_800_000_000_000;
const MARKS = new Map([['base', 'a mark']] as const);
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
  keys: [{ role: 'treasury', names: { now: 'TREASURY_KEY', former: 'FORMER_TREASURY_KEYS' }, address, formers }],
});

/** As each start does it. */
async function start(place: RotatingNetwork, nowMs = NOW_MS): Promise<void> {
  await stampStore(store, { mode: 'local' }, { [`${place.network}:chain`]: 'a chain' });
  await takeRotations(store, { networks: [place], marks: MARKS }, nowMs);
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

test('an older release refuses books whose keys were replaced, and this one does not', async () => {
  // It leaves out what has a colon in its name, and nothing else that it does not know.
  const refused = async () => {
    const { stamps } = store.tables;
    const rows = await store.read.select().from(stamps);
    return rows.map(({ name }) => name).filter((name) => name !== 'mode' && !name.includes(':'));
  };
  await start(onBase('0xaa'));
  expect(await refused()).toEqual([]);
  await start(onBase('0xbb', ['0xaa']));
  expect(await refused()).toEqual(['rotated']);
  await stampStore(store, { mode: 'local' }, { 'polygon:treasury': '0xcc' });
  await expect(stampStore(store, { mode: 'local', rotated: 'no' })).rejects.toThrow('rotated keys');
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

test('a key that never was ours is none that was replaced', async () => {
  await start(onBase('0xaa'));
  await expect(start(onBase('0xaa', ['0xdd']))).rejects.toThrow('0xdd, which was never in TREASURY_KEY');
  expect(await formers()).toEqual([]);
});

test('books that do not say yet what ids come from see the key once before it is replaced', async () => {
  await stampStore(store, { mode: 'local' }, { 'base:treasury': '0xaa' });
  await expect(start(onBase('0xbb', ['0xaa']))).rejects.toThrow('start once with it, then replace it');
  await start(onBase('0xaa'));
  await start(onBase('0xbb', ['0xaa']));
});

test('an address that was replaced is used no more', async () => {
  await start(onBase('0xaa'));
  await start(onBase('0xbb', ['0xaa']));
  await expect(start(onBase('0xaa', ['0xbb']))).rejects.toThrow('0xaa, which was replaced before');
});

describe('a task address without a successor', () => {
  const withTask = (task: string | null, formerTasks: string[] = []): RotatingNetwork => {
    const names = { now: 'TASK_KEY', former: 'FORMER_TASK_KEYS' };
    return {
      network: 'base',
      keys: [...onBase('0xbb').keys, { role: 'task', names, address: task, formers: formerTasks }],
    };
  };
  /** As each start does it: an address that is not set is not noted. */
  async function startTask(place: RotatingNetwork): Promise<void> {
    await stampStore(store, { mode: 'local' }, { 'base:chain': 'a chain' });
    await takeRotations(store, { networks: [place], marks: MARKS }, NOW_MS);
    const named = place.keys.flatMap(({ role, address }) => (address === null ? [] : [[`base:${role}`, address]]));
    await stampStore(store, { mode: 'local' }, Object.fromEntries(named) as Record<string, string>);
  }

  test('is a former one once its key is among those, and is used no more', async () => {
    await startTask(withTask('0xcc'));
    // Not set for a while, and still ours.
    await startTask(withTask(null));
    expect(await formers()).toEqual([]);
    await startTask(withTask(null, ['0xcc']));
    await startTask(withTask(null, ['0xcc']));
    expect((await formers()).map(({ address }) => address)).toEqual(['0xcc']);
    await expect(startTask(withTask(null))).rejects.toThrow('never deleted');
    await expect(startTask(withTask('0xcc'))).rejects.toThrow('0xcc, which was replaced before');
    await expect(assertCurrent(store.read, store, [withTask('0xcc')])).rejects.toThrow('0xcc');
    await startTask(withTask('0xdd', ['0xcc']));
    expect((await formers()).map(({ address }) => address)).toEqual(['0xcc']);
  });
});

describe('a process that was started before a rotation', () => {
  const WORKER = { process: 'w', epoch: 1, roles: ['worker'], address: 'host:1', pid: process.pid };
  const mayServe = (place: RotatingNetwork) => ({
    mayServe: (db: Parameters<typeof assertCurrent>[0]) => assertCurrent(db, store, [place]),
  });

  test('begins no other epoch once its lease is over', async () => {
    await start(onBase('0xaa'));
    await beginEpoch(store, WORKER, mayServe(onBase('0xaa')));
    await leave(store, WORKER);
    await start(onBase('0xbb', ['0xaa']));
    const again = beginEpoch(store, { ...WORKER, epoch: 2 }, mayServe(onBase('0xaa')));
    await expect(again).rejects.toThrow('started with TREASURY_KEY of 0xaa, and 0xbb has replaced it since');
    await beginEpoch(store, { ...WORKER, epoch: 3 }, mayServe(onBase('0xbb', ['0xaa'])));
    // One that knows neither the old one nor that there was one.
    await expect(beginEpoch(store, { ...WORKER, epoch: 4 }, mayServe(onBase('0xbb')))).rejects.toThrow('never deleted');
  });

  test('holds nothing from then on, and says so', async () => {
    const beats: (() => void)[] = [];
    const time = { ms: 0 };
    const timer = {
      nowMs: () => time.ms,
      after: (ms: number, then: () => void) => {
        if (ms < 5_000) beats.push(then);
        return () => undefined;
      },
    };
    await start(onBase('0xaa'));
    const refused = new Promise<Error>((resolve) => {
      const log = pino({ level: 'silent' });
      const options = { store, roles: ['worker'] as const, address: 'host:1', log, timer, onRefused: resolve };
      void startProcess({ ...options, ...mayServe(onBase('0xaa')) }).then(async (lease) => {
        await leave(store, lease.owner());
        await start(onBase('0xbb', ['0xaa']));
        time.ms = 11_000;
        beats.at(-1)?.();
      });
    });
    expect((await refused).message).toContain('it serves nothing');
    expect(await store.read.select().from(store.tables.processes)).toEqual([]);
  });
});

describe('ids of other keys', () => {
  const withMark = (mark: string) => ({ networks: [], marks: new Map([['polygon', mark]] as const) });

  test('are refused also of a network that is not offered any more', async () => {
    await stampStore(store, { mode: 'local' }, { 'polygon:chain': 'a chain' });
    await takeRotations(store, withMark('one'), NOW_MS);
    await expect(takeRotations(store, withMark('another'), NOW_MS)).rejects.toThrow(
      'first in POLYGON_FORMER_TREASURY_KEYS',
    );
  });

  test('are no others where these books were never of the network: its key may be set anew until then', async () => {
    await takeRotations(store, withMark('one'), NOW_MS);
    await takeRotations(store, withMark('another'), NOW_MS);
    await stampStore(store, { mode: 'local' }, { 'polygon:chain': 'a chain' });
    await takeRotations(store, withMark('another'), NOW_MS);
    await expect(takeRotations(store, withMark('one'), NOW_MS)).rejects.toThrow('payouts made twice');
  });
});

describe('a former address is retired', () => {
  const nothing = { held: 0n, unexplained: 0n, signed: 0, planned: 0, payments: 0, tasks: 0, waiting: 0, taken: 0n };
  const later = NOW_MS + 25 * 3_600_000;

  test('a day later, when nothing names it and nothing of worth lies there', () => {
    expect(isRetired({ ...nothing, held: 9_999n }, NOW_MS, later)).toBe(true);
    expect(isRetired(nothing, NOW_MS, NOW_MS + 23 * 3_600_000)).toBe(false);
  });

  test.each([
    { held: 10_000n },
    { unexplained: 1n },
    { signed: 1 },
    { planned: 1 },
    { payments: 1 },
    { tasks: 1 },
    { waiting: 1 },
    { taken: 1n },
  ])('not with %o', (open) => {
    expect(isRetired({ ...nothing, ...open }, NOW_MS, later)).toBe(false);
  });
});
