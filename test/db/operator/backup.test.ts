import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupInThread, backupSqlite } from '../../../db/operator/backup.ts';
import { openStore } from '../../../db/store/open.ts';
import { startBackups } from '../../../service/backups.ts';
import { openBooks, type Books } from '../../support/books.ts';

const ALICE = { name: 'alice', stableId: '1' };
const NOW = Date.UTC(2026, 10, 20, 9, 5, 7);
let dir: string;
let books: Books;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-backup-'));
  books = await openBooks({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
});
afterEach(async () => {
  await books.close();
  rmSync(dir, { recursive: true, force: true });
});

const backup = (keep = 10, nowMs = NOW) => backupSqlite(join(dir, 'books.sqlite'), join(dir, 'copies'), keep, nowMs);

test('a backup of a running service holds what was committed, and can be opened as a database', async () => {
  await books.pay({ payees: [ALICE] });
  const going = books.pay({ payees: [ALICE] });
  const { file } = backup();
  await going;
  expect([file, statSync(file).mode & 0o777]).toEqual([
    join(dir, 'copies', 'pennypost-20261120T090507Z.sqlite'),
    0o600,
  ]);
  const copy = await openStore({ kind: 'sqlite', path: file });
  const paid = await copy.read.select().from(copy.tables.payments);
  expect([1, 2]).toContain(paid.length);
  await copy.close();
});

test('the newest copies stay, and nothing else in the folder is touched', () => {
  for (const hour of [0, 1, 2]) backup(2, NOW + hour * 3_600_000);
  const { removed } = backup(2, NOW + 3 * 3_600_000);
  expect(removed).toEqual(['pennypost-20261120T100507Z.sqlite']);
  expect(readdirSync(join(dir, 'copies')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(2);
});

test('a database that is not there leaves no copy behind', () => {
  expect(() => backupSqlite(join(dir, 'gone', 'books.sqlite'), join(dir, 'copies'), 1, NOW)).toThrow();
  expect(readdirSync(join(dir, 'copies'))).toEqual([]);
});

test('a copy that a thread makes is the same, and a failure of the thread leaves nothing behind', async () => {
  await books.pay({ payees: [ALICE] });
  const { file } = await backupInThread(join(dir, 'books.sqlite'), join(dir, 'copies'), 1, NOW);
  const copy = await openStore({ kind: 'sqlite', path: file });
  expect(await copy.read.select().from(copy.tables.payments)).toHaveLength(1);
  await copy.close();
  const gone = backupInThread(join(dir, 'gone.sqlite'), join(dir, 'copies'), 1, NOW + 1_000);
  await expect(gone).rejects.toThrow();
  expect(readdirSync(join(dir, 'copies')).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('the service makes copies by the clock where a folder is named, and none for PostgreSQL', async () => {
  const log = pino({ level: 'silent' });
  const backups = { folder: join(dir, 'copies'), everyMinutes: 1, keep: 2 };
  const job = startBackups({
    config: { backups, databaseUrl: { kind: 'sqlite', path: join(dir, 'books.sqlite') } },
    log,
  });
  await job?.run();
  await job?.close();
  expect(readdirSync(backups.folder).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1);
  expect(
    startBackups({ config: { backups, databaseUrl: { kind: 'postgres', url: 'postgres:///x', pooled: false } }, log }),
  ).toBeNull();
});
