import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { findBrokenSeal, sealEntries } from '../../../db/ledger/seal.ts';
import type { Store } from '../../../db/store/store.ts';

let dir: string;
let store: Store;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-seal-'));
  store = await openMigrated({ kind: 'sqlite', path: join(dir, 'test.sqlite') });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

async function post(count: number, nowMs: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const postings = [
      { account: 'chain:base:0x1', unit: 'usdc' as const, side: 'asset' as const, amount: 5n },
      { account: 'float:base', unit: 'usdc' as const, side: 'liability' as const, amount: -5n },
    ];
    await store.tx((db) => postEntry(db, store.tables, { cause: `test:${nowMs}:${index}`, postings }, nowMs));
  }
}

test('entries are sealed once they are a minute old, each once, in a chain', async () => {
  await post(3, 1_000);
  expect(await sealEntries(store, 30_000)).toBe(0);
  expect(await sealEntries(store, 61_000)).toBe(3);
  expect(await sealEntries(store, 62_000)).toBe(0);
  await post(2, 100_000);
  expect(await sealEntries(store, 200_000)).toBe(2);
  expect(await findBrokenSeal(store)).toBeNull();
});

test('an entry that was changed behind our back breaks the chain at its place', async () => {
  await post(4, 1_000);
  await sealEntries(store, 100_000);
  const raw = new Database(join(dir, 'test.sqlite'));
  const triggers = raw.prepare("select name from sqlite_master where type = 'trigger'").all() as { name: string }[];
  for (const { name } of triggers) raw.exec(`drop trigger "${name}"`);
  raw.prepare('update postings set amount = amount * 2 where entry_id = 2').run();
  raw.close();
  expect(await findBrokenSeal(store)).toBe(2);
});
