/**
 * A payer whose process died signs anew, and is charged once; two callers side by side are two payments. Here over the
 * real API and a real database in virtual time, with controls that each take one rule away.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMigrated } from '../support/databases/migrated.ts';
import type { Store } from '../../db/store/store.ts';
import { countHits, reportFaults } from '../../scripts/torture/faults.ts';
import { createChance, live, WORLD_MS, type Rules, type World } from './joins/model.ts';
import { createVirtualTime } from './joins/virtual.ts';
import { keepWaiting, startSettling } from './joins/world.ts';

const WORLDS = Number(process.env['JOINS_WORLDS'] ?? 25);
const SEED = Number(process.env['JOINS_SEED'] ?? 1);
/** So many live beside each other: they share a database and its clock, and nothing else. */
const TOGETHER = 50;
const FEW = 10;
const FAULTS = ['kill', 'stop', 'stop after it', 'fail', 'fail behind', 'lose the reply', 'clocks apart'];

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-joins-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function liveTogether(
  seeds: readonly number[],
  rules: Rules,
  prepare?: (path: string) => void,
): Promise<World[]> {
  const path = join(dir, `${seeds[0]}-${Math.random()}.sqlite`);
  const store: Store = await openMigrated({ kind: 'sqlite', path });
  prepare?.(path);
  const time = createVirtualTime();
  startSettling(time, store, (payer) => 500 + createChance(hashOf(payer)).ms(30_000));
  const worlds = Promise.all(seeds.map((seed) => live(time, store, seed, rules)));
  await time.pass(WORLD_MS);
  const ended = await Promise.race([worlds, setTimeout(10_000, null)]);
  if (ended === null) throw new Error(`of the worlds ${seeds.join(', ')} one has not ended`);
  await store.close();
  return ended;
}

const hashOf = (text: string) => text.split('').reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

/** Each seed once. */
async function liveAll(count: number): Promise<World[]> {
  const worlds: World[] = [];
  for (let from = 0; from < count; from += TOGETHER) {
    const seeds = Array.from({ length: Math.min(TOGETHER, count - from) }, (_, index) => SEED + from + index);
    worlds.push(...(await liveTogether(seeds, {})));
  }
  return worlds;
}

/** Of a control, which ends with the first worlds that show it. */
async function findingsUntil(
  isShown: (finding: string) => boolean,
  rules: Rules,
  prepare?: (path: string) => void,
): Promise<Set<string>> {
  for (let from = 0; from < TOGETHER; from += FEW) {
    const seeds = Array.from({ length: FEW }, (_, index) => SEED + from + index);
    const found = new Set((await liveTogether(seeds, rules, prepare)).flatMap((world) => world.found));
    if ([...found].some(isShown)) return found;
  }
  return new Set();
}

test('whatever happens to processes, a purchase is charged once, and none answers without its lease', async () => {
  const worlds = await liveAll(WORLDS);
  const hits = countHits(worlds.flatMap((world) => world.hits));
  reportFaults(hits);
  expect(Object.keys(hits).toSorted()).toEqual([...FAULTS].toSorted());
  expect(worlds.filter(({ found }) => found.length > 0)).toEqual([]);
}, 3_600_000);

describe('CONTROL', () => {
  // Nothing is renewed, so the second of two callers joins.
  const deaf: Rules = { isFaultless: true, isDeaf: true, decorate: (lease) => ({ ...lease, onBeat: () => undefined }) };

  test('without renewals two callers side by side are charged once', async () => {
    const finding = '2 callers side by side were charged 1 times';
    expect(await findingsUntil((one) => one === finding, deaf)).toEqual(new Set([finding]));
  });

  test('without hearing that a connection is over, one that was answered by a failure speaks for its caller', async () => {
    const isShown = (one: string) => one.includes('were charged');
    expect([...(await findingsUntil(isShown, { isEndUnheard: true }))].some(isShown)).toBe(true);
  });

  test('without closing what a retry joins, the first answer leaves as well', async () => {
    const finding = 'a first answer left after a retry had joined';
    expect(await findingsUntil((one) => one === finding, deaf, keepWaiting)).toContain(finding);
  });
});
