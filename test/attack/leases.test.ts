/**
 * What one process at a time may do is done by one, whatever happens to processes: the real leases, holdings and guard over
 * a real database in virtual time, with controls that each take one rule away.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db, Store } from '../../db/store/store.ts';
import type { Owner } from '../../db/processes/owner.ts';
import { countHits, reportFaults } from '../../scripts/torture/faults.ts';
import { openMigrated } from '../support/databases/migrated.ts';
import { createVirtualTime } from './joins/virtual.ts';
import { live, WORLD_MS, type Rules, type World } from './leases/model.ts';

const WORLDS = Number(process.env['LEASES_WORLDS'] ?? 6);
const SEED = Number(process.env['LEASES_SEED'] ?? 1);
/** So many live beside each other: they share a database and its clock, and nothing else. */
const TOGETHER = 12;
const FEW = 4;
const FAULTS = ['kill', 'leave', 'stop', 'stop after it', 'fail', 'lose the reply', 'clocks apart'];

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-leases-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function liveTogether(seeds: readonly number[], rules: Rules): Promise<World[]> {
  const store = await openMigrated({ kind: 'sqlite', path: join(dir, `${seeds[0]}-${Math.random()}.sqlite`) });
  const time = createVirtualTime();
  const worlds = Promise.all(seeds.map((seed) => live(time, store, seed, rules)));
  await time.pass(WORLD_MS);
  const ended = await Promise.race([worlds, setTimeout(10_000, null)]);
  if (ended === null) throw new Error(`of the worlds ${seeds.join(', ')} one has not ended`);
  await store.close();
  return ended;
}

async function liveAll(count: number): Promise<World[]> {
  const worlds: World[] = [];
  for (let from = 0; from < count; from += TOGETHER) {
    const seeds = Array.from({ length: Math.min(TOGETHER, count - from) }, (_, index) => SEED + from + index);
    worlds.push(...(await liveTogether(seeds, {})));
  }
  return worlds;
}

/** Of a control, which ends with the first worlds that show it. */
async function findingsUntil(finding: string, rules: Rules): Promise<Set<string>> {
  for (let from = 0; from < TOGETHER; from += FEW) {
    const seeds = Array.from({ length: FEW }, (_, index) => SEED + from + index);
    const found = new Set((await liveTogether(seeds, rules)).flatMap((world) => world.found));
    if (found.has(finding)) return found;
  }
  return new Set();
}

test('never do two processes hold the same, and none signs or sends without its lease', async () => {
  const worlds = await liveAll(WORLDS);
  const hits = countHits(worlds.flatMap((world) => world.hits));
  reportFaults(hits);
  expect(Object.keys(hits).toSorted()).toEqual([...FAULTS].toSorted());
  expect(worlds.filter(({ found }) => found.length > 0)).toEqual([]);
  for (const { worked, signed } of worlds) expect(Math.min(worked, signed)).toBeGreaterThan(10);
}, 3_600_000);

describe('CONTROL', () => {
  test('without its own clock a process that wakes sends before it learns that its lease is over', async () => {
    const decorate: Rules['decorate'] = (lease) => ({ ...lease, holds: () => true });
    const finding = 'a process sent without its lease';
    expect(await findingsUntil(finding, { decorate })).toContain(finding);
  });

  test.each([
    ['epoch and holding', isThere],
    ['clock', isEntered],
  ])('without the check of %s a signature is stored by a process that holds nothing', async (_, check) => {
    const guard: Rules['guard'] = (store, owner) => ({
      ...store,
      guard: async (db) => {
        if (!(await check(db, store, owner()))) throw new Error('refused');
        return async () => undefined;
      },
    });
    const finding = 'a signature was stored under nothing';
    expect(await findingsUntil(finding, { guard })).toContain(finding);
  });
});

/** In which epoch, and whether its lease runs, is not asked. */
async function isThere(db: Db, { tables: { processes } }: Store, { process }: Owner): Promise<boolean> {
  return (await db.select({ id: processes.id }).from(processes).where(eq(processes.id, process))).length > 0;
}

/** Only whether its lease runs is not asked. */
async function isEntered(db: Db, { tables: { processes } }: Store, { process, epoch }: Owner): Promise<boolean> {
  const mine = and(eq(processes.id, process), eq(processes.epoch, epoch));
  return (await db.select({ id: processes.id }).from(processes).where(mine)).length > 0;
}
