import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { giveUpMove, moveToPostgres, type MoveOptions } from '../../../db/moving/move.ts';
import { migrateSqlite } from '../../../db/store/migrate.ts';
import { openExistingStore, openStore } from '../../../db/store/open.ts';
import { createMachine } from '../../service/operator/host.ts';
import { openBooks } from '../../support/books.ts';
import { onPostgres } from '../../support/postgres.ts';
import { fillEveryTable } from './every-table.ts';

const ALICE = { name: 'alice', stableId: '1' };
/** Each life gets this many steps further and ends before a write is kept, every second one a step later, after one. */
const STEPS_A_LIFE = 29;
const NO_AUDIT = () => Promise.resolve([]);

let dir: string;
let template: string;
let tables: string[];
let path: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-move-'));
  template = join(dir, 'template.sqlite');
  await migrateSqlite(template);
  tables = fillEveryTable(template);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let made = 0;
beforeEach(() => {
  made += 1;
  path = join(dir, `source-${made}.sqlite`);
  copyFileSync(template, path);
});

/** Ends as a crash does, at the step of this number. */
function endAt(step: number): (name: string) => void {
  let left = step;
  return (name) => {
    left -= 1;
    if (left === 0) throw new Error(`crash: ${name}`);
  };
}

const endAtStep = (last: string) => (name: string) => {
  if (name === last) throw new Error(`crash: ${name}`);
};

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

onPostgres((fresh) => {
  let url: string;
  beforeEach(async () => {
    const database = await fresh();
    if (database.kind === 'postgres') url = database.url;
  });
  const move = (options: Partial<MoveOptions> = {}) =>
    moveToPostgres({ path, url, newId: () => 'move-1', audit: NO_AUDIT, ...options });

  test('every row of every table arrives as it was, whatever a crash interrupts', async () => {
    // Three rows a table: in two writes, so that a crash comes in the middle of tables too.
    const rowsAtOnce = 2;
    const lives: string[] = [];
    const live = async (onStep: (step: string) => void) => {
      await expect(openStore({ kind: 'postgres', url })).rejects.toThrow('has not ended');
      return move({ onStep, rowsAtOnce }).then(
        () => 'the end',
        (error: Error) => error.message,
      );
    };
    await expect(move({ onStep: endAt(2), rowsAtOnce })).rejects.toThrow('crash: begun');
    while (lives.at(-1) !== 'crash: compared') {
      const endSoon = endAt(STEPS_A_LIFE + (lives.length % 2));
      lives.push(await live((step) => (step === 'compared' ? endAtStep(step)(step) : endSoon(step))));
      expect(lives.at(-1)).toContain('crash: ');
    }
    expect(lives.length).toBeGreaterThan(10);
    for (const last of ['audited', 'closed']) expect(await live(endAtStep(last))).toBe(`crash: ${last}`);
    expect(await live(() => undefined)).toBe('the end');
    const source = new Database(path, { readonly: true });
    for (const table of tables) {
      const there = source.prepare(`SELECT count(*) AS rows FROM "${table}"`).get() as { rows: number };
      const [here] = await ask(url, `SELECT count(*)::int AS rows FROM "${table}"`);
      expect([table, here]).toEqual([table, there]);
    }
    source.close();
    expect(await ask(url, `INSERT INTO entries (cause, created_at_ms) VALUES ('next', 1) RETURNING id`)).toEqual([
      { id: '5001' },
    ]);
    expect(await ask(url, `SELECT detail::text FROM heartbeats ORDER BY name LIMIT 1`)).toEqual([
      { detail: expect.stringContaining('\\u0000') as string },
    ]);
    expect(await move()).toEqual({ kind: 'was-moved', rows: new Map() });
  });

  test('the file is closed from the first step on, for the service and for a process that wakes', async () => {
    const sleeper = new Database(path);
    await expect(move({ onStep: endAt(2) })).rejects.toThrow('crash');
    expect(() => sleeper.prepare(`DELETE FROM stamps`).run()).toThrow('this database moves');
    await expect(openStore({ kind: 'sqlite', path })).rejects.toThrow('moves, or has moved, to PostgreSQL');
    await expect(openExistingStore({ kind: 'sqlite', path })).rejects.toThrow('moves, or has moved');
    giveUpMove(path);
    sleeper.prepare(`DELETE FROM stamps`).run();
    sleeper.close();
    await expect(move({ newId: () => 'move-2' })).rejects.toThrow('a part of another move');
  });

  test('once it has ended the file stays closed', async () => {
    await move();
    expect(() => giveUpMove(path)).toThrow('so it stays closed');
    const store = await openStore({ kind: 'postgres', url });
    await store.close();
    const other = await fresh();
    if (other.kind === 'postgres') await expect(move({ url: other.url })).rejects.toThrow('works on another one');
  });

  test('it waits until every process has ended', async () => {
    const handle = new Database(path);
    handle.prepare('UPDATE processes SET beat_at_ms = ?').run(Date.now());
    handle.close();
    await expect(move()).rejects.toThrow('stop them all first');
    await expect(openExistingStore({ kind: 'sqlite', path }).then((store) => store.close())).resolves.toBeUndefined();
  });

  test.each([
    ['holds rows', `INSERT INTO stamps VALUES ('mode', 'local')`, 'holds rows already'],
    ['is moved into by another', `SELECT pg_advisory_lock(84020002)`, 'Another move into this database goes on'],
  ])('a target that %s is refused, and the file stays in use', async (_, statement, reason) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await expect(move()).rejects.toThrow(reason);
    await client.end();
    const store = await openStore({ kind: 'sqlite', path });
    await store.close();
  });

  test('what arrived is compared: rows, sums, and every value', async () => {
    await expect(move({ onStep: endAtStep('after waiting_responses') })).rejects.toThrow('crash');
    // Each in a table before the last one's, so that it is found first.
    for (const [statement, found] of [
      [`UPDATE lines SET amount_micro_usdc = 1`, 'lines: amount_micro_usdc sums to'],
      [`DELETE FROM wallets WHERE ctid = (SELECT min(ctid) FROM wallets)`, 'wallets: 3 rows, and 2 arrived'],
      [`UPDATE identities SET display = display || 'x'`, 'identities: as many rows, but not the same values'],
    ] as const) {
      await ask(url, statement);
      await expect(move()).rejects.toThrow(found);
    }
  });

  describe('with books that say something', () => {
    const operate = (...words: string[]) =>
      createMachine({ DATABASE_URL: url, DATA_DIR: join(dir, 'data') }).operate(...words);

    test('the command moves them, and the books are sound there', async () => {
      path = join(dir, `books-${made}.sqlite`);
      const books = await openBooks({ kind: 'sqlite', path });
      await books.pay({ payees: [ALICE] });
      await books.close();
      const { exitCode, text } = await operate('move', path);
      expect([exitCode, text]).toEqual([0, expect.stringContaining('and the books are sound')]);
      expect(text).toContain('payments: 1');
    });

    test('books that are not sound do not go into use', async () => {
      await expect(moveToPostgres({ path, url, newId: () => 'move-1' })).rejects.toThrow('the books are not sound');
      await expect(openStore({ kind: 'postgres', url })).rejects.toThrow('has not ended');
      expect((await operate('move', path, '--give-up')).text).toContain('is in use again');
    });
  });
});
