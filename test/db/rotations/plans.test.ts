/** What is asked about former addresses is asked on the thread that also keeps the lease, so it walks no history. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { and, desc, eq, gte } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { noteFormer } from '../../../db/rotations/formers.ts';
import { readFormerStandings } from '../../../db/rotations/standing.ts';
import { unsweptPayouts } from '../../../db/rotations/unswept.ts';
import type { Store } from '../../../db/store/store.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { recordStatements } from '../../support/databases/recorded.ts';

const [FORMER, SENDER] = [`0x${'f0'.repeat(20)}`, `0x${'99'.repeat(20)}`];
const network = 'base' as const;
const MANY = 1_000;

let dir: string;
let path: string;
let store: Store;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-plans-'));
  path = join(dir, 'test.sqlite');
  store = await openMigrated({ kind: 'sqlite', path });
  const { accounts, observedTransfers, refunds } = store.tables;
  const seen = { logIndex: 0, blockHash: '0x', landed: true, landings: 1, outgoing: false, returnWanted: false };
  const ends = { fromAddress: SENDER, toAddress: FORMER, amountMicroUsdc: 2n, consumedBy: 'suspense', seenAtMs: 1 };
  const place = { network, ...seen, ...ends };
  const came = Array.from({ length: MANY }, (_, index) => ({
    ...place,
    fact: `f${index}`,
    transaction: `t${index}`,
    block: index,
  }));
  const back = came.slice(0, 3).map(({ fact }) => ({
    id: `return:${fact}`,
    network,
    payer: SENDER,
    account: 'x',
    fromAddress: FORMER,
    amountMicroUsdc: 2n,
    payoutId: fact,
    createdAtMs: 1,
  }));
  const balance = { name: `chain:base:${FORMER}`, unit: 'usdc', side: 'asset', balance: 3n, balanceWei: '0' } as const;
  await store.tx(async (db) => {
    await noteFormer(db, store.tables, { network, address: FORMER, sinceMs: 1 });
    for (let next = 0; next < MANY; next += 100)
      await db.insert(observedTransfers).values(came.slice(next, next + 100));
    await db.insert(refunds).values(back);
    await db.insert(accounts).values(balance);
  });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true });
});

/** How SQLite finds the transfers that were seen, by statement. */
async function plansOf(work: () => Promise<unknown>): Promise<{ text: string; plan: string[] }[]> {
  const recording = recordStatements();
  await work();
  recording.end();
  const handle = new Database(path, { readonly: true });
  try {
    return [...recording.statements].map(([text, [values = []]]) => {
      const rows = handle.prepare(`explain query plan ${text}`).all(...values) as { detail: string }[];
      return { text, plan: rows.map(({ detail }) => detail).filter((detail) => detail.includes('observed_transfers')) };
    });
  } finally {
    handle.close();
  }
}

/** Or by an index of which only the network is asked for: that is all that ever moved there. */
const walks = (detail: string) =>
  /^SCAN|observed_transfers_block_idx|observed_transfers_(?!open_)\w+_idx \(network=\?\)/.test(detail);

test('of payouts: only what came there is read, the newest first, as much as is there', async () => {
  const payouts = ['f0', 'f1', 'f2'].map((id) => ({ id, network, formerLossAtMs: null }) as TransferRow);
  const plans = await plansOf(async () => {
    expect([...(await unsweptPayouts(store.read, store, payouts))]).toEqual([]);
  });
  expect(plans.filter(({ plan }) => plan.some(walks))).toEqual([]);
  const arrivals = plans.filter(({ text }) => text.endsWith(' limit ?'));
  expect(arrivals.flatMap(({ plan }) => plan)).toEqual([
    expect.stringContaining('observed_transfers_booked_idx (network=? AND to_address=? AND block>'),
  ]);
});

test('of payouts, where there are two former addresses: what went from one to the other is found by its end', async () => {
  const another = { network, address: `0x${'f1'.repeat(20)}`, sinceMs: 1 };
  await store.tx((db) => noteFormer(db, store.tables, another));
  const payouts = ['f0', 'f1', 'f2'].map((id) => ({ id, network, formerLossAtMs: null }) as TransferRow);
  const plans = await plansOf(() => unsweptPayouts(store.read, store, payouts));
  expect(plans.filter(({ plan }) => plan.some(walks))).toEqual([]);
  const ofOurs = plans.filter(({ text }) => text.includes("'transfer:' ||"));
  expect(ofOurs.flatMap(({ plan }) => plan)).toEqual([
    expect.stringContaining('observed_transfers_consumer_idx (consumed_by=?)'),
  ]);
});

test('control: what came there would be read with all that ever moved, did it not say that it is booked', async () => {
  const { observedTransfers: seen } = store.tables;
  const isThere = and(eq(seen.network, network), eq(seen.toAddress, FORMER), gte(seen.block, 1));
  const plans = await plansOf(async () =>
    store.read.select().from(seen).where(isThere).orderBy(desc(seen.block)).limit(2),
  );
  expect(plans.filter(({ plan }) => plan.some(walks))).toHaveLength(1);
});

test('of a former address: what left it is found by its end', async () => {
  const plans = await plansOf(() => readFormerStandings(store, 2));
  expect(plans.filter(({ plan }) => plan.some(walks))).toEqual([]);
  const taken = plans.filter(({ text }) => text.includes("'taken%'"));
  expect(taken.flatMap(({ plan }) => plan)).toEqual([
    expect.stringContaining('observed_transfers_taken_idx (network=? AND from_address=?)'),
  ]);
});

test('of a former address: whose payouts wait is found from the payouts', async () => {
  const plans = await plansOf(() => readFormerStandings(store, 2));
  const waiting = plans.filter(({ text }) => text.includes('return:'));
  expect(waiting.length).toBe(1);
  expect(waiting.flatMap(({ plan }) => plan).filter((detail) => !detail.includes('(fact=?)'))).toEqual([]);
});
